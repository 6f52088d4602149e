// Molecular dynamics with neighbour lists on several domains: positions, velocities, lists, samples
// and sums are those of one domain bit for bit, whatever their number and the way of their
// exchange.
#include <gmock/gmock.h>

#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

using MdDomains = InDomains;

std::unique_ptr<MdEngine> engineOn(const ExecConfig& config) {
  return makeVerlet(exec::makeExec(config));
}
// One domain on the same backend.
std::unique_ptr<MdEngine> oracleOf(Backend where) {
  return engineOn({.backend = where, .threads = 1});
}

// Where they differ first; "" if they do not.
std::string difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  if (a.size() != b.size()) return "their number";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z)
      return fmt::format("{}: {} {} {}, right {} {} {}", i, a[i].x, a[i].y, a[i].z, b[i].x, b[i].y,
                         b[i].z);
  return "";
}
std::string difference(const std::vector<RunSample>& a, const std::vector<RunSample>& b) {
  const auto numbers = [](const RunSample& s) {
    return fmt::format("{} {} {} {} {} {} {} {}", s.sums.kinetic, s.sums.potential, s.sums.virial,
                       s.sums.px, s.sums.pz, s.sums.displacement2, s.sums.listed, s.heat);
  };
  if (a.size() != b.size()) return "their number";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (numbers(a[i]) != numbers(b[i]))
      return fmt::format("{}: {}, right {}", i, numbers(a[i]), numbers(b[i]));
  return "";
}

void expectSameMd(const MdState& found, const MdState& right) {
  EXPECT_EQ(difference(found.position, right.position), "");
  EXPECT_EQ(difference(found.velocity, right.velocity), "");
  EXPECT_EQ(found.order, right.order);
  ASSERT_EQ(found.built.size(), right.built.size());
  for (std::size_t i = 0; i < found.built.size(); ++i) {
    const ParticleRecord a = found.built[i], b = right.built[i];
    ASSERT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z && a.type == b.type) << i;
  }
  EXPECT_EQ(found.history.builds, right.history.builds);
  EXPECT_EQ(found.history.dangerous, right.history.dangerous);
  EXPECT_EQ(found.history.lastStep, right.history.lastStep);
}

void expectSameSums(MdEngine& found, MdEngine& right) {
  const MdTotals a = found.totals(), b = right.totals();
  EXPECT_EQ(a.potential, b.potential);
  EXPECT_EQ(a.virial, b.virial);
  EXPECT_EQ(a.kinetic, b.kinetic);
  EXPECT_EQ(difference({found.sampleNow(0.004)}, {right.sampleNow(0.004)}), "");
  const std::vector<PairSums> p = found.pairSums(), q = right.pairSums();
  ASSERT_EQ(p.size(), q.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    ASSERT_TRUE(p[i].energy == q[i].energy && p[i].fx == q[i].fx) << i;
  const std::optional<ListedPairs> m = found.listFill(), n = right.listFill();
  ASSERT_TRUE(m && n);
  EXPECT_EQ(m->computed, n->computed);
  EXPECT_EQ(m->within, n->within);
}

// Lengths and entries of the lists that are lent, with slots.
std::vector<std::vector<std::uint32_t>> listsOf(MdEngine& e, Backend where) {
  Lent lent;
  e.lend(lent, true);
  const auto* const lists = lent.find<ListsLent>();
  if (!lists) return {};
  std::vector<std::vector<std::uint32_t>> all(lists->input.n);
  const auto read = [&](auto* to, const auto* from, std::size_t n) {
    exec::copy(Backend::cpu, to, where, from, n * sizeof *to);
  };
  std::vector<std::uint64_t> head(lists->list.head.at ? all.size() : 0);
  if (!head.empty()) read(head.data(), lists->list.head.at, head.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint32_t count = 0;
    read(&count, lists->list.count + i, 1);
    all[i].resize(count);
    read(all[i].data(), lists->list.items + (head.empty() ? lists->list.head[i] : head[i]), count);
  }
  return all;
}

struct DomainCase {
  const char* name;
  int method, domains;
  double buffer;
  bool mixture, plane, bath;
};
const std::vector<DomainCase> kDomainCases = {{"cellsTwo", 0, 2, 0.3, false, false, false},
                                              {"cellsFour", 0, 4, 0.1, false, false, true},
                                              {"cellsMixture", 0, 3, 0.3, true, false, false},
                                              {"stencilsMixture", 1, 3, 0.2, true, false, true},
                                              {"treeThree", 2, 3, 0.3, false, false, false},
                                              {"cellsPlane", 0, 3, 0.3, false, true, false}};

void start(MdEngine& e, const DomainCase& c) {
  MdState s = c.plane ? shakenPlane(36, 1.1) : shakenLiquid(1300);
  PairSettings p{.method = c.method, .buffer = c.buffer};
  if (c.mixture) mix(s, p);
  e.setBath({.on = c.bath,
             .temperature = 1.1,
             .friction = 0.7,
             .seed = 5,
             .particles = s.position.size()});
  forcesOf(e, s, p);
}

TEST_P(MdDomains, GiveTheParticlesOfOneDomain) {
  for (const DomainCase& c : kDomainCases) {
    SCOPED_TRACE(c.name);
    const auto right = oracleOf(GetParam().config.backend), found = engineOn(on(c.domains));
    std::vector<RunSample> samples[2];
    for (MdEngine* e : {right.get(), found.get()}) {
      start(*e, c);
      e->sampleEvery(7);
      e->run(0.004, 0, 60, {});
      e->run(0.004, 60, 43, {});
      samples[e == found.get()] = e->takeSamples();
      e->sampleEvery(0);
      EXPECT_FALSE(e->failure());
    }
    EXPECT_GT(right->history().builds, 3u);
    EXPECT_EQ(samples[0].size(), 14u);
    EXPECT_EQ(difference(samples[1], samples[0]), "");
    expectSameMd(found->download(), right->download());
    expectSameSums(*found, *right);
    EXPECT_EQ(listsOf(*found, config_.backend), listsOf(*right, config_.backend));
    for (MdEngine* e : {right.get(), found.get()}) e->run(0.004, 103, 20, {});
    expectSameMd(found->download(), right->download());
  }
}

// By phases, back to a kept state, in another box, with another buffer, with rescaled velocities,
// and to another number of domains.
TEST_P(MdDomains, DoAllThatOneDomainDoes) {
  const PairSettings other{.method = 2, .buffer = 0.4};
  const auto right = oracleOf(GetParam().config.backend), found = engineOn(on(3));
  for (MdEngine* e : {right.get(), found.get()}) {
    start(*e, kDomainCases[0]);
    for (std::uint64_t step = 0; step < 30; ++step) {
      e->halfKickDrift(0.004, step);
      for (int part = 0; part <= 5; ++part)
        while (e->updateListPart(part, step)) {
        }
      e->forces();
      e->halfKick(0.004);
    }
    e->keep();
    e->run(0.004, 30, 40, {});
    e->restore();
    e->rescale({.temperature = 0.9,
                .relaxed = 0.5,
                .freedoms = 3897,
                .mass = 1300,
                .seed = 3,
                .steps = 30});
    e->followDisplacements();
    Box box = e->download().box;
    for (double& l : box.length) l *= 1.01;
    e->changeBox(box, {0, 0, 0}, 30);
    e->run(0.004, 30, 25, {});
    e->setPair(other);
    e->forces();
    e->scaleVelocities(0.9, {0.1, 0, 0});
    e->resetDisplacements();
    e->run(0.004, 55, 25, {});
  }
  expectSameMd(found->download(), right->download());
  expectSameSums(*found, *right);
  EXPECT_EQ(found->heat(), right->heat());
  const auto two = engineOn(on(2));
  two->setPair(other);
  two->upload(found->download());
  two->forces();
  for (MdEngine* e : {right.get(), two.get()}) e->run(0.004, 80, 30, {});
  expectSameMd(two->download(), right->download());
}

// What stands in the lists of another domain is sent to it, and not all the rest.
TEST_P(MdDomains, SendWhatStandsInListsOfOthers) {
  const auto e = engineOn(on(3));
  start(*e, kDomainCases[0]);
  const DomainBorders b = e->lendParticles(false).domains;
  const std::vector<std::vector<std::uint32_t>> lists = listsOf(*e, config_.backend);
  const std::vector<SentSlots> sent = e->sent();
  std::size_t needed = 0, all = 0;
  for (std::uint32_t i = 0; i < lists.size(); ++i)
    for (const std::uint32_t j : lists[i]) {
      if (b.of(i) == b.of(j)) continue;
      ++needed;
      const auto holds = [&](const SentSlots& m) {
        return m.from == b.of(j) && m.to == b.of(i) && j >= m.begin && j < m.end;
      };
      EXPECT_TRUE(std::ranges::any_of(sent, holds)) << i << " " << j;
    }
  EXPECT_GT(needed, 1000u);
  for (const SentSlots& m : sent) {
    EXPECT_NE(m.from, m.to);
    EXPECT_EQ(b.of(m.begin), m.from);
    EXPECT_EQ(b.of(m.end - 1), m.from);
    const bool first = m.begin == b.at[m.from], last = m.end == b.at[m.from + 1];
    EXPECT_TRUE(first || last);
    if (!first || !last) {
      EXPECT_EQ(m.ahead, last);
    }
    all += m.end - m.begin;
  }
  EXPECT_LE(all, 2 * lists.size()) << "as if each of three needed all of the others";
}

// The particle that flies first is named, whichever domain has it.
TEST_P(MdDomains, NameTheParticleThatFlies) {
  for (const std::uint32_t fast : {7u, 1290u}) {
    const auto right = oracleOf(GetParam().config.backend), found = engineOn(on(2));
    for (MdEngine* e : {right.get(), found.get()}) {
      MdState s = shakenLiquid(1300);
      s.velocity[fast].x = 1e6;
      forcesOf(*e, s, {});
      e->run(0.004, 0, 3, {});
    }
    ASSERT_TRUE(found->failure());
    EXPECT_EQ(found->failure()->where, fast);
    EXPECT_EQ(found->failure()->step, right->failure()->step);
  }
}

TEST_P(MdDomains, WriteTheCheckpointOfOneDomain) {
  const auto bytes = [&](const ExecConfig& config) {
    const auto mode =
        startedMd(config, "n=1500 method=cells thermostat=bussi barostat=cell_rescaling");
    mode->advance(300);
    return saved(*mode);
  };
  const std::string one = bytes({.backend = GetParam().config.backend, .threads = 1});
  EXPECT_EQ(bytes(on(2)), one);
  EXPECT_EQ(bytes(on(3)), one);
}

TEST_P(MdDomains, RefuseWhatTheyCannotDo) {
  const auto message = [&](const std::string& settings, int domains) {
    return messageOf([&] { startedMd(on(domains), settings); });
  };
  EXPECT_THAT(message("n=1500 method=all_pairs", 2),
              HasSubstr("2 domains: method = all_pairs has only one"));
  EXPECT_THAT(message("n=1500 method=clusters", 2), HasSubstr("only one"));
  EXPECT_THAT(message("n=1500 method=tree buffer=0", 2), HasSubstr("buffer = 0 has only one"));
  EXPECT_THAT(message("n=700 method=cells", 3), HasSubstr("allowed: n >= 768"));
  EXPECT_THAT(message("n=9000 method=cells", 17), HasSubstr("at most 16"));
}

INSTANTIATE_TEST_SUITE_P(Each, MdDomains, testing::ValuesIn(kDomainPlaces), nameOfPlace);

}  // namespace
}  // namespace cellscope::test
