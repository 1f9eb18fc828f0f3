#!/usr/bin/env bash
# The commands of docs/tutorial.md work as they stand there, but for its first box, which installs and builds. With the Gmsh of
# Debian 12 they print what stands there, too.
# Exit code 77 (skipped) where there is no Gmsh, or the Python package cannot be installed.
#
# Usage: tutorial.sh PROGRAM REPOSITORY FOLDER    (FOLDER keeps the Python package for the next time)
set -euo pipefail
program=$(realpath "$1") repository=$(realpath "$2")
mkdir -p "$3/build/run/src"
cd "$3"

skip() {
  printf '\n*** SKIPPED: THE TUTORIAL WAS NOT TRIED ***\n%s\n\n' "$*" >&2
  exit 77
}
fail() { echo "FAILED: $*" >&2; exit 1; }

# What the commands name, as in the root of the repository.
for folder in scripts python; do ln -sfn "$repository/$folder" $folder; done
ln -sf "$program" build/run/src/cleave
command -v gmsh >/dev/null || skip "there is no gmsh"
(source scripts/python.sh) || skip "there is no python3-venv, no network, or no registry"

rm -rf out
awk '/^```sh$/ {box++; inside = 1; next} /^```$/ {inside = 0} inside && box > 1' "$repository/docs/tutorial.md" >commands
[ "$(wc -l <commands)" -ge 50 ] || fail "the boxes of the tutorial were not found"
bash -e commands | tee printed
grep -q '"status": "done"' out/block/summary.json || fail "the block is not done"
[ -s out/block/fragments.png ] && [ -s out/block/energies.png ] || fail "the pictures were not drawn"
[ "$(grep -c ',done,' out/blocks/study.csv)" -eq 3 ] || fail "the study is not done: $(cat out/blocks/study.csv)"
fragments=$(sed -n 's/^ *"fragments": \([0-9]*\).*/\1/p' out/block/summary.json | head -1)
[ "$fragments" -ge 10 ] || fail "the block broke into $fragments fragments only"
if [[ $(gmsh --version 2>&1) == 4.8.4* ]]; then
  "$repository/tests/program/figures_in_texts.py" --tutorial "$repository" printed
else
  echo "figures were not compared: they are of the mesh of Gmsh 4.8.4"
fi
