#include "sim/modes/gcmc/auto_method.h"

#include <fmt/format.h>

#include <algorithm>

namespace cellscope::gcmc {

void AutoMethod::begin(std::vector<const Method*> candidates, Use use, std::function<void()> step,
                       std::uint64_t moves, std::uint32_t n) {
  candidates_ = std::move(candidates);
  absent_.assign(candidates_.size(), false);
  moves_ = moves, timedAt_ = n;
  std::vector<RaceCandidate> all;
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    all.push_back({candidates_[k]->made().key,
                   [this, k, use] { absent_[k] = !use(*candidates_[k]); },
                   [step](std::uint64_t) { step(); }});
  race_ = Race({.batch = 1, .rounds = kRounds, .warmUps = 0}, clock_);
  race_.begin(std::move(all));
}

void AutoMethod::stop() {
  race_ = Race({}, clock_);
  candidates_.clear();
}

bool AutoMethod::outdated(std::uint32_t n) const {
  if (running() || candidates_.size() < 2) return false;
  const std::uint32_t more = std::max(n, timedAt_), fewer = std::min(n, timedAt_);
  return more > kMany && more / 2 > fewer;
}

std::string AutoMethod::words() const {
  if (candidates_.empty()) return "";
  std::string words = ", chosen automatically";
  if (running()) return words + ": the candidates make the first steps in turn";
  if (race_.results().empty()) return words;
  const auto rate = [&](std::size_t k) {
    return static_cast<double>(moves_) / race_.results()[k].median;
  };
  words += fmt::format(": {:.3g} moves/s", rate(race_.winner()));
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    if (k != race_.winner() && !absent_[k])
      words += fmt::format(", {} {:.3g}", candidates_[k]->made().key, rate(k));
  return words;
}

}  // namespace cellscope::gcmc
