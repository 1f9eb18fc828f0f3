/// Any bytes as a checkpoint are passed over; any bytes under a right checksum, which damage does not leave, are
/// understood or passed over; and the state of a body with any words in places of others is refused, or steps.
#include <cstring>
#include <sstream>

#include "backend/models.hpp"
#include "cleave/core/error.hpp"
#include "cleave/output/checkpoint.hpp"
#include "input_file.hpp"
#include "output/checksum.hpp"

namespace {

using namespace cleave;

/// A plate whose pieces touch each other, a wall and a disc.
Model touching_plate() {
  Model m = test::breaking_plate(ElementType::t3);
  m.sides_touch = true;
  m.contact.friction = 0.3;
  Obstacle wall, ball;
  wall.name = "wall";
  wall.normal = {0, 1};
  ball.name = "ball";
  ball.place = {0, -1e-3};
  ball.radius = 1e-3;
  ball.mass = 1e-3;
  ball.inertia = 1e-9;
  m.obstacles = {wall, ball};
  return m;
}

std::string state_of(const Model& model) {
  const auto solver = make_cpu_solver(model, 1);
  solver->advance(60);
  while (model.sides_touch && solver->history().contact_points == 0) solver->advance(10);
  std::stringstream file;
  solver->save(file);
  return file.str();
}

/// @param patches  place and word, one after the other
void load_with_other_words(const Model& model, std::string state, const std::uint8_t* patches, std::size_t size) {
  for (; size >= 8; patches += 8, size -= 8) {
    std::uint32_t place = 0;
    std::memcpy(&place, patches, sizeof place);
    std::memcpy(state.data() + place % (state.size() / 4) * 4, patches + 4, 4);
  }
  const auto solver = make_cpu_solver(model, 1);
  std::stringstream file(state);
  try {
    solver->load(file);
    solver->advance(6);
    solver->snapshot();
  } catch (const InputError&) {
  } catch (const NumericalError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::input_file("checkpoint_000000001.bin", data, size);
  find_checkpoint(fuzz::folder());

  std::string bytes(reinterpret_cast<const char*>(data), size);
  Checksum sum;
  sum.add(bytes);
  const std::uint64_t value = sum.value();
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  fuzz::input_file("checkpoint_000000001.bin", reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  find_checkpoint(fuzz::folder());

  static const Model plate = test::breaking_plate(ElementType::t3), touching = touching_plate();
  static const std::string state = state_of(plate), state_in_contact = state_of(touching);
  load_with_other_words(plate, state, data, size);
  load_with_other_words(touching, state_in_contact, data, size);
  return 0;
}
