// Marks of events as people with colour-vision deficiencies see them.
#include <array>

#include "renderer_fixture.h"
#include "sim/layers/layers.h"

namespace cellscope::render {
namespace {

using namespace test;

// G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, IEEE Trans. Vis. Comput. Graph. 15, 1291
// (2009), severity 1; they act on linear RGB.
struct Vision {
  const char* name;
  double matrix[3][3];
};
constexpr Vision kVisions[] = {{"normal", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                               {"protanopia",
                                {{0.152286, 1.052583, -0.204868},
                                 {0.114503, 0.786281, 0.099216},
                                 {-0.003882, -0.048116, 1.051998}}},
                               {"deuteranopia",
                                {{0.367322, 0.860646, -0.227968},
                                 {0.280085, 0.672501, 0.047413},
                                 {-0.011820, 0.042940, 0.968881}}},
                               {"tritanopia",
                                {{1.255528, -0.076749, -0.178779},
                                 {-0.078411, 0.930809, 0.147602},
                                 {0.004733, 0.691367, 0.303900}}}};

double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double encoded(double c) {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

std::array<double, 3> seen(const Vision& v, const std::uint8_t* rgb) {
  const double r = linear(rgb[0] / 255.0), g = linear(rgb[1] / 255.0), b = linear(rgb[2] / 255.0);
  std::array<double, 3> out{};
  std::transform(v.matrix, v.matrix + 3, out.begin(), [&](const double(&row)[3]) {
    return std::clamp(row[0] * r + row[1] * g + row[2] * b, 0.0, 1.0);
  });
  return out;
}

// CIE 1976 lightness, 0 to 100, of every pixel.
std::vector<double> lightness(const Vision& v, const Image& image) {
  std::vector<double> all;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    const auto c = seen(v, &image.rgb[i]);
    const double y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    all.push_back(y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27);
  }
  return all;
}

double lightnessOf(const Vision& v, std::uint32_t rgb) {
  const auto part = [&](int shift) { return static_cast<std::uint8_t>(rgb >> shift & 255); };
  return lightness(v, {1, 1, {part(16), part(8), part(0)}})[0];
}

constexpr double kVisible = 10;  // of lightness: what differs less is not seen
// A pixel belongs to a mark where it differs by half of what its clearest pixel does, so that the
// gap of a dash counts where it is darker by half.
constexpr double kHalf = 0.5;
constexpr double kFewest = 40;        // such pixels, of a mark around a particle of 24 pixels
constexpr double kOtherShape = 0.25;  // share of the pixels of two marks that only one of them has
constexpr double kOtherLight = 15;    // of mean lightness

class ColourVision : public RendererTest {
 protected:
  static constexpr int kSide = 64;
  // A particle of 24 pixels with a mark, or a line with one on the bare background: over a particle
  // its casing would count as a part of the line.
  static Frame scene(Primitive primitive, const Mark* mark) {
    Frame frame = frameOf(plane(4, 4));
    if (primitive == Primitive::points)
      frame.layers.push_back(
          layerOf<PointInstance>("p", {{2, 2, 0, 1.5f, 0.6f, 0, 0}}, {ColourKind::sequential}));
    if (!mark) return frame;
    const ColourScale scale = marked(*mark);
    if (primitive == Primitive::lines)
      frame.layers.push_back(
          layerOf<LineInstance>("l", {{{0.4f, 0.6f, 0}, {3.6f, 3.4f, 0}, 0, 0, 0}}, scale));
    else
      frame.layers.push_back(layerOf<PointInstance>("m", {{2, 2, 0, 1.5f, 0, 0, 0}}, scale));
    return frame;
  }
  struct Seen {
    std::vector<bool> where;
    double pixels = 0, light = 0;  // mean of those pixels
  };
  Seen look(const Vision& v, Primitive primitive, Mark mark, bool dark) {
    const Style style = plain(dark);
    const auto without = lightness(v, draw(scene(primitive, nullptr), style, kSide, kSide));
    const auto with = lightness(v, draw(scene(primitive, &mark), style, kSide, kSide));
    Seen s;
    double clearest = 0;
    for (std::size_t i = 0; i < with.size(); ++i)
      clearest = std::max(clearest, std::abs(with[i] - without[i]));
    for (std::size_t i = 0; i < with.size(); ++i) {
      s.where.push_back(std::abs(with[i] - without[i]) > std::max(kVisible, kHalf * clearest));
      if (!s.where.back()) continue;
      ++s.pixels;
      s.light += with[i];
    }
    s.light /= std::max(1.0, s.pixels);
    return s;
  }
  static double otherShape(const Seen& a, const Seen& b) {
    double both = 0, any = 0;
    for (std::size_t i = 0; i < a.where.size(); ++i) {
      both += a.where[i] && b.where[i];
      any += a.where[i] || b.where[i];
    }
    return 1 - both / std::max(1.0, any);
  }
};

TEST_F(ColourVision, MarksOfEventsDifferInShapeOrLightness) {
  // What stands side by side in one layer, or in two that are shown together: each mark is told
  // apart from all others of its group. Of trial moves, accepted ones from both kinds of rejected
  // ones: which of the two it is stands beside them in words.
  const std::pair<Primitive, std::vector<Mark>> groups[] = {
      {Primitive::points,
       {Mark::moved, Mark::rejected, Mark::blocking, Mark::inserted, Mark::deleted}},
      {Primitive::points, {Mark::tested, Mark::blocking, Mark::picked, Mark::moved}},
      {Primitive::lines, {Mark::accepted, Mark::overlap, Mark::leftCell}}};
  for (const Vision& v : kVisions)
    for (const bool dark : {true, false})
      for (const auto& [primitive, marks] : groups) {
        std::vector<Seen> all;
        for (const Mark mark : marks) {
          all.push_back(look(v, primitive, mark, dark));
          EXPECT_GE(all.back().pixels, kFewest)
              << lookOf(mark).name << ", " << v.name << (dark ? ", dark" : ", light");
        }
        for (std::size_t a = 0; a < marks.size(); ++a)
          for (std::size_t b = 0; b < a; ++b) {
            if (primitive == Primitive::lines && b > 0) continue;
            const double shape = otherShape(all[a], all[b]);
            const double light = std::abs(all[a].light - all[b].light);
            EXPECT_TRUE(shape >= kOtherShape || light >= kOtherLight)
                << lookOf(marks[a]).name << " and " << lookOf(marks[b]).name << ", " << v.name
                << (dark ? ", dark" : ", light") << ": shape " << shape << ", lightness " << light;
          }
      }
}

Rgb colourOfMark(Mark mark) {
  return colourOf({.kind = ColourKind::categorical, .marks = {mark}}, 0);
}

// Distance in OKLab of two colours of marks; of what is just seen side by side it is 0.02.
double oklabDistance(const Vision& v, Mark a, Mark b) {
  std::array<double, 3> lab[2];
  for (int k = 0; k < 2; ++k) {
    const Rgb own = colourOfMark(k == 0 ? a : b);
    std::uint8_t rgb[3];
    std::transform(&own.r, &own.r + 3, rgb,
                   [](float x) { return static_cast<std::uint8_t>(std::lround(255 * x)); });
    const auto c = seen(v, rgb);
    const auto f = [&](std::size_t i) { return static_cast<float>(encoded(c[i])); };
    const Oklch o = toOklch({f(0), f(1), f(2)});
    const double h = static_cast<double>(o.h) * std::acos(-1.0) / 180, chroma = o.c;
    lab[k] = {o.l, chroma * std::cos(h), chroma * std::sin(h)};
  }
  return std::hypot(lab[0][0] - lab[1][0], lab[0][1] - lab[1][1], lab[0][2] - lab[1][2]);
}

// Of cells in space; those of the upper of two layers have dashed edges as well.
TEST_F(ColourVision, EightColoursOfCellsStayApart) {
  const Mark sets[] = {Mark::setA, Mark::setB, Mark::setC, Mark::setD,
                       Mark::setE, Mark::setF, Mark::setG, Mark::setH};
  constexpr double kApart = 0.07, kOfUpperLayer = 0.1;
  for (const Vision& v : kVisions)
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < a; ++b) {
        EXPECT_GT(oklabDistance(v, sets[a], sets[b]), a < 4 ? kApart : kOfUpperLayer)
            << lookOf(sets[a]).name << " and " << lookOf(sets[b]).name << ", " << v.name;
        EXPECT_EQ(lookOf(sets[a]).dash > 0, a >= 4);
      }
  // To the backgrounds: orange, as it is published, is the faintest on the light one.
  constexpr float kOnDark = 3, kOnLight = 2.15f;
  for (const Mark set : sets) {
    const Rgb colour = colourOfMark(set);
    EXPECT_GE(contrastOf(colour, backgroundColour(true)), kOnDark) << lookOf(set).name;
    EXPECT_GE(contrastOf(colour, backgroundColour(false)), kOnLight) << lookOf(set).name;
  }
  EXPECT_LT(oklabDistance(kVisions[1], Mark::overlap, Mark::rejected), kApart) << "both are orange";
}

// A picked particle's cells are shown among those of sets, none of which they are: by colour alone,
// for all kinds of colour vision, and in solid lines beside the dashed ones of the upper layer.
TEST_F(ColourVision, CellsOfAPickedParticleAreNoSets) {
  constexpr double kApart = 0.1;
  constexpr float kContrast = 3;
  for (const Mark mark : {Mark::ownCell, Mark::searched}) {
    for (const Vision& v : kVisions) {
      for (const Mark set : {Mark::setA, Mark::setB, Mark::setC, Mark::setD})
        EXPECT_GT(oklabDistance(v, mark, set), kApart)
            << lookOf(mark).name << " and " << lookOf(set).name << ", " << v.name;
      EXPECT_GT(oklabDistance(v, Mark::ownCell, Mark::searched), kApart) << v.name;
    }
    EXPECT_EQ(lookOf(mark).dash, 0);
    EXPECT_EQ(lookOf(mark).hatching, Hatching::none);
    for (const bool dark : {true, false})
      EXPECT_GE(contrastOf(colourOfMark(mark), backgroundColour(dark)), kContrast)
          << lookOf(mark).name << (dark ? " on dark" : " on light");
  }
}

// Nodes of trees, partners, cells and grids, as far as they stand side by side in one layer: by
// colour, or else by dashes, width, shape or hatching.
TEST_F(ColourVision, MarksOfOtherLayersStayApart) {
  const std::vector<Mark> groups[] = {{Mark::opened, Mark::pruned, Mark::leaf, Mark::query},
                                      {Mark::opened, Mark::pruned, Mark::leaf, Mark::skipped},
                                      {Mark::inCutoff, Mark::inBuffer, Mark::tooFar, Mark::missing,
                                       Mark::wronglyListed, Mark::needless},
                                      {Mark::missing, Mark::oneSided, Mark::twice, Mark::needless,
                                       Mark::selfPair, Mark::wrongImage},
                                      {Mark::inFlight, Mark::waits},
                                      {Mark::shifted, Mark::gridBefore, Mark::gridAfter}};
  constexpr double kApart = 0.07;
  for (const Vision& v : kVisions)
    for (const std::vector<Mark>& marks : groups)
      for (const Mark a : marks)
        for (const Mark b : marks) {
          if (a >= b) continue;
          const MarkLook &la = lookOf(a), &lb = lookOf(b);
          const bool shaped = la.shape != lb.shape || (la.dash > 0) != (lb.dash > 0) ||
                              (la.head > 0) != (lb.head > 0) || la.hatching != lb.hatching ||
                              (la.hollow > 0) != (lb.hollow > 0) ||
                              std::max(la.width, lb.width) >= 1.5f * std::min(la.width, lb.width);
          const bool coloured = la.role == ColourRole::own && lb.role == ColourRole::own &&
                                oklabDistance(v, a, b) > kApart;
          EXPECT_TRUE(shaped || coloured ||
                      (la.role == ColourRole::ink) != (lb.role == ColourRole::ink))
              << la.name << " and " << lb.name << ", " << v.name;
        }
  for (const std::vector<Mark>& marks : groups)
    for (const Mark mark : marks)
      if (lookOf(mark).role == ColourRole::own)
        for (const Vision& v : kVisions) {
          const double light = lightnessOf(v, lookOf(mark).rgb);
          EXPECT_GT(light, 25) << lookOf(mark).name << " on dark, " << v.name;
          EXPECT_LT(light, 85) << lookOf(mark).name << " on light, " << v.name;
        }
}

// The measure itself: marks of one shape that differ in hue alone do not pass it.
TEST_F(ColourVision, HueAloneIsNotEnough) {
  const auto thing = look(kVisions[2], Primitive::points, Mark::moved, true);
  EXPECT_LT(otherShape(thing, thing), kOtherShape);
  constexpr std::uint32_t kGreen = 0x009e73, kOrange = 0xcc7100;
  EXPECT_LT(std::abs(lightnessOf(kVisions[2], kGreen) - lightnessOf(kVisions[2], kOrange)),
            kOtherLight);
}

// Known results: greys stay, and red and green of equal lightness meet for deuteranopes.
TEST_F(ColourVision, SimulationKeepsGreysAndMixesRedAndGreen) {
  for (const Vision& v : kVisions)
    for (const int grey : {0, 60, 128, 255}) {
      const auto g = static_cast<std::uint8_t>(grey);
      const std::uint8_t rgb[] = {g, g, g};
      for (const double c : seen(v, rgb)) EXPECT_NEAR(255 * encoded(c), grey, 0.6) << v.name;
    }
  const std::uint8_t red[] = {200, 60, 60}, green[] = {95, 130, 60};
  const auto apart = [&](const Vision& v) {
    const auto a = seen(v, red), b = seen(v, green);
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
  };
  EXPECT_LT(apart(kVisions[2]), 0.5 * apart(kVisions[0]));
}

}  // namespace
}  // namespace cellscope::render
