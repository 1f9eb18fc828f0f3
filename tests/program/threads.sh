#!/usr/bin/env bash
# The number of threads is nowhere in the results: every kind of run gives the same files with 1 thread and with 3.
# Built with the thread sanitizer (scripts/sanitize thread) this also looks for data races in all kernels of a step, in
# insertion, in output and in checkpoints.
#
#     threads.sh CLEAVE
source "$(dirname "$0")/support.sh"

cat >loaded.yaml <<'YAML'
mesh: {shape: ring, inner_radius: 0.01, outer_radius: 0.02, divisions: [6, 48], regions: {right: {box: [0, -1, 1, 1]}}}
material:
  - {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
  - {on: right, young_modulus: 9.0e9, poisson_ratio: 0.2, density: 2000}
cohesive: {normal: {strength: {weibull: {scale: 30.0e6, modulus: 10}}, energy: 50}, insertion: {every: 5}}
time: {steps: 400}
boundary:
  - {on: inner, pressure: 60.0e6, in_cracks: true}
  - {on: outer, absorb: true}
body_force: {x: 10}
output: {directory: out, fields_every: 50, history_every: 10, checkpoint_every: 150, probes: [{name: p, at: [0.0101, 0]}],
         lines: [{name: ray, from: [0.0101, 0], to: [0.0199, 0], points: 40, every: 10}, {name: rim, on: outer, points: 30, every: 20}]}
YAML

# compare ARGUMENTS...: a run with 1 and with 3 threads. The thread sanitizer looks at the latter alone, and at fewer steps.
several=(1 3) steps=400 steps_of_stopped=2000
grep -qa '__tsan_init' "$cleave" && several=(3) steps=240 steps_of_stopped=800
compare() {
  for threads in "${several[@]}"; do
    expect 0 "$cleave" run "$@" --quiet --backend cpu --threads "$threads" --output "out_$threads" --set time.steps=$steps
  done
  tail -1 out_3/history.csv | awk -F, '$13 == 0 { exit 1 }' || fail "nothing breaks: $*"
  [ ${#several[@]} -eq 1 ] || same_results out_1 out_3
  rm -r out_*
}
plate=(case.yaml --set 'mesh.divisions=[16,16]' --set output.fields_every=100)
compare "${plate[@]}" --set mesh.element=T3 --set cohesive.law=linear
has_single case.yaml && compare "${plate[@]}" --set run.precision=single
compare "${plate[@]}" --set run.assembly=coloured
compare "${plate[@]}" --set run.assembly=coloured --set mesh.element=T3 --set cohesive.insertion.selection=local_maximum
compare "${plate[@]}" --set cohesive.insertion.selection=local_maximum --set 'boundary=[{on: left, fix: [x, y]}]'
compare loaded.yaml
compare loaded.yaml --set mesh.element=T3 --set cohesive.law=linear --set output.compression=lz4
if "$cleave" check loaded.yaml --set output.format=vtkhdf >/dev/null 2>&1; then
  expect 0 "$cleave" run loaded.yaml --quiet --backend cpu --threads 3 --output hdf --set output.format=vtkhdf
fi
# A specimen with a hole, graded around a point.
cat >specimen.yaml <<'YAML'
mesh: {shape: plate_with_hole, size: [0.02, 0.01], cell_size: 1.0e-3, hole: {radius: 2.0e-3},
       grading: {at: [0.01, 0.007], size: 3.0e-4}}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
cohesive: {normal: {strength: 10.0e6, energy: 50}, insertion: {every: 5}}
time: {steps: 400}
initial: {velocity_gradient: {yy: 4.0e3}}
output: {directory: out, fields_every: 100, lines: [{name: rim, on: hole, points: 50, every: 25}]}
YAML
compare specimen.yaml
# Only that these run: they do not repeat.
expect 0 "$cleave" run "${plate[@]}" --quiet --threads 3 --output atomic --set run.assembly=atomic --set time.steps=$steps
expect 0 "$cleave" run "${plate[@]}" --quiet --threads 3 --output counter --set cohesive.insertion.numbering=counter \
  --set time.steps=$steps

# Stopped by a signal and resumed, while threads write frames.
frames=(--set 'mesh.divisions=[16,16]' --set output.fields_every=25 --set time.steps=$steps_of_stopped --threads 3)
start stopped "${frames[@]}"
stop TERM
[ $code -eq 143 ] || fail "exit code $code after a signal"
expect 0 "$cleave" run case.yaml --quiet --output stopped "${frames[@]}" --resume

finish
