#!/usr/bin/env bash
# A study of many small runs: what fails is named, what was stopped goes on, results are those of an undisturbed study.
# Usage: sweep.sh PROGRAM
source "$(dirname "$0")/support.sh"
sed -i 's/steps: 2000/steps: 4000/; s/fields_every: 500/fields_every: 0/' case.yaml
mkdir studies

# 24 runs; an element of the one with the gradient -1e9, which is run 12, turns inside out.
study() {  # study DIRECTORY GRADIENTS [TEXT]
  cat <<YAML
title: Many squares
case: ../case.yaml
vary:
  initial.velocity_gradient.xx: $2
  mesh.perturbation.seed: {from: 1, to: 4}
combine: grid
set: {output.fields_every: 0, output.checkpoint_every: 200}
output: {directory: $1}
run: {jobs: 2, threads: 1}
${3:-}
YAML
}
good='[1.0e4, 1.5e4, 2.0e4, 2.5e4, 3.0e4, 3.5e4]'
study calm "$good" >studies/calm.yaml
# `list` puts one bad value in place.
list() {  # list DIRECTORY
  cat <<YAML
case: ../case.yaml
vary:
  initial.velocity_gradient.xx: [1.0e4, 1.1e4, 1.2e4, 1.3e4, 1.4e4, 1.5e4, 1.6e4, 1.7e4, 1.8e4, 1.9e4, 2.0e4, -1.0e9,
    2.2e4, 2.3e4, 2.4e4, 2.5e4, 2.6e4, 2.7e4, 2.8e4, 2.9e4, 3.0e4, 3.1e4, 3.2e4, 3.3e4]
  mesh.perturbation.seed: {from: 1, to: 24}
combine: list
set: {output.checkpoint_every: 200}
output: {directory: $1}
run: {jobs: 2}
YAML
}
list calm >studies/list.yaml
list killed >studies/killed.yaml
same_histories() {  # same_histories DIRECTORY DIRECTORY: of all runs but 12
  local run
  for run in $(seq -f 'run_%04g' 24); do
    [ $run = run_0012 ] || cmp "$1/$run/history.csv" "$2/$run/history.csv" || fail "history of $run"
  done
}
# The table without the wall times, which differ.
table() { awk -F, -v OFS=, '{ $6 = ""; print }' "$1/study.csv"; }

# What would be done; nothing is written.
expect 0 "$cleave" sweep studies/list.yaml --dry-run
[ "$(grep -c 'starts' stdout)" -eq 24 ] || fail "dry run: $(cat stdout)"
[ ! -e calm ] || fail "the dry run has written"

# In a list a value may come again, a whole run may not.
list again | sed 's/-1.0e9/2.0e4/' >studies/again.yaml
expect 0 "$cleave" sweep studies/again.yaml --dry-run
rm studies/again.yaml

# An undisturbed study with one run that fails.
expect 3 "$cleave" sweep studies/list.yaml
[ "$(grep -c '"status": "done"' calm/*/summary.json | grep -c ':1$')" -eq 23 ] || fail "runs that are done"
status_is calm/run_0012 failed
one_report
says "run_0012 (initial.velocity_gradient.xx=-1.0e9, mesh.perturbation.seed=12) failed with exit code 3: "
grep -qE '^  done +23 of 24$' stdout || fail "summary: $(cat stdout)"
grep -qE 'run_0012 .*turned inside out|run_0012 .*not finite' stdout || fail "the failure in the summary: $(cat stdout)"
[ "$(grep -c 'ETA' stderr)" -eq 24 ] || fail "a line a run: $(cat stderr)"
head -1 calm/study.csv | grep -q '^run,status,initial.velocity_gradient.xx,mesh.perturbation.seed,steps,wall_time,elements,cohesive_elements,failed_elements,crack_length,fragments,largest_balance_error,kinetic_energy,strain_energy,' ||
  fail "columns of study.csv: $(head -1 calm/study.csv)"
[ "$(grep -c ',done,' calm/study.csv)" -eq 23 ] && grep -q '^run_0012,failed,-1.0e9,12,' calm/study.csv || fail "rows of study.csv"
# Rows hold what the run has left: a column of the last row of its history.
crack_length=$(tail -1 calm/run_0007/history.csv | cut -d, -f 15)
in_table=$(grep '^run_0007,' calm/study.csv | cut -d, -f 10)
awk -v a="$crack_length" -v b="$in_table" 'BEGIN { exit !(a + 0 == b + 0 && a + 0 > 0) }' || fail "crack length of run 7, not $crack_length"
ls calm/*.stderr | grep -qv run_0012 && fail "runs that said nothing left files: $(ls calm)"
[ ! -e calm/run.lock ] || fail "the lock stays"
# Each run is what `cleave run` makes of it.
expect 0 "$cleave" run case.yaml --quiet --output alone --set initial.velocity_gradient.xx=1.6e4 --set mesh.perturbation.seed=7
cmp alone/history.csv calm/run_0007/history.csv || fail "a run differs from one by itself"
# Once more: only the failure is run again. The resolved study is the same one.
touch before
expect 3 "$cleave" sweep calm/study.resolved.yaml
[ "$(find calm -name summary.json -newer before)" = calm/run_0012/summary.json ] || fail "more than the failure is run again"
says "23 of 24 runs are done already"

# Everything killed in the middle, then stopped by a signal, then run to the end.
wait_for() {  # wait_for DIRECTORY N: until N of its runs are done
  for _ in $(seq 2000); do
    [ "$(cat "$1"/*/summary.json 2>/dev/null | grep -c '"status": "done"')" -ge "$2" ] && return
    sleep 0.01
  done
  fail "no $2 runs are done in $1"
}
# The runs that are under way, which for a moment may be none.
find_children() { for _ in $(seq 1000); do children=$(pgrep -P $process) && return; done; }
"$cleave" sweep studies/killed.yaml --quiet 2>/dev/null & process=$!
wait_for killed 4
find_children
kill -KILL $process; kill -KILL $children 2>/dev/null
wait $process 2>/dev/null
for _ in $(seq 200); do kill -0 $children 2>/dev/null || break; sleep 0.01; done
# Killed by itself, it does not leave its runs behind.
"$cleave" sweep studies/killed.yaml --quiet 2>/dev/null & process=$!
wait_for killed 6
find_children
[ -n "$children" ] || fail "no runs to leave behind"
kill -KILL $process
wait $process 2>/dev/null
for _ in $(seq 500); do kill -0 $children 2>/dev/null || break; sleep 0.01; done
! kill -0 $children 2>/dev/null || fail "runs go on without their study"

done_before=$(cat killed/*/summary.json | grep -c '"status": "done"')
[ "$done_before" -lt 20 ] || fail "killed too late: $done_before runs were done"
"$cleave" sweep studies/killed.yaml 2>stderr >stdout & process=$!
wait_for killed $((done_before + 4))
expect 2 "$cleave" sweep studies/killed.yaml
says "is in use by process $process"
"$cleave" sweep studies/killed.yaml --quiet 2>/dev/null; [ $? -eq 2 ] || fail "a second study in the directory"
seen=$(ls -d killed/run_???? | tail -1)
for _ in $(seq 500); do  # until one has just begun; from when its summary says so on, it saves its state
  newest=$(ls -d killed/run_???? | tail -1)
  [ "$newest" != "$seen" ] && grep -qs '"status": "running"' "$newest/summary.json" && break
  sleep 0.01
done
kill -TERM $process; wait $process
code=$?
[ $code -eq 143 ] || fail "exit code $code after SIGTERM"
[ -z "$(pgrep -P $process)" ] || fail "runs go on"
grep -q '"status": "stopped"' killed/*/summary.json || fail "no run was stopped"
grep -q ',stopped,' killed/study.csv && grep -q ',waiting,' killed/study.csv || fail "stopped study: $(cat killed/study.csv)"
expect 0 "$cleave" sweep studies/killed.yaml --dry-run
grep -q 'resumes at step' stdout || fail "nothing to go on with: $(cat stdout)"
expect 3 "$cleave" sweep studies/killed.yaml
same_histories calm killed
diff <(table calm) <(table killed) >&2 || fail "tables differ"

# One run at a time, as an array job does it, two tasks at once.
study parts "$good" >studies/parts.yaml
expect 0 "$cleave" sweep studies/parts.yaml --slurm job.sh
grep -q '^#SBATCH --array=1-24%2$' job.sh && grep -q '^#SBATCH --cpus-per-task=1$' job.sh || fail "array job: $(cat job.sh)"
bash -n job.sh || fail "the array job is no script"
[ ! -e parts ] || fail "--slurm has run something"
expect 2 "$cleave" sweep studies/parts.yaml --slurm ""
says "--slurm: the file to write has no name"
[ ! -e parts ] || fail "--slurm without a name has run something"
expect 0 "$cleave" sweep studies/parts.yaml --slurm some.sh --only 5,1-3
grep -q '^#SBATCH --array=1-3,5%2$' some.sh || fail "array job of some runs: $(cat some.sh)"
SLURM_ARRAY_TASK_ID=3 bash job.sh >/dev/null 2>task & task=$!
expect 0 "$cleave" sweep studies/parts.yaml --only 24,1-2 --quiet
wait $task || fail "the task of an array job: $(cat task)"
[ "$(ls -d parts/run_* | tr '\n' ' ')" = "parts/run_0001 parts/run_0002 parts/run_0003 parts/run_0024 " ] || fail "--only: $(ls parts)"
[ "$(grep -c ',done,' parts/study.csv)" -eq 4 ] && [ "$(grep -c ',waiting,' parts/study.csv)" -eq 20 ] || fail "table of parts: $(cat parts/study.csv)"
[ ! -s stdout ] && [ ! -s stderr ] || fail "--quiet: $(cat stdout stderr)"
grep -q '^run_0024,done,3.5e4,4,' parts/study.csv || fail "the last key varies fastest: $(cat parts/study.csv)"

# Another case in its directories is refused, and named.
before=$(state_of parts)
sed -i 's/3.5e4/3.6e4/' studies/parts.yaml
expect 2 "$cleave" sweep studies/parts.yaml
one_report
says "studies/parts.yaml:8: output.directory: 'parts/run_0024' holds a run of another case: initial.velocity_gradient.xx: was 35000, is 36000"
[ "$before" = "$(state_of parts)" ] || fail "a refused study has written"

# Links and pipes are refused before the study starts, and nothing follows or waits for them.
echo precious >precious
for name in study.csv study.csv.tmp study.resolved.yaml run_0012.stderr run.lock; do
  for kind in link dangling pipe; do
    mkdir strange
    case $kind in
      link) ln -s ../precious strange/$name ;;
      dangling) ln -s ../nowhere strange/$name ;;
      pipe) mkfifo strange/$name ;;
    esac
    expect 2 timeout 60 "$cleave" sweep studies/list.yaml --output strange
    one_report
    says "--output: 'strange/$name' is a ${kind/dangling/link}, where a run "
    [ "$(ls strange)" = $name ] || fail "something was touched beside a $kind $name: $(ls strange)"
    rm -r strange
  done
done
[ "$(cat precious)" = precious ] && [ ! -e nowhere ] || fail "a link was followed"
# A link that comes while the study goes on ends it.
sed 's/jobs: 2/jobs: 1/; s/calm/late/' studies/list.yaml >studies/late.yaml
"$cleave" sweep studies/late.yaml --quiet 2>stderr & process=$!
wait_for late 1
ln -s ../precious late/run_0020.stderr
wait $process; code=$?
[ $code -eq 1 ] || fail "exit code $code of a study with a link in its way: $(cat stderr)"
says "late/run_0020.stderr: cannot be written (a link has this name"
[ "$(cat precious)" = precious ] || fail "a link was followed"
[ -z "$(pgrep -P $process)" ] || fail "runs go on"
rm late/run_0020.stderr

# A directory that is moved under a study ends it, whole or in parts, and it goes on when it is back.
for only in "" "--only 1-24"; do
  rm -rf late
  "$cleave" sweep studies/late.yaml --quiet $only 2>stderr & process=$!
  wait_for late 2
  mv late moved
  wait $process; code=$?
  [ $code -eq 1 ] || fail "exit code $code of a study whose directory was moved: $(cat stderr)"
  one_report
  says "late: this directory was moved while the run wrote into it; the results are in '$PWD/moved'; put it back and give the same command again"
  # A run that has just begun may still make its own folder there.
  [ ! -e late/study.csv ] && [ ! -e late/run.lock ] || fail "the study goes on where its directory was: $(ls late)"
  rm -rf late
  [ ! -e moved/run.lock ] || fail "the lock is still in the directory that was moved"
  mv moved late
done
expect 3 "$cleave" sweep studies/late.yaml --quiet
same_histories calm late
rm -r late studies/late.yaml precious

# Values of other kinds, ranges.
cat >studies/kinds.yaml <<'YAML'
case: ../case.yaml
vary:
  mesh.divisions: [[4, 4], [2, 6]]
  cohesive.normal.strength: {from: 1.0e7, to: 1.0e9, count: 3, log: true}
  time.safety: {from: 0.3, to: 0.6, count: 4}
set: {title: "a: b, \"c\""}
YAML
expect 0 "$cleave" sweep studies/kinds.yaml --dry-run
grep -q 'run_0010 .*mesh.divisions=\[4, 4\], cohesive.normal.strength=1000000000, time.safety=0.4$\|run_0010 .*mesh.divisions=\[4, 4\], cohesive.normal.strength=1.0e+09, time.safety=0.4$' stdout ||
  fail "values: $(cat stdout)"
[ "$(grep -c starts stdout)" -eq 24 ] || fail "combinations: $(cat stdout)"

# Wrong studies: one report each, with file, line and key, and nothing written.
before=$(ls -R . | grep -v '^std')
wrong() {  # wrong SAYS LINE...: changes of the study by sed
  local says=$1; shift
  study nowhere "$good" | sed "$@" >studies/wrong.yaml
  expect 2 "$cleave" sweep studies/wrong.yaml
  one_report
  says "$says"
  [ ! -e nowhere ] || fail "written for: $says"
}
wrong 'studies/wrong.yaml:6: combin: unknown key; did you mean "combine"?' 's/^combine/combin/'
wrong 'studies/wrong.yaml:6: combine: expected one of grid, list, found the text "gird"; did you mean "grid"?' 's/combine: grid/combine: gird/'
wrong 'studies/wrong.yaml:6: combine: `list` takes as many values of each key: initial.velocity_gradient.xx has 6, mesh.perturbation.seed has 4' 's/combine: grid/combine: list/'
wrong 'studies/wrong.yaml:3: vary: initial.velocity_gradient.xx: 1.0e4 is given twice' 's/1.5e4/1.0e4/'
wrong 'studies/wrong.yaml:3: vary: runs 2 and 4 have the same values' 's/{from: 1, to: 4}/[1, 2, 1, 2, 5, 6]/; s/2.5e4/1.5e4/; s/combine: grid/combine: list/'
wrong 'studies/wrong.yaml:5: vary.mesh.perturbation.seed.to: must be at least `from`, 1, found 0' 's/to: 4/to: 0/'
wrong 'studies/wrong.yaml:5: vary.mesh.perturbation.seed.log: both ends of a logarithmic range must be > 0' 's/from: 1, to: 4/from: 0, to: 4, count: 3, log: true/'
wrong 'studies/wrong.yaml:5: vary.mesh.perturbation.seed.step: unknown key' 's/to: 4/to: 4, step: 2/'
wrong 'studies/wrong.yaml:5: vary.mesh.perturbation.seed.1: expected a value, found nothing' 's/{from: 1, to: 4}/[1, null]/'
wrong 'studies/wrong.yaml:7: set.output.fields: expected a value, found nothing' 's/^set: {/set: {output.fields, /'
wrong 'studies/wrong.yaml:5: vary.mesh.perturbation.seed: expected a list of values, or a range' 's/{from: 1, to: 4}/3/'
wrong 'studies/wrong.yaml:4: vary.initial.velocity_gradient.xx: expected at least one value' 's/\[1.0e4.*\]/[]/'
wrong 'studies/wrong.yaml:5: --set mesh.perturbation.sead=1: mesh.perturbation.sead: unknown key; did you mean "seed"? [run_0001 and 5 more: ' 's/seed/sead/'
wrong 'studies/wrong.yaml:4: --set initial.velocity_gradient.xx=fast: initial.velocity_gradient.xx: expected a number, found the text "fast" [run_0005 and 3 more: initial.velocity_gradient.xx=fast, mesh.perturbation.seed=1]' 's/1.5e4/fast/'
wrong 'studies/wrong.yaml:7: set.mesh.perturbation.seed: is varied, too' 's/^set: {/set: {mesh.perturbation.seed: 3, /'
wrong 'studies/wrong.yaml:7: set.output.directory: each run has a directory of its own' 's/^set: {/set: {output.directory: x, /'
wrong 'studies/wrong.yaml: case: ' 's/..\/case.yaml/..\/cage.yaml/'
wrong 'cage.yaml: no such file' 's/..\/case.yaml/..\/cage.yaml/'
wrong 'studies/wrong.yaml:9: run.jobs: must be in [1, 1024], found 0' 's/jobs: 2/jobs: 0/'
wrong 'studies/wrong.yaml:9: run.jobs: 2 runs at once for 1 devices' 's/threads: 1/devices: [0]/'
wrong 'studies/wrong.yaml:5: vary.mesh.perturbation.seed.to: more than 9999 values' 's/to: 4/to: 1.0e9/'
wrong 'studies/wrong.yaml: case: required key is missing' '/^case/d'
wrong "studies/wrong.yaml:8: output.directory: 'case.yaml/x' cannot be the output directory" 's/nowhere/case.yaml\/x/'
expect 2 "$cleave" sweep studies/none.yaml
says "studies/none.yaml: no such file"
for only in 0 25 3-2 x 1, ""; do
  expect 2 "$cleave" sweep studies/calm.yaml --only "$only"
  says "--only: expected numbers of runs from 1 to 24 such as 3 or 1,4-6, found"
done
expect 2 "$cleave" sweep studies/calm.yaml --jobs 0
rm -f studies/wrong.yaml
[ "$before" = "$(ls -R . | grep -v '^std')" ] || fail "wrong studies have written: $(ls -R .)"
finish
