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
says 'note: 1000 threads are more than'

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
