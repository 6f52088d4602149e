// Where whole steps on a GPU are, kept in its own memory: it goes on by itself until the last one.
#pragma once
#include <cstdint>

#include "sim/algo/md/forces.h"
#include "sim/algo/md/samples.h"
#include "sim/algo/neighbours/particle_record.h"

namespace cellscope {

// Positions of step s lie in buffer (s + flip) % 2 of the records.
struct StepControl {
  std::uint64_t base = 0;  // forces at the positions of this step come next
  std::uint64_t last = 0;  // the step whose forces end the run
  std::uint64_t builds = 0, dangerous = 0, lastBuild = 0;
  std::uint32_t flip = 0;
  std::uint32_t overflow = 0;  // 1: a list had too little room; nothing is done until it is built
  // Samples on the way, in a run of at most 64 steps.
  std::uint64_t first = 0;    // step of the run
  std::uint64_t sampled = 0;  // bit k: a sample belongs after step first + k
  std::uint32_t ringAt = 0;   // place of the first of them in the ring
  // Thread blocks of resident steps that have come to every other barrier; 0 before they begin.
  unsigned long long arrived[2] = {};

  // The next step from base on that is sampled, or else the last one.
  HOST_DEVICE std::uint64_t endOfPlain() const {
    std::uint64_t left = sampled != 0 ? sampled >> (base - first) : 0, end = base;
    if (left == 0) return last;
    for (; (left & 1) == 0; left >>= 1) ++end;
    return end < last ? end : last;
  }
  HOST_DEVICE bool samples(std::uint64_t step) const {
    return sampled != 0 && (sampled >> (step - first) & 1) != 0;
  }
  // Of the samples before that after `step`.
  HOST_DEVICE std::uint64_t sampledBefore(std::uint64_t step) const {
    return sampled & ((std::uint64_t{1} << (step - first)) - 1);
  }
  // Whether the sums of a sample after `step` are added up during the next step. Not where that
  // one is sampled as well: its own sums go to the same place.
  HOST_DEVICE bool addsLater(std::uint64_t step) const {
    return samples(step) && !samples(step + 1);
  }
  HOST_DEVICE std::uint32_t buffer(std::uint64_t step) const {
    return static_cast<std::uint32_t>((step + flip) & 1);
  }
};

// The current records: in the first buffer, or in the one that the control selects.
struct CurrentRecords {
  const ParticleRecord* buffer[2];
  const StepControl* control;
  HOST_DEVICE const ParticleRecord* now() const {
    return buffer[control ? control->buffer(control->base) : 0];
  }
};

// What a pass that takes a sample in one go reads and writes beside the list.
struct SampleSums {
  Ways ways;
  KineticOf kinetic;
  MdSums* ofBlocks;            // sums of each thread block
  std::uint32_t* arrived;      // thread blocks that are done; 0 between samples
  RunSample* to;               // the sample, or the ring where the control says which
  const StepControl* control;  // has the numbers of lists; null: they are these
  std::uint64_t builds, dangerous;
  const double* heat;  // where it is
  bool left = false;   // sums of thread blocks are not added up: others have some of them
};

}  // namespace cellscope
