#!/usr/bin/env bash
# Every file and folder that a text names is there. Reads ARCHITECTURE.md and CONTRIBUTING.md: paths from the root of the
# repository must exist, and names of source files alone must exist somewhere.
#
#     paths_in_texts.sh REPOSITORY
set -euo pipefail
cd "$1"

folders='include|src|cuda|tests|docs|benchmarks|cmake|scripts|configs|meshes|python'
missing=0
for text in ARCHITECTURE.md CONTRIBUTING.md; do
  while IFS=: read -r line path; do
    [ -e "$path" ] || { echo "$text:$line: $path does not exist"; missing=1; }
  done < <(grep -noE "\b($folders)/[A-Za-z0-9_./-]*[A-Za-z0-9_]" "$text")
  while IFS=: read -r line name; do
    [ -n "$(find include src cuda tests benchmarks -name "$name" -print -quit)" ] ||
      { echo "$text:$line: no file is called $name"; missing=1; }
  done < <(grep -noE "\b[a-z0-9_]+\.(hpp|cpp|cuh|cu|sh)\b" "$text")
done
exit $missing
