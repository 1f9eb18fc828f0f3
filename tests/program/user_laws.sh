#!/usr/bin/env bash
# CLEAVE_USER_LAWS: the example's laws are found by their path alone, their keys are checked as ours are, and what is wrong
# with a header is said by CMake.
#
# Usage: user_laws.sh PROGRAM REPOSITORY CMAKE COMPILER
source "$(dirname "$0")/support.sh"
repository=$2 cmake=$3 compiler=$4
example=$repository/docs/examples/laws/user_example.hpp

configure() { "$cmake" -S "$repository" -B build -DCLEAVE_CUDA=OFF -DCLEAVE_TESTS=OFF -DCLEAVE_USER_LAWS="$1" >long 2>&1; local code=$?; tr -s " \n" " " <long >log; return $code; }
configure "$example" || fail "the example is refused: $(tail -5 log)"
grep -q 'Material law of a user: cleave::Damage' log || fail "the law is not named: $(cat log)"
grep -q 'Traction law of a user: cleave::RateExponential' log || fail "the traction law is not named: $(cat log)"

# The reader of case files and the solver take their laws from one list.
cat >use.cpp <<'END'
#include "cleave/material/material_laws.hpp"
#include "cleave/material/traction_laws.hpp"
int main() {
  const cleave::MaterialCase c{"damage", {3e9, 0, 1200, cleave::PlaneType::strain}, {1e4, 5e4}, {}};
  const cleave::Damage law = cleave::Damage::make(c);
  cleave::Damage::State state;
  const double strain = 4e-3;  // stores 2.4e4 J/m^3: damage 0.35
  const auto r = law.update({strain, 0, 0, 0}, state, 1e-9);
  const bool right = r.stress.xx > 0.649999 * 3e9 * strain && r.stress.xx < 0.650001 * 3e9 * strain;
  const bool found = cleave::MaterialLaws::find("damage") == cleave::MaterialLaws::count - 1 &&
                     cleave::TractionLaws::find("rate_exponential") == cleave::TractionLaws::count - 1;
  return found && right ? 0 : 1;
}
END
flags="-std=c++20 -I $repository/include -I build/generated"
expect 0 "$compiler" $flags use.cpp -o use
expect 0 ./use
for section in material cohesive; do
  expect 0 "$compiler" $flags -I "$repository/src" -fsyntax-only "$repository/src/case/${section}_section.cpp"
done

# A program beside the ordinary one: its lists have linear elasticity and PPR beside the laws, and those of the ordinary one do not
# change.
"$cmake" -S "$repository" -B beside -DCLEAVE_CUDA=OFF -DCLEAVE_TESTS=OFF -DCLEAVE_FEW_LAWS=ON "-DCLEAVE_LAWS_BESIDE=$example" >log 2>&1 ||
  fail "the example is refused for a second program: $(tail -5 log)"
cat >counts.cpp <<'END'
#include <cstdio>

#include "cleave/material/material_laws.hpp"
#include "cleave/material/traction_laws.hpp"
int main() { std::printf("%d %d\n", static_cast<int>(cleave::MaterialLaws::count), static_cast<int>(cleave::TractionLaws::count)); }
END
for folders in "beside/generated 5 3" "beside/src/with_laws 2 2"; do
  read -r folder materials tractions <<<"$folders"
  expect 0 "$compiler" -std=c++20 -I "$repository/include" -I $folder counts.cpp -o counts
  [ "$(./counts)" = "$materials $tractions" ] || fail "$folder has lists of $(./counts) laws instead of $materials $tractions"
done
"$cmake" --build beside --target help | grep -q 'cleave_with_laws' || fail "there is no second program"
# All parts of its solvers have its lists of laws: those of the library would take the state of a body for another.
for part in "$repository"/src/solvers/*_part.hpp; do
  part=$(basename "$part" _part.hpp)
  [ "$part" != published ] || continue
  for precision in double single; do
    grep -q "kernels_with_laws.*cpu_${part}_$precision.cpp" beside/Makefile beside/src/Makefile \
      beside/src/CMakeFiles/cleave_kernels_with_laws.dir/build.make 2>/dev/null || fail "cleave_with_laws does not compile $part"
  done
done
# What names laws, as far as it is a source of its own, is what that program compiles again.
named=0
for source in $(cd "$repository/src" && find app case model output mesh -name '*.cpp'); do
  "$compiler" $flags -I "$repository/src" -MM "$repository/src/$source" 2>/dev/null | grep -q cleave_user_laws.hpp || continue
  named=$((named + 1))
  grep -q "/$source\"" beside/src/with_laws/with_laws.cpp || fail "$source names laws, and cmake/user_laws.cmake does not say so"
done
[ $named -ge 6 ] || fail "only $named sources name laws"

# The example of an impact says that its law is no part of the ordinary program.
expect 2 "$cleave" check "$repository/docs/examples/laws/plate_impact.yaml"
says 'material.law: expected one of linear_elastic'

# What does not compile is told once, before anything is built, with the header and the first errors. Laws are compiled in
# single precision, too.
# refused NAME WHAT TEXT: the example, changed by sed, is refused with the text.
refused() {
  sed -e "$2" "$example" >"$1.hpp"
  cmp -s "$1.hpp" "$example" && fail "$1: sed changes nothing"
  configure "$work/$1.hpp" && fail "$1: the header is taken"
  [ "$(grep -o 'CMake Error' log | wc -l)" -eq 1 ] || fail "$1: not one report: $(cat log)"
  grep -qF "CLEAVE_USER_LAWS: $work/$1.hpp does not compile:" log || fail "$1: no report of the header: $(cat log)"
  grep -qF -- "$3" log || fail "$1: the report does not say '$3': $(cat log)"
}
refused wrong 's/1 - state.damage;/1 - state.damaged;/' "wrong.hpp:43:"
refused lacks 's/Response update(/Response updated(/' "law.update(g, state, dt)"
refused traction 's/void settle(/void settled(/' "law.settle(point, state)"
refused mixed 's/smaller(Real(0.999)/smaller(0.999/' "mixed.hpp:44:"
refused damps 's/^  LinearElastic elastic;/  double damping_time() const { return 0; }\n&/' "damping_time_is_static_double"
refused alone '/include "cleave.material.user_law.hpp"/d' "alone.hpp:17:"
[ -s build/generated/user_law/errors.txt ] || fail "what the compiler says is not kept"

# Processes are headers of their own: sources of the program, or of the second one alone, which then has all our laws.
heat=$repository/docs/examples/own_kernel/heat.hpp
configure "$example;$heat" || fail "laws and a process are refused: $(tail -5 log)"
grep -q 'Process of a user: cleave::Heat' log && grep -q 'Material law of a user: cleave::Damage' log || fail "not both are named: $(cat log)"
grep -rqs 'heat_single.cpp' build/src/CMakeFiles/cleave.dir/build.make build/build.ninja || fail "the process is no source of the program"
"$cmake" -S "$repository" -B alone -DCLEAVE_CUDA=OFF -DCLEAVE_TESTS=OFF "-DCLEAVE_LAWS_BESIDE=$heat" >log 2>&1 ||
  fail "the process is refused for a second program: $(tail -5 log)"
"$cmake" --build alone --target help | grep -q 'cleave_kernels_with_laws' && fail "kernels are compiled anew for a process"
"$cmake" --build alone --target help | grep -q 'cleave_with_laws' || fail "there is no program with the process"
example=$heat
refused wide 's/\.on = FieldOn::element, .unit = "K"/.on = FieldOn::element, .width = 5, .unit = "K"/; s/\.meaning = "above[^"]*"/.in_frames = true/' "the width of a field is 1 to 4"
refused idle 's/void step(Run/void stepped(Run/' "law.step(run)"
cat "$repository/docs/examples/laws/user_force_example.hpp" <(echo 'CLEAVE_USER_PROCESS(cleave::Heat);') >mixed.hpp
configure "$work/mixed.hpp" && fail "laws and processes in one header are taken"
grep -q 'mixed.hpp has laws and processes: move the processes to a header of their own' log || fail "not said: $(cat log)"

# Fields of its state may be named in `output.fields`.
cat >fields.cpp <<'END'
#include <algorithm>

#include "cleave/case/case.hpp"
int main() {
  const auto& all = cleave::output_fields();
  const bool found = std::find(all.begin(), all.end(), "bulk_damage") != all.end();
  return found && cleave::is_named_only("bulk_damage") && cleave::state_fields().size() == 2 ? 0 : 1;
}
END
expect 0 "$compiler" $flags -I "$repository/src" fields.cpp "$repository/src/case/output_fields.cpp" "$repository/src/case/process_types.cpp" -o fields
expect 0 ./fields
sed "s/bulk_damage/damage/" "$repository/docs/examples/laws/user_example.hpp" >clash.hpp
configure "$work/clash.hpp" || fail "the copy of the example is refused: $(tail -5 log)"
"$compiler" $flags -I "$repository/src" -fsyntax-only "$repository/src/case/output_fields.cpp" 2>stderr &&
  fail "a field with the name of another array compiles"
says 'a material law has a field with the name of another array'

configure "$work/none.hpp" && fail "a header that is not there is taken"
grep -q "CLEAVE_USER_LAWS: there is no file .*none.hpp" log || fail "no report of the header: $(cat log)"
echo '#pragma once' >nothing.hpp
configure "$work/nothing.hpp" && fail "a header without a law is taken"
grep -q "has no line CLEAVE_USER_MATERIAL(type)" log || fail "no report of the missing line: $(cat log)"

finish
