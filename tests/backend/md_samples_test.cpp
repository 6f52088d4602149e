// What engines of molecular dynamics measure. Samples that a run takes on the way: what a stop at
// the same step would give, right by definition, and nothing that the run would notice. Histograms
// of speeds and pair distances, against counting on the host.
#include <cstdlib>

#include "sim/run/session.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(MdSamples);

struct Way {
  std::string name;
  MdState state;
  PairSettings pair;
  std::unique_ptr<MdEngine> (*make)(const exec::Shared&) = makeVerlet;
  BathSettings bath = {};
};

Way withClusters(const std::string& name, const MdState& state, PairSettings pair = {}) {
  pair.method = static_cast<int>(&listMethod("clusters") - listMethods().data());
  return {name, state, pair};
}

std::vector<Way> ways() {
  std::vector<Way> all;
  const MdState liquid = shakenLiquid(500);
  for (std::size_t m = 0; m < listMethods().size(); ++m)
    all.push_back({listMethods()[m].key, liquid, {.method = static_cast<int>(m)}});
  Way mixture{"mixture", liquid, {}};
  mix(mixture.state, mixture.pair);
  all.push_back(mixture);
  all.push_back(withClusters("mixture in clusters", mixture.state, mixture.pair));
  all.push_back({"plane", shakenPlane(15, 1.1), {}});
  all.push_back({"a thread per particle", liquid, {.kernel = PairKernel::teams}});
  for (const int lanes : {1, 8, 32})
    all.push_back({"lanes " + std::to_string(lanes), liquid, {.lanes = lanes}});
  all.push_back({"a list in every step", liquid, {.buffer = 0}});
  const BathSettings bath{.on = true, .temperature = 1},
      warmed{.on = true, .temperature = 1, .endTemperature = 1.5, .rampSteps = 100};
  all.push_back({"a bath that changes", liquid, {}, makeVerlet, warmed});
  all.push_back({"a bath", liquid, {}, makeVerlet, bath});
  for (std::size_t m = 0; m < listMethods().size(); ++m)
    all.push_back({std::string("a bath, ") + listMethods()[m].key,
                   liquid,
                   {.method = static_cast<int>(m)},
                   makeVerlet,
                   bath});
  all.push_back({"a bath, all pairs", liquid, {}, makeAllPairs, bath});
  all.push_back({"a bath, placeholder cells", liquid, {}, makePlaceholders, bath});
  all.push_back({"a bath, mixture", mixture.state, mixture.pair, makeVerlet, bath});
  all.push_back({"all pairs", liquid, {}, makeAllPairs});
  all.push_back({"placeholder cells", liquid, {}, makePlaceholders});
  return all;
}

std::unique_ptr<MdEngine> startedBy(const Way& w, const exec::Shared& exec) {
  auto engine = w.make(exec);
  engine->setPair(w.pair);
  engine->setBath(w.bath);
  engine->upload(w.state);
  engine->forces();
  return engine;
}

void expectSame(const RunSample& a, const RunSample& b, const std::string& name) {
  const MdSums &x = a.sums, &y = b.sums;
  // Of floats, whose order of summation may differ.
  EXPECT_NEAR(x.potential, y.potential, 1e-6 * std::abs(y.potential)) << name;
  EXPECT_NEAR(x.virial, y.virial, 1e-5 * std::abs(y.potential)) << name;
  EXPECT_NEAR(x.kinetic, y.kinetic, 1e-12 * y.kinetic) << name;
  EXPECT_NEAR(x.px, y.px, 1e-9) << name;
  EXPECT_NEAR(x.py, y.py, 1e-9) << name;
  EXPECT_NEAR(x.pz, y.pz, 1e-9) << name;
  EXPECT_NEAR(x.displacement2, y.displacement2, 1e-12 * y.displacement2) << name;
  EXPECT_EQ(x.listed, y.listed) << name;
  EXPECT_EQ(a.builds, b.builds) << name;
  EXPECT_EQ(a.dangerous, b.dangerous) << name;
}

void expectSamePositions(const MdEngine& a, const MdEngine& b, const std::string& name) {
  const MdState x = a.download(), y = b.download();
  std::size_t differ = 0;
  for (std::size_t i = 0; i < x.position.size(); ++i)
    differ += x.position[i].x != y.position[i].x || x.velocity[i].x != y.velocity[i].x;
  EXPECT_EQ(differ, 0u) << name;
}

// Every nth of 35 steps, in runs of different lengths, against stops.
TEST_P(MdSamples, AreThoseOfStops) {
  for (const Way& w : ways())
    for (const std::uint64_t every : {1, 7}) {
      const auto run = startedBy(w, exec()), stops = startedBy(w, exec()),
                 plain = startedBy(w, exec());
      std::vector<RunSample> taken;
      run->sampleEvery(every);
      std::uint64_t step = 0;
      for (const std::uint64_t count : {20, 1, 14}) {
        run->run(0.004, step, count, {});
        step += count;
        for (const RunSample& s : run->takeSamples()) taken.push_back(s);
      }
      run->sampleEvery(0);
      const std::string name = w.name + ", every " + std::to_string(every);
      ASSERT_EQ(taken.size(), 35 / every) << name;
      for (std::uint64_t s = 0; s < 35; ++s) {
        stops->run(0.004, s, 1, {});
        stops->followDisplacements();
        if ((s + 1) % every == 0)
          expectSame(taken[s / every], stops->sampleNow(0.004), name + " " + std::to_string(s));
      }
      plain->run(0.004, 0, 35, {});
      expectSamePositions(*run, *plain, name);
      EXPECT_FALSE(run->failure()) << name;
    }
}

// A quarter of the threads, and no thread blocks that stay over many steps, as beside other runs:
// sums in the same order.
TEST_P(MdSamples, HaveTheSameBitsWhereOtherRunsShareTheGpu) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there are no such threads";
  std::vector<Way> all = ways();
  // More than the multiprocessors of any GPU have at once.
  all.push_back(withClusters("clusters in rounds", shakenLiquid(140000)));
  for (const Way& w : all) {
    SCOPED_TRACE(w.name);
    std::unique_ptr<MdEngine> runs[2];
    std::vector<RunSample> taken[2];
    for (const int shared : {0, 1}) {
      ExecConfig beside = config();
      beside.together = 1 + shared;
      runs[shared] = startedBy(w, exec::makeExec(beside));
      runs[shared]->sampleEvery(7);
      runs[shared]->run(0.004, 0, 75, {});
      taken[shared] = runs[shared]->takeSamples();
    }
    expectSamePositions(*runs[0], *runs[1], w.name);
    ASSERT_EQ(taken[0].size(), 10u);
    ASSERT_EQ(taken[1].size(), 10u);
    for (std::size_t s = 0; s < 10; ++s) {
      const MdSums &x = taken[0][s].sums, &y = taken[1][s].sums;
      EXPECT_EQ(std::memcmp(&x, &y, sizeof(MdSums)), 0) << "sample " << s;
    }
  }
}

// Lengths of the lists of all particles; 0 without lists.
double listedBy(MdEngine& engine, Backend where) {
  Lent lent;
  engine.lend(lent, false);
  const auto* const lists = lent.find<ListsLent>();
  if (!lists) return 0;
  const ListReader& list = lists->list;
  const std::size_t n = lists->input.n;
  std::vector<std::uint32_t> count(list.rowOf(n - 1) + 1);
  exec::copy(Backend::cpu, count.data(), where, list.count, count.size() * sizeof(std::uint32_t));
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += count[list.rowOf(i)];
  return sum;
}

// By definition, in double.
TEST_P(MdSamples, AreRightByDefinition) {
  for (const Way& w : ways()) {
    const auto engine = startedBy(w, exec());
    engine->sampleEvery(30);
    engine->run(0.004, 0, 31, {});  // the sample is taken on the way
    const std::vector<RunSample> taken = engine->takeSamples();
    ASSERT_EQ(taken.size(), 1u) << w.name;
    const auto stopped = startedBy(w, exec());
    stopped->run(0.004, 0, 30, {});
    const MdState s = stopped->download();
    MdSums right;
    const std::vector<PairSums> kick = stopped->pairSums();
    const double back = w.bath.on ? 0.002 : 0;  // before the last half kick
    for (std::size_t i = 0; i < s.position.size(); ++i) {
      const Vec3d v = s.velocity[i] - back * Vec3d{kick[i].fx, kick[i].fy, kick[i].fz};
      right.kinetic += 0.5 * dot(v, v);
      right.px += v.x;
      const Vec3d d = s.box.minimumImage(s.position[i] - w.state.position[i]);
      right.displacement2 += dot(d, d);
    }
    const MdSums& got = taken[0].sums;
    MdTotals pairs{};
    pairs.potential = got.potential, pairs.virial = got.virial;
    EXPECT_LT(deviation(pairs, bruteForce(s, w.pair)), kFloatTerms) << w.name;
    EXPECT_NEAR(got.kinetic, right.kinetic, 1e-9 * right.kinetic) << w.name;
    EXPECT_NEAR(got.px, right.px, 1e-8) << w.name;
    EXPECT_NEAR(got.displacement2, right.displacement2, 1e-5 * right.displacement2) << w.name;
    EXPECT_EQ(got.listed, listedBy(*stopped, GetParam())) << w.name;
  }
}

// Lists and cells outgrow their room between samples.
TEST_P(MdSamples, RoomIsMadeBetweenThem) {
  const MdState s = fallingGas();
  PairSettings p{.slots = 4};
  for (const Way& w : {Way{"lists", s, p}, Way{"placeholder cells", s, p, makePlaceholders}}) {
    const auto run = startedBy(w, exec()), stops = startedBy(w, exec());
    const std::uint64_t growths = run->listGrowths();
    run->sampleEvery(3);
    std::vector<RunSample> taken;
    for (std::uint64_t step = 0; step < 120; step += 60) {
      run->run(0.004, step, 60, {});
      for (const RunSample& t : run->takeSamples()) taken.push_back(t);
    }
    ASSERT_FALSE(run->failure());
    EXPECT_GT(run->listGrowths(), growths) << w.name;
    ASSERT_EQ(taken.size(), 40u) << w.name;
    for (std::uint64_t step = 0; step < 120; step += 3) {
      stops->run(0.004, step, 3, {});
      expectSame(taken[step / 3], stops->sampleNow(0.004), w.name + " " + std::to_string(step));
    }
    expectSamePositions(*run, *stops, w.name);
  }
}

// Rows of a session: steps and values, and the curves.
struct Rows {
  std::vector<std::uint64_t> steps;
  std::vector<double> values, curves;
};

Rows rowsOf(const Scenario& scenario, const ExecConfig& config,
            const std::vector<std::uint64_t>& batches) {
  Session session(scenario, config);
  Rows rows;
  session.onSample([&](std::uint64_t step, const std::vector<double>& values) {
    rows.steps.push_back(step);
    for (const double v : values) rows.values.push_back(std::isnan(v) ? -1e300 : v);
  });
  for (const std::uint64_t count : batches) session.advance(count);
  for (const Curve& c : session.mode().curves())
    for (const CurveSeries& s : c.series)
      rows.curves.insert(rows.curves.end(), s.y.begin(), s.y.end());
  return rows;
}

// However a session is cut into calls; and a mode that is stopped for each of its samples measures
// the same.
TEST_P(MdSamples, OfSessionsDoNotDependOnBatches) {
  struct Case {
    std::string method, thermostat;
    std::size_t samples = 20;
  };
  // The first: curves are measured twice.
  for (const Case& c :
       {Case{"cells", "none", 82}, Case{"cells", "langevin"}, Case{"cells", "bussi"},
        Case{"tree", "none"}, Case{"all_pairs", "none"}, Case{"placeholder_cells", "none"}}) {
    const std::string name = c.method + " " + c.thermostat;
    Scenario s = scenarioWith("md", "n=500 method=" + c.method + " thermostat=" + c.thermostat);
    s.sampleEvery = 5;
    const std::uint64_t all = 5 * c.samples;
    const Rows once = rowsOf(s, config(), {all}),
               parts = rowsOf(s, config(), {3, 1, 70, 6, all - 80});
    EXPECT_EQ(once.steps.size(), c.samples) << name;
    EXPECT_EQ(once.steps, parts.steps) << name;
    EXPECT_EQ(once.values, parts.values) << name;
    EXPECT_EQ(once.curves, parts.curves) << name;
    const auto mode = startScenario(s, config());
    std::vector<double> stops;
    for (std::size_t k = 0; k < c.samples; ++k) {
      mode->advance(5);
      for (const double v : mode->sample()) stops.push_back(std::isnan(v) ? -1e300 : v);
    }
    ASSERT_EQ(stops.size(), once.values.size()) << name;
    for (std::size_t k = 0; k < stops.size(); ++k)
      ASSERT_NEAR(once.values[k], stops[k], 1e-6 * std::abs(stops[k]) + 1e-7) << name << " " << k;
  }
}

BACKEND_TESTS(MdCurves);

void put(std::vector<std::uint32_t>& counts, Vec3d of, double width) {
  const auto bin = static_cast<std::size_t>(std::sqrt(dot(of, of)) / width);
  if (bin < counts.size()) ++counts[bin];
}

CurveCounts countedOnHost(const MdState& s, const CurveRequest& q) {
  CurveCounts c{std::vector<std::uint32_t>(q.pairBins), std::vector<std::uint32_t>(q.speedBins)};
  const std::size_t n = s.position.size();
  for (const Vec3d& v : s.velocity) put(c.speeds, v - q.mean, q.speedBin);
  for (std::size_t k = 0; k < q.sources; ++k) {
    const std::size_t i = (q.first + k) % n;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) put(c.pairs, s.box.minimumImage(s.position[i] - s.position[j]), q.pairBin);
  }
  return c;
}

long moved(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.size() != b.size()) return -1;
  long sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += std::labs(static_cast<long>(a[k]) - static_cast<long>(b[k]));
  return sum;
}

TEST_P(MdCurves, AreThoseOfCountingOnTheHost) {
  // A GPU may round the last bit of a distance in another way, and put a pair on the edge of a bin
  // on its other side.
  const long strays = GetParam() == Backend::cuda ? 4 : 0;
  for (const bool lists : {false, true}) {
    SCOPED_TRACE(lists ? "lists" : "all pairs");
    const std::unique_ptr<MdEngine> engine = lists ? makeVerlet(exec()) : makeAllPairs(exec());
    forcesOf(*engine, shakenLiquid(500), {});
    engine->run(0.004, 0, 20, {});  // lists have changed the order of storage
    const MdState s = engine->download();
    for (const std::size_t sources : {1, 37, 500}) {
      CurveRequest q;
      q.first = 490, q.sources = sources;  // round the end, and all
      q.pairBins = 120, q.pairBin = 0.025, q.speedBins = 40, q.speedBin = 0.1;
      q.mean = {0.1, -0.2, 0.05};
      const CurveCounts counted = engine->curveCounts(q), expected = countedOnHost(s, q);
      const long pairs = moved(counted.pairs, expected.pairs);
      const long speeds = moved(counted.speeds, expected.speeds);
      EXPECT_TRUE(pairs >= 0 && pairs <= strays) << pairs;
      EXPECT_TRUE(speeds >= 0 && speeds <= strays) << speeds;
    }
  }
}

}  // namespace
}  // namespace cellscope::test
