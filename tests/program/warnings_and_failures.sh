#!/usr/bin/env bash
# What a run warns of, once each, and what it says when an element fails.
# Usage: warnings_and_failures.sh PROGRAM
root=$(realpath "$(dirname "$0")/../..")
source "$(dirname "$0")/support.sh"

cat >plate.yaml <<'YAML'
mesh: {shape: rectangle, size: [0.01, 0.01], divisions: [8, 8], element: T6}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
time: {step: auto, steps: 100}
boundary: [{on: left, fix: [x, y]}]
body_force: {y: -1.0e-3}
output: {fields_every: 20}
run: {backend: cpu, threads: 1}
YAML
# run_plate OPTIONS...: into the directory out, which it replaces.
run_plate() { expect 0 "$cleave" run plate.yaml --output out --force "$@"; }
# warns TEXT...: the run has said each of these once, its summary has them, and there is nothing else.
warns() {
  local text
  for text in "$@"; do
    [ "$(grep -cF "warning: $text" stderr)" -eq 1 ] || fail "'$text' is not said once: $(cat stderr)"
    [ "$(grep -cF "    \"$text" out/summary.json)" -eq 1 ] || fail "'$text' is not once in the summary"
    grep -F "$text" stdout | grep -q warning || fail "'$text' is not on stdout"
  done
  [ "$(grep -c '^warning: ' stderr)" -eq $# ] || fail "not $# warnings: $(cat stderr)"
}

run_plate
warns
# Between what is allowed and what is not.
run_plate --set initial.strain.xx=0.02
warns
run_plate --set initial.strain.xx=0.08 --set boundary=
warns "strain: 8 % in element"
grep -q 'strain: .* at (0.0[0-9.e-]*, 0.0[0-9.e-]*) at step 0: the theory' stderr || fail "the strain has no place"
run_plate --set initial.velocity_gradient.xy=-6.0e4 --set initial.velocity_gradient.yx=6.0e4 --set boundary=
grep -q 'warning: rotation: ' stderr || fail "no warning of a rotation: $(cat stderr)"
# Assemblies round differently, which may decide between two elements of this symmetric plate.
warnings() { grep '^warning' stderr | sed 's/ in element .*) / /'; }
grep '^warning' stderr >one
warnings >without_places
spin="--set initial.velocity_gradient.xy=-6.0e4 --set initial.velocity_gradient.yx=6.0e4 --set boundary="
run_plate $spin --threads 3
diff one <(grep '^warning' stderr) >&2 || fail "other warnings on other threads"
run_plate $spin --set run.assembly=coloured
diff without_places <(warnings) >&2 || fail "other warnings with another assembly"
# A velocity at the start that `boundary` takes away: of a group as a whole, not of a body that flies against a wall.
run_plate --set 'initial=[{on: left, velocity: {x: 1, y: 1}}]'
warns 'initial velocity of `left` along x: it has no effect' 'initial velocity of `left` along y: it has no effect'
run_plate --set 'initial=[{on: left, velocity: {x: 1, y: 1}}]' --set 'boundary=[{on: left, fix: x}]'
warns 'initial velocity of `left` along x: it has no effect'
expect 0 "$cleave" check plate.yaml --set 'initial=[{on: left, velocity: {x: 1}}]'
grep -q '^warning: initial velocity of `left` along x' stdout || fail "check does not warn of a velocity without effect"
run_plate --set 'initial=[{on: left, velocity: {x: 1}}]' --set 'boundary=[{on: left, velocity: {x: 1}}]'
warns
run_plate --set 'initial.velocity={x: -1}'
warns
run_plate --set 'initial=[{on: right, velocity: {x: 1}}]'
warns
run_plate --set material.young_modulus=210 --set material.density=7850
warns "units: young_modulus 210 Pa with density 7850 kg/m^3"
run_plate --set material.young_modulus=210 --set material.density=1
warns
cohesive='cohesive.normal={strength: 30.0e6, energy: 1}'
run_plate --set "$cohesive"
warns "cohesive zone: it is " "intact: nothing broke: "
expect 0 "$cleave" check plate.yaml --set "$cohesive"
grep -q '^warning: cohesive zone: ' stdout || fail "check does not warn"
run_plate --set 'cohesive.normal={strength: 30.0e6, energy: 1.0e4}'
warns "intact: nothing broke: "
# Half the strength on facets across x.
half=(--set boundary= --set body_force= --set material.poisson_ratio=0 --set initial.strain.xx=5.0e-3)
run_plate "${half[@]}" --set 'cohesive.normal={strength: 30.0e6, energy: 1.0e4}' --set time.steps=0
warns "intact: nothing broke: the largest facet traction was 0.5 of its strength, at 0 s, in 1 frame"
run_plate "${half[@]}" --set 'cohesive={normal: {strength: 14.0e6, energy: 1.0e4}, insertion: {aggregate: max}}' --set output.history_every=1
! grep -q 'intact: ' stderr || fail "a body that broke is told to be intact"
run_plate "${half[@]}" --set 'cohesive.normal={strength: 30.0e6, energy: 1.0e4}' --set 'output.fields=[displacement]'
! grep -q 'intact: ' stderr || fail "a ratio is told without stresses in frames"
expect 0 "$cleave" run plate.yaml --output out --force --quiet --set "$cohesive"
[ ! -s stderr ] || fail "--quiet warns"
# Facets are short where the zone is: a tenth of 5 mm in a soft corner around a point with fine facets. All others are 1.25 mm
# long at most.
soft='young_modulus: 3.0e8, poisson_ratio: 0.3, density: 1200, plane: strain'
fine=(--set time.steps=200 --set "mesh.grading={at: [0, 0.005], size: 4.0e-5}" --set "mesh.regions={soft: {box: [0, 0.0046, 0.0004, 0.0054]}}")
two_materials="material=[{${soft/3.0e8/3.0e9}}, {on: soft, $soft}]"
tough='cohesive.normal={strength: 30.0e6, energy: 1545}'
run_plate "${fine[@]}" --set "$two_materials" --set "$tough"
warns "intact: "
expect 0 "$cleave" check plate.yaml --details "${fine[@]}" --set "$two_materials" --set "$tough"
grep -q 'cohesive-zone length 0.005 m, where facets are longest for it 0.00125 m' stdout || fail "another place: $(grep zone stdout)"
run_plate --set "material={$soft}" --set "$tough"
warns "cohesive zone: it is 0.4 facets long" "intact: "
# The same with a strong material whose zone is short where facets break at ten times less energy.
brittle="cohesive=[{normal: {strength: 30.0e6, energy: 1545}}, {on: soft, normal: {strength: 30.0e6, energy: 154.5}}]"
stiff="material={${soft/3.0e8/3.0e9}}"
run_plate "${fine[@]}" --set "$stiff" --set "$brittle"
warns "intact: "
run_plate --set "mesh.regions={soft: {box: [0, 0, 0.01, 0.0051]}}" --set "$stiff" --set "$brittle"
warns "cohesive zone: it is 0.4 facets long" "intact: "

# T3 that lock: those of plane strain that are nearly incompressible and lie in no crossed quads.
soft_t3=(--set mesh.element=T3 --set material.poisson_ratio=0.49)
run_plate "${soft_t3[@]}" --set mesh.pattern=delaunay
warns "locking: "
expect 0 "$cleave" check plate.yaml "${soft_t3[@]}" --set mesh.perturbation='{amplitude: 0.1}'
grep -q '^warning: locking: ' stdout || fail "check does not warn of locking"
run_plate "${soft_t3[@]}"
warns
for free in mesh.element=T6 material.plane=stress material.poisson_ratio=0.45; do
  run_plate "${soft_t3[@]}" --set mesh.pattern=delaunay --set $free
  warns
done

# Finite strains that ask for a smaller step than the one of the shape at the start.
finite=(--set material.law=neo_hookean --set kinematics=finite --set boundary= --set time.safety=0.95)
squeezed() { echo --set initial.strain.xx=-$1 --set initial.strain.yy=-$1; }
run_plate "${finite[@]}" $(squeezed 0.02)
warns
run_plate "${finite[@]}" $(squeezed 0.1) --set time.steps=10
warns "step: element"
grep -q 'step: element .* at (0.0[0-9.e-]*, 0.0[0-9.e-]*) has a critical step of .* s in its present shape at step 0, 0.9[0-9]* of the step used' stderr ||
  fail "the warning of the step lacks place or ratio: $(cat stderr)"
run_plate "${finite[@]}" $(squeezed 0.2) --set time.safety=0.5
warns

# A load that grows by 0.01 strengths in a step: with a check every 130 steps facets break at 1.3 times their strength.
pulled=(--set 'material.poisson_ratio=0' --set 'time={step: 2.0e-8, steps: 200}' --set initial.velocity_gradient.xx=5000
        --set 'boundary=[{on: left, velocity: {x: -25}}, {on: right, velocity: {x: 25}}]'
        --set 'cohesive={normal: {strength: 30.0e6, energy: 1.0e4}, insertion: {every: 130}}' --set output.history_every=1)
run_plate "${pulled[@]}"
warns "insertion: a facet carried 1.3 times its strength when it broke, at step 130 or before"
grep -q 'the load grows too much in the 130 steps between two checks.*set cohesive.insertion.every to 1$' stderr ||
  fail "no advice: $(cat stderr)"
grep -qE '"insertion_ratio": 1\.(3|2999|3000)' out/summary.json || fail "no ratio in the summary: $(grep insertion_ratio out/summary.json)"
run_plate "${pulled[@]}" --set cohesive.insertion.every=7
warns
# Whoever follows the advice hears no other: on this plate, and where a crack runs.
run_plate "${pulled[@]}" --set cohesive.insertion.every=1
warns
crack=(--set 'mesh={shape: rectangle, size: [0.1, 0.04], divisions: [70, 28], element: T3, pattern: delaunay, notch: {length: 0.05}, perturbation: {seed: 3}}'
       --set 'material={young_modulus: 32.0e9, poisson_ratio: 0.2, density: 2450, plane: stress}'
       --set 'cohesive.normal={strength: 4.0e6, energy: 4}' --set 'time={end: 60.0e-6}' --set body_force=
       --set 'curves={ramp: {table: [[0, 0], [10.0e-6, 1]]}}'
       --set 'boundary=[{on: top, pressure: -1.6e6, curve: ramp}, {on: bottom, pressure: -1.6e6, curve: ramp}]')
run_plate "${crack[@]}"
grep -q 'warning: insertion: .* set cohesive.insertion.every to 1$' stderr || fail "no advice: $(cat stderr)"
run_plate "${crack[@]}" --set cohesive.insertion.every=1
! grep -q 'warning: insertion' stderr || fail "followed advice is not enough: $(cat stderr)"
grep -qE '"insertion_ratio": 1\.[123]' out/summary.json || fail "no crack that jumps: $(grep insertion_ratio out/summary.json)"
# A body that starts at 1.3 and at 1.7 times its strength: no interval helps.
run_plate "${half[@]}" --set 'cohesive={normal: {strength: 11.6e6, energy: 1.0e4}, insertion: {aggregate: max, every: 1}}' --set time.steps=1
! grep -q 'insertion: ' stderr || fail "1.3 times the strength in a check of each step are told: $(cat stderr)"
run_plate "${half[@]}" --set 'cohesive={normal: {strength: 9.0e6, energy: 1.0e4}, insertion: {aggregate: max, every: 1}}' --set time.steps=1
grep -q 'warning: insertion: .*: the body starts above its strength or a load begins too suddenly: let it grow by a curve$' stderr ||
  fail "no advice where a check in every step is not enough: $(cat stderr)"

# Accounts with too small a stiffness_safety, and the same run by the advice.
ring="$root/configs/bursting_ring.yaml"
expect 0 "$cleave" run "$ring" --output out --force --set run.threads=1 --set output.fields_every=0 --set cohesive.stiffness_safety=0.005
grep -q 'warning: cohesive_account: .*; take a smaller time.step and leave cohesive.stiffness_safety out.*, and set cohesive.insertion.every to 1$' stderr ||
  fail "no advice on accounts: $(cat stderr)"
debt() { awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "cohesive_account") k = i }
                  NR > 1 && $k < least { least = $k } END { print -least }' out/history.csv; }
before=$(debt)
expect 0 "$cleave" run "$ring" --output out --force --set run.threads=1 --set output.fields_every=0 --set cohesive.insertion.every=1
! grep -q 'cohesive_account' stderr || fail "the account is not better: $(cat stderr)"
awk -v a="$before" -v b="$(debt)" 'BEGIN { exit !(b < 0.05 * a) }' || fail "debts $before and $(debt)"

# What was warned of before a run was stopped stays, and is not said again.
strained="--set initial.strain.xx=0.08 --set boundary= --set output.checkpoint_every=50"
expect 0 "$cleave" run plate.yaml --output out --force $strained
cp out/summary.json before.json
expect 0 "$cleave" run plate.yaml --output out --resume $strained
! grep -q '^warning' stderr || fail "a resumed run warns again"
diff <(grep -A2 '"warnings"' before.json) <(grep -A2 '"warnings"' out/summary.json) >&2 || fail "a resumed run forgets its warnings"

# Only an edited row makes the balance of a run miss.
expect 0 "$cleave" run plate.yaml --output out --force $strained
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "balance_error") k = i } NR == 3 { $k = "-2e-08" } { print }' out/history.csv >edited
cat edited >out/history.csv
rm out/checkpoint_000000100.bin
expect 0 "$cleave" run plate.yaml --output out --resume --force $strained
says "warning: balance_error: 2e-08 of the largest energy is missing or too much"

# An element that fails: where, when, what is around, why; a frame; exit code 3.
# fails OPTIONS...
fails() {
  rm -rf out
  expect 3 "$cleave" run plate.yaml --output out "$@"
  one_report
  for text in "the run failed at step " ", time " "  element " " at (0.0" "the check before, at step " "elements around it: " \
              "  likely: " "The results until then are in out; the last frame is the state"; do
    says "$text"
  done
  status_is out failed
  for key in failed_element centre last_good_step neighbours causes; do
    grep -q "\"$key\"" out/summary.json || fail "no $key in summary.json"
  done
  local frames
  frames=$(ls out/bulk_*.vtu | wc -l)
  [ "$(grep -c DataSet out/bulk.pvd)" -eq "$frames" ] && [ -s "out/cracks_$(printf %06d $((frames - 1))).vtu" ] ||
    fail "the frames of a failed run do not fit together"
  [ "$frames" -ge "${least_frames:-2}" ] || fail "no frame of the failed state"
}
for assembly in gather coloured; do
  fails --set run.assembly=$assembly --set 'boundary=[{on: left, fix: [x, y]}, {on: right, pressure: 9.0e9}]'
  says "likely: boundary.1: a pressure of 9e+09 Pa is 300 % of Young's modulus: check its unit"
done
# A row is looked at when the steps behind it are taken already: the frame has their state, and says so.
if [ "$on_ranks" = no ]; then
  ahead=(--set run.assembly=coloured --set output.fields_every=0 --set 'boundary=[{on: left, fix: [x, y]}, {on: right, pressure: 9.0e9}]')
  fails "${ahead[@]}" --set output.history_every=1
  last_frame() { sed -n 's/.*timestep="\([^"]*\)".*file="\(bulk_[^"]*\)".*/\1 \2/p' out/bulk.pvd | tail -1; }
  read -r time frame <<<"$(last_frame)"
  cp "out/$frame" ahead.vtu
  steps=$(awk -v t="$time" -v dt="$(sed -n 's/.*"step": \([^,]*\),.*/\1/p' out/summary.json)" 'BEGIN { printf "%.0f", t / dt }')
  least_frames=1 fails "${ahead[@]}" --set time.steps="$steps" --set output.history_every="$steps"
  read -r again frame <<<"$(last_frame)"
  [ "$again" = "$time" ] && cmp "out/$frame" ahead.vtu || fail "the frame of a failed run is not the state of its time, $time"
fi
fails --set 'boundary=[{on: left, fix: [x, y]}, {on: right, velocity: {x: -1.0e4}}]'
says "likely: boundary.1: 1e+04 m/s are "
fails --set initial.velocity_gradient.xx=-4.0e6
says "likely: initial.velocity_gradient: "
least_frames=1 fails --set initial.strain.xx=-1.2
says "at step 0"
says "likely: initial.strain: 120 % is no small strain"

least_frames=1 fails "${finite[@]}" $(squeezed 0.45)
says "the step of "
says "is unstable: in the present shape it may be "
says "likely: time.step: the critical step of the present shape was "

rm -rf out
expect 3 "$cleave" run plate.yaml --output out "${finite[@]}" $(squeezed 0.15) --set mesh.element=T3 --set time.steps=1000
says " of the largest energy have come from nothing (work_minus_energy): the step of "
says "warning: work_minus_energy: "
status_is out failed

# Ids are those of the mesh file, whatever the numbering.
expect 0 "$cleave" mesh plate.yaml -o plate.vtu --set mesh.numbering=as_given
fails --set mesh= --set mesh.file=plate.vtu --set 'boundary=[{on: left, fix: [x, y]}, {on: right, pressure: 9.0e9}]'
first=$(sed -n 's/^  element \([0-9]*\) at (\([^,]*\), \([^)]*\)).*/\1 \2 \3/p' stderr)
read -r element x y <<<"$first"
# Triangle 4 * (row * 8 + column) + k of an 8 x 8 grid of quads of 1.25 mm.
awk -v e="$element" -v x="$x" -v y="$y" 'BEGIN {
  quad = int(e / 4); exit !(int(x / 0.00125) == quad % 8 && int(y / 0.00125) == int(quad / 8)) }' ||
  fail "element $element does not lie at ($x, $y)"

finish
