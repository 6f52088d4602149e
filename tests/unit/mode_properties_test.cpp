// Properties that every mode in the list must have: unique keys, words for everything that is
// shown, and a parameter range whose ends are accepted.
#include <set>

#include "tests/support/chart_check.h"
#include "tests/support/modes.h"

namespace cellscope::test {
namespace {

class EveryMode : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Mode> make() const { return makeMode(GetParam(), kOneThread); }
  // A small state: fewest particles that the defaults of the mode allow.
  static void shrink(Mode& mode) {
    if (mode.parameters().contains("n"))
      mode.parameters().at("n").set(std::int64_t{mode.info().key == "hard_disks" ? 64 : 108});
    mode.restart();
  }
  std::unique_ptr<Mode> makeSmall() const {
    auto mode = make();
    shrink(*mode);
    return mode;
  }
};

template <class Each, class Name = std::identity>
void expectUniqueWords(const std::vector<Each>& all, const char* what, Name name = {}) {
  std::set<std::string> seen;
  for (const Each& each : all) {
    const std::string& key = std::invoke(name, each);
    EXPECT_FALSE(key.empty()) << what;
    EXPECT_TRUE(seen.insert(key).second) << what << " " << key << " twice";
    EXPECT_EQ(key.find_first_of(" \"\\="), std::string::npos) << what << " " << key;
  }
}

// Otherwise what matters is a few pixels of a slider over all that is allowed. A seed has no
// slider.
TEST(EveryParameter, SaysWhereSomethingHappens) {
  for (const std::string& mode : modeKeys()) {
    const ParameterSet set = describeMode(mode).parameters();
    for (const Parameter& p : set.items()) {
      const ParameterInfo& i = p.info;
      if (!(i.max > i.min) || i.key == "seed") continue;
      SCOPED_TRACE(mode + " " + i.key);
      EXPECT_LT(i.interestingMin, i.interestingMax);
      EXPECT_GE(i.interestingMin, i.min);
      EXPECT_LE(i.interestingMax, i.max);
      const auto* whole = std::get_if<std::int64_t>(&p.fallback);
      const double fallback = whole ? static_cast<double>(*whole) : std::get<double>(p.fallback);
      EXPECT_GE(fallback, i.interestingMin);
      EXPECT_LE(fallback, i.interestingMax);
    }
  }
}

TEST_P(EveryMode, NamesItselfAndItsParts) {
  const auto mode = make();
  const ModeInfo& i = mode->info();
  EXPECT_EQ(i.key, GetParam());
  EXPECT_FALSE(i.label.empty());
  EXPECT_FALSE(i.stepName.empty());
  EXPECT_FALSE(i.workUnit.empty());
  EXPECT_FALSE(i.phases.empty());
  for (const LayerInfo& l : i.layers) EXPECT_FALSE(l.label.empty() || l.help.empty()) << l.key;
  for (const ColouringInfo& c : i.colourings)
    EXPECT_FALSE(c.label.empty() || c.help.empty()) << c.key;
  for (const ObservableInfo& o : i.observables) {
    EXPECT_FALSE(o.label.empty() || o.symbol.empty() || o.equation.empty() || o.plot.empty())
        << o.id;
    EXPECT_EQ(o.id.find(','), std::string::npos) << "a CSV column: " << o.id;
  }
  ASSERT_FALSE(i.layers.empty() || i.colourings.empty() || i.observables.empty());
  EXPECT_EQ(i.layers[0].primitive, Primitive::points);
  EXPECT_TRUE(i.layers[0].onByDefault);
  expectUniqueWords(i.layers, "layer", &LayerInfo::key);
  expectUniqueWords(i.colourings, "colouring", &ColouringInfo::key);
  expectUniqueWords(i.observables, "observable", &ObservableInfo::id);
  std::vector<std::string> phases = i.phases;  // names of several words
  for (std::string& p : phases) std::replace(p.begin(), p.end(), ' ', '_');
  expectUniqueWords(phases, "phase");
}

TEST_P(EveryMode, ExplainsItsParameters) {
  const auto mode = make();
  std::vector<std::string> keys;
  for (const Parameter& p : mode->parameters().items()) {
    keys.push_back(p.info.key);
    EXPECT_FALSE(p.info.label.empty() || p.info.group.empty()) << p.info.key;
    EXPECT_GE(p.info.help.size(), 30u) << p.info.key << ": what it is";
    EXPECT_FALSE(p.info.equation.empty()) << p.info.key;
    const bool number = p.info.choices.empty() && !std::holds_alternative<bool>(p.fallback);
    if (number) {
      EXPECT_LT(p.info.min, p.info.max) << p.info.key;
      // A seed names a sequence: no value is larger than another in what it does.
      EXPECT_TRUE(p.info.key == "seed" || p.info.help.find("arger") != std::string::npos)
          << p.info.key << ": what a larger value does";
    }
    if (p.info.logScale) {
      EXPECT_GT(p.info.min, 0) << p.info.key;
    }
    for (const ChoiceInfo& c : p.info.choices)
      EXPECT_FALSE(c.label.empty() || c.label.find('_') != std::string::npos) << c.key;
    expectUniqueWords(p.info.choices, "choice", &ChoiceInfo::key);
  }
  expectUniqueWords(keys, "parameter");
}

// All choices, or both ends of its range.
std::vector<ParameterValue> endsOf(const Parameter& p) {
  std::vector<ParameterValue> ends;
  for (const ChoiceInfo& c : p.info.choices) ends.push_back(c.key);
  if (!ends.empty()) return ends;
  if (std::holds_alternative<bool>(p.fallback)) return {true, false};
  if (std::holds_alternative<std::int64_t>(p.fallback))
    return {static_cast<std::int64_t>(p.info.min), static_cast<std::int64_t>(p.info.max)};
  return {p.info.min, p.info.max};
}

TEST_P(EveryMode, DefaultsAreAllowedAndEndsAreStored) {
  const auto mode = make();
  for (Parameter& p : mode->parameters().items()) {
    EXPECT_NO_THROW(p.set(p.fallback)) << p.info.key;
    for (const ParameterValue& end : endsOf(p)) {
      p.set(end);
      EXPECT_EQ(toText(p.get()), toText(end)) << p.info.key;
    }
    p.set(p.fallback);
  }
}

// Every live parameter at both ends of its range while running: either it acts and the run goes on
// without a failed self-check, or it is refused with a reason and the state is kept. Steps of
// more moves than anybody waits for are cancelled.
TEST_P(EveryMode, LiveParametersWalkTheirEndsWhileRunning) {
  constexpr int kPatience = 100;  // reports of progress
  const auto mode = makeSmall();
  int reports = 0;
  bool endless = false;
  mode->watchWork([&](const Preparation&) {
    if (endless && ++reports > kPatience) throw Cancelled();
  });
  for (Parameter& p : mode->parameters().items()) {
    if (p.info.effect != Effect::live) continue;
    std::vector<ParameterValue> ends = endsOf(p);
    ends.push_back(p.fallback);
    for (const ParameterValue& end : ends) {
      p.set(end);
      reports = 0;
      endless = p.info.key == "moves_per_step";
      const std::uint64_t before = mode->step();
      try {
        mode->applyParameters();
        mode->advance(3);
        mode->sample();
      } catch (const InputError& e) {
        EXPECT_GT(std::string(e.what()).size(), 20u) << p.info.key;
      } catch (const Cancelled&) {
        EXPECT_EQ(mode->step(), before) << "no part of a step remains";
      }
    }
  }
  shrink(*mode);
  mode->advance(2);
  expectHealthy(*mode);
}

TEST_P(EveryMode, StepsPhaseByPhase) {
  const auto mode = makeSmall();
  const auto phases = static_cast<int>(mode->info().phases.size());
  EXPECT_EQ(mode->step(), 0u);
  for (int p = 0; p < phases; ++p) {
    EXPECT_EQ(mode->nextPhase(), p);
    EXPECT_EQ(mode->step(), 0u);
    mode->advancePhase();
  }
  EXPECT_EQ(mode->nextPhase(), 0);
  EXPECT_EQ(mode->step(), 1u);
}

TEST_P(EveryMode, SamplesEveryObservable) {
  const auto mode = makeSmall();
  mode->advance(5);
  const std::vector<double> values = mode->sample();
  ASSERT_EQ(values.size(), mode->info().observables.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_FALSE(std::isinf(values[i])) << mode->info().observables[i].id;
  for (const Curve& c : mode->curves()) EXPECT_EQ(faultOf(c), "");
}

// Instances of a layer as plain floats, fetched as the renderer does.
std::vector<float> floatsOf(const LayerData& layer) {
  std::vector<float> v(layer.buffer->bytes() / sizeof(float));
  layer.buffer->copyTo(v.data(), MemorySpace::host);
  return v;
}

TEST_P(EveryMode, DrawsEveryLayerInEveryColouring) {
  const auto mode = makeSmall();
  ViewRequest view = wholeView(*mode, mode->configuration().ids.at(1));
  mode->frame(view);  // from now on this particle is followed
  mode->advance(1);
  for (const ColouringInfo& c : mode->info().colourings) {
    view.colouring = c.key;
    const auto frame = mode->frame(view);
    ASSERT_FALSE(frame->layers.empty());
    EXPECT_EQ(frame->layers[0].count, mode->particleCount());
    for (const LayerData& l : frame->layers) {
      // The sets of a lattice follow from the cell alone.
      ASSERT_EQ(l.count > 0, l.buffer != nullptr || l.lattice) << l.key;
      if (!l.buffer) continue;
      EXPECT_EQ(l.buffer->bytes(), l.count * instanceSize(l.primitive)) << l.key;
      const std::vector<float> floats = floatsOf(l);
      for (const float f : floats) ASSERT_TRUE(std::isfinite(f)) << l.key << " " << c.key;
      if (l.primitive == Primitive::points) {
        const auto points = itemsIn<PointInstance>(*frame, l.key);
        EXPECT_TRUE(std::ranges::count(points, l.diameter, &PointInstance::diameter)) << l.key;
      }
      const std::size_t names = l.scale.categories.size();
      if (l.scale.kind == ColourKind::categorical)
        EXPECT_GE(names, 1u) << l.key;
      else
        EXPECT_LE(names, l.scale.kind == ColourKind::plain ? 1u : 0u) << l.key;
      EXPECT_LE(l.scale.lo, l.scale.hi) << l.key;
      EXPECT_FALSE(l.scale.title.empty()) << l.key;
    }
  }
}

TEST_P(EveryMode, ResumesBitForBit) {
  const auto mode = makeSmall();
  mode->advance(7);
  mode->sample();
  const std::string state = saved(*mode);
  mode->advance(9);
  const auto resumed = make();
  load(*resumed, state);
  EXPECT_EQ(resumed->step(), 7u);
  resumed->advance(9);
  EXPECT_EQ(saved(*mode), saved(*resumed));
}

TEST_P(EveryMode, RefusesATruncatedStateAndThatOfAnotherMode) {
  const auto mode = makeSmall();
  mode->advance(3);
  const std::string all = saved(*mode);
  const auto other = makeMode(GetParam() == "hard_disks" ? "gcmc" : "hard_disks", {});
  other->restart();
  expectRefusal([&] { load(*mode, saved(*other)); }, {"checkpoint: "});
  for (std::size_t part = 0; part < 16; ++part)
    EXPECT_THROW(load(*mode, all.substr(0, all.size() * part / 16)), InputError) << part;
  EXPECT_EQ(mode->step(), 3u) << "the old state is kept";
}

std::string nameOf(const ::testing::TestParamInfo<std::string>& i) { return i.param; }
INSTANTIATE_TEST_SUITE_P(List, EveryMode, ::testing::ValuesIn(modeKeys()), nameOf);

TEST(ModeList, SuggestsTheNearestMode) {
  const std::string said = messageOf<InputError>([] { makeMode("hard_disk", {}); });
  EXPECT_NE(said.find("'hard_disks'"), std::string::npos) << said;
}

}  // namespace
}  // namespace cellscope::test
