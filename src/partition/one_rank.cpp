#include <cstdlib>

#include "cleave/partition/ranks.hpp"

namespace cleave {
namespace {

class OneRank final : public Ranks {
 public:
  int rank() const override { return 0; }
  int count() const override { return 1; }
  int host_rank() const override { return 0; }
  int host_count() const override { return 1; }
  void begin_exchange(const std::byte*, std::byte*, const std::vector<Piece>&) override {}
  void finish_exchange() override {}
  void broadcast(void*, std::size_t) override {}
  void sum(std::int64_t*, std::size_t) override {}
  void unite(std::uint8_t*, std::size_t) override {}
  std::vector<Bytes> gather_everywhere(const Bytes& own) override { return {own}; }
  void end_all(const std::string&) override { std::exit(1); }
  void when_ended(std::function<void(const std::string&)>) override {}
  bool can_carry() const override { return false; }
  std::unique_ptr<Mail> carry(const std::vector<Mailbox>&) override { return std::make_unique<Mail>(); }
  std::vector<int> gone() const override { return {}; }
};

}  // namespace

Ranks& one_rank() {
  static OneRank alone;
  return alone;
}

}  // namespace cleave
