#include "app/agreement.hpp"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include "app/console.hpp"
#include "cleave/core/error.hpp"

namespace cleave {
namespace {

/// Result of a rank: its exit code and error if it failed, else the text that must be equal on all ranks.
struct RankResult {
  int code = 0;
  std::string text;

  Ranks::Bytes bytes() const {
    Ranks::Bytes all(sizeof code + text.size());
    std::memcpy(all.data(), &code, sizeof code);
    std::memcpy(all.data() + sizeof code, text.data(), text.size());
    return all;
  }
  static RankResult from(const Ranks::Bytes& bytes) {
    RankResult result;
    std::memcpy(&result.code, bytes.data(), sizeof result.code);
    result.text.assign(reinterpret_cast<const char*>(bytes.data()) + sizeof result.code,
                       bytes.size() - sizeof result.code);
    return result;
  }
};

}  // namespace

void run_in_agreement(Ranks& ranks, const std::function<std::string()>& f, const std::string& if_other) {
  RankResult own;
  std::exception_ptr error;
  try {
    own.text = f();
  } catch (const InputError& e) {
    own = {exit_code::wrong_input, e.what()};
    error = std::current_exception();
  } catch (const std::bad_alloc&) {
    own = {exit_code::other_error, no_memory};
    error = std::current_exception();
  } catch (const std::exception& e) {
    own = {exit_code::other_error, e.what()};
    error = std::current_exception();
  }
  if (ranks.is_alone()) {
    if (error) std::rethrow_exception(error);
    return;
  }
  std::vector<RankResult> results;
  for (const Ranks::Bytes& bytes : ranks.gather_everywhere(own.bytes())) results.push_back(RankResult::from(bytes));
  const RankResult& first = results.front();
  for (int r = 0; r < ranks.count(); ++r) {
    const RankResult& result = results[r];
    const bool other = result.code == 0 && result.text != first.text;
    if (result.code == 0 && !other) continue;
    const int code = other ? exit_code::wrong_input : result.code;
    if (!ranks.is_first()) throw FollowerExit{code};
    if (error) std::rethrow_exception(error);
    const std::string report = fmt::format("rank {}: {}", r, other ? if_other : result.text);
    if (code == exit_code::wrong_input) throw InputError(report);
    throw std::runtime_error(report);
  }
}

bool StartBarrier::wait(Ranks& ranks) {
  bool start = false;
  ranks.broadcast(&start, sizeof start);
  return start;
}

void StartBarrier::announce(bool start) {
  announced_ = true;
  ranks_.broadcast(&start, sizeof start);
}

void run_collectively(Ranks& ranks, const std::function<void()>& f) {
  if (ranks.is_alone()) return f();
  const auto end = [&](const char* why) {
    const std::string text = fmt::format("rank {}: {}", ranks.rank(), why);
    tell("cleave: {}; all ranks end", text);
    ranks.end_all(text);
  };
  try {
    f();
  } catch (const InputError&) {
    throw;
  } catch (const NumericalError&) {
    throw;
  } catch (const std::bad_alloc&) {
    end(no_memory);
  } catch (const std::exception& error) {
    end(error.what());
  }
}

}  // namespace cleave
