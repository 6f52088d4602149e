// A hand in the run: springs on particles, particles added and deleted, velocities changed.
//
// The end of a spring moves to where the hand is with a finite speed, as in steered molecular
// dynamics (Grubmueller, Heymann and Tavan 1996), and its force is limited: a mouse jumps.
#include <fmt/format.h>

#include "sim/algo/md/pair_law.h"
#include "sim/modes/md/mode.h"

namespace cellscope {
namespace {

constexpr double kFastest = 5;       // of the end of a spring, sigma / tau
constexpr double kLargestPull = 80;  // acceleration, sigma / tau^2
constexpr std::size_t kMostHeld = 10000;

// By whole boxes, to within half of one.
Vec3d reduced(Vec3d d, const Box& box) {
  const auto along = [&](double x, int a) {
    return x - box.length[a] * std::rint(x / box.length[a]);
  };
  return {along(d.x, 0), along(d.y, 1), box.dimension == 3 ? along(d.z, 2) : 0.0};
}

}  // namespace

std::string MdMode::refuses(HandAct act) const {
  const bool holds = act == HandAct::grab || act == HandAct::pull || act == HandAct::release;
  if (holds && config().allDomains() > 1)
    return "particles of several domains cannot be held; start with one domain";
  return "";
}

std::string MdMode::hand(const HandMove& move) {
  switch (move.act) {
    case HandAct::grab:
      return grab(move);
    case HandAct::pull:
      if (!run_.held.any()) return "";
      run_.held.to = move.at;
      return "pulled";
    case HandAct::release:
      return letGo();
    case HandAct::add:
      return addWithin(move);
    case HandAct::remove:
      return removeWithin(move);
    case HandAct::heat:
      break;
  }
  std::vector<ParticleId> ids;
  for (const std::size_t i : withinReach(box_, engine_->download().position, move))
    ids.push_back(ids_[i]);
  if (ids.empty()) return "";
  heat(ids, move.strength);
  return fmt::format("velocities of {} times {:.3g}", countOf(ids.size(), "particle"),
                     move.strength);
}

std::string MdMode::grab(const HandMove& move) {
  const MdState s = engine_->download();
  const std::vector<std::size_t> numbers = withinReach(box_, s.position, move);
  if (numbers.empty()) return "";
  if (numbers.size() > kMostHeld)
    throw InputError(
        "hand: grab: {} particles are within {:g} sigma, at most {} can be held; choose a smaller "
        "radius",
        numbers.size(), move.radius, kMostHeld);
  letGo();
  for (const std::size_t i : numbers)
    run_.held.all.push_back({.number = static_cast<std::uint32_t>(i), .anchor = s.position[i]});
  run_.held.k = move.strength;
  run_.held.from = run_.held.end = run_.held.to = move.at;
  engine_->hold(run_.held.all);
  return fmt::format("holds {}, k = {:g}", countOf(numbers.size(), "particle"), run_.held.k);
}

std::string MdMode::letGo() {
  if (!run_.held.any()) return "";
  const Pulled gave = run_.held.sum();
  const std::string what = countOf(run_.held.all.size(), "particle");
  run_.held = {};
  run_.progress.pulled.add(gave, 1);
  engine_->hold({});
  return fmt::format("let go of {}: the work of the springs is {:.4g} epsilon", what, gave.work);
}

// Half a step of the springs; behind a step, their ends move first.
void MdMode::pullHeld(bool moves) {
  if (!run_.held.any()) return;
  if (moves) {
    const Vec3d way = run_.held.to - run_.held.end;
    const double far = std::sqrt(dot(way, way)), most = kFastest * run_.stepDt;
    const double share = far > most ? most / far : 1.0;
    run_.held.end = run_.held.end + share * way;
  }
  engine_->pullHeld(
      {run_.held.k, kLargestPull / run_.held.k, reduced(run_.held.end - run_.held.from, box_)},
      run_.stepDt);
  // They may be faster than the follower takes for granted.
  if (moves) engine_->followDisplacements();
}

std::optional<Grip> MdMode::grip() {
  if (!run_.held.any()) return std::nullopt;
  const auto apart = [&](const HeldParticle& h) {
    const Vec3d d = box_.minimumImage(h.anchor - box_.wrap(run_.held.from));
    return dot(d, d);
  };
  const HeldParticle& middle = *std::ranges::min_element(run_.held.all, {}, apart);
  const Vec3d at = *placesOf({ids_[middle.number]})[0];
  const Vec3d way = run_.held.end - run_.held.from, home = middle.anchor - at;
  const Vec3d to = reduced(home + way, box_);
  return Grip{run_.held.all.size(), at, at + to, run_.held.sum().work};
}

// Particles of type 0 where the energy with all others is at most that of some collisions.
std::string MdMode::addWithin(const HandMove& move) {
  MdState s = engine_->download();
  const PairSettings pair = active().pair();
  const double temperature =
      active().bathOn() ? active().bath().temperatureAt(step()) : measured().temperature();
  const double most = std::max(1.0, 2 * temperature);
  const double far = move.radius + active().largestCutoff();
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < s.position.size(); ++i)
    if (const Vec3d d = box_.minimumImage(s.position[i] - move.at); dot(d, d) < far * far)
      near.push_back(i);
  const std::size_t before = s.position.size();
  std::vector<ParticleId> ids = ids_;
  const RngKey key = hashSeed(static_cast<std::uint64_t>(active().seed));
  withLaw<double>(pair.potential, pair.species, [&](const auto& law) {
    forEachPlace(box_, move, [&](Vec3d at) {
      constexpr double kNarrow = 0.8;  // nearer ones overlap, whatever the law says there
      double energy = 0;
      for (const std::size_t j : near) {
        const Vec3d d = box_.minimumImage(at - s.position[j]);
        const auto& p = law.of(0, s.typeOf(j));
        const double r2 = dot(d, d), apart = kNarrow / 2 *
                                             (pair.species.diameter(0) +
                                              pair.species.diameter(static_cast<int>(s.typeOf(j))));
        if (r2 < apart * apart) return;
        if (r2 < p.cutoffSquared) energy += p.terms(r2, 1 / std::sqrt(r2)).energy;
      }
      if (!(energy <= most)) return;
      const ParticleId id = nextId_ + static_cast<ParticleId>(s.position.size() - before);
      near.push_back(s.position.size());
      s.position.push_back(at);
      s.velocity.push_back(md::thermalVelocity(key, step() + 1, static_cast<std::uint32_t>(id),
                                               box_.dimension, temperature / pair.species.mass[0]));
      if (!s.type.empty()) s.type.push_back(0);
      const Vec3 seen{static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
      s.followed.origin.push_back(seen), s.followed.seen.push_back(seen);
      ids.push_back(id);
    });
  });
  const std::size_t added = s.position.size() - before;
  if (added == 0) return "";
  replaceParticles(std::move(s), std::move(ids));
  return "added " + countOf(added, "particle");
}

std::string MdMode::removeWithin(const HandMove& move) {
  MdState s = engine_->download();
  const std::vector<std::size_t> gone = withinReach(box_, s.position, move);
  if (gone.empty()) return "";
  std::vector<ParticleId> ids = ids_;
  if (gone.size() == ids.size())
    throw InputError("hand: delete: a run needs particles; choose a smaller radius");
  eraseAll(s.position, gone), eraseAll(s.velocity, gone), eraseAll(s.type, gone);
  eraseAll(s.followed.origin, gone), eraseAll(s.followed.seen, gone), eraseAll(ids, gone);
  replaceParticles(std::move(s), std::move(ids));
  return "deleted " + countOf(gone.size(), "particle");
}

}  // namespace cellscope
