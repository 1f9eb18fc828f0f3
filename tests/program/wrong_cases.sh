#!/usr/bin/env bash
# Wrong case files and meshes, as users make them: `check` and `run` must both end with exit code 2 and exactly one
# report that names the file, the line and the key (or the element and its nodes), print nothing else and leave no file.
# Usage: wrong_cases.sh PROGRAM
source "$(dirname "$0")/support.sh"
touch stdout stderr  # what `expect` writes is no file of the program
cases=0

# A plate of two triangles, whose lines the messages below count from 1.
cat >plate.msh <<'MSH'
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "left"
1 2 "right"
2 3 "body"
$EndPhysicalNames
$Nodes
4
11 0 0 0
12 0.01 0 0
13 0.01 0.01 0
14 0 0.01 0
$EndNodes
$Elements
4
101 1 2 1 1 14 11
102 1 2 2 2 12 13
103 2 2 3 1 11 12 13
104 2 2 3 1 11 13 14
$EndElements
MSH
cat >case.yaml <<'YAML'
title: A plate pulled apart
mesh: {file: plate.msh}
material:
  young_modulus: 3.0e9
  poisson_ratio: 0.3
  density: 1200
cohesive:
  normal:
    strength: 30.0e6
    energy: 100
time:
  step: auto
  steps: 20
boundary:
  - {on: left, fix: [x, y]}
  - {on: right, velocity: {x: 1.0}, curve: ramp}
curves:
  ramp: {table: [[0, 0], [1.0e-6, 1]]}
output:
  directory: out
  fields_every: 10
run: {backend: cpu, threads: 1}
YAML

# refused WHAT PATTERN... [-- ARGUMENTS]: check and run of wrong.yaml are refused with a report that has every pattern.
refused() {
  local what=$1 patterns=() command pattern before
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do patterns+=("$1"); shift; done
  [ $# -gt 0 ] && shift
  cases=$((cases + 1))
  before=$(ls -A)
  for command in check run; do
    expect 2 "$cleave" $command wrong.yaml "$@"
    one_report
    [ ! -s stdout ] || fail "$what: $command: something on stdout"
    for pattern in "${patterns[@]}"; do says "$pattern"; done
    [ "$(ls -A)" = "$before" ] || fail "$what: $command left files: $(ls -A)"
  done
}
edit() { sed "$1" case.yaml >wrong.yaml; cmp -s case.yaml wrong.yaml && fail "the edit '$1' changes nothing"; }
edit_mesh() { sed "$1" plate.msh >wrong.msh; edit 's/plate.msh/wrong.msh/'; }

# Before anything else: the unchanged case is right.
cp case.yaml wrong.yaml
"$cleave" check wrong.yaml >/dev/null || fail "the unchanged case is refused"

# Keys and values.
edit 's/strength:/strenght:/'
refused "unknown key" 'wrong.yaml:9: cohesive.normal.strenght: unknown key; did you mean "strength"?'
edit 's/density: 1200/&\n  density: 7850/'
refused "key given twice" 'wrong.yaml:7: material.density: given twice, first on line 6' 'wrong.yaml: 1 error'
edit '/poisson_ratio/d'
refused "missing key" 'wrong.yaml:3: material.poisson_ratio: required key is missing'
edit 's/steps: 20/steps: twenty/'
refused "text for a number" 'wrong.yaml:13: time.steps: expected a whole number, found the text "twenty"'
edit 's/3.0e9/3.0 GPa/'
refused "a unit" 'wrong.yaml:4: material.young_modulus: expected a number in SI units, found the text "3.0 GPa"; write 3.0e+09'
edit 's/  steps: 20/&\n  end: 1.0e-6/'
refused "steps and end" 'wrong.yaml:14: time: expected exactly one of steps, end, found steps and end'
edit 's/^  steps/\tsteps/'
refused "a tab" 'wrong.yaml:13: not valid YAML'
edit 's/directory: out/&\n  every: 5/;s/  step: auto/  step: auto\n  safty: 0.5/'
refused "all errors at once" 'wrong.yaml:13: time.safty: unknown key; did you mean "safety"?' \
        'wrong.yaml:22: output.every: unknown key' 'wrong.yaml: 2 errors'
cp case.yaml wrong.yaml
refused "a wrong --set" '--set time.steps=-5: time.steps: must be >= 0, found -5' -- --set time.steps=-5
refused "a --set without a value" 'expected key.path=value' -- --set time.steps

# Numbers that no material has.
edit 's/1200/-1200/'
refused "negative density" 'wrong.yaml:6: material.density: must be > 0, found -1200'
edit 's/30.0e6/0/'
refused "no strength" 'wrong.yaml:9: cohesive.normal.strength: must be > 0, found 0'
edit 's/poisson_ratio: 0.3/poisson_ratio: 0.5/'
refused "incompressible in plane strain" 'wrong.yaml:5: material.poisson_ratio: must be in (-1, 0.5), found 0.5'
edit 's/3.0e9/.nan/'
refused "NaN in the case" 'wrong.yaml:4: material.young_modulus: must be finite, found .nan'
edit 's/  normal:/  law: xu_needleman\n&/'
refused "unknown law" 'wrong.yaml:8: cohesive.law: expected'
edit 's/step: auto/step: 1.0e-3/'
refused "step above the critical one" 'wrong.yaml:12: time.step: 0.001 s is above the largest stable step' '`auto`'

edit 's/steps: 20/end: 1.0e12/'
refused "more steps than can be counted" 'wrong.yaml:13: time.end: 1e+12 s in steps of ' '(time.step) are ' \
        'more than the 9007199254740991 that can be counted'
edit 's/steps: 20/steps: 9007199254740992/'
refused "a number of steps that cannot be counted" \
        'wrong.yaml:13: time.steps: at most 9007199254740991 can be counted, found 9007199254740992'
edit 's/steps: 20/steps: 1.0e19/'
refused "a number of steps above 64 bits" 'wrong.yaml:13: time.steps: must be in [' '], found 1.0e19'

# Names.
edit 's/on: right/on: rigth/'
refused "no such group" 'wrong.yaml:16: boundary.1.on: the mesh has no group "rigth"; did you mean "right"?'
edit 's/curve: ramp/curve: rampe/'
refused "no such curve" 'wrong.yaml:16: boundary.1.curve: no curve "rampe"; did you mean "ramp"?'
edit 's/fix: .x, y./&, in_cracks: true/'
refused "pressure in cracks without pressure" 'wrong.yaml:15: boundary.0.in_cracks: only a pressure has it'
sed -e '/^cohesive/,/energy/d' -e 's/fix: .x, y./pressure: 1, in_cracks: true/' case.yaml >wrong.yaml
refused "pressure in cracks of nothing that breaks" 'wrong.yaml:11: boundary.0.in_cracks: nothing breaks in this case'
edit 's/on: right/on: body/'
refused "a condition on triangles" 'wrong.yaml:16: boundary.1.on: group "body" holds no nodes; groups with nodes: left, right, outside'
edit 's/1.0e-6, 1/-1.0e-6, 1/'
refused "times that go back" 'wrong.yaml:18: curves.ramp.table.1: times must increase'

# Materials by group. with_materials ENTRY...: the case with a list of these instead of its material, from line 3 on.
with_materials() {
  local entries
  entries=$(printf '  - {%s, poisson_ratio: 0.3, density: 1200}\\n' "$@")
  sed "/^  young/,/^  density/d;s/^material:/&\n${entries%'\n'}/" case.yaml >wrong.yaml
}
with_materials 'young_modulus: 3.0e9' 'on: body, young_modulus: 4.0e9'
"$cleave" check wrong.yaml --details | grep -A1 '^material on body' | grep -q 'triangles 2' || fail "a material by group"
with_materials 'on: bodi, young_modulus: 3.0e9'
refused "no such group of triangles" 'wrong.yaml:4: material.0.on: the mesh has no group "bodi"; did you mean "body"?'
with_materials 'young_modulus: 3.0e9' 'on: left, young_modulus: 4.0e9'
refused "a material on lines" 'wrong.yaml:5: material.1.on: group "left" holds no triangles; groups with triangles: body'
with_materials 'young_modulus: 3.0e9' 'on: body, plane: stress, young_modulus: 4.0e9'
refused "two planes" 'wrong.yaml:5: material.1.plane: all materials must have the same plane, found stress after strain'
with_materials 'young_modulus: 3.0e9' 'young_modulus: -4.0e9'
refused "a wrong number in a list" 'wrong.yaml:5: material.1.young_modulus: must be > 0, found -4.0e9'
edit 's/^material:/&\n  on: body/'
refused "one material with a group" 'wrong.yaml:4: material.on: only an entry of a list of materials has it'
edit_mesh 's/^104 2 2 3/104 2 2 0/'
with_materials 'on: body, young_modulus: 3.0e9'
sed -i 's/plate.msh/wrong.msh/' wrong.yaml
refused "an element without material" 'wrong.yaml:3: material: element 104 at (0.00333333, 0.00666667) has no material'
rm wrong.msh

# Regions.
regions() { edit "s/{file: plate.msh}/{file: plate.msh, regions: {$1}}/"; }
regions 'coating: {box: [0.02, 0, 0.03, 0.01]}'
refused "a region outside" 'wrong.yaml:2: mesh.regions.coating: no triangle has its centroid in the box from (0.02, 0) to (0.03, 0.01)'
regions 'body: {box: [0, 0, 1, 1]}'
refused "a name that is taken" 'wrong.yaml:2: mesh.regions.body: the mesh has a group of that name: choose another'
regions 'coating: {box: [0.01, 0, 0, 0.01]}'
refused "a box inside out" 'wrong.yaml:2: mesh.regions.coating.box: expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1'

# Meshes.
edit 's/plate.msh/palte.msh/'
refused "no such mesh" 'wrong.yaml:2: mesh.file: no such file: ' 'palte.msh'
edit_mesh 's/^103 .*/103 2 2 3 1 11 13 12/'
expect 0 "$cleave" check wrong.yaml
says 'note: 1 of 2 triangles are clockwise in the mesh file and were turned'
edit 's/plate.msh/&, scale: 0/'
refused "a scale of nothing" 'wrong.yaml:2: mesh.scale: must be > 0, found 0'
edit_mesh 's/^12 .*/12 0.005 0.005 0/'
refused "element without area" 'wrong.msh' 'element 103 (nodes 11, 12, 13) has no area'
edit_mesh 's/^13 .*/13 nan 0.01 0/'
refused "NaN in the mesh" 'wrong.msh' 'node 13 at (nan, 0.01): coordinates must be finite'
edit_mesh 's/^104 .*/104 2 2 3 1 11 13 99/'
refused "node that is not there" 'wrong.msh:22: element 104 refers to node 99'
edit_mesh '13,$d'
refused "truncated mesh" 'wrong.msh:12: the file ends here'
edit_mesh 's/^2.2 0 8/4.0 0 8/'
refused "version of the mesh" 'wrong.msh:2: this is version 4.0 of the Gmsh format' 'msh22'
edit_mesh 's/^2.2 0 8/4.1 0 8/'
refused "another version than the header says" 'wrong.msh:13: expected whether nodes have parameters, 0 or 1' "found '0.01'"
edit_mesh 's/^12 .*/9223372036854775808 0.01 0 0/'
refused "node number above 64 bits" 'wrong.msh:13: the number 9223372036854775808 is too large'
edit_mesh 's/1 2 "right"/1 2 "left"/'
refused "two groups of one name" 'wrong.msh:7: physical line 2 and, in line 6, physical line 1 have the same name "left"'
edit_mesh 's/^104 2 2 3/104 2 2 0/;s/^103 2 2 3/103 2 2 0/'
refused "a group of nothing" 'wrong.msh: groups without elements' 'line 8: physical surface 3, "body"'
# A triangle on the right of the plate, that is not joined to it.
attach() { # NODES TRIANGLE
  sed -e "s/^4$/$(grep -c . <<<"$1")/;s/^14 .*/&\n${1//$'\n'/\\n}/" plate.msh | awk '/^\$Nodes/ { print; getline; print 4 + n; next } /^\$Elements/ { print; getline; print 5; next } { print }
    /^104/ { print t }' n="$(grep -c . <<<"$1")" t="105 2 2 3 1 $2" >wrong.msh
  edit 's/plate.msh/wrong.msh/'
}
attach $'21 0.01 0 0\n22 0.02 0 0\n23 0.01 0.01 0' '21 22 23'
refused "nodes that are not merged" 'wrong.msh: elements lie on each other without being joined' \
        'pairs of nodes at one place: 2' 'nodes 12 and 21 at (0.01, 0)' 'nodes 13 and 23 at (0.01, 0.01)'
sed 's/{file: wrong.msh}/{file: wrong.msh, doubled: [right]}/' wrong.yaml >declared.yaml
"$cleave" check declared.yaml >/dev/null || fail "doubled nodes that are declared are refused"
rm declared.yaml
edit 's/{file: plate.msh}/{file: plate.msh, doubled: [rigth]}/'
refused "no such group of doubled nodes" 'wrong.yaml:2: mesh.doubled: the mesh has no group "rigth"; did you mean "right"?'
attach $'21 0.01 0.005 0\n22 0.02 0 0\n23 0.02 0.01 0' '21 22 23'
refused "a hanging node" 'nodes on a facet that is not theirs: 1' \
        'node 21 at (0.01, 0.005) on the facet between nodes 12 and 13 of element 103'
attach $'21 0.005 0.005 0\n22 0.02 0 0\n23 0.02 0.01 0' '21 22 23'
refused "elements that overlap" 'overlaps of elements: 1' 'elements 103 and 105 at '
rm wrong.msh
# A disc of as many elements around its centre as given.
disc() {
  awk -v n="$1" 'BEGIN {
    print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" n + 1 "\n1 0.5 0.25 0"
    turn = 6.283185307 / n
    for (i = 0; i < n; ++i) printf "%d %.9f %.9f 0\n", i + 2, 0.5 + 0.1 * cos(i * turn), 0.25 + 0.1 * sin(i * turn)
    print "$EndNodes\n$Elements\n" n
    for (i = 0; i < n; ++i) print i + 1, 2, 2, 1, 1, 1, i + 2, (i + 1) % n + 2
    print "$EndElements"
  }'
}
disc 33 >wrong.msh
sed -e 's/plate.msh/wrong.msh/' -e '/^boundary/,/^output/{/^output/!d}' case.yaml >wrong.yaml
refused "too many elements around a node" 'wrong.yaml:2: mesh: the node at (0.5, 0.25) belongs to 33 elements' 'choose `coloured`'
for good in "33 coloured" "32 gather"; do
  disc ${good% *} >wrong.msh
  "$cleave" check wrong.yaml --set run.assembly=${good#* } >/dev/null 2>&1 || fail "a disc of $good is refused"
done
rm wrong.msh

# Probes.
probe() { edit "s|directory: out|&\n  probes: [{$1}]|"; }
probe 'name: tip, at: [0.005, 0.02]'
refused "a probe outside" 'wrong.yaml:21: output.probes.0.at: (0.005, 0.02) lies outside the body; the nearest point of the mesh is (0.005, 0.01)'
probe 'name: tip, at: [0.005, nan]'
refused "a probe nowhere" 'wrong.yaml:21: output.probes.0.at.1: must be finite, found nan'

# Lines.
line() { edit "s|directory: out|&\n  lines: [{$1}]|"; }
line 'name: a, from: [0, 0.005], to: [0.005, 0.015], points: 3'
refused "a line out of the body" 'wrong.yaml:21: output.lines.0: point 3 of 3, (0.005, 0.015) lies outside the body; the nearest point of the mesh is (0.005, 0.01)'
line 'name: a, from: [0, 0], to: [0, 0], points: 3'
refused "a line that is a point" 'wrong.yaml:21: output.lines.0.to: expected another point than `from`'
line 'name: a, on: rihgt, points: 3'
refused "a line on no group" 'wrong.yaml:21: output.lines.0.on: the mesh has no group "rihgt"; did you mean "right"?'
line 'name: a, on: right, to: [0, 0], points: 1'
refused "a line of one point" 'wrong.yaml:21: output.lines.0.to: only a line with `from` has it' 'output.lines.0.points: must be in [2, 10000], found 1'
line 'name: a, points: 4'
refused "a line without ends" 'wrong.yaml:21: output.lines.0: expected exactly one of from, on, found none'

# Shapes and grading.
shape() { sed -e "s|{file: plate.msh}|{shape: $1}|" -e '/^boundary/,/^output/{/^output/!d}' case.yaml >wrong.yaml; }
shape 'plate_with_hole, size: [0.1, 0.05], cell_size: 0.005, hole: {radius: 0.01, centre: [0.095, 0.02]}'
refused "a hole over a side" 'wrong.yaml:2: mesh: the hole reaches over a side of the plate'
shape 'plate_with_hole, size: [0.1, 0.05], cell_size: 0.005'
refused "a plate without its hole" 'wrong.yaml:2: mesh.hole: required key is missing'
shape 'disc, radius: 0.05, cell_size: 0, platen: {length: 1}'
refused "a disc with platens around it" 'wrong.yaml:2: mesh.cell_size: must be > 0, found 0' 'mesh.platen.length: must be in (0, 0.15'
shape 'kalthoff, size: [0.1, 0.2], cell_size: 0.005, notch: {length: 0.05, height: 0.1, spacing: 0.05}'
refused "a height of two notches" 'wrong.yaml:2: mesh.notch.height: only the shape rectangle has it'
shape 'kalthoff, size: [0.1, 0.2], cell_size: 0.005, notch: {length: 0.0995, spacing: 0.05}'
refused "a tip at a side" 'wrong.yaml:2: mesh: its sides, holes and tips need lines at x = 0.0995 m and x = 0.1 m' 'use a smaller cell_size'
shape 'compact_tension, width: 0.04, cell_size: 0.002, notch: {length: 0.01}'
refused "a short notch" 'wrong.yaml:2: mesh.notch.length: must be in (0.01, 0.04), found 0.01'
shape 'compact_compression, size: [0.06, 0.07], cell_size: 0.002, hole: {radius: 0.012}, notch: {length: 0.01}, platen: {length: 0.05}'
refused "platens over the hole" 'wrong.yaml:2: mesh.platen.length: must be in (0, 0.048), found 0.05'
shape 'disc, radius: 0.05, cell_size: 0.005, divisions: [4, 4]'
refused "divisions of a disc" 'wrong.yaml:2: mesh.divisions: only the shapes rectangle, ring have it'
shape 'disc, radius: 0.05, cell_size: 1.0e-9'
refused "more quads than memory" 'wrong.yaml:2: mesh.cell_size: quads with sides of 1e-09 m need at least'
shape 'disc, radius: 0.05, cell_size: 0.005, grading: [{at: [0, 0.06], size: 1.0e-3}, {at: [0, 0], size: 1.0e-9}]'
refused "grading outside" 'wrong.yaml:2: mesh.grading.0.at: (0, 0.06) lies outside the box around the body' 'mesh.grading.1.size: 1e-09 m is less than 1e-06 of the extent of the body'
shape 'disc, radius: 0.05, cell_size: 0.005, grading: {at: [0, 0], size: 0, growth: -1}'
refused "grading without a size" 'wrong.yaml:2: mesh.grading.size: must be > 0, found 0' 'mesh.grading.growth: must be in [0, 100], found -1'

# Random strengths, loads and starts.
edit 's/strength: 30.0e6/strength: {weibull: {scale: 30.0e6}}/'
refused "Weibull without a modulus" 'wrong.yaml:9: cohesive.normal.strength.weibull.modulus: required key is missing'
edit 's|{table: .*|{file: shot.csv}|'
refused "a curve that is not there" 'wrong.yaml:18: curves.ramp.file: no such file: ' 'shot.csv'
printf '0,0\n1.0e-6,one\n' >shot.csv
refused "a curve with a word" 'wrong.yaml:18: curves.ramp.file: ' 'shot.csv:2: expected a time and a value, found "1.0e-6,one"'
rm shot.csv
edit 's|{on: left, fix: .*|{on: body, absorb: true}|'
refused "a part that absorbs" 'wrong.yaml:15: boundary.0.on: group "body" holds no nodes'
edit 's|^curves:|body_force: {y: -9.81, curve: rmap}\n&|'
refused "a body force without its curve" 'wrong.yaml:17: body_force.curve: no curve "rmap"; did you mean "ramp"?'
edit 's|^curves:|initial: [{on: bdoy, velocity: {x: 1}}]\n&|'
refused "a start of a group that is not there" 'wrong.yaml:17: initial.0.on: the mesh has no group "bdoy"; did you mean "body"?'


# Initial values in a file, for the nodes 11 to 14.
starts() { edit "s|^curves:|initial: {file: start.sol${1:-}}\\n&|"; }
solution() { printf 'MeshVersionFormatted 2\nDimension 2\nSolAtVertices\n%s\nEnd\n' "$1" >start.sol; }
starts
refused "a start that is not there" 'wrong.yaml:17: initial.file: no such file: ' 'start.sol'
solution $'4\n2 2 2\n0 0 0 0\n0 0 0 0\n0 0 1 0\n0 0 1 0'
"$cleave" check wrong.yaml >/dev/null || fail "a good start is refused"
refused "a start of the mesh before it is refined" 'wrong.yaml:17: initial.file: ' 'start.sol:4: there are values at 4 vertices, but the mesh has 9' \
        -- --set mesh.refine=1
solution $'5\n2 2 2\n0 0 0 0\n0 0 0 0\n0 0 1 0\n0 0 1 0\n0 0 0 0'
refused "a start of another mesh" 'wrong.yaml:17: initial.file: ' 'start.sol:4: there are values at 5 vertices, but the mesh has 4: write them for this mesh'
solution $'4\n1 2\n0 0\n0 0\n1 0\n1 0'
refused "a start without velocities" 'wrong.yaml:17: initial.file: ' 'start.sol:5: expected a vector each for displacement and velocity, found 1 field'
starts ', fields: [velocity]'
"$cleave" check wrong.yaml >/dev/null || fail "a start of velocities alone is refused"
solution $'4\n1 1\n0\n0\n1\n1'
refused "a start of scalars" 'wrong.yaml:17: initial.file: ' 'start.sol:5: field 1 is the velocity and must be a vector (type 2), found a scalar (type 1)'
solution $'4\n1 2\n0 0\n0 0\n1 nan\n1 0'
refused "a start that is no number" 'wrong.yaml:17: initial.file: ' 'start.sol:8: the velocity of vertex 3 is nan: values must be finite'
solution $'4\n1 2\n0 0\n0 0\n1 0'
refused "a start that is cut off" 'wrong.yaml:17: initial.file: ' "start.sol:9: expected velocity, found 'End'"
solution $'4\n1 2\n0 0\n0 0\n1 0\n1e200 0'
refused "an endless start" 'wrong.yaml: initial: the kinetic energy of an element would be '
edit 's|^curves:|initial: [{on: left, file: plate.msh, fields: [velocty]}]\n&|'
refused "a start that is no solution" 'wrong.yaml:17: initial.0.file: expected a name that ends in .sol (ASCII) or .solb (binary), found "plate.msh"' \
        'initial.0.fields.0: expected one of displacement, velocity, found the text "velocty"; did you mean "velocity"?'
ln -s /dev/zero start.solb
starts b
refused "a start that is a device" 'wrong.yaml:17: initial.file: ' 'start.solb: is neither a plain file nor a pipe; expected a solution that fits into memory'
rm start.sol start.solb
edit 's|directory: out|&\n  inria: mesh\n  fields: [damage]|'
refused "files of no field" 'wrong.yaml:21: output.inria: it writes displacement, velocity and stress: name one of them in `fields`'

# The output. The superuser may write anywhere but below a file and into /proc.
edit 's|directory: out|directory: plate.msh/out|'
refused "output below a file" "wrong.yaml:20: output.directory: 'plate.msh/out'" 'is not a directory'
edit 's|directory: out|directory: /proc/out|'
refused "output nobody may write" "wrong.yaml:20: output.directory: '/proc/out' cannot be written because nothing can be created in '/proc'"

# Names that files of results cannot hold.
printf '\033' >escape
edit_mesh "s/1 2 \"right\"/1 2 \"ri$(cat escape)ght\"/"
refused "an escape in a name of the mesh" 'wrong.msh: names of groups that files of results cannot hold' '"ri?ght" has a control character'
edit_mesh "s/1 2 \"right\"/1 2 \"ri\xdfght\"/"
refused "a name of the mesh in Latin 1" 'wrong.msh: names of groups that files of results cannot hold' 'is not text in UTF-8'
rm wrong.msh escape
regions '"a\x01b": {box: [0, 0, 1, 1]}'
refused "a region with a control character" 'wrong.yaml:2: mesh.regions: a key with a control character'

# Numbers that no double holds, or not to its last digit.
for thickness in 1.0e-300 1.0e-320 1.0e300; do
  edit "s/{file: plate.msh}/{file: plate.msh, thickness: $thickness}/"
  refused "a thickness of $thickness" 'wrong.yaml:2: mesh.thickness: the mass of an element would be ' 'check the units'
done
edit 's/density: 1200/density: 1.0e-300/'
refused "a density of nothing" 'wrong.yaml:3: material.density: the mass of an element would be '
edit 's/3.0e9/3.0e300/'
refused "an endless stiffness" 'wrong.yaml:3: material.young_modulus: the stiffness of an element would be '
edit 's/energy: 100/energy: 1.0e-305/'
refused "a fracture energy of nothing" 'wrong.yaml: cohesive.normal.energy: the energy of a facet would be '
edit 's/strength: 30.0e6/strength: 1.0e-200/'
refused "a strength of nothing" 'wrong.yaml: cohesive.normal.strength: the elastic energy of an element would be '
edit 's/velocity: {x: 1.0}/velocity: {x: 1.0e-170}/'
refused "a velocity of nothing" 'wrong.yaml:16: boundary.1.velocity: the kinetic energy of an element would be '
edit 's/{on: left, fix: .*/{on: left, pressure: 1.0e170}/'
refused "an endless pressure" 'wrong.yaml:15: boundary.0.pressure: the elastic energy of an element would be '
edit 's/^curves:/initial: {velocity: {x: 1.0e200}}\n&/'
refused "an endless velocity" 'wrong.yaml: initial: the kinetic energy of an element would be '
edit 's/{file: plate.msh}/{file: plate.msh, thickness: 1.0e-30}/'
"$cleave" check wrong.yaml >/dev/null || fail "a thickness that double precision computes with is refused"
refused "a thickness that single precision does not hold" 'wrong.yaml:2: mesh.thickness: the mass of an element would be ' \
        'single precision' -- --set run.precision=single
edit 's/step: auto/step: 1.0e-160/'
refused "a step of nothing" 'wrong.yaml:12: time.step: the square of the step would be '
edit 's/^curves:/body_force: {y: -1.0e-300}\n&/'
refused "a weight of nothing" 'wrong.yaml: body_force: the weight of an element would be '
edit 's/^  young_modulus/  law: kelvin_voigt\n  viscosity: 1.0\n  bulk_viscosity: 1.0e308\n&/'
refused "a damping time without end" 'wrong.yaml:3: material.bulk_viscosity: the law `kelvin_voigt` says that its damping time is inf s'

# Devices and pipes without an end.
ln -s /dev/zero wrong.msh
edit 's/plate.msh/wrong.msh/'
refused "a mesh that is a device" 'wrong.msh'
rm wrong.msh
truncate -s 1T wrong.msh
refused "a mesh that does not fit into memory" 'wrong.msh: has more than' 'a mesh that fits into memory'
rm wrong.msh
edit 's|{table: .*|{file: /dev/zero}|'
refused "a curve that is a device" 'wrong.yaml:18: curves.ramp.file: is neither a plain file nor a pipe; expected a curve (CSV): /dev/zero'
rm wrong.yaml
ln -s /dev/zero wrong.yaml
refused "a case that is a device" 'wrong.yaml: is neither a plain file nor a pipe; expected a case file (YAML)'
rm wrong.yaml
truncate -s 1T wrong.yaml
refused "a case of a terabyte" 'wrong.yaml: has more than 64000000 bytes'
rm wrong.yaml

# The case file itself.
refused "no case file" 'wrong.yaml: no such file'
: >wrong.yaml
refused "empty case file" 'wrong.yaml: expected the keys of a case, found nothing'

echo "$cases wrong cases"
finish
