// Neighbour lists of runs beside all pairs: sound methods miss none, stale lists miss what a test's
// own brute force finds; on each backend.
// Cells of Monte Carlo beside all pairs: over many steps no pair is missing, counted twice or
// extra.
// The check of neighbour lists on each backend against the comparison of one entry after another,
// which is what lists of nearest images get whose longest cutoff is beyond half the box.
//
// 10^5 steps of each method with CELLSCOPE_LONG_RUN set:
//   CELLSCOPE_LONG_RUN=1 backend_tests --gtest_filter='*EveryPair*:*ListTruthOfRuns.Sound*'
#include <cstdio>
#include <cstdlib>
#include <set>

#include "sim/algo/list_check/check.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_faults.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(ListTruthOfRuns);

bool isLongRun() { return std::getenv("CELLSCOPE_LONG_RUN") != nullptr; }

using Pairs = std::set<std::pair<ParticleId, ParticleId>>;

// Pairs within the cutoff that are in no list, by ids: from positions and lists as others get them.
Pairs missingPairs(MdMode& mode, double cutoff) {
  const Configuration c = mode.configuration();
  const PairList list = mode.neighbourLists();
  Pairs listed, missing;
  for (std::size_t k = 0; k < list.i.size(); ++k)
    listed.emplace(list.id[static_cast<std::size_t>(list.i[k])],
                   list.id[static_cast<std::size_t>(list.j[k])]);
  // Rounded to single precision a distance is off by less (sim/algo/list_check/check.h).
  const double most = cutoff - std::ldexp(16.0, -24) * (2 * c.box.length[0] + cutoff);
  for (std::size_t i = 0; i < c.ids.size(); ++i)
    for (std::size_t j = i + 1; j < c.ids.size(); ++j)
      if (distanceBetween(c, i, j) < most && !listed.count({c.ids[i], c.ids[j]}) &&
          !listed.count({c.ids[j], c.ids[i]}))
        missing.emplace(c.ids[i], c.ids[j]);
  return missing;
}

std::size_t linesIn(const Frame& frame, Mark mark) {
  const LayerData& layer = layerNamed(frame, layers::kNeighbours);
  std::size_t count = 0;
  for (const auto& l : drawnItems<LineInstance>(layer))
    count += markOf(layer.scale, l.value) == mark;
  return count;
}

// A thousand steps of each, all judged by the program, and every 50th by the test; a hundred times
// as many with CELLSCOPE_LONG_RUN set (as above), every seventh and 119th.
TEST_P(ListTruthOfRuns, SoundMethodsMissNoPair) {
  const int steps = isLongRun() ? 100'000 : 1000, every = isLongRun() ? 7 : 1,
            own = isLongRun() ? 119 : 50;
  for (const int dimension : {2, 3})
    for (const char* method : {"cells", "stencils", "tree", "clusters", "placeholder_cells"}) {
      SCOPED_TRACE(std::string(method) + " in " + std::to_string(dimension) + "D");
      const auto m = startedMd(
          config(), fmt::format("n=256 dimension={} density=0.6 temperature=2 cutoff=2 buffer=0.2 "
                                "method={}",
                                dimension, method));
      const bool lists = std::string(method) != "placeholder_cells";
      for (int s = every; s <= steps; s += every) {
        m->advance(static_cast<std::uint64_t>(every));
        const SelfCheck check = checkOf(*m, lists ? "neighbour list" : "pairs");
        ASSERT_TRUE(check.ok) << check.detail;
        if (lists && s % own == 0) {
          ASSERT_TRUE(missingPairs(*m, 2.0).empty()) << "step " << s;
        }
      }
      if (isLongRun())
        for (const SelfCheck& c : m->selfChecks())
          std::printf("%s, %dD, step %llu: %s: %s\n", method, dimension,
                      static_cast<unsigned long long>(m->step()), c.label.c_str(),
                      c.detail.c_str());
    }
}

TEST_P(ListTruthOfRuns, StaleListsAreShownToMissWhatTheyMiss) {
  const auto m = startedMd(config(),
                           "n=1372 density=0.7 temperature=2 seed=1 potential=wca dt=0.002 "
                           "method=cells buffer=0.1 stale_lists=true");
  m->advance(319);
  const Pairs missing = missingPairs(*m, std::pow(2.0, 1.0 / 6));
  ASSERT_GT(missing.size(), 5u);
  const SelfCheck check = checkOf(*m, "neighbour list");
  EXPECT_FALSE(check.ok);
  EXPECT_TRUE(check.onPurpose);
  EXPECT_EQ(check.detail.rfind(std::to_string(missing.size()) + " missing in step 319", 0), 0u)
      << check.detail;
  // Lines in the picture: of all, and the card of one that lacks a partner.
  EXPECT_EQ(linesIn(*framed(*m, layers::kNeighbours), Mark::missing), missing.size());
  const auto [id, other] = *missing.begin();
  const auto frame = framed(*m, layers::kNeighbours, id);
  EXPECT_EQ(linesIn(*frame, Mark::missing), missing.size());
  bool named = false;
  for (const auto& [label, value] : frame->picked.rows)
    named |= label == "missing in its list" && contains(value, std::to_string(other) + " at 1.");
  EXPECT_TRUE(named);
  // A new list has them all, and the lamp remembers.
  m->advance(2);
  EXPECT_TRUE(missingPairs(*m, std::pow(2.0, 1.0 / 6)).empty());
  const SelfCheck lamp = checkOf(*m, "neighbour list");
  EXPECT_TRUE(!lamp.ok && lamp.onPurpose) << lamp.detail;
  // What the lists lacked when they were no longer to be stale is no fault of those after it.
  m->advance(18);
  EXPECT_FALSE(missingPairs(*m, std::pow(2.0, 1.0 / 6)).empty());
  change(*m, "stale_lists=false");
  EXPECT_TRUE(checkOf(*m, "neighbour list").ok);
  m->advance(40);
  EXPECT_TRUE(checkOf(*m, "neighbour list").ok);
}

// Pairs nearer than r, with the cells of both along x, by the test's own arithmetic.
struct NearPair {
  ParticleId of[2];
  int cell[2];
  bool has(ParticleId id) const { return of[0] == id || of[1] == id; }
  // How many cells the other is after this one, in a ring of so many.
  int after(ParticleId id, int cells) const {
    const int ahead = cell[1] - cell[0];
    return ((of[0] == id ? ahead : -ahead) + cells) % cells;
  }
};
std::vector<NearPair> nearPairs(MdMode& mode, double r, int cells) {
  const Configuration c = mode.configuration();
  const auto cell = [&](std::size_t i) {
    return static_cast<int>(c.place(i).x / c.box.length[0] * cells);
  };
  std::vector<NearPair> all;
  for (std::size_t i = 0; i < c.ids.size(); ++i)
    for (std::size_t j = i + 1; j < c.ids.size(); ++j)
      if (distanceBetween(c, i, j) < r) all.push_back({{c.ids[i], c.ids[j]}, {cell(i), cell(j)}});
  return all;
}

// Each fault takes those pairs that it must, the checks that can notice it do, and without it the
// lists are right again.
TEST_P(ListTruthOfRuns, AFaultInTheListsIsNoticed) {
  constexpr double kCutoff = 1.5, kReach = 1.6;
  for (const char* method : {"cells", "stencils", "tree"})
    for (const std::string fault : {"drop_pair", "wrong_cell", "short_stencil"}) {
      SCOPED_TRACE(fault + ", " + method);
      const auto m =
          startedMd(config(), fmt::format("n=1372 density=0.7 cutoff={} buffer={} method={}",
                                          kCutoff, kReach - kCutoff, method));
      m->advance(200);  // off the lattice
      ASSERT_TRUE(checkOf(*m, "neighbour list").ok);
      const int cells = static_cast<int>(m->configuration().box.length[0] / kReach);
      ASSERT_GT(cells, 4);
      // The list is built from these positions, and looked at one step later.
      const std::vector<NearPair> built = nearPairs(*m, kReach, cells);
      std::size_t across = 0;
      for (const NearPair& p : built) across += p.cell[0] != p.cell[1];
      ParticleId particle = -1;  // that has a neighbour in the cell behind
      for (const NearPair& p : nearPairs(*m, 0.8 * kCutoff, cells))
        if (p.after(p.of[0], cells) == cells - 1) particle = p.of[0];
      ASSERT_GE(particle, 0);
      change(*m, fmt::format("fault_particle={} list_fault={}", particle, fault));
      m->advance(1);
      Pairs lost, missing;
      for (const NearPair& p : built)
        if (p.has(particle) && p.after(particle, cells) == cells - 1)
          lost.emplace(p.of[0], p.of[1]);
      for (const NearPair& p : nearPairs(*m, kCutoff, cells))
        if (lost.count({p.of[0], p.of[1]})) missing.emplace(p.of[0], p.of[1]);
      const std::string words = fault == "drop_pair" ? "1 in one list only"
                                : fault == "wrong_cell"
                                    ? std::to_string(missing.size()) + " missing"
                                    : std::to_string(across) + " in one list only";
      const SelfCheck check = checkOf(*m, "neighbour list");
      EXPECT_TRUE(!check.ok && check.onPurpose);
      EXPECT_EQ(check.detail.rfind(words + " in step 201", 0), 0u)
          << check.detail << ", expected " << words;
      EXPECT_EQ(missingPairs(*m, kCutoff), fault == "wrong_cell" ? missing : Pairs());
      m->advance(100);
      // The force of a missing pair is missing in both: momentum is kept.
      const SelfCheck momentum = checkOf(*m, "momentum");
      EXPECT_EQ(momentum.ok, fault == "wrong_cell") << momentum.detail;
      EXPECT_EQ(momentum.onPurpose, !momentum.ok);
      change(*m, "list_fault=none");
      m->advance(1);
      expectHealthy(*m);
    }
}

TEST(ListFault, OfAParticleThatIsNotThereIsRefused) {
  expectRefusal(
      [] { startedMd(kOneThread, "method=cells n=100 fault_particle=100 list_fault=drop_pair"); },
      {"fault_particle = 100", "0 to 99"});
}

BACKEND_TESTS(EveryPair);

// Energies of pairs are multiples of a quantum and their sums exact (sim/core/gcmc_pair.h): one
// pair that an accepted move misses or adds twice changes the running sum for good.
TEST_P(EveryPair, IsInTheEnergyOfGrandCanonicalChains) {
  const std::uint64_t moves = isLongRun() ? 100'000 : 2'000;
  for (const int dimension : {2, 3}) {
    const Box box = dimension == 3 ? cubicBox(10.2) : squareBox(13);  // four cells
    const GcmcState start = gcmcLattice(box, dimension == 3 ? 0.3 : 0.6);
    const GcmcRules rules =
        makeGcmcRules(dimension == 3 ? gcmcFluid(1.5, 0.1) : gcmcFluid(0.7, 0.1), box);
    for (const GcmcMethod* m : gcmcMethodsOn(GetParam())) {
      SCOPED_TRACE(std::string(m->key) + " in " + std::to_string(dimension) + "D");
      const auto e = makeGcmcEngine(m->key, exec::makeExec({.backend = GetParam(), .threads = 2}));
      e->upload(start, rules);
      std::uint64_t asked = 0;
      std::size_t looks = 0, most = 0;
      for (; asked < moves; asked += 7, ++looks) {
        e->advance(7);
        const GcmcState s = e->state();
        most = std::max(most, s.point.size());
        const double right = gcmcBruteForce(rules.pair, s.point).energy;
        ASSERT_EQ(e->energy(), right) << "the running sum, move " << s.move;
        ASSERT_EQ(e->sums().energy, right) << "the sum by the method, move " << s.move;
      }
      EXPECT_GT(e->counters().accepted[0], 0u);
      if (isLongRun())
        std::printf("%s, %dD: %zu looks in %llu moves of up to %zu particles, no pair wrong\n",
                    m->key, dimension, looks, static_cast<unsigned long long>(e->state().move),
                    most);
    }
  }
}

// A pair that a trial move does not look at comes to overlap sooner or later.
TEST_P(EveryPair, OfHardDisksIsKeptApart) {
  const int sweeps = isLongRun() ? 100'000 : 1'000;
  for (const double packing : {0.3, 0.6, 0.72}) {
    SCOPED_TRACE(packing);
    const auto mode = startedOn(config(), fmt::format("n=256 packing={}", packing));
    double nearest = 2;
    for (int s = 0; s < sweeps; s += 7) {
      mode->advance(7);
      const Configuration c = mode->configuration();
      ASSERT_EQ(c.ids.size(), 256u);
      for (std::size_t i = 0; i < c.ids.size(); ++i)
        for (std::size_t j = i + 1; j < c.ids.size(); ++j) {
          const Vec3d d = c.box.minimumImage(c.place(j) - c.place(i));
          nearest = std::min(nearest, dot(d, d));
        }
      // Positions in cells of width w <= 2 are rounded to 2^-23: squared distances by less than
      // this.
      ASSERT_GE(nearest, 1 - 1e-6) << "sweep " << mode->step();
    }
    expectHealthy(*mode);
    EXPECT_LT(nearest, 1.01);
    if (isLongRun())
      std::printf("packing %g: %llu sweeps, nearest pair ever 1%+.1e sigma\n", packing,
                  static_cast<unsigned long long>(mode->step()), std::sqrt(nearest) - 1);
  }
}

using list_check::PairsWithin, list_check::Report, list_check::Wrong;

constexpr double kTolerance = 2e-12;  // rounding is 16 u (720 + 240 + 5) = 1.7e-12 at most

BACKEND_TESTS(ListChecks);

void expectEqualReports(const Report& a, const Report& b, const std::string& name) {
  EXPECT_EQ(a.right, b.right) << name;
  EXPECT_EQ(a.expected, b.expected) << name;
  EXPECT_EQ(a.atCutoff, b.atCutoff) << name;
  EXPECT_EQ(a.inSkin, b.inSkin) << name;
  EXPECT_EQ(a.count, b.count) << name;
  ASSERT_EQ(a.wrong.size(), b.wrong.size()) << name;
  for (std::size_t k = 0; k < a.wrong.size(); ++k) {
    const Wrong &x = a.wrong[k], &y = b.wrong[k];
    EXPECT_TRUE(x.kind == y.kind && x.i == y.i && x.j == y.j && x.shift == y.shift)
        << name << " " << k;
    EXPECT_TRUE(x.distance == y.distance || (std::isnan(x.distance) && std::isnan(y.distance)))
        << name << " " << k;
  }
  ASSERT_EQ(a.causes.size(), b.causes.size()) << name;
  for (std::size_t k = 0; k < a.causes.size(); ++k) {
    EXPECT_EQ(a.causes[k].words, b.causes[k].words) << name;
    EXPECT_EQ(a.causes[k].usual, b.causes[k].usual) << name;
  }
}

// A tilted box of many parts of the check, with more pairs than are kept for the causes. Particles
// lie on a lattice whose second neighbours are at the cutoff, or are scattered about it.
PairList crowd(double scatter) {
  BoxCase c{"crowd", {240, 0, 0, 1.5, 9.6, 0, -1, 1, 9.5}, {true, true, true}, 2, 0};
  c.n = 12'800;
  PairList l = scattered(c, 3);
  for (std::size_t i = 0; i < l.size() && scatter < 1; ++i) {
    const double f[3] = {static_cast<double>(i % 200) / 200, static_cast<double>(i / 200 % 8) / 8,
                         static_cast<double>(i / 1600) / 8};
    for (std::size_t k = 0; k < 3; ++k)
      l.position[3 * i + k] = f[0] * l.cell[k] + f[1] * l.cell[3 + k] + f[2] * l.cell[6 + k];
  }
  if (scatter < 1) l.cutoff = 2 * 240.0 / 200;
  l.half = false;
  PairsWithin pairs(l, l.cutoff);
  for (std::uint32_t i = 0; i < l.size(); ++i)
    pairs.of(i, [&](std::uint32_t j, const list_check::Shift& s, double) {
      addPair(l, i, j, {s[0], s[1], s[2]});
      if (l.shift.size() < 3 * l.i.size()) l.shift.resize(3 * l.i.size(), 0);
    });
  return l;
}

// Every 7919th entry missing, every 6007th twice, every 9001st with another image or particle.
PairList damaged(const PairList& right) {
  PairList l = right;
  l.i.clear(), l.j.clear(), l.shift.clear();
  for (std::size_t k = 0; k < right.i.size(); ++k) {
    std::array<int, 3> s{};
    if (!right.shift.empty()) std::copy_n(&right.shift[3 * k], 3, s.begin());
    const auto put = [&](std::int64_t j) {
      l.i.push_back(right.i[k]), l.j.push_back(j);
      if (!right.shift.empty()) l.shift.insert(l.shift.end(), s.begin(), s.end());
    };
    if (k % 7919 == 0) continue;
    if (k % 6007 == 0) put(right.j[k]);
    if (k % 9001 == 0) ++s[k % 3];
    put(k % 5003 == 0 ? static_cast<std::int64_t>(k % right.size()) : right.j[k]);
  }
  return l;
}

// A type that no particle has reaches beyond half the box.
void expectAsOneByOne(const PairList& l, const Report& r, const std::string& name) {
  PairList slow = l;
  slow.nearest = true;
  const std::uint32_t n = l.types == 0 ? 1 : l.types;
  slow.types = n + 1;
  slow.type.resize(l.size(), 0);
  slow.cutoffs.assign(std::size_t{n + 1} * (n + 1), 5);
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = 0; b < n; ++b)
      slow.cutoffs[a * (n + 1) + b] = l.types == 0 ? l.cutoff : l.cutoffs[a * n + b];
  expectEqualReports(r, list_check::check(slow, kTolerance), name);
}

TEST_P(ListChecks, AreThoseOfOneEntryAfterAnother) {
  const auto checked = [](const PairList& l) { return list_check::check(l, kTolerance, config()); };
  for (const double scatter : {0., 1.}) {
    const PairList right = crowd(scatter);
    ASSERT_GT(right.i.size(), 100'000u);
    const Report r = checked(right);
    EXPECT_TRUE(r.isRight());
    EXPECT_EQ(r.right, right.i.size());
    EXPECT_EQ(r.atCutoff > 0, scatter == 0);
    PairList wrong = damaged(right);
    EXPECT_GT(checked(wrong).wrongPairs(), 100u);
    expectAsOneByOne(wrong, checked(wrong), "full");
    wrong.skin = 0.3;
    expectAsOneByOne(wrong, checked(wrong), "skin");
    wrong.shift.clear();
    expectAsOneByOne(wrong, checked(wrong), "without S");
    PairList half = damaged(halfOf(right));
    expectAsOneByOne(half, checked(half), "half");
    half.types = 2, half.cutoffs = {2.2, 1.9, 1.9, 0};
    for (std::size_t i = 0; i < half.size(); ++i) half.type.push_back(i % 3 == 0);
    expectAsOneByOne(half, checked(half), "types");
    half.nearest = true;
    expectAsOneByOne(half, checked(half), "nearest images");
  }
}

TEST_P(ListChecks, AreEqualOnEveryBackendInEveryBox) {
  for (const BoxCase& c : boxCases())
    for (const bool images : {true, false}) {
      PairList l = scattered(c, 5);
      listAll(l, c);
      for (const std::size_t k : {l.i.size() / 2, l.i.size() / 3}) erasePair(l, k);
      addPair(l, l.i[0], l.j[0], {l.shift[0], l.shift[1], l.shift[2]});
      if (!images) l.shift.clear();
      const Report r = list_check::check(l, kTolerance, config());
      EXPECT_GT(r.wrongPairs(), 0u) << c.name;
      expectEqualReports(r, list_check::check(l, -1, ExecConfig{Backend::cpu, 1}), c.name);
    }
}

}  // namespace
}  // namespace cellscope::test
