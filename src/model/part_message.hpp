/// The part of a model that a rank needs, as a message from rank 0, which alone makes the model of the whole body.
#pragma once

#include <cstddef>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Whether each of several ranks needs the whole body: contact and pressure in cracks reach across it, and processes of
/// users may look at all of the mesh.
bool needs_whole_body(const Case& c);

/// A message from rank 0 to a rank, or to itself: the rows of its part, in ids of the body.
/// @param whole  model of a case that does not need the whole body, with a block of elements for each rank
std::vector<std::byte> message_to_rank(const Model& whole, int rank, int ranks);

/// The model of the part, in own ids: without groups of the mesh, lines, colours, and ids of the input.
Model model_from(const std::vector<std::byte>& message);

}  // namespace cleave
