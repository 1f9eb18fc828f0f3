#!/usr/bin/env bash
# Runs of several ranks: the same files as of one, whatever the case; one reports what is wrong; none waits for ever.
# Usage: ranks.sh PROGRAM
source "$(dirname "$0")/support.sh"
needs_mpi
run() { "$cleave" run case.yaml --quiet "$@"; }

# same_as_one NAME RANKS ARGUMENTS...: the results of one rank, and those of each of the numbers of RANKS.
same_as_one() {
  local name=$1 numbers=$2; shift 2
  expect 0 run --output "$name" "$@"
  for n in $numbers; do
    expect 0 ranks "$n" run case.yaml --quiet --output "${name}_$n" "$@"
    same_results "$name" "${name}_$n"
    grep -q "\"ranks\": $n" "${name}_$n/summary.json" || fail "ranks in the summary of ${name}_$n"
  done
}

# 1,024 triangles are 8 blocks. They break into fragments.
sed -i 's/divisions: \[8, 8\]/divisions: [16, 16]/' case.yaml
sed -i 's/fields_every: 500/fields_every: 1000/' case.yaml
same_as_one plain "1 2 3 4 8"
[ "$(tail -1 plain/history.csv | cut -d, -f16)" -gt 10 ] || fail "too few fragments: $(tail -1 plain/history.csv)"
same_as_one t3 "2 8" --set mesh.element=T3
same_as_one linear "2 3" --set cohesive.law=linear
same_as_one exponential "3" --set cohesive.law=exponential --set mesh.numbering=as_given
same_as_one single "2" --set run.precision=single
same_as_one threads "2" --threads 2

# More facets break at once than ranks tell each other in a step.
many=(--set "mesh.divisions=[24, 24]" --set cohesive.insertion.every=60 --set time.steps=300 --set output.history_every=60
  --set initial.velocity_gradient.xx=6.0e4 --set initial.velocity_gradient.yy=6.0e4)
same_as_one many "3" "${many[@]}"
awk -F, 'NR > 1 && $13 - before > 1000 { found = 1 } { before = $13 } END { exit !found }' many/history.csv ||
  fail "too few facets break at once: $(cut -d, -f13 many/history.csv)"

# What acts on the body, and what is asked of it.
same_as_one pressure "2 4" --set "boundary=[{on: left, pressure: 4.0e6}, {on: right, velocity: {x: 5}}, {on: bottom, fix: [y]}]" \
  --set "output.probes=[{name: near, at: [0.001, 0.001]}, {name: far, at: [0.009, 0.009], every: 7}]" \
  --set "output.lines=[{name: across, from: [0, 0.001], to: [0.01, 0.009], points: 20, every: 30}, {name: wall, on: top, points: 9, every: 7}]"
same_as_one finite "3" --set kinematics=finite --set cohesive.friction=0.3 --set material.law=st_venant_kirchhoff --set "boundary=[{on: left, pressure: 4.0e6, follow: true}]"
same_as_one random "3" --set cohesive.insertion.selection=local_maximum --set cohesive.friction=0.3 \
  --set "cohesive.normal.strength={weibull: {scale: 30.0e6, modulus: 6, reference_length: 1.0e-3, seed: 4}}" \
  --set "cohesive.rate={reference: 1.0e3, exponent: 0.1}" \
  --set "body_force={x: 2.0e4, y: -5.0e4}" --set "boundary=[{on: left, absorb: true}]" \
  --set "material.artificial_viscosity={linear: 0.06, quadratic: 1.2}"
# Pressure that enters cracks, across the parts of several ranks; saved by three and gone on with by two.
gas=(--set "boundary=[{on: left, pressure: 4.0e6, in_cracks: true}, {on: top, pressure: 2.0e6, in_cracks: true}]")
same_as_one gas "2 4 8" "${gas[@]}"
expect 0 run --output no_gas --set "boundary=[{on: left, pressure: 4.0e6}, {on: top, pressure: 2.0e6}]"
! cmp -s gas/history.csv no_gas/history.csv || fail "no pressure enters cracks"
expect 0 ranks 3 run case.yaml --quiet --output gas_saved "${gas[@]}" --set output.checkpoint_every=700
rm gas_saved/checkpoint_000001400.bin
expect 0 ranks 2 run case.yaml --quiet --output gas_saved "${gas[@]}" --set output.checkpoint_every=700 --resume
same_results gas gas_saved
same_as_one materials "2 4" --set "mesh.regions={inner: {box: [0.003, 0.003, 0.007, 0.007]}}" \
  --set "material=[{law: linear_elastic, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain},
                   {on: inner, law: j2, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain,
                    yield_stress: 10.0e6, hardening: {linear: 1.0e8}, erosion: {plastic_strain: 0.005}}]" \
  --set "output.fields=[all, plastic_strain]" --set initial.velocity_gradient.xx=8.0e3 --set initial.velocity_gradient.yy=8.0e3 --set time.steps=800

# Saved by three, gone on with by two, by one, and by four.
expect 0 ranks 3 run case.yaml --quiet --output saved --set output.checkpoint_every=700
cmp plain/history.csv saved/history.csv || fail "history of three ranks that save checkpoints"
mkdir alone
(cd alone && "$cleave" run ../case.yaml --quiet --output saved --set output.checkpoint_every=700)
cmp alone/saved/checkpoint_000001400.bin saved/checkpoint_000001400.bin || fail "a checkpoint of three ranks"
rm saved/checkpoint_000001400.bin
for n in 2 4; do
  cp -r saved "saved_$n"
  expect 0 ranks $n run case.yaml --quiet --output "saved_$n" --set output.checkpoint_every=700 --resume
  same_results plain "saved_$n"
done
expect 0 run --output saved --set output.checkpoint_every=700 --resume
same_results plain saved

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
rm case_1.yaml
expect 2 timeout 60 mpirun -n 2 --bind-to none ./rank_case.sh "$cleave"
one_report
says "rank 1: case_1.yaml"

# What each rank would do, said once.
ranks 3 check case.yaml >stdout 2>stderr || fail "check on three ranks: $(cat stderr)"
[ "$(grep -c '^ranks 3$' stdout)" -eq 1 ] && [ "$(grep -c '^  rank [012]: .* triangles, [12] neighbours, sends ' stdout)" -eq 3 ] ||
  fail "check says of ranks: $(cat stdout)"

# A run that fails, and files that cannot be written: as of one rank.
expect 3 run --output failed --set initial.velocity_gradient.xx=-4.0e6
cp stderr one
expect 3 ranks 3 run case.yaml --quiet --output failed_3 --set initial.velocity_gradient.xx=-4.0e6
one_report
diff <(sed 's/failed_3/failed/' stderr | grep '^cleave') <(grep '^cleave' one) || fail "another report of a failed run"
same_results failed failed_3

# start_ranks N DIRECTORY: a run without end, until it writes. rank0: the process of rank 0, which has the lock.
start_ranks() {
  timeout 120 mpirun -n "$1" --bind-to none "$cleave" run case.yaml --quiet --output "$2" --set time.steps=200000000 \
    --set output.fields_every=0 --set output.history_every=1 2>stderr & process=$!
  for _ in $(seq 3000); do [ -s "$2/history.csv" ] && break; sleep 0.01; done
  rank0=$(grep -o '[0-9]*' "$2/run.lock" | head -1)
}
ends() {
  wait $process
  code=$?
}
# Files that cannot be written any more: all ranks end, and the summary says why.
start_ranks 2 limited
prlimit --fsize=20480 --pid "$rank0"
ends
[ $code -eq 1 ] || fail "exit code $code after history.csv could not be written"
one_report
says 'limited/history.csv: cannot be written'
status_is limited interrupted

# Memory that one rank does not have.
cat >little_memory.sh <<'SH'
#!/usr/bin/env bash
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && ulimit -v 500000
exec "$1" run case.yaml --quiet --output no_memory --set "mesh.divisions=[400, 400]"
SH
chmod +x little_memory.sh
expect 1 timeout 60 mpirun -n 2 --bind-to none ./little_memory.sh "$cleave"
one_report
says "cleave: rank 1: not enough memory for this case; \`cleave check\` tells how much it needs; all ranks end"

# A rank that dies takes the others with it, with a message.
start_ranks 3 killed
kill -KILL "$(pgrep -P "$(pgrep -P $process)" | grep -vx "$rank0" | tail -1)"
ends
[ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code after a rank was killed"
grep -q 'signal 9' stderr || fail "no message of the rank that was killed: $(cat stderr)"

# A signal that mpirun passes on stops all; the state is saved.
start_ranks 3 stopped
kill -USR1 "$(pgrep -P $process)"
ends
[ $code -eq 138 ] || fail "exit code $code after SIGUSR1"
status_is stopped stopped
ls stopped/checkpoint_*.bin >/dev/null || fail "no checkpoint after SIGTERM"

finish
