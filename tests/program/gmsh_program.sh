#!/usr/bin/env bash
# A plate with a hole from the program gmsh, in all ways it writes it: versions, encodings, orders, parametric nodes. Exit code
# 77 (skipped) where gmsh is not installed; mesh_files.sh reads files that it wrote.
# Usage: gmsh_program.sh PROGRAM
source "$(dirname "$0")/support.sh"
source "$(dirname "$0")/plate.sh"
command -v gmsh >/dev/null || not_tested "there is no gmsh"

cat >hole.geo <<'GEO'
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 0.02, 0.012};
Disk(2) = {0.01, 0.006, 0, 0.002};
BooleanDifference(3) = {Surface{1}; Delete;}{Surface{2}; Delete;};
outline() = Boundary{Surface{3};};
Physical Curve("outline") = outline();
Physical Curve("bottom") = Curve In BoundingBox {-1, -1e-6, -1, 1, 1e-6, 1};
Physical Curve("top") = Curve In BoundingBox {-1, 0.012 - 1e-6, -1, 1, 1, 1};
Physical Curve("left") = Curve In BoundingBox {-1e-6, -1, -1, 1e-6, 1, 1};
Physical Surface("plate") = {3};
Physical Surface("the same") = {3};
Physical Point("corner") = {1};
Mesh.CharacteristicLengthMax = 0.003;
GEO
for order in 1 2; do
  for encoding in '' -bin; do
    for version in msh22 msh41; do
      for parametric in 0 1; do
        gmsh hole.geo -2 $encoding -order $order -format $version -setnumber Mesh.SaveParametric $parametric \
             -setnumber Mesh.SecondOrderLinear 1 -o hole.msh >/dev/null 2>&1 || fail "gmsh failed"
        what="$version${encoding:+ binary}, order $order, parametric $parametric"
        plate "file: hole.msh" >hole.yaml
        expect 0 "$cleave" check hole.yaml --details
        sed -n '/^mesh$/,/^groups$/d;/^  outline:/,/^quality$/p' stdout >groups.txt
        [ -s first.$order ] || cp groups.txt first.$order
        cmp -s groups.txt first.$order || fail "$what has other groups: $(diff first.$order groups.txt)"
        numbers_of hole.yaml >found.csv
        # Digits of ASCII files are fewer than a double has.
        same=expected.$order$encoding
        [ -s $same ] || cp found.csv $same
        cmp -s found.csv $same || fail "$what gives another run"
      done
    done
  done
done
[ "$(grep -c . first.2)" -ge 7 ] || fail "groups of gmsh are missing: $(cat first.2)"
gmsh hole.geo -2 -format mesh -o hole.mesh >/dev/null 2>&1
plate "file: hole.mesh" | sed '/^boundary/d' >hole.yaml
expect 0 "$cleave" check hole.yaml

gmsh hole.geo -2 -order 2 -o hole.msh >/dev/null 2>&1
plate "file: hole.msh" >hole.yaml
expect 2 "$cleave" check hole.yaml
says 'of the side, '
says 'mesh.straighten: true'
plate "file: hole.msh, straighten: true" >hole.yaml
expect 0 "$cleave" check hole.yaml
grep -q '^warning: curved sides: [0-9]* mid-side nodes were moved' stdout || fail "straightening is not told: $(cat stdout)"
gmsh hole.geo -2 -format msh40 -o hole.msh >/dev/null 2>&1
plate "file: hole.msh" >hole.yaml
expect 2 "$cleave" check hole.yaml
says 'hole.msh:2: this is version 4 of the Gmsh format'
gmsh hole.geo -2 -setnumber Mesh.RecombineAll 1 -o hole.msh >/dev/null 2>&1
expect 2 "$cleave" check hole.yaml
says 'a quadrangle: mesh.split_quads: true makes two triangles of each quad, or switch recombination off'
plate "file: hole.msh, split_quads: true" | sed "s/step: 2.0e-8/step: auto/" >split.yaml
expect 0 "$cleave" check split.yaml
gmsh hole.geo -2 -setnumber Mesh.ElementOrder 3 -bin -o hole.msh >/dev/null 2>&1
expect 2 "$cleave" check hole.yaml
says 'of order 3 or higher'
finish
