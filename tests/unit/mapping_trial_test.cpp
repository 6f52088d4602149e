#include "sim/modes/hard_disks/mapping_trial.h"

#include <gtest/gtest.h>

#include <map>

#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {
namespace {

TEST(Mappings, ParameterOffersAutoAndThemAll) {
  ASSERT_EQ(mappingChoices().size(), kMpmcMappings.size() + 1);
  HardDiskParameters p;
  EXPECT_FALSE(p.chosenMapping());
  for (std::size_t i = 0; i < kMpmcMappings.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kMpmcMappings[i].mapping), i);
    EXPECT_EQ(mappingChoices()[i + 1], kMpmcMappings[i].key);
    p.mapping.index = static_cast<std::int64_t>(i) + 1;
    EXPECT_EQ(p.chosenMapping(), kMpmcMappings[i].mapping);
  }
}

// Each in turn, equally often; what the first round measures is warming up.
TEST(Mappings, TrialKeepsTheFastest) {
  for (const MpmcMappingInfo& fast : kMpmcMappings) {
    MappingTrial trial;
    trial.begin(
        {MpmcMapping::threadPerCell, MpmcMapping::threadPerNeighbour, MpmcMapping::residentTiles});
    std::map<MpmcMapping, int> times;
    while (trial.running()) {
      const MpmcMapping m = trial.mapping();
      const bool first = times[m]++ == 0;
      trial.add(16, first ? (m == fast.mapping ? 9.0 : 0.1) : m == fast.mapping ? 0.5 : 1.0);
    }
    EXPECT_EQ(trial.fastest(), fast.mapping) << fast.key;
    for (const auto& [m, n] : times) EXPECT_EQ(n, 4);
    EXPECT_EQ(times.size(), 3u);
  }
}

TEST(Mappings, NothingIsTriedWithoutAChoice) {
  MappingTrial trial;
  EXPECT_FALSE(trial.running());
  trial.begin({});
  EXPECT_FALSE(trial.running());
  trial.begin({MpmcMapping::threadPerCell});
  EXPECT_FALSE(trial.running());
}

}  // namespace
}  // namespace cellscope
