#!/usr/bin/env bash
# What `cmake --install` puts under a prefix is enough for a program of one's own: docs/examples/library is built with it and
# gives the energies of `cleave run`.
#
# Usage: library.sh PROGRAM REPOSITORY CMAKE COMPILER BUILD
source "$(dirname "$0")/support.sh"
repository=$2 cmake=$3 compiler=$4 build=$5

expect 0 "$cmake" --install "$build" --prefix "$work/prefix"
expect 0 prefix/bin/cleave --version

# Headers include each other and those of the system, and nothing that stays behind.
headers=$(find prefix/include -name '*.hpp' | wc -l)
[ "$headers" -ge 80 ] || fail "only $headers headers are installed"
while IFS=: read -r header name; do
  [ -f "prefix/include/$name" ] || fail "$header includes $name, which is not installed"
done < <(grep -ro '^ *# *include *"[^"]*"' prefix/include | sed 's/: *# *include *"\(.*\)"/:\1/')
grep -rqF "$repository" prefix/include prefix/lib*/cmake && fail "what is installed names the sources"

cp -r "$repository/docs/examples/library" example
expect 0 "$cmake" -S example -B made -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release
expect 0 "$cmake" --build made

expect 0 made/run_case case.yaml
cp stdout said
expect 0 "$cleave" run case.yaml --quiet
# Columns of history.csv: 1 step, 3 kinetic energy, 8 dissipated energy, 16 fragments.
awk -F, 'NR > 1 && $1 > 0 && $1 % 500 == 0 {printf "%10d %12.6e J %12.6e J %8d\n", $1, $3, $8, $16}' out/history.csv >expected
[ "$(wc -l <expected)" -eq 4 ] || fail "history.csv has not the rows that the example prints"
awk 'NR > 2 {printf "%10d %12s J %12s J %8d\n", $1, $4, $6, $8}' said | diff expected - >&2 || fail "the example has other energies"

# The same program with fields and kernels of its own.
cp -r "$repository/docs/examples/own_kernel" own_kernel && mkdir -p library && cp "$repository/docs/examples/library/run_case.cpp" library/
expect 0 "$cmake" -S own_kernel -B made_with -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release
expect 0 "$cmake" --build made_with
{ cat case.yaml; echo 'processes: [{law: heat, heat_capacity: 1000, conductivity: 0.2}]'; } >heat.yaml
expect 0 made_with/own_kernel heat.yaml
diff said stdout >&2 || fail "heat changes the body"
expect 1 made/run_case heat.yaml
says 'processes: this program has no processes of your own'

expect 2 made/run_case
expect 1 made/run_case absent.yaml
says 'run_case: '
finish
