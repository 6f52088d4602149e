// Pictures of batch runs show what the scenario says, as the window does.
#include "app/cli/picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/common/inside.h"

namespace cellscope {
namespace {

Scenario argon(const std::string& view) {
  return parseScenario(
      "mode = \"md\"\ntitle = \"t\"\ntext = \"t\"\n[parameters]\nn = 300\n[view]\n" + view,
      "t.toml");
}

render::Image pictureOf(const Scenario& scenario) {
  Session session(scenario, ExecConfig{Backend::cpu, 2, 0});
  cli::PictureOptions options;
  options.width = options.height = 160;
  std::string missing;
  return cli::PicturePainter(options).draw(session, missing);
}

// As the window draws, with its state after opening the scenario.
render::Image asInTheWindow(const Scenario& scenario) {
  Session session(scenario, ExecConfig{Backend::cpu, 2, 0});
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::copy, Backend::cpu);
  const auto frame = session.mode().frame({layersOf(scenario, session.mode().info()), "", -1});
  renderer.upload(*frame);
  render::Camera camera = render::Camera::fit(frame->box, {0, 0, 160, 160});
  camera.yaw = scenario.cameraYaw;
  camera.pitch = scenario.cameraPitch;
  const common::InsideState state = common::insideOf(scenario);
  camera.orthographic = state.orthographic;
  render::Style style;
  style.quiet = true;
  style.inside = common::insideView(state, camera, *frame);
  return render::renderImage(renderer, camera, style, 160, 160);
}

TEST(Picture, ShowsSlicesAndTheProjection) {
  const render::Image whole = pictureOf(argon(""));
  for (const char* view : {"slices = [\"x at=0.5\"]", "slices = [\"view at=0.4 thickness=2\"]",
                           "projection = \"orthographic\""}) {
    const Scenario scenario = argon(view);
    const render::Image image = pictureOf(scenario);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
      differing += image.rgb[i] != whole.rgb[i] || image.rgb[i + 1] != whole.rgb[i + 1];
    EXPECT_GT(differing, image.rgb.size() / 3 / 20) << view;
    EXPECT_EQ(image.rgb, asInTheWindow(scenario).rgb) << view;
  }
  EXPECT_EQ(whole.rgb, asInTheWindow(argon("")).rgb);
}

// Lines to the neighbours of the picked particle would vanish among coloured spheres.
TEST(Picture, APickedParticleDimsTheOthers) {
  const auto picture = [](const std::string& picked) {
    return pictureOf(
        argon("layers = [\"particles\", \"neighbours\"]\ncolouring = \"speed\"\n" + picked));
  };
  const auto coloured = [](const render::Image& image) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      const auto [least, most] = std::minmax({image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]});
      sum += most - least > 60;
    }
    return sum;
  };
  const std::size_t all = coloured(picture("")), beside = coloured(picture("picked = 0"));
  EXPECT_GT(all, 3000u);
  EXPECT_LT(beside, all / 3);
  EXPECT_GT(beside, 100u) << "the lines, which no sphere hides";
}

}  // namespace
}  // namespace cellscope
