#!/usr/bin/env bash
# The width of vector instructions is nowhere in the results: runs with every instruction set that the program has for
# this machine give the same files.
#
#     instruction_sets.sh CLEAVE
source "$(dirname "$0")/support.sh"

run() { expect 0 env CLEAVE_INSTRUCTIONS="$1" "$cleave" run case.yaml --quiet --output "$2" "${@:3}"; }
sets=()
for set in baseline avx2 avx512; do
  CLEAVE_INSTRUCTIONS=$set "$cleave" info >stdout 2>stderr && sets+=("$set")
done
[ ${#sets[@]} -gt 0 ] || fail "no instruction set works"

# One that the program chooses by itself is among them.
expect 0 env -u CLEAVE_INSTRUCTIONS "$cleave" info
chosen=$(sed -n 's/^vector instructions //p' stdout)
[[ " ${sets[*]} " == *" $chosen "* ]] || fail "cleave info says '$chosen', not one of: ${sets[*]}"
for set in "${sets[@]}"; do
  expect 0 env CLEAVE_INSTRUCTIONS="$set" "$cleave" info
  grep -qx "vector instructions $set" stdout || fail "cleave info does not say $set"
done

# Both elements, laws and precisions; facets break, fail and close; frames of the state, and rows at every other step.
kinds=("mesh.element=T6" "mesh.element=T3" "cohesive.law=linear" "run.precision=single" "mesh.divisions=[7,5]")
for kind in "${kinds[@]}"; do
  for set in "${sets[@]}"; do
    run "$set" "out_$set" --set "$kind" --set output.history_every=2
    [ "$set" = "${sets[0]}" ] || same_results "out_${sets[0]}" "out_$set"
  done
  tail -1 "out_${sets[0]}/history.csv" | awk -F, '$13 == 0 { exit 1 }' || fail "nothing breaks with $kind"
  rm -r out_*
done
echo "compared: ${sets[*]}"

# Another name ends the program and says which there are.
expect 2 env CLEAVE_INSTRUCTIONS=sse9 "$cleave" info
says "environment variable CLEAVE_INSTRUCTIONS is 'sse9'"
says "${sets[0]}"
one_report
expect 2 env CLEAVE_INSTRUCTIONS=sse9 "$cleave" run case.yaml --quiet
says "environment variable CLEAVE_INSTRUCTIONS is 'sse9'"

finish
