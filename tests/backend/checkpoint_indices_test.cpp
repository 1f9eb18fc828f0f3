/// States that were written wrongly, under a right checksum: every word of a state is replaced in turn. What kernels
/// follow as an index is refused; anything else is a number, which at worst ends the run as such.
#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <cstring>
#include <sstream>
#include <string>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/core/error.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

Model eroding_plate() {
  Model m = breaking_plate(ElementType::t3);
  MaterialCase material = m.materials.front();
  material.law = "j2";
  material.values = {5e6};
  material.erosion.plastic_strain = 1e-3;
  m.set_material(material);
  return m;
}

Model pressed_cracks(ElementType type) {
  Model m = breaking_plate(type);
  m.loads.front().in_cracks = true;
  return m;
}

enum class Found { refused, followed };

/// Loads a state and, if that is taken, goes on with it through a check and what rows and frames need.
Found load_and_go_on(const Model& m, const std::string& state) {
  const auto solver = make_solver(m, 1);
  std::stringstream file(state);
  try {
    solver->load(file);
  } catch (const InputError&) {
    return Found::refused;
  }
  try {
    solver->advance(6);
    solver->history();
    solver->snapshot();
  } catch (const NumericalError&) {  // wrong numbers may be too large, or the body in pieces
  }
  return Found::followed;
}

/// How many words of a state, of every few, are refused when they are replaced.
std::size_t words_refused(const Model& m, const std::string& state, std::int32_t planted, std::size_t stride) {
  std::size_t refused = 0;
  for (std::size_t word = 0; word < state.size() / sizeof planted; word += stride) {
    std::string wrong = state;
    std::memcpy(wrong.data() + word * sizeof planted, &planted, sizeof planted);
    CAPTURE(word, planted);
    if (wrong != state && load_and_go_on(m, wrong) == Found::refused) ++refused;
  }
  return refused;
}

/// Words of a state that kernels follow: nodes of elements, what is behind facets, facets of cohesive elements, their
/// steps, motions of nodes (four in a word).
std::size_t index_words(const Model& m, const HistoryRow& now) {
  const auto elements = static_cast<std::size_t>(m.mesh.element_count());
  const auto nodes = static_cast<std::size_t>(now.nodes), cohesive = static_cast<std::size_t>(now.cohesive_elements);
  return m.mesh.elements.size() + 3 * elements + 4 * cohesive + nodes / 4 * 2;
}
/// Words that must be zero, in the place of slots of elements and nodes, and those with the flags of nodes.
std::size_t words_without_slots(const Model& m, const HistoryRow& now) {
  return m.assembly == Assembly::gather ? m.mesh.elements.size() + 2 * static_cast<std::size_t>(now.nodes) : 0;
}

}  // namespace

TEST_CASE("an index of a checkpoint that is out of range is refused before its use", "[solver][checkpoint]") {
  const int which = GENERATE(0, 1, 2, 3, 4);
  Model m = which == 0   ? breaking_plate(ElementType::t6)
            : which == 1 ? eroding_plate()
            : which == 4 ? breaking_plate(ElementType::t3, true)
                         : pressed_cracks(which == 3 ? ElementType::t6 : ElementType::t3);
  if (which == 2) m.assembly = Assembly::coloured;
  if (which == 3) {
    m.kinematics = Kinematics::finite;
    for (MaterialCase& material : m.materials) material.law = "neo_hookean";
  }
  CAPTURE(which);
  const auto solver = make_solver(m, 1);
  solver->advance(60);
  const std::string state = state_of(*solver);
  const HistoryRow now = solver->history();
  REQUIRE(now.cohesive_elements > 5);
  CHECK(load_and_go_on(m, state) == Found::followed);
  CHECK(load_and_go_on(m, state + '\0') == Found::refused);
  CHECK(load_and_go_on(m, state.substr(0, state.size() - 1)) == Found::refused);
  CAPTURE(state.size() / 4);
#if defined(CLEAVE_TEST_CUDA)
  constexpr std::size_t few = 41;
#else
  constexpr std::size_t few = 7;
  CHECK(words_refused(m, state, INT_MAX, 1) >= index_words(m, now) + words_without_slots(m, now));
#endif
  for (const std::int32_t planted : {-1, INT_MIN, 1 << 20}) CHECK(words_refused(m, state, planted, few) > 0);
}

TEST_CASE("an index of a checkpoint that leads to another place is refused", "[solver][checkpoint]") {
  const Model m = breaking_plate(GENERATE(ElementType::t3, ElementType::t6));
  const auto solver = make_solver(m, 1);
  solver->advance(60);
  const std::string state = state_of(*solver);
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < 4; ++begin) {  // arrays of bytes lie before those of indices
    std::size_t refused = 0;
    for (std::size_t at = begin; at + 4 <= state.size(); at += 4) {
      std::int32_t value = 0;
      std::memcpy(&value, state.data() + at, sizeof value);
      if (value == 0 || value > 2000 || value < -2000) continue;  // no index of so small a body
      std::string wrong = state;
      value += value > 0 ? 1 : -1;
      std::memcpy(wrong.data() + at, &value, sizeof value);
      refused += load_and_go_on(m, wrong) == Found::refused;
    }
    most = std::max(most, refused);
  }
  const auto cohesive = static_cast<std::size_t>(solver->history().cohesive_elements);
  const std::size_t nodes_and_facets = m.mesh.elements.size() + m.mesh.neighbours.size() + 2 * cohesive;
  CHECK(most > 9 * nodes_and_facets / 10);
}

TEST_CASE("flags of nodes without what they stand for are refused", "[solver][checkpoint]") {
  const Model m = breaking_plate(ElementType::t3);
  const auto solver = make_solver(m, 1);
  solver->advance(60);
  const std::string state = state_of(*solver);
  REQUIRE(solver->history().cohesive_elements > 5);
  constexpr std::uint64_t held = std::uint64_t{1} << 48;  // NodeAssembly of a node with a prescribed motion
  std::size_t found = 0;
  for (std::size_t at = 0; at + sizeof held <= state.size(); ++at) {
    std::uint64_t record = 0;
    std::memcpy(&record, state.data() + at, sizeof record);
    if (record != held) continue;
    ++found;
    for (const std::uint64_t flag : {1, 2, 8}) {  // not held; forces from outside, several materials: it has neither
      const std::uint64_t with = held ^ flag << 48;
      std::string wrong = state;
      std::memcpy(wrong.data() + at, &with, sizeof with);
      CAPTURE(at, flag);
      CHECK(load_and_go_on(m, wrong) == Found::refused);
    }
  }
  CHECK(found >= 6);  // the left and the right edge
}
