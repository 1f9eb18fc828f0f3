#!/usr/bin/env bash
# Several steps in one launch, by blocks that wait for each other, give the bits of steps that are launched one by one. A
# CPU does so only when CLEAVE_RESIDENT asks for it; a GPU does unless it says no.
#
#     resident_steps.sh CLEAVE
source "$(dirname "$0")/support.sh"

# Elastic until late, then it breaks. Pressed, moved and held, of two materials, with probes that look at some steps.
cat >body.yaml <<'YAML'
mesh: {shape: ring, inner_radius: 0.01, outer_radius: 0.02, divisions: [6, 48], regions: {right: {box: [0, -1, 1, 1]}}}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
cohesive: {normal: {strength: 60.0e6, energy: 50}, insertion: {every: 7}}
time: {steps: 500}
boundary:
  - {on: inner, pressure: 60.0e6, curve: pulse}
  - {on: outer, velocity: {x: 1.0}}
curves: {pulse: {exponential: 20.0e-6}}
output: {directory: out, fields_every: 100, history_every: 12, checkpoint_every: 150,
         probes: [{name: p, at: [0.0101, 0], every: 50}]}
YAML
two='material=[{young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200},'
two+='{on: right, young_modulus: 9.0e9, poisson_ratio: 0.2, density: 2000}]'

# compare ARGUMENTS...: a run step by step, one with several steps a launch, one of those that is stopped and resumed.
compare() {
  expect 0 env CLEAVE_RESIDENT=0 "$cleave" run body.yaml --quiet --backend cpu --output apart "$@"
  expect 0 env CLEAVE_RESIDENT=1 "$cleave" run body.yaml --backend cpu --threads 3 --stages --output together "$@"
  grep -q 'resident steps' stdout || fail "no steps are resident: $*"
  same_results apart together
  tail -1 apart/history.csv | awk -F, '$13 == 0 { exit 1 }' || fail "nothing breaks: $*"
  expect 0 env CLEAVE_RESIDENT=1 "$cleave" run body.yaml --quiet --backend cpu --output resumed "$@" --set time.steps=160
  expect 0 env CLEAVE_RESIDENT=0 "$cleave" run body.yaml --quiet --backend cpu --output resumed --resume "$@"
  same_results apart resumed
  rm -r apart together resumed
}
compare
compare --set mesh.element=T3
compare --set run.precision=single
compare --set "$two"
compare --set mesh.element=T3 --set run.precision=single --set output.history_every=3

# Where steps are not such, nothing is resident: laws with states, forces on nodes.
for other in 'material.artificial_viscosity={linear: 0.06, quadratic: 1.2}' 'body_force={x: 10}' \
  'material={law: kelvin_voigt, viscosity: 1, bulk_viscosity: 1, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}'; do
  expect 0 env CLEAVE_RESIDENT=1 "$cleave" run body.yaml --backend cpu --stages --output other --set "$other" --set time.steps=30
  grep -q 'resident steps' stdout && fail "steps are resident with $other"
  rm -r other
done

expect 2 env CLEAVE_RESIDENT=yes "$cleave" run body.yaml --quiet --backend cpu
says "environment variable CLEAVE_RESIDENT is 'yes'"
one_report
finish
