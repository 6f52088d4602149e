// Scenario files: read back what was written, and name file, line and key of what is wrong.
#include "sim/run/scenario.h"

#include <gtest/gtest.h>

#include <string>

#include "test_paths.h"
#include "tests/support/fake_mode.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

Scenario parse(const std::string& text) {
  return parseScenario(text, "folder/try.toml", test::fakeModes);
}

std::string errorOf(const std::string& text) {
  return test::messageOf<InputError>([&] { parse(text); });
}

TEST(Scenario, ReadsEverything) {
  const Scenario s = parse(R"(
title = "Walk"
lesson = "Walks spread."
level = "course"
topic = "diffusion"
text = """Two lines
of text."""
order = 3
mode = "fake"
configuration = "start.xyz"
[parameters]
n = 8
size = 0.25
broken = true
shape = "square"
diameter = 1      # an integer where a real is wanted
[run]
sample_every = 7
speed_limit = 60
paused = true
promote = { key = "size", from = 0.1, to = 0.2 }
watch = "mean_x"
beside = ["shape", "n"]
[view]
layers = ["walkers", "cells"]
colouring = "height"
plots = ["means"]
zoom = 2.5
centre = [0.25, 0.75]
)");
  EXPECT_EQ(s.name, "try");
  EXPECT_EQ(s.title, "Walk");
  EXPECT_EQ(s.text, "Two lines\nof text.");
  EXPECT_EQ(s.order, 3);
  ASSERT_EQ(s.parameters.size(), 5u);
  EXPECT_EQ(s.parameters[0].first, "n");  // order of the file
  EXPECT_EQ(std::get<std::int64_t>(s.parameters[0].second), 8);
  EXPECT_EQ(std::get<std::string>(s.parameters[3].second), "square");
  EXPECT_EQ(s.sampleEvery, 7u);
  EXPECT_EQ(s.speedLimit, 60);
  EXPECT_EQ(s.lesson, "Walks spread.");
  EXPECT_EQ(s.level, "course");
  EXPECT_EQ(s.topic, "diffusion");
  EXPECT_TRUE(s.paused);
  EXPECT_EQ(s.promote, (Promoted{"size", 0.1, 0.2}));
  EXPECT_EQ(s.watch, "mean_x");
  EXPECT_EQ(s.beside, (std::vector<std::string>{"shape", "n"}));
  EXPECT_EQ(s.layers, (std::vector<std::string>{"walkers", "cells"}));
  EXPECT_EQ(s.colouring, "height");
  EXPECT_EQ(s.cameraZoom, 2.5);
  EXPECT_EQ(s.cameraCentre[1], 0.75);
  EXPECT_NE(s.configuration.find("/folder/start.xyz"), std::string::npos);
}

TEST(Scenario, WholeNumbersMayBeWrittenAsReals) {
  const Scenario s =
      parse("mode = \"fake\"\norder = 2e1\n[parameters]\nn = 1e3\n[run]\nsample_every = 20.0\n");
  EXPECT_EQ(s.order, 20);
  EXPECT_EQ(std::get<std::int64_t>(s.parameters.at(0).second), 1000);
  EXPECT_EQ(s.sampleEvery, 20u);
}

TEST(Scenario, TextReadsBackExactly) {
  Scenario s = parse("mode = \"fake\"\n[parameters]\nsize = 0.1\nn = 5\nbroken = true\n");
  s.text = "quotes \" and \\ and\nlines\tand tabs";
  s.parameters[0].second = 0.1 + 0.2;          // needs all 17 digits
  s.parameters.emplace_back("diameter", 1.0);  // must stay a real number
  s.cameraZoom = 1.0 / 3;
  s.paused = true;
  s.promote = {"size", 0.01, 0.3};
  s.watch = "mean_x";
  s.beside = {"shape", "n"};
  s.lesson = "one";
  s.level = "advanced";
  const Scenario again = parse(scenarioText(s));
  EXPECT_EQ(again.text, s.text);
  EXPECT_EQ(again.parameters, s.parameters);
  EXPECT_EQ(again.cameraZoom, s.cameraZoom);
  EXPECT_EQ(scenarioText(again), scenarioText(s));
}

TEST(Scenario, OnlyScenesOfThreeDimensionsTurn) {
  const std::string view = "[view]\nyaw = 10\npitch = -5\n";
  const Scenario s = parseScenario("mode = \"md\"\n" + view, "deep.toml", makeMode);
  EXPECT_EQ(s.cameraYaw, 10);
  const Scenario again = parseScenario(scenarioText(s), "again.toml", makeMode);
  EXPECT_EQ(again.cameraYaw, 10);
  EXPECT_EQ(again.cameraPitch, -5);
}

TEST(Scenario, AToolOfTheHandIsOfferedByName) {
  const std::string text = "mode = \"fake\"\n[run]\ntool = ";
  const Scenario s = parseScenario(text + "\"grab\"\n", "try.toml", test::fakeModes);
  EXPECT_EQ(parseScenario(scenarioText(s), "again.toml", test::fakeModes).tool, "grab");
}

TEST(Scenario, WhatIsEmphasisedReadsBack) {
  for (const char* selection : {"near radius=2.5", "type number=1", "cells axis=y layer=3",
                                "block number=7", "levels from=1 to=4"}) {
    Scenario s = parseScenario("mode = \"md\"\n[view]\nselection = \"" + std::string(selection) +
                                   "\"\nrest = \"hidden\"\ndepth_cue = 0.4\nkeep_colours = true\n"
                                   "colour_ranges = [\"-3.5..1.25 particles/potential energy\"]\n"
                                   "plots = [\"energy\", \"g_r\"]\nopen_plots = [\"g_r\"]\n"
                                   "large_plot = \"energy\"\n",
                               "look.toml", makeMode);
    EXPECT_TRUE(s.inside.hideRest);
    EXPECT_EQ(s.colourRanges.at("particles/potential energy"), (ColourRange{-3.5, 1.25}));
    const Scenario again = parseScenario(scenarioText(s), "again.toml", makeMode);
    EXPECT_EQ(again.inside, s.inside) << selection;
    EXPECT_NE(again.inside.selection, Selection::all);
    EXPECT_EQ(again.inside.depthCue, 0.4);
    EXPECT_TRUE(again.keepColours);
    EXPECT_EQ(again.colourRanges, s.colourRanges);
    EXPECT_EQ(again.openPlots, std::vector<std::string>{"g_r"});
    EXPECT_EQ(again.largePlot, "energy");
  }
}

// Where the dimension is a parameter, it decides.
TEST(Scenario, AParameterMayMakeASceneAPlane) {
  const std::string head = "mode = \"md\"\n[parameters]\ndimension = \"2\"\n[view]\n";
  for (const char* line :
       {"yaw = 10", "pitch = 5", "projection = \"orthographic\"", "slices = [\"x at=0.25\"]"}) {
    const std::string said = test::messageOf<InputError>(
        [&] { parseScenario(head + line + "\n", "try.toml", makeMode); });
    EXPECT_NE(said.find("try.toml:5: view."), std::string::npos) << said;
    EXPECT_NE(said.find("this one has two"), std::string::npos) << said;
  }
  EXPECT_NO_THROW(parseScenario(head + "zoom = 2\n", "try.toml", makeMode));
  // A scene of three dimensions made a plane on the command line is written as a plane.
  Scenario s = parseScenario("mode = \"md\"\n[view]\nyaw = 10\n", "deep.toml", makeMode);
  s.parameters.emplace_back("dimension", std::string("2"));
  EXPECT_NO_THROW(parseScenario(scenarioText(s), "again.toml", makeMode)) << scenarioText(s);
}

TEST(Scenario, SlicesAndProjectionOfAScene) {
  const std::string head = "mode = \"md\"\n[view]\n";
  const auto deep = [&](const std::string& line) {
    return parseScenario(head + line + "\n", "deep.toml", makeMode);
  };
  const Scenario s =
      deep("slices = [\"x at=0.25\", \"view thickness=2\"]\nprojection = \"orthographic\"");
  EXPECT_TRUE(s.inside.orthographic);
  EXPECT_EQ(s.inside.planes[0], (SlicePlane{true, 0.25, 2, true}));
  EXPECT_EQ(s.inside.planes[kViewPlane], (SlicePlane{true, 0.5, 2, false}));
  const Scenario again = parseScenario(scenarioText(s), "again.toml", makeMode);
  EXPECT_EQ(again.inside, s.inside);
  for (const char* wrong : {"slices = [\"w\"]", "slices = [\"x at=2\"]", "slices = [\"x at\"]",
                            "slices = [\"x thickness=0\"]", "slices = [\"x wide=1\"]",
                            "slices = [\"x\", \"x at=0.1\"]", "projection = \"flat\""}) {
    const std::string message = test::messageOf<InputError>([&] { deep(wrong); });
    EXPECT_EQ(message.rfind("deep.toml:3: view.", 0), 0u) << wrong << ": " << message;
  }
}

// In the third line, behind that of the mode and that of the table.
TEST(Scenario, ErrorsOfTablesNameFileLineKeyAndRange) {
  struct Case {
    std::string table, line;
    std::vector<std::string> wanted;
  };
  const std::vector<Case> cases = {
      {"parameters", "n = 2.5", {"n", "2.5", "whole number 1 to 100000"}},
      {"parameters", "n = \"many\"", {"many", "whole number"}},
      {"parameters", "size = nan", {"size", "nan", "0.001 to 0.5"}},
      {"parameters", "size = inf", {"size", "inf"}},
      {"parameters", "shape = \"oval\"", {"shape", "oval", "round, square"}},
      {"parameters", "broken = 1", {"broken", "true or false"}},
      {"parameters", "n = [1]", {"n", "a list"}},
      {"run", "sample_every = 0", {"run.sample_every", "0", "1 to"}},
      {"run", "sample_every = 1.5", {"run.sample_every", "1.5", "whole number 1"}},
      {"run", "sample_evry = 3", {"sample_evry", "did you mean 'sample_every'"}},
      {"run", "paused = 1", {"run.paused", "1", "true, false"}},
      {"run", "watch = \"mean_\"", {"run.watch", "did you mean 'mean_x'"}},
      {"run", "promote = \"sizes\"", {"run.promote", "did you mean 'size'"}},
      {"run",
       "promote = { key = \"shape\", from = 1 }",
       {"run.promote.from", "'shape' is a choice"}},
      {"run", "promote = { key = \"broken\", to = 1 }", {"run.promote.to", "'broken' is a switch"}},
      {"run", "beside = [\"shap\"]", {"run.beside", "shap", "did you mean 'shape'"}},
      {"run", "promote = 3", {"run.promote", "key = "}},
      {"run", "promote = { from = 0.1 }", {"run.promote", "'key' is missing"}},
      {"run",
       "promote = { key = \"size\", from = 0.1, to = 9 }",
       {"run.promote.to", "9", "0.001 to 0.5"}},
      {"run",
       "promote = { key = \"size\", from = 0.3, to = 0.2 }",
       {"run.promote", "from = 0.3", "to = 0.2"}},
      {"run",
       "promote = { key = \"size\", form = 0.3 }",
       {"run.promote.form", "did you mean 'from'"}},
      {"view", "slices = [\"x\"]", {"view.slices", "three dimensions"}},
      {"view", "projection = \"orthographic\"", {"view.projection", "three dimensions"}},
      {"view", "layers = [\"walkers\", \"cell\"]", {"view.layers", "cell", "did you mean 'cells'"}},
      {"view", "layers = [\"+cell\"]", {"'+cell'", "did you mean '+cells'"}},
      {"view", "layers = [\"+cells\", \"walkers\"]", {"have a sign"}},
      {"view", "layers = [\"+cells\", \"-cells\"]", {"both added and removed"}},
      {"view", "layers = \"cells\"", {"view.layers", "square brackets"}},
      {"view", "colouring = \"heigth\"", {"view.colouring", "did you mean 'height'"}},
      {"view", "plots = [\"meens\"]", {"view.plots", "did you mean 'means'", "allowed: means"}},
      {"view", "layers = [\"cells\", \"cells\"]", {"'cells' is named twice"}},
      {"parameters", "size = \"0.1\"", {"'0.1' is not a number"}},
      {"view", "centre = [0.5]", {"view.centre", "two numbers"}},
      {"view", "yaw = 10", {"view.yaw: "}},
      {"view", "pitch = 25", {"view.pitch: "}},
      {"run", "tool = \"spring\"", {"run.tool: "}},
      {"view", "zoom = -1", {"view.zoom", "-1", "0.01 to 10000"}},
      {"view", "selection = \"nearest\"", {"view.", "nearest"}},
      {"view", "selection = \"near radius=-1\"", {"view.", "radius=0.1 to 1000"}},
      {"view", "selection = \"cells axis=w\"", {"view.", "axis=x, y or z"}},
      {"view", "selection = \"type radius=1\"", {"view.", "allowed: number="}},
      {"view", "selection = \"levels from=4 to=1\"", {"view.", "above"}},
      {"view", "rest = \"grey\"", {"view.", "dimmed, hidden"}},
      {"view", "depth_cue = 2", {"view.", "0 to 1"}},
      {"view", "colour_ranges = [\"3..1 a/b\"]", {"view.", "LOWEST..HIGHEST"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line);
    const std::string message = errorOf("mode = \"fake\"\n[" + c.table + "]\n" + c.line + "\n");
    EXPECT_EQ(message.rfind("folder/try.toml:3:", 0), 0u) << message;
    for (const std::string& w : c.wanted)
      EXPECT_NE(message.find(w), std::string::npos) << "wanted: " << w << "\ngot: " << message;
  }
}

TEST(Scenario, ErrorsNameFileLineKeyAndRange) {
  const std::string head = "mode = \"fake\"\n";
  struct Case {
    std::string text;
    std::vector<std::string> wanted;
  };
  const std::vector<Case> cases = {
      {head + "[parameters]\nsize = 0.9\n",
       {"folder/try.toml:3:", "parameters.size", "0.9", "0.001 to 0.5 sigma"}},
      {head + "[parameters]\n\nsizes = 0.1\n", {":4:", "sizes", "did you mean 'size'"}},
      {head + "tilte = \"x\"\n", {":2:", "tilte", "did you mean 'title'"}},
      {head + "title = 5\n", {":2:", "title", "5", "quotes"}},
      {head + "level = \"hard\"\n", {":2:", "level", "first look, course, advanced"}},
      {"title = \"no mode\"\n", {":1:", "mode: is missing; write"}},
      {"", {":1:", "mode: is missing"}},
      {head + "view = 3\n", {":2:", "view", "[view]"}},
      {"\nmode = \"fak\"\n", {":2:", "mode", "fak", "known: fake"}},
      {head + "[parameters\n", {":2:", "toml.io"}},
      {head + "[parameters]\nn = 1\nn = 2\n", {":4:"}},
  };
  for (const Case& c : cases) {
    const std::string message = errorOf(c.text);
    EXPECT_EQ(message.rfind("folder/try.toml:", 0), 0u) << message;
    for (const std::string& w : c.wanted)
      EXPECT_NE(message.find(w), std::string::npos) << "wanted: " << w << "\ngot: " << message;
  }
}

TEST(Scenario, UnknownNamesSuggestTheNearest) {
  const std::string said = test::messageOf<InputError>(
      [] { findScenario("/no/such/file.toml", CELLSCOPE_TEST_DATA "/no-gallery"); });
  EXPECT_NE(said.find("no-gallery"), std::string::npos) << said;
}

TEST(Scenario, NamesLayersRelativeToTheDefault) {
  using Keys = std::vector<std::string>;
  const auto layersWith = [](const std::string& list) {
    return layersOf(parse("mode = \"fake\"\n[view]\nlayers = " + list + "\n"),
                    test::FakeMode::describe());
  };
  EXPECT_EQ(layersWith("[]"), Keys{"walkers"});
  EXPECT_EQ(layersWith("[\"+cells\"]"), (Keys{"walkers", "cells"}));
  EXPECT_EQ(layersWith("[\"-walkers\", \"+cells\"]"), Keys{"cells"});
  EXPECT_EQ(layersWith("[\"cells\"]"), Keys{"cells"});
  const Scenario s = parse("mode = \"fake\"\n[view]\nlayers = [\"+cells\"]\n");
  EXPECT_EQ(parse(scenarioText(s)).layers, s.layers);
}

std::string text(const std::string& picked) {
  return "title = \"t\"\nmode = \"md\"\n[view]\npicked = " + picked + "\n";
}

TEST(ScenarioPicked, IsReadAndWritten) {
  const Scenario s = parseScenario(text("12"), "a.toml");
  EXPECT_EQ(s.picked, 12);
  EXPECT_EQ(parseScenario(scenarioText(s), "b.toml").picked, 12);
  EXPECT_EQ(parseScenario("title = \"t\"\nmode = \"md\"\n", "c.toml").picked, -1);
}

TEST(ScenarioPicked, IsNoNegativeNumber) {
  const std::string said = test::messageOf<InputError>([] { parseScenario(text("-3"), "a.toml"); });
  EXPECT_NE(said.find("picked"), std::string::npos) << said;
}

}  // namespace
}  // namespace cellscope
