// The table of marks in pictures and in legends, and layers whose number of instances only the
// device knows.
#include <gtest/gtest.h>

#include "render/mark_text.h"
#include "render/quiet.h"
#include "render/swatch.h"
#include "renderer_fixture.h"
#include "sim/exec/host_frame_buffer.h"

namespace cellscope::render {
namespace {

using namespace test;

std::vector<std::uint8_t> greyOf(Primitive primitive, Mark mark) {
  return swatch({primitive, mark, {0.5f, 0.5f, 0.5f}, true, 26, 2});
}

TEST(Marks, LegendsTellThemApartWithoutColour) {
  const std::pair<Primitive, std::vector<Mark>> groups[] = {
      {Primitive::boxes, {Mark::setA, Mark::setB, Mark::setC, Mark::setD}},
      {Primitive::lines, {Mark::accepted, Mark::overlap, Mark::leftCell}},
      {Primitive::points, {Mark::moved, Mark::rejected}},
      {Primitive::points, {Mark::tested, Mark::blocking, Mark::picked}}};
  for (const auto& [primitive, marks] : groups)
    for (std::size_t a = 0; a < marks.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_NE(greyOf(primitive, marks[a]), greyOf(primitive, marks[b]))
            << lookOf(marks[a]).name << " and " << lookOf(marks[b]).name;
}

TEST(Marks, EverySwatchShowsSomethingInItsColour) {
  for (const MarkLook& mark : kMarks)
    for (const Primitive p : {Primitive::points, Primitive::boxes, Primitive::lines}) {
      const auto rgba = swatch({p, mark.mark, {1, 0, 0.5f}, true, 15, 1});
      ASSERT_EQ(rgba.size(), 15u * 15 * 4);
      double cover = 0;
      for (std::size_t i = 3; i < rgba.size(); i += 4) cover += rgba[i] / 255.0;
      EXPECT_GT(cover, 5) << mark.name;
      EXPECT_LT(cover, 226) << mark.name;
    }
}

TEST(Marks, ShadersReadEveryRow) {
  const std::string text = markTable();
  std::size_t rows = 0;
  for (std::size_t at = text.find("  Mark("); at != std::string::npos;
       at = text.find("  Mark(", at + 1))
    ++rows;
  EXPECT_EQ(rows, kMarkCount);
}

class Counted : public RendererTest, public testing::WithParamInterface<int> {
 protected:
  // So many of six disks, in a row; those beyond are not to be drawn.
  static Frame row(std::size_t count, bool onDevice) {
    Frame frame;
    frame.box = plane(6, 1);
    std::vector<PointInstance> disks;
    std::vector<BoxInstance> boxes;
    std::vector<LineInstance> lines;
    for (int i = 0; i < 6; ++i) {
      const float x = static_cast<float>(i);
      disks.push_back({x + 0.5f, 0.5f, 0, 0.8f, 0, 0, 0});
      boxes.push_back({{x + 0.1f, 0.1f, 0}, {x + 0.9f, 0.9f, 0}, 0, 0, 0});
      lines.push_back({{x + 0.1f, 0.3f, 0}, {x + 0.9f, 0.7f, 0}, 0, 0, 0});
    }
    frame.layers = {layerOf("p", Primitive::points, disks, {}),
                    layerOf("b", Primitive::boxes, boxes, {}),
                    layerOf("l", Primitive::lines, lines, {}),
                    layerOf("m", Primitive::points, disks,
                            {ColourKind::plain, "", "", 0, 1, {}, {Mark::picked}})};
    for (LayerData& layer : frame.layers) {
      if (onDevice)
        layer.drawn = HostFrameBuffer::of(std::vector{static_cast<std::uint32_t>(count)});
      else
        layer.count = count;
    }
    return frame;
  }
};

// Large disks are drawn as corners, middle ones as points, tiny ones as summed coverage.
TEST_P(Counted, OnlyWhatIsThereIsDrawn) {
  const int width = GetParam();
  const auto expected = draw(row(4, false), plain(), width, 60).rgb;
  EXPECT_EQ(draw(row(4, true), plain(), width, 60).rgb, expected);
  EXPECT_NE(draw(row(6, true), plain(), width, 60).rgb, expected);
  Frame inSpace = row(4, true), known = row(4, false);
  for (Frame* f : {&inSpace, &known}) f->box = space(6);
  EXPECT_EQ(draw(inSpace, plain(), width, 60).rgb, draw(known, plain(), width, 60).rgb);
}
INSTANTIATE_TEST_SUITE_P(Widths, Counted, testing::Values(600, 90, 12));

TEST_F(RendererTest, TheNumberDrawnIsKnownLater) {
  Frame frame;
  frame.box = plane(1, 1);
  LayerData layer = layerOf("culled", Primitive::points, std::vector<PointInstance>(9), {});
  layer.drawn = HostFrameBuffer::of(std::vector<std::uint32_t>{5});
  frame.layers = {layer};
  draw(frame, plain(), 20, 20);  // waits for the GPU
  EXPECT_EQ(renderer.drawnCount("culled"), 5u);
  frame.layers[0].drawn = nullptr;
  draw(frame, plain(), 20, 20);
  EXPECT_EQ(renderer.drawnCount("culled"), 9u);
  EXPECT_EQ(renderer.drawnCount("other"), 0u);
}

TEST(Quiet, ParticlesGiveWayToCellsAndSlotsButNotToMarks) {
  const auto layer = [](Primitive primitive, ColourKind kind, std::vector<Mark> marks) {
    LayerData l;
    l.primitive = primitive, l.count = 1;
    l.scale.kind = kind, l.scale.marks = std::move(marks);
    return l;
  };
  const LayerData particles = layer(Primitive::points, ColourKind::sequential, {});
  const LayerData types = layer(Primitive::points, ColourKind::categorical, {});
  const LayerData cells = layer(Primitive::cells, ColourKind::sequential, {});
  const LayerData rings = layer(Primitive::points, ColourKind::categorical, {Mark::tested});
  const LayerData box = layer(Primitive::boxes, ColourKind::plain, {Mark::outline});
  EXPECT_TRUE(isQuiet(particles, {particles, cells}));
  EXPECT_TRUE(isQuiet(particles, {particles, types})) << "slots, by what they hold";
  EXPECT_FALSE(isQuiet(particles, {particles, rings, box}));
  EXPECT_FALSE(isQuiet(types, {types, cells})) << "categories explain a structure themselves";
}

}  // namespace
}  // namespace cellscope::render
