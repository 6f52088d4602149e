// Cells and trees behind a list: right ones, and each invariant broken once.
#include <gtest/gtest.h>

#include <numeric>

#include "sim/algo/list_check/check.h"
#include "tests/support/list_faults.h"

namespace cellscope {
namespace {

using list_check::check;
using list_check::Report;
using namespace test;

void putIntoCells(PairList& l, bool xFirst) {
  ListedCells& c = l.cells;
  c.dims[0] = 3, c.dims[1] = 4, c.dims[2] = 5;
  const list_check::Lattice box(l);
  for (std::size_t i = 0; i < l.size(); ++i) {
    const Vec3d f = box.fraction({l.position[3 * i], l.position[3 * i + 1], l.position[3 * i + 2]});
    std::int64_t at[3] = {0, 0, 0};
    const double x[3] = {f.x, f.y, f.z};
    for (int a = 0; a < 3; ++a)
      at[a] = std::min<std::int64_t>(
          c.dims[a] - 1,
          static_cast<std::int64_t>((x[a] - std::floor(x[a])) * static_cast<double>(c.dims[a])));
    c.of.push_back(xFirst ? at[0] + 3 * (at[1] + 4 * at[2]) : (at[0] * 4 + at[1]) * 5 + at[2]);
  }
  c.item.resize(l.size());
  std::iota(c.item.begin(), c.item.end(), 0);
  std::stable_sort(c.item.begin(), c.item.end(), [&](std::int64_t a, std::int64_t b) {
    return c.of[static_cast<std::size_t>(a)] < c.of[static_cast<std::size_t>(b)];
  });
  c.start.assign(61, 0);
  for (const std::int64_t cell : c.of) ++c.start[static_cast<std::size_t>(cell) + 1];
  std::partial_sum(c.start.begin(), c.start.end(), c.start.begin());
}

// Particles [from, to) in halves; nodes in the order of a walk.
std::int64_t growTree(PairList& l, std::size_t from, std::size_t to) {
  ListedTree& t = l.tree;
  const std::size_t k = t.left.size();
  t.left.push_back(-1), t.right.push_back(-1), t.rope.push_back(-1);
  for (std::size_t a = 0; a < 3; ++a) {
    double low = 1e9, high = -1e9;
    for (std::size_t i = from; i < to; ++i)
      low = std::min(low, l.position[3 * i + a]), high = std::max(high, l.position[3 * i + a]);
    t.lower.push_back(low), t.upper.push_back(high);
  }
  if (to - from <= 3) {
    for (std::size_t i = from; i < to; ++i) t.leafOf.push_back(static_cast<std::int64_t>(k));
  } else {
    const std::int64_t left = growTree(l, from, (from + to) / 2);
    const std::int64_t right = growTree(l, (from + to) / 2, to);
    t.left[k] = left, t.right[k] = right;
  }
  return static_cast<std::int64_t>(k);
}
void hangRopes(ListedTree& t, std::int64_t node, std::int64_t rope) {
  const auto k = static_cast<std::size_t>(node);
  t.rope[k] = rope;
  if (t.left[k] < 0) return;
  hangRopes(t, t.left[k], t.right[k]);
  hangRopes(t, t.right[k], rope);
}

PairList withStructures(const BoxCase& c) {
  PairList l = listed(c);
  putIntoCells(l, true);
  hangRopes(l.tree, growTree(l, 0, l.size()), -1);
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
    l.cells = {};
    putIntoCells(l, false);
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

}  // namespace
}  // namespace cellscope
