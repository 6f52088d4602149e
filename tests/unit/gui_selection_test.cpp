// What is selected beside the rest: layers of cells, thread blocks, levels of trees; pages of
// tables.
#include "app/gui/panels.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::common {
namespace {

bool holds(const std::vector<render::SelectedBox>& boxes, const glm::dvec3& at) {
  return std::any_of(boxes.begin(), boxes.end(), [&](const render::SelectedBox& b) {
    return glm::all(glm::greaterThanEqual(at, b.lo)) && glm::all(glm::lessThan(at, b.hi));
  });
}

TEST(TableView, TurnsToThePageOfWhatIsPicked) {
  Table t{{{"particle", ""}}, {}, ""};
  for (int k = 0; k < 20; ++k) t.rows.push_back({{wholeCell(k)}, 100 + k, ""});
  const auto page = [&](ParticleId picked, bool falling) {
    return gui::pageOf(t, sortedBy(t, 0, falling), picked, 6);
  };
  EXPECT_EQ(page(100, false), 0u);
  EXPECT_EQ(page(106, false), 6u);
  EXPECT_EQ(page(119, false), 18u);
  EXPECT_EQ(page(119, true), 0u);
  EXPECT_FALSE(page(5, false));   // in no row
  EXPECT_FALSE(page(-1, false));  // rows that go to a place pick nothing
}

// Every position belongs to exactly one layer of each axis, that of its cell.
TEST(Selection, LayersOfCellsPartTheBox) {
  const Box box{3, {12, 9, 6}};
  CellGridPlace grid{{4, 3, 2}, {3, 3, 3}, {1.25, 0, 2.5}};
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < 240; ++i) {
      glm::dvec3 at{0.31, 0.47, 0.53};
      at[axis] = (i + 0.5) / 240 * box.length[axis];
      double rest = at[axis] - grid.origin[axis];
      if (rest < 0) rest += box.length[axis];
      const int cell = static_cast<int>(rest / grid.width[axis]);
      for (int k = 0; k < grid.cells[axis]; ++k)
        EXPECT_EQ(holds(layerBoxes(grid, box, axis, k), at), k == cell)
            << "axis " << axis << ", " << at[axis] << ", layer " << k;
    }
}

TEST(Selection, SaysWhyItActsOnNothing) {
  Frame frame;
  frame.box = {3, {10, 10, 10}};
  InsideState state;
  EXPECT_EQ(whyNoSelection(state, frame), "");
  for (const Selection kind : {Selection::nearPicked, Selection::cellLayer, Selection::block}) {
    state.selection = kind;
    EXPECT_NE(whyNoSelection(state, frame), "");
    EXPECT_EQ(insideView(state, {}, frame).rest, render::Rest::shown);
  }
}

TEST(Selection, ABlockIsItsCells) {
  Frame frame;
  frame.box = {3, {10, 10, 10}};
  frame.blockCells = {
      {0, {0, 0, 0}, {5, 5, 5}}, {1, {5, 0, 0}, {10, 5, 5}}, {1, {0, 5, 0}, {5, 10, 5}}};
  InsideState state{.selection = Selection::block, .hideRest = true, .block = 1};
  const render::InsideView view = insideView(state, {}, frame);
  EXPECT_EQ(view.rest, render::Rest::hidden);
  EXPECT_TRUE(holds(view.boxes, {7, 1, 1}));
  EXPECT_TRUE(holds(view.boxes, {1, 7, 1}));
  EXPECT_FALSE(holds(view.boxes, {1, 1, 1}));
  state.block = 2;
  EXPECT_EQ(insideView(state, {}, frame).rest, render::Rest::shown);
  for (int i = 0; i <= static_cast<int>(render::kMostSelectedBoxes); ++i) {
    const float at = 0.1f * static_cast<float>(i);  // on a diagonal: no two fill a box
    frame.blockCells.push_back({2, {at, at, at}, {at + 0.1f, at + 0.1f, at + 0.1f}});
  }
  EXPECT_NE(whyNoSelection(state, frame), "");
}

// A block of microcells reads many more cells than there may be boxes: a cube, or without those
// beyond the cutoff about a ball.
TEST(Selection, ManyCellsOfABlockAreJoined) {
  Frame frame;
  frame.box = {3, {11, 11, 11}};
  const auto read = [](int i, int j, int k) { return i * i + j * j + k * k <= 27; };
  for (int k = -5; k <= 5; ++k)
    for (int i = -5; i <= 5; ++i)
      for (int j = -5; j <= 5; ++j) {
        const float lo[3] = {5.3f + static_cast<float>(i), 5.3f + static_cast<float>(j),
                             5.3f + static_cast<float>(k)};
        if (!read(i, j, k)) continue;
        frame.blockCells.push_back({0, {lo[0], lo[1], lo[2]}, {lo[0] + 1, lo[1] + 1, lo[2] + 1}});
      }
  const InsideState state{.selection = Selection::block};
  const std::vector<render::SelectedBox> boxes = insideView(state, {}, frame).boxes;
  EXPECT_GT(frame.blockCells.size(), 500u);
  EXPECT_LE(boxes.size(), render::kMostSelectedBoxes);
  for (int k = -5; k <= 5; ++k)
    for (int i = -5; i <= 5; ++i)
      for (int j = -5; j <= 5; ++j)
        EXPECT_EQ(holds(boxes, {5.8 + i, 5.8 + j, 5.8 + k}), read(i, j, k)) << i << j << k;
}

TEST(Selection, LevelsOfTreesLeaveNoParticleOut) {
  Frame frame;
  frame.box = {3, {10, 10, 10}};
  const InsideState state{.selection = Selection::treeLevels};
  const render::InsideView view = insideView(state, {}, frame);
  EXPECT_EQ(view.rest, render::Rest::dimmed);
  EXPECT_EQ(view.types, 0u) << "all particles are beside the selection";
}

// The engines say where their cells and blocks are, while their layers are shown.
TEST(Selection, ModesPublishTheirCells) {
  const std::unique_ptr<Mode> mode = test::gcmcMode("method=cells moves_per_step=20");
  mode->advance(1);
  EXPECT_FALSE(mode->frame({.layers = {"particles"}})->grid.has_value());
  const ViewRequest view = test::viewOf({"particles", "cells", "mapping"});
  mode->frame(view);  // asks for the next moves to be recorded
  mode->advance(1);
  const std::shared_ptr<const Frame> frame = mode->frame(view);
  ASSERT_TRUE(frame->grid.has_value());
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(frame->grid->cells[k] * frame->grid->width[k], frame->box.length[k], 1e-9);
  EXPECT_FALSE(frame->blockCells.empty());
}

// Sliders of levels end where what is drawn does, or where the option does.
TEST(Levels, SlidersEndAtTheLastThatThereIs) {
  const LayerOption steps{LayerOption::Kind::levels, "Steps", "Shown.", 0, 400, {}};
  LayerInfo tree{"tree", "Tree"}, ropes{"ropes", "Ropes"}, cells{"cells", "Cells"};
  for (LayerInfo* layer : {&tree, &ropes, &cells}) layer->options = {steps};
  tree.group = ropes.group = LayerGroup::trees;
  cells.group = LayerGroup::cells;
  const std::vector<LayerInfo> all = {cells, tree, ropes};
  EXPECT_EQ(gui::lastLevel(steps, "walk", nullptr), 400);
  EXPECT_EQ(gui::deepestLevel(all, nullptr), 400);
  Frame frame;
  EXPECT_EQ(gui::lastLevel(steps, "walk", &frame), 400);
  const auto add = [&](const char* key, int last) {
    frame.layers.emplace_back();
    frame.layers.back().key = key;
    frame.layers.back().lastLevel = last;
  };
  add("walk", 25), add("cells", 3), add("ropes", 9);
  EXPECT_EQ(gui::lastLevel(steps, "walk", &frame), 25);
  EXPECT_EQ(gui::deepestLevel(all, &frame), 9) << "of a layer of trees that is drawn";
  frame.layers[0].lastLevel = 900;
  EXPECT_EQ(gui::lastLevel(steps, "walk", &frame), 400);
}

}  // namespace
}  // namespace cellscope::common
