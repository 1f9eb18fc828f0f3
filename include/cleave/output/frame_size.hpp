/// What frames take, of disks and of the host's memory.
#pragma once

#include "cleave/config/case.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/output/grid.hpp"

namespace cleave {

/// How large a body is.
struct FrameSize {
  ElementType type = ElementType::t6;
  double nodes = 0, elements = 0, cohesive = 0;
};
FrameSize size_of_intact(const Mesh& mesh);
/// When every facet is broken that may break, and no two elements share a node.
FrameSize size_of_broken(const Mesh& mesh, Index breakable_facets);

/// Bytes of one frame (bulk and cracks) before compression.
double frame_bytes(const FrameSize& size, const FrameChoice& choice);

/// What the state of a frame is copied from.
struct CopiedFrom {
  Precision precision = Precision::double_precision;
  bool device = false;
};

/// Host memory in bytes of one frame on its way to its files, about: the copy of the state, the fields and the arrays
/// of the files. States of materials and factors of strengths are not counted.
double frame_memory(const FrameSize& size, const CopiedFrom& from, const FrameChoice& choice);

/// Host memory in bytes of the compressed blocks that frames share (KeptBlocks), at most, of the intact mesh.
double kept_memory(const Mesh& mesh);

}  // namespace cleave
