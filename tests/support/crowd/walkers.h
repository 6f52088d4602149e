// What a crowd is made of, and the functors of its steps.
//
// Walkers of two species move at random in a periodic box, in the plane or in space. In every step
// some are deleted, at random or of age, and others come at random positions. They do not interact.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/recorder/recorder.h"
#include "sim/base/box.h"
#include "sim/base/particle_id.h"
#include "sim/core/rng.h"
#include "sim/exec/atomic.h"

namespace cellscope::test {

HOST_DEVICE double diameterOf(std::uint32_t type) { return type == 0 ? 1.0 : 10.0; }  // sigma
inline constexpr const char* kSpeciesNames[2] = {"small", "large"};
// In files: the species column of extended XYZ takes chemical symbols, and ASE reads nothing else.
inline constexpr const char* kSpeciesSymbols[2] = {"He", "Xe"};
inline constexpr std::uint32_t kMostAttempts = 4096;  // births tried in a step

struct Walker {
  Vec3d r;
  ParticleId id;
  std::uint64_t born;  // steps that were complete then
  std::uint32_t type;
  std::uint32_t unused;  // 0
};

// Of one step.
struct CrowdRules {
  RngKey key{};
  Box box;
  double size = 0;             // largest displacement along an axis
  double death = 0;            // probability of a walker in a step
  std::uint64_t lifetime = 0;  // steps
  std::uint32_t attempts = 0;  // births tried, half of which succeed
  double large = 0;            // share of those born
  ParticleId firstNew = 0;     // ids of those born begin here
  std::uint64_t step = 0;      // complete steps
};

enum class Fate : std::uint16_t { lives, chance, age };
enum class WalkerEvent : std::uint16_t { moved, judged };

// Blocks of the one stream per step.
enum class CrowdDraw : std::uint32_t { move, moveDepth, death, birth, birthPlace, depth };
HOST_DEVICE Random4 crowdDraw(const CrowdRules& rules, std::size_t i, CrowdDraw block) {
  return draw(rules.key, RngPurpose::test, rules.step, static_cast<std::uint32_t>(i),
              static_cast<std::uint32_t>(block));
}
HOST_DEVICE double firstOf(const Random4& r) { return uniformOpen(r.w[0], r.w[1]); }
HOST_DEVICE double secondOf(const Random4& r) { return uniformOpen(r.w[2], r.w[3]); }

// x + size (2 u - 1), each operation rounded by itself.
HOST_DEVICE double displaced(double x, double size, double u) {
  const double to = 2.0 * u - 1.0;  // exact
#ifdef __CUDA_ARCH__
  return __dadd_rn(x, __dmul_rn(size, to));
#else
  return x + size * to;
#endif
}

// One walker; `count` of them exist, which only the device knows. kRecorded: what the watched one
// did is written down.
template <bool kRecorded>
struct MoveWalker {
  Walker* walkers;
  const std::uint32_t* count;
  CrowdRules rules;
  ParticleId watched = -1;
  RecordWriter to{};

  HOST_DEVICE void operator()(std::size_t i) const {
    if (i >= *count) return;
    Walker& w = walkers[i];
    const Random4 a = crowdDraw(rules, i, CrowdDraw::move);
    Vec3d r = w.r;
    r.x = displaced(r.x, rules.size, firstOf(a));
    r.y = displaced(r.y, rules.size, secondOf(a));
    if (rules.box.dimension == 3)
      r.z = displaced(r.z, rules.size, firstOf(crowdDraw(rules, i, CrowdDraw::moveDepth)));
    r = rules.box.wrap(r);
    if constexpr (kRecorded)
      if (w.id == watched) record(w, r);
    w.r = r;
  }
  HOST_DEVICE void record(const Walker& w, Vec3d r) const {
    Record what;
    what.subject = static_cast<std::uint64_t>(w.id);
    what.stage = static_cast<std::uint32_t>(rules.step);
    what.phase = static_cast<std::uint16_t>(WalkerEvent::moved);
    const double numbers[6] = {w.r.x, w.r.y, w.r.z, r.x, r.y, r.z};
    for (int k = 0; k < 6; ++k) what.number[k] = static_cast<float>(numbers[k]);
    to.write(what);
  }
};

struct Judge {
  const Walker* walkers;
  const std::uint32_t* count;
  CrowdRules rules;

  HOST_DEVICE Fate fate(std::size_t i) const {
    if (firstOf(crowdDraw(rules, i, CrowdDraw::death)) < rules.death) return Fate::chance;
    return rules.step - walkers[i].born >= rules.lifetime ? Fate::age : Fate::lives;
  }
  HOST_DEVICE bool operator()(std::size_t i) const { return i < *count && fate(i) == Fate::lives; }
};

struct RecordFate {
  Judge judge;
  ParticleId watched;
  RecordWriter to;

  HOST_DEVICE void operator()(std::size_t i) const {
    if (i >= *judge.count || judge.walkers[i].id != watched) return;
    Record what;
    what.subject = static_cast<std::uint64_t>(watched);
    what.stage = static_cast<std::uint32_t>(judge.rules.step);
    what.order = 1;
    what.phase = static_cast<std::uint16_t>(WalkerEvent::judged);
    what.outcome = static_cast<std::uint16_t>(judge.fate(i));
    to.write(what);
  }
};

struct WalkerAt {
  const Walker* walkers;
  HOST_DEVICE Walker operator()(std::size_t i) const { return walkers[i]; }
};

struct IsBorn {
  CrowdRules rules;
  HOST_DEVICE bool operator()(std::size_t i) const {
    return firstOf(crowdDraw(rules, i, CrowdDraw::birth)) < 0.5;
  }
};

HOST_DEVICE Vec3d crowdPlace(const Box& box, double x, double y, double z) {
  return box.wrap({x * box.length[0], y * box.length[1], z * box.length[2]});
}

struct Newborn {
  CrowdRules rules;

  HOST_DEVICE Walker operator()(std::size_t i) const {
    const Random4 a = crowdDraw(rules, i, CrowdDraw::birth);
    const Random4 b = crowdDraw(rules, i, CrowdDraw::birthPlace);
    // The first half of the numbers of `a` were accepted: what is left of them is uniform again.
    const double z = 2.0 * firstOf(a);
    const std::uint64_t serial = rules.step * kMostAttempts + i;
    return {crowdPlace(rules.box, firstOf(b), secondOf(b), z),
            rules.firstNew + static_cast<ParticleId>(4 * serial), rules.step,
            secondOf(a) < rules.large ? 1u : 0u, 0u};
  }
};

struct AppendWalker {
  const Walker* from;
  const std::uint32_t* howMany;
  Walker* walkers;
  const std::uint32_t* count;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (i < *howMany) walkers[*count + i] = from[i];
  }
};

// One number each.
struct CrowdTally {
  std::uint64_t births = 0, deaths = 0, moves = 0;
};
struct CountBirths {
  const std::uint32_t* howMany;
  std::uint32_t* count;
  CrowdTally* tally;
  HOST_DEVICE void operator()(std::size_t) const {
    *count += *howMany;
    tally->births += *howMany;
  }
};
struct CountMoves {
  const std::uint32_t* count;
  CrowdTally* tally;
  HOST_DEVICE void operator()(std::size_t) const { tally->moves += *count; }
};
struct CountDeaths {
  const std::uint32_t *before, *after;
  CrowdTally* tally;
  HOST_DEVICE void operator()(std::size_t) const { tally->deaths += *before - *after; }
};

// Keys by which walkers are sorted: the species; what is no walker comes last.
struct SpeciesKey {
  const Walker* walkers;
  const std::uint32_t* count;
  std::uint32_t* key;
  HOST_DEVICE void operator()(std::size_t i) const { key[i] = i < *count ? walkers[i].type : 2u; }
};

// From one dimension to the other: x and y stay.
struct ChangeDimension {
  Walker* walkers;
  const std::uint32_t* count;
  CrowdRules rules;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (i >= *count) return;
    const double z = firstOf(crowdDraw(rules, i, CrowdDraw::depth));
    walkers[i].r.z = crowdPlace(rules.box, 0, 0, z).z;
  }
};

}  // namespace cellscope::test
