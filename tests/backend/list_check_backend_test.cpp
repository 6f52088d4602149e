// The check of neighbour lists on each backend against the comparison of one entry after another,
// which is what lists of nearest images get whose longest cutoff is beyond half the box.
#include "sim/algo/list_check/check.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_faults.h"

namespace cellscope::test {
namespace {

using list_check::PairsWithin, list_check::Report, list_check::Wrong;

constexpr double kTolerance = 2e-12;  // rounding is 16 u (720 + 240 + 5) = 1.7e-12 at most

class ListChecks : public BackendTest {
 protected:
  static Report checked(const PairList& l) { return list_check::check(l, kTolerance, config()); }
};

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
      const Report r = checked(l);
      EXPECT_GT(r.wrongPairs(), 0u) << c.name;
      expectEqualReports(r, list_check::check(l, -1, ExecConfig{Backend::cpu, 1}), c.name);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, ListChecks, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
