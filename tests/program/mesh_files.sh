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
# Formats without ids are written like that in any case.
for suffix in mesh meshb; do
  expect 0 "$cleave" mesh given.yaml -o given.$suffix
  expect 0 "$cleave" mesh plate.yaml -o plate.$suffix
  cmp -s given.$suffix plate.$suffix || fail "the order of plate.$suffix is not as given"
done
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

# A plate of 4 x 2 squares of 10 mm as other programs write it: clockwise and without groups, in millimetres, with lines in a .vtk
# file, as parts and instances of Abaqus. All are the same body, and break alike.
points() { # points SIZE: number, x and y of the points, from 1 on
  awk -v size="$1" 'BEGIN { for (j = 0; j < 3; j++) for (i = 0; i < 5; i++) print ++n, i * size, j * size }'
}
triangles() { # number of the triangles and of their points, from 1 on
  awk 'BEGIN { for (j = 0; j < 2; j++) for (i = 0; i < 4; i++) {
    n = 5 * j + i + 1
    print ++e, n, n + 1, n + 6
    print ++e, n, n + 6, n + 5 } }'
}
pulled() { # pulled MESH-KEYS LEFT RIGHT
  cat <<YAML
mesh: {$1}
material: {young_modulus: 30.0e9, poisson_ratio: 0.2, density: 2400, plane: stress}
cohesive: {normal: {strength: 3.0e6, energy: 50}}
time: {end: 20.0e-6}
boundary: [{on: $2, velocity: {x: -5}}, {on: $3, velocity: {x: 5}}]
output: {history_every: 1}
run: {backend: cpu, threads: 1}
YAML
}
places='groups: {left: {sides: {normal: [-1, 0]}}, right: {sides: {box: [0.0399, -1, 0.0401, 1]}}}'
{
  printf 'MeshVersionFormatted 2\nDimension 2\nVertices\n15\n'
  points 0.01 | awk '{ print $2, $3, 0 }'
  printf 'Triangles\n16\n'
  triangles | awk '{ print $2, $4, $3, 0 }'
  echo End
} >clockwise.mesh
pulled "file: clockwise.mesh, $places" left right >clockwise.yaml
numbers_of clockwise.yaml >expected.csv
tail -1 expected.csv | awk -F, '$14 < 4 || $16 < 2 { exit 1 }' || fail "the plate stays whole: $(tail -1 expected.csv)"
expect 0 "$cleave" check clockwise.yaml
says 'note: 16 of 16 triangles are clockwise in the mesh file and were turned'
grep -q '^  outside: facets 12, nodes 12, ' stdout || fail "outside: $(grep outside stdout)"
same_break() { # same_break FILE: the case gives the same numbers
  numbers_of "$1" >found.csv
  cmp -s expected.csv found.csv || fail "$1 breaks in another way: $(diff expected.csv found.csv | head -4)"
}
{
  printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n15\n'
  points 10 | sed 's/$/ 0/'
  printf '$EndNodes\n$Elements\n16\n'
  triangles | awk '{ print $1, 2, 2, 0, 1, $2, $3, $4 }'
  echo '$EndElements'
} >millimetres.msh
pulled "file: millimetres.msh, scale: 1.0e-3, $places" left right >millimetres.yaml
same_break millimetres.yaml
{
  printf '# vtk DataFile Version 3.0\nplate\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 15 double\n'
  points 0.01 | awk '{ print $2, $3, 0 }'
  printf 'CELLS 20 76\n2 0 5\n2 5 10\n2 4 9\n2 9 14\n'
  triangles | awk '{ print 3, $2 - 1, $3 - 1, $4 - 1 }'
  printf 'CELL_TYPES 20\n3\n3\n3\n3\n'
  triangles | sed 's/.*/5/'
  printf 'CELL_DATA 20\nSCALARS side int\nLOOKUP_TABLE default\n1\n1\n2\n2\n'
  triangles | sed 's/.*/3/'
} >lines.vtk
pulled 'file: lines.vtk' side=1 side=2 >lines.yaml
same_break lines.yaml
{
  printf '*Heading\n*Part, name=Plate\n*Node\n'
  points 0.01 | sed 's/ /, /g'
  printf '*Element, type=CPS3, elset=Body\n'
  triangles | sed 's/ /, /g'
  printf '*End Part\n*Assembly, name=A\n*Instance, name=P-1, part=Plate\n*End Instance\n'
  printf '*Nset, nset=Left, instance=P-1\n1, 6, 11\n*Nset, nset=Right, instance=P-1, generate\n5, 15, 5\n'
  printf '*Surface, name=Top\nP-1.Body,\n*End Assembly\n*Material, name=M\n*Elastic\n1., 0.\n'
} >part.inp
pulled 'file: part.inp' Left Right >part.yaml
same_break part.yaml
sed 's/velocity: {x: 5}/pressure: 1.0e6/' part.yaml >wrong.yaml
expect 2 "$cleave" check wrong.yaml
says 'boundary.1.on: group "Right" holds nodes only, and a pressure acts on sides'
sed 's/^\*End Part/*Element, type=COH2D4\n99, 1, 2, 3, 4\n&/' part.inp >glued.inp
sed 's/part.inp/glued.inp/' part.yaml >wrong.yaml
expect 2 "$cleave" check wrong.yaml
says 'glued.inp:36: elements of type COH2D4 are cohesive elements. Cleave inserts its own where facets break: give the mesh from before'
# Quads, cut along the same diagonals.
{
  sed '/^\*Element/,/^\*End Part/d' part.inp | sed '/^\*Assembly/,$d'
  printf '*Element, type=CPS4R\n'
  awk 'BEGIN { for (j = 0; j < 2; j++) for (i = 0; i < 4; i++) { n = 5 * j + i + 1; print ++e ", " n ", " n + 1 ", " n + 6 ", " n + 5 } }'
  sed -n '/^\*End Part/,$p' part.inp | sed 's/Body/1/'
} >quads.inp
sed 's/part.inp/quads.inp/' part.yaml >wrong.yaml
expect 2 "$cleave" check wrong.yaml
says 'quads.inp:19: elements of type CPS4R are quads: mesh.split_quads: true makes two triangles of each quad'
pulled 'file: quads.inp, split_quads: true' Left Right >quads.yaml
same_break quads.yaml
finish
