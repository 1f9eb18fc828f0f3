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
for _ in 1 2 3 4 5; do # a busy machine may look too late
  rm -rf half
  cp -r out half
  (cd half && seq -f 'bulk_%06g.vtu' 100 40000 | xargs touch)
  "$cleave" run case.yaml --quiet --output half 2>/dev/null & started=$! process=$!
  while [ -e half/bulk_000100.vtu ]; do kill -0 $process 2>/dev/null || break; done
  [ $on_ranks = no ] || process=$(rank_0_in half)
  kill -KILL $process; wait $started 2>/dev/null
  [ ! -e half/bulk_040000.vtu ] || break
done
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
# A directory that is moved, removed or emptied under a run ends it with what is missing, while it steps (rows are written) ...
long=(--set time.steps=200000000 --set output.fields_every=0)
start moving "${long[@]}" 2>stderr
mv moving moved
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose directory was moved"
says "moving: this directory was moved while the run wrote into it; the results are in '$PWD/moved'; put it back and go on with --resume"
status_is moved interrupted
[ ! -e moved/run.lock ] || fail "the lock is still in the directory that was moved"
[ ! -e moving ] || fail "something is where the directory was"
start moving "${long[@]}" 2>stderr
mv moving moved2
expect 0 run --output moving # in its old place
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose directory another has replaced"
same_results first moving
status_is moving done
# A link that leads elsewhere now is not a directory that was moved.
mkdir aim other && ln -s aim link
start link "${long[@]}" 2>stderr
ln -sfn other link
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose link leads elsewhere"
says "link: this name, or a link in it, led to '$PWD/aim' at first and leads to another directory now"
status_is aim interrupted
[ -z "$(ls other)" ] || fail "the run has written where the link leads now"
rm -r aim other link
start gone "${long[@]}" 2>stderr
wait_for_file gone/cracks.pvd
rm -r gone # which the run may see file by file
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose directory was removed"
says "while the run wrote into it"
start emptied "${long[@]}" 2>stderr
wait_for_file emptied/cracks.pvd
rm emptied/*
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose directory was emptied"
says "emptied/history.csv: this file was moved, removed or replaced while the run wrote into it; put it back and go on with --resume"
status_is emptied interrupted
start taken "${long[@]}" 2>stderr
wait_for_file taken/cracks.pvd
rm taken/*
expect 0 run --output taken --force # whose lock is another
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose directory another has taken"
same_results first taken
status_is taken done
# ... and one that sees it only when the other has ended.
start late "${long[@]}" 2>stderr
wait_for_file late/cracks.pvd # from then on it writes rows alone
pause
rm late/*
run --output late
kill -CONT $process
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run whose directory another has filled"
says "late: run.lock was removed while the run wrote into this directory, and another run has written its results there"
same_results first late
status_is late done
rm -r moved moving moved2 emptied taken late
# ... and at its end.
quiet=(--set time.steps=40000 --set output.history_every=1000000)
for file in history.csv bulk_000000.vtu cracks_000000.vtu fragments.csv case.resolved.yaml; do
  start lacking "${quiet[@]}" --set output.fields_every=1000000 2>stderr
  wait_for_file lacking/cracks.pvd
  wait_for_file lacking/$file
  mv lacking/$file .
  wait $started; code=$?
  [ $code -eq 1 ] || fail "exit code $code of a run without its $file: $(cat stderr)"
  says "$file"
  grep -qE 'put (it|them) back and go on with --resume' stderr || fail "no advice: $(cat stderr)"
  status_is lacking interrupted
  rm -r lacking $file
done
start moving "${quiet[@]}" --set output.fields_every=0 2>stderr
mv moving moved
wait $started; code=$?
[ $code -eq 1 ] || fail "exit code $code of a run that was moved and writes no rows"
says "moving: this directory was moved"
rm -r moved

# Links and pipes are not followed, nor waited for, whatever may be replaced; and what is no lock of a run stays.
echo precious >precious
names="run.lock summary.json summary.json.tmp history.csv fragments.csv.tmp bulk.pvd bulk_000001.vtu case.resolved.yaml
  checkpoint_000000700.bin checkpoint_000000700.bin.tmp"
one_process "all names, as rank 0 alone looks at the directory" || names="run.lock summary.json"
for name in $names; do
  for kind in link dangling pipe; do
    for option in --force --resume; do
      mkdir strange
      case $kind in
        link) ln -s ../precious strange/$name ;;
        dangling) ln -s ../nowhere strange/$name ;;
        pipe) mkfifo strange/$name ;;
      esac
      before=$(ls -l strange)
      expect 2 timeout 60 "$cleave" run case.yaml --quiet --output strange $option --set output.checkpoint_every=700
      one_report
      says "strange/$name' is a ${kind/dangling/link}, where a run "
      [ "$(ls -l strange)" = "$before" ] || fail "something was touched beside a $kind $name: $(ls -l strange)"
      if [ $option = --force ]; then
        expect 2 timeout 60 "$cleave" check case.yaml --set output.directory=strange
        one_report
        says "strange/$name' is a ${kind/dangling/link}, where a run "
      fi
      rm -r strange
    done
  done
done
[ "$(cat precious)" = precious ] && [ ! -e nowhere ] || fail "a link was followed"
mkdir mine && echo 'not yours' >mine/run.lock
expect 2 run --output mine --force
one_report
says "mine/run.lock' is not the lock of a run, and a run would overwrite it; move it"
[ "$(cat mine/run.lock)" = 'not yours' ] && [ "$(ls mine)" = run.lock ] || fail "a run.lock of the user was touched"
finish
