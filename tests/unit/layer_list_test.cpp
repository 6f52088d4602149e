// Layers draw structures: one layer of cells for every grid, in the plane and in space; and options
// of layers in scenario files.
#include <set>

#include "sim/exec/cpu_exec.h"
#include "sim/layers/packer_on.h"
#include "sim/run/scenario.h"
#include "tests/support/lattice_boxes.h"
#include "tests/support/message_of.h"

namespace cellscope::layers {
namespace {

class CellGrids : public testing::Test {
 protected:
  std::vector<LayerData> drawn(const LayerList& layers, const Structures& from) {
    Frame frame;
    Canvas canvas{&packer_, frame};
    drawAll(layers, from, canvas);
    return frame.layers;
  }
  std::vector<BoxInstance> draw(const Layer& layer, const Structures& from) {
    const std::vector<LayerData> layers = drawn({&layer}, from);
    EXPECT_EQ(layers.size(), 1u);
    return test::boxesOf(layers.at(0), from.cells->length);
  }
  // Four cells of width 1 along each axis, with one particle each.
  static CellGridView fourCells(int dimension) {
    static const std::vector<std::uint8_t> count(64, 1);
    CellGridView grid;
    grid.dimension = dimension;
    for (int axis = 0; axis < dimension; ++axis) grid.cells[axis] = 4, grid.length[axis] = 4;
    grid.count = count.data();
    return grid;
  }
  static double volume(const BoxInstance& b, int dimension) {
    double v = 1;
    for (int axis = 0; axis < dimension; ++axis)
      v *= static_cast<double>(b.hi[axis]) - static_cast<double>(b.lo[axis]);
    return v;
  }

  PackerOn<exec::CpuExec> packer_{std::make_shared<exec::CpuExec>(1)};
};

// 4 x 6 x 2 cells, shifted along x and z: they fill the box, and each knows its occupancy.
TEST_F(CellGrids, CellsInSpaceTileTheBoxAndCountFromOffsets) {
  CellGridView grid;
  grid.dimension = 3;
  const int cells[3] = {4, 6, 2};
  const double origin[3] = {0.5, 0, 1.25};
  std::vector<std::uint32_t> first(1, 0);
  for (int c = 0; c < 48; ++c) first.push_back(first.back() + static_cast<std::uint32_t>(c % 5));
  for (int axis = 0; axis < 3; ++axis) {
    grid.cells[axis] = cells[axis];
    grid.width[axis] = 2;
    grid.length[axis] = 2.0 * cells[axis];
    grid.origin[axis] = origin[axis];
  }
  grid.first = first.data();
  grid.most = 4;
  Structures s;
  s.box.dimension = 3;
  s.cells = grid;
  const auto boxes = draw(CellsLayer("help"), s);
  ASSERT_EQ(boxes.size(), 5u * 6 * 3);
  double sum = 0;
  for (const BoxInstance& b : boxes) {
    sum += volume(b, 3);
    double middle[3];
    int cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = (b.lo[axis] + b.hi[axis]) / 2 - origin[axis];
      cell[axis] = (static_cast<int>(std::floor(middle[axis] / 2)) + cells[axis]) % cells[axis];
      EXPECT_GE(b.lo[axis], 0);
      EXPECT_LE(b.hi[axis], grid.length[axis]);
    }
    EXPECT_EQ(b.value, static_cast<float>(((cell[2] * 6 + cell[1]) * 4 + cell[0]) % 5));
    EXPECT_EQ(b.level, (cell[0] & 1) | (cell[1] & 1) << 1 | (cell[2] & 1) << 2);
  }
  EXPECT_NEAR(sum, 8.0 * 12 * 4, 1e-4);
}

TEST_F(CellGrids, CellsOfOneSetAreNeverNeighbours) {
  Structures s;
  s.cells = fourCells(2);
  s.active = ActiveSetView{*s.cells, 2, "active set: c"};
  for (const auto& b : draw(SetsLayer(), s)) {
    const int x = static_cast<int>(b.lo[0]), y = static_cast<int>(b.lo[1]);
    EXPECT_EQ(b.value, static_cast<float>((x & 1) | (y & 1) << 1));
    EXPECT_EQ(b.level, static_cast<int>(b.value));
  }
  int active = 0;
  for (const auto& b : draw(ActiveSetLayer(), s)) {
    active += b.level >= 0;
    EXPECT_EQ(b.level >= 0, b.value == 2);
  }
  EXPECT_EQ(active, 4);
}

// Colours of two layers of cells would mix to a third.
TEST_F(CellGrids, BesideColouredCellsTheGridHasOutlinesAlone) {
  for (const int dimension : {2, 3}) {
    Structures s;
    s.box.dimension = dimension;
    s.cells = fourCells(dimension);
    const CellsLayer cells("help");
    const SetsLayer sets;
    const BoxLayer box;
    const auto gridOf = [&](const LayerList& on) { return drawn(on, s).at(0); };
    EXPECT_EQ(gridOf({&cells, &box}).scale.kind, ColourKind::sequential);
    const ActiveSetLayer none;
    EXPECT_EQ(gridOf({&cells, &none}).scale.kind, ColourKind::sequential) << "nothing to show";
    const LayerData beside = gridOf({&cells, &sets});
    EXPECT_GT(beside.count, 0u);
    EXPECT_TRUE(beside.scale.kind == ColourKind::plain && beside.scale.categories.empty())
        << "no legend";
    EXPECT_EQ(beside.scale.marks, std::vector{Mark::cellOutline});
    EXPECT_EQ(beside.buffer == nullptr, dimension == 2);
  }
}

TEST_F(CellGrids, TheLegendOfACheckerboardNamesTheActiveColour) {
  Structures s;
  s.box.dimension = 3;
  s.active = ActiveSetView{fourCells(3), 7, "active"};
  const BoardActiveLayer layer;
  EXPECT_EQ(drawn({&layer}, s).at(0).scale.title, "active: h");
}

TEST_F(CellGrids, LayersWithoutTheirStructureSayWhy) {
  for (const LayerList* list : {&hardDiskLayers(), &mdLayers()})
    for (const Layer* layer : *list) {
      Frame frame;
      Canvas canvas{&packer_, frame};
      layer->draw({}, canvas);
      ASSERT_FALSE(frame.layers.empty()) << layer->info().key;
      const LayerData& drawn = frame.layers[0];
      EXPECT_EQ(drawn.key, layer->info().key);
      EXPECT_EQ(drawn.primitive, layer->info().primitive);
      if (layer->needs() != 0) {
        EXPECT_EQ(drawn.count, 0u) << drawn.key;
        EXPECT_FALSE(drawn.reason.empty()) << drawn.key;
      }
    }
}

TEST_F(CellGrids, KeysOfLayersAndPartsAreUniqueAndOptionsAreComplete) {
  for (const LayerList* list : {&hardDiskLayers(), &mdLayers()}) {
    std::set<std::string> keys;
    for (const LayerInfo& info : infosOf(*list)) {
      EXPECT_TRUE(keys.insert(info.key).second) << info.key;
      for (const LayerPart& part : info.parts) {
        EXPECT_TRUE(keys.insert(part.key).second) << part.key;
        EXPECT_FALSE(part.label.empty());
      }
      std::set<std::string> options;
      for (const LayerOption& o : info.options) {
        EXPECT_TRUE(options.insert(o.key()).second) << info.key << " " << o.key();
        EXPECT_LT(o.lo, o.hi);
        EXPECT_FALSE(o.label.empty() || o.help.empty());
      }
    }
  }
}

// Every part that a layer of hard disks or molecules adds is listed with it.
TEST_F(CellGrids, PartsAreListed) {
  Structures s;
  s.pickedMoves = PickedMovesView{{LineInstance{}}, {"accepted"}, {}};
  s.tested = testedSketch({BoxInstance{}}, {LineInstance{}});
  s.moves = MovesView{{PointInstance{}}, {LineInstance{}}};
  s.overlaps = {PointInstance{}};
  s.picked = {PointInstance{}};
  for (const Layer* layer : hardDiskLayers()) {
    std::set<std::string> known = {layer->info().key, kPicked};
    for (const LayerPart& part : layer->info().parts) known.insert(part.key);
    for (const LayerData& data : drawn({layer}, s))
      EXPECT_TRUE(known.contains(data.key)) << data.key << " of " << layer->info().key;
  }
}

TEST(Labels, AreCutToTheirRoom) {
  const float at[3] = {1, 2, 3};
  const LabelInstance label = labelOf(at, std::string(100, 'x'), 2);
  EXPECT_EQ(std::string(label.text), std::string(sizeof label.text - 1, 'x'));
  EXPECT_EQ(label.at[2], 3);
  EXPECT_EQ(label.value, 2);
}

Scenario withLayers(const std::string& list) {
  return parseScenario("mode = \"hard_disks\"\n[view]\nlayers = [" + list + "]\n", "folder/a.toml");
}

const LayerInfo& layerOf(const std::string& key) {
  for (const LayerInfo& layer : describeMode("hard_disks").layers)
    if (layer.key == key) return layer;
  throw RunError(key);
}

TEST(LayerEntries, OptionsAreReadAndWrittenBack) {
  const Scenario s = withLayers("\"disks opacity=0.25\", \"sets levels=b..c  opacity=0.5\"");
  const ModeDescription& mode = describeMode("hard_disks");
  EXPECT_EQ(layersOf(s, mode), (std::vector<std::string>{"disks", "sets"}));
  const auto looks = looksOf(s.layers, mode);
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks.at("disks").opacity, 0.25f);
  EXPECT_EQ(looks.at("sets").opacity, 0.5f);
  EXPECT_EQ(looks.at("sets").lowest, 1);
  EXPECT_EQ(looks.at("sets").highest, 2);
  const std::string entry = layerEntry("sets", looks.at("sets"), layerOf("sets"));
  EXPECT_EQ(lookOfEntry(entry, layerOf("sets")), looks.at("sets")) << entry;
  EXPECT_EQ(looksOf(parseScenario(scenarioText(s), "again.toml").layers, mode), looks);
}

TEST(LayerEntries, ChangesOfTheDefaultHaveOptionsToo) {
  const ModeDescription& mode = describeMode("hard_disks");
  const Scenario s = withLayers("\"+sets levels=0..1\", \"-tested\"");
  const auto on = layersOf(s, mode);
  EXPECT_NE(std::find(on.begin(), on.end(), "sets"), on.end());
  EXPECT_EQ(std::find(on.begin(), on.end(), "tested"), on.end());
  EXPECT_EQ(looksOf(s.layers, mode).at("sets").highest, 1);
}

TEST(LayerEntries, TypesAreNamedOrCounted) {
  LayerInfo layer;
  layer.key = "particles";
  layer.options = {{LayerOption::Kind::types, "Types", "Shown.", 0, 2, {"A", "B", "C"}}};
  const LayerLook look = lookOfEntry("particles types=A,2", layer);
  EXPECT_EQ(look.types, 0b101u);
  EXPECT_EQ(layerEntry("+particles", look, layer), "+particles types=A,C");
  EXPECT_THROW(lookOfEntry("particles types=D", layer), InputError);
  EXPECT_THROW(lookOfEntry("particles types=", layer), InputError);
}

TEST(LayerEntries, ErrorsNameFileLineLayerAndWhatIsAllowed) {
  struct Case {
    const char *list, *wrong, *allowed;
  };
  for (const Case& c : {Case{"\"sets opacity=2\"", "opacity=2", "0.05 to 1"},
                        Case{"\"sets opacity=x\"", "opacity=x", "0.05 to 1"},
                        Case{"\"sets levels=a\"", "levels=a", "LOWEST..HIGHEST"},
                        Case{"\"sets levels=c..a\"", "levels=c..a", "lowest"},
                        Case{"\"sets levels=a..e\"", "levels=a..e", "a, b, c, d"},
                        Case{"\"sets colour=red\"", "colour=red", "opacity=NUMBER"},
                        Case{"\"cells levels=0..1\"", "levels=0..1", "opacity=NUMBER"},
                        Case{"\"-sets opacity=1\"", "opacity=1", "no options"},
                        Case{"\"sets\", \"sets opacity=1\"", "sets", "once"},
                        Case{"\"setz opacity=1\"", "setz", "did you mean 'sets'"}}) {
    const std::string error = test::messageOf<InputError>([&] { withLayers(c.list); });
    EXPECT_TRUE(error.starts_with("folder/a.toml:3: view.layers: ")) << error;
    test::expectWords(error, {c.wrong, c.allowed});
  }
}

}  // namespace
}  // namespace cellscope::layers
