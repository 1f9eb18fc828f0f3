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
trap '' HUP
start part --set time.steps=20000 --set output.fields_every=0
stop HUP
[ $code -eq 0 ] || fail "SIGHUP that was to be ignored stopped the run: $code"
trap - HUP
rm -r part

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
expect 2 run --output three --resume --set material.density=1300 --set run.precision=single --set boundary='[{on: left, fix: x}]'
one_report
for text in "boundary.0.fix.0: was absent, is x" "material.density: was 1200, is 1300" "run.precision: was double, is single"; do
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

# As many threads as OMP_NUM_THREADS says, unless the case does.
expect 0 env OMP_NUM_THREADS=3 "$cleave" run case.yaml --output threads --set run.threads=0
grep -q '"device": "CPU, 3 threads"' threads/summary.json || fail "OMP_NUM_THREADS is not respected"
expect 0 env OMP_NUM_THREADS=3 "$cleave" run case.yaml --output threads
grep -q '"device": "CPU, 1 thread"' threads/summary.json || fail "run.threads is not respected"
same_results out threads
finish
