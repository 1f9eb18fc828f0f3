# Sourced by tests of mesh files, behind support.sh: a plate that breaks, and what it comes to.

# A plate pulled apart until it breaks, its mesh from $1. Colours of generated quads would give sums another order.
plate() {
  cat <<YAML
mesh: {$1, colouring: welsh_powell}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: stress}
cohesive: {normal: {strength: 20.0e6, energy: 50}, insertion: {every: 5}}
time: {step: 2.0e-8, steps: 600}
initial: {velocity_gradient: {yy: 4.0e3}}
boundary: [{on: bottom, velocity: {y: -20}}, {on: top, velocity: {y: 20}}, {on: left, pressure: 1.0e5}]
output: {fields_every: 0, history_every: 20}
run: {backend: cpu, threads: 1}
YAML
}
# numbers_of CASE: runs it and prints the rows of history.csv, without the names of the columns.
numbers_of() {
  rm -rf results
  "$cleave" run "$1" --quiet --output results >&2 || fail "$1 does not run"
  tail -n +2 results/history.csv
}
