/// Insertion of cohesive elements by walks and node by node, against counts of components around every original node.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>

#include "backend/backend.hpp"
#include "backend/packed_mesh.hpp"
#include "body/cohesive_rows.hpp"
#include "body/element_mass.hpp"
#include "body/slots_of_sectors.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "fracture/insertion_pass.hpp"
#include "published/stiffness.hpp"
#include "published/walk_insertion.hpp"
#include "reference/topology.hpp"

namespace cleave::insertion_test {

using reference::InteriorFacet;

/// The cut alone: cohesive elements have no law, they only write down when they began.
struct WriteStart {
  static constexpr KernelTraits traits{.name = "no start", .resident_blocks = 6, .lines = 2};
  static constexpr int team_size = 4;
  struct Scratch {};
  Index first_cohesive, count;
  Step step;
  Step* began;  ///< [cohesive]

  CLEAVE_HD void operator()(Index i, Team team, Scratch&) const {
    if (team.first == 0 && i < count) began[first_cohesive + i] = step;
  }
  template <int n>
  CLEAVE_HD void fetch_lines(Index) const {}
};
struct HasBits {
  const std::uint8_t* bits;
  CLEAVE_HD bool operator()(Index i) const { return bits[i] != 0; }
};

/// The ways to insert: walks around the ends of facets, colour by colour; or node by node, in a pass that is run by
/// launches or by one block.
template <class E>
struct Walking {
  using Element = E;
  static constexpr bool node_by_node = false;
};
template <class E>
struct Launched {
  using Element = E;
  static constexpr bool node_by_node = true, one_block = false;
};
template <class E>
struct InBlock {
  using Element = E;
  static constexpr bool node_by_node = true, one_block = true;
};

/// Cuts sets of facets pass by pass, with the kernels of a run in its order.
template <class Way>
class Cutter {
 public:
  using Element = typename Way::Element;
  using Pass = InsertionPass<Element, WriteStart>;
  using ByOneBlock = OneBlockInsertion<Element, WriteStart>;
  static constexpr Step first_step = 700;  ///< of the first pass; each pass takes one

  Cutter(const Mesh& mesh, int threads, bool by_counter)
      : backend_(make_backend(threads)),
        device_(mesh, 3 * mesh.element_count()),
        by_counter_(by_counter),
        node_count_(mesh.node_count()) {
    const std::size_t room = 6 * static_cast<std::size_t>(mesh.element_count()) + mesh.nodes.size();
    position_ = device_.position.download(mesh.nodes.size());
    mass_.resize(room);
    colour_.upload(device_.colouring.colour);
    order_.upload(device_.colouring.order);
    list_.resize(mesh.element_count());
    first_facet_.resize(3 * mesh.element_count());
    began_.resize(3 * mesh.element_count());
    touches_.upload(std::vector<std::uint8_t>(mesh.element_count(), 0));
    counters_.upload({0, 0, 0});
    fault_.upload({FaultRecord{}});
    if (Way::node_by_node) {
      test::list_slots(backend_, device_, gather_, fields_, static_cast<Index>(room));
      intact_ = gather_.assembly.download(node_count_);
      intact_block_entries_ = gather_.block_entries.download(gather_.block_entries.size());
      intact_slots_ = gather_.interface_slots;
      intact_interface_entries_ = gather_.interface_entries.download(intact_slots_);
      live_.upload(std::vector<LiveCounts>(1, LiveCounts{node_count_, 0, gather_.interface_slots, 0, first_step}));
    }
    std::vector<Vec2> u, v, a;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {  // values that name their node
      const double id = static_cast<double>(n);
      u.push_back({id, -id});
      v.push_back({2 * id, -2 * id});
      a.push_back({3 * id, -3 * id});
      x_motion_host_.push_back(motion_of(static_cast<Index>(n), 7));
      y_motion_host_.push_back(motion_of(static_cast<Index>(n), 5));
    }
    position.upload(position_);
    displacement.upload(u);
    velocity.upload(v);
    acceleration.upload(a);
    for (auto* b : {&position, &displacement, &velocity, &acceleration, &internal, &cohesive, &external})
      b->resize(room);
    x_motion_host_.resize(room);
    y_motion_host_.resize(room);
    motion_x.upload(x_motion_host_);
    motion_y.upload(y_motion_host_);
    backend_.launch(ElementMass<Element>{device_.table(), position.data(), test::OfAllElements<Real>(3.0)});
    if (Way::node_by_node) {
      backend_.launch(SetNodeAssembly<Element>{device_.table(), gather_.incidence(), node_count_, motion_x.data(),
                                               motion_y.data(), gather_.assembly.data(), gather_.inverse_mass.data()});
      test::pack(backend_, device_, gather_);
      check_packed();
    } else {
      sum_mass();
    }
  }

  /// The prescribed motion of a node of the mesh along a direction; not every block has nodes with one.
  static std::uint8_t motion_of(Index node, Index motions) {
    return static_cast<std::uint8_t>(node / 128 % 2 == 1 ? node % motions : 0);
  }
  void cut(const std::vector<InteriorFacet>& facets) {
    mark(facets);
    const Index count = static_cast<Index>(facets.size());
    if constexpr (!Way::node_by_node) {
      walk(count);
    } else if constexpr (Way::one_block) {
      constexpr std::size_t most = ByOneBlock::most_facets;
      if (facets.size() > most) {  // in several passes
        const auto middle = facets.begin() + most;
        cut({facets.begin(), middle});
        return cut({middle, facets.end()});
      }
      backend_.launch(one_block(enough_room()));
      CHECK(counters_.download(2) == std::vector<Index>{0, 0});
      finish_pass(count);
    } else {
      gather_.reserve_cut_ends(count);
      pass()
          .numbered(count, cohesive_count_, first_step + passes_)
          .steps(FacetsOfAll{device_.mesh.element_count(), fractured_.data()}, Launches{backend_});
      finish_pass(count);
    }
    for (const InteriorFacet& f : facets) broken_.insert(f.code());
  }

  /// Leaves facets as a check does: their bits, and the elements that have them, in no order.
  void mark(const std::vector<InteriorFacet>& facets) {
    std::vector<std::uint8_t> bits(device_.mesh.element_count(), 0);
    std::vector<Index> found;
    for (const InteriorFacet& f : facets) {
      if (bits[f.a] == 0) found.push_back(f.a);
      bits[f.a] |= static_cast<std::uint8_t>(1 << f.ka);
    }
    fractured_.upload(bits);
    std::mt19937 random(3);
    std::shuffle(found.begin(), found.end(), random);
    counters_.upload({static_cast<Index>(facets.size()), static_cast<Index>(found.size()), 0});
    found_.upload(found);
  }
  /// The insertion of what is marked, by one block.
  ByOneBlock one_block(InsertionRoom room, DeviceGate gate = DeviceGate::always()) {
    gather_.reserve_cut_ends(ByOneBlock::most_facets);
    const FacetCounts found{counters_.data(), counters_.data() + 1};
    return {.all = found,
            .here = found,
            .gate = gate,
            .found = found_.data(),
            .fractured = fractured_.data(),
            .list = list_.data(),
            .room = room,
            .pass = pass()};
  }
  void launch(const ByOneBlock& insertion) { backend_.launch(insertion); }
  InsertionRoom enough_room() {
    return {.nodes = gather_.capacity(), .cohesive = static_cast<Index>(began_.size()), .slots = gather_.slot_room()};
  }
  std::vector<Index> found_counts() const { return counters_.download(2); }
  LiveCounts live() const { return live_.download(1)[0]; }

  Index node_count() const { return node_count_; }
  Index cohesive_count() const { return cohesive_count_; }
  const std::set<int>& broken() const { return broken_; }
  test::HostRows<Element> rows() const { return device_.rows.download(device_.mesh.element_count()); }
  /// All entries of the rows in use, one behind the other.
  std::vector<Index> entries() const {
    auto rows = this->rows();
    std::vector<Index> entries = rows.neighbours;
    for (const ElementNode& n : rows.nodes) entries.insert(entries.end(), {n.node, n.slot.code});
    for (Index c = 0; c < cohesive_count_; ++c)
      for (int side = 0; side < 2; ++side) {
        entries.push_back(rows.cohesive[c].facets[side]);
        for (const Index n : rows.cohesive[c].nodes[side]) entries.push_back(n);
      }
    return entries;
  }
  /// Everything that a pass node by node may change, byte by byte: what is in use, and where scratch may not reach.
  std::vector<unsigned char> bytes() {
    std::vector<unsigned char> all;
    const auto add = [&](auto& buffer, std::size_t count) {
      const auto values = buffer.download(count);
      const auto* first = reinterpret_cast<const unsigned char*>(values.data());
      all.insert(all.end(), first, first + count * sizeof(values[0]));
    };
    const LiveCounts counts = live();
    add(live_, 1);
    add(device_.rows.nodes, device_.rows.nodes.size());
    add(device_.rows.neighbours, device_.rows.neighbours.size());
    add(device_.rows.cohesive, counts.cohesive);
    add(began_, counts.cohesive);
    add(touches_, device_.mesh.element_count());
    add(gather_.assembly, counts.nodes);
    add(gather_.inverse_mass, counts.nodes);
    add(gather_.block_entries, gather_.block_entries.size());
    add(gather_.interface_entries, counts.slots);
    for (auto* nodal : {&position, &displacement, &velocity, &acceleration}) add(*nodal, counts.nodes);
    for (auto* motion : {&motion_x, &motion_y}) add(*motion, counts.nodes);
    return all;
  }
  std::vector<Step> began() const { return began_.download(cohesive_count_); }
  std::vector<Real> mass() const {
    if (!Way::node_by_node) return mass_.download(node_count_);
    std::vector<Real> mass;
    for (const Real inverse : gather_.inverse_mass.download(node_count_)) mass.push_back(1 / inverse);
    return mass;
  }
  std::vector<std::uint8_t> touches() const { return touches_.download(device_.mesh.element_count()); }
  FaultRecord fault() const { return fault_.download(1)[0]; }

  test::Buffer<Vec2> position, displacement, velocity, acceleration, internal, cohesive, external;
  test::Buffer<std::uint8_t> motion_x, motion_y;

 private:
  NodeCopier copier() {
    NodeCopier copier;
    for (auto* copied : {&position, &displacement, &velocity, &acceleration})
      copier.add(copied->data(), 1, Split::copy);
    for (auto* zero : {&internal, &cohesive, &external}) copier.add(zero->data(), 1, Split::zero);
    for (auto* motion : {&motion_x, &motion_y}) copier.add(motion->data(), 1, Split::copy_flagged);
    return copier;
  }

  void walk(Index count) {
    Index* const counters = counters_.data();
    counters_.upload({0, 0, 0});
    backend_.select(order_.data(), device_.mesh.element_count(), list_.data(), counters, HasBits{fractured_.data()});
    const ElementList list{list_.data(), counters_.download(1)[0]};
    list_facets(Launches{backend_}, device_.table(), FacetsOfList{list, fractured_.data()}, first_facet_.data(),
                cohesive_count_);
    test::Buffer<Index> origin, rank;
    const Index slots = Element::facet_nodes * count;
    origin.resize(slots + 1);
    rank.resize(slots + 1);
    auto used = test::filled<Index>(slots + 1, 0);
    const CopySlots copies{node_count_, count, origin.data(), used.data()};
    test::Buffer<Index> offsets;
    offsets.resize(device_.colouring.count + 1);
    backend_.launch(ColourOffsets{device_.colouring.count, list.ids, counters, colour_.data(), offsets.data()});
    for (int c = 0; c < device_.colouring.count; ++c)
      backend_.launch(InsertCohesive<Element>{device_.table(), list, first_facet_.data(), fractured_.data(),
                                              offsets.data(), c, cohesive_count_, copies, fault_.data(), 1});
    number_requests(Launches{backend_}, by_counter_, slots, Entry{used.data()}, rank.data());
    backend_.launch(RenumberCopies<Element>{device_.table(), node_count_, rank.data()});
    backend_.launch(CopyNodes{slots, node_count_, used.data(), rank.data(), origin.data(), copier()});
    cohesive_count_ += count;
    node_count_ += rank.download(slots + 1)[slots];
    sum_mass();
    auto present = test::upload(std::vector<Index>{cohesive_count_});
    backend_.launch(
        RefreshCohesiveRows<Element>{device_.table(), cohesive_count_ + 7, present.data(), touches_.data()});
  }

  /// The pass of a run; its numbers are not filled in.
  Pass pass() {
    return {.split = gather_.split_pass(device_.table(), 0, 0),
            .start = {0, 0, 0, began_.data()},
            .live = live_.data(),
            .nodes = gather_.node_writer(device_.table()),
            .copy = copier(),
            .flags = touches_.data(),
            .first_facet = first_facet_.data(),
            .by_counter = by_counter_};
  }

  void finish_pass(Index count) {
    const Index corners = copies_of(gather_.split_first.download(count + 1)[count]);
    CHECK(corners <= 2 * count + gather_.pinched);
    LiveCounts live = live_.download(1)[0];
    CHECK(live.nodes == node_count_ + corners + (Element::facet_nodes == 3 ? count : 0));
    CHECK(live.cohesive == cohesive_count_ + count);
    node_count_ = live.nodes;
    cohesive_count_ = live.cohesive;
    check_slots(live.slots);
    backend_.launch(gather_.pack_touched(device_.table(), 5));
    CHECK(gather_.touched_counts.download(1)[0].listed == 0);
    check_packed();
    expected_began_.resize(cohesive_count_, first_step + passes_);
    CHECK(began() == expected_began_);
    live.row = ++passes_;  // the next pass is at the next step
    live_.upload({live});
  }

  /// Every element node has one slot of its own, in its node's range, and those of elements that a facet joins follow
  /// each other counter-clockwise, the first after the last.
  void check_slots(Index in_memory) {
    auto rows = this->rows();
    const ElementTable<Element> table = rows.table();
    const auto assembly = gather_.assembly.download(node_count_);
    constexpr Index nobody = -1;
    std::vector<std::vector<Index>> holder;  // [node][slot of its range] element
    for (const NodeAssembly& c : assembly) holder.emplace_back(c.slots, nobody);
    const auto place = [&](Index e, int i) {
      const Index first = assembly[table.node(e, i)].first_slot;
      return table.slot(e, i).position() - (table.slot(e, i).in_block() ? first % slots_per_block<Element> : first);
    };
    bool in_range = true, taken_once = true, in_order = true;
    for (Index e = 0; e < table.bulk; ++e)
      for (int i = 0; i < Element::nodes; ++i) {
        const Index n = table.node(e, i), p = place(e, i);
        const Slot at = table.slot(e, i);
        in_range = in_range && at.in_block() == (n < gather_.first_interface) && at.code < in_memory && p >= 0 &&
                   p < assembly[n].slots;
        if (!in_range) continue;
        taken_once = taken_once && holder[n][p] == nobody;
        holder[n][p] = e;
      }
    REQUIRE(in_range);
    for (Index e = 0; e < table.bulk; ++e)
      for (int i = 0; i < 3; ++i) {
        const Index code = table.neighbour(e, (i + 1) % 3);
        const auto& around = holder[table.node(e, i)];
        in_order = in_order && (!is_intact(code) || around[(place(e, i) + 1) % around.size()] == element_of(code));
      }
    for (const auto& around : holder) taken_once = taken_once && std::count(around.begin(), around.end(), nobody) == 0;
    CHECK(taken_once);
    CHECK(in_order);
    CHECK(in_memory <= gather_.most_slots());
    check_restored(table, holder);
  }

  /// Slots that a resumed run lays out have the elements of each node in the order of this run. No two nodes share one.
  /// @param holder  [node][slot of its range] element
  void check_restored(ElementTable<Element> table, const std::vector<std::vector<Index>>& holder) {
    std::vector<ElementNode> nodes(table.nodes.data,
                                   table.nodes.data + ElementTable<Element>::Nodes::extent(table.bulk));
    for (ElementNode& own : nodes) own.slot = {};
    table.nodes = {nodes.data()};
    std::vector<NodeAssembly> assembly(holder.size());
    Index slots = intact_slots_;
    SlotsOfSectors<Element>(table, assembly, slots)(
        intact_, {intact_block_entries_.data(), intact_interface_entries_.data(), gather_.first_interface});
    CHECK(slots <= gather_.most_slots());
    std::vector<std::vector<Index>> restored;
    std::set<std::pair<bool, Index>> taken;
    for (const NodeAssembly& own : assembly) restored.emplace_back(own.slots, -1);
    bool in_range = true, taken_once = true;
    for (Index e = 0; e < table.bulk; ++e)
      for (int i = 0; i < Element::nodes; ++i) {
        const Index n = table.node(e, i), first = assembly[n].first_slot;
        const Slot at = table.slot(e, i);
        const Index begin_of_block = first / slots_per_block<Element> * slots_per_block<Element>;
        const Index number = at.position() + (at.in_block() ? begin_of_block : 0), p = number - first;
        in_range = in_range && at.in_block() == (n < gather_.first_interface) && p >= 0 && p < assembly[n].slots &&
                   (at.in_block() || number < slots);
        if (!in_range) continue;
        restored[n][p] = e;
        taken_once = taken_once && taken.insert({at.in_block(), number}).second;
      }
    CHECK(in_range);
    CHECK(taken_once);
    CHECK(restored == holder);
  }

  /// In packed blocks every corner of an element has its node and a slot of its own; slots of a node lie in the order
  /// of the block's elements around it: on a device in one bank, on a CPU in layers. Partial forces have the first
  /// places of the node's slots, in the order in which blocks first appear around it. Corners come first, and a block
  /// knows whether an interior node is held.
  void check_packed() {
    using Packed = PackedBlocks<Element>;
    auto rows = this->rows();
    const ElementTable<Element> table = rows.table();
    const auto assembly = gather_.assembly.download(node_count_);
    constexpr bool on_host = test::Buffer<Index>::is_host_memory;
    const auto all_of = [&](const auto& field) {
      return field ? field.download(field.size()) : decltype(field.download(0)){};
    };
    auto words = all_of(gather_.packed_nodes);
    auto ids = all_of(gather_.packed_ids);
    auto slots = all_of(gather_.packed_slots);
    const typename Packed::Words words_of{words.data()};
    const typename Packed::NodeIds ids_of{ids.data()};
    const typename Packed::Slots slots_of{slots.data()};
    auto pairs = gather_.row_pairs.download(gather_.row_pairs.size());
    const auto headers = gather_.headers.download(gather_.headers.size());
    const auto border = gather_.border.download(gather_.border.size());
    const auto layers = gather_.layers.download(gather_.layers.size());
    const BlockRange range = gather_.ranges.front();
    struct Corner {
      int position, slot;
    };
    std::map<std::pair<Index, Index>, std::vector<Corner>> at_node;  // block, node
    std::map<std::pair<Index, Index>, Index> row_of;
    std::set<std::pair<Index, int>> taken;  // block, slot
    std::map<Index, bool> held;             // block
    bool right = true;
    for (Index e = 0; e < table.bulk; ++e)
      for (int k = 0; k < Element::nodes; ++k) {
        const Index block = range.block_of(e), n = table.node(e, k);
        const BlockHeader& header = headers[block];
        const std::uint64_t word = on_host ? 0 : words_of(e, k / Packed::nodes_of_word);
        const auto listed = [&](const BorderRow& r) { return r.node == n; };
        const auto* of_block = border.data() + header.first_border;
        const auto row_of_id = [&](Index id) {
          return id < gather_.first_interface
                     ? id - header.first_node
                     : header.interior +
                           static_cast<int>(std::find_if(of_block, of_block + header.border(), listed) - of_block);
        };
        const int row = on_host ? row_of_id(ids_of(e, k)) : Packed::row(word, k),
                  slot = on_host ? slots_of(e, k) : Packed::slot(word, k);
        const bool interior = row < header.interior, at_corner = k < Element::corners;
        right = right && (interior ? row < header.interior_corners || !at_corner
                                   : on_host || (row - header.interior < header.border_corners) == at_corner);
        held[block] |= interior && assembly[n].flags & constrained_node;
        const int most_slots = header.in_banks ? Packed::slot_room : slots_per_block<Element>;
        right = right && row < header.rows && interior == (n < gather_.first_interface) &&
                n == (interior ? header.first_node + row : border[header.first_border + row - header.interior].node) &&
                taken.insert({block, slot}).second && slot < most_slots &&
                (!header.in_banks || slot % shared_banks == row % shared_banks);
        const Index first = assembly[n].first_slot;
        const Slot at = table.slot(e, k);
        at_node[{block, n}].push_back(
            {at.position() - (at.in_block() ? first % slots_per_block<Element> : first), slot});
        row_of[{block, n}] = row;
      }
    REQUIRE(right);
    std::map<Index, std::array<int, shared_banks>> slots_in_bank;  // block
    for (const auto& [where, corners] : at_node)
      slots_in_bank[where.first][row_of[where] % shared_banks] += static_cast<int>(corners.size());
    for (const auto& [block, any] : held) {
      const auto& in_bank = slots_in_bank[block];
      const bool fits = *std::max_element(in_bank.begin(), in_bank.end()) <= Packed::slots_of_bank;
      right = right && headers[block].constrained == any && headers[block].in_banks == (fits && !on_host);
    }
    REQUIRE(right);
    std::map<Index, std::map<int, Index>> blocks_of;  // node, first position, block
    std::map<Index, bool> out_of_order;               // block
    for (auto& [where, corners] : at_node) {
      const auto [block, n] = where;
      std::sort(corners.begin(), corners.end(), [](Corner a, Corner b) { return a.position < b.position; });
      const BlockHeader& header = headers[block];
      const int row = row_of[where], count = static_cast<int>(corners.size());
      const auto of_row =
          Packed::slots_of(pairs.data() + static_cast<std::size_t>(block) * Packed::pairs_per_block, row);
      if (on_host) {
        const SlotLayers& all = layers[block];
        const bool interior = row < header.interior;
        const SlotLayers::Rows& rows_with = interior ? all.interior : all.border;
        const int place = interior ? of_row.begin : row - header.interior;
        int slot = interior ? place : all.border_begin + place;
        for (int k = 0; k < count; slot += rows_with[k++])
          right = right && corners[k].slot == slot && place < rows_with[k];
        right = right && rows_with[count] <= place && (!interior || !all.in_order || place == row);
        out_of_order[block] |= interior && place != row;
      } else {
        right = right && of_row.count == count;
        for (int k = 0; k < count; ++k) right = right && corners[k].slot == of_row.begin + k * header.stride();
      }
      if (n >= gather_.first_interface) blocks_of[n][corners.front().position] = block;
    }
    for (const auto& [block, any] : out_of_order) right = right && layers[block].in_order == (any ? 0 : 1);
    CHECK(right);
    Index border_rows = 0, partials = 0;
    for (const BlockHeader& header : headers) border_rows += header.border();
    for (const auto& [n, blocks] : blocks_of) {
      Index place = assembly[n].first_slot;
      for (const auto& [where, block] : blocks) {
        const BlockHeader& header = headers[block];
        right = right && border[header.first_border + row_of[{block, n}] - header.interior].place == place++;
      }
      right = right && assembly[n].partials == blocks.size();
      partials += static_cast<Index>(blocks.size());
    }
    CHECK(right);
    CHECK(border_rows == partials);  // no row is left over
  }

#if defined(__CUDACC__)
  static test::Backend make_backend(int) { return test::Backend(); }
#else
  static test::Backend make_backend(int threads) { return test::Backend(threads); }
#endif
  void sum_mass() {
    backend_.launch(Fill<Real>{mass_.data(), node_count_, Real(0)});
    for (int c = 0; c < device_.colouring.count; ++c) {
      const Index begin = device_.colouring.offsets[c], end = device_.colouring.offsets[c + 1];
      backend_.launch(
          NodalMass<Element, ColouredScatter>{device_.table(), {order_.data() + begin, end - begin}, mass_.data()});
    }
  }

  test::Backend backend_;
  test::DeviceMesh<Element> device_;
  bool by_counter_;
  Index node_count_, cohesive_count_ = 0;
  std::vector<NodeAssembly> intact_;  ///< see SlotsOfSectors, as those that follow
  std::vector<Index> intact_block_entries_, intact_interface_entries_;
  Index intact_slots_ = 0;
  std::set<int> broken_;
  std::vector<Vec2> position_;
  std::vector<std::uint8_t> x_motion_host_, y_motion_host_;
  test::Buffer<Real> mass_;
  test::Buffer<int> colour_;
  test::Buffer<Index> order_, list_, first_facet_, found_;
  test::Buffer<Index> counters_;  ///< fractured facets, elements that have them, loaded nodes; or selected
  test::Buffer<std::uint8_t> touches_, fractured_;
  test::Buffer<Step> began_;
  std::vector<Step> expected_began_;
  Index passes_ = 0;
  test::Buffer<FaultRecord> fault_;
  Fields<test::Backend> fields_;
  GatherState<test::Backend, Element> gather_;
  test::Buffer<LiveCounts> live_;
};

/// Every rule of the cut mesh.
template <class Way>
void check(const Mesh& mesh, const std::vector<InteriorFacet>& facets, Cutter<Way>& cutter) {
  using Element = typename Way::Element;
  constexpr int nodes = Element::nodes, per_facet = Element::facet_nodes;
  auto rows = cutter.rows();
  const ElementTable<Element> table = rows.table();
  const auto& broken = cutter.broken();
  const Index elements = mesh.element_count(), count = cutter.node_count();
  REQUIRE(cutter.fault().code == 0);
  REQUIRE(cutter.cohesive_count() == static_cast<Index>(broken.size()));

  // Corners: the node ids distinguish exactly the components.
  const auto component = reference::corner_components(mesh, facets, broken);
  std::map<int, std::set<int>> nodes_of, components_of;  // component -> node ids, and back
  std::map<int, std::set<int>> parts;                    // original node -> components
  for (Index e = 0; e < elements; ++e)
    for (int c = 0; c < 3; ++c) {
      const int part = component[reference::corner_id(e, c)];
      nodes_of[part].insert(table.node(e, c));
      components_of[table.node(e, c)].insert(part);
      parts[mesh.node(e, c)].insert(part);
    }
  bool one_to_one = true, in_range = true;
  for (const auto& [part, ids] : nodes_of) one_to_one = one_to_one && ids.size() == 1;
  for (const auto& [id, ids] : components_of) one_to_one = one_to_one && ids.size() == 1;
  CHECK(one_to_one);
  const int corners = static_cast<int>(nodes_of.size());
  bool original_stays = true;  // one part of every original node keeps its id
  for (const auto& [node, list] : parts) original_stays = original_stays && components_of.count(node) == 1;
  CHECK(original_stays);

  // Mid-sides: shared exactly across unbroken facets.
  std::set<int> used;
  for (Index e = 0; e < elements; ++e)
    for (int i = 0; i < nodes; ++i) {
      in_range = in_range && table.node(e, i) >= 0 && table.node(e, i) < count;
      used.insert(table.node(e, i));
    }
  CHECK(in_range);
  CHECK(static_cast<Index>(used.size()) == count);  // no node is left without an element
  bool mids = true;
  for (const InteriorFacet& f : facets)
    if (per_facet == 3)
      mids = mids && (table.facet_node(f.a, f.ka, 1) != table.facet_node(f.b, f.kb, 1)) == (broken.count(f.code()) > 0);
  CHECK(mids);

  // new nodes = 2 CHZ + chi - chi_0 (T6), CHZ + chi - chi_0 (T3).
  const int interior = static_cast<int>(facets.size()), cuts = static_cast<int>(broken.size());
  const int before = static_cast<int>(parts.size());
  const int dchi = reference::euler(corners, mesh, interior, cuts) - reference::euler(before, mesh, interior, 0);
  CHECK(count - mesh.node_count() == (per_facet == 3 ? 2 : 1) * cuts + dchi);

  // Neighbours and cohesive rows.
  bool twins = true, pairs = true, ids_match = true, touched = true;
  std::set<int> seen;
  const auto position = cutter.position.download(count);
  const auto touches = cutter.touches();
  std::vector<std::uint8_t> should_touch(elements, 0);
  for (Index c = 0; c < cuts; ++c) {
    const Index fa = table.cohesive_facet(c, 0), fb = table.cohesive_facet(c, 1);
    const Index a = element_of(fa), b = element_of(fb);
    should_touch[a] = should_touch[b] = 1;
    twins = twins && a < b && broken.count(fa) && seen.insert(fa).second;
    twins = twins && table.neighbour(a, facet_of(fa)) == cohesive_code(c, 0) &&
            table.neighbour(b, facet_of(fb)) == cohesive_code(c, 1);
    const auto sa = reference::facet_slots(nodes, facet_of(fa)), sb = reference::facet_slots(nodes, facet_of(fb));
    for (int i = 0; i < per_facet; ++i) {
      const Index p = table.cohesive_node(c, 0, i), q = table.cohesive_node(c, 1, i);
      ids_match = ids_match && p == table.node(a, sa[i]) && q == table.node(b, sb[per_facet - 1 - i]);
      pairs = pairs && position[p].x == position[q].x && position[p].y == position[q].y;
      if (per_facet == 3 && i == 1) pairs = pairs && p != q;
    }
  }
  for (const InteriorFacet& f : facets)
    if (!broken.count(f.code()))
      twins = twins && table.neighbour(f.a, f.ka) == facet_code(f.b, f.kb) &&
              table.neighbour(f.b, f.kb) == facet_code(f.a, f.ka);
  CHECK(twins);
  CHECK(ids_match);
  CHECK(pairs);
  touched = touches == should_touch;
  CHECK(touched);

  // What nodes carry came from their original, through any number of copies.
  const auto u = cutter.displacement.download(count), v = cutter.velocity.download(count),
             a = cutter.acceleration.download(count);
  const auto mx = cutter.motion_x.download(count), my = cutter.motion_y.download(count);
  bool inherited = true, zero = true;
  for (Index e = 0; e < elements; ++e)
    for (int i = 0; i < nodes; ++i) {
      const Index n = table.node(e, i), from = mesh.node(e, i);
      const double id = from;
      inherited = inherited && position[n].x == mesh.nodes[from].x && position[n].y == mesh.nodes[from].y;
      inherited = inherited && u[n].x == id && u[n].y == -id && v[n].x == 2 * id && v[n].y == -2 * id;
      inherited = inherited && a[n].x == 3 * id && a[n].y == -3 * id && mx[n] == cutter.motion_of(from, 7) &&
                  my[n] == cutter.motion_of(from, 5);
    }
  for (auto* forces : {&cutter.internal, &cutter.cohesive, &cutter.external}) {
    const auto f = forces->download(count);
    for (Index n = mesh.node_count(); n < count; ++n) zero = zero && f[n].x == 0 && f[n].y == 0;
  }
  CHECK(inherited);
  CHECK(zero);

  // Mass: its total, and every node what its elements give it.
  std::vector<double> expected(count, 0);
  double total = 0, sum = 0;
  for (Index e = 0; e < elements; ++e) {
    const double m = 3 * reference::area(reference::positions(mesh, e));
    total += m;
    for (int i = 0; i < nodes; ++i) expected[table.node(e, i)] += reference::mass_share(nodes, i) * m;
  }
  const auto mass = cutter.mass();
  for (const double m : mass) sum += m;
  // Coordinates are up to 80 edge lengths, so an area from their differences is good to 80 roundings.
  CHECK(sum == Approx(total).epsilon(1e-12));
  CHECK(test::difference(mass, expected) < 1e-12);
}

inline Mesh plain_mesh(ElementType type, int which) {
  switch (which) {
    case 0:
      return rectangle(type, {1, 1}, {1, 1});
    case 1:
      return rectangle(type, {3, 2}, {3, 2});
    case 2:
      return rectangle(type, {6, 4}, {6, 4}, {0, 0}, 3);
    case 3:
      return ring(type, {3, 16}, 1, 2);
    case 4:
      return ring(type, {2, 15}, 1, 2);  // odd: no structured colouring
    default: {
      Mesh mesh = rectangle(type, {20, 14}, {20, 14}, {0, 0}, 5);
      perturb(mesh, 0.2, 3);
      return mesh;
    }
  }
}

/// The mesh in the numbering that the way wants.
template <class Way>
Mesh numbered(Mesh mesh) {
  if (Way::node_by_node) return test::numbered_by_blocks(std::move(mesh));
  return mesh;
}
template <class Way>
Mesh mesh_to_cut(int which) {
  return numbered<Way>(plain_mesh(Way::Element::type, which));
}

}  // namespace cleave::insertion_test

namespace cleave::test {

using namespace insertion_test;

TEMPLATE_TEST_CASE("all interior facets cut at once leave loose elements", "[insertion]", Walking<T3>, Walking<T6>,
                   Launched<T3>, Launched<T6>, InBlock<T3>, InBlock<T6>) {
  const int which = GENERATE(0, 1, 2, 3, 4, 5);
  const bool by_counter = GENERATE(false, true);
  const Mesh mesh = mesh_to_cut<TestType>(which);
  const auto facets = reference::interior_facets(mesh);
  Cutter<TestType> cutter(mesh, 2, by_counter);
  cutter.cut(facets);
  CHECK(cutter.node_count() == TestType::Element::nodes * mesh.element_count());
  CHECK(cutter.cohesive_count() == static_cast<Index>(facets.size()));
  check<TestType>(mesh, facets, cutter);
}

TEMPLATE_TEST_CASE("random facets are cut in several passes", "[insertion]", Walking<T3>, Walking<T6>, Launched<T3>,
                   Launched<T6>, InBlock<T3>, InBlock<T6>) {
  const int which = GENERATE(0, 1, 2, 3, 4, 5);
  const bool by_counter = GENERATE(false, true);
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
  const Mesh mesh = mesh_to_cut<TestType>(which);
  const auto facets = reference::interior_facets(mesh);
  auto waiting = facets;
  std::mt19937 random(100 * seed + which);
  for (std::size_t i = waiting.size(); i > 1; --i) std::swap(waiting[i - 1], waiting[random() % i]);
  Cutter<TestType> cutter(mesh, 2, by_counter);
  // A few, some, many, the rest: early passes make slits, late ones set fragments free.
  for (const double share : {0.05, 0.15, 0.3, 0.5, 1.0}) {
    const std::size_t upto = static_cast<std::size_t>(share * static_cast<double>(facets.size()));
    const std::size_t from = facets.size() - waiting.size();
    if (upto <= from) continue;
    const std::vector<InteriorFacet> now(waiting.end() - static_cast<long>(upto - from), waiting.end());
    waiting.resize(waiting.size() - now.size());
    cutter.cut(now);
    INFO("mesh " << which << ", " << cutter.cohesive_count() << " of " << facets.size() << " facets cut");
    check<TestType>(mesh, facets, cutter);
  }
  CHECK(cutter.node_count() == TestType::Element::nodes * mesh.element_count());
}

TEMPLATE_TEST_CASE("one cut inside is a slit, a cut from the boundary opens there", "[insertion]", Walking<T3>,
                   Walking<T6>, Launched<T3>, Launched<T6>, InBlock<T3>, InBlock<T6>) {
  const Mesh mesh = mesh_to_cut<TestType>(1);
  const auto facets = reference::interior_facets(mesh);
  std::vector<char> at_boundary(mesh.nodes.size(), 0);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (mesh.neighbour(e, k) == boundary_facet)
        at_boundary[mesh.node(e, (k + 1) % 3)] = at_boundary[mesh.node(e, (k + 2) % 3)] = 1;
  constexpr int mid = TestType::Element::facet_nodes == 3 ? 1 : 0;
  for (const InteriorFacet& f : facets) {
    Cutter<TestType> cutter(mesh, 1, false);
    cutter.cut({f});
    const int ends = at_boundary[mesh.node(f.a, (f.ka + 1) % 3)] + at_boundary[mesh.node(f.a, (f.ka + 2) % 3)];
    CHECK(cutter.node_count() == mesh.node_count() + mid + ends);
    check<TestType>(mesh, facets, cutter);
  }
}

TEMPLATE_TEST_CASE("ordered copies have the same ids on every run and for any number of threads", "[insertion]",
                   Walking<T3>, Walking<T6>, Launched<T3>, Launched<T6>, InBlock<T3>, InBlock<T6>) {
  const Mesh mesh = numbered<TestType>(rectangle(TestType::Element::type, {40, 20}, {40, 20}));
  const auto facets = reference::interior_facets(mesh);
  std::vector<InteriorFacet> first, second;
  std::mt19937 random(8);
  for (const auto& f : facets) (random() % 3 == 0 ? first : second).push_back(f);
  second.resize(second.size() / 2);
  std::vector<Index> first_entries;
  for (const int threads : {1, 1, 2}) {
    Cutter<TestType> cutter(mesh, threads, false);
    cutter.cut(first);
    cutter.cut(second);
    check<TestType>(mesh, facets, cutter);
    const auto entries = cutter.entries();
    if (first_entries.empty()) first_entries = entries;
    CHECK(entries == first_entries);
  }
}

TEMPLATE_TEST_CASE("the order of facets does not change the cut", "[insertion]", Walking<T3>, Walking<T6>, Launched<T3>,
                   Launched<T6>, InBlock<T3>, InBlock<T6>) {
  // The same facets in one pass and in one pass each: as many nodes, and equal partitions (checked by `check`).
  const Mesh mesh = mesh_to_cut<TestType>(2);
  const auto facets = reference::interior_facets(mesh);
  std::vector<InteriorFacet> some;
  std::mt19937 random(4);
  for (const auto& f : facets)
    if (random() % 2 == 0) some.push_back(f);
  Cutter<TestType> at_once(mesh, 1, false), one_by_one(mesh, 1, true);
  at_once.cut(some);
  for (auto f = some.rbegin(); f != some.rend(); ++f) one_by_one.cut({*f});
  CHECK(at_once.node_count() == one_by_one.node_count());
  check<TestType>(mesh, facets, at_once);
  check<TestType>(mesh, facets, one_by_one);
}

TEMPLATE_TEST_CASE("a broken neighbour table ends in a report, not in an endless walk", "[insertion]", Walking<T3>,
                   Walking<T6>) {
  // Four elements around a centre node. The walk from element 0 to 1 the other way round passes element 3, whose facets
  // at the centre lead back into itself here.
  Mesh mesh = rectangle(TestType::Element::type, {1, 1}, {1, 1});
  const auto facets = reference::interior_facets(mesh);
  const auto cut = std::find_if(facets.begin(), facets.end(), [](const auto& f) { return f.a == 0 && f.b == 1; });
  REQUIRE(cut != facets.end());
  const auto uses_centre = [&](int c) {
    bool shared = true;
    for (Index e = 0; e < 4; ++e) {
      bool has = false;
      for (int i = 0; i < 3; ++i) has = has || mesh.node(e, i) == mesh.node(3, c);
      shared = shared && has;
    }
    return shared;
  };
  const int centre = uses_centre(0) ? 0 : uses_centre(1) ? 1 : 2;
  for (int k = 0; k < 3; ++k)
    if (k != centre) mesh.neighbours[3 * 3 + k] = facet_code(3, 3 - k - centre);
  Cutter<TestType> cutter(mesh, 1, false);
  cutter.cut({*cut});
  CHECK(cutter.fault().code == static_cast<Index>(FaultCode::endless_walk));
  CHECK(cutter.fault().element == 0);
  CHECK(cutter.fault().step == 1);
}

TEMPLATE_TEST_CASE("a cut may end where two parts touch in a node only", "[insertion]", Walking<T3>, Launched<T3>,
                   InBlock<T3>) {
  // Two pairs of triangles, below and above node 4; the facet between those below breaks.
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = {{-1, -1}, {0, -1.5}, {1, -1}, {1, 1}, {0, 0}, {0, 1.5}, {-1, 1}};
  mesh.elements = {0, 1, 4, 1, 2, 4, 4, 3, 5, 4, 5, 6};
  connect(mesh);
  mesh = numbered<TestType>(mesh);
  const auto facets = reference::interior_facets(mesh);
  REQUIRE(facets.size() == 2);
  // The node that an element has in the middle.
  const auto middle = [&mesh](const ElementTable<T3>& table, Index e) {
    int corner = 0;
    while (mesh.nodes[mesh.node(e, corner)].x != 0 || mesh.nodes[mesh.node(e, corner)].y != 0) ++corner;
    return table.node(e, corner);
  };
  const auto below = std::find_if(facets.begin(), facets.end(), [&](const InteriorFacet& f) {
    return mesh.nodes[mesh.node(f.a, 0)].y + mesh.nodes[mesh.node(f.a, 1)].y + mesh.nodes[mesh.node(f.a, 2)].y < 0;
  });
  REQUIRE(below != facets.end());
  Cutter<TestType> cutter(mesh, 1, false);
  cutter.cut({*below});
  auto rows = cutter.rows();
  const auto table = rows.table();
  const Index a = middle(table, 0), b = middle(table, 1), c = middle(table, 2), d = middle(table, 3);
  CHECK(a != b);
  CHECK(c == d);
  // Node by node all three parts come apart; a walk takes one side of the cut with it and leaves the rest together.
  if (TestType::node_by_node)
    CHECK((a != c && b != c));
  else
    CHECK((a == c) != (b == c));
  CHECK(cutter.node_count() == mesh.node_count() + (TestType::node_by_node ? 3 : 2));
}

/// Facets in a random order, cut into passes of at most that many.
std::vector<std::vector<InteriorFacet>> random_passes(std::vector<InteriorFacet> facets, std::size_t most,
                                                      unsigned seed) {
  std::mt19937 random(seed);
  std::shuffle(facets.begin(), facets.end(), random);
  std::vector<std::vector<InteriorFacet>> passes;
  for (std::size_t first = 0; first < facets.size();) {
    const std::size_t size = std::min<std::size_t>(1 + random() % most, facets.size() - first);
    passes.emplace_back(facets.begin() + static_cast<long>(first), facets.begin() + static_cast<long>(first + size));
    first += size;
  }
  return passes;
}

TEMPLATE_TEST_CASE("launches and one block leave the same bytes", "[insertion]", T3, T6) {
  const int which = GENERATE(0, 1, 2, 3, 4, 5);
  const unsigned seed = GENERATE(1u, 2u);
  const Mesh mesh = mesh_to_cut<Launched<TestType>>(which);
  Cutter<Launched<TestType>> launched(mesh, 2, false);
  Cutter<InBlock<TestType>> in_block(mesh, 2, false);
  const auto before = launched.bytes();
  REQUIRE(before == in_block.bytes());
  for (const auto& facets : random_passes(reference::interior_facets(mesh), 384, seed)) {
    launched.cut(facets);
    in_block.cut(facets);
    REQUIRE(launched.bytes() == in_block.bytes());
  }
  CHECK(launched.bytes() != before);
}

TEMPLATE_TEST_CASE("one block leaves work that exceeds its room or is not due", "[insertion]", T3, T6) {
  const Mesh mesh = mesh_to_cut<InBlock<TestType>>(5);
  const auto facets = reference::interior_facets(mesh);
  REQUIRE(facets.size() > 1000);
  Cutter<InBlock<TestType>> cutter(mesh, 2, false);
  cutter.cut({facets.begin() + 500, facets.begin() + 520});

  // The most that 100 facets may take: with T6 a mid-side each, a copy at both ends, cohesive elements, and slots for
  // all but one of the elements at both ends, of which there are 8 at most on this mesh.
  const Index count = 100, mid_sides = TestType::facet_nodes == 3 ? count : 0;
  const LiveCounts live = cutter.live();
  const InsertionRoom enough{.nodes = live.nodes + mid_sides + 2 * count,
                             .cohesive = live.cohesive + count,
                             .slots = live.slots + mid_sides + 2 * 7 * count};
  const auto set = test::filled<Index>(1, 1), clear = test::filled<Index>(1, 0);
  const auto leaves = [&](Index number, InsertionRoom room, DeviceGate gate = DeviceGate::always()) {
    cutter.mark({facets.begin(), facets.begin() + number});
    const auto before = cutter.bytes();
    const auto found = cutter.found_counts();
    cutter.launch(cutter.one_block(room, gate));
    return cutter.bytes() == before && cutter.found_counts() == found;
  };
  for (Index InsertionRoom::*less : {&InsertionRoom::nodes, &InsertionRoom::cohesive, &InsertionRoom::slots}) {
    InsertionRoom room = enough;
    --(room.*less);
    CHECK(leaves(count, room));
  }
  CHECK(leaves(count, enough, DeviceGate::closed_if(set.data())));
  CHECK(leaves(0, enough));
  CHECK(leaves(385, cutter.enough_room()));
  CHECK_FALSE(leaves(count, enough, DeviceGate::closed_if(clear.data())));
  CHECK(cutter.found_counts() == std::vector<Index>{0, 0});
  CHECK(cutter.live().cohesive == live.cohesive + count);
}

TEST_CASE("groups around a node are runs of its elements", "[insertion]") {
  int checked = 0, wrapped = 0;
  for (int number = 1; number <= 8; ++number)
    for (StarSet joined = 0; joined < StarSet{1} << number; ++joined, ++checked) {
      const auto joins = [&](int position) { return (joined >> position & 1) != 0; };
      const StarSectors groups(joined, number);
      int cuts = 0;
      for (int p = 0; p < number; ++p) cuts += !joins(p);
      REQUIRE(groups.copies() == std::max(cuts - 1, 0));
      if (cuts == 0) continue;
      wrapped += groups.start != 0;
      REQUIRE((groups.start != 0) == joins(number - 1));  // nothing moves that need not
      int next = 0, largest = 0, largest_group = 0;
      groups.for_each([&](int group, int first, int end) {
        REQUIRE((group < cuts && first == next && end > first));
        for (int place = first; place < end; ++place) {  // all joined but the last one
          REQUIRE(groups.position_of(place) == (groups.start + place) % number);
          REQUIRE(joins(groups.position_of(place)) == (place + 1 < end));
        }
        if (end - first > largest) {
          largest = end - first;
          largest_group = group;
        }
        next = end;
      });
      REQUIRE(next == number);
      REQUIRE((groups.kept == largest_group && groups.kept_size() == largest));
    }
  CHECK(checked == 510);
  CHECK(wrapped > 200);
}

}  // namespace cleave::test
