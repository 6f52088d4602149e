// Which CUDA launches are timed. Events around a launch cost some microseconds, so every kernel is
// timed for one stretch of launches in kPeriod; a stretch ends where the host waits for the GPU.
// Some stretches are timed as a whole instead. Names are string literals.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cellscope::exec {

class LaunchSampling {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPeriod{50};

  // A stretch of launches begins.
  void begin(Clock::time_point now) {
    now_ = now;
    // At random: in a fixed order, alternating work would always be timed in the same way.
    chance_ = chance_ * 6364136223846793005ull + 1442695040888963407ull;
    together_ = now - lastTogether_ >= kPeriod && chance_ >> 63;
    if (together_) lastTogether_ = now;
  }
  // Whether it is timed as a whole.
  bool together() const { return together_; }

  // Whether launches of this name are timed one by one in this stretch, or would be if they
  // were not the first.
  bool due(const char* name) {
    const Kernel* k = find(name);
    return !together_ && (!k || dueAfter(k->timed));
  }
  // The same for a launch that is now made. Not for the first one, which also loads the kernel.
  bool take(const char* name) {
    Kernel* k = find(name);
    if (!k) kernels_.push_back({name, now_ - kPeriod});
    if (!k || together_ || !dueAfter(k->timed)) return false;
    k->timed = now_;
    return true;
  }

 private:
  struct Kernel {
    const char* name;
    Clock::time_point timed;
  };

  // By address, which is quick; the same name may also stand at another one.
  Kernel* find(const char* name) {
    for (Kernel& k : kernels_)
      if (k.name == name) return &k;
    for (Kernel& k : kernels_)
      if (std::strcmp(k.name, name) == 0) return &k;
    return nullptr;
  }
  bool dueAfter(Clock::time_point timed) const { return timed == now_ || now_ - timed >= kPeriod; }

  Clock::time_point now_{}, lastTogether_{};
  bool together_ = false;
  std::uint64_t chance_ = 1;
  std::vector<Kernel> kernels_;
};

}  // namespace cellscope::exec
