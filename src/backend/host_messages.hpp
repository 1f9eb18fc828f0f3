/// Messages to rank 0 through the host's memory.
#pragma once

#include <cstddef>

#include "cleave/partition/ranks.hpp"

namespace cleave {

/// See RowsHome: the messages of a backend whose memory is the host's. A device has its own (cuda/device_messages.cuh).
class HostMessages {
 public:
  /// Called by all ranks.
  template <class Backend>
  void start(Backend&, std::size_t /*most_bytes*/) {}

  /// Memory for the next message to rank 0, to be filled before it is sent.
  template <class Backend>
  std::byte* begin(Backend&, std::size_t bytes) {
    return room_for(bytes_ = bytes);
  }
  template <class Backend>
  void send(Backend& backend) {
    backend.ranks().exchange(message_.data(), nullptr, {{0, 0, bytes_, 0, 0}});
  }

  /// On rank 0: where the next message of a rank lies, until it has been read.
  template <class Backend>
  std::byte* receive(Backend& backend, int rank, std::size_t bytes) {
    std::byte* const message = room_for(bytes);
    backend.ranks().exchange(nullptr, message, {{rank, 0, 0, 0, bytes}});
    return message;
  }
  template <class Backend>
  void have_read(Backend&, int /*rank*/) {}

 private:
  std::byte* room_for(std::size_t bytes) {
    if (bytes > message_.size()) message_.resize(bytes);
    return message_.data();
  }
  Ranks::Bytes message_;
  std::size_t bytes_ = 0;  ///< of the message that is to be sent
};

}  // namespace cleave
