// Pictures of batch runs show what the scenario says, as the window does.
#include "app/cli/batch_run.h"

#include <gtest/gtest.h>

#include <cstring>

#include "app/common/inside.h"

namespace cellscope {
namespace {

Scenario scenarioOf(const std::string& mode, const std::string& parameters,
                    const std::string& view) {
  return parseScenario("mode = \"" + mode + "\"\ntitle = \"t\"\ntext = \"t\"\n[parameters]\n" +
                           parameters + "[view]\n" + view,
                       "t.toml");
}
Scenario argon(const std::string& view, const std::string& parameters = "n = 300\n") {
  return scenarioOf("md", parameters, view);
}

const ExecConfig kOnCpu{Backend::cpu, 2, 0};

// A square picture, and what is said of it.
struct Painted {
  Painted(Session& session, int side, bool legend = false) {
    image = cli::PicturePainter({side, side, legend}).draw(session, notes);
  }
  Painted(Session&& session, int side, bool legend = false) : Painted(session, side, legend) {}
  std::vector<std::string> notes;
  render::Image image;
};

render::Image pictureOf(const Scenario& scenario) {
  const Painted painted(Session(scenario, kOnCpu), 160);
  EXPECT_TRUE(painted.notes.empty()) << painted.notes.front();
  return painted.image;
}

// As the window draws, with its state after opening the scenario.
render::Image asInTheWindow(const Scenario& scenario) {
  Session session(scenario, kOnCpu);
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::copy, Backend::cpu);
  const ModeInfo& mode = session.mode().info();
  const InsideState& state = scenario.inside;
  const common::LayerLooks looks = common::withSelectedLevels({}, state, mode);
  const auto frame = session.mode().frame(
      {layersOf(scenario, mode), scenario.colouring, scenario.picked, false, looks});
  renderer.upload(*frame);
  const render::Camera camera = render::Camera::fit(
      frame->box, {0, 0, 160, 160}, scenario.cameraYaw, scenario.cameraPitch, state.orthographic);
  common::applyLooks(renderer, looks, mode);
  common::applyRanges(renderer, *frame, scenario.colourRanges);
  const render::Style style{.quiet = !scenario.keepColours,
                            .inside = common::insideView(state, camera, *frame)};
  return render::renderImage(renderer, camera, style, 160, 160);
}

// Share of the pixels.
double differing(const render::Image& a, const render::Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgb.size(); i += 3)
    count += a.rgb[i] != b.rgb[i] || a.rgb[i + 1] != b.rgb[i + 1] || a.rgb[i + 2] != b.rgb[i + 2];
  return static_cast<double>(3 * count) / static_cast<double>(a.rgb.size());
}

// Each of them changes the picture, and as it changes that of the window.
TEST(Picture, HonoursWhatTheViewEmphasises) {
  const std::string cells = "layers = [\"particles\", \"cells\"]\n",
                    tree = "layers = [\"particles\", \"tree\"]\n",
                    speed = "colouring = \"speed\"\n", few = "n = 300\n",
                    inCells = "n = 1000\nmethod = \"cells\"\n",
                    inTree = "n = 300\nmethod = \"tree\"\n";
  const struct {
    std::string parameters, view, key;
    double least = 0.02;  // share of the pixels
  } views[] = {
      {few, "", "slices = [\"x at=0.5\"]\n", 0.05},
      {few, "", "slices = [\"view at=0.4 thickness=2\"]\n", 0.05},
      {few, "", "projection = \"orthographic\"\n", 0.05},
      {few, speed + "picked = 0\n", "selection = \"near radius=2\"\nrest = \"hidden\"\n"},
      {inCells, speed + cells, "selection = \"cells axis=x layer=1\"\nrest = \"hidden\"\n"},
      {inCells, speed + cells, "keep_colours = true\n"},
      {inTree, tree, "selection = \"levels from=0 to=1\"\n"},
      {few, "", "depth_cue = 0\n"},
      {few, speed, "colour_ranges = [\"0..0.5 particles/speed\"]\n"}};
  for (const auto& [parameters, view, key, least] : views) {
    const Scenario scenario = argon(view + key, parameters);
    const render::Image image = pictureOf(scenario);
    EXPECT_GT(differing(image, pictureOf(argon(view, parameters))), least) << key;
    EXPECT_EQ(image.rgb, asInTheWindow(scenario).rgb) << key;
  }
  EXPECT_EQ(pictureOf(argon("")).rgb, asInTheWindow(argon("")).rgb);
}

TEST(Picture, SaysWhatOfTheViewIsNotThere) {
  const auto notesOf = [](const std::string& view) {
    return Painted(Session(argon(view), kOnCpu), 64).notes;
  };
  EXPECT_TRUE(notesOf("").empty());
  for (const char* view : {"selection = \"near\"", "selection = \"cells layer=1\"",
                           "colour_ranges = [\"0..1 particles/Nothing\"]"}) {
    const std::vector<std::string> notes = notesOf(view);
    ASSERT_EQ(notes.size(), 1u) << view;
    EXPECT_NE(notes.front().find("view."), std::string::npos) << notes.front();
  }
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

// The legend of a picture names the types that are in it, as that of the window does.
TEST(Picture, LegendsLeaveOutTypesThatAreHidden) {
  const auto picture = [](const std::string& types, bool legend) {
    const Scenario scenario = argon("layers = [\"particles" + types + "\"]\ncolouring = \"type\"\n",
                                    "n = 300\nsystem = \"binary\"\n");
    return Painted(Session(scenario, kOnCpu), 300, legend);
  };
  const std::vector<std::string> notes = picture("", true).notes;
  const std::string why = notes.empty() ? "" : notes.front();
  if (why.find("typeface") != std::string::npos) GTEST_SKIP() << why;
  EXPECT_EQ(why, "");
  // Rows that the legend covers: one less.
  const auto rows = [&](const std::string& types) {
    const render::Image with = picture(types, true).image, without = picture(types, false).image;
    constexpr std::size_t kRow = 3 * 300;
    int count = 0;
    for (std::size_t at = 0; at < 300 * kRow; at += kRow)
      count += std::memcmp(&with.rgb[at], &without.rgb[at], kRow) != 0;
    return count;
  };
  const int both = rows(""), one = rows(" types=B"), step = both - one;
  EXPECT_GE(step, 12) << "the line of A";
  EXPECT_LE(step, 30);
}

// --- Layers that tell of a step. ---

Scenario moves(const std::string& layers) {
  return scenarioOf("gcmc",
                    "dimension = \"2\"\nlength = 16.0\ndensity = 0.45\nmoves_per_step = 1\n"
                    "method = \"cells\"\n",
                    "layers = " + layers);
}

TEST(Picture, FollowsTheStepThatItsLayersTellOf) {
  const auto notesAndImage = [](const std::string& layers, bool followed) {
    Session session(moves(layers), kOnCpu);
    session.advance(4);
    if (followed)
      cli::makePicturedStep(session);
    else
      session.advance(1);
    EXPECT_EQ(session.step(), 5u);
    return Painted(session, 160);
  };
  const std::string both = "[\"particles\", \"microscope\", \"mapping\"]";
  const auto [none, plain] = notesAndImage("[\"particles\"]", true);
  const auto [missing, without] = notesAndImage(both, false);
  const auto [nothing, with] = notesAndImage(both, true);
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(nothing.empty()) << nothing.front();
  EXPECT_GT(differing(with, plain), 0.05) << "nine cells around the move";
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_NE(missing[0].find("'mapping'"), std::string::npos) << missing[0];
  EXPECT_NE(missing[1].find("'microscope'"), std::string::npos) << missing[1];
}

TEST(Picture, DoesNotChangeTheRun) {
  for (const char* layers : {"[\"particles\"]", "[\"particles\", \"microscope\", \"mapping\"]"}) {
    const Scenario scenario = moves(layers);
    Session plain(scenario, kOnCpu), pictured(scenario, kOnCpu);
    plain.advance(40);
    for (int k = 0; k < 10; ++k) pictured.advance(3), cli::makePicturedStep(pictured);
    EXPECT_EQ(pictured.checkpoint(), plain.checkpoint()) << layers;
  }
}

// What flashes while steps come one by one, and what is shown of a particle that nobody picked, is
// not missed.
TEST(Picture, AsksForNoMoreThanTheScenario) {
  Session session(moves("[\"particles\", \"moves\", \"reach\"]"), kOnCpu);
  cli::makePicturedStep(session);
  const Painted painted(session, 64);
  EXPECT_TRUE(painted.notes.empty()) << painted.notes.front();
}

}  // namespace
}  // namespace cellscope
