#!/usr/bin/env bash
# An output directory belongs to one run: it is locked, no results are lost silently, and what cannot be written is said.
# Usage: output_directory.sh PROGRAM
source "$(dirname "$0")/support.sh"
run() { "$cleave" run case.yaml --quiet "$@"; }
# refused COMMAND...: exit code 2, one report, and nothing in `out` touched.
refused() {
  local before; before=$(state_of out)
  expect 2 "$@"
  one_report
  [ "$(state_of out)" = "$before" ] || fail "something was touched by: $*"
}

# A finished run of the same case is replaced, and said to be.
expect 0 run
cp -r out first
touch out/bulk_000077.vtu out/notes.txt
expect 0 "$cleave" run case.yaml --set title=Another --set run.threads=2 --set output.checkpoint_every=900
says "replaces 17 files of a finished run of this case in out"
[ ! -e out/bulk_000077.vtu ] || fail "an old frame is still there"
rm out/notes.txt || fail "a file of the user is gone"
same_results first out
expect 0 "$cleave" check case.yaml
grep -q "a finished run of this case, which a run replaces" stdout || fail "check does not tell of the earlier run"

# Killed while it wrote the first of its files, it has left nothing that is worth keeping.
mkdir begun && touch begun/summary.json.tmp
expect 0 run --output begun
same_results first begun
# Killed while results of a finished run are taken away, it does not leave a summary that says that they are there.
cp -r out half
(cd half && seq -f 'bulk_%06g.vtu' 100 40000 | xargs touch)
"$cleave" run case.yaml --quiet --output half 2>/dev/null & started=$! process=$!
while [ -e half/bulk_000100.vtu ]; do kill -0 $process 2>/dev/null || break; done
[ $on_ranks = no ] || process=$(rank_0_in half)
kill -KILL $process; wait $started 2>/dev/null
[ -e half/bulk_040000.vtu ] || fail "killed too late"
! grep -q '"status": "done"' half/summary.json || fail "what is left is said to be complete"
expect 0 run --output half
same_results first half

# Results of another case are not replaced, unless that is asked for.
refused run --set material.density=1300 --set output.fields_every=250
says "material.density: was 1200, is 1300; output.fields_every: was 500, is 250"
says "--force or output.replace: true"
refused run --set time.steps=3000
says "go on from it with --resume"
expect 0 run --set material.density=1300 --force
expect 0 run --set material.density=1200 --set output.replace=true
same_results first out

# Files of which no summary tells are not, either.
rm out/summary.json
refused run
says "no summary.json of this version"
expect 0 run --force

# A run that stopped is resumed or replaced on demand, never by itself. Without a checkpoint nothing can be resumed.
start out --set time.steps=200000000 --set output.fields_every=0 --force
expect 2 run
one_report
says "'out' is in use by process "
expect 2 run --resume
says " on $(uname -n) since "
grep -q "process $process on" out/run.lock || fail "the lock does not name the process: $(cat out/run.lock)"
stop TERM
[ $code -eq 143 ] || fail "exit code $code after SIGTERM"
[ ! -e out/run.lock ] || fail "the lock is still there"
refused run --set time.steps=200000000 --set output.fields_every=0
says "it can be resumed; go on with --resume"
rm out/checkpoint_*.bin
expect 0 run --force

# A crash lets go of the directory.
start out --set time.steps=200000000 --set output.fields_every=0 --force
stop KILL
status_is out running
expect 0 run --force

# The case and the mesh are not overwritten by what comes of them.
refused "$cleave" run out/case.resolved.yaml --force
says "the run would overwrite it"
refused "$cleave" run out/case.resolved.yaml --resume
mkdir own
expect 0 "$cleave" mesh case.yaml -o own/bulk_000000.vtu
sed 's/^mesh: .*/mesh: {file: own\/bulk_000000.vtu}/' case.yaml >own.yaml
expect 2 "$cleave" run own.yaml --output own --force
one_report
says "own.yaml:2: mesh.file"
expect 2 "$cleave" mesh own.yaml -o own/bulk_000000.vtu
one_report
ln own.yaml own/history.csv
expect 2 "$cleave" run own.yaml --output own
rm -r own own.yaml

# What cannot be written ends the run, with the reason in summary.json.
for file in history.csv fragments.csv bulk.pvd bulk_000001.vtu cracks_000000.vtu case.resolved.yaml checkpoint_000000700.bin; do
  mkdir -p bad/$file/full
  expect 1 run --output bad --set output.checkpoint_every=700
  one_report
  says "bad/$file"
  [ $file = case.resolved.yaml ] || grep -q "\"reason\": \"bad/$file.*: cannot be written" bad/summary.json || fail "reason in summary.json"
  status_is bad $([ $file = case.resolved.yaml ] && echo running || echo interrupted)
  rm -r bad
done
sizes=(27 35 100)
one_process "limits of files' sizes, which mpirun does not stand" || sizes=()
for kilobytes in "${sizes[@]}"; do
  (ulimit -f $kilobytes; run --output bad 2>stderr)
  [ $? -eq 1 ] || fail "exit code with files of at most $kilobytes kB"
  status_is bad interrupted
  [ -z "$(find bad -name '*.tmp')" ] || fail "an incomplete file is left"
  for frame in $(find bad -name '*.vtu'); do cmp $frame first/${frame#bad/} || fail "$frame is truncated"; done
  expect 0 run --output bad
  same_results first bad
  rm -r bad
done
finish
