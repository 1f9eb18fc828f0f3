#!/usr/bin/env bash
# Stopping and going on: signals, the clock, damaged checkpoints, changed cases, results that are gone.
# Usage: checkpoints.sh PROGRAM
source "$(dirname "$0")/support.sh"
run() { "$cleave" run case.yaml --quiet "$@"; }
expect 0 run

# Signals save the state. The run is so long that it does not end before.
for signal in HUP:129 USR1:138 XCPU:152 INT:130 TERM:143; do
  start part --set time.steps=200000000 --set output.fields_every=0 2>stderr
  stop ${signal%:*}
  [ $code -eq ${signal#*:} ] || fail "exit code $code after SIG${signal%:*}: $(cat stderr)"
  status_is part stopped
  grep -q "\"reason\": \"SIG${signal%:*} at step" part/summary.json || fail "reason after SIG${signal%:*}"
  ls part/checkpoint_*.bin >/dev/null || fail "no checkpoint after SIG${signal%:*}"
  rm -r part
done
if one_process "a signal that is ignored from the start, as mpirun lets its processes have all"; then
  trap '' HUP
  start part --set time.steps=20000 --set output.fields_every=0
  stop HUP
  [ $code -eq 0 ] || fail "SIGHUP that was to be ignored stopped the run: $code"
  trap - HUP
  rm -r part
fi

# By the clock.
expect 0 run --output clock --set output.checkpoint_minutes=1e-6 --set output.fields_every=0
[ -e clock/checkpoint_000001001.bin ] || fail "no checkpoint by the clock: $(ls clock)"
expect 0 run --output clock --set output.checkpoint_minutes=1e-6 --set output.fields_every=0 --resume
cmp out/history.csv clock/history.csv || fail "history with checkpoints by the clock"
expect 0 run --output none --set output.checkpoint_minutes=0
[ -z "$(ls none | grep checkpoint)" ] || fail "checkpoints though nobody wants them"

# Frames by simulated time.
dt=$(sed -n 's/.*"step": \([0-9.e-]*\),.*/\1/p' out/summary.json)
expect 0 run --output interval --set output.fields_every=0 --set output.fields_interval="$(awk "BEGIN { print 500 * $dt }")"
same_results out interval

expect 0 run --output interval --force --set output.checkpoint_interval="$(awk "BEGIN { print 700 * $dt }")"
for step in 0700 1400; do
  [ -e interval/checkpoint_00000$step.bin ] || fail "no checkpoint by simulated time at step $step: $(ls interval)"
done
expect 2 run --output interval --set output.checkpoint_interval=1 --set output.checkpoint_every=1
says "output.checkpoint_interval: checkpoint_every says the same in steps"

# Probes and reactions: the same rows from a run that was stopped, and from one with another output on more threads.
probes=(--set "output.probes=[{name: tip, at: [0.004, 0.003]}, {name: far, at: [0.01, 0.01], every: 7}]"
        --set "output.lines=[{name: across, from: [0, 0.004], to: [0.01, 0.006], points: 30, every: 50}, {name: wall, on: right, points: 5, every: 9}]"
        --set "boundary=[{group: left, fix: [x, y]}, {on: right, velocity: {x: 5}}]" --set time.steps=9000)
expect 0 run --output probed "${probes[@]}"
head -1 probed/probes.csv | grep -qx 'step,time,tip.ux,tip.uy,tip.vx,tip.vy,tip.sxx,tip.syy,tip.sxy,far.ux,far.uy,far.vx,far.vy,far.sxx,far.syy,far.sxy' ||
  fail "columns of probes.csv"
[ "$(wc -l <probed/probes.csv)" -eq 9002 ] || fail "rows of probes.csv"
[ "$(head -1 probed/lines.csv)" = step,time,line,s,x,y,ux,uy,vx,vy,sxx,syy,sxy ] || fail "columns of lines.csv"
[ "$(wc -l <probed/lines.csv)" -eq $((1 + 181 * 30 + 1001 * 5)) ] || fail "rows of lines.csv"
head -1 probed/history.csv | grep -q ',reaction_left_x,reaction_left_y,displacement_left_x,displacement_left_y,reaction_right_x,' ||
  fail "columns of groups in history.csv"
start stopped "${probes[@]}"
stop TERM
[ $code -eq 143 ] || fail "exit code $code of a run with probes that was stopped"
expect 0 run --output stopped "${probes[@]}" --resume
same_results probed stopped
expect 0 run --output other "${probes[@]}" --threads 3 --set output.history_every=9 --set output.fields_every=77
cmp probed/probes.csv other/probes.csv || fail "probes with another output"
cmp probed/lines.csv other/lines.csv || fail "lines with another output"
# So many points that few rows of them are kept in solver memory.
expect 0 run --output many "${probes[@]}" --set "output.lines=[{name: many, from: [0, 0.004], to: [0.01, 0.006], points: 1741, every: 50}]"
cmp probed/probes.csv many/probes.csv || fail "probes beside many others"
for column in 7 11; do # of every 60th point, which the other line has
  cmp <(awk -F, -v c=$column '$3 == "across" { print $1, $c }' probed/lines.csv) \
    <(awk -F, -v c=$column 'NR > 1 && (NR - 2) % 1741 % 60 == 0 { print $1, $c }' many/lines.csv) || fail "a line of more points"
done
expect 0 run --output lost "${probes[@]}" --set output.checkpoint_every=4000
sed -i 3,5d lost/probes.csv
sed -i 2d lost/lines.csv
expect 2 run --output lost "${probes[@]}" --resume
says "3 rows of probes.csv"
says "1 rows of lines.csv"
# A probe or a line at another place would go on in the columns of the first.
for other in "output.probes=[{name: tip, at: [0.004, 0.004]}, {name: far, at: [0.01, 0.01], every: 7}]" "output.probes=[]" \
  "output.lines=[{name: across, from: [0, 0.004], to: [0.01, 0.005], points: 30, every: 50}, {name: wall, on: right, points: 5, every: 9}]"; do
  expect 2 run --output stopped "${probes[@]}" --set "$other" --resume --set time.steps=9100
  says "${other%%=*}"
  says "Only title, output but its probes and lines"
done

# Random strengths, one facet at a corner, a body force and an absorbing side.
random=(--set "cohesive.normal.strength={weibull: {scale: 30.0e6, modulus: 6, reference_length: 1.0e-3, seed: 4}}"
        --set cohesive.insertion.selection=local_maximum --set "body_force={x: 2.0e4, y: -5.0e4, curve: shake}"
        --set "curves.shake={half_sine: 2.0e-4}" --set "output.probes=[{name: tip, at: [0.004, 0.003], every: 50}]"
        --set "boundary=[{group: left, absorb: true}]" --set "damping={rate: 1.0e4, until: 1.0e-4}")
expect 0 run --output random "${random[@]}" --set output.checkpoint_every=700
head -1 random/probes.csv | grep -qx 'step,time,tip.ux,tip.uy,tip.vx,tip.vy,tip.sxx,tip.syy,tip.sxy,tip.strength_scale' ||
  fail "columns of probes.csv with random strength"
grep -q strength_scale random/cracks_000001.vtu && grep -q strength_scale random/bulk_000001.vtu ||
  fail "frames without strength_scale"
[ "$(tail -1 random/history.csv | cut -d, -f13)" -gt 5 ] || fail "nothing breaks with random strength"
rm random/checkpoint_000001400.bin
expect 0 run --output random "${random[@]}" --resume
expect 0 run --output random2 "${random[@]}" --threads 2
same_results random random2
expect 0 run --output random3 "${random[@]}" --set cohesive.normal.strength.weibull.seed=5
cmp -s random2/history.csv random3/history.csv && fail "another seed gives the same"

# The older checkpoint takes the place of a damaged one; without any that is whole nothing is touched.
expect 0 run --output two --set output.checkpoint_every=700
cp -r two three
printf 'X' | dd of=two/checkpoint_000001400.bin bs=1 seek=20000 conv=notrunc 2>/dev/null
expect 0 run --output two --resume
says "two/checkpoint_000001400.bin is damaged: its checksum is not that of its content; going on from an older one"
same_results out two
rm -r two
cp -r three two
for file in two/checkpoint_*.bin; do truncate -s -1 $file; done
before=$(state_of two)
expect 2 run --output two --resume
one_report
says "two/checkpoint_000000700.bin is damaged"
[ "$(state_of two)" = "$before" ] || fail "something was touched though nothing could be resumed"

# A checkpoint of another case is refused with the keys; title, output and threads may change.
expect 2 run --output three --resume --set material.density=1300 --set material.poisson_ratio=0.31 --set boundary='[{on: left, fix: x}]'
one_report
for text in "boundary.0.fix.0: was absent, is x" "material.density: was 1200, is 1300" "material.poisson_ratio: was 0.3, is 0.31"; do
  says "$text"
done
expect 2 run --output three --resume --set time.steps=1000
expect 0 run --output three --resume --set title=Another --set run.threads=2 --set output.checkpoint_every=0
same_results out three

# Results from before that are gone.
rm three/bulk_000001.vtu
sed -i 3,5d three/history.csv
before=$(state_of three)
expect 2 run --output three --resume
one_report
says "3 of the 70 rows of history.csv; bulk_000001.vtu"
[ "$(state_of three)" = "$before" ] || fail "something was touched though results are gone"
expect 0 run --output three --resume --force
says "three' lacks what the run had written until step 1,400: 3 of the 70 rows of history.csv; bulk_000001.vtu"
for list in three/bulk.pvd three/cracks.pvd; do
  [ "$(grep -o '_00000[0-9]*.vtu' $list | tr -d '\n')" = _000000.vtu_000002.vtu_000003.vtu_000004.vtu ] ||
    fail "$list names a frame that is gone, or not all others: $(cat $list)"
done

# Frames that are empty or cut off, as a power cut leaves them, and rows with another bit.
expect 0 run --output cut --set output.checkpoint_every=700
for what in 'truncate -s 0 cut/bulk_000002.vtu' 'truncate -s -1 cut/bulk_000001.vtu' 'truncate -s 5000 cut/cracks_000002.vtu' \
  'truncate -s +1 cut/bulk_000000.vtu' 'flip cut/history.csv 700' 'flip cut/history.csv 20' 'flip cut/fragments.csv 300'; do
  flip() { printf "\\x$(printf %02x $(($(od -An -tu1 -j "$2" -N 1 "$1") ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
  cp -r cut whole
  $what
  before=$(state_of cut)
  expect 2 run --output cut --resume
  one_report
  says "$(basename "$(printf '%s\n' $what | grep '^cut/')")"
  [ "$(state_of cut)" = "$before" ] || fail "something was touched after: $what"
  rm -r cut && mv whole cut
done
truncate -s 0 cut/bulk_000002.vtu
expect 0 run --output cut --resume --force
says "bulk_000002.vtu, which is cut off or another file"
! grep -q bulk_000002 cut/bulk.pvd || fail "a frame that is empty is listed"
if ! "$cleave" info | grep -q '^output formats.*vtkhdf'; then
  echo "not tested: VTKHDF files, which this program has not"
else
  expect 0 run --output hdf --set output.checkpoint_every=700 --set output.format=vtkhdf
  for size in -1 -100 20000 0; do
    cp hdf/bulk.vtkhdf whole.vtkhdf
    truncate -s $size hdf/bulk.vtkhdf
    expect 2 run --output hdf --resume --set output.format=vtkhdf
    one_report
    says "hdf/bulk.vtkhdf: its frames cannot be read"
    mv whole.vtkhdf hdf/bulk.vtkhdf
  done
  expect 0 run --output hdf --resume --set output.format=vtkhdf
fi

# An end that is where a checkpoint is: the last row, frame and fragments are those of a run that ended there.
expect 0 run --output here --set output.checkpoint_every=700 --set output.history_every=30
expect 0 run --output here --set output.checkpoint_every=700 --set output.history_every=30 --set time.steps=1400 --resume --force
expect 0 run --output there --set output.history_every=30 --set time.steps=1400
same_results here there

# Killed soon after it was led on, before another checkpoint, it is led on again.
expect 0 run --output again --set output.checkpoint_every=700 --set output.history_every=30 --set output.fields_every=600 --set time.steps=1400
expect 0 run --output straight --set output.history_every=30 --set output.fields_every=600
for _ in 1 2; do
  expect 0 run --output again --set output.checkpoint_every=700 --set output.history_every=30 --set output.fields_every=600 --resume \
    --set output.checkpoint_every=0
done
same_results straight again
# balance_error is over the largest energy of rows that are due: here the body is fastest between two of them, where a frame or the
# end of a run asks for one more.
cat >swing.yaml <<'YAML'
mesh: {shape: rectangle, size: [0.01, 0.01], divisions: [8, 8]}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
time: {step: 1.0e-7, steps: 80}
body_force: {x: 1.0e6, curve: swing}
curves: {swing: {table: [[0, 1], [4.0e-6, -1.1]]}}
output: {history_every: 40}
YAML
for assembly in gather coloured; do
  swing() { expect 0 "$cleave" run swing.yaml --quiet --set run.assembly=$assembly --output "swing_$assembly$1" "${@:2}"; }
  swing ""
  swing _frames --set output.fields_every=20
  swing _stopped --set output.checkpoint_every=20 --set time.steps=20
  swing _stopped --set output.checkpoint_every=0 --resume
  cmp swing_$assembly/history.csv swing_${assembly}_frames/history.csv || fail "history with frames between its rows, $assembly"
  same_results swing_$assembly swing_${assembly}_stopped
done

# All triangles have gone: frames without fragments lack nothing.
cat >eroded.yaml <<'YAML'
mesh: {shape: rectangle, size: [0.02, 0.01], divisions: [16, 8]}
material: {law: j2, young_modulus: 3.24e9, poisson_ratio: 0.35, density: 1190, yield_stress: 5.0e6, erosion: {plastic_strain: 0.001}}
time: {steps: 200, safety: 0.8}
initial: {velocity_gradient: {xx: 6000, yy: 3000}}
output: {fields_every: 50, checkpoint_every: 130}
YAML
expect 0 "$cleave" run eroded.yaml --quiet --output eroded
[[ $(tail -1 eroded/fragments.csv) == 200,*,-1,512,* ]] || fail "some triangles have not gone: $(tail -1 eroded/fragments.csv)"
expect 0 "$cleave" run eroded.yaml --quiet --output eroded --resume --set time.steps=300
expect 0 "$cleave" run eroded.yaml --quiet --output eroded_300 --set time.steps=300
same_results eroded eroded_300

# As many threads as OMP_NUM_THREADS says, unless the case does.
expect 0 env OMP_NUM_THREADS=3 "$cleave" run case.yaml --output threads --set run.threads=0
grep -q '"device": ".*CPU, 3 threads"' threads/summary.json || fail "OMP_NUM_THREADS is not respected"
expect 0 env OMP_NUM_THREADS=3 "$cleave" run case.yaml --output threads
grep -q '"device": ".*CPU, 1 thread"' threads/summary.json || fail "run.threads is not respected"
same_results out threads
finish
