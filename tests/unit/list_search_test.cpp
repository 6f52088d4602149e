// Cells and trees behind a list: right ones, and each invariant broken once; how those of a file
// look for a pair; and what two lists do not share.
#include <numeric>

#include "sim/algo/list_check/check.h"
#include "sim/base/error.h"
#include "tests/support/list_faults.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using list_check::check, list_check::Kind, list_check::Report, list_check::Search;
using list_check::Wrong;

// With the particles of each cell one after the other.
void sortIntoCells(PairList& l, bool xFirst) {
  ListedCells& c = l.cells;
  putIntoCells(l, {3, 4, 5}, xFirst);
  c.item.resize(l.size());
  std::iota(c.item.begin(), c.item.end(), 0);
  std::stable_sort(c.item.begin(), c.item.end(), [&](std::int64_t a, std::int64_t b) {
    return c.of[static_cast<std::size_t>(a)] < c.of[static_cast<std::size_t>(b)];
  });
  c.start.assign(61, 0);
  for (const std::int64_t cell : c.of) ++c.start[static_cast<std::size_t>(cell) + 1];
  std::partial_sum(c.start.begin(), c.start.end(), c.start.begin());
}

// By halves along the longest side; ropes as a walk takes them that goes to the left first.
struct TreeOf {
  PairList& l;
  std::function<Vec3d(std::size_t)> at;
  std::int64_t build(std::vector<std::size_t> all, std::int64_t rope) {
    ListedTree& t = l.tree;
    const auto k = static_cast<std::int64_t>(t.size());
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    const auto place = [&](std::size_t i) {
      const Vec3d r = at(i);
      return std::array<double, 3>{r.x, r.y, r.z};
    };
    for (const std::size_t i : all)
      for (std::size_t a = 0; a < 3; ++a)
        low[a] = std::min(low[a], place(i)[a]), high[a] = std::max(high[a], place(i)[a]);
    t.left.push_back(-1), t.right.push_back(-1), t.rope.push_back(rope);
    t.lower.insert(t.lower.end(), low, low + 3), t.upper.insert(t.upper.end(), high, high + 3);
    if (all.size() <= 2) {
      for (const std::size_t i : all) t.leafOf[i] = k;
      return k;
    }
    std::size_t axis = 0;
    for (std::size_t a = 1; a < 3; ++a)
      if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
    std::sort(all.begin(), all.end(),
              [&](std::size_t a, std::size_t b) { return place(a)[axis] < place(b)[axis]; });
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    const std::int64_t right = build({middle, all.end()}, rope),
                       left = build({all.begin(), middle}, right);
    t.left[static_cast<std::size_t>(k)] = left, t.right[static_cast<std::size_t>(k)] = right;
    return k;
  }
};

// Of positions as they are given, or of those in the box.
PairList withTree(const BoxCase& c, bool inBox = true) {
  PairList l = listed(c);
  const list_check::PairsWithin places(l, 0.1);
  const auto at = [&](std::size_t i) {
    const double* r = &l.position[3 * i];
    return inBox ? places.place(i) : Vec3d{r[0], r[1], r[2]};
  };
  std::vector<std::size_t> all(l.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  l.tree.leafOf.assign(l.size(), -1);
  TreeOf{l, at}.build(all, -1);
  return l;
}

PairList withStructures(const BoxCase& c) {
  PairList l = withTree(c, false);
  sortIntoCells(l, true);
  return l;
}

std::vector<BoxCase> someBoxes() {
  const std::vector<BoxCase> all = boxCases();
  return {all[0], all[2], all[9]};
}

TEST(ListStructures, FindsRightCellsAndTreesRight) {
  for (const BoxCase& c : someBoxes()) {
    PairList l = withStructures(c);
    EXPECT_TRUE(check(l).isRight()) << c.name << check(l).faults.front().rule;
    sortIntoCells(l, false);
    EXPECT_TRUE(check(l).isRight()) << c.name << ": z fastest";
  }
}

// Damages a right structure and expects that this, and nothing else of cells or trees, is told.
void expectFault(const std::function<void(PairList&)>& damage, const std::string& rule) {
  for (const BoxCase& c : someBoxes()) {
    PairList l = withStructures(c);
    damage(l);
    const Report r = check(l);
    EXPECT_EQ(r.wrongPairs(), 0u);
    ASSERT_FALSE(r.faults.empty()) << c.name << " " << rule;
    bool found = false;
    for (const list_check::Fault& f : r.faults) found |= f.rule.find(rule) != f.rule.npos;
    EXPECT_TRUE(found) << c.name << " " << rule << ": " << r.faults[0].rule;
  }
}

TEST(ListStructures, FindsFaultsOfCells) {
  expectFault([](PairList& l) { l.cells.of[7] = (l.cells.of[7] + 31) % 60; },
              "do not lie in their cell");
  expectFault([](PairList& l) { l.cells.of[7] = 60; }, "in a cell that does not exist");
  expectFault([](PairList& l) { l.cells.of[7] = -1; }, "in a cell that does not exist");
  expectFault([](PairList& l) { l.cells.start[60] -= 1; }, "does not end");
  expectFault([](PairList& l) { l.cells.start[0] = 1; }, "does not begin");
  expectFault([](PairList& l) { l.cells.start[30] = l.cells.start[60] + 5; }, "falls");
  expectFault([](PairList& l) { l.cells.item[3] = l.cells.item[4]; }, "twice");
  expectFault([](PairList& l) { l.cells.item[3] = 10000; }, "no particle has");
  expectFault([](PairList& l) { std::swap(l.cells.item.front(), l.cells.item.back()); },
              "in another cell in cell_items");
}

TEST(ListStructures, FindsFaultsOfTrees) {
  expectFault([](PairList& l) { l.tree.left[0] = 5000; }, "children in the tree that do not exist");
  expectFault([](PairList& l) { l.tree.left[1] = -1; }, "one child");
  expectFault([](PairList& l) { l.tree.left[0] = l.tree.right[0]; }, "two parents");
  // A subtree that is its own parent: no root leads there.
  expectFault(
      [](PairList& l) {
        ListedTree& t = l.tree;
        const auto sub = static_cast<std::size_t>(t.right[0]);
        t.left[0] = t.right[0] = -1;
        t.left[sub] = static_cast<std::int64_t>(sub);
      },
      "cycle");
  expectFault([](PairList& l) { l.tree.upper[1] -= 0.5; }, "do not contain that of a child");
  expectFault([](PairList& l) { std::swap(l.tree.lower[0], l.tree.upper[0]); },
              "lower above upper");
  expectFault([](PairList& l) { l.tree.rope[3] = 9999; }, "to a node that does not exist");
  expectFault([](PairList& l) { l.tree.rope[static_cast<std::size_t>(l.tree.left[0])] = -1; },
              "rope leads to the wrong node");
  // A leaf that leads back: the walk never ends.
  expectFault(
      [](PairList& l) {
        std::size_t leaf = 0;
        while (l.tree.left[leaf] >= 0) leaf = static_cast<std::size_t>(l.tree.left[leaf]);
        l.tree.rope[leaf] = 0;
      },
      "does not reach just once");
  expectFault([](PairList& l) { l.tree.leafOf[2] = 0; }, "in no leaf");
  expectFault([](PairList& l) { std::swap(l.tree.leafOf.front(), l.tree.leafOf.back()); },
              "does not contain their particle");
}

BoxCase box() {
  BoxCase cubic = boxCases()[0];
  cubic.n = 160;
  return cubic;
}

PairList withCells(const BoxCase& c) {
  PairList l = listed(c);
  putIntoCells(l, {4, 4, 4});
  return l;
}

Wrong pairAt(const PairList& l, std::size_t k) {
  return {Kind::missing, l.i[k], l.j[k], shiftOf(l, k), 0, 0, 0};
}

bool tells(const Search& s, const std::string& words) {
  return std::any_of(s.words.begin(), s.words.end(), [&](const auto& w) {
    return (w.first + " " + w.second).find(words) != w.first.npos;
  });
}

TEST(ListSearch, TheCellOfEveryPairIsAmongThoseThatAreSearched) {
  const PairList l = withCells(box());
  const list_check::PairsWithin at(l, 0.1);
  const list_check::Searches searches(l, at);
  for (std::size_t k = 0; k < l.i.size(); ++k) {
    const Search s = searches.of(pairAt(l, k));
    ASSERT_EQ(s.cells.size(), 27u);  // cells of 1.5 for a cutoff of 1.4
    const auto step = std::find_if(s.cells.begin(), s.cells.end(),
                                   [&](const auto& c) { return c.cell == s.other; });
    ASSERT_TRUE(step != s.cells.end() && step->used) << k;
    EXPECT_EQ(s.lies, s.other) << k;
    EXPECT_TRUE(tells(s, "step " + std::to_string(step - s.cells.begin() + 1) + " of 27")) << k;
  }
}

TEST(ListSearch, AStencilThatIsOneShortIsSeen) {
  PairList l = withCells(box());
  const list_check::PairsWithin at(l, 0.1);
  // Nothing from the cells with a larger x, or, the other way, with a smaller one.
  const list_check::Searches all(l, at);
  std::vector<Wrong> lost;
  for (std::size_t k = l.i.size(); k-- > 0;) {
    const Wrong w = pairAt(l, k);
    const Search s = all.of(w);
    if (s.other[0] == s.own[0]) continue;
    lost.push_back(w);
    erasePair(l, k);
  }
  ASSERT_GT(lost.size(), 20u);
  const list_check::Searches searches(l, at);
  for (const Wrong& w : lost) {
    const Search s = searches.of(w);
    EXPECT_TRUE(tells(s, "no pair of the list comes from there"));
    for (const list_check::CellStep& c : s.cells) EXPECT_TRUE(c.cell[0] == s.own[0] || !c.used);
  }
}

TEST(ListSearch, AParticleInAnotherCellThanItLiesInIsSeen) {
  PairList l = withCells(box());
  const Wrong w = pairAt(l, 7);
  std::int64_t& cell = l.cells.of[static_cast<std::size_t>(w.j)];
  cell = (cell + 32) % 64;  // two further along z
  const list_check::PairsWithin at(l, 0.1);
  const Search s = list_check::Searches(l, at).of(w);
  EXPECT_NE(s.lies, s.other);
  EXPECT_TRUE(tells(s, std::to_string(w.j) + " lies in")) << s.words.size();
}

TEST(ListSearch, EveryWalkFindsThePairsOfARightTree) {
  for (const bool ropes : {true, false}) {
    PairList l = withTree(box());
    if (!ropes) l.tree.rope.clear();
    const list_check::PairsWithin at(l, 0.1);
    const list_check::Searches searches(l, at);
    for (std::size_t k = 0; k < l.i.size(); ++k) {
      const Search s = searches.of(pairAt(l, k));
      EXPECT_TRUE(tells(s, "found step")) << k;
      EXPECT_LT(s.nodes.size(), l.tree.size()) << k;
    }
  }
}

TEST(ListSearch, TheStepThatLosesAPairIsNamed) {
  PairList l = withTree(box());
  const list_check::PairsWithin at(l, 0.1);
  const Wrong w = pairAt(l, 3);
  const auto leaf = static_cast<std::size_t>(l.tree.leafOf[static_cast<std::size_t>(w.j)]);
  PairList shrunk = l;  // a box far away that holds nothing
  for (std::size_t a = 0; a < 3; ++a)
    shrunk.tree.lower[3 * leaf + a] = shrunk.tree.upper[3 * leaf + a] = 99;
  EXPECT_TRUE(
      tells(list_check::Searches(shrunk, at).of(w), "leaves out node " + std::to_string(leaf)));
  PairList skips = l;  // to the rope of its sibling instead of the sibling
  const auto root = std::size_t{0};
  const auto left = static_cast<std::size_t>(l.tree.left[root]),
             right = static_cast<std::size_t>(l.tree.right[root]);
  std::vector<Wrong> lost;
  skips.tree.rope[left] = -1;
  for (std::int64_t& r : skips.tree.rope)
    if (r == static_cast<std::int64_t>(right)) r = -1;
  const list_check::Searches searches(skips, at);
  int named = 0;
  for (std::size_t k = 0; k < l.i.size(); ++k)
    named += tells(searches.of(pairAt(l, k)), "is never visited") ? 1 : 0;
  EXPECT_GT(named, 20);
}

std::pair<std::int64_t, std::int64_t> inOrder(std::int64_t i, std::int64_t j) {
  return {std::min(i, j), std::max(i, j)};
}
std::uint64_t wrongOf(const Report& r, Kind k) { return r.count[static_cast<std::size_t>(k)]; }
Report changes(const PairList& a, const PairList& b) {
  Report to = list_check::check(a);
  const std::uint64_t wrong = to.wrongPairs();
  list_check::addChanges(a, b, list_check::check(b), to);
  EXPECT_EQ(to.wrongPairs(), wrong) << "changes are no faults";
  return to;
}

TEST(ListChanges, EachKindIsFoundInEveryBox) {
  for (const BoxCase& c : boxCases()) {
    PairList a = listed(c);
    if (a.i.size() < 40 || c.name == "tiny") continue;
    PairList b = a;
    EXPECT_TRUE(changes(a, b).wrong.empty()) << c.name;
    const std::size_t gone = 5;
    const auto ij = inOrder(b.i[gone], b.j[gone]);
    eraseBoth(b, gone);
    const std::size_t moved = b.i.size() / 2;
    const std::int64_t i = b.i[moved], j = b.j[moved];
    const std::size_t axis = c.periodic[0] ? 0 : 2;
    b.shift[3 * moved + axis] += 7;
    const Report r = changes(a, b);
    ASSERT_EQ(r.wrong.size(), 2u) << c.name;
    EXPECT_EQ(wrongOf(r, Kind::onlyHere), 1u) << c.name;
    EXPECT_EQ(wrongOf(r, Kind::otherImage), 1u) << c.name;
    const Report back = changes(b, a);
    EXPECT_EQ(wrongOf(back, Kind::onlyThere), 1u) << c.name;
    EXPECT_EQ(wrongOf(back, Kind::otherImage), 1u) << c.name;
    for (const Wrong& w : r.wrong) {
      EXPECT_EQ(inOrder(w.i, w.j), w.kind == Kind::onlyHere ? ij : inOrder(i, j)) << c.name;
      EXPECT_TRUE(w.kind != Kind::onlyHere || w.distance <= c.cutoff) << c.name;
    }
  }
}

// Half or full, wrapped or not, with or without image shifts: the same pairs.
TEST(ListChanges, TheSamePairsWrittenInAnotherWayAreNone) {
  const BoxCase c = boxCases()[2];  // tilted
  PairList full = listed(c), half = halfOf(full), numbers = full, moved = full;
  half.half = true, full.half = false;
  numbers.shift.clear();
  for (std::size_t k = 0; k < 3; ++k)
    moved.position[3 * 4 + k] += c.cell[3 + k];  // particle 4 along b
  for (std::size_t k = 0; k < moved.i.size(); ++k)
    moved.shift[3 * k + 1] += (moved.i[k] == 4) - (moved.j[k] == 4);
  for (const PairList* const other : {&half, &numbers, &moved}) {
    EXPECT_TRUE(changes(full, *other).wrong.empty());
    EXPECT_TRUE(changes(*other, full).wrong.empty());
  }
  PairList fewer = scattered({"", c.cell, c.periodic, c.cutoff, c.n - 1, c.images});
  EXPECT_NE(messageOf<InputError>([&] { changes(full, fewer); }).find("the same particles"),
            std::string::npos);
}

}  // namespace
}  // namespace cellscope::test
