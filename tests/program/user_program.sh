#!/usr/bin/env bash
# A program that was built with the laws of two examples by their paths alone: it runs them, with the same bits for one thread
# and two and after a stop, and checks their keys as ours. Building one takes minutes: scripts/sanitize thread has such a program.
#
# Usage: user_program.sh PROGRAM
source "$(dirname "$0")/support.sh"

cat >case.yaml <<'END'
mesh: {shape: rectangle, size: [0.02, 0.01], divisions: [12, 6], perturbation: {amplitude: 0.1, seed: 1}}
material:
  {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200,
   law: damage, damage_start: 1.0e4, damage_end: 2.0e5}
cohesive:
  {normal: {strength: 10.0e6, energy: 80}, insertion: {every: 5},
   law: rate_exponential, rate_factor: 0.05, reference_speed: 1.0e-3}
time: {step: auto, safety: 0.3, steps: 300}
initial: {velocity_gradient: {xx: 20000, yy: 500}}
output: {directory: out, fields_every: 100, fields: [displacement, bulk_damage], history_every: 10}
run: {backend: cpu}
END
sed '/law: damage/d; s/density: 1200,/density: 1200}/; s/, fields: [^]]*]//' case.yaml >elastic.yaml
sed 's/law: rate_exponential.*/law: exponential}/' elastic.yaml >ours.yaml
# last COLUMN DIRECTORY: of the last row of its history.
last() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) at = i } END { print $at }' "$2/history.csv"; }
# is CONDITION: of numbers, as awk reads it.
is() { awk "BEGIN { exit !($1) }" || fail "not so: $1"; }
# differs A B BY: whether two numbers differ by more than that part of the second, as awk reads it.
differs() { echo "(($1) / ($2) - 1) ^ 2 > ($3) ^ 2"; }
# both NAME CASE OPTIONS...: runs it on one thread and on two.
both() {
  local name=$1 file=$2; shift 2
  expect 0 "$cleave" run "$file" --quiet --threads 1 --output "$name" "$@"
  expect 0 "$cleave" run "$file" --quiet --threads 2 --output "${name}_2" "$@"
  same_results "$name" "${name}_2"
}

# Material and traction law at once; what the material dissipates has a column of the ledger.
for precision in double $(! has_single case.yaml || echo single); do
  both $precision case.yaml --set run.precision=$precision
  is "$(last cohesive_elements $precision) > 10"
  is "$(last plastic_energy $precision) > 0.01 * $(last dissipated_energy $precision)"
done
is "($(last balance_error double)) ^ 2 < 1e-24"
# The traction law with both assemblies, which differ by rounding; ours dissipates another energy.
for assembly in gather coloured; do both $assembly elastic.yaml --set run.assembly=$assembly; done
is "$(last cohesive_elements gather) > 10 && $(last failed_elements gather) > 0"
is "$(last cohesive_elements gather) == $(last cohesive_elements coloured)"
is "!($(differs "$(last dissipated_energy gather)" "$(last dissipated_energy coloured)" 1e-9))"
expect 0 "$cleave" run ours.yaml --quiet --output ours
is "$(differs "$(last dissipated_energy gather)" "$(last dissipated_energy ours)" 1e-3)"
# A table of the case file: that of `linear` gives what `linear` does, but for rounding; another one, and its stretch, another energy.
sed 's/law: rate_exponential.*/law: tabulated, softening: {table: [[0, 1], [2, 0]]}}/' elastic.yaml >table.yaml
for assembly in gather coloured; do both table_$assembly table.yaml --set run.assembly=$assembly; done
expect 0 "$cleave" run table.yaml --quiet --output linear --set cohesive='{law: linear, normal: {strength: 10.0e6, energy: 80}, insertion: {every: 5}}'
expect 0 "$cleave" run table.yaml --quiet --output concrete --set cohesive.softening.table='[[0, 1], [0.8, 0.3333], [3.6, 0]]'
expect 0 "$cleave" run table.yaml --quiet --output stretched --set cohesive.softening.table='[[0, 1], [1.6, 0.3333], [7.2, 0]]'
# Many rows on that line.
expect 0 "$cleave" run table.yaml --quiet --output table_many --set cohesive.softening.table="[$(seq 0 200 | awk '{printf "%s[%g, %g]", (NR > 1 ? ", " : ""), $1 / 100, 1 - $1 / 200}')]"
is "$(last cohesive_elements linear) > 10"
for other in table_coloured table_many linear; do
  is "!($(differs "$(last dissipated_energy table_gather)" "$(last dissipated_energy $other)" 1e-9))"
done
is "$(differs "$(last dissipated_energy concrete)" "$(last dissipated_energy linear)" 1e-2)"
is "!($(differs "$(last dissipated_energy concrete)" "$(last dissipated_energy stretched)" 1e-9))"
# What a run has resolved gives the same again.
expect 0 "$cleave" run concrete/case.resolved.yaml --quiet --output again
cmp concrete/history.csv again/history.csv || fail "the resolved case gives another history"

# States of users are in checkpoints.
expect 0 "$cleave" run case.yaml --quiet --output resumed --set output.checkpoint_every=100 --set time.steps=200
expect 0 "$cleave" run case.yaml --quiet --output resumed --set output.checkpoint_every=100 --resume
cmp double/history.csv resumed/history.csv || fail "a resumed run has another history"

# wrong SED TEXT...: a case that it changes is refused by one report, which says these.
wrong() {
  sed "$1" "${case:-case.yaml}" >wrong.yaml; shift
  expect 2 "$cleave" check wrong.yaml
  local text; for text in "$@"; do says "$text"; done
  [ "$(grep -c 'wrong.yaml:[0-9]' stderr)" -eq 1 ] || fail "not one report: $(cat stderr)"
}
wrong 's/, damage_end: 2.0e5//' 'wrong.yaml:2: material.damage_end: required key is missing'
wrong 's/damage_end:/damage_start_:/; s/damage_start:/damage_end: 2.0e5, damage_start:/' 'wrong.yaml:4: material.damage_start_'
wrong 's/damage_start: 1.0e4/damage_start: -1/' 'wrong.yaml:4: material.damage_start' '-1'
wrong 's/rate_factor: 0.05/rate_factor: fast/' 'wrong.yaml:7: cohesive.rate_factor' 'a number'
wrong 's/law: damage, damage_start: 1.0e4, //' 'wrong.yaml:4: material.damage_end' 'only the law `damage` has it'

# Forces on a body that breaks: a magnet on a group beside a bed under all. The same bits on two threads, and after a stop.
sed 's/law: damage, damage_start: 1.0e4, damage_end: 2.0e5/law: linear_elastic/; s/, bulk_damage//' case.yaml >forces.yaml
cat >>forces.yaml <<'END'
forces:
  - {law: spring_bed, squared_frequency: 1.0e9, drag: 2.0e3}
  - {law: magnet, on: right, x: 0.03, y: 0, strength: 2.0e3, gap: 5.0e-3, rise: 2.0e-6}
END
both forces forces.yaml
is "$(last cohesive_elements forces) > 10 && ($(last balance_error forces)) ^ 2 < 1e-24"
expect 0 "$cleave" run forces.yaml --quiet --output without --set 'forces=[]'
is "$(differs "$(last kinetic_energy forces)" "$(last kinetic_energy without)" 1e-3)"
expect 0 "$cleave" run forces.yaml --quiet --output stopped --set output.checkpoint_every=100 --set time.steps=200
expect 0 "$cleave" run forces.yaml --quiet --output stopped --set output.checkpoint_every=100 --resume
cmp forces/history.csv stopped/history.csv || fail "a resumed run with forces has another history"
expect 0 "$cleave" run forces/case.resolved.yaml --quiet --output again_forces
cmp forces/history.csv again_forces/history.csv || fail "the resolved case gives another history"
case=forces.yaml
wrong 's/law: magnet/law: magnets/' 'forces.1.law: expected one of spring_bed, magnet' 'did you mean "magnet"'
wrong 's/, gap: 5.0e-3//' 'forces.1.gap: required key is missing'
wrong 's/drag: 2.0e3/gap: 2.0e3/' 'forces.0.gap: only the law `magnet` has it'
wrong 's/on: right/on: rigth/' 'forces.1.on' 'did you mean "right"'
wrong 's/backend: cpu/backend: cpu, assembly: coloured/; s/law: rate_exponential.*/law: exponential}/' 'forces: it needs run.assembly: gather'

case=table.yaml
wrong 's/, softening: {.*}}/}/' 'wrong.yaml:4: cohesive.softening: required key is missing'
wrong 's/\[2, 0\]/[0, 0]/' 'wrong.yaml:6: cohesive.softening.table.1: the first column must increase, found 0 after 0'
wrong 's/\[2, 0\]/[2, -0.1]/' 'wrong.yaml:6: cohesive.softening.table.1.1: must be in [0, 1], found -0.1'
wrong 's/\[\[0, 1\], \[2, 0\]\]/[]/' 'wrong.yaml:6: cohesive.softening.table: expected at least one row'
wrong 's/\[2, 0\]/[2]/' 'wrong.yaml:6: cohesive.softening.table.1: expected a list of 2 numbers'
wrong 's/law: tabulated/law: linear/' 'wrong.yaml:6: cohesive.softening: only the law `tabulated` has it'

finish
