/// Fragments of several ranks on random cuts: their number and names are those of one rank.
#include "fracture/border_fragments.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <numeric>
#include <random>
#include <set>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "fracture/fragment_state.hpp"
#include "reference/topology.hpp"

namespace cleave::test {
namespace {

constexpr Index first_in_body = 1000;  ///< id in the body of the first element of the mesh

/// A rank that computes some elements of a mesh and has all of them.
template <class Element>
struct CountingRank {
  CountingRank(const Mesh& mesh, ElementRange own_elements, Index room) : own(own_elements) {
    state.declare(fields);
    fields.reserve(backend, On::element, mesh.element_count());
    fields.reserve(backend, On::cohesive, room);
    state.start(backend, mesh, own);
    for (Index e = own.begin; e < own.end; ++e)
      for (int k = 0; k < Element::facets; ++k) {
        const Index other = mesh.neighbour(e, k);
        if (other < 0 || own.has(element_of(other))) continue;
        listed.push_back(facet_code(e, k));
        facets.push_back({3 * first_in_body + listed.back(), 3 * first_in_body + other});
      }
    border.upload(listed);
    runs.upload({{first_in_body, 0, mesh.element_count()}});
    labels.resize(1 + listed.size());
  }
  /// Its labels, see LabelBorder.
  /// @param failed  those that this rank has found to fail
  std::vector<Index> count(const ElementTable<Element>& table, const std::vector<std::uint8_t>& failed,
                           const std::uint8_t* flags) {
    auto dead = upload(failed);
    const auto cohesive = static_cast<Index>(failed.size());
    auto present = filled<Index>(1, cohesive), failures = filled<Index>(1, 0);
    const HoldingFacets<Element> holding{table, own, dead.data(), flags};
    if (flags != nullptr) state.mark_all(backend);
    state.count(backend, holding, cohesive, present.data(), {number.data(), failures.data(), false});
    backend.launch(LabelBorder<Element>{.facets = holding,
                                        .border = border.data(),
                                        .listed = static_cast<Index>(listed.size()),
                                        .ids = {runs.data(), 1},
                                        .part = state.part.data(),
                                        .parent = state.of_element.data(),
                                        .fragments = number.data(),
                                        .label = labels.data()});
    return labels.download(labels.size());
  }
  /// The names of the fragments of its elements.
  std::vector<Index> names(const std::vector<FragmentName>& of_border) {
    auto named = upload(of_border);
    state.label(backend);
    backend.launch(NameFragments{
        own, {runs.data(), 1}, named.data(), static_cast<Index>(of_border.size()), state.of_element.data()});
    const std::vector<Index> all = state.of_element.download(own.end);
    return {all.begin() + own.begin, all.end()};
  }

  Backend backend;
  ElementRange own;
  Fields<Backend> fields;
  FragmentState<Backend, Element> state;
  std::vector<Index> listed;
  std::vector<BorderFacet> facets;
  Backend::Buffer<Index> border, labels, number = filled<Index>(1, -7);
  Backend::Buffer<PartRun> runs;
};

}  // namespace

/// A cohesive element fails for the rank of its first element only, as sums ask; eroded elements are known to their
/// rank only.
TEMPLATE_TEST_CASE("several ranks find the fragments of one", "[fragments][ranks]", T3, T6) {
  const bool erodes = GENERATE(false, true);
  const Mesh mesh = rectangle(TestType::type, {24, 10}, {2.4, 1}, {0, 0}, 1);
  const Index elements = mesh.element_count();
  const std::vector<Index> ends{0, elements / 5, elements / 5 + 1, elements / 2, elements};  // no ends of blocks
  const auto facets = reference::interior_facets(mesh);
  const auto room = static_cast<Index>(facets.size());
  std::deque<CountingRank<TestType>> ranks;
  std::vector<std::vector<BorderFacet>> at_borders;
  for (std::size_t r = 0; r + 1 < ends.size(); ++r)
    at_borders.push_back(ranks.emplace_back(mesh, ElementRange{ends[r], ends[r + 1]}, room).facets);
  FragmentBorders borders(at_borders);

  // All facets are cohesive.
  DeviceMesh<TestType> device(mesh, room);
  auto rows = device.rows.download(elements);
  const ElementTable<TestType> host = rows.table();
  for (Index c = 0; c < room; ++c) {
    const auto& f = facets[c];
    host.cohesive_facet(c, 0) = facet_code(f.a, f.ka);
    host.cohesive_facet(c, 1) = facet_code(f.b, f.kb);
    host.neighbour(f.a, f.ka) = cohesive_code(c, 0);
    host.neighbour(f.b, f.kb) = cohesive_code(c, 1);
  }
  device.rows.upload(rows);

  // They fail in a random order, and elements erode.
  std::mt19937 random(17);
  std::vector<std::size_t> order(facets.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::uint8_t> failed(facets.size(), 0), flags(elements, 0);
  std::set<int> open;
  for (std::size_t next = 0; next < order.size();) {
    for (const std::size_t end = std::min(order.size(), next + 1 + next / 4); next < end; ++next) {
      failed[order[next]] = 1;
      open.insert(facets[order[next]].code());
    }
    if (erodes) flags[random() % flags.size()] |= ElementFlag::eroded;
    std::set<int> parted = open;
    for (const auto& f : facets)
      if (flags[f.a] != 0 || flags[f.b] != 0) parted.insert(f.code());
    auto expected = reference::fragments(mesh, facets, parted);
    std::set<int> distinct;
    for (Index e = 0; e < elements; ++e) {
      expected[e] = flags[e] != 0 ? -1 : first_in_body + expected[e];
      if (expected[e] >= 0) distinct.insert(expected[e]);
    }

    std::vector<std::vector<Index>> labels;
    for (auto& rank : ranks) {
      std::vector<std::uint8_t> own_failed(failed.size(), 0), own_flags(elements, 0);
      for (std::size_t c = 0; c < failed.size(); ++c) own_failed[c] = rank.own.has(facets[c].a) ? failed[c] : 0;
      for (Index e = rank.own.begin; e < rank.own.end; ++e) own_flags[e] = flags[e];
      auto eroded = upload(own_flags);
      labels.push_back(rank.count(device.table(), own_failed, erodes ? eroded.data() : nullptr));
    }
    INFO(next << " of " << facets.size() << " facets have failed");
    CHECK(borders.join(labels) == static_cast<Index>(distinct.size()));
    std::vector<Index> names;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const std::vector<Index> of_rank = ranks[r].names(borders.names(static_cast<int>(r)));
      names.insert(names.end(), of_rank.begin(), of_rank.end());
    }
    CHECK(names == std::vector<Index>(expected.begin(), expected.end()));
  }
}

}  // namespace cleave::test
