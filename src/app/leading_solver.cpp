#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/agreement.hpp"
#include "cleave/core/error.hpp"

namespace cleave {
namespace {

enum class CallKind { end, advance, capture, capture_failed, deformation, norms, save, load };

/// A call of rank 0, as it is broadcast to the followers.
struct Call {
  CallKind kind = CallKind::end;
  Step steps = 0;       ///< steps of advance
  Step rows_every = 0;  ///< rows during advance
  Output output = Output::none;
  std::size_t bytes = 0;  ///< size of a state to load, or of the names of fields that a capture wants
  bool wants[6] = {};     ///< see WantedParts
};

/// The parts of a capture as they are broadcast: what is wanted, and the names of fields of processes, a line each.
struct WantedParts {
  static void put(const SnapshotParts& parts, Call& call, std::string& names) {
    const bool wants[] = {parts.neighbours,     parts.nodal_stress, parts.element_stress,
                          parts.energy_density, parts.state_fields, parts.process_fields.has_value()};
    std::copy(std::begin(wants), std::end(wants), call.wants);
    for (const std::string& name : parts.process_fields.value_or(std::vector<std::string>{})) names += name + '\n';
    call.bytes = names.size();
  }
  static SnapshotParts take(const Call& call, const std::string& names) {
    const bool* const wants = call.wants;
    SnapshotParts parts{wants[0], wants[1], wants[2], wants[3], wants[4], {}};
    if (!wants[5]) return parts;
    std::istringstream lines(names);
    parts.process_fields.emplace();
    for (std::string name; std::getline(lines, name);) parts.process_fields->push_back(name);
    return parts;
  }
};

/// Thrown on all ranks when rank 0 aborts an advance.
struct AdvanceAborted {};

/// Takes rows during an advance on rank 0, and broadcasts after each row whether the advance is aborted; `error` is
/// then the reason.
RowsOnTheWay leader_rows(Ranks& ranks, const RowsOnTheWay& rows, std::exception_ptr& error) {
  return {rows.every, [&ranks, &error, take = rows.take](const HistoryRow& row) {
            try {
              take(row);
            } catch (...) {
              error = std::current_exception();
            }
            bool aborts = error != nullptr;
            ranks.broadcast(&aborts, sizeof aborts);
            if (aborts) throw AdvanceAborted{};
          }};
}
RowsOnTheWay follower_rows(Ranks& ranks, Step every) {
  return {every, [&ranks](const HistoryRow&) {
            bool aborts = false;
            ranks.broadcast(&aborts, sizeof aborts);
            if (aborts) throw AdvanceAborted{};
          }};
}

class LeadingSolver final : public Solver {
 public:
  LeadingSolver(Ranks& ranks, std::unique_ptr<Solver> own, const std::vector<double>& strength_scale)
      : ranks_(ranks),
        own_(std::move(own)),
        strength_scale_(std::make_shared<const std::vector<double>>(strength_scale)) {}
  ~LeadingSolver() override { broadcast({}); }

  void advance(Step n, Output output, const RowsOnTheWay& rows) override {
    broadcast({CallKind::advance, n, rows.every, output, 0});
    std::exception_ptr error;
    try {
      run_collectively(ranks_, [&] { own_->advance(n, output, leader_rows(ranks_, rows, error)); });
    } catch (const AdvanceAborted&) {
      std::rethrow_exception(error);
    }
  }
  PendingSnapshot capture(const SnapshotParts& wanted) override {
    Call call{CallKind::capture};
    std::string names;
    WantedParts::put(wanted, call, names);
    broadcast(call);
    if (!names.empty()) ranks_.broadcast(names.data(), names.size());
    return of_body([&] { return own_->capture(wanted); });
  }
  PendingSnapshot capture_failed() override {
    broadcast({CallKind::capture_failed});
    return of_body([&] { return own_->capture_failed(); });
  }
  Deformation largest_deformation() override {
    return all<Deformation>(CallKind::deformation, [&] { return own_->largest_deformation(); });
  }
  std::vector<FieldNorms> field_norms() override {
    return all<std::vector<FieldNorms>>(CallKind::norms, [&] { return own_->field_norms(); });
  }
  void save(std::ostream& out) override {
    broadcast({CallKind::save});
    run_collectively(ranks_, [&] { own_->save(out); });
  }
  /// Broadcasts the state in rank 0's file to all ranks.
  void load(std::istream& in) override {
    std::string state(std::istreambuf_iterator<char>(in), {});
    broadcast({CallKind::load, 0, 0, Output::none, state.size()});
    ranks_.broadcast(state.data(), state.size());
    std::istringstream again(std::move(state));
    run_collectively(ranks_, [&] { own_->load(again); });
  }

  double insert_cohesive(const std::vector<Index>&) override {
    throw std::logic_error("insert_cohesive works on one rank only");
  }
  void reserve(Index, Index, Index) override {}
  Step step() const override { return own_->step(); }
  HistoryRow history() override { return own_->history(); }
  std::vector<ProbeRow> take_probe_rows() override { return own_->take_probe_rows(); }
  std::vector<StageTime> stage_times() override { return own_->stage_times(); }
  MemoryUse memory() const override { return own_->memory(); }
  std::string device() const override { return fmt::format("{} ranks, each: {}", ranks_.count(), own_->device()); }

 private:
  /// A snapshot, with what a part of the model does not have.
  template <class F>
  PendingSnapshot of_body(const F& f) {
    PendingSnapshot pending;
    run_collectively(ranks_, [&] { pending = f(); });
    return [pending, scale = strength_scale_](int threads) {
      Snapshot s = pending(threads);
      s.strength_scale = *scale;
      return s;
    };
  }
  void broadcast(Call call) { ranks_.broadcast(&call, sizeof call); }
  template <class Result, class F>
  Result all(CallKind kind, const F& f) {
    broadcast({kind});
    Result result;
    run_collectively(ranks_, [&] { result = f(); });
    return result;
  }

  Ranks& ranks_;
  std::unique_ptr<Solver> own_;
  std::shared_ptr<const std::vector<double>> strength_scale_;
};

void do_call(Ranks& ranks, Solver& own, const Call& call) {
  switch (call.kind) {
    case CallKind::end:
      break;
    case CallKind::advance:
      own.advance(call.steps, call.output, follower_rows(ranks, call.rows_every));
      own.take_probe_rows();  // rank 0 writes them
      break;
    case CallKind::capture: {
      std::string names(call.bytes, '\0');
      if (!names.empty()) ranks.broadcast(names.data(), names.size());
      own.capture(WantedParts::take(call, names));  // rank 0 has the copy
      break;
    }
    case CallKind::capture_failed:
      own.capture_failed();
      break;
    case CallKind::deformation:
      own.largest_deformation();
      break;
    case CallKind::norms:
      own.field_norms();
      break;
    case CallKind::save: {
      std::ostream nowhere(nullptr);
      own.save(nowhere);
      break;
    }
    case CallKind::load: {
      std::string state(call.bytes, '\0');
      ranks.broadcast(state.data(), state.size());
      std::istringstream in(std::move(state));
      own.load(in);
    }
  }
}

}  // namespace

std::unique_ptr<Solver> lead(Ranks& ranks, std::unique_ptr<Solver> own, const std::vector<double>& strength_scale) {
  return std::make_unique<LeadingSolver>(ranks, std::move(own), strength_scale);
}

void follow(Ranks& ranks, Solver& own) {
  while (true) {
    Call call;
    ranks.broadcast(&call, sizeof call);
    if (call.kind == CallKind::end) return;
    try {
      run_collectively(ranks, [&] { do_call(ranks, own, call); });
    } catch (const AdvanceAborted&) {
    } catch (const InputError&) {      // thrown on all ranks; rank 0 reports it
    } catch (const NumericalError&) {  // likewise
    }
  }
}

}  // namespace cleave
