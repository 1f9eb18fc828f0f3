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
run() { "$cleave" run case.yaml --quiet "$@"; }

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

# Stopped after any step, on other threads.
expect 0 run --output part --set time.steps=1234 --set output.checkpoint_every=617
expect 0 run --output part --resume --threads 2
same_results out part
cmp out/obstacles_000003.vtu part/obstacles_000003.vtu || fail "frames of obstacles after going on"

expect 2 run --output wrong --set obstacles.0.plane.point=[0,0.005]
one_report
says "obstacles.0: at the start the body is inside it: at ("
expect 2 run --output wrong --set run.assembly=coloured
one_report
says "obstacles: it needs run.assembly: gather, not \`coloured\`"
[ ! -e wrong ] || fail "something is written"
expect 3 run --output deep --set initial.velocity.y=-1500
one_report
says "is deeper inside an obstacle than a quarter of the triangle's least altitude"
finish
