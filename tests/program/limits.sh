#!/usr/bin/env bash
# What is too long, too large, closed or full: one report each, no crash, no words of a library.
# Usage: limits.sh PROGRAM
source "$(dirname "$0")/support.sh"

# plain: one report, in words of this program.
plain() {
  one_report
  ! grep -qE 'std::|filesystem error|yaml-cpp|vtk[A-Z]|errno|terminate|what\(\)' stderr || fail "raw text: $(cat stderr)"
}
letters() { printf 'x%.0s' $(seq "$1"); }
long=$(letters 300)

# Names and texts.
for arguments in "run case.yaml --output $long" "run case.yaml --output $(printf 'x/%.0s' $(seq 3000))" "run $long.yaml" \
                 "check case.yaml --set title=$(letters 5000)" \
                 "check case.yaml --set boundary=[{on:\ $(letters 5000),fix:\ x}]"; do
  expect 2 "$cleave" $arguments
  plain
  [ ! -e out ] || fail "something is written"
done
expect 1 "$cleave" mesh case.yaml -o "$long.vtu"
plain
expect 2 "$cleave" check case.yaml --set $'title=Ri\xdf'
says 'not text in UTF-8'
plain

# Variables of the environment, whether a command reads them or not.
for wrong in OMP_NUM_THREADS={0,-1,20000,abc,1.5,2x,'1 2','4,','4,x',99999999999999999999} CLEAVE_RESIDENT={2,yes,-1} \
             CLEAVE_INSTRUCTIONS={sse9,AVX2} CLEAVE_PATIENCE={-1,nan,inf,1e9,5s} CLEAVE_OWNER={0,-3,x} COLUMNS={wide,-1} \
             SLURM_MEM_PER_NODE={-1,4X,much} OMPI_COMM_WORLD_SIZE={0,x} PMI_SIZE={0,2.5} SLURM_STEP_NUM_TASKS={0,x}; do
  for command in "check case.yaml" "run case.yaml --threads 1" info; do
    expect 2 timeout 60 env "$wrong" "$cleave" $command
    says "environment variable ${wrong%%=*} is '${wrong#*=}'; unset it, or set it to "
    plain
    [ ! -s stdout ] && [ ! -e out ] || fail "$wrong: something is written"
  done
done
expect 2 env CLEAVE_INSTRUCTION=avx2 "$cleave" check case.yaml
says 'environment variable CLEAVE_INSTRUCTION is not read; did you mean CLEAVE_INSTRUCTIONS?'
for right in OMP_NUM_THREADS={1,2,'2,4','1024',' 2','4, 2 ',''} CLEAVE_RESIDENT={0,1,''} CLEAVE_PATIENCE={0,2.5,1e3,''} COLUMNS={0,80,''} \
             SLURM_MEM_PER_NODE={0,4000,64G,''} CLEAVE_ROOT=/opt/cleave CLEAVE_CUDA=ON; do
  expect 0 timeout 60 env "$right" "$cleave" check case.yaml
done
expect 0 timeout 60 env OMP_NUM_THREADS=1024 "$cleave" run case.yaml --quiet --output threads_of_variable --set run.threads=0 --set time.steps=20

# Inputs without an end, and pipes.
expect 2 timeout 60 bash -c "'$cleave' check <(yes 'a: 1')"
says 'has more than 64000000 bytes'
plain
expect 0 bash -c "'$cleave' check <(cat case.yaml)"
for file in /dev/zero /dev/null /dev/urandom; do
  for command in check run sweep; do
    expect 2 timeout 60 "$cleave" $command $file
    says "$file: is neither a plain file nor a pipe"
    plain
  done
done
# A map of as many keys as lines, each of which is looked for among the others.
{ cat case.yaml; echo curves:; seq -f '  a%.0f: {exponential: 1}' 300000; } >keys.yaml
expect 2 timeout 60 "$cleave" check keys.yaml
says 'more than 10000 keys in a map'
plain
# Control characters of a file's name do not reach the terminal.
expect 2 "$cleave" check $'a\x1b[2Jb.yaml'
! grep -q $'\x1b' stderr || fail "an escape on the terminal"
says 'a?[2Jb.yaml: no such file'

# Aliases that make 2^30 values of a few lines.
{
  echo 'a0: &a0 [1, 1]'
  for i in $(seq 30); do echo "a$i: &a$i [*a$((i - 1)), *a$((i - 1))]"; done
} >bomb.yaml
expect 2 timeout 60 "$cleave" check bomb.yaml
says 'more than 1000000 values'
plain

# Numbers.
for arguments in "bench memory --memory nan" "bench memory --memory inf" "bench memory --memory -1" \
                 "bench step --seconds nan" "bench step --mesh ring:2x2" "bench step --threads 100000" \
                 "run case.yaml --threads 100000" "run case.yaml --set run.threads=100000"; do
  expect 2 "$cleave" $arguments
  plain
done
expect 2 "$cleave" bench step --mesh ring:2x2
says '--mesh ring:2x2: the circumference of a ring needs at least 3 quads, found 2'

# More memory than there is.
expect 2 "$cleave" check case.yaml --set mesh.divisions=[9000,9900] --set mesh.perturbation.amplitude=0
grep -q 'quads need at least' stderr && plain
expect 2 "$cleave" bench step --backend cpu --mesh rectangle:2000000x2000000 --cpu-limit 2000000000
says 'choose fewer'
plain

# Frames that have no room beside each other are written one after the other; a warning says where not even one may have.
frames=(run case.yaml --threads 16 --set mesh.divisions=[160,160] --set time.steps=12 --set output.fields_every=1)
# most_memory COMMAND...: the most that its process had, MiB, in `most`.
most_memory() {
  "$@" >/dev/null 2>stderr & local kib=0 now
  while now=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' /proc/$!/status 2>/dev/null); [ -n "$now" ]; do kib=$now; sleep 0.005; done
  wait $! || fail "exit code $? of $*: $(cat stderr)"
  most=$((kib / 1024))
}
expect 0 "$cleave" "${frames[@]}" --quiet --output enough
SLURM_MEM_PER_NODE=120 expect 0 "$cleave" "${frames[@]}" --output little
says 'warning: memory: a frame takes about'
same_results enough little
if grep -qaE '__[at]san_init' "$cleave"; then
  echo "not tested, as a sanitizer takes memory of its own: frames that fit into it together"
else
  SLURM_MEM_PER_NODE=250 most_memory "$cleave" "${frames[@]}" --output some
  [ "$most" -le 250 ] || fail "$most MiB where 250 are"
  grep -q 'memory: a frame' stderr && fail "a warning without need: $(cat stderr)"
  same_results enough some
fi

# More threads than the system starts, as far as address space is what it lacks; than the machine has.
if grep -qaE '__[at]san_init' "$cleave"; then
  echo "not tested, as a sanitizer takes terabytes of address space: threads that cannot be started"
else
  (failures=0; ulimit -v 3000000; expect 1 "$cleave" run case.yaml --quiet --output threads --threads 1000; says 'threads can be started'
   plain; exit $failures) || fail "threads that cannot be started"
fi
expect 0 "$cleave" check case.yaml --set run.threads=1000
says 'note: 1000 threads exceed the'

# Closed and full standard streams.
expect 1 bash -c "'$cleave' check case.yaml >/dev/full"
says 'cannot be written to the standard output (No space left on device)'
plain
expect 1 bash -c "'$cleave' check case.yaml >&-"
says 'cannot be written to the standard output (Bad file descriptor)'
plain
expect 1 bash -c "'$cleave' run case.yaml --output printed >/dev/full"
plain
status_is printed done
expect 0 bash -c "'$cleave' run case.yaml --quiet --output quiet >&-"
{ sleep 0.3; "$cleave" run case.yaml --output piped 2>&1; echo $? >code; } | true  # whose reader has gone
[ "$(cat code)" -eq 1 ] || fail "exit code $(cat code) of a run whose reader has gone"
status_is piped done
same_results printed piped
same_results printed quiet
for stderr in '&-' /dev/full; do
  rm -rf closed
  expect 0 bash -c "'$cleave' run case.yaml --output closed 2>$stderr"
  same_results printed closed  # nothing that belongs on stderr is in them
  expect 2 bash -c "'$cleave' check absent.yaml 2>$stderr"
done
expect 0 bash -c "'$cleave' run case.yaml --output closed --force <&- >/dev/null 2>&-"
same_results printed closed

# A limit of files' sizes.
for format in vtu vtkhdf; do
  [ $format = vtu ] || "$cleave" check case.yaml --set output.format=vtkhdf >/dev/null 2>&1 || continue
  (failures=0; ulimit -f 20
   expect 1 "$cleave" run case.yaml --quiet --output limited_$format --set output.format=$format
   says 'cannot be written'; plain; exit $failures) || fail "a limit of files' sizes, $format"
  status_is limited_$format interrupted
  # The history meets it first, while a frame that meets it, too, is under way.
  (failures=0; ulimit -f 20
   expect 1 "$cleave" run case.yaml --quiet --output both_$format --set output.format=$format \
     --set output.history_every=1 --set output.fields_every=2000
   says "both_$format/history.csv: cannot be written"; exit $failures) || fail "two files too large, $format"
  status_is both_$format interrupted
done

# Meshes that are no meshes.
printf 'garbage' >garbage.vtu
printf '<?xml version="1.0"?><VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="99999999999999"
NumberOfCells="1"><Points/></Piece></UnstructuredGrid></VTKFile>' >counts.vtu
printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2000000000\n1 0 0 0\n$EndNodes\n' >counts.msh
for mesh in garbage.vtu counts.vtu counts.msh; do
  sed "s/^mesh:.*/mesh: {file: $mesh}/" case.yaml >mesh.yaml
  expect 2 "$cleave" check mesh.yaml
  plain
  [ "$(wc -l <stderr)" -eq 1 ] || fail "more than a line: $(cat stderr)"
done

finish
