// One word for the first error of a kernel, and its place.
#pragma once
#include <optional>

#include "sim/exec/atomic.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {

enum class Fault : std::uint32_t {
  overflow = 1,     // a cell, list or buffer without room; where: the cell
  notANumber = 2,   // where: the particle
  lostParticle = 3  // outside the box or of its cell, or moved too far; where: the particle
};

// What is reported: bits 36 to 63 hold the low bits of the step, 32 to 35 the fault, 0 to 31 the
// cell or slot. The smallest word stays: the earliest step, then the first kind of fault, then the
// smallest index, whatever the order of the threads.
using StatusWord = std::uint64_t;
inline constexpr StatusWord kNoFault = ~StatusWord{0};
inline constexpr std::uint64_t kStatusStepMask = (std::uint64_t{1} << 28) - 1;

HOST_DEVICE void reportFault(StatusWord* status, Fault fault, std::uint32_t where,
                             std::uint64_t step = 0) {
  minGlobal(status,
            (step & kStatusStepMask) << 36 | static_cast<std::uint64_t>(fault) << 32 | where);
}

struct StatusReport {
  Fault fault = Fault::overflow;
  std::uint32_t where = 0;
  std::uint32_t step = 0;  // low 28 bits

  // The step in full, when it is not after `now` nor 2^28 steps or more before it.
  std::uint64_t stepBefore(std::uint64_t now) const {
    return now - ((now - step) & kStatusStepMask);
  }
};

class Status {
 public:
  explicit Status(Backend where) : word_(where, kNoFault) {}

  StatusWord* data() const { return word_.data(); }  // for kernels

  void clear(auto& exec) { exec.fill("clear status", word_.data(), 1, kNoFault); }
  // Orders a copy to the host after the work ordered so far; seen() has it after synchronize().
  void fetch(auto& exec) { exec.fetch(word_); }
  std::optional<StatusReport> seen() const { return decoded(word_.seen()); }
  // Waits for the work ordered so far.
  template <class Exec>
  std::optional<StatusReport> read(Exec& exec) const {
    return decoded(exec.read(word_));
  }

 private:
  static std::optional<StatusReport> decoded(StatusWord word) {
    if (word == kNoFault) return std::nullopt;
    return StatusReport{static_cast<Fault>(word >> 32 & 15), static_cast<std::uint32_t>(word),
                        static_cast<std::uint32_t>(word >> 36)};
  }
  DeviceValue<StatusWord> word_;
};

}  // namespace cellscope::exec
