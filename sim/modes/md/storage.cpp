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

// Two particles in the same place exert no force on each other, so no energy gives them away.
void requireDistinct(const MdState& s, const std::vector<ParticleId>& ids) {
  std::vector<std::array<std::int32_t, 4>> places;
  const double steps = kPlacesAcross / sideOfCube(s.box);
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Place p = placeOf(s.position[i], steps);
    places.push_back({p.x, p.y, p.z, static_cast<std::int32_t>(i)});
  }
  std::sort(places.begin(), places.end());
  for (std::size_t k = 1; k < places.size(); ++k)
    if (std::equal(places[k].begin(), places[k].begin() + 3, places[k - 1].begin()))
      refuse(fmt::format("particles {} and {} lie in the same place; move or remove one",
                         ids[static_cast<std::size_t>(places[k - 1][3])],
                         ids[static_cast<std::size_t>(places[k][3])]));
}

void requireNoOverlap(const std::vector<PairSums>& sums, const std::vector<ParticleId>& ids) {
  constexpr double kWorst = 1e4;  // two particles at r = 0.5
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!(sums[i].energy < kWorst))
      refuse(
          fmt::format("particle {} overlaps with another: its potential energy is {:.3g} epsilon "
                      "(at most {:g}); move or remove one",
                      ids[i], sums[i].energy, kWorst));
}

// The box as a cube; sides may differ by rounding.
Box cubeOf(const Box& box) {
  const double l = box.length[0];
  if (std::abs(box.length[1] - l) > 1e-9 * l || std::abs(box.length[2] - l) > 1e-9 * l)
    refuse(
        fmt::format("the box {:g} x {:g} x {:g} is not a cube", l, box.length[1], box.length[2]));
  return cubicBox(l);
}

// Reduced units: sigma and m are those of the one species.
void requireReduced(const Species& s) {
  if (s.diameter != 1 || s.mass != 1)
    refuse(
        fmt::format("species '{}' has diameter {} and mass {}; mode 'md' takes diameter 1 "
                    "(radius 0.5) and mass 1, its units",
                    s.name, s.diameter, s.mass));
}

std::vector<Vec3d> vectors(const std::vector<double>& values) {
  std::vector<Vec3d> all(values.size() / 3);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return all;
}

// Positions and velocities as a configuration has them.
Configuration configurationOf(const MdState& s, const std::vector<ParticleId>& ids) {
  Configuration c;
  c.box = s.box;
  c.ids = ids;
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Vec3d r = s.position[i], v = s.velocity[i];
    c.positions.insert(c.positions.end(), {r.x, r.y, r.z});
    c.velocities.insert(c.velocities.end(), {v.x, v.y, v.z});
  }
  return c;
}

// Of what save() writes, raised with every change of it, Header and MdParameters included. Version
// 1 began with the step, which never has the bits of the mark ("md").
constexpr std::uint64_t kVersion = 4, kMark = 0x6d64ull << 48;

void requireVersion(BinaryReader& r) {
  const auto word = r.value<std::uint64_t>("the version");
  const bool marked = word >> 48 == kMark >> 48;
  const std::uint64_t version = marked ? word - kMark : 1;
  if (!marked || version != kVersion)
    throw InputError(
        fmt::format("checkpoint: its molecular-dynamics state has version {}, this program reads "
                    "version {}; resume with the program that wrote it",
                    version, kVersion));
}

// Everything of a checkpoint but version and arrays.
struct Header {
  std::uint64_t step, keptStep;
  std::int64_t phase;
  std::int64_t dimension;
  double length[3], stepDt, work, startEnergy;
  Vec3d startMomentum;
  std::uint64_t hasStartEnergy, curveNumbers;
  MdParameters active, edited;
};
static_assert(std::is_trivially_copyable_v<Header>);

Box boxOf(const Header& h) {
  return {static_cast<int>(h.dimension), {h.length[0], h.length[1], h.length[2]}};
}

// Passes every value through the declared ranges. Throws InputError.
void requireInRange(MdParameters& p) {
  if (std::min({p.potential.index, p.tile.index, p.kernel.index}) < 0 ||
      p.tile.index >= std::ssize(md::kTiles) ||
      p.kernel.index > static_cast<std::int64_t>(PairKernel::teamsDouble) ||
      p.potential.index >= std::ssize(potentialKeys()))
    throw InputError("checkpoint: a choice is out of range");
  ParameterSet set = ParameterSet::of(p);
  for (Parameter& parameter : set.items()) parameter.set(parameter.get());
}

void requireHeader(Header& h) {
  requireInRange(h.active);
  requireInRange(h.edited);
  const double expected = h.active.length();
  const Box box = boxOf(h);
  const bool sound = h.phase >= 0 && h.phase < 3 && box == cubicBox(box.length[0]) &&
                     std::abs(box.length[0] - expected) < 1e-6 * expected && h.work >= 0 &&
                     std::isfinite(h.work) && std::isfinite(h.startEnergy) &&
                     finite(h.startMomentum) && std::isfinite(h.stepDt) && h.stepDt >= 0 &&
                     h.curveNumbers < 10000 && h.active.cutoff <= 0.5 * box.shortest() * (1 + 1e-9);
  if (!sound) throw InputError("checkpoint: step, phase, box or cutoff are impossible");
}

}  // namespace

void MdMode::takeIds(std::vector<ParticleId> ids) {
  slots_ = IdMap(ids);
  ids_ = std::move(ids);
}

void MdMode::adopt(const Configuration& c) {
  requireDimension(c, 3, "md");
  MdState s;
  s.box = cubeOf(c.box);
  requireValid(c);
  requireReduced(onlySpecies(c, "md"));
  MdParameters p = edited_;
  ParameterSet set = ParameterSet::of(p);
  set.at("n").set(static_cast<std::int64_t>(c.size()));
  set.at("density").set(static_cast<double>(c.size()) / s.box.volume());
  if (p.cutoff > 0.5 * s.box.shortest())
    refuse(fmt::format("cutoff = {:g} is more than half the box side {:g}; use at most {:g}",
                       p.cutoff, s.box.shortest(), 0.5 * s.box.shortest()));
  md::checkMemory(p, config_);
  s.position = vectors(c.positions);
  for (Vec3d& r : s.position) r = s.box.wrap(r);
  s.velocity = c.velocities.empty()
                   ? md::maxwellVelocities(p.n, p.temperature, static_cast<std::uint64_t>(p.seed))
                   : vectors(c.velocities);
  requireDistinct(s, c.ids);
  if (p.removeDrift) md::removeDrift(s.velocity);
  std::unique_ptr<AllPairsEngine> engine = prepared(p, s, tell("computing the first forces"));
  requireNoOverlap(engine->pairSums(), c.ids);
  edited_ = p;
  startOver(p, std::move(engine), s.box, c.ids);
}

Configuration MdMode::configuration() const { return configurationOf(engine_->download(), ids_); }

void MdMode::save(std::ostream& out) const {
  const MdState s = engine_->download();
  const std::vector<double> curves = sampler_.numbers();
  Header h{};
  h.step = step_, h.keptStep = keptStep_, h.phase = phase_;
  h.dimension = box_.dimension;
  std::copy_n(box_.length, 3, h.length);
  h.stepDt = stepDt_, h.work = work_;
  h.startEnergy = startEnergy_.value_or(0), h.hasStartEnergy = startEnergy_.has_value();
  h.startMomentum = startMomentum_;
  h.curveNumbers = curves.size();
  h.active = active_, h.edited = edited_;
  BinaryWriter w(out);
  w.value(kMark + kVersion);
  w.value(h);
  w.array(ids_.data(), ids_.size());
  w.array(s.position.data(), s.position.size());
  w.array(s.velocity.data(), s.velocity.size());
  w.array(curves.data(), curves.size());
}

void MdMode::load(std::istream& in) {
  BinaryReader r(in);
  requireVersion(r);
  auto h = r.value<Header>("the header");
  requireHeader(h);
  md::checkMemory(h.active, config_);
  const auto n = static_cast<std::size_t>(h.active.n);
  MdState s;
  s.box = boxOf(h);
  auto ids = r.items<ParticleId>(n, "the ids");
  s.position = r.items<Vec3d>(n, "the positions");
  s.velocity = r.items<Vec3d>(n, "the velocities");
  const auto curves = r.items<double>(h.curveNumbers, "the curves");
  requireValid(configurationOf(s, ids), "checkpoint");
  md::MdSampler sampler;
  if (!sampler.restore(curves)) throw InputError("checkpoint: the curves are impossible");
  engine_ = prepared(h.active, s,
                     tell("computing the forces"));  // forces are a function of the positions
  sampler_ = std::move(sampler);
  active_ = h.active, edited_ = h.edited;
  box_ = s.box, step_ = h.step, keptStep_ = h.keptStep;
  takeIds(std::move(ids));
  phase_ = static_cast<int>(h.phase), stepDt_ = h.stepDt, work_ = h.work;
  startEnergy_.reset();
  if (h.hasStartEnergy) startEnergy_ = h.startEnergy;
  startMomentum_ = h.startMomentum;
}

}  // namespace cellscope
