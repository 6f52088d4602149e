// The comparison of neighbour lists with all pairs: what is wrong on purpose is found, once, and
// nothing else.
#include "sim/algo/verlet/list_truth.h"

#include <gtest/gtest.h>

#include <random>

namespace cellscope {
namespace {

constexpr float kCutoff = 1.5f, kBuffer = 0.3f;

// Lists of n particles at random, by the definition, to be damaged.
struct Lists {
  std::vector<ParticleRecord> built, now;
  Box box;
  std::uint32_t cluster;
  std::vector<std::vector<std::uint32_t>> rows;

  Lists(int dimension, std::uint32_t shared, std::size_t n = 300)
      : box(dimension == 3 ? cubicBox(7) : squareBox(16)), cluster(shared) {
    std::mt19937 random(dimension + 10 * static_cast<int>(shared));
    std::uniform_real_distribution<float> place(0, static_cast<float>(box.length[0]));
    std::uniform_real_distribution<float> way(-0.08f, 0.08f);  // 0.14 in space: below half a buffer
    const RecordBox rounded(box);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3d r{place(random), place(random), dimension == 3 ? place(random) : 0.0};
      built.push_back(rounded.record(r, 0));
      const auto moved = [&](double x, int a) {
        return wrapped(x + static_cast<double>(way(random)), box.length[a]);
      };
      now.push_back(rounded.record({moved(r.x, 0), moved(r.y, 1), moved(r.z, 2)}, 0));
    }
    rows.resize((n + cluster - 1) / cluster);
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        std::vector<std::uint32_t>& row = rows[i / cluster];
        const bool self = i == j && cluster == 1;
        if (self || rounded.distanceSquared(built[i], built[j]) > 1.8f * 1.8f) continue;
        if (std::find(row.begin(), row.end(), j) == row.end()) row.push_back(j);
      }
  }
  std::vector<std::uint32_t>& rowOf(std::uint32_t i) { return rows[i / cluster]; }
  bool has(std::uint32_t i, std::uint32_t j) {
    return std::find(rowOf(i).begin(), rowOf(i).end(), j) != rowOf(i).end();
  }
  double distance(std::uint32_t i, std::uint32_t j) const {
    return std::sqrt(static_cast<double>(RecordBox(box).distanceSquared(now[i], now[j])));
  }
  // The first pair of different clusters within the cutoff by 0.01, or not listed.
  std::pair<std::uint32_t, std::uint32_t> pair(bool near) {
    for (std::uint32_t i = 20; i < now.size(); ++i)
      for (std::uint32_t j = i + 1; j < now.size(); ++j)
        if (i / cluster != j / cluster && (near ? distance(i, j) < 1.49 : !has(i, j)))
          return {i, j};
    return {};
  }
  ListTruth truth(std::span<const std::uint32_t> only = {}) const {
    std::vector<std::uint32_t> count, items;
    std::size_t room = 0;
    for (const auto& row : rows) room = std::max(room, row.size());
    for (const auto& row : rows) {
      count.push_back(static_cast<std::uint32_t>(row.size()));
      items.insert(items.end(), row.begin(), row.end());
      items.resize(count.size() * room);
    }
    ListsLent lent;
    lent.input.particles = built.data(), lent.input.n = built.size(), lent.input.box = box;
    lent.input.cluster = cluster;
    lent.input.table.set(0, 0, static_cast<double>(kCutoff), static_cast<double>(kBuffer));
    lent.cutoffs.set(0, 0, static_cast<double>(kCutoff), 0);
    lent.record = now.data();
    lent.list = {{nullptr, static_cast<std::uint32_t>(room)}, count.data(), items.data(), cluster};
    return listTruth(lent, Backend::cpu, only);
  }
};

using Fault = ListTruth::Fault;

class ListTruths : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  Lists lists{GetParam().first, static_cast<std::uint32_t>(GetParam().second)};
  // One fault of this kind, and no other; from either particle alone as well.
  void expectOne(Fault fault, std::uint32_t i, std::uint32_t j, bool seenFromBoth) {
    const ListTruth all = lists.truth();
    ASSERT_EQ(all.faults(), 1u) << all.words();
    EXPECT_EQ(all.wrong[0].fault, fault) << all.words();
    EXPECT_EQ(std::minmax(all.wrong[0].i, all.wrong[0].j), std::minmax(i, j));
    for (const std::uint32_t one : {i, j}) {
      const std::uint32_t only[] = {one};
      const ListTruth seen = lists.truth(only);
      EXPECT_EQ(seen.lookedAt, 1u);
      if (one == i || seenFromBoth) {
        EXPECT_EQ(seen.words(), all.words());
      }
    }
  }
};

TEST_P(ListTruths, FindNothingWrongWithListsByDefinition) {
  const ListTruth truth = lists.truth();
  EXPECT_EQ(truth.faults(), 0u) << truth.words();
  EXPECT_EQ(truth.lookedAt, lists.now.size());
  std::uint64_t within = 0;
  for (std::uint32_t i = 0; i < lists.now.size(); ++i)
    for (std::uint32_t j = i + 1; j < lists.now.size(); ++j)
      within += lists.distance(i, j) < static_cast<double>(kCutoff);
  EXPECT_EQ(truth.within, within);
  EXPECT_GT(within, 100u);
}

TEST_P(ListTruths, FindAPairThatIsMissing) {
  const auto [i, j] = lists.pair(true);
  std::erase(lists.rowOf(i), j), std::erase(lists.rowOf(j), i);
  if (lists.cluster == 1) return expectOne(Fault::missing, i, j, true);
  // Other pairs of these clusters lose their partner as well.
  const ListTruth truth = lists.truth();
  EXPECT_GE(truth.count[0], 1u) << truth.words();
  EXPECT_EQ(truth.count[2] + truth.count[3], 0u) << truth.words();
}

TEST_P(ListTruths, FindAPairInOneListOnly) {
  const auto [i, j] = lists.pair(true);
  std::erase(lists.rowOf(i), j);
  if (lists.cluster == 1) return expectOne(Fault::oneSided, i, j, true);
  const ListTruth truth = lists.truth();
  EXPECT_GE(truth.count[1], 1u);
  EXPECT_EQ(truth.faults(), truth.count[1]) << truth.words();
}

TEST_P(ListTruths, FindAPairThatIsListedTwiceOrBeyondTheReach) {
  const auto [i, j] = lists.pair(true);
  lists.rowOf(i).push_back(j);
  EXPECT_EQ(lists.truth().words(), "1 listed twice");
  if (lists.cluster == 1) expectOne(Fault::twice, i, j, false);
  lists.rowOf(i).pop_back();
  const auto [k, far] = lists.pair(false);
  lists.rowOf(k).push_back(far);
  EXPECT_EQ(lists.truth().words(), "1 listed beyond cutoff and buffer");
}

INSTANTIATE_TEST_SUITE_P(InThePlaneAndInSpace, ListTruths,
                         testing::Values(std::pair{2, 1}, std::pair{3, 1}, std::pair{2, 4},
                                         std::pair{3, 4}),
                         [](const auto& at) {
                           return std::to_string(at.param.first) + "D" +
                                  (at.param.second > 1 ? "Clusters" : "");
                         });

}  // namespace
}  // namespace cellscope
