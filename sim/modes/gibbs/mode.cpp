// Life of the mode: start, edits, steps, tuning, samples, checks, checkpoints.
#include "sim/modes/gibbs/mode.h"

#include <fmt/format.h>

#include "sim/algo/observables/fluid_reference.h"
#include "sim/layers/list.h"

namespace cellscope {

using gibbs::GibbsSample;
using gibbs::MoveSizes;

namespace {

constexpr std::uint64_t kTuningRounds = 24, kRoundMoves = 10000, kRoundSteps = 10;

bool isPossible(const GibbsHead& h, const GibbsRules& r) {
  return h.move < 1ull << 56 && h.n1 <= r.n && h.share >= r.least &&
         h.share <= 4294967296ull - r.least;
}

}  // namespace

const ModeDescription& GibbsMode::describe() {
  static const ModeDescription description = [] {
    ModeDescription d;
    d.key = "gibbs";
    d.label = "Two boxes in equilibrium (Gibbs ensemble)";
    d.dimensions = {2, 3};
    d.workUnit = "trial moves";
    d.layers = layers::infosOf(layers::gibbsLayers());
    d.colourings = {
        {"box", "Box", "The box that each particle is in now."},
        {"origin", "Origin", "The box that each particle began in: how far both have mixed."},
        {"plain", "Plain", "All particles alike."}};
    d.observables = infosOf(gibbs::gibbsObservables());
    d.curves = {"gibbs_dome", "gibbs_pressure", "gibbs_potential", "gibbs_deviation",
                "gibbs_histogram"};
    d.parameters = &ParameterSet::defaults<P>;
    return d;
  }();
  return description;
}

std::vector<GibbsRules> GibbsMode::rulesOf(const P& p) const {
  std::vector<GibbsRules> all;
  for (std::size_t k = 0; k < static_cast<std::size_t>(p.pairs); ++k)
    all.push_back(p.rules(k, k < sizes_.size() ? sizes_[k] : p.sizes()));
  return all;
}

// A new state of pairs with these sizes of moves: states(rules). What throws leaves the old one.
void GibbsMode::take(const P& p, std::vector<MoveSizes> sizes, const auto& states) {
  // A team holds the positions of its pair in its own memory.
  if (const std::int64_t most = mostGibbsParticles(exec_); p.n > most)
    throw InputError(
        "n = {}: the shared memory of this GPU holds at most {} particles of a pair; use fewer, or "
        "--backend cpu",
        p.n, most);
  auto pairs = makeGibbsPairs(exec_, p.threads());
  std::swap(sizes_, sizes);
  try {
    const std::vector<GibbsRules> rules = rulesOf(p);
    withHint([&] { pairs->upload(states(rules), rules); });
  } catch (...) {
    std::swap(sizes_, sizes);
    throw;
  }
  begin(p);
  pairs_ = std::move(pairs);
}

void GibbsMode::start(const P& p) {
  gibbs::checkStart(p);
  take(p, std::vector<MoveSizes>(static_cast<std::size_t>(p.pairs), p.sizes()),
       [&](const std::vector<GibbsRules>& rules) {
         return gibbsLattices(rules, p.firstN(), p.firstShare());
       });
  moves_ = roundsLeft_ = 0;
  averages_.start(p);
  if (p.tune) beginTuning();
}

void GibbsMode::parametersChanged(const P& before, std::uint32_t touched) {
  using T = gibbs::GibbsTouch;
  const P& p = active();
  if (touched & T::rules && p.smallest() > before.smallest())
    for (const GibbsHead& h : pairs_->heads())
      if (!isPossible(h, p.rules(0, p.sizes())))
        throw InputError(
            "cutoff = {:g}: a box is smaller than two cutoffs now; start anew, or use less",
            p.cutoff);
  if (touched & T::team) pairs_->useThreads(p.threads());
  if (touched & T::sizes) sizes_.assign(sizes_.size(), p.sizes());
  if (touched & (T::rules | T::sizes)) pairs_->setRules(rulesOf(p));
  if (touched & (T::tuning | T::sizes)) {
    roundsLeft_ = 0;
    if (p.tune) beginTuning();
  }
  if (touched & T::averages) resetAverages();
  if (touched & T::shown) averages_.forgetHistogram();
  chartsGoOn_ = touched != 0 && (touched & ~(T::shown | T::team)) == 0;
}

void GibbsMode::beginTuning() {
  roundsLeft_ = kTuningRounds;
  stepsLeft_ =
      std::max(kRoundSteps, kRoundMoves / static_cast<std::uint64_t>(active().movesPerStep));
  pairs_->clearCounters();
}

std::optional<Preparation> GibbsMode::preparation() const {
  if (roundsLeft_ == 0) return std::nullopt;
  return Preparation{
      fmt::format("tuning the move sizes (target acceptance {:g})", active().targetAcceptance),
      1 - static_cast<double>(roundsLeft_) / kTuningRounds};
}

// At the end of a step. Changes by less from round to round, so that noise averages out.
void GibbsMode::tune() {
  if (--stepsLeft_ > 0) return;
  const std::uint64_t left = roundsLeft_ - 1;
  const double power = left > kTuningRounds / 2 ? 1 : 0.4;
  const std::vector<GibbsHead> heads = pairs_->heads();
  const GibbsKind kinds[] = {GibbsKind::displacement1, GibbsKind::displacement2};
  for (std::size_t k = 0; k < heads.size(); ++k) {
    // By what was accepted with that size.
    const auto changed = [&](double size, GibbsKind kind, double least, double most) {
      const auto attempted = static_cast<double>(heads[k].attempted[static_cast<int>(kind)]);
      const auto accepted = static_cast<double>(heads[k].accepted[static_cast<int>(kind)]);
      const double share = (accepted + 0.5) / (attempted + 1) / active().targetAcceptance;
      const double factor = attempted < 4 ? 1 : std::clamp(share, 0.6, 1.6);
      return std::clamp(size * std::pow(factor, power), least, most);
    };
    for (int box = 0; box < 2; ++box)
      sizes_[k].reach[box] = changed(sizes_[k].reach[box], kinds[box], 0.001, 10);
    sizes_[k].volume = changed(sizes_[k].volume, GibbsKind::volume, 1e-5, 0.5);
  }
  pairs_->setRules(rulesOf(active()));
  beginTuning();
  roundsLeft_ = left;
  if (left > 0) return;
  setByItself(&P::tune, false);  // frozen
  resetAverages();
  reportChange();
}

// In parts of some tens of milliseconds where somebody watches; a step that is cancelled is not
// made.
void GibbsMode::makeMoves() {
  const auto moves = static_cast<std::uint64_t>(active().movesPerStep);
  const double pairs = static_cast<double>(pairs_->size()), n = static_cast<double>(active().n);
  const double perSecond = exec_->where() == Backend::cuda ? 1e11 : 3e8;  // pairs of particles
  const auto part = static_cast<std::uint64_t>(std::max(64.0, 0.05 * perSecond / (pairs * n)));
  const bool parts = workReport() && moves > 4 * part;
  if (!parts) return pairs_->advance(moves);
  keep();
  try {
    for (std::uint64_t done = 0; done < moves; done += part) {
      reportWork("making the moves of a step",
                 static_cast<double>(done) / static_cast<double>(moves));
      pairs_->advance(std::min(part, moves - done));
    }
  } catch (const Cancelled&) {
    goBack();
    throw;
  }
}

std::vector<GibbsSample> GibbsMode::measured() {
  const std::vector<GcmcEnergyVirial> sums = pairs_->sums();
  const std::vector<GibbsHead> heads = pairs_->heads();
  const double tail = tailOf(active().settings(), active().dimensions()).pressure;
  std::vector<GibbsSample> all(heads.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].head = heads[k], all[k].rules = pairs_->rules()[k], all[k].tailPressure = tail;
    for (std::size_t box = 0; box < 2; ++box) {
      all[k].energy[box] = sums[2 * k + box].energy;
      all[k].virial[box] = sums[2 * k + box].virial;
      all[k].potential[box] = std::nan("");
    }
  }
  return all;
}

std::vector<double> GibbsMode::sample() {
  std::vector<GibbsSample> all = measured();
  if (roundsLeft_ == 0) {
    averages_.add(all, shown());
    pairs_->clearCounters();
  }
  return shownOf(all);
}

std::vector<ReferenceValue> GibbsMode::references() const {
  std::vector<ReferenceValue> all;
  const double t = active().temperatureOf(shown());
  if (!active().published()) return all;
  for (const PublishedCoexistence& c : publishedCoexistences(active().cutoff, true)) {
    if (std::abs(c.temperature - t) > 1e-6) continue;
    const std::string source = c.source + ", box of 512 sigma^3";
    all.push_back({"liquid_density", c.liquid, 0, "liquid: " + source});
    all.push_back({"vapour_density", c.vapour, 0, "vapour: " + source});
    for (const char* box : {"_1", "_2"}) {
      all.push_back({std::string("pressure") + box, c.pressure, 0, source});
      all.push_back({std::string("potential") + box, t * c.lnActivity, 0, source});
    }
  }
  return all;
}

std::vector<SelfCheck> GibbsMode::quickChecks() const {
  const std::vector<GibbsHead> heads = pairs_->heads();
  const GibbsHead& h = heads[shown()];
  const MoveSizes& s = sizes_[shown()];
  double walls = 0, exchanges = 0;
  for (const GibbsHead& k : heads) {
    walls += static_cast<double>(k.walls);
    exchanges += static_cast<double>(k.attempted[static_cast<int>(GibbsKind::volume)]);
  }
  const GibbsRules& r = pairs_->rules()[shown()];
  const bool fits = std::ranges::all_of(heads, [&](const auto& k) { return isPossible(k, r); });
  std::vector<SelfCheck> all = {
      {"particles", fits, fmt::format("{} + {} of {}", h.n1, r.n - h.n1, r.n)},
      {"volume", fits,
       fmt::format("{:.5g} + {:.5g} of {:.5g}", gibbsVolume(r, h.share, 0),
                   gibbsVolume(r, h.share, 1), r.volume)},
      {"move sizes", true,
       fmt::format("{:.3g} and {:.3g} sigma, {:.2g} % of the volume", s.reach[0], s.reach[1],
                   100 * s.volume)}};
  if (exchanges >= 20 && walls > 0.05 * exchanges)
    all.push_back(
        warningCheck(fmt::format("{:.0f} % of the exchanges of volume since the last sample would "
                                 "have made a box smaller than two cutoffs, and were rejected: use "
                                 "more particles, a smaller cutoff or another density",
                                 100 * walls / exchanges)));
  return all;
}

std::vector<SelfCheck> GibbsMode::selfChecks() {
  std::vector<SelfCheck> all = quickChecks();
  const std::vector<GcmcEnergyVirial> sums = pairs_->sums();
  const GibbsStates s = pairs_->states();
  double drift = 0;
  for (std::size_t k = 0; k < s.head.size(); ++k)
    for (std::size_t box = 0; box < 2; ++box)
      drift = std::max(drift, std::abs(s.head[k].energy[box] - sums[2 * k + box].energy));
  all.push_back({"energies", drift == 0,
                 fmt::format("{:g} between running and recomputed ones of {} pairs of boxes", drift,
                             s.head.size())});
  const auto n = static_cast<std::size_t>(active().n);
  bool whole = true;
  for (std::size_t k = 0; k < s.head.size() && whole; ++k) {
    std::vector<bool> seenId(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t id = s.id[k * n + i];
      whole = whole && id < n && !seenId[id];
      if (whole) seenId[id] = true;
    }
  }
  all.push_back({"ids", whole, whole ? "each particle once" : "a particle is there twice"});
  return all;
}

void GibbsMode::saveState(BinaryWriter& w) const {
  const GibbsStates s = pairs_->states();
  w.vector(s.head), w.vector(s.word), w.vector(s.id);
  w.vector(sizes_);
  w.value(roundsLeft_), w.value(stepsLeft_), w.value(moves_);
  averages_.save(w);
}

void GibbsMode::loadState(BinaryReader& r, const P& p, int) {
  const auto pairs = static_cast<std::size_t>(p.pairs), n = static_cast<std::size_t>(p.n);
  GibbsStates s;
  s.head = r.vector<GibbsHead>("states of pairs of boxes", pairs);
  s.word =
      r.vector<std::uint32_t>("positions", pairs * 3 * gibbsStride(static_cast<std::uint32_t>(n)));
  s.id = r.vector<std::uint32_t>("ids", pairs * n);
  std::vector<MoveSizes> sizes = r.vector<MoveSizes>("move sizes", pairs);
  const auto rounds = r.value<std::uint64_t>("rounds of tuning"),
             steps = r.value<std::uint64_t>("steps of a round"),
             moves = r.value<std::uint64_t>("moves");
  gibbs::GibbsAverages averages;
  averages.start(p);
  averages.load(r);
  for (std::size_t k = 0; k < pairs; ++k) {
    const MoveSizes& m = sizes[k];
    const bool sound = m.reach[0] > 0 && m.reach[0] <= 10 && m.reach[1] > 0 && m.reach[1] <= 10 &&
                       m.volume > 0 && m.volume <= 0.5;
    if (!sound || !isPossible(s.head[k], p.rules(k, p.sizes())))
      throw InputError("checkpoint: pair {} of boxes is impossible", k + 1);
  }
  if (rounds > kTuningRounds || (rounds > 0 && (steps == 0 || steps > kRoundMoves)))
    throw InputError("checkpoint: the state of the tuning is impossible");
  take(p, std::move(sizes), [&](const auto&) -> const GibbsStates& { return s; });
  roundsLeft_ = rounds, stepsLeft_ = steps, moves_ = moves;
  averages_ = std::move(averages);
}

}  // namespace cellscope
