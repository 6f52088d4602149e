// Scenario files: read back what was written, and name file, line and key of what is wrong.
#include "test_paths.h"
#include "tests/support/fake_mode.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

Scenario parse(const std::string& text) {
  return parseScenario(text, "folder/try.toml", fakeModes);
}

// That it is refused, with its file and these words.
void expectRefused(const std::string& text, const std::string& begin,
                   const std::vector<std::string>& words, const ModeFactory& modes) {
  SCOPED_TRACE(text);
  const std::string file = begin.substr(0, begin.find(':'));
  const std::string said = messageOf<InputError>([&] { parseScenario(text, file, modes); });
  EXPECT_EQ(said.rfind(begin, 0), 0u) << said;
  expectWords(said, words);
}

// As it is written.
Scenario again(const Scenario& s, const ModeFactory& modes = makeMode) {
  return parseScenario(scenarioText(s), "again.toml", modes);
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
tool = "grab"
[view]
layers = ["walkers", "cells"]
colouring = "height"
picked = 12
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
  EXPECT_EQ(s.tool, "grab");
  EXPECT_EQ(s.picked, 12);
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
  EXPECT_EQ(s.picked, -1);
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
  s.tool = "grab";
  s.picked = 12;
  const Scenario back = again(s, fakeModes);
  EXPECT_EQ(back.text, s.text);
  EXPECT_EQ(back.parameters, s.parameters);
  EXPECT_EQ(back.cameraZoom, s.cameraZoom);
  EXPECT_EQ(back.tool, "grab");
  EXPECT_EQ(back.picked, 12);
  EXPECT_EQ(scenarioText(back), scenarioText(s));
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
    const Scenario back = again(s);
    EXPECT_EQ(back.inside, s.inside) << selection;
    EXPECT_NE(back.inside.selection, Selection::all);
    EXPECT_EQ(back.inside.depthCue, 0.4);
    EXPECT_TRUE(back.keepColours);
    EXPECT_EQ(back.colourRanges, s.colourRanges);
    EXPECT_EQ(back.openPlots, std::vector<std::string>{"g_r"});
    EXPECT_EQ(back.largePlot, "energy");
  }
}

// Where the dimension is a parameter, it decides.
TEST(Scenario, AParameterMayMakeASceneAPlane) {
  const std::string head = "mode = \"md\"\n[parameters]\ndimension = \"2\"\n[view]\n";
  for (const char* line :
       {"yaw = 10", "pitch = 5", "projection = \"orthographic\"", "slices = [\"x at=0.25\"]"})
    expectRefused(head + line + "\n", "try.toml:5: view.", {"this one has two"}, makeMode);
  EXPECT_NO_THROW(parseScenario(head + "zoom = 2\n", "try.toml", makeMode));
  // A scene of three dimensions made a plane on the command line is written as a plane.
  Scenario s = parseScenario("mode = \"md\"\n[view]\nyaw = 10\n", "deep.toml", makeMode);
  s.parameters.emplace_back("dimension", std::string("2"));
  EXPECT_NO_THROW(again(s)) << scenarioText(s);
}

TEST(Scenario, SlicesProjectionAndTurnOfAScene) {
  const std::string head = "mode = \"md\"\n[view]\n";
  const Scenario s = parseScenario(
      head +
          "slices = [\"x at=0.25\", \"view thickness=2\"]\nprojection = \"orthographic\"\n"
          "yaw = 10\npitch = -5\n",
      "deep.toml", makeMode);
  EXPECT_EQ(s.cameraYaw, 10);
  EXPECT_EQ(again(s).cameraYaw, 10);
  EXPECT_EQ(again(s).cameraPitch, -5);
  EXPECT_TRUE(s.inside.orthographic);
  EXPECT_EQ(s.inside.planes[0], (SlicePlane{true, 0.25, 2, true}));
  EXPECT_EQ(s.inside.planes[kViewPlane], (SlicePlane{true, 0.5, 2, false}));
  EXPECT_EQ(again(s).inside, s.inside);
  for (const std::string wrong :
       {"slices = [\"w\"]", "slices = [\"x at=2\"]", "slices = [\"x at\"]",
        "slices = [\"x thickness=0\"]", "slices = [\"x wide=1\"]", "slices = [\"x\", \"x at=0.1\"]",
        "projection = \"flat\""}) {
    expectRefused(head + wrong + "\n", "deep.toml:3: view.", {}, makeMode);
  }
}

struct Refusal {
  std::string text;
  std::vector<std::string> words;
};

// In the third line, behind that of the mode and that of the table.
TEST(Scenario, ErrorsOfTablesNameFileLineKeyAndRange) {
  const std::vector<Refusal> refusals = {
      {"[parameters]\nn = 2.5", {"n", "2.5", "whole number 1 to 100000"}},
      {"[parameters]\nn = \"many\"", {"many", "whole number"}},
      {"[parameters]\nsize = nan", {"size", "nan", "0.001 to 0.5"}},
      {"[parameters]\nsize = inf", {"size", "inf"}},
      {"[parameters]\nshape = \"oval\"", {"shape", "oval", "round, square"}},
      {"[parameters]\nbroken = 1", {"broken", "true or false"}},
      {"[parameters]\nn = [1]", {"n", "a list"}},
      {"[run]\nsample_every = 0", {"run.sample_every", "0", "1 to"}},
      {"[run]\nsample_every = 1.5", {"run.sample_every", "1.5", "whole number 1"}},
      {"[run]\nsample_evry = 3", {"sample_evry", "did you mean 'sample_every'"}},
      {"[run]\npaused = 1", {"run.paused", "1", "true, false"}},
      {"[run]\nwatch = \"mean_\"", {"run.watch", "did you mean 'mean_x'"}},
      {"[run]\npromote = \"sizes\"", {"run.promote", "did you mean 'size'"}},
      {"[run]\npromote = { key = \"shape\", from = 1 }",
       {"run.promote.from", "'shape' is a choice"}},
      {"[run]\npromote = { key = \"broken\", to = 1 }", {"run.promote.to", "'broken' is a switch"}},
      {"[run]\nbeside = [\"shap\"]", {"run.beside", "shap", "did you mean 'shape'"}},
      {"[run]\npromote = 3", {"run.promote", "key = "}},
      {"[run]\npromote = { from = 0.1 }", {"run.promote", "'key' is missing"}},
      {"[run]\npromote = { key = \"size\", from = 0.1, to = 9 }",
       {"run.promote.to", "9", "0.001 to 0.5"}},
      {"[run]\npromote = { key = \"size\", from = 0.3, to = 0.2 }",
       {"run.promote", "from = 0.3", "to = 0.2"}},
      {"[run]\npromote = { key = \"size\", form = 0.3 }",
       {"run.promote.form", "did you mean 'from'"}},
      {"[view]\nslices = [\"x\"]", {"view.slices", "three dimensions"}},
      {"[view]\nprojection = \"orthographic\"", {"view.projection", "three dimensions"}},
      {"[view]\nlayers = [\"walkers\", \"cell\"]", {"view.layers", "cell", "did you mean 'cells'"}},
      {"[view]\nlayers = [\"+cell\"]", {"'+cell'", "did you mean '+cells'"}},
      {"[view]\nlayers = [\"+cells\", \"walkers\"]", {"have a sign"}},
      {"[view]\nlayers = [\"+cells\", \"-cells\"]", {"both added and removed"}},
      {"[view]\nlayers = \"cells\"", {"view.layers", "square brackets"}},
      {"[view]\ncolouring = \"heigth\"", {"view.colouring", "did you mean 'height'"}},
      {"[view]\nplots = [\"meens\"]", {"view.plots", "did you mean 'means'", "allowed: means"}},
      {"[view]\nlayers = [\"cells\", \"cells\"]", {"'cells' is named twice"}},
      {"[parameters]\nsize = \"0.1\"", {"'0.1' is not a number"}},
      {"[view]\ncentre = [0.5]", {"view.centre", "two numbers"}},
      {"[view]\nyaw = 10", {"view.yaw: "}},
      {"[view]\npitch = 25", {"view.pitch: "}},
      {"[run]\ntool = \"spring\"", {"run.tool: "}},
      {"[view]\npicked = -3", {"picked"}},
      {"[view]\nzoom = -1", {"view.zoom", "-1", "0.01 to 10000"}},
      {"[view]\nselection = \"nearest\"", {"view.", "nearest"}},
      {"[view]\nselection = \"near radius=-1\"", {"view.", "radius=0.1 to 1000"}},
      {"[view]\nselection = \"cells axis=w\"", {"view.", "axis=x, y or z"}},
      {"[view]\nselection = \"type radius=1\"", {"view.", "allowed: number="}},
      {"[view]\nselection = \"levels from=4 to=1\"", {"view.", "above"}},
      {"[view]\nrest = \"grey\"", {"view.", "dimmed, hidden"}},
      {"[view]\ndepth_cue = 2", {"view.", "0 to 1"}},
      {"[view]\ncolour_ranges = [\"3..1 a/b\"]", {"view.", "LOWEST..HIGHEST"}}};
  for (const Refusal& r : refusals)
    expectRefused("mode = \"fake\"\n" + r.text + "\n", "folder/try.toml:3:", r.words, fakeModes);
}

TEST(Scenario, ErrorsNameFileLineKeyAndRange) {
  const std::string head = "mode = \"fake\"\n";
  const std::vector<Refusal> refusals = {
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
      {head + "[parameters]\nn = 1\nn = 2\n", {":4:"}}};
  for (const Refusal& r : refusals) expectRefused(r.text, "folder/try.toml:", r.words, fakeModes);
}

TEST(Scenario, UnknownNamesSuggestTheNearest) {
  expectRefusal([] { findScenario("/no/such/file.toml", CELLSCOPE_TEST_DATA "/no-gallery"); },
                {"no-gallery"});
}

TEST(Scenario, NamesLayersRelativeToTheDefault) {
  using Keys = std::vector<std::string>;
  const auto layersWith = [](const std::string& list) {
    return layersOf(parse("mode = \"fake\"\n[view]\nlayers = " + list + "\n"),
                    FakeMode::describe());
  };
  EXPECT_EQ(layersWith("[]"), Keys{"walkers"});
  EXPECT_EQ(layersWith("[\"+cells\"]"), (Keys{"walkers", "cells"}));
  EXPECT_EQ(layersWith("[\"-walkers\", \"+cells\"]"), Keys{"cells"});
  EXPECT_EQ(layersWith("[\"cells\"]"), Keys{"cells"});
  const Scenario s = parse("mode = \"fake\"\n[view]\nlayers = [\"+cells\"]\n");
  EXPECT_EQ(again(s, fakeModes).layers, s.layers);
}

}  // namespace
}  // namespace cellscope::test
