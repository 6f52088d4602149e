// Scenario files: read back what was written, and name file, line and key of what is wrong.
#include "sim/run/scenario.h"

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/support/fake_mode.h"

namespace cellscope {
namespace {

Scenario parse(const std::string& text) {
  return parseScenario(text, "folder/try.toml", test::fakeModes);
}

std::string errorOf(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Scenario, ReadsEverything) {
  const Scenario s = parse(R"(
title = "Walk"
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
[view]
layers = ["walkers", "cells"]
colouring = "height"
plots = ["means"]
zoom = 2.5
centre = [0.25, 0.75]
yaw = 10
pitch = -5
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
  EXPECT_EQ(s.layers, (std::vector<std::string>{"walkers", "cells"}));
  EXPECT_EQ(s.colouring, "height");
  EXPECT_EQ(s.cameraZoom, 2.5);
  EXPECT_EQ(s.cameraCentre[1], 0.75);
  EXPECT_EQ(s.cameraPitch, -5);
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
  const Scenario again = parse(scenarioText(s));
  EXPECT_EQ(again.text, s.text);
  EXPECT_EQ(again.parameters, s.parameters);
  EXPECT_EQ(again.cameraZoom, s.cameraZoom);
  EXPECT_EQ(scenarioText(again), scenarioText(s));
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
      {head + "[parameters]\nn = 2.5\n", {":3:", "n", "2.5", "whole number 1 to 100000"}},
      {head + "[parameters]\nn = \"many\"\n", {":3:", "many", "whole number"}},
      {head + "[parameters]\nsize = nan\n", {":3:", "size", "nan", "0.001 to 0.5"}},
      {head + "[parameters]\nsize = inf\n", {":3:", "size", "inf"}},
      {head + "[parameters]\nshape = \"oval\"\n", {":3:", "shape", "oval", "round, square"}},
      {head + "[parameters]\nbroken = 1\n", {":3:", "broken", "true or false"}},
      {head + "[parameters]\nn = [1]\n", {":3:", "n", "a list"}},
      {head + "tilte = \"x\"\n", {":2:", "tilte", "did you mean 'title'"}},
      {head + "title = 5\n", {":2:", "title", "5", "quotes"}},
      {head + "[run]\nsample_every = 0\n", {":3:", "run.sample_every", "0", "1 to"}},
      {head + "[run]\nsample_every = 1.5\n", {":3:", "run.sample_every", "1.5", "whole number 1"}},
      {head + "[run]\nsample_evry = 3\n", {":3:", "sample_evry", "did you mean 'sample_every'"}},
      {head + "[view]\nlayers = [\"walkers\", \"cell\"]\n",
       {":3:", "view.layers", "cell", "did you mean 'cells'"}},
      {head + "[view]\nlayers = [\"+cell\"]\n", {":3:", "'+cell'", "did you mean '+cells'"}},
      {head + "[view]\nlayers = [\"+cells\", \"walkers\"]\n", {":3:", "have a sign"}},
      {head + "[view]\nlayers = [\"+cells\", \"-cells\"]\n", {":3:", "both added and removed"}},
      {head + "[view]\nlayers = \"cells\"\n", {":3:", "view.layers", "square brackets"}},
      {head + "[view]\ncolouring = \"heigth\"\n",
       {":3:", "view.colouring", "did you mean 'height'"}},
      {head + "[view]\nplots = [\"meens\"]\n",
       {":3:", "view.plots", "did you mean 'means'", "allowed: means"}},
      {head + "[view]\nlayers = [\"cells\", \"cells\"]\n", {":3:", "'cells' is named twice"}},
      {head + "[parameters]\nsize = \"0.1\"\n", {":3:", "'0.1' is not a number"}},
      {"title = \"no mode\"\n", {":1:", "mode: is missing; write"}},
      {"", {":1:", "mode: is missing"}},
      {head + "[view]\ncentre = [0.5]\n", {":3:", "view.centre", "two numbers"}},
      {head + "[view]\nzoom = -1\n", {":3:", "view.zoom", "-1", "0.01 to 10000"}},
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
  try {
    findScenario("/no/such/file.toml", CELLSCOPE_TEST_DATA "/no-gallery");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("no-gallery"), std::string::npos);
  }
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

}  // namespace
}  // namespace cellscope
