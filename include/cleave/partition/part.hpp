/// The part of a body that a rank has, with ids of its own.
///
/// A rank keeps whole blocks: those of elements that it computes; those around any node of an element
/// that it hears of, so that such nodes split as in the body; and the blocks of interface nodes of all these. Its own
/// ids follow the order of the ids in the body, so that sums and results have the order of one rank.
///
/// Example: a rank that has the blocks 2 and 4 of elements, in blocks of 4 for brevity:
///
///     element in the body    8  9 10 11 | 16 17 18 19
///     own id                 0  1  2  3 |  4  5  6  7       runs = {{8, 0, 4}, {16, 4, 4}}
#pragma once

#include <vector>

#include "cleave/partition/partition.hpp"

namespace cleave {

/// Consecutive rows of the body that follow each other in the part, too.
struct PartRun {
  Index in_body;  ///< id of the first row in the body
  Index own;      ///< own id of the first row
  Index count;

  CLEAVE_HD Index end_in_body() const { return in_body + count; }
};

/// View of the runs of one kind of rows, in ascending order. Without runs: the whole body, where both ids are the same.
struct PartIds {
  const PartRun* runs = nullptr;
  Index run_count = 0;

  /// The own id of a row; -1 if the part lacks it.
  CLEAVE_HD Index own_id(Index in_body) const {
    if (run_count == 0) return in_body;
    const PartRun& run = last_run([&](const PartRun& r) { return r.in_body <= in_body; });
    return in_body >= run.in_body && in_body < run.end_in_body() ? run.own + in_body - run.in_body : -1;
  }
  /// The id in the body of a row of the part.
  CLEAVE_HD Index body_id(Index own) const {
    if (run_count == 0) return own;
    const PartRun& run = last_run([&](const PartRun& r) { return r.own <= own; });
    return run.in_body + own - run.own;
  }

 private:
  /// The last run that begins where `begins` says or before; the first one if there is none.
  template <class Begins>
  CLEAVE_HD const PartRun& last_run(const Begins& begins) const {
    Index low = 0, high = run_count;
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (begins(runs[middle]) ? low : high) = middle;
    }
    return runs[low];
  }
};

/// Rows of one kind that a rank has.
class PartRows {
 public:
  /// Rows behind those that were added before, here and in the body.
  void add(Index in_body, Index rows);
  Index count() const { return runs_.empty() ? 0 : runs_.back().own + runs_.back().count; }
  const std::vector<PartRun>& runs() const { return runs_; }
  /// A view for look-ups; there is at least one row.
  PartIds ids() const { return {runs_.data(), static_cast<Index>(runs_.size())}; }
  /// Number of rows of the part whose id in the body is smaller.
  Index before(Index in_body) const;

 private:
  std::vector<PartRun> runs_;
};

/// Numbers of the rows of a body.
struct BodyCounts {
  Index elements = 0;
  Index nodes = 0;            ///< of the intact mesh
  Index blocks = 0;           ///< of elements
  Index first_interface = 0;  ///< the first node between blocks
  int interface_width = 1;    ///< nodes of an interface block

  Index interface_blocks_before(Index n) const { return (n - first_interface + interface_width - 1) / interface_width; }
  Index interface_blocks() const { return interface_blocks_before(nodes); }
};
/// The rows of a body that a rank has, and its work on them.
struct Part {
  PartRows elements;
  PartRows nodes;                      ///< of the intact mesh
  std::vector<Index> first_of_block;   ///< first_nodes_of_blocks in own ids
  Partition partition;                 ///< of the rank, in own ids
  Index first_block = 0;               ///< number in the body of the first block that the rank computes
  std::vector<Index> material_ranges;  ///< Model::material_ranges of the body
  BodyCounts body;
  Box box;  ///< around the body
};

/// The part of a rank. Parameters as for make_partition.
Part make_part(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, int ranks, int rank);

/// Translates nodes and neighbours of a mesh that has the rows of a part, in ids of the body. A facet to an element
/// that the part lacks becomes one of the boundary.
void to_own_ids(Mesh& mesh, const Part& part);

}  // namespace cleave
