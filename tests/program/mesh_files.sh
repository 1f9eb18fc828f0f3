#!/usr/bin/env bash
# Mesh files as users have them: one body in each format gives the same run bit for bit; files as the program gmsh wrote
# them break; cracks, curved sides, smaller triangles. gmsh_program.sh has more of gmsh, where it is installed.
# Usage: mesh_files.sh PROGRAM REPOSITORY
source "$(dirname "$0")/support.sh"
source "$(dirname "$0")/plate.sh"

generated='shape: rectangle, size: [0.012, 0.008], divisions: [6, 4], notch: {length: 0.004}, perturbation: {amplitude: 0.2, seed: 3}'
plate "$generated" >plate.yaml
numbers_of plate.yaml >expected.csv
[ "$(wc -l <expected.csv)" -eq 31 ] || fail "the plate has no 31 rows"
tail -1 expected.csv | awk -F, '$13 < 5 { exit 1 }' || fail "the plate does not break: $(tail -1 expected.csv)"

# same_run FILE [SED]: the case with the mesh from that file gives the same numbers. SED changes names of groups.
same_run() {
  plate "file: $1, doubled: [$(sed "${2:-}" <<<notch)]" | sed "${2:-}" >from_file.yaml
  numbers_of from_file.yaml >found.csv
  cmp -s expected.csv found.csv || fail "$1 gives another run: $(diff expected.csv found.csv | head -4)"
}
# Original ids, which colours go by, are then those of the generated mesh in all formats.
plate "$generated, numbering: as_given" >given.yaml
for suffix in vtu vtk; do
  expect 0 "$cleave" mesh given.yaml -o plate.$suffix
  same_run plate.$suffix
done
for format in msh41 msh41-ascii msh22 msh22-ascii; do
  expect 0 "$cleave" mesh given.yaml -o plate.msh --format $format
  same_run plate.msh
  head -2 plate.msh | tail -1 | grep -aq "^${format:3:1}.${format:4:1} $([[ $format = *ascii ]] && echo 0 || echo 1) 8" ||
    fail "the header of $format"
done
for suffix in mesh meshb; do
  expect 0 "$cleave" mesh given.yaml -o plate.$suffix
  # References are numbers of sets of groups: the left side is two of them.
  number() { sed -n "s/^  reference \([0-9]*\): edges of \(.*, \)*$1\(,.*\)*\$/\1/p" stdout; }
  plate "file: plate.$suffix, doubled: [$(number notch)]" |
    sed "s/on: bottom/on: $(number bottom)/;s/on: top/on: $(number top)/;s/{on: left, pressure: 1.0e5}/$(
      number left | sed 's/.*/{on: &, pressure: 1.0e5}/' | paste -sd,)/" >from_file.yaml
  numbers_of from_file.yaml >found.csv
  cmp -s expected.csv found.csv || fail "plate.$suffix gives another run: $(diff expected.csv found.csv | head -4)"
done
expect 2 "$cleave" mesh plate.yaml -o plate.stl
says "-o: 'plate.stl' does not end in .vtu, .vtk, .msh, .mesh, .meshb"
expect 2 "$cleave" mesh plate.yaml -o plate.vtu --format msh22
says "--format: 'msh22' applies to .msh files only, not to 'plate.vtu'"

# A crack of a file is what a notch of a rectangle is: lines along the notch, nodes 15 to 17 of 7 a row, are added to the
# mesh without it.
for element in T3 T6; do
  whole="shape: rectangle, element: $element, size: [0.012, 0.008], divisions: [6, 4]"
  plate "$whole, notch: {length: 0.004}" >notched.yaml
  numbers_of notched.yaml >expected.csv
  plate "$whole, numbering: as_given" >whole.yaml
  expect 0 "$cleave" mesh whole.yaml -o whole.msh --format msh22-ascii
  # In a T6 mesh the mid-side node of the line is that of the triangle above it, whose first two corners are its ends.
  awk '
    /^\$Elements/ { print; getline; count = $1; hold = 1; next }
    hold && $2 ~ /^[29]$/ && ($6 == 15 && $7 == 16 || $6 == 16 && $7 == 17) {
      lines[++n] = ($2 == 2 ? 1 : 8) " 2 77 1 " $6 " " $7 ($2 == 9 ? " " $9 : "")
    }
    /^\$EndElements/ {
      print count + n
      for (i = 1; i <= n; i++) print 9000 + i, lines[i]
      for (i = 1; i <= m; i++) print kept[i]
      hold = 0
    }
    hold { kept[++m] = $0; next }
    { print }' whole.msh >crack.msh
  plate 'file: crack.msh, cracks: ["77"]' >crack.yaml
  numbers_of crack.yaml >found.csv
  cmp -s expected.csv found.csv || fail "a crack of $element is another than a notch: $(diff expected.csv found.csv | head -4)"
  expect 0 "$cleave" check crack.yaml --details
  grep -q '^  77: facets 4, nodes ' stdout || fail "the crack's faces are not in its group: $(grep 77 stdout)"

  plate 'file: crack.msh' | sed 's/on: left/on: "77"/' >wrong.yaml
  expect 2 "$cleave" check wrong.yaml
  says 'group "77" has no facets on the boundary to press on: mesh.cracks opens those inside the body'
  # Without being opened, the line may be weaker than the rest.
  plate 'file: crack.msh' | sed 's/^cohesive: {\(.*\)}$/cohesive: [{\1}, {on: "77", normal: {strength: 5.0e6, energy: 50}}]/' >weak.yaml
  expect 0 "$cleave" check weak.yaml --details
  grep -q 'strengths from 5e+06 Pa to 2e+07 Pa, by 2 entries' stdout || fail "a weak line: $(grep strengths stdout)"
  # What cannot be opened.
  plate 'file: crack.msh, cracks: ["78"]' >wrong.yaml
  expect 2 "$cleave" check wrong.yaml
  says 'wrong.yaml:1: mesh.cracks: the mesh has no group "78"; did you mean "77"?'
  plate 'file: crack.msh, cracks: [left]' >wrong.yaml
  expect 2 "$cleave" check wrong.yaml
  says 'mesh.cracks: the facets of group "left" lie on the boundary: there is nothing to open'
  sed 's/^9001 .*/9001 15 2 77 1 16/;/^9002 /d' crack.msh | awk '/^\$Elements/ { print; getline; print $1 - 1; next } { print }' >point.msh
  plate 'file: point.msh, cracks: ["77"]' >wrong.yaml
  expect 2 "$cleave" check wrong.yaml
  says 'mesh.cracks: group "77" holds points only'
done
# Smaller triangles at the tip, and then the crack: its line is as long as before.
plate 'file: crack.msh, cracks: ["77"], grading: {at: [0.004, 0.004], size: 2.0e-4}' >graded.yaml
sed -i 's/step: 2.0e-8/step: auto/' graded.yaml
expect 0 "$cleave" check graded.yaml
facets=$(sed -n 's/^  77: facets \([0-9]*\),.*/\1/p' stdout)
[ "$facets" -gt 10 ] && [ $((facets % 2)) -eq 0 ] || fail "the crack of a graded mesh has $facets facets"
# A graded shape that went through a file is the same body.
plate 'shape: plate_with_hole, size: [0.012, 0.008], cell_size: 1.0e-3, hole: {radius: 1.5e-3}, numbering: as_given,
  grading: {at: [0.006, 0.0055], size: 4.0e-4}' | sed 's/step: 2.0e-8/step: 5.0e-9/' >shape.yaml
expect 0 "$cleave" mesh shape.yaml -o shape.msh
plate 'file: shape.msh, numbering: as_given' | sed 's/step: 2.0e-8/step: 5.0e-9/' >file.yaml
numbers_of shape.yaml >expected.csv
numbers_of file.yaml >found.csv
cmp -s expected.csv found.csv || fail "a graded shape from a file gives another run: $(diff expected.csv found.csv | head -4)"
plate 'file: crack.msh, cracks: ["77"], refine: 1' >fine.yaml
expect 0 "$cleave" check fine.yaml --details
grep -q '^  elements 384$' stdout && grep -q '^  77: facets 8, ' stdout || fail "the refined crack: $(grep -E 'elements|77' stdout)"
plate "$generated, refine: 16" >wrong.yaml
expect 2 "$cleave" check wrong.yaml
says 'mesh.refine: must be in [0, 15], found 16'
plate "$generated, straighten: true" >wrong.yaml
expect 2 "$cleave" check wrong.yaml
says 'mesh.straighten: only a mesh file has curved sides'


# Files as the program gmsh wrote them break: plates are drawn along their length, the ring bursts.
bodies=$2/meshes/gmsh
breaks() { # breaks MESH-KEYS INITIAL-GRADIENT [KEYS...]
  local mesh=$1 gradient=$2; shift 2
  {
    echo "mesh: {file: $bodies/$mesh}"
    echo 'material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: stress}'
    echo 'cohesive: {normal: {strength: 20.0e6, energy: 50}, insertion: {every: 5}}'
    echo 'time: {step: auto, end: 60.0e-6}'
    echo "initial: {velocity_gradient: {$gradient}}"
    echo 'output: {fields_every: 0, history_every: 20}'
    echo 'run: {backend: cpu, threads: 1}'
    printf '%s\n' "$@"
  } >gmsh.yaml
  rm -rf results
  expect 0 "$cleave" run gmsh.yaml --quiet --output results
  # Columns of history.csv: 11 balance_error, 16 fragments.
  awk -F, -v file="$mesh" 'NR > 1 { error = $11 < 0 ? -$11 : $11; if (error > largest) largest = error; fragments = $16 }
    END { printf "%s: %d fragments, balance_error %g at most\n", file, fragments, largest
          exit !(NR > 10 && fragments > 1 && largest < 1e-11) }' results/history.csv >&2 || fail "$mesh does not break as it should"
}
drawn='boundary: [{on: left, velocity: {x: -20}}, {on: right, velocity: {x: 20}}]'
for element in t3 t6; do
  breaks "hole_$element.msh" 'xx: 1.0e3' "$drawn"
  expect 0 "$cleave" check gmsh.yaml
  for group in corners hole left right plate; do
    grep -q "^  $group: facets " stdout || fail "hole_$element.msh: group $group is missing"
  done
  # Doubled nodes part the body along the notch but at its tip: the crack goes on from there.
  breaks "cracked_$element.msh, doubled: [notch]" 'yy: 6.0e2' 'boundary: [{on: bottom, velocity: {y: -6}}, {on: top, velocity: {y: 6}}]'
  sed 's/, doubled: .notch.//' gmsh.yaml >wrong.yaml
  expect 2 "$cleave" check wrong.yaml
  says 'elements lie on each other without being joined'
done
breaks 'ring_t6.msh, straighten: true' 'xx: 7.0e2, yy: 7.0e2' 'boundary: [{on: inner, pressure: 2.0e6}]'
expect 0 "$cleave" check gmsh.yaml
grep -q '^warning: curved sides: [0-9]* mid-side nodes were moved' stdout || fail "straightening is not told: $(cat stdout)"
sed 's/, straighten: true//' gmsh.yaml >wrong.yaml
expect 2 "$cleave" check wrong.yaml
says 'of the side, '
says 'mesh.straighten: true'
finish
