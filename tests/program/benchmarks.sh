#!/usr/bin/env bash
# Runs every benchmark on a mesh that takes no time: exit codes, rows, files. Usage: benchmarks.sh PROGRAM
source "$(dirname "$(realpath "$0")")/support.sh"

# expect CODE ARGUMENTS...: cleave bench ARGUMENTS on one CPU thread.
expect() {
  local code=$1; shift
  "$cleave" bench "$@" --backend cpu --threads 1 --seconds 0.001 >stdout 2>stderr
  local got=$?
  [ $got -eq "$code" ] || fail "exit code $got instead of $code: bench $*: $(cat stderr)"
}
rows() { # FILE NUMBER KEY: that many rows have the key
  [ "$(grep -c "\"$3\":" "$1")" -eq "$2" ] || fail "$1: not $2 rows with $3"
}

expect 0 step --mesh ring:6x48 rectangle:8x4:T3 --assembly gather coloured atomic --json step.json
rows step.json 6 seconds_per_step
rows step.json 6 fraction_of_floor
expect 0 kernels --mesh ring:6x48 --assembly gather coloured --json kernels.json
for stage in "element blocks" "interface nodes" "stress blocks" "internal force" "Gauss-point stress"; do
  grep -A8 "\"stage\": \"$stage\"" kernels.json | grep -q bytes_per_element || fail "no bytes of '$stage'"
done
# Elements by colour are one pass of a step, however many launches they take. A check without a stress near the strength leaves
# nodal stresses out, so they move no bytes.
grep -A8 '"stage": "internal force"' kernels.json | grep -q '"passes": 200.0,' || fail "not 200 passes of internal forces"
! grep -A8 '"stage": "nodal stress"' kernels.json | grep -q bytes_per_element || fail "bytes of nodal stresses, which are left out"
# What a benchmark would not read is refused.
unread() { # WHAT ARGUMENTS...: the last option is the one that WHAT does not read
  expect 2 "$@"
  grep -q -- "$(printf '%s\n' "$@" | grep -- '^--' | tail -1): .bench $1. does not read it" stderr || fail "bench $*: $(cat stderr)"
}
unread step --memory 1
unread kernels --mesh ring:6x48 --stages
unread insertion --steps 10
unread cases --mesh ring:6x48
unread contact --assembly gather
unread memory --budget 1
unread insertion-rate --try
expect 0 insertion --mesh ring:6x48 --assembly gather --json insertion.json
grep -q '"cohesive_elements": 1680' insertion.json || fail "1680 interior facets are not all cut"
expect 0 insertion-rate --mesh ring:20x160:T3 --assembly gather --json rate.json
rows rate.json 1 rate_while_breaking
expect 0 memory --mesh ring:40x320 --assembly gather --memory 0.001 --try --json memory.json
rows memory.json 1 tried
# The memory that is counted before a run is that of the run, and cut in all its facets a body has room for what there
# can be and no more.
number() { sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" memory.json; }
within() { # WHAT NUMBER OF
  awk -v is="$2" -v of="$3" 'BEGIN { exit !(is > 0.97 * of && is < 1.03 * of) }' || fail "$1: $2, not $3: $(cat memory.json)"
}
within "bytes of an element" "$(number bytes_per_element)" "$(number counted_per_element)"
within "bytes of a cut facet" "$(number bytes_per_broken_facet)" 1239

expect 0 contact --mesh rectangle:6x6 ring:6x48:T3 --json contact.json
rows contact.json 2 seconds_per_search
awk -F'[:,]' '/"(touching_points|candidates_per_second)"/ && $2 <= 0 { exit 1 }' contact.json ||
  fail "nothing touches, or nothing is searched for: $(cat contact.json)"
awk -F'[:,]' '/"touching_points_of_tiles_apart"/ && $2 > 0 { exit 1 }' contact.json || fail "tiles that fly apart touch: $(cat contact.json)"
awk -F'[:,]' '/"searches"/ && $2 > 0.2 { exit 1 }' contact.json || fail "facets that fail ask for searches: $(cat contact.json)"
awk -F'[:,]' '/"facets_on_surfaces"/ && ($2 < 0.05 || $2 > 0.15) { exit 1 }' contact.json || fail "tiles of another size: $(cat contact.json)"

# Two machines: the first is timed in windows, from states of the second, and must be in the same run at their ends.
"$cleave" bench cases --case ring_20x160 --steps 60 --budget 1e-6 --assembly gather coloured --backend cpu --threads 2 \
  --json cases.json >stdout 2>stderr || fail "bench cases: $(cat stderr)"
rows cases.json 4 same_run
rows cases.json 2 windows
grep -q '"same_run": false' cases.json && fail "windows of another run"
grep -q "no device" stdout || fail "no word of the missing column of the GPU"

for wrong in "step --mesh ring:6x" "step --mesh ring:6x48:T4" "step --mesh table3.5" \
             "insertion-rate --mesh rectangle:8x8" "cases --case ring_20x16" "speed" "strategies"; do
  expect 2 $wrong
done

[ $failures -eq 0 ] && echo "all passed"
exit $((failures > 0))
