// Neighbour lists of files as a mode: what is drawn, picked and told of them.
#include <gmock/gmock.h>

#include <set>

#include "app/common/settings.h"
#include "sim/algo/list_check/check.h"
#include "sim/io/files.h"
#include "sim/io/list_file.h"
#include "sim/run/session.h"
#include "tests/support/list_faults.h"
#include "tests/support/md_modes.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

BoxCase tiltedBox() { return boxCases()[2]; }

// One of each kind, each of another pair.
PairList wrongList(const BoxCase& box) {
  PairList l = listed(box);
  const auto n = static_cast<std::int64_t>(l.size());
  eraseBoth(l, 5);  // missing
  const auto twice = l.i.size() - 7;
  addPair(l, l.i[twice], l.j[twice], shiftOf(l, twice));
  erasePair(l, l.i.size() / 2);
  l.shift[3 * (l.i.size() / 3)] += 9;
  addPair(l, 3, 3);
  addPair(l, 0, n + 4);
  addPair(l, 0, apartFromFirst(l));
  return l;
}

double lengthOf(const LineInstance& l) {
  return std::hypot(static_cast<double>(l.b[0]) - static_cast<double>(l.a[0]),
                    static_cast<double>(l.b[1]) - static_cast<double>(l.a[1]),
                    static_cast<double>(l.b[2]) - static_cast<double>(l.a[2]));
}

class ListsModeTest : public Program {
 protected:
  Scenario written(const PairList& l, const std::string& name = "list.npz") {
    io::replaceFile(file(name), io::pairListArchive(l));
    return common::scenarioOfLists(file(name));
  }
  std::unique_ptr<Mode> opened(const PairList& l) { return startScenario(written(l), {}); }
  static std::shared_ptr<const Frame> shown(Mode& m, ParticleId picked = -1) {
    return m.frame(wholeView(m, picked));
  }
};

TEST_F(ListsModeTest, EachKindIsALayerWithItsCountAndLinesOfItsPairs) {
  const auto m = opened(wrongList(tiltedBox()));
  const auto f = m->findings();
  EXPECT_FALSE(f->right);
  ASSERT_EQ(f->kinds.size(), static_cast<std::size_t>(list_check::kKinds));
  const auto frame = shown(*m);
  EXPECT_FALSE(frame->outlined);  // a layer draws the tilted box
  EXPECT_EQ(layerNamed(*frame, "box").count, 12u);
  std::vector<std::string> labels;
  std::vector<Mark> marks;
  for (const LayerInfo& info : m->info().layers) {
    if (info.group != LayerGroup::pairs) continue;
    labels.push_back(info.label);
    const LayerData& layer = layerNamed(*frame, info.key);
    std::vector<double> distances;
    for (const PairFinding& p : f->pairs)
      if (f->kinds[p.kind] == info.label) distances.push_back(p.distance);
    EXPECT_GE(distances.size(), 1u) << info.key;
    EXPECT_EQ(layer.count, distances.size()) << info.key;
    ASSERT_EQ(layer.scale.categories.size(), 1u);
    EXPECT_TRUE(layer.scale.categories[0].ends_with(": " + std::to_string(distances.size())))
        << layer.scale.categories[0];
    marks.push_back(layer.scale.marks.at(0));
    if (layer.primitive != Primitive::lines) continue;
    const std::vector<LineInstance> lines = drawnItems<LineInstance>(layer);
    const double ends = static_cast<double>(
        drawnItems<PointInstance>(layerNamed(*frame, "particles")).at(0).diameter);
    // To the surfaces of particles that do not touch, nearly. Coordinates up to 100 in single
    // precision, of six numbers.
    for (std::size_t k = 0; k < lines.size(); ++k)
      EXPECT_NEAR(lengthOf(lines[k]), distances[k] - (ends < 0.8 * distances[k] ? ends : 0),
                  6 * 100 * std::ldexp(1.0, -24))
          << info.key;
  }
  EXPECT_EQ(labels,
            std::vector<std::string>(f->kinds.begin(), f->kinds.begin() + list_check::kFaults));
  EXPECT_EQ(std::set<Mark>(marks.begin(), marks.end()).size(), marks.size()) << "no mark twice";
}

TEST_F(ListsModeTest, AllParticlesLieInThePicture) {
  for (const BoxCase& box : boxCases()) {
    const auto m = opened(listed(box));
    const auto f = m->findings();
    EXPECT_TRUE(f->right) << box.name << ": " << f->verdict;
    EXPECT_TRUE(f->verdict.starts_with("Right")) << f->verdict;
    EXPECT_EQ(m->info().dimension, box.dimension) << box.name;
    for (const LayerInfo& l : m->info().layers) EXPECT_NE(l.group, LayerGroup::pairs) << l.key;
    const auto frame = shown(*m);
    const LayerData& particles = layerNamed(*frame, "particles");
    EXPECT_EQ(particles.count, static_cast<std::size_t>(box.n));
    for (const PointInstance& p : drawnItems<PointInstance>(particles)) {
      const float at[3] = {p.x, p.y, p.z};
      for (int k = 0; k < box.dimension; ++k) {
        EXPECT_GE(at[k], 0) << box.name;
        EXPECT_LE(static_cast<double>(at[k]), frame->box.length[k] * (1 + 1e-6)) << box.name;
      }
    }
  }
}

TEST_F(ListsModeTest, APairIsPickedAndMarkedAtBothEnds) {
  const auto m = opened(wrongList(tiltedBox()));
  const auto f = m->findings();
  const PairFinding& p = f->pairs.front();
  const auto frame = shown(*m, p.pick);
  EXPECT_EQ(frame->picked.id, p.pick);
  ASSERT_FALSE(frame->picked.rows.empty());
  EXPECT_EQ(frame->picked.rows[0].second,
            f->kinds[p.kind] + ": " + std::to_string(p.i) + " and " + std::to_string(p.j));
  EXPECT_EQ(layerNamed(*frame, "picked").count, 2u);
  const LineInstance line =
      drawnItems<LineInstance>(layerNamed(*frame, "missing")).at(0);  // kinds are in this order
  for (int k = 0; k < 3; ++k)
    EXPECT_FLOAT_EQ(frame->picked.position[k], 0.5f * (line.a[k] + line.b[k]));
  // A click on a particle.
  const PointInstance at = drawnItems<PointInstance>(layerNamed(*frame, "particles")).at(17);
  PickQuery query;
  query.origin[0] = static_cast<double>(at.x), query.origin[1] = static_cast<double>(at.y);
  query.origin[2] = static_cast<double>(at.z) + 1e-3 + static_cast<double>(at.diameter) / 2;
  EXPECT_EQ(m->pick(query), 17);
  EXPECT_EQ(shown(*m, 17)->picked.id, 17);
}

TEST_F(ListsModeTest, WallsOfCellsFollowTheBox) {
  PairList l = listed(
      {"tilted plane", {5, 0, 0, 3, 5, 0, 0, 0, 0}, {true, true, false}, 1.1, 40, {9, 5, 0}, 2});
  const std::int64_t dims[3] = {4, 3, 1};
  std::copy(dims, dims + 3, l.cells.dims);
  const auto m = opened(l);
  const auto frame = shown(*m);
  const auto lines = drawnItems<LineInstance>(layerNamed(*frame, "cells"));
  ASSERT_EQ(lines.size(), 5u + 4u);
  for (const LineInstance& line : lines) {  // along a, 5 long, or along b; both in the picture
    const float along[2] = {line.b[0] - line.a[0], line.b[1] - line.a[1]};
    EXPECT_NEAR(along[0], along[1] == 0 ? 5 : 3, 1e-5);
    EXPECT_NEAR(std::abs(along[1]), along[1] == 0 ? 0 : 5, 1e-5);
  }
}

TEST_F(ListsModeTest, TreeBoxesHaveTheirLevels) {
  PairList l = listed({"cubic", {6, 0, 0, 0, 6, 0, 0, 0, 6}, {true, true, true}, 1.4, 20});
  l.tree.left = {1, -1, -1, 9}, l.tree.right = {2, -1, -1, 3};  // the last one holds itself
  l.tree.lower.assign(12, 0.0), l.tree.upper.assign(12, 6.0);
  const auto m = opened(l);
  const auto frame = shown(*m);
  std::vector<int> levels;
  for (const BoxInstance& b : drawnItems<BoxInstance>(layerNamed(*frame, "tree")))
    levels.push_back(b.level);
  EXPECT_EQ(levels, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(m->findings()->verdict, "The pairs are right, the structures are not");
}

// Two builds of a program.
TEST_F(ListsModeTest, TwoListsAreComparedPairByPair) {
  const PairList right = listed(tiltedBox());
  PairList changed = right;
  eraseBoth(changed, 11);
  changed.shift[3 * 40] += 2;
  Scenario s = written(right, "a.npz");
  s.compare = written(changed, "b.npz").configuration;
  Session session(s, {});
  const auto f = session.mode().findings();
  EXPECT_EQ(f->verdict,
            "1 pairs only in the first list, 0 only in the second, 1 with another image");
  EXPECT_FALSE(f->right) << "that of the other file is not";
  EXPECT_EQ(f->words.at(0),
            "first list, a.npz: Right: every pair within the cutoff is listed, and no other");
  EXPECT_EQ(f->words.at(1), "second list, b.npz: Wrong: 1 missing, 1 with the wrong image");
  ASSERT_EQ(f->pairs.size(), 2u);
  const auto frame = shown(session.mode(), f->pairs[0].pick);
  const LayerData &gone = layerNamed(*frame, "only_in_first"),
                  &moved = layerNamed(*frame, "other_image");
  EXPECT_EQ(gone.count, 1u);
  EXPECT_EQ(moved.count, 1u);
  EXPECT_EQ(layerIn(*frame, "only_in_second"), nullptr) << "there is none";
  EXPECT_NE(gone.scale.marks.at(0), moved.scale.marks.at(0));
  const auto again = Session::resumeFrom(session.checkpoint(), "kept", {});
  EXPECT_EQ(again->mode().findings()->verdict, f->verdict);
  again->reset();
  EXPECT_EQ(again->mode().findings()->verdict, f->verdict) << "both are read again";
  EXPECT_EQ(parseScenario(scenarioText(s), s.path).compare, s.compare);
  const BoxCase small{"", tiltedBox().cell, tiltedBox().periodic, 1.5, 20, {5, 5, 4}};
  s.compare = written(listed(small), "c.npz").configuration;
  expectRefusal([&] { startScenario(s, {}); }, {"the same particles"});
}

// Step by step, with the steps as levels of the layer.
TEST_F(ListsModeTest, TheSearchOfAPickedPairIsDrawn) {
  PairList l = listed(tiltedBox());
  putIntoCells(l, {3, 3, 3});
  l.tree.left = {1, -1, -1}, l.tree.right = {2, -1, -1}, l.tree.rope = {-1, 2, -1};
  l.tree.lower.assign(9, -9.0), l.tree.upper.assign(9, 9.0);
  l.tree.leafOf.assign(l.size(), 2);
  erasePair(l, 12);
  const auto m = opened(l);
  const auto none = shown(*m);
  EXPECT_EQ(layerNamed(*none, "searched").count, 0u);
  EXPECT_THAT(layerNamed(*none, "searched").reason, testing::HasSubstr("no pair is picked"));
  const PairFinding& p = m->findings()->pairs.at(0);
  const auto frame = shown(*m, p.pick);
  const LayerData& cells = layerNamed(*frame, "searched");
  ASSERT_GT(cells.lastLevel, 26);
  EXPECT_EQ(cells.count, 12u * static_cast<std::size_t>(cells.lastLevel));
  int own = 0, other = 0;
  for (const LineInstance& line : drawnItems<LineInstance>(cells))
    own += line.value == 0 ? 1 : 0, other += line.value == 3 ? 1 : 0;
  EXPECT_EQ(own + other, own == 12 && other == 12 ? 24 : 12) << "or both are in one cell";
  const LayerData& walk = layerNamed(*frame, "walk");
  EXPECT_EQ(walk.count, 4u);  // the box of the query and three nodes
  EXPECT_EQ(walk.lastLevel, 3);
  EXPECT_THAT(frame->picked.rows, testing::Contains(testing::Key("step")));
  EXPECT_THAT(frame->picked.rows, testing::Contains(testing::Pair(
                                      testing::_, testing::HasSubstr("the tree finds the pair"))));
  ViewRequest view;  // the third step and what follows
  view.layers = {"searched", "walk"}, view.picked = p.pick, view.looks["searched"].lowest = 3;
  for (const LayerData& layer : m->frame(view)->layers) {
    if (layer.key != "searched-labels" && layer.primitive != Primitive::labels) continue;
    EXPECT_LE(layer.count, static_cast<std::size_t>(cells.lastLevel)) << layer.key;
  }
}

TEST_F(ListsModeTest, LengthsHaveNoUnit) {
  EXPECT_EQ(describeMode("lists").lengthUnit, "");
  for (const std::string& key : modeKeys()) EXPECT_EQ(describeMode(key).lengthUnit, "sigma") << key;
}

TEST_F(ListsModeTest, DoesNotAdvanceAndTellsWhy) {
  const auto m = opened(listed(tiltedBox()));
  EXPECT_FALSE(m->info().noSteps.empty());
  EXPECT_EQ(messageOf<InputError>([&] { m->advance(1); }), m->info().noSteps);
  EXPECT_EQ(m->step(), 0u);
  for (const std::string& key : modeKeys()) EXPECT_TRUE(describeMode(key).noSteps.empty());
  EXPECT_TRUE(refuses("run " + file("list.npz") + " --steps 1 --backend cpu", {"no steps"}));
}

TEST_F(ListsModeTest, AnotherCutoffIsComparedAgainAndUndone) {
  Session s(written(listed(tiltedBox())), {});
  EXPECT_TRUE(s.mode().findings()->right);
  s.set("cutoff", 1.7);
  EXPECT_FALSE(s.mode().findings()->right);
  const std::string kept = s.checkpoint();
  const auto again = Session::resumeFrom(kept, "kept", {});
  EXPECT_EQ(again->mode().findings()->verdict, s.mode().findings()->verdict);
  s.set("cutoff", 0.0);
  EXPECT_TRUE(s.mode().findings()->right);
}

TEST_F(ListsModeTest, RefusesWhatIsNoList) {
  EXPECT_TRUE(io::holdsPairs(written(listed(tiltedBox())).configuration));
  EXPECT_FALSE(io::holdsPairs(file("nothing.npz")));
  EXPECT_FALSE(io::holdsPairs(put("words.txt", "no list\n")));
  const auto why = [](const Scenario& s) {
    return messageOf<InputError>([&] { startScenario(s, {}); });
  };
  Scenario s = common::scenarioOfLists(file("words.txt"));
  EXPECT_THAT(why(s), testing::HasSubstr("is no list"));
  s.configuration.clear();
  EXPECT_THAT(why(s), testing::HasSubstr("configuration"));
  PairList without = listed(tiltedBox());
  without.cutoff = 0;
  EXPECT_THAT(why(written(without)), testing::HasSubstr("cutoff=R"));
  EXPECT_THROW(opened(listed(tiltedBox()))->configuration(), InputError);
  const BoxCase upright{"", {6, 0, 0, 0, 6, 0, 0, 0, 6}, {true, true, true}, 1.4, 120};
  EXPECT_NO_THROW(requireValid(opened(listed(upright))->configuration()));
}

}  // namespace
}  // namespace cellscope::test
