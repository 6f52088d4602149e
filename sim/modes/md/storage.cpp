// States from and to files: configurations and checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <iterator>
#include <ostream>

#include "sim/algo/all_pairs/places.h"
#include "sim/io/binary.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/md/start.h"

namespace cellscope {

using md::MdParameters;

namespace {

bool finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

[[noreturn]] void refuse(const std::string& what) { throw InputError("configuration: " + what); }

void requireSound(const MdState& s) {
  const auto in = [&](double c) { return c >= 0 && c < s.length; };
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Vec3d r = s.position[i];
    if (!finite(r) || !in(r.x) || !in(r.y) || !in(r.z))
      refuse(
          fmt::format("particle {} lies at ({:g}, {:g}, {:g}), outside the box 0 to {:g}; wrap it "
                      "into the box",
                      i, r.x, r.y, r.z, s.length));
    if (!finite(s.velocity[i])) refuse(fmt::format("the velocity of particle {} is not finite", i));
  }
}

// Two particles in the same place exert no force on each other, so no energy gives them away.
void requireDistinct(const MdState& s) {
  std::vector<std::array<std::int32_t, 4>> places;
  const double steps = kPlacesAcross / s.length;
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Place p = placeOf(s.position[i], steps);
    places.push_back({p.x, p.y, p.z, static_cast<std::int32_t>(i)});
  }
  std::sort(places.begin(), places.end());
  for (std::size_t k = 1; k < places.size(); ++k)
    if (std::equal(places[k].begin(), places[k].begin() + 3, places[k - 1].begin()))
      refuse(fmt::format("particles {} and {} lie in the same place; move or remove one",
                         places[k - 1][3], places[k][3]));
}

void requireNoOverlap(const std::vector<PairSums>& sums) {
  constexpr double kWorst = 1e4;  // two particles at r = 0.5
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!(sums[i].energy < kWorst))
      refuse(
          fmt::format("particle {} overlaps with another: its potential energy is {:.3g} epsilon "
                      "(at most {:g}); move or remove one",
                      i, sums[i].energy, kWorst));
}

double cubicSide(const SceneBox& box) {
  const double l = box.length[0];
  if (box.dimension != 3) refuse("molecular dynamics needs a box of three dimensions");
  if (!(l > 0) || !std::isfinite(l) || std::abs(box.length[1] - l) > 1e-9 * l ||
      std::abs(box.length[2] - l) > 1e-9 * l)
    refuse(
        fmt::format("the box {:g} x {:g} x {:g} is not a cube", l, box.length[1], box.length[2]));
  return l;
}

// Particle with id k becomes number k.
std::vector<Vec3d> byId(const std::vector<double>& values, const std::vector<std::uint32_t>& ids) {
  std::vector<Vec3d> ordered(ids.size(), Vec3d{NAN, NAN, NAN});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= ids.size() || !std::isnan(ordered[ids[i]].x))
      refuse(fmt::format("the ids are not 0 to {}, each once (particle {} has {})", ids.size() - 1,
                         i, ids[i]));
    ordered[ids[i]] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  }
  return ordered;
}

}  // namespace

void MdMode::startFrom(const Configuration& c, const MdParameters& draft) {
  MdState s;
  s.length = cubicSide(c.box);
  const std::size_t n = c.ids.empty() ? c.positions.size() / 3 : c.ids.size();
  std::vector<std::uint32_t> ids = c.ids;
  for (std::size_t i = ids.size(); i < n; ++i) ids.push_back(static_cast<std::uint32_t>(i));
  if (c.positions.size() != 3 * n || (!c.velocities.empty() && c.velocities.size() != 3 * n))
    refuse(
        fmt::format("{} particles need {} coordinates; {} positions and {} velocities were given",
                    n, 3 * n, c.positions.size(), c.velocities.size()));
  MdParameters p = draft;
  ParameterSet set = ParameterSet::of(p);
  set.at("n").set(static_cast<std::int64_t>(n));
  set.at("density").set(static_cast<double>(n) / (s.length * s.length * s.length));
  if (p.cutoff > 0.5 * s.length)
    refuse(fmt::format("cutoff = {:g} is more than half the box side {:g}; use at most {:g}",
                       p.cutoff, s.length, 0.5 * s.length));
  md::checkMemory(p, config());
  s.position = byId(c.positions, ids);
  s.velocity = c.velocities.empty()
                   ? md::maxwellVelocities(p.n, p.temperature, static_cast<std::uint64_t>(p.seed))
                   : byId(c.velocities, ids);
  requireSound(s);
  requireDistinct(s);
  if (p.removeDrift) md::removeDrift(s.velocity);
  std::unique_ptr<AllPairsEngine> engine = prepared(p, s, progressOf("computing the first forces"));
  requireNoOverlap(engine->pairSums());
  startOver(p, std::move(engine), s.length);
}

Configuration MdMode::configuration() const {
  const MdState s = engine_->download();
  Configuration c;
  c.box = {3, {s.length, s.length, s.length}};
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Vec3d r = s.position[i], v = s.velocity[i];
    c.positions.insert(c.positions.end(), {r.x, r.y, r.z});
    c.velocities.insert(c.velocities.end(), {v.x, v.y, v.z});
    c.ids.push_back(static_cast<std::uint32_t>(i));
  }
  return c;
}

void MdMode::saveState(std::ostream& out) const {
  const MdState s = engine_->download();
  BinaryWriter w(out);
  w.value(length_);
  w.value(stepDt_);
  w.value(static_cast<std::uint8_t>(startEnergy_.has_value()));
  w.value(startEnergy_.value_or(0));
  w.value(startMomentum_);
  w.array(s.position.data(), s.position.size());
  w.array(s.velocity.data(), s.velocity.size());
  w.vector(sampler_.numbers());
}

void MdMode::loadState(std::istream& in, const MdParameters& p, int) {
  BinaryReader r(in);
  const auto length = r.value<double>("box length"), stepDt = r.value<double>("time step");
  const bool hasStart = r.value<std::uint8_t>("start energy") != 0;
  const auto startEnergy = r.value<double>("start energy");
  const auto startMomentum = r.value<Vec3d>("start momentum");
  const double expected = p.length();
  if (!(length > 0) || std::abs(length - expected) > 1e-6 * expected ||
      p.cutoff > 0.5 * length * (1 + 1e-9) || !std::isfinite(startEnergy) ||
      !finite(startMomentum) || !(stepDt >= 0 && std::isfinite(stepDt)))
    throw InputError("checkpoint: box, cutoff, time step or energy are impossible");
  md::checkMemory(p, config());
  const auto n = static_cast<std::size_t>(p.n);
  MdState s{length, std::vector<Vec3d>(n), std::vector<Vec3d>(n)};
  r.array(s.position.data(), n, "the positions");
  r.array(s.velocity.data(), n, "the velocities");
  requireSound(s);
  const std::vector<double> curves = r.vectorUpTo<double>("curves", 10000);
  md::MdSampler sampler;
  if (!sampler.restore(curves)) throw InputError("checkpoint: the curves are impossible");
  // Forces are a function of the positions.
  std::unique_ptr<AllPairsEngine> engine = prepared(p, s, progressOf("computing the forces"));
  startOver(p, std::move(engine), length);
  sampler_ = std::move(sampler);
  stepDt_ = stepDt;
  startEnergy_.reset();
  if (hasStart) startEnergy_ = startEnergy;
  startMomentum_ = startMomentum;
}

}  // namespace cellscope
