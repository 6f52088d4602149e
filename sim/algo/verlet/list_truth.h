// Neighbour lists beside the truth: all pairs within the cutoff now, found by brute force, without
// any structure that a list could have been built by.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/algo/neighbours/builder.h"
#include "sim/exec/memory.h"

namespace cellscope {

using exec::onHost;

// Lists as the host reads them: in place on the CPU; of a GPU a copy, of all rows or of those that
// are asked for.
class HostRows {
 public:
  HostRows(const ListReader& list, std::size_t n, Backend where, bool all);
  // Entries of the list of a slot.
  std::span<const std::uint32_t> of(std::size_t slot);
  bool has(std::uint32_t slot, std::uint32_t other);

 private:
  ListReader list_;
  Backend where_;
  bool inPlace_ = true;
  std::vector<std::uint64_t> head_;
  std::vector<std::uint32_t> count_, items_;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> read_;  // rows, where one by one
};

struct ListTruth {
  enum class Fault {
    missing,   // within the cutoff, in neither list: no force
    oneSided,  // in one of the two lists
    twice,     // its force counts twice
    beyond     // further than cutoff and buffer when the list was built
  };
  static constexpr std::size_t kFaults = 4, kMostKept = 20'000;
  struct Pair {
    std::uint32_t i, j;  // slots; of a particle that was looked at alone i is its own
    Fault fault;
    ParticleRecord at;  // where i is now
    float d[3];         // from there to the nearest image of j
  };

  std::uint64_t lookedAt = 0;  // particles
  std::uint64_t within = 0;    // pairs within the cutoff
  std::array<std::uint64_t, kFaults> count{};
  std::vector<Pair> wrong;  // the first kMostKept

  std::uint64_t faults() const;
  std::string words() const;  // "25 missing, 1 listed twice"; "": none
};

// Between nearest images.
double distance(const ParticleRecord& a, const ParticleRecord& b, const Box& box);
// Distances between particles of single precision may be wrong by this much: 16 u X, X the sum of
// the longest side, twice, and the reach (sim/algo/list_check/check.h).
double pairRounding(const Box& box, double reach);

// Pairs i < j of all particles, or, with `only`, of this one, nearer than their cutoff. Each is
// looked at: n (n - 1) / 2 distances.
void forEachPairWithin(const std::vector<ParticleRecord>& particles, const Box& box,
                       const PairTable& cutoffs, std::optional<std::uint32_t> only,
                       const std::function<void(std::uint32_t i, std::uint32_t j, double r)>& take);

// Pairs at most the rounding from a limit may be listed or not. only: slots that are looked at;
// none: all. Only where lists are those of the next forces, and complete. Waits.
ListTruth listTruth(const ListsLent& lent, Backend where, std::span<const std::uint32_t> only);

}  // namespace cellscope
