#include "sim/modes/museum/mode.h"

#include "sim/core/rng.h"
#include "sim/layers/list.h"

namespace cellscope {
namespace {

using museum::Exhibit;

constexpr double kClosest = 0.8;  // of two particles
constexpr double kDensest = 0.8;
constexpr std::uint64_t kFlight = 16;  // steps of the same displacement

bool isFree(const Exhibit& e, const std::vector<Vec3d>& others, Vec3d r, std::size_t own) {
  for (std::size_t j = 0; j < others.size(); ++j) {
    const Vec3d d = e.nearest(r, others[j]);
    if (j != own && dot(d, d) < kClosest * kClosest) return false;
  }
  return true;
}

// Into the box; returns how many boxes away it was.
list_check::Shift wrapInto(const Exhibit& e, Vec3d& r) {
  const Vec3d f = e.fraction(r);
  const list_check::Shift s{static_cast<std::int32_t>(std::floor(f.x)),
                            static_cast<std::int32_t>(std::floor(f.y)), 0};
  if (s == list_check::Shift{}) return s;
  r = e.vector(f.x - s[0], f.y - s[1]);
  return s;
}

// Two numbers in (0, 1).
Vec3d drawn(RngKey key, RngPurpose purpose, std::uint64_t step, std::uint32_t i) {
  const Random4 w = draw(key, purpose, step, i, 0);
  return {uniformOpen(w.w[0], w.w[1]), uniformOpen(w.w[2], w.w[3]), 0};
}

std::vector<Vec3d> scattered(const MuseumParameters& p) {
  constexpr std::uint32_t kTries = 100'000;
  const Exhibit& e = p.shown();
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p.seed));
  std::vector<Vec3d> r;
  for (std::uint32_t k = 0; r.size() < static_cast<std::size_t>(p.n) && k < kTries; ++k) {
    const Vec3d f = drawn(key, RngPurpose::initialPositions, 0, k);
    const Vec3d at = e.vector(f.x, f.y);
    if (isFree(e, r, at, r.size())) r.push_back(at);
  }
  if (r.size() < static_cast<std::size_t>(p.n))
    throw InputError("'n': no room for {} particles, {} found one", p.n, r.size());
  return r;
}

}  // namespace

const ModeDescription& MuseumMode::describe() {
  static const ModeDescription description = [] {
    ModeDescription d;
    d.key = "museum";
    d.label = "Museum of bugs";
    d.dimensions = {2};
    d.layers = layers::infosOf(layers::museumLayers());
    d.colourings = {{"type", "Type", "The types of the particles, where there are two."}};
    d.observables = {
        {"wrong", "Wrong pairs", "N_w", "", "compared with all pairs within the cutoff",
         "wrong pairs", false, true, true},
        {"missing", "Missing pairs", "N_m", "", "pairs within the cutoff that the list has not",
         "wrong pairs", false, true, true},
        {"builds", "Lists built", "N_b", "", "since the start", "lists built", false, true, true}};
    d.parameters = &ParameterSet::defaults<MuseumParameters>;
    return d;
  }();
  return description;
}

void MuseumMode::check(const P& p) const {
  const auto most = static_cast<std::int64_t>(kDensest * p.shown().lx * p.shown().ly);
  if (p.n > most)
    throw InputError("'n' = {}: the box of exhibit '{}' has room for {}; allowed: 2 to {}", p.n,
                     p.shown().key, most, most);
}

void MuseumMode::start(const P& p) {
  std::vector<Vec3d> r = scattered(p);
  state_ = {std::move(r), std::vector<Shift>(static_cast<std::size_t>(p.n))};
  builds_ = made_ = 0;
  build(p);
  while (made_ < static_cast<std::uint64_t>(p.before)) {
    move(p, made_++);
    if (isListOld(p)) build(p);
  }
  begin(p);
}

void MuseumMode::move(const P& p, std::uint64_t number) {
  const Exhibit& e = p.shown();
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p.seed));
  for (std::size_t i = 0; i < state_.r.size(); ++i) {
    const Vec3d u =
        drawn(key, RngPurpose::langevinNoise, number / kFlight, static_cast<std::uint32_t>(i));
    Vec3d to = state_.r[i] + p.d * Vec3d{2 * u.x - 1, 2 * u.y - 1, 0};
    if (!isFree(e, state_.r, to, i)) continue;
    const Shift s = wrapInto(e, to);
    for (std::size_t a = 0; a < 2; ++a) state_.image[i][a] += s[a];
    state_.r[i] = to;
  }
  shown_ = nullptr;
}

// A list without a skin is that of one step. Otherwise, while two particles that were further
// apart than cutoff and skin have not moved by more than half the skin each, the list has all pairs
// within the cutoff.
bool MuseumMode::isListOld(const P& p) const {
  const Exhibit& e = p.shown();
  double furthest = 0;
  for (std::size_t i = 0; i < state_.r.size(); ++i) {
    const Vec3d v =
        e.vector(state_.image[i][0] - built_.image[i][0], state_.image[i][1] - built_.image[i][1]);
    furthest = std::max(furthest, std::hypot(state_.r[i].x - built_.r[i].x + v.x,
                                             state_.r[i].y - built_.r[i].y + v.y));
  }
  const bool whole = p.mistake && e.bug == museum::Bug::skinSpent;
  return e.skin == 0 || furthest > (whole ? e.skin : e.skin / 2);
}

void MuseumMode::build(const P& p) {
  built_ = state_;
  lists_.emplace(p.shown(), p.mistake, built_.r);
  ++builds_;
  shown_ = nullptr;
}

// The exhibit's kind of wrong pairs, and what it has.
void MuseumMode::adjustInfo(ModeInfo& info) const {
  const Exhibit& e = active().shown();
  std::erase_if(info.layers, [&](const LayerInfo& layer) {
    if (layer.key == layers::kTree) return !e.byTree;
    if (layer.key == layers::kCells) return e.byTree;
    return layer.group == LayerGroup::pairs && layer.key != layers::WrongPairsLayer::keyOf(e.kind);
  });
}

std::vector<double> MuseumMode::sample() {
  const list_check::Report& r = shown().report;
  return {static_cast<double>(r.wrongPairs()),
          static_cast<double>(r.count[static_cast<std::size_t>(list_check::Kind::missing)]),
          static_cast<double>(builds_)};
}

std::vector<SelfCheck> MuseumMode::selfChecks() {
  SelfCheck list{"neighbour list", shown().findings->right, shown().findings->verdict};
  list.onPurpose = !list.ok && active().mistake;
  return {{"particles", true, fmt::format("{}", state_.r.size())}, list};
}

void MuseumMode::loadState(BinaryReader& r, const P& p, int) {
  const auto made = r.value<std::uint64_t>("steps"), builds = r.value<std::uint64_t>("lists built");
  State read[2];
  const auto n = static_cast<std::size_t>(p.n);
  for (State& s : read) {
    s.r = r.vector<Vec3d>("positions", n);
    s.image = r.vector<Shift>("images", n);
    for (std::size_t i = 0; i < n; ++i) {
      Vec3d at = s.r[i];
      const bool finite = std::isfinite(at.x) && std::isfinite(at.y) && at.z == 0;
      if (!finite || std::abs(at.x) > 1e3 || std::abs(at.y) > 1e3 ||
          wrapInto(p.shown(), at) != Shift{} || std::abs(s.image[i][0]) > 1'000'000 ||
          std::abs(s.image[i][1]) > 1'000'000 || s.image[i][2] != 0)
        throw InputError("checkpoint: particle {} is at an impossible place", i);
    }
  }
  state_ = std::move(read[0]), built_ = std::move(read[1]);
  made_ = made, builds_ = builds;
  lists_.emplace(p.shown(), p.mistake, built_.r);
  shown_ = nullptr;
  begin(p);
}

}  // namespace cellscope
