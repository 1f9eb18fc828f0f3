#include "cleave/solver/intact_memory.hpp"

#include "backend/counting/count_memory.hpp"
#include "backend/counting/counting_backend.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

IntactMemory intact_memory(const Model& model, bool on_device, int rank, int ranks) {
  ImaginedRank imagined(rank, ranks);
  return model.precision == Precision::single_precision ? single_precision::count(model, on_device, imagined)
                                                        : double_precision::count(model, on_device, imagined);
}

}  // namespace cleave
