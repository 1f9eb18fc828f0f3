# Sourced by tests of the program: a folder of its own, checks of exit codes and reports, a small case.
# Expects the program as the first argument. With CLEAVE_TEST_RANKS=N its runs go on N ranks.
set -u
cleave=$(realpath "$1")
work=$(mktemp -d)
launcher=
trap 'rm -rf "$work" $launcher' EXIT
cd "$work"
failures=0

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# expect CODE COMMAND...: runs it with stdout and stderr in files, compares the exit code.
expect() {
  local code=$1; shift
  "$@" >stdout 2>stderr
  local got=$?
  [ $got -eq "$code" ] || fail "exit code $got instead of $code: $*: $(cat stderr)"
}
one_report() { [ "$(grep -c '^cleave: ' stderr)" -eq 1 ] || fail "not one report: $(cat stderr)"; }
# has_single CASE: whether the program has single precision; most of those for sanitizers have none.
has_single() { [[ $("$cleave" check "$1" --set run.precision=single 2>&1) != *'built for a sanitizer'* ]]; }
# says TEXT: stderr has it.
says() { grep -qF -- "$1" stderr || fail "stderr does not say '$1': $(cat stderr)"; }
# state_of DIRECTORY: names, sizes and content of all in it.
state_of() { (cd "$1" && find . -type f -exec cksum {} + | sort -k 3); }
# A plate whose triangles erode beside facets that break, at borders between ranks, too.
eroding_case() {
  cat <<'YAML'
mesh:
  shape: compact_tension
  element: T3
  width: 0.02
  cell_size: 0.0015
  notch: {length: 0.01}
  regions: {soft: {box: [-0.002, -0.002, 0.009, 0.0061]}}
material:
  - {young_modulus: 3.24e9, poisson_ratio: 0.2, density: 1190, plane: stress}
  - {on: soft, law: j2, young_modulus: 3.24e9, poisson_ratio: 0.2, density: 1190, plane: stress,
     yield_stress: 5.0e6, hardening: {linear: 1.0e8}, erosion: {plastic_strain: 0.002}}
cohesive:
  normal: {strength: 12.0e6, energy: 10}
  insertion: {every: 10, region: {box: [-0.002, -0.002, 0.009, 0.0061]}}
time: {steps: 115, safety: 0.5}
boundary:
  - {on: right, velocity: {x: 10}}
output: {history_every: 5}
YAML
}
# More facets than ranks tell each other in a step break at once in a stiff part of an expanding plate, while ranks beside it find
# none. one_sided_case PLACE ELEMENT: PLACE is left, right, bottom, top, corner, middle, or twice, where the left breaks first.
one_sided_case() {
  local box list
  case $1 in
    left | twice) box="[-1, -1, 0.004, 1]" ;;
    right) box="[0.016, -1, 1, 1]" ;;
    bottom) box="[-1, -1, 1, 0.0025]" ;;
    top) box="[-1, 0.0075, 1, 1]" ;;
    corner) box="[-1, -1, 0.009, 0.005]" ;;
    middle) box="[0.007, 0.002, 0.013, 0.008]" ;;
  esac
  local rest="poisson_ratio: 0.3, density: 1200, plane: strain"
  list="{young_modulus: 3.0e9, $rest}, {on: stiff, young_modulus: 6.0e9, $rest}"
  [ "$1" != twice ] || list="{young_modulus: 3.0e9, $rest}, {on: stiff, young_modulus: 12.0e9, $rest}, {on: later, young_modulus: 6.0e9, $rest}"
  cat <<YAML
mesh: {shape: rectangle, size: [0.02, 0.01], divisions: [32, 16], element: $2,
       regions: {stiff: {box: $box}, later: {box: [0.016, -1, 1, 1]}}}
material: [$list]
cohesive: {law: ppr, normal: {strength: 4.0e6, energy: 30}, insertion: {every: 10}}
time: {step: 6.32e-9, steps: 30}
initial: {velocity_gradient: {xx: 3162, yy: 3162}}
output: {directory: out, fields_every: 10, history_every: 10}
run: {backend: cpu, threads: 1}
YAML
}
# most_broken DIRECTORY: facets that broke between two rows of history there, at most.
most_broken() { awk -F, 'NR > 2 && $13 - before > most { most = $13 - before } { before = $13 } END { print most + 0 }' "$1/history.csv"; }
# same_results DIRECTORY DIRECTORY: all but the summary, the checkpoints and the case, which may name the directory.
same_results() {
  diff <(state_of "$1" | grep -vE 'summary|checkpoint|resolved') <(state_of "$2" | grep -vE 'summary|checkpoint|resolved') >&2 ||
    fail "the results in $1 and $2 differ"
}
# The process that writes there.
rank_0_in() { sed -n 's/^process \([0-9]*\) .*/\1/p' "$1/run.lock"; }
# start DIRECTORY ARGUMENTS...: starts a run there, and waits until it writes. `process` is that of rank 0.
start() {
  local directory=$1; shift
  "$cleave" run case.yaml --quiet --output "$directory" "$@" & started=$!
  process=$started
  for _ in $(seq 1000); do
    sleep 0.01
    [ -s "$directory/history.csv" ] && grep -q '"status": "running"' "$directory/summary.json" || continue
    [ "$on_ranks" = no ] || process=$(rank_0_in "$directory")
    return
  done
  fail "the run in $directory does not write"
}
# wait_for_file FILE: until `process` has written it, or has ended; a minute at most.
wait_for_file() {
  for _ in $(seq 6000); do
    [ -s "$1" ] && return
    kill -0 $process 2>/dev/null || break
    sleep 0.01
  done
  [ -s "$1" ] || fail "the run does not write $1"
}
# pause: stops `process` until SIGCONT, and waits until it has stopped.
pause() {
  kill -STOP $process
  for _ in $(seq 6000); do
    [ -z "$(sed 's/.*) //' /proc/$process/task/*/stat | grep -v '^[Tt]')" ] && return
    sleep 0.01
  done
  fail "process $process does not stop"
}
# stop SIGNAL: sends it to the run that was started, leaves its exit code in `code`.
stop() {
  kill -"$1" $process
  wait $started 2>/dev/null
  code=$?
}
status_is() { grep -q "\"status\": \"$2\"" "$1/summary.json" || fail "status in $1/summary.json is not $2"; }
# not_tested WHY: this machine cannot; ctest tells it as skipped.
not_tested() { printf '\n*** SKIPPED: %s ***\nnot tested, as %s\n\n' "$(basename "$0" .sh)" "$1" >&2; exit 77; }
# Several ranks can be started, by `ranks N COMMAND...`: the program, five minutes at most.
needs_mpi() {
  "$cleave" info | grep -q '^MPI not built in' && not_tested "the program is built without MPI"
  command -v mpirun >/dev/null || not_tested "there is no mpirun"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0
  mpirun -n 2 --bind-to none true >mpirun.log 2>&1 || not_tested "mpirun starts nothing here: $(cat mpirun.log)"
}
ranks() {
  local n=$1; shift
  timeout 300 mpirun -n "$n" --bind-to none "$cleave" "$@"
}
# From here on `cleave` is a script that starts runs on so many ranks, but for what works on one only.
on_ranks=no
start_on_ranks() {
  needs_mpi
  on_ranks=yes
  launcher=$(mktemp -d)
  cat >"$launcher/cleave" <<SH
#!/usr/bin/env bash
case "\$*" in
  run*assembly=coloured* | run*assembly=atomic* | run*numbering=counter*) ;;
  run*) exec mpirun -n $CLEAVE_TEST_RANKS --bind-to none "$cleave" "\$@" ;;
esac
exec "$cleave" "\$@"
SH
  chmod +x "$launcher/cleave"
  cleave=$launcher/cleave
}
# one_process WHAT: what is not tested on ranks, and says so.
one_process() { [ $on_ranks = no ] || { echo "not tested on several ranks: $*"; return 1; }; }
finish() {
  [ $failures -eq 0 ] && echo "all passed"
  exit $((failures > 0))
}

cat >case.yaml <<'YAML'
title: Expanding square
mesh: {shape: rectangle, size: [0.01, 0.01], divisions: [8, 8], element: T6, perturbation: {amplitude: 0.1, seed: 1}}
material: {law: linear_elastic, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: stress}
cohesive: {law: ppr, normal: {strength: 30.0e6, energy: 100}, insertion: {every: 10, aggregate: mean}}
time: {step: auto, steps: 2000}
initial: {velocity_gradient: {xx: 2.0e4, yy: 2.0e4}}
output: {directory: out, fields_every: 500, history_every: 20}
run: {backend: cpu, threads: 1}
YAML
[ -z "${CLEAVE_TEST_RANKS:-}" ] || start_on_ranks
