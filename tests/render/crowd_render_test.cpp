// Layers of a mode that is none of the house's, drawn: counts that a kernel made, labels, levels,
// two sizes, in the plane and in space.
#include <cstdlib>

#include "render/png.h"
#include "renderer_fixture.h"
#include "tests/support/crowd/runs.h"

namespace cellscope::render {
namespace {

using namespace test;
using cellscope::test::crowd;
using cellscope::test::drawnOf;
using cellscope::test::everything;
using cellscope::test::layerIn;

// Where somebody wants to look at it.
void keep(const Image& image, const std::string& name) {
  if (const char* folder = std::getenv("CELLSCOPE_GOLDEN_OUT"))
    writePng(std::string(folder) + "/" + name + ".png", image, {});
}

std::size_t different(const Image& a, const Image& b) {
  std::size_t n = 0;
  for (std::size_t k = 0; k < a.rgb.size(); k += 3)
    n += a.rgb[k] != b.rgb[k] || a.rgb[k + 1] != b.rgb[k + 1] || a.rgb[k + 2] != b.rgb[k + 2];
  return n;
}

TEST_F(RendererTest, ACrowdIsDrawnWithAllItsLayers) {
  for (const char* space : {"plane", "space"}) {
    // Steps so large that the trail is longer than the ring around the picked walker is wide.
    const auto mode =
        crowd({Backend::cpu, 1, 0, true}, {{"n", "300"}, {"space", space}, {"size", "3"}});
    const auto id = mode->configuration().ids[5];
    mode->frame(everything(*mode, id));
    mode->advance(20);
    const auto frame = mode->frame(everything(*mode, id));
    const Image all = draw(*frame, Style{}, 600, 600);
    keep(all, std::string("crowd_") + space);
    if (renderer.labelsReason().empty()) {
      EXPECT_GT(renderer.labelsShown(), 0u) << space;
    }
    for (const char* key : {"walkers", "newborn", "cells", "trail"}) {
      ASSERT_TRUE(layerIn(*frame, key)) << key;
      Frame without = *frame;
      std::erase_if(without.layers, [&](const LayerData& l) { return l.key == key; });
      EXPECT_GT(different(all, draw(without, Style{}, 600, 600)), 20u) << space << " " << key;
    }
    Frame alone = *frame;
    alone.layers = {*layerIn(*frame, "walkers")};
    const Image both = draw(alone, Style{}, 600, 600);
    renderer.setLook("walkers", {1, 0, 32767, 0b01});
    const Image small = draw(alone, Style{}, 600, 600);
    renderer.setLook("walkers", {1, 7, 7, ~0u});  // nobody is 70 steps old
    const Image none = draw(alone, Style{}, 600, 600);
    renderer.setLook("walkers", {});
    EXPECT_GT(different(both, small), 1000u) << space;
    EXPECT_GT(different(small, none), 1000u) << space;
  }
}

// Labels of which a kernel left out some: their buffer has room for more than there are.
TEST_F(RendererTest, LabelsThatWereLeftOutAreNotDrawn) {
  Frame frame;
  frame.box = plane(10, 10);
  std::vector<LabelInstance> texts;
  for (int i = 0; i < 5; ++i) {
    const float at[3] = {1.0f + 2.0f * static_cast<float>(i), 5, 0};
    texts.push_back(labelOf(at, "M"));
  }
  const ColourScale scale{ColourKind::plain, "", "", 0, 1, {}, {Mark::text}};
  frame.layers.push_back(layerOf("t", Primitive::labels, texts, scale));
  frame.layers[0].count = 3;
  draw(frame, plain(), 300, 300);
  if (!renderer.labelsReason().empty()) GTEST_SKIP() << renderer.labelsReason();
  EXPECT_EQ(renderer.labelsShown(), 3u);
  frame.layers[0].count = 5;
  frame.layers[0].drawn = HostFrameBuffer::of(std::vector<std::uint32_t>{2});
  draw(frame, plain(), 300, 300);
  EXPECT_EQ(renderer.labelsShown(), 2u);
}

}  // namespace
}  // namespace cellscope::render
