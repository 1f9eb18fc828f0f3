#!/usr/bin/env bash
# Drives the program as a user does: exit codes, messages, result files, stopping and resuming.
# Usage: command_line.sh PROGRAM
repository=$(realpath "$(dirname "$0")/../..")
source "$(dirname "$0")/support.sh"

# Wrong input: exit code 2, one report, nothing written.
for arguments in "" "frobnicate" "run" "run absent.yaml" "run case.yaml --backend gpu" "run case.yaml --threads -1" \
                 "run case.yaml --set time.stepp=1" "run case.yaml --output case.yaml" "run case.yaml --resume" \
                 "mesh case.yaml" "mesh case.yaml -o mesh.stl" "check case.yaml --unknown"; do
  expect 2 "$cleave" $arguments
  one_report
  [ ! -e out ] || fail "'$arguments' wrote something"
done

# Commands that write nothing, or one file.
expect 0 "$cleave" --help
expect 0 "$cleave" info
grep -q '^cleave [0-9]' stdout || fail "info without a version"
expect 0 "$cleave" info --columns
sed -n '/^| column | unit | meaning |$/,/^$/{/./p}' "$repository/docs/user_guide.md" >guide
diff guide stdout >&2 || fail "the columns in docs/user_guide.md are not those of cleave info --columns: copy them there"
expect 0 "$cleave" info --keys
sed -n '/^| key | values | unit | default | meaning |$/,/^$/{/./p}' "$repository/docs/user_guide.md" >keys
diff keys stdout >&2 || fail "the keys in docs/user_guide.md are not those of cleave info --keys: copy them there"
# Every key that the source of the reader names is in it, so no branch was left out.
read_keys=$(cat "$repository"/src/case/{read_case,material_section,cohesive_section}.cpp | tr -d '\n' |
  grep -oE '\.(required|optional)(_section|_node)?\( *"[a-z_]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u)
[ "$(echo "$read_keys" | wc -l)" -ge 40 ] || fail "the source of the reader has changed its form: $read_keys"
for key in $read_keys; do
  grep -q "^| \`\([A-Za-z_.]*\.\)\?$key\` |" keys || fail "info --keys has no row for the key $key"
done
expect 0 "$cleave" info --schema
grep -q '"young_modulus": {' stdout || fail "info --schema does not know Young's modulus"
expect 2 "$cleave" info --keys --columns
expect 2 "$cleave" info --keys --schema
expect 0 "$cleave" check case.yaml --details
for text in "elements 256" "critical step" "step used" "cohesive-zone length" "contact stiffness kp L/E from " "frames 5" "history rows 101" \
            "compressed blocks that frames share at most"; do
  grep -q "$text" stdout || fail "check does not tell '$text'"
done
[ ! -e out ] || fail "check wrote something"
expect 0 "$cleave" mesh case.yaml -o mesh.vtu
grep -q 'group:left' mesh.vtu || fail "the mesh file has no groups"

# Groups of triangles, out to a mesh file and back.
sed 's/element: T6/&, regions: {coating: {box: [0, 0, 0.005, 0.01]}}/' case.yaml >coated.yaml
expect 0 "$cleave" mesh coated.yaml -o coated.vtu
sed 's/^mesh: .*/mesh: {file: coated.vtu}/' case.yaml >again.yaml
expect 0 "$cleave" check again.yaml
grep -q '  coating: facets 0, nodes 0, triangles 128' stdout || fail "the mesh file has lost a group of triangles"
rm coated.yaml coated.vtu again.yaml

# A run and its files.
expect 0 "$cleave" run case.yaml
grep -q 'open out/bulk.pvd in ParaView' stdout || fail "no summary on stdout"
columns=step,time,kinetic_energy,strain_energy,internal_work,cohesive_work,recoverable_energy,dissipated_energy
columns=$columns,external_work,reaction_work,balance_error
columns=$columns,nodes,cohesive_elements,failed_elements,crack_length,fragments
head -1 out/history.csv | grep -q "^$columns" || fail "columns of history.csv"
[ "$(sed -n '3,$s/^| `\([a-z_]*\)`.*/\1/p' guide | paste -sd,)" = "$(head -1 out/history.csv)" ] ||
  fail "columns in docs/user_guide.md"
[ "$(tail -n +2 out/history.csv | wc -l)" -eq 101 ] || fail "rows of history.csv"
[ "$(ls out/bulk_*.vtu | wc -l)" -eq 5 ] || fail "number of frames"
[ "$(grep -c DataSet out/cracks.pvd)" -eq 5 ] || fail "frames in cracks.pvd"
grep -q '"status": "done"' out/summary.json || fail "status in summary.json"

# The size of history.csv that check tells, also with the columns of groups that are held.
sed '/^cohesive/d; /^initial/d' case.yaml >held.yaml
cat >>held.yaml <<'YAML'
boundary:
  - {on: left, velocity: {x: -1, y: 1}}
  - {on: right, velocity: {x: 1, y: 1}}
  - {on: bottom, velocity: {x: 1}}
  - {on: top, velocity: {x: 1}}
YAML
for name in case held; do
  expect 0 "$cleave" check $name.yaml --details
  told=$(sed -n 's/^  history rows 101, about \(.*\) KiB$/\1/p' stdout)
  expect 0 "$cleave" run $name.yaml --quiet --output sized_$name
  awk -v told="$told" -v is="$(wc -c <sized_$name/history.csv)" 'BEGIN { ratio = told * 1024 / is; exit !(ratio > 0.8 && ratio < 1.25) }' ||
    fail "check tells $told KiB of $name, history.csv has $(wc -c <sized_$name/history.csv) bytes"
done

# Quiet means quiet.
expect 0 "$cleave" run case.yaml --quiet --output quiet
[ ! -s stdout ] && [ ! -s stderr ] || fail "--quiet printed something"
cmp out/history.csv quiet/history.csv || fail "the same run twice differs"

# The resolved case gives the same run.
expect 0 "$cleave" run quiet/case.resolved.yaml --output again --quiet
cmp out/history.csv again/history.csv || fail "case.resolved.yaml gives another run"

# Stopped by a signal (wherever it comes), then resumed: the same files as without the stop.
for signal in INT TERM; do
  "$cleave" run case.yaml --output part --quiet 2>stderr &
  process=$!
  wait_for_file part/history.csv
  kill -$signal $process
  wait $process
  code=$?
  if [ $code -ne 0 ]; then
    [ $code -eq $([ $signal = INT ] && echo 130 || echo 143) ] || fail "exit code $code after SIG$signal"
    grep -q '"status": "stopped"' part/summary.json || fail "status after SIG$signal"
    expect 0 "$cleave" run case.yaml --output part --quiet --resume
  fi
  for file in history.csv fragments.csv bulk.pvd cracks.pvd bulk_000003.vtu cracks_000003.vtu bulk_000004.vtu; do
    cmp out/$file part/$file || fail "$file differs after SIG$signal and --resume"
  done
  rm -r part
done

# To fewer steps than are there: rows would be lost. Asked for, they are dropped.
expect 0 "$cleave" run case.yaml --output fewer --quiet --set time.steps=400 --set output.checkpoint_every=150
state_of fewer >before
expect 2 "$cleave" run case.yaml --output fewer --quiet --resume --set time.steps=360
one_report
says "--resume: history.csv in 'fewer' has rows until step 400, beyond the end of this run at step 360: they would be lost"
state_of fewer | cmp - before || fail "a run that is refused changes results"
expect 0 "$cleave" run case.yaml --output fewer --quiet --resume --force --set time.steps=360
says "beyond the end of this run at step 360; they are dropped"
tail -1 fewer/history.csv | grep -q '^360,' || fail "the run does not end where it is asked to"
rm -r fewer before

# Killed with frames under way: the checkpoint names frames that are there, and the rest is written again.
many="--quiet --set output.fields_every=20 --set output.checkpoint_every=100"
expect 0 "$cleave" run case.yaml $many --output frames
"$cleave" run case.yaml $many --output killed --threads 8 2>stderr &
process=$!
wait_for_file killed/checkpoint_000000400.bin
kill -KILL $process
wait $process 2>/dev/null
expect 0 "$cleave" run case.yaml $many --output killed --resume
for file in frames/*.vtu frames/*.pvd frames/*.csv; do
  cmp $file killed/${file#frames/} || fail "${file#frames/} differs after SIGKILL and --resume"
done
[ "$(cd frames; ls *.vtu)" = "$(cd killed; ls *.vtu*)" ] || fail "other frames after SIGKILL and --resume"

if "$cleave" info | grep -q 'output formats.*, vtkhdf'; then
  expect 2 "$cleave" check case.yaml --set output.format=vtkhdf --set output.compression=lz4
else
  expect 2 "$cleave" check case.yaml --set output.format=vtkhdf
  grep -q 'built without HDF5' stderr || fail "message without HDF5"
fi

# Fields are chosen and rounded as the case says.
expect 0 "$cleave" run case.yaml --quiet --output chosen --set output.fields=[velocity] --set output.real=double \
  --set output.compression=none
[ "$(grep -ao 'Float[0-9]*" Name="[A-Za-z_]*"' chosen/bulk_000004.vtu | paste -sd ' ')" = \
  'Float64" Name="velocity" Float64" Name="Points"' ] || fail "arrays of output.fields"
! grep -aq 'Name="stress"' chosen/bulk_000004.vtu || fail "a field that was not chosen"
! grep -aq 'Name="strain"' out/bulk_000000.vtu || fail "a field that is written only by name"
expect 0 "$cleave" run case.yaml --quiet --output strained --set 'output.fields=[all, strain]' --set time.steps=20
[ "$(grep -aoc 'Name="strain"' strained/bulk_000001.vtu)" = 2 ] || fail "strain at nodes and in elements"
expect 2 "$cleave" run case.yaml --set output.fields=[velocty]
grep -q 'did you mean "velocity"' stderr || fail "no nearest name for a field"

# Resuming another case is refused.
expect 0 "$cleave" run case.yaml --quiet --output other --set output.checkpoint_every=700
[ "$(ls other/checkpoint_*.bin | wc -l)" -eq 2 ] || fail "two checkpoints are kept"
expect 0 "$cleave" run case.yaml --quiet --output other --resume
cmp out/history.csv other/history.csv || fail "history after resuming from the checkpoint of a finished run"
expect 2 "$cleave" run case.yaml --quiet --output other --resume --set material.density=1300
one_report

# Single precision: stopped and resumed the same to the last bit, and not resumed in the other precision.
if has_single case.yaml; then
  expect 0 "$cleave" run case.yaml --quiet --output single --set run.precision=single --set output.checkpoint_every=700
  grep -q '"precision": "single"' single/summary.json || fail "precision in summary.json"
  grep -q 'precision: single' single/case.resolved.yaml || fail "precision in case.resolved.yaml"
  cmp -s out/history.csv single/history.csv && fail "single precision gives the numbers of double"
  cp single/history.csv single_history.csv
  expect 0 "$cleave" run case.yaml --quiet --output single --set run.precision=single --resume
  cmp single_history.csv single/history.csv || fail "history after resuming in single precision"
  expect 2 "$cleave" run case.yaml --quiet --output single --resume
  one_report
  says "run.precision: was single, is double"
fi

finish
