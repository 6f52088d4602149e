// Layouts: what they predict against what is allocated.
#include "sim/exec/layout.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sim/base/error.h"

namespace cellscope::exec {
namespace {

struct Lists {
  Array<std::uint32_t> first;
  DoubleBuffer<std::uint64_t> keys;
  static Layout<Lists> layout(std::size_t cells, std::size_t n) {
    return {{"first slots", &Lists::first, cells + 1}, {"keys", &Lists::keys, n}};
  }
};

struct Engine {
  Array<double> energy;
  Lists lists;
  static Layout<Engine> layout(std::size_t n) {
    return {{"energies", &Engine::energy, n}, {"lists", &Engine::lists, Lists::layout(n / 4, n)}};
  }
};

TEST(Layout, PredictsWhatItAllocates) {
  for (const std::size_t n : {0, 1, 1000, 12345}) {
    const Layout<Engine> layout = Engine::layout(n);
    const std::size_t before = memoryUse(Backend::cpu).now;
    const Engine engine = layout.make(Backend::cpu);
    EXPECT_EQ(memoryUse(Backend::cpu).now - before, layout.bytes());
    EXPECT_EQ(layout.held(engine), layout.bytes());
    EXPECT_EQ(layout.bytes(), 8 * n + 4 * (n / 4 + 1) + 16 * n);
    EXPECT_EQ(engine.energy.size(), n);
    EXPECT_EQ(engine.lists.keys.size(), n);
    EXPECT_EQ(Engine::layout(3).held(engine), layout.bytes()) << "of what there is, not of three";
  }
}

TEST(Layout, NamesItsParts) {
  const Layout<Lists> layout = Lists::layout(7, 5);
  ASSERT_EQ(layout.parts().size(), 2u);
  EXPECT_EQ(std::string(layout.parts()[1].name), "keys");
  EXPECT_EQ(layout.parts()[1].count, 5u);
  EXPECT_EQ(layout.parts()[1].bytes(), 80u);
}

TEST(Layout, GivesBackWhatItMadeWhenMemoryRunsOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end a program that asks for more than there can be";
#endif
  const std::size_t before = memoryUse(Backend::cpu).now;
  EXPECT_THROW(Lists::layout(1000, std::size_t{1} << 55).make(Backend::cpu), OutOfMemory);
  EXPECT_EQ(memoryUse(Backend::cpu).now, before);
}

}  // namespace
}  // namespace cellscope::exec
