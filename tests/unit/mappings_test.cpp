// The thread mappings as values of a parameter.
#include <gtest/gtest.h>

#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {
namespace {

TEST(Mappings, ParameterOffersAutoAndThemAll) {
  ASSERT_EQ(mappingChoices().size(), kMpmcMappings.size() + 1);
  HardDiskParameters p;
  EXPECT_FALSE(p.chosenMapping());
  for (std::size_t i = 0; i < kMpmcMappings.size(); ++i) {
    EXPECT_EQ(mappingChoices()[i + 1], kMpmcMappings[i].key);
    p.mapping.index = static_cast<std::int64_t>(i) + 1;
    EXPECT_EQ(p.chosenMapping(), &kMpmcMappings[i]);
  }
}

}  // namespace
}  // namespace cellscope
