#!/usr/bin/env bash
# Contact of the body with itself: pieces that meet again, the same bytes from a second process, two threads and a run that was stopped;
# parts that touch at the start, what is refused, what is warned of.
# Usage: contact.sh PROGRAM
source "$(dirname "$0")/support.sh"
cat >case.yaml <<'YAML'
mesh: {shape: rectangle, size: [0.016, 0.008], divisions: [8, 4], element: T3, thickness: 1.0e-3, perturbation: {amplitude: 0.15, seed: 7}}
material: {law: st_venant_kirchhoff, young_modulus: 3.24e9, poisson_ratio: 0.35, density: 1190}
cohesive: {normal: {strength: 10.0e6, energy: 8}, tangential: {strength: 12.0e6, energy: 11}, insertion: {every: 5}}
contact: {friction: 0.3}
time: {steps: 1500, safety: 0.5}
initial: {velocity_gradient: {xx: 2500, yy: -1000}, origin: [0.008, 0.004]}
boundary: [{on: left, velocity: {x: 0}}, {on: right, velocity: {x: 0}}, {on: bottom, velocity: {y: 0}}, {on: top, velocity: {y: 0}}]
output: {directory: out, fields_every: 500, history_every: 20}
run: {backend: cpu, threads: 1}
YAML
run() { "$cleave" run case.yaml --quiet "$@"; }

expect 0 run
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
         NR > 1 { if ($at["contact_points"] > most) most = $at["contact_points"]
                  if ($at["balance_error"]^2 > worst) worst = $at["balance_error"]^2 }
         END { exit !(most > 20 && worst < 1e-24 && $at["contact_friction_energy"] > 0 && $at["fragments"] > 10) }' out/history.csv ||
  fail "energies: $(tail -1 out/history.csv)"
! grep -q '"overlap: ' out/summary.json || fail "pieces lie in each other"
expect 0 run --output again --threads 2
same_results out again
expect 0 run --output part --set time.steps=777 --set output.checkpoint_every=777
expect 0 run --output part --resume --threads 2
same_results out part

# What makes no sense: one report each, and nothing is written.
refuses() { # refuses TEXT OPTIONS...
  local text=$1; shift
  expect 2 run --output wrong "$@"
  one_report
  says "$text"
  [ ! -e wrong ] || fail "something is written"
}
refuses 'contact.friction: must be >= 0, found -0.1' --set contact.friction=-0.1
refuses 'contact.penalty: must be > 0, found 0' --set contact.penalty=0
refuses 'contact.on: the mesh has no group "weest"' --set contact.on=[weest]
refuses 'contact.frictoin: unknown key; did you mean "friction"?' --set contact.frictoin=0.1
refuses 'contact: it needs run.assembly: gather, not `coloured`' --set run.assembly=coloured --set material.law=linear_elastic
refuses '`erosion` does not go with `contact`' --set material.law=j2 --set material.yield_stress=1.0e7 --set material.erosion.plastic_strain=0.1

# Bodies that turn need finite strains: told once, by word of contact where there is any.
turns() { run --output turned --force --set material.law=linear_elastic --set boundary= --set cohesive= --set time.steps=100 --set initial=null \
  --set initial.velocity_gradient.xy=-2.0e5 --set initial.velocity_gradient.yx=2.0e5 "$@"; }
expect 0 turns
grep -q '"rotation: .*bodies that grow so touch where they should not: take a law of finite strains' turned/summary.json || fail "no warning of a body that turns"
expect 0 turns --set contact=none
grep -q '"rotation: .*larger ones strain the element"' turned/summary.json || fail "another warning without contact"
finish
