#!/usr/bin/env bash
# Contact of the body with itself: pieces that meet again, the same bytes from a second process, two threads and a run that was stopped;
# parts that touch at the start, what is refused, what is warned of.
# Usage: contact.sh PROGRAM
source "$(dirname "$0")/support.sh"
cat >case.yaml <<'YAML'
mesh: {shape: rectangle, size: [0.016, 0.008], divisions: [8, 4], element: T3, thickness: 1.0e-3, perturbation: {amplitude: 0.15, seed: 7}}
material: {law: st_venant_kirchhoff, young_modulus: 3.24e9, poisson_ratio: 0.35, density: 1190}
cohesive: {normal: {strength: 10.0e6, energy: 8}, tangential: {strength: 12.0e6, energy: 11}, insertion: {every: 5}}
contact: {friction: 0.3}
time: {steps: 1500, safety: 0.5}
initial: {velocity_gradient: {xx: 2500, yy: -1000}, origin: [0.008, 0.004]}
boundary: [{on: left, velocity: {x: 0}}, {on: right, velocity: {x: 0}}, {on: bottom, velocity: {y: 0}}, {on: top, velocity: {y: 0}}]
output: {directory: out, fields_every: 500, history_every: 20}
run: {backend: cpu, threads: 1}
YAML
run() { "$cleave" run case.yaml --quiet "$@"; }

expect 0 run
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
         NR > 1 { if ($at["contact_points"] > most) most = $at["contact_points"]
                  if ($at["balance_error"]^2 > worst) worst = $at["balance_error"]^2 }
         END { exit !(most > 20 && worst < 1e-24 && $at["contact_friction_energy"] > 0 && $at["fragments"] > 10) }' out/history.csv ||
  fail "energies: $(tail -1 out/history.csv)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR > 1 && $at["contacts"] > 1 { ++touching } END { exit !(touching > 3) }' out/fragments.csv ||
  fail "fragments that touch others"
! grep -q '"overlap: ' out/summary.json || fail "pieces lie in each other"
expect 0 run --output again --threads 2
same_results out again
expect 0 run --output part --set time.steps=777 --set output.checkpoint_every=777
expect 0 run --output part --resume --threads 2
same_results out part

# What makes no sense: one report each, and nothing is written.
refuses() { # refuses TEXT OPTIONS...
  local text=$1; shift
  expect 2 run --output wrong "$@"
  one_report
  says "$text"
  [ ! -e wrong ] || fail "something is written"
}
refuses 'contact.friction: must be >= 0, found -0.1' --set contact.friction=-0.1
refuses 'contact.penalty: must be > 0, found 0' --set contact.penalty=0
refuses 'contact.on: the mesh has no group "weest"' --set contact.on=[weest]
refuses 'contact.frictoin: unknown key; did you mean "friction"?' --set contact.frictoin=0.1
refuses 'contact: it needs run.assembly: gather, not `coloured`' --set run.assembly=coloured --set material.law=linear_elastic
refuses '`erosion` does not go with `contact`' --set material.law=j2 --set material.yield_stress=1.0e7 --set material.erosion.plastic_strain=0.1

# Bodies that turn need finite strains: told once, by word of contact where there is any.
turns() { run --output turned --force --set material.law=linear_elastic --set boundary= --set cohesive= --set time.steps=100 --set initial=null \
  --set initial.velocity_gradient.xy=-2.0e5 --set initial.velocity_gradient.yx=2.0e5 "$@"; }
expect 0 turns
grep -q '"rotation: .*bodies that grow so touch where they should not: take a law of finite strains' turned/summary.json || fail "no warning of a body that turns"
expect 0 turns --set contact=none
grep -q '"rotation: .*larger ones strain the element"' turned/summary.json || fail "another warning without contact"

# Two blocks of 10 mm in one mesh, of 4 and of 3 rows, the second from X on, pressed together by a strain of 1e-4: they touch, lie nearer
# than nodes may without a name, or lie in each other.
two_blocks() { # two_blocks X
  awk -v from="$1" 'BEGIN {
    split("4 3", rows, " "); start[1] = 0; start[2] = from
    for (b = 1; b <= 2; ++b) {
      first = nodes; n = rows[b]
      for (j = 0; j <= n; ++j) for (i = 0; i <= n; ++i)
        node[nodes++] = sprintf("%.12g %.12g 0", start[b] + 0.01 * i / n, 0.01 * j / n)
      for (j = 0; j < n; ++j) for (i = 0; i < n; ++i) {
        a = first + j * (n + 1) + i + 1; c = a + n + 2
        element[elements++] = "2 2 0 1 " a " " a + 1 " " c
        element[elements++] = "2 2 0 1 " a " " c " " c - 1
      }
    }
    print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes"; print nodes
    for (i = 0; i < nodes; ++i) print i + 1, node[i]
    print "$EndNodes\n$Elements"; print elements
    for (i = 0; i < elements; ++i) print i + 1, element[i]
    print "$EndElements" }' >two.msh
}
cat >two.yaml <<'YAML'
mesh: {file: two.msh, scale: 1, thickness: 1, doubled: [outside],
       groups: {west: {sides: {box: [-1.0e-6, -1, 1.0e-6, 1]}}, east: {sides: {box: [0.0185, -1, 0.021, 1]}}}}
material: {young_modulus: 1.0e9, poisson_ratio: 0, density: 1000}
contact: {}
time: {end: 6.0e-4, safety: 0.2}
curves: {press: {table: [[0, 1], [2.0e-4, 1], [2.2e-4, 0]]}}
boundary: [{on: west, fix: [x]}, {on: east, velocity: {x: -0.01}, curve: press}]
damping: {rate: 5.0e4}
output: {fields_every: 1000000, history_every: 1000}
run: {backend: cpu, threads: 1}
YAML
for place in 0.01 0.0100001 0.0098; do
  two_blocks $place
  expect 0 "$cleave" run two.yaml --quiet --output two --force
  # 2.1 um over 20 mm, and the gap; springs of contact give way a little.
  awk -F, -v gap="$place" 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
    END { gap = gap > 0.01 ? gap - 0.01 : 0; right = 1e7 * (2.1e-6 - gap) / 0.02; reached = $at["reaction_west_x"]
          exit !(reached > 0.95 * right && reached < 1.01 * right && $at["balance_error"]^2 < 1e-24) }' two/history.csv ||
    fail "force between blocks at $place: $(tail -1 two/history.csv)"
  told=$(grep -c '"parts: at the start parts of the body lie in each other by 0.0002 m' two/summary.json)
  [ "$told" -eq "$([ $place = 0.0098 ] && echo 1 || echo 0)" ] || fail "word of an overlap of blocks at $place: $(grep parts two/summary.json)"
done
two_blocks 0.009
expect 2 "$cleave" run two.yaml --quiet --output wrong
one_report
says "overlaps of elements that are too deep for \`contact\`"
finish
