/// Replaces vtkhdf.cpp in a program built without HDF5.
#include <stdexcept>

#include "cleave/output/vtkhdf.hpp"

namespace cleave {

struct HdfSeries::Frame {};

bool built_with_hdf5() { return false; }

HdfSeries::HdfSeries(OutputPath file, Compression, std::size_t) : file_(std::move(file)) {
  throw std::logic_error("this program was built without HDF5");
}
std::shared_ptr<const HdfSeries::Frame> HdfSeries::prepare(const Grid&, int) const { return nullptr; }
void HdfSeries::append(const Frame&, double) {}
std::size_t HdfSeries::frames() const { return 0; }
void HdfSeries::check_has(std::size_t) const {}
void HdfSeries::cut(std::size_t) {}

}  // namespace cleave
