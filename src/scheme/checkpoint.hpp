/// SolverBase: the body's state to a stream and back.
#pragma once

#include <string>

#include "cleave/core/error.hpp"
#include "scheme/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Writes values and buffers of solver memory.
class StateWriter {
 public:
  explicit StateWriter(std::ostream& out) : out_(out) {}
  template <class T>
  void value(const T& value) {
    bytes(&value, sizeof value);
  }
  template <class Buffer>
  void buffer(Buffer& buffer, std::size_t count) {
    const auto host = buffer.download(count);
    bytes(host.data(), host.size() * sizeof(host[0]));
  }

 private:
  void bytes(const void* data, std::size_t size) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  std::ostream& out_;
};

/// Reads them. Throws InputError when the stream ends too early.
class StateReader {
 public:
  explicit StateReader(std::istream& in) : in_(in) {}
  template <class T>
  void value(T& value) {
    bytes(&value, sizeof value);
  }
  template <class Buffer>
  void buffer(Buffer& buffer, std::size_t count) {
    auto host = buffer.download(0);
    host.resize(count);
    bytes(host.data(), count * sizeof(host[0]));
    buffer.upload(host);
  }

 private:
  void bytes(void* data, std::size_t size) {
    in_.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
    if (!in_) throw InputError("the checkpoint is truncated: remove it and resume from an older one");
  }
  std::istream& in_;
};

template <class Backend, class Element>
void SolverBase<Backend, Element>::save_body(std::ostream& out) {
  StateWriter to(out);
  to.value(std::uint32_t{sizeof(Real)});
  for (const Index* count : {&nodes_.count, &elements_.count, &cohesive_.count}) to.value(*count);
  to.value(step_);
  to.value(initial_kinetic_);
  to.value(largest_energy_);
  for_each_saved([&](auto& buffer, std::size_t count) { to.buffer(buffer, count); });
}

template <class Backend, class Element>
template <class MakeRoom>
void SolverBase<Backend, Element>::load_body(std::istream& in, MakeRoom make_room) {
  StateReader from(in);
  std::uint32_t real_bytes = 0;
  from.value(real_bytes);
  if (real_bytes != sizeof(Real)) {
    const std::string other = real_bytes == sizeof(double) ? "double" : "single";
    throw InputError("the checkpoint holds a state in " + other + " precision: resume with run.precision: " + other +
                     ", or run without --resume to start over");
  }
  Index nodes = 0, elements = 0, cohesive = 0;
  for (Index* count : {&nodes, &elements, &cohesive}) from.value(*count);
  if (elements != elements_.count || nodes < nodes_.count)
    throw InputError("the checkpoint belongs to another mesh: it has " + std::to_string(elements) + " elements, not " +
                     std::to_string(elements_.count));
  from.value(step_);
  from.value(initial_kinetic_);
  from.value(largest_energy_);
  make_room(nodes, cohesive);
  nodes_.count = nodes;
  cohesive_.count = cohesive;
  for_each_saved([&](auto& buffer, std::size_t count) { from.buffer(buffer, count); });
  probes_.start_after(step_);
}

}  // namespace cleave::inline CLEAVE_PRECISION
