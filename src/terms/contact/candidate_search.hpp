/// The search for candidates: its memory and launches.
#pragma once

#include <limits>
#include <stdexcept>

#include "terms/contact/candidates.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums counts without overflow.
struct WideCount {
  const Index* count;
  CLEAVE_HD std::int64_t operator()(Index point) const { return count[point]; }
};

/// Rows of candidates of each point, and of points that each part may serve: the same pairs. Both are rising, and the
/// same whatever the number of threads. Memory grows with the pairs that there are; none is left out.
template <class Backend>
class CandidateSearch {
 public:
  /// Searches anew. Waits for the device.
  /// @param skin  how far from each other two nodes may move until the next search, m
  template <class Surface>
  void build(Backend& backend, const Surface& surface, Real skin) {
    const Index parts = surface.parts(), points = surface.points();
    make_room(parts, points);
    const CellGrid grid = CellGrid::of(backend.reduce(parts, ExtentOfPart<Surface>{surface, skin}, BoxExtent{}));
    backend.launch(CellsOfParts<Surface>{surface, grid, skin, keys_.data(), parts_.data(), boxes_.data()});
    const auto [keys, sorted] = backend.sort_pairs(parts, keys_, parts_, keys_aside_, parts_aside_, grid.key_bits());
    const PartCells<Surface> cells{surface, grid, keys, sorted, boxes_.data()};
    list_rows(backend, cells, points);
    list_points_of_parts(backend, parts);
    list_close(backend, surface, skin, DeviceGate::always(), nullptr);
  }
  /// Keeps the places of parts in a step. Lists the close parts anew, where that is due, and sets `due` when the rows
  /// no longer hold; nothing of the host takes part.
  /// @param due  null: the host searches, and no step begins
  template <class Surface>
  void place_parts(Backend& backend, const Surface& surface, Real skin, DeviceGate gate, Index* due) {
    CloseState* state = due == nullptr ? nullptr : close_state_.data();
    backend.launch(PlaceParts<Surface>{surface, gate, slack_of(skin), {listed_.data()}, state});
    if (due != nullptr) list_close(backend, surface, skin, gate, due);
  }
  /// Makes room for that many parts and points, with the usual number of pairs.
  void make_room(Index parts, Index points) {
    for (auto* buffer : {&keys_, &keys_aside_}) buffer->resize(parts);
    for (auto* buffer : {&parts_, &parts_aside_}) buffer->resize(parts);
    boxes_.resize(parts);
    count_.resize(points);
    first_part_.resize(points + 1);
    first_point_.resize(parts + 1);
    for (auto* places : {&listed_, &searched_}) places->resize(2 * static_cast<std::size_t>(parts));
    close_.resize(points);
    if (close_state_.size() == 0) close_state_.upload({CloseState{}});
    constexpr std::size_t usual_pairs = 8;  // of a point, where surfaces lie on each other
    make_room_for_pairs(usual_pairs * points);
  }
  /// Parts that each point may touch.
  CloseCandidates candidates() { return {{first_part_.data(), part_.data()}, close_.data()}; }
  CloseState* close_state() { return close_state_.data(); }
  /// Points that may touch each part.
  IdRows points_of_parts() const { return {first_point_.data(), point_.data()}; }
  /// Number of pairs of a point and a part.
  Index pairs() const { return pairs_; }

 private:
  /// See is_close. A larger slack makes more parts close, a smaller one lists them more often: with this one, a node
  /// with 0.01 of the wave speed asks for new lists after some twenty steps.
  static constexpr Real slack_of(Real skin) { return Real(0.125) * skin; }
  template <class Surface>
  void list_close(Backend& backend, const Surface& surface, Real skin, DeviceGate gate, Index* due) {
    backend.launch(ListClose<Surface>{.surface = surface,
                                      .candidates = candidates(),
                                      .listed = {listed_.data()},
                                      .searched = {searched_.data()},
                                      .slack = slack_of(skin),
                                      .skin = skin,
                                      .state = close_state_.data(),
                                      .gate = gate,
                                      .due = due});
  }
  template <class Surface>
  void list_rows(Backend& backend, const PartCells<Surface>& cells, Index points) {
    backend.launch(CountCandidates<Surface>{cells, count_.data()});
    const std::int64_t pairs = backend.reduce(points, WideCount{count_.data()}, std::int64_t{0});
    if (pairs > std::numeric_limits<Index>::max() - 1)
      throw std::length_error("contact: more than 2^31 pairs of a point and a side that are near each other");
    pairs_ = static_cast<Index>(pairs);
    backend.exclusive_scan(points + 1, CountOfPoint{count_.data(), points}, first_part_.data());
    // Some more than there are: arrays that move end recordings.
    if (static_cast<std::size_t>(pairs_) > part_.size())
      make_room_for_pairs(static_cast<std::size_t>(pairs_) + pairs_ / 2);
    backend.launch(
        ListCandidates<Surface>{cells, first_part_.data(), part_.data(), pair_part_.data(), pair_point_.data()});
  }
  void list_points_of_parts(Backend& backend, Index parts) {
    // Pairs come by rising point, and sorting keeps that order within a part.
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(parts)));
    const auto [by_part, points] =
        backend.sort_pairs(pairs_, pair_part_, pair_point_, pair_part_aside_, pair_point_aside_, bits);
    backend.launch(ListPoints{parts, pairs_, by_part, points, first_point_.data(), point_.data()});
  }
  void make_room_for_pairs(std::size_t pairs) {
    for (auto* buffer : {&part_, &pair_part_, &pair_part_aside_, &pair_point_, &pair_point_aside_, &point_})
      buffer->resize(pairs);
  }

  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<CellKey> keys_, keys_aside_;
  Buffer<Index> parts_, parts_aside_;        ///< [part] by cell
  Buffer<PartBox> boxes_;                    ///< [part]
  Buffer<Index> count_, first_part_, part_;  ///< rows of points
  Buffer<Index> pair_part_, pair_part_aside_, pair_point_, pair_point_aside_;
  Buffer<Index> first_point_, point_;  ///< rows of parts
  Buffer<Vec2> listed_, searched_;     ///< see ListClose
  Buffer<CloseParts> close_;           ///< [point]
  Buffer<CloseState> close_state_;
  Index pairs_ = 0;
};

}  // namespace cleave::inline CLEAVE_PRECISION
