// What a mode may offer beside the interface of all modes: charts of averages that leave the
// approach to equilibrium out, as the averages of the observables do.
#pragma once
#include <cstdint>
#include <vector>

namespace cellscope {

class FollowsAverages {
 public:
  virtual ~FollowsAverages() = default;

  // The averages of the observables start over, without Mode::resetAverages(): their next sample is
  // number 0.
  virtual void averagesStartOver() = 0;
  // The same after a change of parameters that the mode has acted on, where charts that it does not
  // concern may go on. False: not done, Mode::resetAverages() is wanted.
  virtual bool startOverAfterEdit() { return false; }
  // After each sample: how many are left out since then (those before number 32, 64, 128, ...), and
  // for each of ModeInfo::observables whether the mean of the others is a result.
  virtual void averagesAre(std::uint64_t leftOut, const std::vector<bool>& settled) = 0;
  // After Mode::resetAverages(): somebody chose that averages begin here. For charts with a test of
  // equilibrium of their own, which then leave nothing out.
  virtual void keepBeginning() {}
};

}  // namespace cellscope
