// Texts of errors.
#include "sim/base/error.h"

#include <gtest/gtest.h>

namespace cellscope {
namespace {

TEST(ErrorText, AloneIsTakenAsItIs) {
  EXPECT_STREQ(InputError("a {} b }{").what(), "a {} b }{");
  EXPECT_STREQ(RunError(std::string("{0}")).what(), "{0}");
}

TEST(ErrorText, WithValuesIsAFormat) {
  EXPECT_STREQ(InputError("n = {}: allowed: {{1, {:g}}}", 3, 2.5).what(),
               "n = 3: allowed: {1, 2.5}");
}

}  // namespace
}  // namespace cellscope
