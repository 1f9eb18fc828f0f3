#!/usr/bin/env bash
# Runs of several ranks: the same files as of one, whatever the case.
# Usage: ranks.sh PROGRAM
source "$(dirname "$0")/support.sh"
needs_mpi
run() { "$cleave" run case.yaml --quiet "$@"; }

# same_as_one NAME RANKS ARGUMENTS...: the results of one rank, and those of each of the numbers of RANKS; the largest rotation
# is in the same element.
rotation() { grep -o '"rotation: [^"]*' "$1/summary.json"; }
same_as_one() {
  local name=$1 numbers=$2; shift 2
  expect 0 run --output "$name" "$@"
  for n in $numbers; do
    expect 0 ranks "$n" run case.yaml --quiet --output "${name}_$n" "$@"
    same_results "$name" "${name}_$n"
    grep -q "\"ranks\": $n" "${name}_$n/summary.json" || fail "ranks in the summary of ${name}_$n"
    [ "$(rotation "$name")" = "$(rotation "${name}_$n")" ] || fail "$(rotation "$name"), and of $n ranks $(rotation "${name}_$n")"
  done
}

# 1,024 triangles are 8 blocks, most of which each rank needs. They break into fragments. 4,096 are 32 blocks, of which ranks need a part.
in_parts=(--set "mesh.divisions=[32, 32]" --set time.steps=500)
sed -i 's/divisions: \[8, 8\]/divisions: [16, 16]/' case.yaml
sed -i 's/fields_every: 500/fields_every: 1000/; s/steps: 2000/steps: 1100/' case.yaml
same_as_one plain "1 2 3 4 8"
[ "$(tail -1 plain/history.csv | cut -d, -f16)" -gt 10 ] || fail "too few fragments: $(tail -1 plain/history.csv)"
same_as_one t3 "2 3 4" --set mesh.element=T3
same_as_one parts "2 8" "${in_parts[@]}" --set mesh.element=T3
same_as_one linear "2 3" --set cohesive.law=linear
same_as_one exponential "3" --set cohesive.law=exponential --set mesh.numbering=as_given
same_as_one halves "3 8" --set mesh.numbering=halves
same_as_one single "2" --set run.precision=single
same_as_one threads "2" --threads 2
# Facets under the same load, of which ids decide.
same_as_one ties "3 8" "${in_parts[@]}" --set cohesive.insertion.selection=local_maximum --set mesh.perturbation=
[[ $(rotation plain) == *degrees\ in\ element* ]] || fail "no rotation is reported of plain"

# A start from a file, in the order of the mesh as it is given, and frames in INRIA's formats.
expect 0 "$cleave" mesh case.yaml -o start.mesh
awk '/^Vertices/ { getline; n = $1; print "MeshVersionFormatted 2\nDimension 2\nSolAtVertices\n" n "\n1 2"
  for (i = 0; i < n; i++) { getline; printf "%.17g %.17g\n", 2.0e4 * ($1 - 0.005), 2.0e4 * ($2 - 0.005) } }' start.mesh >start.sol
same_as_one solution "2 3" --set initial= --set initial.file=start.sol --set "initial.fields=[velocity]" --set output.inria=meshb
[ "$(tail -1 solution/history.csv | cut -d, -f16)" -gt 10 ] && [ -s solution_3/bulk_000001.solb ] ||
  fail "too few fragments from a file: $(tail -1 solution/history.csv)"

# More facets break at once than ranks tell each other in a step.
many=(--set "mesh.divisions=[24, 24]" --set cohesive.insertion.every=60 --set time.steps=300 --set output.history_every=60
  --set initial.velocity_gradient.xx=6.0e4 --set initial.velocity_gradient.yy=6.0e4)
same_as_one many "3" "${many[@]}"
awk -F, 'NR > 1 && $13 - before > 1000 { found = 1 } { before = $13 } END { exit !found }' many/history.csv ||
  fail "too few facets break at once: $(cut -d, -f13 many/history.csv)"

# So many of one rank, or of some, while the others find none.
mv case.yaml square.yaml
for at in left:T3 right:T6 bottom:T6 top:T3 corner:T6 middle:T3 twice:T3 twice:T6; do
  place=${at%:*} element=${at#*:}
  one_sided_case $place $element >case.yaml
  same_as_one "$place$element" "2 3"
  [ "$(most_broken $place$element)" -gt 384 ] || fail "too few facets break at once: $place $element: $(most_broken $place$element)"
done
mv square.yaml case.yaml

# What acts on the body, and what is asked of it.
same_as_one pressure "3 8" "${in_parts[@]}" --set "boundary=[{on: left, pressure: 4.0e6}, {on: right, velocity: {x: 5}}, {on: bottom, fix: [y]}]" \
  --set "output.probes=[{name: near, at: [0.001, 0.001]}, {name: far, at: [0.009, 0.009], every: 7}]" \
  --set "output.lines=[{name: across, from: [0, 0.001], to: [0.01, 0.009], points: 20, every: 30}, {name: wall, on: top, points: 9, every: 7}]"
same_as_one finite "3" "${in_parts[@]}" --set kinematics=finite --set cohesive.friction=0.3 --set material.law=st_venant_kirchhoff --set "boundary=[{on: left, pressure: 4.0e6, follow: true}]"
same_as_one random "3 5" "${in_parts[@]}" --set cohesive.insertion.selection=local_maximum --set cohesive.friction=0.3 \
  --set "cohesive.normal.strength={weibull: {scale: 30.0e6, modulus: 6, reference_length: 1.0e-3, seed: 4}}" \
  --set "cohesive.rate={reference: 1.0e3, exponent: 0.1}" \
  --set "body_force={x: 2.0e4, y: -5.0e4}" --set "boundary=[{on: left, absorb: true}]" --set "damping={rate: 1.0e4, until: 5.0e-5}" \
  --set "material.artificial_viscosity={linear: 0.06, quadratic: 1.2}" --set "support=[{on: bottom, stiffness: 1.0e13}]"
springs=(--set kinematics=finite --set material.law=neo_hookean --set material.plane=strain
  --set "initial.strain={yy: 1.0e-3}" --set "boundary=[{on: left, fix: [x]}]" --set "support=[{on: bottom, stiffness: 1.0e13}]")
# Later its fragments, which fly through each other, turn elements inside out with some seeds of the mesh.
same_as_one supported "3" "${springs[@]}" --set time.steps=600
# Pressure that enters cracks, across the parts of several ranks; saved by three and gone on with by two.
gas=(--set "boundary=[{on: left, pressure: 4.0e6, in_cracks: true}, {on: top, pressure: 2.0e6, in_cracks: true}]")
same_as_one gas "2 4" "${gas[@]}"
turning=(--set kinematics=finite --set material.law=neo_hookean --set material.plane=strain)
same_as_one turning_gas "3" "${gas[@]}" "${turning[@]}"
no_gas=(--set "boundary=[{on: left, pressure: 4.0e6}, {on: top, pressure: 2.0e6}]")
expect 0 run --output no_gas "${no_gas[@]}"
! cmp -s gas/history.csv no_gas/history.csv || fail "no pressure enters cracks"
expect 0 run --output turning_no_gas "${no_gas[@]}" "${turning[@]}"
! cmp -s turning_gas/history.csv turning_no_gas/history.csv || fail "no pressure enters cracks that turn"
expect 2 ranks 2 run case.yaml --quiet --output thin "${gas[@]}" "${turning[@]}" --set material.law=st_venant_kirchhoff --set material.plane=stress
says 'boundary.0.in_cracks: in plane stress with finite kinematics it works on one rank'
# Only an interface breaks.
same_as_one interface "3" --set "mesh.regions={below: {box: [0, 0, 0.01, 0.005]}, above: {box: [0, 0.005, 0.01, 0.01]}}" \
  --set "cohesive=[{between: [below, above], normal: {strength: 10.0e6, energy: 20}, insertion: {every: 5}}]"
tail -1 interface/history.csv | awk -F, '$13 == 0 { exit 1 }' || fail "the interface holds"
same_as_one single_interface "3" --set "mesh.regions={below: {box: [0, 0, 0.01, 0.005]}, above: {box: [0, 0.005, 0.01, 0.01]}}" \
  --set "cohesive=[{between: [below, above], normal: {strength: 10.0e6, energy: 20}, insertion: {every: 5}}]" \
  --set run.precision=single
expect 0 ranks 3 run case.yaml --quiet --output gas_saved "${gas[@]}" --set output.checkpoint_every=400
rm gas_saved/checkpoint_000000800.bin
for n in 2 3; do
  cp -r gas_saved gas_saved_$n
  expect 0 ranks $n run case.yaml --quiet --output gas_saved_$n "${gas[@]}" --set output.checkpoint_every=400 --resume
  same_results gas gas_saved_$n
done
same_as_one materials "2 4" --set "mesh.regions={inner: {box: [0.003, 0.003, 0.007, 0.007]}}" \
  --set "material=[{law: linear_elastic, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain},
                   {on: inner, law: j2, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain,
                    yield_stress: 10.0e6, hardening: {linear: 1.0e8}, erosion: {plastic_strain: 0.005}}]" \
  --set "output.fields=[all, plastic_strain]" --set initial.velocity_gradient.xx=8.0e3 --set initial.velocity_gradient.yy=8.0e3 --set time.steps=800
# The states of a law end with its last element: here before those of the elastic square.
same_as_one last_law "2 3" --set "mesh.regions={inner: {box: [0.003, 0.003, 0.007, 0.007]}}" \
  --set "material=[{law: j2, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain,
                    yield_stress: 10.0e6, hardening: {linear: 1.0e8}},
                   {on: inner, law: linear_elastic, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain}]" \
  --set "output.fields=[all, plastic_strain]" --set initial.velocity_gradient.xx=8.0e3 --set time.steps=400

# Facets between a stiff square and a soft body, judged by nodes that several ranks have.
stiff=(--set "mesh.regions={inner: {box: [0.003, 0.003, 0.007, 0.007]}}"
  --set "material=[{young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain},
                   {on: inner, young_modulus: 3.0e10, poisson_ratio: 0.2, density: 12000, plane: strain}]")
same_as_one stiff "1 2 4" "${stiff[@]}"
same_as_one stiff_t3 "2" "${stiff[@]}" --set mesh.element=T3 --set cohesive.insertion.aggregate=max
for name in stiff stiff_t3; do
  tail -1 $name/history.csv | awk -F, '$13 < 50 { exit 1 }' || fail "too few facets of $name break: $(tail -1 $name/history.csv)"
done
expect 0 ranks 2 run case.yaml --quiet --output stiff_saved "${stiff[@]}" --set output.checkpoint_every=400
rm stiff_saved/checkpoint_000000800.bin
expect 0 ranks 3 run case.yaml --quiet --output stiff_saved "${stiff[@]}" --set output.checkpoint_every=400 --resume
same_results stiff stiff_saved

# Saved by three, gone on with by two, by one, and by four.
expect 0 ranks 3 run case.yaml --quiet --output saved --set output.checkpoint_every=400
cmp plain/history.csv saved/history.csv || fail "history of three ranks that save checkpoints"
mkdir alone
(cd alone && "$cleave" run ../case.yaml --quiet --output saved --set output.checkpoint_every=400)
cmp alone/saved/checkpoint_000000800.bin saved/checkpoint_000000800.bin || fail "a checkpoint of three ranks"
rm saved/checkpoint_000000800.bin
for n in 2 4; do
  cp -r saved "saved_$n"
  expect 0 ranks $n run case.yaml --quiet --output "saved_$n" --set output.checkpoint_every=400 --resume
  same_results plain "saved_$n"
done
expect 0 run --output saved --set output.checkpoint_every=400 --resume
same_results plain saved

# What each rank would do, said once: parts, nodes between them, bytes. A check tells 3 reals a corner where a step tells 2, what it
# has found, and with a rate how elements move.
ranks 3 check case.yaml >stdout 2>stderr || fail "check on three ranks: $(cat stderr)"
for line in "ranks 3" "  8 blocks of 128 triangles; of 2,113 nodes 129 lie between blocks, 112 between ranks" \
            "  balance: the largest part has 1.125 times the mean number of triangles"; do
  [ "$(grep -cFx -- "$line" stdout)" -eq 1 ] || fail "check does not say once '$line': $(cat stdout)"
done
[ "$(grep -c '^  rank [012]: about .*, .* triangles, [12] neighbours, sends .* in a step, .* in a check$' stdout)" -eq 3 ] ||
  fail "check says of ranks: $(cat stdout)"
# all_send ARGUMENTS...: KiB in a step, in a check.
all_send() { ranks 2 check case.yaml "$@" 2>/dev/null | sed -n 's/^  all send \(.*\) KiB in a step, \(.*\) KiB in a check$/\1 \2/p'; }
read -r step check <<<"$(all_send)"
awk -v s="$step" -v c="$check" 'BEGIN { d = c - (1.5 * s + 2 * 12320 / 1024); exit !(d * d < 0.04) }' || fail "bytes: $step, $check"
read -r single_step single_check <<<"$(all_send --set run.precision=single)"
awk -v s="$step" -v h="$single_step" 'BEGIN { d = s - 2 * h; exit !(d * d < 0.04) }' || fail "bytes: $step, single $single_step"
read -r rate_step rate_check <<<"$(all_send --set "cohesive.rate={reference: 1.0e3, exponent: 0.1}")"
awk -v c="$check" -v r="$rate_check" 'BEGIN { exit !(r > c + 1) }' || fail "bytes of a check with a rate: $rate_check"
# Fragments touch each other and obstacles, of which one is free: whatever rank they belong to. Saved by three, gone on with by two.
touching=(--set contact.friction=0.4
  --set initial.velocity_gradient.xx=6.0e3 --set initial.velocity_gradient.yy=6.0e3
  --set "obstacles=[{name: floor, plane: {point: [0, 1.0e-5], normal: [0, 1]}, friction: 0.3},
                    {name: lid, plane: {point: [0, 0.0101], normal: [0, -1]}, velocity: {y: -5}},
                    {name: ball, disc: {centre: [0.0125, 0.005], radius: 0.002}, velocity: {x: -20}, mass: 1.5e-2, friction: 0.2}]")
same_as_one touching "2" "${touching[@]}"  # of three: below
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
         END { exit !($at["contact_points"] > 100 && $at["contact_friction_energy"] > 0 && $at["ball_angle"] != 0) }' touching/history.csv ||
  fail "nothing touches: $(tail -1 touching/history.csv)"
same_as_one touching_finite "3" "${touching[@]}" --set kinematics=finite --set material.law=neo_hookean --set material.plane=strain \
  --set cohesive.friction=0.3 --set time.steps=400
same_as_one touching_single "2" "${touching[@]}" --set run.precision=single --set time.steps=500
for name in touching_finite touching_single; do
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } END { exit !($at["contact_points"] > 100) }' $name/history.csv ||
    fail "little touches: $(tail -1 $name/history.csv)"
done
same_as_one obstacles "3" "${touching[@]}" --set contact=none --set mesh.element=T3
touching+=(--set output.checkpoint_every=350)
expect 0 ranks 3 run case.yaml --quiet --output touching_saved "${touching[@]}"
same_results touching touching_saved
(cd alone && "$cleave" run ../case.yaml --quiet --output touching_saved "${touching[@]}")
cmp alone/touching_saved/checkpoint_000000700.bin touching_saved/checkpoint_000000700.bin || fail "a checkpoint of three ranks in contact"
rm touching_saved/checkpoint_000001050.bin
expect 0 ranks 2 run case.yaml --quiet --output touching_saved "${touching[@]}" --resume
same_results touching touching_saved

# Triangles erode beside those of other ranks: facets towards them are free, whenever somebody looks.
mv case.yaml plain.yaml
eroding_case >case.yaml
same_as_one erosion "2 3 4"
same_as_one erosion_seen "2 3" --set output.fields_every=1
same_as_one erosion_unseen "2 3" --set output.history_every=1000
for name in erosion_seen erosion_unseen; do
  [ "$(tail -1 erosion/history.csv)" = "$(tail -1 $name/history.csv)" ] || fail "$name ends otherwise"
done
same_as_one erosion_t6 "3" --set mesh.element=T6
mv plain.yaml case.yaml

# A launcher that leaves a rank one processor of several.
if [ "$(nproc)" -gt 1 ]; then
  for to in hwthread none; do
    expect 0 timeout 60 mpirun -n 1 --bind-to $to "$cleave" run case.yaml --output bound --set time.steps=10
    [ "$(grep -c "binding: the launcher lets a rank use 1 of $(nproc) processors" stderr)" = $([ $to = hwthread ] && echo 1 || echo 0) ] ||
      fail "what is said of a rank bound to $to: $(cat stderr)"
  done
fi

finish
