/// Wall time per kernel, when somebody wants to know.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "cleave/core/solver_values.hpp"

namespace cleave {

class StageClock {
 public:
  /// Measures from its construction to its destruction.
  class Measurement {
   public:
    Measurement() = default;
    explicit Measurement(StageTime* stage) : stage_(stage), start_(std::chrono::steady_clock::now()) {}
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;
    ~Measurement() {
      if (stage_ == nullptr) return;
      stage_->seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      ++stage_->calls;
    }

   private:
    StageTime* stage_ = nullptr;
    std::chrono::steady_clock::time_point start_;
  };

  void enable(bool on) { enabled_ = on; }
  bool enabled() const { return enabled_; }

  [[nodiscard]] Measurement measure(const char* name) {
    if (!enabled_) return {};
    return Measurement(&stages_.try_emplace(name, StageTime{name, 0, 0}).first->second);
  }

  /// Longest first.
  std::vector<StageTime> stages() const {
    std::vector<StageTime> list;
    for (const auto& [name, stage] : stages_) list.push_back(stage);
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return list;
  }

 private:
  bool enabled_ = false;
  std::map<std::string, StageTime, std::less<>> stages_;
};

}  // namespace cleave
