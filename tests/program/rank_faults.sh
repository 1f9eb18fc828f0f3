#!/usr/bin/env bash
# Several ranks and what can go wrong: one says it, all end within a minute, with an exit code; none waits for ever.
# Usage: rank_faults.sh PROGRAM COMPILER
compiler=$2
source "$(dirname "$0")/support.sh"
needs_mpi
run() { "$cleave" run case.yaml --quiet "$@"; }
sed -i 's/divisions: \[8, 8\]/divisions: [16, 16]/' case.yaml
expect 0 run --output plain

# One report, however many ranks meet it; nothing is written.
expect 2 ranks 2 run case.yaml --quiet --output wrong --set material.densty=1
one_report
[ ! -e wrong ] || fail "something is written"
expect 2 ranks 9 run case.yaml --quiet --output wrong
one_report
says "9 ranks for a mesh of 1,024 triangles, which are 8 blocks of 128: start at most 8 ranks"
expect 2 ranks 2 run case.yaml --quiet --output wrong --set run.assembly=coloured
one_report
says "run.assembly: coloured works on one rank"
expect 2 ranks 2 run case.yaml --quiet --output wrong --set cohesive.insertion.numbering=counter
one_report
says "cohesive.insertion.numbering: counter works on one rank"
expect 2 ranks 2 run case.yaml --quiet --output plain --set time.steps=3000
one_report
says "a run of another case"
cat >rank_case.sh <<'SH'
#!/usr/bin/env bash
exec "$1" run "case_$OMPI_COMM_WORLD_RANK.yaml" --quiet --output wrong
SH
chmod +x rank_case.sh
cp case.yaml case_0.yaml
sed 's/seed: 1/seed: 2/' case.yaml >case_1.yaml
expect 2 timeout 60 mpirun -n 2 --bind-to none ./rank_case.sh "$cleave"
one_report
says "rank 1: it reads another case or another mesh than rank 0"
# The same case, and a mesh file of the same name that is another one where rank 1 is. It reads the file with contact alone.
for r in 0 1; do
  mkdir rank_$r
  sed 's/^mesh: .*/mesh: {file: \/proc\/self\/cwd\/plate.vtu}\ncontact: {}/; s/steps: 2000/steps: 100/' case.yaml >rank_$r/case.yaml
  expect 0 "$cleave" mesh case_$r.yaml -o rank_$r/plate.vtu
done
cat >rank_mesh.sh <<'SH'
#!/usr/bin/env bash
cd "rank_$OMPI_COMM_WORLD_RANK" && exec "$1" run case.yaml --quiet --output ../wrong
SH
chmod +x rank_mesh.sh
expect 2 timeout 60 mpirun -n 2 --bind-to none ./rank_mesh.sh "$cleave"
one_report
says "rank 1: it reads another case or another mesh than rank 0"
[ ! -e wrong ] || fail "something is written"
cp rank_0/plate.vtu rank_1
expect 0 timeout 60 mpirun -n 2 --bind-to none ./rank_mesh.sh "$cleave"
rm -r wrong
expect 0 "$cleave" mesh case_1.yaml -o rank_1/plate.vtu
sed -i '/^contact/d' rank_[01]/case.yaml
expect 0 timeout 60 mpirun -n 2 --bind-to none ./rank_mesh.sh "$cleave"
rm -r wrong
rm case_1.yaml
expect 2 timeout 60 mpirun -n 2 --bind-to none ./rank_case.sh "$cleave"
one_report
says "rank 1: case_1.yaml"

# A run that fails, and files that cannot be written: as of one rank.
expect 3 run --output failed --set initial.velocity_gradient.xx=-4.0e6
cp stderr one
expect 3 ranks 3 run case.yaml --quiet --output failed_3 --set initial.velocity_gradient.xx=-4.0e6
one_report
diff <(sed 's/failed_3/failed/' stderr | grep '^cleave') <(grep '^cleave' one) || fail "another report of a failed run"
same_results failed failed_3

# start_ranks N DIRECTORY ARGUMENTS...: a run without end, until it writes.
start_ranks() {
  local n=$1 directory=$2; shift 2
  timeout 120 mpirun -n "$n" --bind-to none $cleave run case.yaml --quiet --output "$directory" --set time.steps=200000000 \
    --set output.fields_every=0 --set output.history_every=1 "$@" 2>stderr & process=$!
  for _ in $(seq 3000); do [ -s "$directory/history.csv" ] && break; sleep 0.01; done
}
# has_rows DIRECTORY: waits for some of the history; rows come from all ranks.
has_rows() { for _ in $(seq 3000); do [ "$(wc -l <"$1/history.csv")" -gt 20 ] && break; sleep 0.01; done; }
# rank N: its process.
rank() {
  for p in $(pgrep -P "$(pgrep -P $process)"); do
    grep -qzx "OMPI_COMM_WORLD_RANK=$1" "/proc/$p/environ" && echo "$p"
  done
}
# ends: waits for the run, leaves its exit code in `code`. A minute is all that it may take.
ends() {
  local begin=$SECONDS
  wait $process
  code=$?
  [ $((SECONDS - begin)) -lt 60 ] || fail "it took $((SECONDS - begin)) s to end: $(cat stderr)"
}
# Files that cannot be written any more: all ranks end, and the summary says why.
start_ranks 2 limited
prlimit --fsize=20480 --pid "$(rank 0)"
ends
[ $code -eq 1 ] || fail "exit code $code after history.csv could not be written"
one_report
says 'limited/history.csv: cannot be written'
status_is limited interrupted

# Parts overlap: all of them need more memory than one rank, and more than there is, as a job of Slurm says it.
export SLURM_MEM_PER_NODE=10
for command in run check; do
  expect 2 ranks 2 $command case.yaml --set "mesh.divisions=[64, 64]" --set output.directory=no_memory
  one_report
  says "16,384 triangles need about 11.5 MiB on the 2 ranks of this machine, which has 10.0 MiB; start fewer ranks with more"
  [ ! -e no_memory ] || fail "something is written"
done
expect 0 "$cleave" check case.yaml --set "mesh.divisions=[64, 64]"
unset SLURM_MEM_PER_NODE

# A rank holds what it works on, not the state of all: what it takes for the mesh is at most 2.5 times what `check` says of solver
# memory, which leaves room for its lists and for tables of the whole body.
resident() { sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$(rank "$1")/status"; }
whole_body=(--set "mesh.divisions=[200, 200]" --set initial=)
said=$(ranks 4 check case.yaml "${whole_body[@]}" | sed -n 's/^  rank 1: about \(.*\) MiB,.*/\1/p')
for mesh in small large; do
  [ $mesh = small ] && start_ranks 4 memory_$mesh || start_ranks 4 memory_$mesh "${whole_body[@]}"
  has_rows memory_$mesh
  kib=$(resident 1)
  [ $mesh = small ] && least=$kib
  kill -USR1 "$(pgrep -P $process)"
  ends
done
awk -v r="$kib" -v s="$least" -v m="$said" 'BEGIN { exit !(m > 0 && r > s && r - s <= 2.5 * 1024 * m) }' ||
  fail "rank 1 takes $kib KiB, of a small mesh $least KiB, where check says $said MiB"

# Memory that one rank does not have: for the model, which all make where bodies touch; for its part of the model.
cat >little_memory.sh <<'SH'
#!/usr/bin/env bash
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && ulimit -v "$2"
exec "$1" run case.yaml --quiet --output no_memory --set "mesh.divisions=[400, 400]" "${@:3}"
SH
chmod +x little_memory.sh
no_memory='cleave: rank 1: not enough memory for this case; `cleave check` estimates how much it needs'
expect 1 timeout 60 mpirun -n 2 --bind-to none ./little_memory.sh "$cleave" 220000 --set contact.friction=0
one_report
says "$no_memory"
[ ! -e no_memory ] || fail "something is written"
expect 1 timeout 60 mpirun -n 2 --bind-to none ./little_memory.sh "$cleave" 220000
one_report
says "$no_memory; all ranks end"

# Memory that one rank does not have when it has to insert: all fail alike, and the state is there. Solver memory is refused
# once there, as soon as a file says so: a large piece, as arrays of nodes are, and not the few bytes that a row of history needs.
cat >refuse.cpp <<'CPP'
#include <malloc.h>
#include <unistd.h>
extern "C" void* aligned_alloc(size_t alignment, size_t size) noexcept {
  const bool large = size >= 64 << 10;
  return large && unlink("refuse_now") == 0 ? nullptr : memalign(alignment, size);
}
CPP
"$compiler" -shared -fPIC -o librefuse.so refuse.cpp || fail "no library that refuses memory"
cat >refused.sh <<'SH'
#!/usr/bin/env bash
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export LD_PRELOAD=$PWD/librefuse.so
exec "$@"
SH
chmod +x refused.sh
program=$cleave cleave="./refused.sh $cleave"
start_ranks 2 short --set initial= --set "boundary=[{on: left, fix: [x]}, {on: right, velocity: {x: 0.1}}]"
has_rows short  # by then both have all that they ask for at the start
[ "$(tail -1 short/history.csv | cut -d, -f13)" = 0 ] || fail "it breaks too early to be tested: $(tail -1 short/history.csv)"
touch refuse_now
ends
cleave=$program
[ $code -eq 3 ] || fail "exit code $code after a rank had no memory to insert"
one_report
says 'capacity: no memory on rank 1 for '
status_is short failed
[ -s short/bulk_000001.vtu ] || fail "no frame of the failed state: $(ls short)"

# reason_is DIRECTORY TEXT: what summary.json says of the end.
reason_is() { grep -q "\"reason\": \"$2" "$1/summary.json" || fail "$1/summary.json does not say '$2': $(grep reason "$1/summary.json")"; }

# Memory that a rank does not have for a frame: rank 0 writes down why all end.
cat >refuse_new.cpp <<'CPP'
#include <unistd.h>
#include <cstdlib>
#include <new>
void* operator new(std::size_t size) {
  void* const memory = size >= 1024 && unlink("refuse_now") == 0 ? nullptr : std::malloc(size);
  return memory == nullptr ? throw std::bad_alloc() : memory;
}
CPP
"$compiler" -shared -fPIC -o librefuse.so refuse_new.cpp || fail "no library that refuses memory"
cleave="./refused.sh $cleave"
start_ranks 2 worded --set output.fields_every=5000
has_rows worded
touch refuse_now
ends
cleave=$program
[ $code -eq 1 ] || fail "exit code $code after a rank had no memory for a frame"
one_report
says 'cleave: rank 1: not enough memory for this case'
status_is worded interrupted
reason_is worded 'rank 1: not enough memory for this case'

# A rank that dies takes the others with it, with a message: whichever it is. Rank 0 writes down which one it was.
for who in 0 1; do
  start_ranks 3 killed_$who
  has_rows killed_$who
  kill -KILL "$(rank $who)"
  ends
  [ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code after rank $who was killed"
  grep -q "process rank $who .* signal 9" stderr || fail "no message of rank $who that was killed: $(cat stderr)"
done
status_is killed_1 interrupted
reason_is killed_1 'rank 1 died'
[ "$(sed -n 's/.*"steps_done": \(.*\),/\1/p' killed_1/summary.json)" -gt 0 ] || fail "no steps in killed_1/summary.json"
# Nobody can when it was rank 0. What is there is an unfinished run, as after any crash: the next run of the case takes its place.
status_is killed_0 running
ln killed_0/history.csv old_history.csv
start_ranks 3 killed_0
for _ in $(seq 3000); do [ killed_0/history.csv -ef old_history.csv ] || break; sleep 0.01; done
kill -USR1 "$(pgrep -P $process)"
ends
[ $code -eq 138 ] || fail "exit code $code of a run in the place of one that was killed: $(cat stderr)"
status_is killed_0 stopped

# A rank that is stopped, as it stands or because its machine hangs, is named by those that wait for it.
export CLEAVE_PATIENCE=2
for who in 0 1; do
  start_ranks 3 silent_$who
  kill -STOP "$(rank $who)"
  ends
  [ $code -eq 1 ] || fail "exit code $code after rank $who was stopped"
  one_report
  says "cleave: rank $who has not answered for 2 s; all ranks end"
  status_is silent_$who interrupted
  reason_is silent_$who "rank $who has not answered for 2 s"
done
# One that takes its time is waited for.
cp case.yaml case_1.yaml
rm case_0.yaml
mkfifo case_0.yaml
(sleep 4; cat case.yaml) >case_0.yaml &
expect 0 timeout 60 mpirun -n 2 --bind-to none ./rank_case.sh "$cleave"
same_results plain wrong
# All of them stopped for longer than that, and gone on with: nobody takes the others for dead.
start_ranks 3 suspended
everybody=$(for who in 0 1 2; do rank $who; done)
kill -STOP $everybody
sleep 4
kill -CONT $everybody
sleep 1
kill -USR1 "$(pgrep -P $process)"
ends
[ $code -eq 138 ] || fail "exit code $code after all ranks were suspended: $(cat stderr)"
unset CLEAVE_PATIENCE

# A signal that mpirun passes on stops all; the state is saved.
start_ranks 3 stopped
kill -USR1 "$(pgrep -P $process)"
ends
[ $code -eq 138 ] || fail "exit code $code after SIGUSR1"
status_is stopped stopped
ls stopped/checkpoint_*.bin >/dev/null || fail "no checkpoint after SIGUSR1"

finish
