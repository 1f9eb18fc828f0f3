#!/usr/bin/env bash
# Obstacles: their columns and frames, an overlap at the start, a run that is stopped while they touch and goes on, a wall in the body.
# Usage: obstacles.sh PROGRAM
source "$(dirname "$0")/support.sh"
cat >>case.yaml <<'YAML'
obstacles:
  - {name: floor, plane: {point: [0, 1.0e-5], normal: [0, 1]}, friction: 0.3}
  - {name: lid, plane: {point: [0, 0.0101], normal: [0, -1]}, velocity: {y: -5}}
  - {name: ball, disc: {centre: [0.0125, 0.005], radius: 0.002}, velocity: {x: -20}, mass: 1.5e-2, friction: 0.2}
YAML
run() { "$cleave" run case.yaml --quiet --set "output.lines=[{name: base, on: bottom, points: 401, every: 10}]" "$@"; }

expect 0 run
grep -q "the body is inside the obstacle .*floor.* by 1e-05 m" out/summary.json || fail "no word of the overlap"
head -1 out/history.csv | grep -q ',contact_energy,contact_friction_energy,contact_points,reaction_floor_x,.*,ball_x,ball_y,ball_angle$' ||
  fail "columns of obstacles: $(head -1 out/history.csv)"
for frame in 0 1 2 3 4; do
  grep -q "file=\"obstacles_00000$frame.vtu\"" out/obstacles.pvd || fail "frame $frame is not in obstacles.pvd"
  [ -s out/obstacles_00000$frame.vtu ] || fail "frame $frame of obstacles is not there"
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
         NR > 1 { if ($at["contact_points"] > most) most = $at["contact_points"]
                  if ($at["balance_error"]^2 > worst) worst = $at["balance_error"]^2 }
         END { exit !(most > 0 && worst < 1e-24 && $at["ball_x"] < 0.0125 && $at["cohesive_elements"] > 0) }' out/history.csv ||
  fail "energies or places: $(tail -1 out/history.csv)"

# The pressure along the bottom of the whole body, over its length and the thickness of 1 mm, is the force of the floor. A node at a
# corner of the body stands for a sixth of a facet (of 8 along the bottom) on either side.
expect 0 run --output whole --set cohesive= --set time.steps=100
awk -F, 'FNR == 1 { ++file; for (i = 1; i <= NF; ++i) at[file, $i] = i; next }
         file == 1 { reaction[$1] = $at[1, "reaction_floor_y"]; next }
         { length_here = 0.01 / 400; if ($at[2, "s"] == 0 || $at[2, "s"] > 0.00999999) length_here = length_here / 2 + 0.01 / 8 / 6
           force[$1] += $at[2, "contact_pressure"] * length_here * 1e-3 }
         END { for (step in force) if (step in reaction && reaction[step] > most) { most = reaction[step]; found = force[step] }
               exit !(most > 0 && (found / most - 1)^2 < 1e-6) }' whole/history.csv whole/lines.csv || fail "pressure along the floor"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR > 1 && $at["contacts"] > 0 { ++touching } END { exit !touching }' out/fragments.csv ||
  fail "no fragment touches anything"

# Stopped after any step, on other threads.
expect 0 run --output part --set time.steps=1234 --set output.checkpoint_every=617
expect 0 run --output part --resume --threads 2
same_results out part
cmp out/obstacles_000003.vtu part/obstacles_000003.vtu || fail "frames of obstacles after going on"

expect 2 run --output wrong --set obstacles.0.plane.point=[0,0.005]
one_report
says "obstacles.0: at the start the body is inside it: at ("
expect 2 run --output wrong --set obstacles.2.disc.centre=[0.005,0.0051]
one_report
says "obstacles.2: at the start its centre (0.005, 0.0051) is inside the body; move it"
for wrong in 0.friction=-0.1 2.disc.radius=0 2.mass=0; do
  expect 2 run --output wrong --set obstacles.$wrong
  one_report
  says "obstacles.${wrong%=*}: must be"
done
expect 2 run --output wrong --set contact.on=[anvil]
one_report
says 'contact.on: the mesh has no group "anvil"'
expect 2 run --output wrong --set run.assembly=coloured
one_report
says "obstacles: it needs run.assembly: gather, not \`coloured\`"
[ ! -e wrong ] || fail "something is written"
expect 3 run --output deep --set initial.velocity.y=-1500
one_report
says "is deeper inside an obstacle than a quarter of the triangle's least altitude"
finish
