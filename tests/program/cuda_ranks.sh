#!/usr/bin/env bash
# Runs of several ranks on CUDA devices: the same files as of one, and as of the CPU. One device does, which the ranks
# share here; they take turns on it, so that a step takes milliseconds.
# Usage: cuda_ranks.sh PROGRAM
source "$(dirname "$0")/support.sh"
needs_mpi
"$cleave" info | grep -q '^device 0' || not_tested "$("$cleave" info | tail -1)"
on_device=(--backend cuda --set "run.devices=[0, 0, 0, 0]")
run() { "$cleave" run case.yaml --quiet "$@"; }
# same_as_one NAME RANKS ARGUMENTS...: the results of the CPU and those of each of the numbers of RANKS on the device, by each of
# the transports. Where there are two devices, two ranks exchange by NCCL, too.
transports=peer
devices=$("$cleave" info | grep -c '^device [0-9]')
# NCCL wants a device for each rank.
by_nccl=false
if [ "$devices" -ge 2 ] && "$cleave" info | grep -q '^NCCL [0-9]'; then by_nccl=true; else echo "NCCL is not tested: it needs two devices"; fi
same_as_one() {
  local name=$1 numbers=$2; shift 2
  expect 0 run --output "$name" "$@"
  if $by_nccl && [[ " $numbers " == *" 2 "* ]]; then
    expect 0 ranks 2 run case.yaml --quiet --output "${name}_nccl" --backend cuda --set "run.devices=[0, 1]" --set run.transport=nccl "$@"
    same_results "$name" "${name}_nccl"
  fi
  for n in $numbers; do
    for transport in $transports; do
      expect 0 ranks "$n" run case.yaml --quiet --output "${name}_$n" "${on_device[@]}" --set run.transport=$transport --force "$@"
      same_results "$name" "${name}_$n"
      grep -q "\"ranks\": $n" "${name}_$n/summary.json" && grep -q '"backend": "cuda"' "${name}_$n/summary.json" ||
        fail "ranks or backend in the summary of ${name}_$n"
    done
  done
}

sed -i 's/divisions: \[8, 8\]/divisions: [16, 16]/; s/steps: 2000/steps: 800/; s/fields_every: 500/fields_every: 400/' case.yaml
transports="peer mpi"
same_as_one plain "2 4"
transports=peer
[ "$(tail -1 plain/history.csv | cut -d, -f13)" -gt 100 ] || fail "too few cracks: $(tail -1 plain/history.csv)"
same_as_one t3 "3" --set mesh.element=T3
same_as_one linear "3" --set cohesive.law=linear
same_as_one single "2" --set run.precision=single
# More facets break at once than ranks tell each other in a step.
same_as_one many "2 3" --set "mesh.divisions=[24, 24]" --set cohesive.insertion.every=60 --set time.steps=300 \
  --set output.history_every=60 --set initial.velocity_gradient.xx=6.0e4 --set initial.velocity_gradient.yy=6.0e4
# So many of one rank, or of some, while the others find none.
mv case.yaml square.yaml
for place in left right bottom top corner middle twice; do
  for element in T3 T6; do
    one_sided_case $place $element >case.yaml
    same_as_one "$place$element" "2 3 4"
  done
done
mv square.yaml case.yaml
# So many elements that nodal stresses are added up only when a stress is near the strength.
same_as_one large "2" --set "mesh.divisions=[190, 190]" --set time.steps=150 --set output.history_every=50 \
  --set initial.velocity_gradient.xx=6.0e4 --set initial.velocity_gradient.yy=6.0e4
large_cracks=$(cut -d, -f13 large/history.csv | sed -n '2,$p' | tr '\n' ' ')
[[ $large_cracks =~ ^0\ 0\ .*[1-9][0-9][0-9]\ $ ]] || fail "cracks before there was time, or too few: $large_cracks"

# So many elements that ranks give back the memory of what only others need, in whole granules of 2 MiB: with frames and checkpoints,
# and with a law for which neighbours tell what they know of their elements and nodes.
giving=(--set "mesh.divisions=[400, 400]" --set time.steps=150 --set output.history_every=50 --set output.fields_every=60
  --set initial.velocity_gradient.xx=1.5e5 --set initial.velocity_gradient.yy=1.5e5 --set output.checkpoint_every=70)
transports="peer mpi"
same_as_one giving "2 3" "${giving[@]}"
transports=peer
tail -1 giving/history.csv | awk -F, '$13 == 0 { exit 1 }' || fail "nothing breaks: $(cut -d, -f13 giving/history.csv)"
same_as_one giving_told "2" "${giving[@]}" --set cohesive.law=linear --set "cohesive.rate={reference: 1.0e3, exponent: 0.1}" \
  --set "material.artificial_viscosity={linear: 0.06, quadratic: 1.2}"
rm giving_2/checkpoint_000000140.bin
expect 0 ranks 2 run case.yaml --quiet "${on_device[@]}" --output giving_2 "${giving[@]}" --set run.transport=peer --resume
same_results giving giving_2

# What acts on the body, and what is asked of it.
same_as_one pressure "3" --set "boundary=[{on: left, pressure: 4.0e6}, {on: right, velocity: {x: 5}}, {on: bottom, fix: [y]}]" \
  --set "output.probes=[{name: near, at: [0.001, 0.001]}, {name: far, at: [0.009, 0.009], every: 7}]" \
  --set "output.lines=[{name: across, from: [0, 0.001], to: [0.01, 0.009], points: 20, every: 30}]"
same_as_one finite "3" --set kinematics=finite --set cohesive.friction=0.3 --set material.law=st_venant_kirchhoff \
  --set "boundary=[{on: left, pressure: 4.0e6, follow: true}]"
transports="peer mpi"
same_as_one random "2 3" --set cohesive.insertion.selection=local_maximum --set cohesive.friction=0.3 \
  --set "cohesive.normal.strength={weibull: {scale: 30.0e6, modulus: 6, reference_length: 1.0e-3, seed: 4}}" \
  --set "cohesive.rate={reference: 1.0e3, exponent: 1}" \
  --set "body_force={x: 2.0e4, y: -5.0e4}" --set "boundary=[{on: left, absorb: true}]" \
  --set "material.artificial_viscosity={linear: 0.06, quadratic: 1.2}"
same_as_one touching "2 3" --set "contact={friction: 0.2}"
transports=peer
same_as_one materials "2" --set "mesh.regions={inner: {box: [0.003, 0.003, 0.007, 0.007]}}" \
  --set "material=[{law: linear_elastic, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain},
                   {on: inner, law: j2, young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: strain,
                    yield_stress: 10.0e6, hardening: {linear: 1.0e8}, erosion: {plastic_strain: 0.005}}]" \
  --set initial.velocity_gradient.xx=8.0e3 --set initial.velocity_gradient.yy=8.0e3

mv case.yaml plain.yaml
eroding_case >case.yaml
same_as_one erosion "2 3"
same_as_one erosion_unseen "3" --set output.history_every=1000
mv plain.yaml case.yaml

# Saved by three, gone on with by two, and on the CPU.
expect 0 ranks 3 run case.yaml --quiet "${on_device[@]}" --output saved --set output.checkpoint_every=300
rm saved/checkpoint_000000600.bin
cp -r saved saved_cpu
expect 0 ranks 2 run case.yaml --quiet "${on_device[@]}" --output saved --set output.checkpoint_every=300 --resume
same_results plain saved
expect 0 run --output saved_cpu --set output.checkpoint_every=300 --resume
same_results plain saved_cpu

# More ranks than devices, and what several devices cannot do.
expect 2 timeout 60 mpirun -n $((devices + 1)) --bind-to none "$cleave" run case.yaml --quiet --output wrong --backend cuda
one_report
says "$((devices + 1)) ranks for $devices CUDA device"
expect 2 ranks 2 run case.yaml --quiet "${on_device[@]}" --output wrong --set "run.devices=[0, 0]" --set run.transport=nccl
one_report
says "run.transport: nccl cannot be used: it needs a CUDA device for each rank, and run.devices names one several times"
expect 2 ranks 2 run case.yaml --quiet "${on_device[@]}" --output wrong --set "boundary=[{on: left, pressure: 4.0e6, in_cracks: true}]"
one_report
says "pressure enters cracks (in_cracks) on one CUDA device only"
[ ! -e wrong ] || fail "something is written"

# NCCL by sockets, as between machines.
if $by_nccl; then
  export NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1
  expect 0 ranks 2 run case.yaml --quiet --backend cuda --set "run.devices=[0, 1]" --set run.transport=nccl --output plain_sockets
  same_results plain plain_sockets
  unset NCCL_P2P_DISABLE NCCL_SHM_DISABLE
fi

# A rank that dies takes the others with it.
for transport in peer mpi; do
  timeout 120 mpirun -n 3 --bind-to none "$cleave" run case.yaml --quiet --output killed_$transport "${on_device[@]}" \
    --set run.transport=$transport --set time.steps=200000000 --set output.fields_every=0 2>stderr & process=$!
  for _ in $(seq 3000); do [ -s killed_$transport/history.csv ] && break; sleep 0.01; done
  rank0=$(grep -o '[0-9]*' killed_$transport/run.lock | head -1)
  kill -KILL "$(pgrep -P "$(pgrep -P $process)" | grep -vx "$rank0" | tail -1)"
  wait $process
  code=$?
  [ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code after a rank was killed, with $transport"
done

finish
