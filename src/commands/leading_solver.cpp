#include "commands/leading_solver.hpp"

#include <fmt/format.h>

#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "cleave/core/error.hpp"
#include "commands/agreement.hpp"

namespace cleave {
namespace {

enum class What { end, advance, capture, capture_failed, deformation, norms, save, load };

/// A call of rank 0, as it is broadcast to the followers.
struct Call {
  What what = What::end;
  Step steps = 0;       ///< steps of advance
  Step rows_every = 0;  ///< rows during advance
  Output output = Output::none;
  std::size_t bytes = 0;  ///< size of a state to load
};

/// Thrown on all ranks when rank 0 aborts an advance.
struct LeftByFirst {};

/// Takes rows during an advance on rank 0, and broadcasts after each row whether the advance is aborted; `error` is
/// then the reason.
RowsOnTheWay with_word_to_others(Ranks& ranks, const RowsOnTheWay& rows, std::exception_ptr& error) {
  return {rows.every, [&ranks, &error, take = rows.take](const HistoryRow& row) {
            try {
              take(row);
            } catch (...) {
              error = std::current_exception();
            }
            bool leaves = error != nullptr;
            ranks.broadcast(&leaves, sizeof leaves);
            if (leaves) throw LeftByFirst{};
          }};
}
RowsOnTheWay with_word_from_first(Ranks& ranks, Step every) {
  return {every, [&ranks](const HistoryRow&) {
            bool leaves = false;
            ranks.broadcast(&leaves, sizeof leaves);
            if (leaves) throw LeftByFirst{};
          }};
}

class LeadingSolver final : public Solver {
 public:
  LeadingSolver(Ranks& ranks, std::unique_ptr<Solver> own) : ranks_(ranks), own_(std::move(own)) {}
  ~LeadingSolver() override { tell({}); }

  void advance(Step n, Output output, const RowsOnTheWay& rows) override {
    tell({What::advance, n, rows.every, output, 0});
    std::exception_ptr error;
    try {
      together(ranks_, [&] { own_->advance(n, output, with_word_to_others(ranks_, rows, error)); });
    } catch (const LeftByFirst&) {
      std::rethrow_exception(error);
    }
  }
  PendingSnapshot capture(const SnapshotParts& wanted) override {
    tell({What::capture});
    return all<PendingSnapshot>([&] { return own_->capture(wanted); });
  }
  PendingSnapshot capture_failed() override {
    tell({What::capture_failed});
    return all<PendingSnapshot>([&] { return own_->capture_failed(); });
  }
  Deformation largest_deformation() override {
    tell({What::deformation});
    return all<Deformation>([&] { return own_->largest_deformation(); });
  }
  std::vector<FieldNorms> field_norms() override {
    tell({What::norms});
    return all<std::vector<FieldNorms>>([&] { return own_->field_norms(); });
  }
  void save(std::ostream& out) override {
    tell({What::save});
    together(ranks_, [&] { own_->save(out); });
  }
  /// Broadcasts the state in rank 0's file to all ranks.
  void load(std::istream& in) override {
    std::string state(std::istreambuf_iterator<char>(in), {});
    tell({What::load, 0, 0, Output::none, state.size()});
    ranks_.broadcast(state.data(), state.size());
    std::istringstream again(std::move(state));
    together(ranks_, [&] { own_->load(again); });
  }

  double insert_cohesive(const std::vector<Index>&) override { throw std::logic_error("facets are cut on one rank"); }
  void reserve(Index, Index, Index) override {}
  Step step() const override { return own_->step(); }
  HistoryRow history() override { return own_->history(); }
  std::vector<ProbeRow> take_probe_rows() override { return own_->take_probe_rows(); }
  std::vector<StageTime> stage_times() override { return own_->stage_times(); }
  MemoryUse memory() const override { return own_->memory(); }
  std::string device() const override { return fmt::format("{} ranks, each: {}", ranks_.count(), own_->device()); }

 private:
  void tell(Call call) { ranks_.broadcast(&call, sizeof call); }
  template <class Result, class F>
  Result all(const F& f) {
    Result result;
    together(ranks_, [&] { result = f(); });
    return result;
  }

  Ranks& ranks_;
  std::unique_ptr<Solver> own_;
};

void do_call(Ranks& ranks, Solver& own, const Call& call) {
  switch (call.what) {
    case What::end:
      break;
    case What::advance:
      own.advance(call.steps, call.output, with_word_from_first(ranks, call.rows_every));
      own.take_probe_rows();  // rank 0 writes them
      break;
    case What::capture:
      own.capture({});  // rank 0 has the copy
      break;
    case What::capture_failed:
      own.capture_failed();
      break;
    case What::deformation:
      own.largest_deformation();
      break;
    case What::norms:
      own.field_norms();
      break;
    case What::save: {
      std::ostream nowhere(nullptr);
      own.save(nowhere);
      break;
    }
    case What::load: {
      std::string state(call.bytes, '\0');
      ranks.broadcast(state.data(), state.size());
      std::istringstream in(std::move(state));
      own.load(in);
    }
  }
}

}  // namespace

std::unique_ptr<Solver> lead(Ranks& ranks, std::unique_ptr<Solver> own) {
  return std::make_unique<LeadingSolver>(ranks, std::move(own));
}

void follow(Ranks& ranks, Solver& own) {
  while (true) {
    Call call;
    ranks.broadcast(&call, sizeof call);
    if (call.what == What::end) return;
    try {
      together(ranks, [&] { do_call(ranks, own, call); });
    } catch (const LeftByFirst&) {
    } catch (const InputError&) {      // thrown on all ranks; rank 0 reports it
    } catch (const NumericalError&) {  // likewise
    }
  }
}

}  // namespace cleave
