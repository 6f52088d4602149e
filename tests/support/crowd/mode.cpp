// Life of a crowd: start, edits, steps, observables.
#include "tests/support/crowd/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/rng.h"

namespace cellscope::test {
namespace {

constexpr ParticleId kNewIds = ParticleId{1} << 33;  // beyond 32 bits

std::vector<Walker> firstWalkers(const CrowdParameters& p) {
  const RngKey key = hashSeed(static_cast<std::uint64_t>(p.seed));
  std::vector<Walker> all(static_cast<std::size_t>(p.n));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = [&](std::uint32_t block) {
      return draw(key, RngPurpose::initialPositions, 0, static_cast<std::uint32_t>(i), block);
    };
    const Random4 a = at(0), b = at(1);
    all[i] = {crowdPlace(p.box(), firstOf(a), secondOf(a), firstOf(b)),
              1000 + 7919 * static_cast<ParticleId>(i), 0, secondOf(b) < p.large ? 1u : 0u, 0};
  }
  return all;
}

}  // namespace

MemoryNeed crowdMemory(const CrowdParameters& p, const ExecConfig& config) {
  const auto n = static_cast<std::size_t>(p.n);
  // Births of the first batch, and the quarter more that is taken then.
  const std::size_t grown = n + 32 * static_cast<std::size_t>(p.births);
  const bool grows = p.births > 0;
  const std::size_t room = grows ? grown + grown / 4 : n;
  const std::size_t host = n * sizeof(Walker);
  MemoryNeed need;
  const std::size_t engine = CrowdLayout{room, 0}.bytes();
  need.building = engine + (config.backend == Backend::cpu ? host : 0);
  need.running = need.building + (grows ? CrowdLayout{n, 0}.bytes() : 0);
  if (config.drawn) need.running += frameBytes(n, sizeof(PointInstance), config.backend);
  need.host = config.backend == Backend::cuda ? host : 0;
  return need;
}

CrowdMode::CrowdMode(const ExecConfig& config)
    : ModeBase(describe(), config), engine_(makeCrowdEngine(exec_)) {
  ready();
}

RunMemory CrowdMode::memoryOfRun() const {
  const std::size_t bytes = engine_->bytes() + engine_->packer().bytes();
  return {static_cast<std::int64_t>(particleCount()), bytes, bytes};
}

std::unique_ptr<CrowdEngine> CrowdMode::engineWith(const P& p,
                                                   const std::vector<Walker>& walkers) const {
  const auto measure = [&] {
    RunMemory m = memoryOfRun();
    m.n = p.n;
    m.needed = crowdMemory(p, config()).running;
    return m;
  };
  return withMemoryHint(measure, [&] {
    std::unique_ptr<CrowdEngine> engine = makeCrowdEngine(exec_);
    engine->set(walkers);
    return engine;
  });
}

void CrowdMode::start(const P& p) {
  requireMemory(p.n, "walkers", crowdMemory(p, config()), config(), "");
  startOver(p, engineWith(p, firstWalkers(p)), p.box(),
            std::max(kNewIds, 1000 + 7919 * static_cast<ParticleId>(p.n)));
}

void CrowdMode::startFrom(const Configuration& c, const P& draft) {
  requireValid(c);
  P p = draft;
  p.n = static_cast<std::int64_t>(c.size());
  p.space.index = c.box.dimension - 2;
  ParameterSet set = ParameterSet::of(p);
  set.at("side").set(c.box.length[0]);
  std::vector<Walker> walkers(c.size());
  ParticleId largest = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double d = c.speciesOf(i).diameter;
    if (d != diameterOf(0) && d != diameterOf(1))
      throw InputError(
          fmt::format("species '{}' has diameter {}; mode 'crowd' takes diameters {} and {}",
                      c.speciesOf(i).name, d, diameterOf(0), diameterOf(1)));
    walkers[i] = {{c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2]},
                  c.ids[i],
                  0,
                  d == diameterOf(1) ? 1u : 0u,
                  0};
    largest = std::max(largest, c.ids[i]);
  }
  if (largest >= ParticleId{1} << 62)
    throw InputError(
        fmt::format("id {} leaves no room for new ones; renumber the particles", largest));
  startOver(p, engineWith(p, walkers), c.box, std::max(kNewIds, largest + 1));
}

void CrowdMode::startOver(const P& p, std::unique_ptr<CrowdEngine> engine, const Box& box,
                          ParticleId firstNew) {
  begin(p);
  engine_ = std::move(engine);
  box_ = box;
  firstNew_ = firstNew;
  resetAverages();
  sampled_ = {};
  sampledStep_ = 0;
  trail_.clear();
  end_.reset();
}

CrowdRules CrowdMode::rules() const {
  CrowdRules r;
  r.key = hashSeed(static_cast<std::uint64_t>(active().seed));
  r.box = box_;
  r.size = active().size;
  r.death = active().death;
  r.lifetime = static_cast<std::uint64_t>(active().lifetime);
  r.attempts = static_cast<std::uint32_t>(active().births);
  r.large = active().large;
  r.firstNew = firstNew_;
  r.step = step();
  return r;
}

void CrowdMode::parametersChanged(const P&, std::uint32_t touched) {
  if (!(touched & CrowdTouch::dimension)) return;
  box_.dimension = active().dimension();
  box_.length[2] = box_.dimension == 3 ? box_.length[0] : 1;
  engine_->changeDimension(rules());
  trail_.clear();
}

void CrowdMode::runSteps(std::uint64_t steps) {
  while (steps > 0) {
    const std::uint64_t count = std::min(steps, kStepsAtOnce);
    engine_->reserveFor(count, static_cast<std::uint32_t>(active().births));
    const RecordWriter to = recorder_.writer();
    for (std::uint64_t s = 0; s < count; ++s) {
      for (const CrowdPhase phase : active().phases()) engine_->run(phase, rules(), watched_, to);
      countSteps(1);
    }
    readTrace();
    steps -= count;
  }
}

void CrowdMode::runPhase(int phase, bool) {
  engine_->reserveFor(1, static_cast<std::uint32_t>(active().births));
  const CrowdPhase what = active().phases()[static_cast<std::size_t>(phase)];
  engine_->run(what, rules(), watched_, recorder_.writer());
  readTrace();
}

std::vector<double> CrowdMode::sample() {
  const CrowdTotals t = engine_->totals(step());
  const CrowdTally tally = engine_->tally();
  const std::vector<std::uint32_t> now = engine_->generations(step());
  for (std::size_t k = 0; k < now.size(); ++k) generations_[k] += now[k];
  ++samples_;
  const auto n = static_cast<double>(t.n), steps = static_cast<double>(step() - sampledStep_);
  const auto rate = [&](std::uint64_t last, std::uint64_t before) {
    return steps > 0 ? static_cast<double>(last - before) / steps : std::nan("");
  };
  const std::vector<double> values = {n,
                                      n / box_.volume(),
                                      n > 0 ? static_cast<double>(t.large) / n : std::nan(""),
                                      n > 0 ? static_cast<double>(t.ages) / n : std::nan(""),
                                      rate(tally.births, sampled_.births),
                                      rate(tally.deaths, sampled_.deaths)};
  sampled_ = tally;
  sampledStep_ = step();
  return values;
}

std::vector<Curve> CrowdMode::curves() const {
  Curve c{"ages", "Ages", {"age  (steps)", AxisScale::named}, {"walkers"}, "mean over samples"};
  for (int g = 0; g < kGenerations; ++g)
    c.x.names.push_back(g + 1 < kGenerations ? fmt::format("{} to {}", 10 * g, 10 * g + 9)
                                             : fmt::format("{} or more", 10 * g));
  for (int type = 0; type < 2 && samples_ > 0; ++type) {
    CurveSeries s{kSpeciesNames[type], "", {}, {}, {}, SeriesKind::bars};
    for (int g = 0; g < kGenerations; ++g) {
      s.x.push_back(g);
      s.y.push_back(static_cast<double>(generations_[type * kGenerations + g]) /
                    static_cast<double>(samples_));
    }
    s.highlight = static_cast<std::size_t>(std::max_element(s.y.begin(), s.y.end()) - s.y.begin());
    s.highlightLabel = "most";
    c.series.push_back(std::move(s));
  }
  return {c};
}

// In the steady state k/2 come in a step, and a walker is deleted with probability p, or after m
// steps: each generation of one step is smaller than the one before by 1 - p.
std::vector<ReferenceValue> CrowdMode::references() const {
  const double births = 0.5 * static_cast<double>(active().births);
  return {{"births", births, 0, "half of those tried"}};
}

void CrowdMode::resetAverages() {
  samples_ = 0;
  std::fill(generations_.begin(), generations_.end(), 0);
}

}  // namespace cellscope::test
