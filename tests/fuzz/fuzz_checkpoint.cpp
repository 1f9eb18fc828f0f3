/// Any bytes as a checkpoint are passed over; and any bytes under a right checksum, which damage does not leave, are
/// understood or passed over.
#include "cleave/output/checkpoint.hpp"
#include "input_file.hpp"
#include "output/checksum.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cleave;
  fuzz::input_file("checkpoint_000000001.bin", data, size);
  find_checkpoint(fuzz::folder());

  std::string bytes(reinterpret_cast<const char*>(data), size);
  Checksum sum;
  sum.add(bytes);
  const std::uint64_t value = sum.value();
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  fuzz::input_file("checkpoint_000000001.bin", reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  find_checkpoint(fuzz::folder());
  return 0;
}
