// Pictures compared with stored ones by mean absolute difference. CELLSCOPE_WRITE_GOLDEN=1 stores
// what is drawn now (look at it before committing it); CELLSCOPE_GOLDEN_OUT=folder keeps what was
// drawn beside a failure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "render/font_atlas.h"
#include "scenes.h"
#include "test_paths.h"
#include "tests/support/pictures.h"

namespace cellscope::render {
namespace {

using namespace test;

// Grey levels of 255. Drivers differ by roundings at edges; a wrong colour map, a shift by two
// pixels or a missing layer costs more (Golden.MistakesAreSeen).
constexpr double kTolerance = 0.6;
constexpr int kWidth = 320, kHeight = 240;

double meanDifference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 255;
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int{a.rgb[i]} - int{b.rgb[i]});
  return sum / static_cast<double>(a.rgb.size());
}

struct Scene {
  std::string name;
  Frame (*frame)();
  bool dark = true;
  double zoom = 1;
  float scale = 1;
  LayerLook look = {};  // of the particles
};

Frame allSets() { return checkerboardSets(8, -1, 1); }
Frame activeSet() { return checkerboardSets(8, 1, 1); }
Frame sphereColumn() { return spheres(7, {ColourKind::sequential, "z", "sigma", 0, 1}); }
Frame quarterMillion() { return manyDisks(500, 0.7f); }

const Scene kScenes[] = {{"hue_wheel", hueWheelDisks},
                         {"hue_wheel_near", hueWheelDisks, true, 5},
                         {"sets", allSets},
                         {"active_set", activeSet},
                         {"psi6", psi6Magnitude},
                         {"signed", signedValues},
                         {"spheres", sphereColumn},
                         {"boxes_in_space", spheresWithBoxes},
                         {"arrows", arrows},
                         {"rings", rings},
                         {"labels", labels},
                         {"light_labels", labels, false},
                         {"species", species},
                         {"one_species", species, true, 1, 1, {1, 0, 32767, 0b10}},
                         {"light_rings", rings, false},
                         {"density", quarterMillion},
                         {"light_hue_wheel", hueWheelDisks, false},
                         {"light_sets", allSets, false},
                         {"light_spheres", sphereColumn, false},
                         {"light_density", quarterMillion, false},
                         {"sets_double_scale", allSets, true, 2, 2}};

class Golden : public testing::Test {
 protected:
  Image draw(const Frame& frame, const Scene& scene, glm::dvec2 shift = {0, 0}) {
    renderer.upload(frame);
    renderer.setLook("particles", scene.look);
    const Viewport view{0, 0, kWidth, kHeight};
    Camera camera = Camera::fit(frame.box, view);
    camera.zoomAbout(view, {kWidth / 2.0, kHeight / 2.0}, scene.zoom);
    camera.pan(view, shift);
    return renderImage(renderer, camera, {.dark = scene.dark, .scale = scene.scale}, kWidth,
                       kHeight);
  }
  static std::string pathOf(const Scene& scene) {
    return fmt::format("{}/golden/{}.png", CELLSCOPE_TEST_DATA, scene.name);
  }
  static Scene find(const std::string& name) {
    for (const Scene& s : kScenes)
      if (s.name == name) return s;
    throw std::out_of_range(name);
  }

  OffscreenContext context;
  Renderer renderer{SinkChoice::automatic, Backend::cpu};
};

class GoldenPicture : public Golden, public testing::WithParamInterface<Scene> {};

TEST_P(GoldenPicture, IsDrawnAsStored) {
  const Scene& scene = GetParam();
  const Frame frame = scene.frame();
  const Image image = draw(frame, scene);
  const bool words = std::ranges::any_of(
      frame.layers, [](const LayerData& l) { return l.primitive == Primitive::labels; });
  if (words && numbersFontFile().empty()) GTEST_SKIP() << "JetBrains Mono is not installed";
  if (std::getenv("CELLSCOPE_WRITE_GOLDEN")) {
    cellscope::test::writePng(pathOf(scene), image, {{"Title", scene.name}});
    GTEST_SKIP() << "updated: " << pathOf(scene);
  }
  const double difference = meanDifference(image, cellscope::test::readPng(pathOf(scene)));
  const char* keep = std::getenv("CELLSCOPE_GOLDEN_OUT");
  if (keep) cellscope::test::writePng(std::string(keep) + "/" + scene.name + ".png", image, {});
  RecordProperty("difference", std::to_string(difference));
  EXPECT_LT(difference, kTolerance) << scene.name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenPicture, testing::ValuesIn(kScenes),
                         [](const auto& test) { return test.param.name; });

// The comparison must be able to fail: each mistake lies well beyond the tolerance.
TEST_F(Golden, MistakesAreSeen) {
  if (std::getenv("CELLSCOPE_WRITE_GOLDEN")) GTEST_SKIP() << "storing";
  const auto mistake = [&](const std::string& name, void (*spoil)(Frame&, Scene&),
                           glm::dvec2 shift = {0, 0}) {
    Scene scene = find(name);
    const Image stored = cellscope::test::readPng(pathOf(scene));
    Frame frame = scene.frame();
    if (spoil) spoil(frame, scene);
    EXPECT_GT(meanDifference(draw(frame, scene, shift), stored), 3 * kTolerance) << name;
  };
  mistake("hue_wheel", [](Frame& f, Scene&) { f.layers[0].scale.kind = ColourKind::sequential; });
  mistake("psi6", [](Frame& f, Scene&) { f.layers[0].scale.kind = ColourKind::diverging; });
  mistake("density", [](Frame& f, Scene&) { f.layers[0].scale.kind = ColourKind::plain; });
  mistake("sets", [](Frame& f, Scene&) { f.layers[1].scale.marks.clear(); });
  mistake("sets", [](Frame& f, Scene&) { f.layers.pop_back(); });
  mistake("active_set", [](Frame& f, Scene&) { f = checkerboardSets(8, 2, 1); });
  mistake("spheres", [](Frame& f, Scene&) { f.layers[0].count /= 2; });
  mistake("light_hue_wheel", [](Frame&, Scene& s) { s.dark = true; });
  for (const char* name : {"hue_wheel", "sets", "psi6", "spheres", "arrows"})
    mistake(name, nullptr, {2, 0});
  mistake("labels", [](Frame& f, Scene&) { f.layers.resize(2); });
}

}  // namespace
}  // namespace cellscope::render
