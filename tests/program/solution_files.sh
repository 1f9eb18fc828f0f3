#!/usr/bin/env bash
# Files of INRIA's formats .sol and .solb: a start from them is that of the same numbers in the case, bit for bit; frames in these formats
# are starts again; what they hold belongs to the case.
# Usage: solution_files.sh PROGRAM
source "$(dirname "$0")/support.sh"
source "$(dirname "$0")/plate.sh"

# body MESH-KEYS INITIAL-KEYS: a free plate that bursts.
body() { plate "$1" | sed "/^boundary/d;s|^initial.*|initial: {$2}|;s/steps: 600/steps: 200/"; }
# solution_of MESH: the strain and the gradient of velocities below at the vertices of a .mesh.
solution_of() {
  awk '/^Vertices/ { getline; n = $1; print "MeshVersionFormatted 2\nDimension 2\nSolAtVertices\n" n "\n2 2 2"
    for (i = 0; i < n; i++) { getline; printf "%.17g %.17g %.17g %.17g\n", 1.0e-3 * $1 + 0 * $2, 0 * $1 + 0 * $2, 9.0e3 * $1 + 0 * $2, 0 * $1 + 6.0e3 * $2 }
    print "End" }' "$1"
}
start='strain: {xx: 1.0e-3}, velocity_gradient: {xx: 9.0e3, yy: 6.0e3}, origin: [0, 0]'

for element in T3 T6; do
  shape="shape: rectangle, element: $element, size: [0.012, 0.008], divisions: [12, 8], perturbation: {amplitude: 0.2, seed: 3}"
  for numbering in hilbert halves as_given; do
    body "$shape, numbering: $numbering" "$start" >keys.yaml
    numbers_of keys.yaml >expected.csv
    body "$shape, numbering: $numbering" 'file: plate.sol' >file.yaml
    rm -f plate.mesh
    sed 's/^initial.*//' file.yaml >plain.yaml
    expect 0 "$cleave" mesh plain.yaml -o plate.mesh
    solution_of plate.mesh >plate.sol
    numbers_of file.yaml >found.csv
    cmp -s expected.csv found.csv || fail "$element, $numbering: a start from a file is another: $(diff expected.csv found.csv | head -4)"
  done
  tail -1 expected.csv | awk -F, '$13 < 5 { exit 1 }' || fail "the plate does not break: $(tail -1 expected.csv)"
  # The mesh may come from the file, too: it is the shape as it is given.
  body 'file: plate.mesh, numbering: as_given' 'file: plate.sol' >file.yaml
  numbers_of file.yaml >found.csv
  cmp -s expected.csv found.csv || fail "$element: the start of a mesh file is another: $(diff expected.csv found.csv | head -4)"

  # Frames in these formats: the first one is the start of the same run.
  for suffix in mesh meshb; do
    sol=${suffix/mesh/sol}
    rm -rf frames
    expect 0 "$cleave" run keys.yaml --quiet --output frames --set output.inria=$suffix --set output.fields_every=100
    [ "$(ls frames | grep -cE "^bulk_00000[012]\.($suffix|$sol)$")" -eq 6 ] || fail "frames: $(ls frames)"
    body "file: frames/bulk_000000.$suffix, numbering: as_given" "file: frames/bulk_000000.$sol" >again.yaml
    numbers_of again.yaml >found.csv
    cmp -s expected.csv found.csv || fail "$element: the first .$sol gives another run: $(diff expected.csv found.csv | head -4)"
    rm -rf again
    expect 2 "$cleave" run again.yaml --quiet --output frames --force
    one_report
    says "again.yaml:1: mesh.file: '$PWD/frames/bulk_000000.$suffix' has the name of a result in the output directory 'frames'"
  done
done
# All nodes of the broken mesh are there, and the program says what its frames take.
expect 0 "$cleave" run keys.yaml --quiet --output text --set output.inria=mesh
[ "$(sed -n '/^Vertices/{n;p}' text/bulk_000001.mesh)" -eq "$(tail -1 text/history.csv | cut -d, -f "$(head -1 text/history.csv | tr , '\n' | grep -nx nodes | cut -d: -f1)")" ] ||
  fail "vertices of a broken mesh"
cmp -s <(sed -n '/^Vertices/{n;p}' text/bulk_000001.mesh) <(sed -n '/^SolAtVertices/{n;p}' text/bulk_000001.sol) || fail "values of a broken mesh"
cp keys.yaml case.yaml
frame_of() { "$cleave" check case.yaml "$@" --details | grep -E '^ *(a )?frame|frames' ; }
frame_of >without
frame_of --set output.inria=mesh >with
cmp -s without with && fail "cleave check does not count the files in INRIA's formats: $(cat with)"

# The first entry of a list, and one of a group.
body "$shape" "$start" | sed 's/^initial.*/initial: [{velocity: {x: 3}, file: plate.sol}, {on: left, file: plate.sol, fields: [displacement]}]/' >list.yaml
expect 0 "$cleave" check list.yaml
for text in 'initial velocity: (3, 0) m/s' 'initial displacement and velocity: plate.sol' 'initial displacement of left: plate.sol'; do
  grep -qF "$text" stdout || fail "the loads do not say '$text': $(grep -A6 loads stdout)"
done
sed -i 's/fields: \[displacement\]/fields: [displacement, speed]/' list.yaml
expect 2 "$cleave" check list.yaml
says 'list.yaml:5: initial.1.fields.1: expected one of displacement, velocity'

# What the file holds belongs to the case, its name does not.
body "$shape" 'file: plate.sol' >case.yaml
run() { "$cleave" run case.yaml --quiet --output kept "$@"; }
expect 0 run --set output.checkpoint_every=50 --set time.steps=100
cp plate.sol other.sol
sed -i 's/plate.sol/other.sol/' case.yaml
expect 0 run --resume
sed -i '6s/.*/0 0 1 1/' other.sol
expect 2 run --resume
one_report
says 'belongs to another case or mesh: the content of the mesh file or of a file of `initial`'
expect 2 run
says "holds a run of another case: the content of the mesh file or of a file of \`initial\`"
mkdir own
cp other.sol own/bulk_000000.sol
sed -i 's|other.sol|own/bulk_000000.sol|' case.yaml
expect 2 "$cleave" run case.yaml --output own --force
one_report
says "case.yaml:5: initial.file: '$PWD/own/bulk_000000.sol' has the name of a result in the output directory 'own'"
# A study sees that it has changed.
body "$shape" 'file: plate.sol' >case.yaml
printf 'case: case.yaml\nvary: {time.steps: [10]}\noutput: {directory: study}\n' >study.yaml
expect 0 "$cleave" sweep study.yaml
expect 0 "$cleave" sweep study.yaml
grep -q '1 of 1 runs are done already' stderr || fail "the study runs again: $(cat stderr)"
sed -i '6s/.*/0 0 100 100/' plate.sol
touch -d '+2 seconds' plate.sol
expect 3 "$cleave" sweep study.yaml
says "'study/run_0001' holds a run of another case: the content of the mesh file or of a file of \`initial\`"
finish
