/// Messages between devices on different machines: they lie in the memory of the hosts, and a thread carries them.
#pragma once

#include <cstddef>

namespace cleave {

/// Number of a message from one rank to another; 1 is the first. Messages with even and odd numbers lie in different
/// places, so that a rank can write the next one while the other still reads.
using MessageNumber = unsigned long long;

/// Tells which messages a launch has written.
struct MessagePost {
  std::size_t bytes[2];  ///< of the last messages with even and odd numbers
  MessageNumber last;    ///< written after everything else
};

/// Messages between this rank and another one. Each rank writes message n only after it has read message n - 1 of the
/// other one, which has then read message n - 2. Where all messages of a rank lie in one place, it writes message n
/// only after the other one has answered that it has read message n - 1.
struct Mailbox {
  int rank;
  const std::byte* out[2];  ///< messages to that rank
  MessagePost* posted;      ///< how many of them are there
  std::byte* in[2];         ///< messages from that rank
  std::size_t room;         ///< bytes of such a message, at most
  MessageNumber* arrived;   ///< the last one that is there
};

/// Mail is carried while this object exists. All ranks destroy it, after every launch that sends or receives has ended.
class Mail {
 public:
  Mail() = default;
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;
  virtual ~Mail() = default;
};

}  // namespace cleave
