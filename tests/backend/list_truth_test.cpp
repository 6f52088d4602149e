// Neighbour lists of runs beside all pairs: sound methods miss none, stale lists miss what a test's
// own brute force finds; on each backend.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>

#include "sim/exec/memory.h"
#include "sim/layers/layers.h"
#include "sim/modes/md/mode.h"
#include "tests/support/backend_test.h"
#include "tests/support/md_frames.h"

namespace cellscope {
namespace {

class ListTruthOfRuns : public test::BackendTest {
 protected:
  std::unique_ptr<MdMode> mode() const {
    return std::make_unique<MdMode>(ExecConfig{GetParam(), 2, 0});
  }
};

SelfCheck checkNamed(const std::vector<SelfCheck>& all, const std::string& label) {
  for (const SelfCheck& c : all)
    if (c.label == label) return c;
  ADD_FAILURE() << "no check " << label;
  return {};
}

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
  const auto at = [&](std::size_t i) {
    return Vec3d{c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2]};
  };
  for (std::size_t i = 0; i < c.ids.size(); ++i)
    for (std::size_t j = i + 1; j < c.ids.size(); ++j) {
      const Vec3d a = at(i), b = at(j), d = c.box.minimumImage({b.x - a.x, b.y - a.y, b.z - a.z});
      if (d.x * d.x + d.y * d.y + d.z * d.z >= most * most) continue;
      if (!listed.count({c.ids[i], c.ids[j]}) && !listed.count({c.ids[j], c.ids[i]}))
        missing.emplace(c.ids[i], c.ids[j]);
    }
  return missing;
}

std::size_t linesOf(const Frame& frame, Mark mark) {
  const LayerData& layer = test::layerNamed(frame, layers::kNeighbours);
  std::size_t count = 0;
  for (const auto& l : test::drawnItems<LineInstance>(layer))
    count += markOf(layer.scale, l.value) == mark;
  return count;
}

// Ten thousand steps in all, each judged by the program, and every 50th by the test.
TEST_P(ListTruthOfRuns, SoundMethodsMissNoPair) {
  constexpr int kSteps = 1000;
  for (const int dimension : {2, 3})
    for (const char* method : {"cells", "stencils", "tree", "clusters", "placeholder_cells"}) {
      SCOPED_TRACE(std::string(method) + " in " + std::to_string(dimension) + "D");
      const auto m = mode();
      m->parameters().at("n").set(std::int64_t{256});
      m->parameters().at("dimension").setText(dimension == 2 ? "2" : "3");
      m->parameters().at("density").set(0.6);
      m->parameters().at("temperature").set(2.0);
      m->parameters().at("cutoff").set(2.0);
      m->parameters().at("buffer").set(0.2);
      m->parameters().at("method").setText(method);
      m->restart();
      const bool lists = std::string(method) != "placeholder_cells";
      for (int s = 1; s <= kSteps; ++s) {
        m->advance(1);
        const SelfCheck check = checkNamed(m->selfChecks(), lists ? "neighbour list" : "pairs");
        ASSERT_TRUE(check.ok) << check.detail;
        if (lists && s % 50 == 0) {
          ASSERT_TRUE(missingPairs(*m, 2.0).empty()) << "step " << s;
        }
      }
    }
}

TEST_P(ListTruthOfRuns, StaleListsAreShownToMissWhatTheyMiss) {
  const auto m = mode();
  m->parameters().at("n").set(std::int64_t{1372});
  m->parameters().at("density").set(0.7);
  m->parameters().at("temperature").set(2.0);
  m->parameters().at("seed").set(std::int64_t{1});
  m->parameters().at("potential").setText("wca");
  m->parameters().at("dt").set(0.002);
  m->parameters().at("method").setText("cells");
  m->parameters().at("buffer").set(0.1);
  m->parameters().at("stale_lists").set(true);
  m->restart();
  m->advance(319);
  const Pairs missing = missingPairs(*m, std::pow(2.0, 1.0 / 6));
  ASSERT_GT(missing.size(), 5u);
  const SelfCheck check = checkNamed(m->selfChecks(), "neighbour list");
  EXPECT_FALSE(check.ok);
  EXPECT_TRUE(check.onPurpose);
  EXPECT_EQ(check.detail.rfind(std::to_string(missing.size()) + " missing in step 319", 0), 0u)
      << check.detail;
  // Lines in the picture: of all, and the card of one that lacks a partner.
  EXPECT_EQ(linesOf(*test::framed(*m, layers::kNeighbours), Mark::missing), missing.size());
  const auto [id, other] = *missing.begin();
  const auto frame = test::framed(*m, layers::kNeighbours, id);
  EXPECT_EQ(linesOf(*frame, Mark::missing), missing.size());
  bool named = false;
  for (const auto& [label, value] : frame->picked.rows)
    named |= label == "missing in its list" &&
             value.find(std::to_string(other) + " at 1.") != std::string::npos;
  EXPECT_TRUE(named);
  // A new list has them all, and the lamp remembers.
  m->advance(2);
  EXPECT_TRUE(missingPairs(*m, std::pow(2.0, 1.0 / 6)).empty());
  EXPECT_FALSE(checkNamed(m->selfChecks(), "neighbour list").ok);
  // What the lists lacked when they were no longer to be stale is no fault of those after it.
  m->advance(18);
  EXPECT_FALSE(missingPairs(*m, std::pow(2.0, 1.0 / 6)).empty());
  m->parameters().at("stale_lists").set(false);
  m->applyParameters();
  EXPECT_TRUE(checkNamed(m->selfChecks(), "neighbour list").ok);
  m->advance(40);
  EXPECT_TRUE(checkNamed(m->selfChecks(), "neighbour list").ok);
}

INSTANTIATE_TEST_SUITE_P(Each, ListTruthOfRuns, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
