// The table of marks in pictures and in legends, and layers whose number of instances only the
// device knows.
#include <bit>

#include "render/gl.h"
#include "render/legend.h"
#include "render/view.h"
#include "renderer_fixture.h"
#include "sim/exec/pooled_buffer.h"

namespace cellscope::render {
namespace {

using namespace test;

std::vector<std::uint8_t> greyOf(Primitive primitive, Mark mark) {
  return swatch({primitive, mark, {0.5f, 0.5f, 0.5f}, true, 26, 2});
}

TEST(Marks, LegendsTellThemApartWithoutColour) {
  const std::pair<Primitive, std::vector<Mark>> groups[] = {
      {Primitive::boxes,
       {Mark::setA, Mark::setB, Mark::setC, Mark::setD, Mark::setE, Mark::setF, Mark::setG,
        Mark::setH}},
      {Primitive::lines, {Mark::missing, Mark::oneSided, Mark::twice, Mark::wrongImage}},
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

// Where the driver says that a member of the block lies, its value is found.
TEST_F(RendererTest, ShadersReadEveryRowOfTheTableOfMarks) {
  const GlProgram program = makeProgram("disk");
  const GlBuffer buffer = markBuffer();
  const auto bits = [&](std::size_t row, const char* member) {
    const std::string name = "kMarks[" + std::to_string(row) + "]." + member;
    const char* const names[] = {name.c_str()};
    GLuint index = GL_INVALID_INDEX;
    GLint offset = -1;
    glGetUniformIndices(program, 1, names, &index);
    if (index != GL_INVALID_INDEX)
      glGetActiveUniformsiv(program, 1, &index, GL_UNIFORM_OFFSET, &offset);
    std::uint32_t value = 0xdeadbeef;
    EXPECT_GE(offset, 0) << name;
    if (offset >= 0) glGetNamedBufferSubData(buffer, offset, sizeof value, &value);
    return value;
  };
  for (std::size_t i = 0; i < kMarkCount; ++i) {
    const MarkLook& m = kMarks[i];
    EXPECT_EQ(bits(i, "shape"), static_cast<std::uint32_t>(m.shape)) << m.name;
    EXPECT_EQ(bits(i, "hatching"), static_cast<std::uint32_t>(m.hatching)) << m.name;
    const std::pair<const char*, float> lengths[] = {{"width", m.width},
                                                     {"dash", m.dash},
                                                     {"head", m.head},
                                                     {"leastLength", m.leastLength},
                                                     {"leastRadius", m.leastRadius},
                                                     {"faces", m.faces},
                                                     {"hollow", m.hollow}};
    for (const auto& [member, value] : lengths)
      EXPECT_EQ(std::bit_cast<float>(bits(i, member)), value) << m.name << " " << member;
    EXPECT_EQ(bits(i, "ink") != 0, m.role == ColourRole::ink) << m.name;
    EXPECT_EQ(bits(i, "cased") != 0, m.cased) << m.name;
  }
}

class Counted : public RendererTest, public testing::WithParamInterface<int> {
 protected:
  // The first of six disks in a row; those beyond are not to be drawn.
  static Frame row(std::size_t count, bool onDevice) {
    std::vector<PointInstance> disks;
    std::vector<BoxInstance> boxes;
    std::vector<LineInstance> lines;
    for (int i = 0; i < 6; ++i) {
      const float x = static_cast<float>(i);
      disks.push_back({x + 0.5f, 0.5f, 0, 0.8f, 0, 0, 0});
      boxes.push_back({{x + 0.1f, 0.1f, 0}, {x + 0.9f, 0.9f, 0}, 0, 0, 0});
      lines.push_back({{x + 0.1f, 0.3f, 0}, {x + 0.9f, 0.7f, 0}, 0, 0, 0});
    }
    Frame frame =
        frameOf(plane(6, 1), {layerOf("p", disks, {}), layerOf("b", boxes, {}),
                              layerOf("l", lines, {}), layerOf("m", disks, marked(Mark::picked))});
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
  Frame frame = frameOf(plane(1, 1), {layerOf("culled", std::vector<PointInstance>(9), {})});
  frame.layers[0].drawn = HostFrameBuffer::of(std::vector<std::uint32_t>{5});
  draw(frame, plain(), 20, 20);  // waits for the GPU
  EXPECT_EQ(renderer.drawnCount("culled"), 5u);
  frame.layers[0].drawn = nullptr;
  draw(frame, plain(), 20, 20);
  EXPECT_EQ(renderer.drawnCount("culled"), 9u);
  EXPECT_EQ(renderer.drawnCount("other"), 0u);
}

TEST(Quiet, ParticlesGiveWayToWhatExplainsWhateverTheirColours) {
  const auto layer = [](Primitive primitive, ColourKind kind, std::vector<Mark> marks,
                        bool explains) {
    LayerData l{.primitive = primitive, .count = 1, .explains = explains};
    l.scale.kind = kind, l.scale.marks = std::move(marks);
    return l;
  };
  const LayerData particles = layer(Primitive::points, ColourKind::sequential, {}, false);
  const LayerData types = layer(Primitive::points, ColourKind::categorical, {}, false);
  const LayerData moves = layer(Primitive::lines, ColourKind::plain, {Mark::moved}, false);
  for (const LayerData& explaining :
       {layer(Primitive::cells, ColourKind::sequential, {}, true),
        layer(Primitive::points, ColourKind::categorical, {}, true),  // slots
        layer(Primitive::lines, ColourKind::sequential, {}, true),
        layer(Primitive::points, ColourKind::categorical, {Mark::tested}, true)}) {
    EXPECT_TRUE(isQuiet(particles, {particles, explaining}));
    EXPECT_TRUE(isQuiet(types, {types, explaining}));
    EXPECT_FALSE(isQuiet(explaining, {particles, explaining}));
    LayerData empty = explaining;
    empty.count = 0;
    EXPECT_FALSE(isQuiet(particles, {particles, empty})) << "nothing is shown";
    empty.coming = true;
    EXPECT_TRUE(isQuiet(particles, {particles, empty})) << "a phase later it is";
  }
  EXPECT_FALSE(isQuiet(types, {types, particles, moves}));
}

// Of pixels that a layer alone changes: those from left to right, and the most in one column.
struct Extent {
  int wide = 0, tall = 0;
};

class SizeOnScreen : public RendererTest {
 protected:
  Extent extentOf(LayerData layer, const Style& style) {
    Frame frame = frameOf(plane(100, 100));
    const Image empty = draw(frame, style, 200, 200);
    frame.layers = {std::move(layer)};
    const Image image = draw(frame, style, 200, 200);
    Extent e;
    for (int x = 0; x < 200; ++x) {
      int tall = 0;
      for (int y = 0; y < 200; ++y) {
        tall += apart(pixel(image, x, y), pixel(empty, x, y)) > 0.5f;
      }
      e.wide += tall > 0;
      e.tall = std::max(e.tall, tall);
    }
    return e;
  }
};

// A shift is far smaller than a pixel in a large system.
TEST_F(SizeOnScreen, ArrowsOfAShiftAreLongEnoughAtAnySize) {
  for (const float length : {0.05f, 2.0f, 30.0f}) {
    const std::vector<LineInstance> arrow = {{{50 - length, 50, 0}, {50, 50, 0}, 0, 0, 0}};
    for (const bool dark : {true, false}) {
      const Style style = plain(dark);
      const Extent e = extentOf(layerOf("shift", arrow, marked(Mark::shifted)), style);
      EXPECT_GE(e.wide, 20) << length;
      EXPECT_NEAR(e.wide, std::max(24.f, 2 * length), 6) << length;
      EXPECT_GE(e.tall, 7) << "the head";
    }
  }
  const std::vector<LineInstance> other = {{{48, 50, 0}, {50, 50, 0}, 0, 0, 0}};
  EXPECT_LT(extentOf(layerOf("v", other, marked(Mark::arrow)), plain()).wide, 8);
}

TEST(Marks, OutlinesAndEdgesAreTwoPixelsWide) {
  for (const Mark mark :
       {Mark::plain, Mark::setA, Mark::setB, Mark::setC, Mark::setD, Mark::setE, Mark::setF,
        Mark::setG, Mark::setH, Mark::ownCell, Mark::searched, Mark::opened, Mark::pruned,
        Mark::leaf, Mark::query, Mark::skipped, Mark::gridBefore, Mark::gridAfter})
    EXPECT_GE(lookOf(mark).width, 2) << lookOf(mark).name;
  EXPECT_GE(lookOf(Mark::shifted).width, 3);
  EXPECT_TRUE(lookOf(Mark::shifted).cased);
}

// Rings of many tiny particles that moved would be a carpet; a single one stays in sight.
TEST_F(SizeOnScreen, MarksOfCrowdsShrinkWithTheirParticles) {
  // Pixels of each mark.
  const auto covered = [&](int side, float diameter) {
    std::vector<PointInstance> marks;
    for (int i = 0; i < side * side; ++i) {
      const float step = 100.0f / static_cast<float>(side);
      marks.push_back({(static_cast<float>(i % side) + 0.5f) * step,
                       (static_cast<float>(i / side) + 0.5f) * step, 0, diameter, 0, 0, 0});
    }
    Frame frame = frameOf(plane(100, 100), {layerOf("m", marks, marked(Mark::moved))});
    frame.layers[0].events = true;
    const Image image = draw(frame, plain(), 500, 500);
    return sumOver(image, [](const Rgb& c) { return c.g > 0.3f; }) / (side * side);
  };
  EXPECT_LT(covered(24, 0.6f), 0.4 * covered(4, 0.6f)) << "3 pixels each";
  EXPECT_NEAR(covered(24, 3), covered(4, 3), 0.15 * covered(4, 3)) << "14 pixels each";
}

// Hatching and outlines of small boxes would only flicker.
TEST_F(SizeOnScreen, SmallBoxesAreFlat) {
  const auto coloursInside = [&](float side) {
    const std::vector<BoxInstance> box = {{{20, 20, 0}, {20 + side, 20 + side, 0}, 0, 0, 0}};
    const Image image =
        draw(frameOf(plane(100, 100), {layerOf("b", box, marked(Mark::setA))}), plain(), 200, 200);
    const int from = 40, pixels = static_cast<int>(2 * side);
    float least = 9, most = 0;
    for (int y = from + 1; y < from + pixels - 1; ++y)
      for (int x = from + 1; x < from + pixels - 1; ++x) {
        const float sum = pixel(image, x, 199 - y).r + pixel(image, x, 199 - y).b;
        least = std::min(least, sum), most = std::max(most, sum);
      }
    return most - least;
  };
  EXPECT_LT(coloursInside(2.5f), 0.01f) << "5 pixels";
  EXPECT_GT(coloursInside(15), 0.2f) << "30 pixels: hatched";
}

// Around pictures of experiments.
TEST(WarningFrame, CoversTheEdgesAndNothingElse) {
  Image image{600, 450, std::vector<std::uint8_t>(600 * 450 * 3, 7)};
  paintWarningFrame(image);
  const auto at = [&](int x, int y) {
    return &image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))];
  };
  const auto red = [&](int x, int y) {
    return at(x, y)[0] > 200 && at(x, y)[1] < 100 && at(x, y)[2] < 100;
  };
  const auto kept = [&](int x, int y) { return *at(x, y) == 7; };
  for (int x = 0; x < image.width; ++x) EXPECT_TRUE(red(x, 0) && red(x, 2) && red(x, 449));
  for (int y = 0; y < image.height; ++y) EXPECT_TRUE(red(0, y) && red(2, y) && red(599, y));
  for (int y = 3; y < 447; ++y) EXPECT_TRUE(kept(3, y) && kept(300, y) && kept(596, y));
  Image small{2, 2, std::vector<std::uint8_t>(12, 7)};
  paintWarningFrame(small);
  for (const std::size_t pixel : {0u, 3u, 6u, 9u}) EXPECT_GT(small.rgb[pixel], 200);
}

}  // namespace
}  // namespace cellscope::render
