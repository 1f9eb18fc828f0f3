#!/usr/bin/env bash
# `cleave check` first says what a person asks before a run, and warns of what is valid and hardly meant.
# Usage: check.sh PROGRAM
source "$(dirname "$0")/support.sh"

# has TEXT: a line of stdout matches it.
has() { grep -qE -- "$1" stdout || fail "check does not say '$1': $(cat stdout)"; }
# warns KIND TEXT: check and run say it once; no_warning: check says none.
warns() {
  [ "$(grep -cE "^warning: $1: .*$2" stdout)" -eq 1 ] || fail "'$2' is not said once by a warning of kind $1: $(cat stdout)"
}
no_warning() { ! grep '^warning' stdout >&2 || fail "check warns of $*"; }

cat >plate.yaml <<'YAML'
mesh: {shape: rectangle, size: [0.1, 0.02], divisions: [50, 10], element: T6}
material: {young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850}
cohesive: {normal: {strength: 850.0e6, energy: 30.0e3}}
time: {step: auto, end: 60.0e-6}
boundary:
  - {on: left, fix: [x, y]}
  - {on: right, velocity: {x: 1.0}}
run: {backend: cpu, threads: 2}
YAML
plate() { expect 0 "$cleave" check plate.yaml "$@"; }

plate
no_warning "a sound case"
has '^body  *0.1 x 0.02 m, 0.001 m thick, from \(0, 0\)$'
has '^mesh  *2,000 T6, 4,121 nodes, facets of 0.00141 to 0.002 m$'
has '^material  *linear_elastic in plane strain: waves travel at 6001 m/s, shear waves at 3207.7 m/s$'
has '^cohesive  *ppr, zone of 0.00847 m, 4.2 facets long: resolved by the mesh$'
has '^loads  *left held along x and y$'
has '^  *right driven at 1 m/s along x$'
has '^step  *[0-9.]*e-08 s, 0.500 of the critical one, set by element [0-9]* at \(0.0[0-9]*, 0.0[0-9]*\); the median element would allow no more$'
has '^steps  *[0-9,]*, until 6.00[0-9]*e-05 s, in which waves cross the body 3.6 times$'
has '^wall time  *.* on 2 threads if nothing breaks, .* if every facet does, without output \(an estimate from [0-9.]* and [0-9.]* million element-steps/s, measured with 1,936 elements at rest\)$'
has '^memory  *[0-9.]* [KM]iB for the intact mesh$'
has '^results  *[0-9]* frames of about [0-9.]* .*, [0-9,]* rows of history, in '
has '^  right: facets 10, nodes 21, triangles 0$'
[ "$(wc -l <stdout)" -le 20 ] || fail "check says more than fits on a screen"
for detail in coalesced 'Euler characteristic' 'contact stiffness' 'largest stable step'; do
  ! grep -q "$detail" stdout || fail "check says '$detail' without --details"
done
plate --details
for detail in coalesced 'Euler characteristic' 'contact stiffness' 'largest stable step' 'checkpoints'; do has "$detail"; done
has '^body '
plate --set cohesive.normal.energy=2.0e3
has '^cohesive  *ppr, zone of 0.000564 m, 0.28 facets long: NOT resolved by the mesh, facets of 0.00019 m would resolve it$'
plate --set cohesive=
has '^cohesive  *none: nothing breaks$'

# The estimate is right to an order of magnitude.
plate --set time.end=3.0e-3 --set cohesive=
seconds=$(sed -n 's/^wall time  *about \([0-9.]*\) s on .*/\1/p' stdout)
expect 0 "$cleave" run plate.yaml --quiet --output out --set time.end=3.0e-3 --set cohesive=
took=$(sed -n 's/.*"wall_time[a-z_]*": \([0-9.e+-]*\).*/\1/p' out/summary.json | head -1)
awk -v e="$seconds" -v t="$took" 'BEGIN { exit !(e > 0.1 * t && e < 10 * t) }' ||
  fail "check estimates '$seconds' s of a run that took '$took' s"

# Other units.
plate --set material.density=7.85e-9 --set material.young_modulus=210.0e3 --set time.end=6.0e-8
warns units 'waves travel at 6e\+06 m/s, faster than in any solid: young_modulus is in Pa and density in kg/m\^3'
plate --set mesh.size=[100,20]
warns end 'waves travel 0.38 m until the end at 6.35e-05 s, 1.9 % of the body of 100 x 20 m: lengths are in m, times in s'
plate --set time.end=60
warns end 'waves cross the body 3.6e\+06 times until the end at 60 s, in [0-9.]*e\+0[89] steps: times are in s, so that 60 microseconds are 60.0e-6'
# A run says it, too.
expect 0 "$cleave" run plate.yaml --output out --force --set mesh.size=[100,20] --set 'time={steps: 5}'
grep -q '^warning: end: waves travel' stderr || fail "a run does not warn of its end: $(cat stderr)"

# A strength in MPa; an energy a million times too large: zones that no body has.
plate --set cohesive.normal.strength=850
warns strength '850 Pa is 4e-09 of young_modulus, and no solid breaks at so small a strain: strengths are in Pa'
has '^cohesive  *ppr, zone of 8.47e\+09 m, 4.2e\+12 facets long: longer than the body$'
[ "$(grep -c '^warning' stdout)" -eq 1 ] || fail "more than one warning of one mistake: $(cat stdout)"
plate --set cohesive.normal.energy=30.0e9
warns 'cohesive zone' 'it is 8.5e\+03 m long, 8.5e\+04 times the body: facets pull until they are open by about 71 m; check strength'
plate --set cohesive.normal.energy=30.0e4
no_warning "a zone of 0.8 bodies"

# A mesh file in millimetres, until its unit is told.
expect 0 "$cleave" mesh plate.yaml --set mesh.size=[100,20] -o mm.msh
in_mm() { plate --set time.end=0.01 --set cohesive= --set "mesh={file: mm.msh${1-}}"; }
in_mm
warns mesh.scale 'the body is 100 x 20 m: if its file is in mm, add scale: 1.0e-3 to mesh; scale: 1 says that it is in m'
in_mm ', scale: 1'
no_warning "metres that the case tells"
in_mm ', scale: 1.0e-3'
no_warning "millimetres that the case tells"

# What acts on the body, and what does not.
plate --set 'initial=[{strain: {xx: 1.0e-4}}, {on: right, velocity: {y: 2}}]' --set body_force.y=-9.81 --set damping.rate=100 \
  --set 'support=[{on: bottom, stiffness: 1.0e9}]' --set 'curves={shot: {exponential: 1.0e-6}}' \
  --set 'boundary=[{on: left, fix: [x, y]}, {on: top, pressure: 1.0e6, curve: shot}, {on: top, traction: {x: 2.0e6}}, {on: right, absorb: true}]'
for text in 'loads      initial strain: xx 0.0001, yy 0, xy 0' '           initial velocity of right: \(0, 2\) m/s' \
  '           left held along x and y' '           pressure of 1e\+06 Pa on top, curve shot' \
  '           traction of \(2e\+06, 0\) Pa on top' '           right absorbs waves' \
  '           body force of \(0, -9.81\) m/s\^2' '           damping at 100 1/s' '           springs of 1e\+09 Pa/m on bottom'; do
  has "^$text\$"
done
in_order='{on: left, fix: [x, y]}, {on: right, velocity: {x: 1}}'
plate --set "boundary=[$in_order, {on: left, velocity: {x: -1}}]"
warns 'plate.yaml: boundary.0' 'it has no effect along x: of several entries for a node the last one counts, here plate.yaml: boundary.2$'
plate --set "boundary=[$in_order, {on: outside, velocity: {x: -1, y: 1}}]"
warns 'plate.yaml: boundary.0' 'it has no effect along x and y: .* plate.yaml: boundary.2$'
warns 'plate.yaml: boundary.1' 'it has no effect along x: .* plate.yaml: boundary.2$'
plate --set "boundary=[$in_order, {on: right, pressure: 1.0e6}, {on: left, traction: {y: 1.0e6}}]"
warns 'plate.yaml: boundary.2' 'it has no effect: all nodes on which it acts are held or driven in its direction by plate.yaml: boundary.1$'
warns 'plate.yaml: boundary.3' 'it has no effect: all nodes .* by plate.yaml: boundary.0$'
sed 's/{on: right, velocity: {x: 1.0}}/{on: right, velocity: {x: 1.0}}\n  - {on: left, velocity: {y: 1.0}}/' plate.yaml >twice.yaml
expect 0 "$cleave" check twice.yaml
warns 'twice.yaml:6: boundary.0' 'it has no effect along y: .* here twice.yaml:8: boundary.2$'
# An entry of which something is left, one that says the same again, and loads across the held direction.
for rest in '{on: outside, velocity: {x: 1}}, {on: left, fix: x}, {on: right, fix: x}' "$in_order, {on: left, fix: x}" \
  "$in_order, {on: right, traction: {x: 1, y: 1}}, {on: top, pressure: 1}"; do
  plate --set "boundary=[$rest]"
  no_warning "$rest"
done

# No load.
plate --set boundary=[]
warns load 'nothing loads the body, which stays at rest'
plate --set 'boundary=[{on: left, fix: [x, y]}, {on: right, pressure: 0}]'
warns load 'nothing loads the body'
for load in 'boundary=[{on: right, pressure: -1.0e6}]' body_force.y=-9.81 initial.strain.xx=1.0e-4 initial.velocity.y=1; do
  plate --set boundary=[] --set "$load"
  no_warning "$load"
done

# A file of two plates that lie side by side, and one whose corner node was moved onto a facet, nearly.
cat >two.msh <<'MSH'
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
8
1 0 0 0
2 0.01 0 0
3 0.01 0.01 0
4 0 0.01 0
5 0.0101 0 0
6 0.02 0 0
7 0.02 0.01 0
8 0.0101 0.01 0
$EndNodes
$Elements
4
1 2 2 0 1 1 2 3
2 2 2 0 1 1 3 4
3 2 2 0 2 5 6 7
4 2 2 0 2 5 7 8
$EndElements
MSH
plate --set 'mesh={file: two.msh}' --set boundary=[] --set body_force.x=1 --set cohesive=
warns parts 'the mesh has 2 parts that no facet joins, of element [12] at \(.*\) and element [34] at \(.*\): they neither hold nor stop each other; join them in the mesh if they are one body, or add .contact: '
# A run warns of them only when they lie in each other.
meets() { # meets SPEED: the left plate moves to the right
  expect 0 "$cleave" run plate.yaml --output met --force --set "mesh={file: two.msh, regions: {moving: {box: [0, 0, 0.01, 0.01]}}}" \
    --set boundary=[] --set "initial=[{on: moving, velocity: {x: $1}}]" --set cohesive= --set "output={fields_every: 5}"
}
meets 50
grep -qE '^warning: overlap: fragments or parts lie in each other at \(0.01[0-9]*, (0|0.01|-?[0-9.e-]*)\) in the frame at [0-9.e-]* s: without .contact., only the two faces' stderr ||
  fail "an overlap is not told: $(grep warning stderr)"
meets 1
! grep -q 'overlap' stderr || fail "an overlap is told of plates that do not meet: $(grep warning stderr)"
expect 0 "$cleave" mesh plate.yaml --set mesh.element=T3 -o plate.msh --format msh22-ascii
awk '/^\$Nodes/ { nodes = 1 } /^\$EndNodes/ { nodes = 0 }
     nodes && $2 == 0.05 && $3 == 0.01 { $2 = 0.0515 - 4e-6; $3 = 0.0105 - 4e-6 }
     { print }' plate.msh >sliver.msh
! cmp -s plate.msh sliver.msh || fail "no node was moved"
plate --set 'mesh={file: sliver.msh}'
warns sliver 'element [0-9]* at \(0.05[0-9]*, 0.01[0-9]*\) makes the step [0-9.e+]* times smaller than the median element would'
has '^step .*; the median element would allow [0-9.e+]* times as much$'
finish
