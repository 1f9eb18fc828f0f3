/// Disk space and host memory of frames.
#pragma once

#include "cleave/case/case.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/output/grid.hpp"

namespace cleave {

/// Size of a body, in nodes, bulk elements and cohesive elements.
struct FrameSize {
  ElementType type = ElementType::t6;
  double nodes = 0, elements = 0, cohesive = 0;
  bool touches = false;                        ///< see Model::touches: frames have arrays of contact
  std::vector<ProcessField> process_fields{};  ///< those that frames may have
};
FrameSize size_of_intact(const Mesh& mesh, bool touches, std::vector<ProcessField> process_fields = {});
/// Size of the body when all breakable facets are broken and no two elements share a node.
FrameSize size_of_broken(const Mesh& mesh, Index breakable_facets, const FrameSize& intact);

/// Bytes of one frame (bulk and cracks) before compression.
double frame_bytes(const FrameSize& size, const FrameChoice& choice);

/// Source of the copied state of a frame.
struct CopiedFrom {
  Precision precision = Precision::double_precision;
  bool device = false;
};

/// Approximate host memory of a frame until its files are written, bytes: the copy of the state, the fields and the
/// arrays of the files. States of materials and factors of strengths are not counted.
double frame_memory(const FrameSize& size, const CopiedFrom& from, const FrameChoice& choice);

/// Upper bound of the host memory of compressed blocks that frames share (KeptBlocks) for the intact mesh, bytes.
double kept_memory(const Mesh& mesh);

}  // namespace cleave
