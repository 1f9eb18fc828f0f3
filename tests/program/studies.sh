#!/usr/bin/env bash
# Runs every study on a mesh that takes no time: exit codes, rows, files. Usage: studies.sh CLEAVE_STUDIES
source "$(dirname "$(realpath "$0")")/support.sh"

# expect CODE STUDY ARGUMENTS...: on one CPU thread.
expect() {
  local code=$1; shift
  "$cleave" "$@" --backend cpu --threads 1 --seconds 0.001 >stdout 2>stderr
  local got=$?
  [ $got -eq "$code" ] || fail "exit code $got instead of $code: $*: $(cat stderr)"
}
rows() { # FILE NUMBER KEY: that many rows have the key
  [ "$(grep -c "\"$3\":" "$1")" -eq "$2" ] || fail "$1: not $2 rows with $3"
}

expect 0 strategies --mesh ring:6x48 --json strategies.json
rows strategies.json 28 difference
expect 0 ladder --mesh ring:6x48 --json ladder.json
rows ladder.json 5 loads_per_element
expect 0 colouring --mesh ring:6x48 ring:6x49 --json colouring.json
rows colouring.json 7 sizes
rows colouring.json 56 speedup_over_first
expect 0 states --mesh ring:6x48 --json states.json
rows states.json 4 same_bits
expect 0 vectors --sizes 31x33 0x5 --json vectors.json
rows vectors.json 14 seconds
expect 0 edges --mesh ring:6x48 --json edges.json
grep -q '"bench": "edges"' edges.json || fail "the file does not name the study"
for study in strategies ladder colouring states; do expect 2 $study --mesh ring:6x48:T3; done
for wrong in "vectors --sizes 31" "vectors --mesh ring:6x48" "edges --sizes 31x33" "edges --mesh ring:6x" \
             "edges --json none/edges.json" speed; do
  expect 2 $wrong
done

[ $failures -eq 0 ] && echo "all passed"
exit $((failures > 0))
