#!/usr/bin/env bash
# A program with a process of a user's own, heat (docs/examples/own_kernel): the same bits on one thread, two and several
# ranks, and after a stop; its fields in frames, its column in history.csv; and what is wrong in a case.
#
# Usage: processes.sh PROGRAM_WITH_HEAT PROGRAM
source "$(dirname "$0")/support.sh"
plain=$2

cat >case.yaml <<'END'
mesh: {shape: rectangle, size: [0.02, 0.01], divisions: [24, 12], perturbation: {amplitude: 0.1, seed: 1}}
material: {law: j2, yield_stress: 20.0e6, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
cohesive: {law: linear, normal: {strength: 10.0e6, energy: 80}, friction: 0.3, insertion: {every: 5}}
time: {step: auto, safety: 0.3, steps: 600}
initial: {velocity_gradient: {xx: 3000, xy: 20000, yy: -20000}}
processes:
  - {law: heat, heat_capacity: 1000, conductivity: 0.2, share: 0.9}
output: {directory: out, fields_every: 300, history_every: 10, fields: [temperature_rise, heat, fragment]}
run: {backend: cpu}
END
same() { cmp "$1/history.csv" "$2/history.csv" && cmp "$1/fragments.csv" "$2/fragments.csv" || fail "$1 and $2 differ"; }
for precision in double $(! has_single case.yaml || echo single); do
  expect 0 "$cleave" run case.yaml --quiet --threads 1 --output $precision --set run.precision=$precision
  expect 0 "$cleave" run case.yaml --quiet --threads 2 --output ${precision}_2 --set run.precision=$precision
  same $precision ${precision}_2
done
# The heat is the share of what plastic flow and friction have dissipated until the step before. Rows are too far apart for that:
# the growth between two rows bounds the difference.
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
  { made = 0.9 * ($at["plastic_energy"] + $at["friction_energy"]); heat = $at["heat"]
    if (heat > made * (1 + 1e-9) || heat < before * (1 - 1e-9) - 1e-15) { print "step " $1 ": heat " heat ", made " before " to " made; bad = 1 }
    before = made; friction = $at["friction_energy"]; cracks = $at["cohesive_elements"] }
  END { if (!(made > 0 && friction > 0 && cracks > 10)) { print "too little happens"; bad = 1 } exit bad }' double/history.csv >&2 ||
  fail "the column heat is wrong"
[ "$(head -1 double/history.csv | awk -F, '{print $NF}')" = heat ] || fail "heat is not the last column"
for name in temperature_rise heat; do
  grep -aq "Name=\"$name\"" double/bulk_000001.vtu || fail "frames have no $name"
done
! grep -aq 'Name="heat_source"' double/bulk_000001.vtu || fail "frames have a field that is not for them"
grep -q '"temperature_rise"' double/summary.json || fail "there are no norms in the summary"
expect 0 "$cleave" run double/case.resolved.yaml --quiet --output again
same double again
# A body without the process moves alike.
expect 0 "$cleave" run case.yaml --quiet --output without --set 'processes=[]' --set 'output.fields=[fragment]'
cut -d, -f1-"$(head -1 without/history.csv | awk -F, '{print NF}')" double/history.csv | cmp - without/history.csv ||
  fail "the process changes the body"

expect 0 "$cleave" run case.yaml --quiet --output stopped --set output.checkpoint_every=100 --set time.steps=300
expect 0 "$cleave" run case.yaml --quiet --output stopped --set output.checkpoint_every=100 --resume
same double stopped
if ! "$cleave" info | grep -q '^MPI not built in' && command -v mpirun >/dev/null; then
  needs_mpi
  for n in 2 3; do
    expect 0 ranks $n run case.yaml --quiet --output ranks_$n
    same double ranks_$n
    cmp double/bulk_000002.vtu ranks_$n/bulk_000002.vtu || fail "frames of $n ranks differ"
  done
fi

# wrong SED TEXT: the changed case is refused with one report.
wrong() {
  sed "$1" case.yaml >wrong.yaml
  expect 2 "$cleave" check wrong.yaml
  says "$2"
  [ "$(grep -c 'wrong.yaml:[0-9]' stderr)" -eq 1 ] || fail "not one report: $(cat stderr)"
}
wrong 's/law: heat,/law: heart,/' 'wrong.yaml:7: processes.0.law: expected heat, found the text "heart"; did you mean "heat"?'
wrong 's/, conductivity: 0.2//' 'processes.0.conductivity: required key is missing'
wrong 's/share: 0.9/share: 1.9/' 'processes.0.share: must be in [0, 1], found 1.9'
wrong 's/share: 0.9/shore: 0.9/' 'processes.0.shore'
wrong 's/temperature_rise,/temperature_rose,/' 'temperature_rose'
wrong 's/conductivity: 0.2/conductivity: 2.0e6/; s/step: auto/step: 2.0e-8/' 'time.step: 2e-08 s is above the largest step of the process `heat`'
wrong 's/- {law: heat\(.*\)/- {law: heat\1\n  - {law: heat\1/' 'processes.1: there is a process `heat` before it'
wrong 's/law: j2, yield_stress: 20.0e6, //; s/, fields: [^]]*]//; s/backend: cpu/backend: cpu, assembly: coloured/; s/friction: 0.3, //' 'processes: it needs run.assembly: gather'
expect 2 "$plain" check case.yaml
says 'processes: this program has no processes of your own: build one that has them with scripts/build_law HEADER'
"$cleave" info --keys | grep -q 'processes.N.heat_capacity' || fail "the keys are not listed"
finish
