// Grand-canonical Monte Carlo as a mode: edits, files, picture; displacements only, at constant
// number. What is refused: gcmc_systems_mode_test.cpp.
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

std::string warningsOf(Mode& mode) {
  std::string all;
  for (const SelfCheck& c : mode.selfChecks())
    if (isWarning(c)) all += c.detail + "\n";
  return all;
}

// mu that fills the box: the run goes on and a self-check names cause and way out.
TEST(GcmcMode, AReservoirThatFillsOrEmptiesTheBoxIsNamed) {
  auto full =
      gcmcMode("length=6 density=1.2 chemical_potential=100 temperature=2 max_displacement=0.1");
  full->advance(60);
  std::string failures;
  for (const SelfCheck& c : full->selfChecks())
    if (!c.ok) failures += c.detail;
  expectWords(failures, {"lower the chemical potential"});
  EXPECT_EQ(warningsOf(*full), "") << "a failure";
  auto empty = gcmcMode("length=6 chemical_potential=-40");
  empty->advance(20);
  EXPECT_EQ(empty->particleCount(), 0u);
  expectHealthy(*empty);
  expectWords(warningsOf(*empty),
              {"empties the box", "raise the chemical potential (now -40 at T = "});
  for (const double v : empty->sample()) EXPECT_FALSE(std::isinf(v));
}

TEST(GcmcMode, TheReservoirIsConverted) {
  auto mode = gcmcMode("temperature=1.5 chemical_potential=-4.5");
  EXPECT_NEAR(valueIn(*mode, "activity"), std::exp(-3.0), 1e-12);
  EXPECT_NEAR(valueIn(*mode, "fugacity"), 1.5 * std::exp(-3.0), 1e-12);
  change(*mode, "fugacity=0.15");
  EXPECT_NEAR(valueIn(*mode, "chemical_potential"), 1.5 * std::log(0.1), 1e-12);
  EXPECT_EQ(toText(mode->parameters().at("reservoir").get()), "fugacity");
  change(*mode, "temperature=3");
  EXPECT_NEAR(valueIn(*mode, "fugacity"), 0.15, 1e-15) << "the given one is kept";
  EXPECT_NEAR(valueIn(*mode, "activity"), 0.05, 1e-12);
}

TEST(GcmcMode, SharesFollowOneAnother) {
  auto mode = gcmcMode();
  change(*mode, "displacements=0.5");
  EXPECT_NEAR(valueIn(*mode, "insertions"), 0.25, 1e-12);
  EXPECT_NEAR(valueIn(*mode, "deletions"), 0.25, 1e-12);
  change(*mode, "displacements=1");
  EXPECT_NEAR(valueIn(*mode, "insertions"), 0, 1e-12) << "no exchange with the reservoir";
}

// Changed on the way without a trace: what the method does differently is said, and no decision
// depends on it.
TEST(GcmcMode, OptionsOfMethodsChangeTheWorkButNoDecision) {
  for (const char* dimension : {"2", "3"}) {
    const std::string few = fmt::format("dimension={} length=7 moves_per_step=100", dimension);
    auto serial = gcmcMode(few), mode = gcmcMode(few);
    const auto go = [&](const std::string& setting) {
      SCOPED_TRACE(setting);
      change(*mode, setting);
      serial->advance(1), mode->advance(1);
      expectSameParticles(*serial, *mode);
      EXPECT_EQ(serial->work(), mode->work());
      return detailOf(*mode, "method");
    };
    for (const char* method : {"serial", "serial_cells", "serial"}) {
      go(fmt::format("method={}", method));
      EXPECT_EQ(bitsOf(mode->sample()), bitsOf(serial->sample())) << method;
    }
    go("method=cells");
    for (const ChoiceInfo& c : mode->parameters().at("mapping").info.choices)
      expectWords(go("mapping=" + c.key), {"mapping"});
    expectWords(go("moves_per_launch=7"), {"7 moves"});
    const std::string skipped = go("method=microcells_many");
    EXPECT_NE(go("skip_beyond_cutoff=false"), skipped);
    for (const char* candidates : {"0", "1", "20"})
      go(fmt::format("method=speculative candidates={}", candidates));
  }
}

TEST(GcmcMode, ConfigurationsGoOutAndIn) {
  for (const char* dimension : {"2", "3"}) {
    auto a = gcmcMode(fmt::format("dimension={} length=9 length_y=12 length_z=8", dimension));
    a->advance(10);
    const Configuration c = a->configuration();
    EXPECT_EQ(c.box.dimension, dimension[0] - '0');
    auto b = gcmcMode();
    b->adopt(c);
    EXPECT_EQ(b->configuration().positions, c.positions);
    EXPECT_EQ(b->configuration().ids, c.ids);
    EXPECT_EQ(b->info().dimension, c.box.dimension);
    EXPECT_EQ(b->configuration().box, c.box);
    EXPECT_EQ(valueIn(*b, "length"), 9.0);
    EXPECT_EQ(valueIn(*b, "length_y"), 12.0);
    b->advance(5);
    expectHealthy(*b);
  }
  auto mode = gcmcMode();
  Configuration bad = mode->configuration();
  for (int k = 0; k < 3; ++k) bad.positions[static_cast<std::size_t>(k)] = bad.positions[3 + k];
  expectRefusal([&] { mode->adopt(bad); }, {"particle 0", "overlaps"});
  bad = mode->configuration();
  bad.box.length[1] = 3000;
  expectRefusal([&] { mode->adopt(bad); }, {"'length_y'", "allowed"});
}

// A box that goes on filling: the run ends, and the last state that could be held is kept. With the
// sign of mu wrong an ideal gas takes all that comes.
TEST(GcmcMode, TheRunEndsWhereNoMoreParticlesCanBeHeld) {
  constexpr std::size_t kRoom = 4194304;
  auto mode = gcmcMode(
      "dimension=2 length=200 density=1.2 potential=ideal_gas tail=false activity=0.00001 "
      "insertion_sign_as_printed=true displacements=0.01 insertions=0.98 deletions=0.01 "
      "moves_per_step=1000000");
  expectRefusal<RunError>([&] { mode->advance(10); },
                          {"the reservoir fills the box", "at most 4194304",
                           "The state of step 4 is kept", "smaller chemical potential (mu = "});
  EXPECT_EQ(mode->step(), 4u);
  EXPECT_EQ(mode->particleCount(), mode->configuration().ids.size());
  EXPECT_LE(mode->particleCount(), kRoom);
  EXPECT_GT(mode->particleCount(), kRoom - 1000000);
}

TEST(GcmcMode, APickedParticleSaysWhenItWasDeleted) {
  auto mode = gcmcMode("length=6 temperature=2 moves_per_step=50");
  const ViewRequest view = viewOf({"particles", "moves"}, mode->configuration().ids.front());
  auto frame = mode->frame(view);
  ASSERT_EQ(frame->picked.id, view.picked);
  EXPECT_FALSE(frame->picked.deleted);
  std::uint64_t gone = 0;
  for (int k = 0; k < 2000 && gone == 0; ++k) {
    mode->advance(1);
    const auto ids = mode->configuration().ids;
    if (std::find(ids.begin(), ids.end(), view.picked) == ids.end()) gone = mode->step();
    frame = mode->frame(view);
  }
  ASSERT_GT(gone, 0u);
  ASSERT_TRUE(frame->picked.deleted);
  EXPECT_EQ(frame->picked.deleted->step, gone);
  EXPECT_NE(frame->picked.deleted->reason.find("deletion"), std::string::npos);
  mode->advance(1);
  EXPECT_TRUE(mode->frame(view)->picked.deleted) << "for as long as it is asked for";
  ASSERT_TRUE(layerIn(*frame, "moves"));
  EXPECT_GT(layerIn(*frame, "moves")->count, 0u);
}

TEST(GcmcMode, TheMaximumDisplacementIsTunedThenFrozen) {
  auto mode = gcmcMode("tune=true length=6 density=0.6");
  ASSERT_TRUE(mode->preparation());
  for (int k = 0; k < 400 && mode->preparation(); ++k) mode->advance(100);
  ASSERT_FALSE(mode->preparation());
  EXPECT_EQ(toText(mode->parameters().at("tune").get()), "false");
  EXPECT_EQ(warningsOf(*mode).find("target"), std::string::npos) << "it was reached";
  mode->sample();
  mode->advance(300);
  EXPECT_NEAR(sampled(*mode, "acceptance_displacement"), 0.4, 0.03);
}

// Every displacement of an ideal gas is accepted: no maximum is large enough.
TEST(GcmcMode, ATargetThatWasMissedIsSaid) {
  auto mode =
      gcmcMode("tune=true length=6 density=0.6 potential=ideal_gas activity=0.6 tail=false");
  EXPECT_EQ(warningsOf(*mode), "") << "while it searches";
  for (int k = 0; k < 4000 && mode->preparation(); ++k) mode->advance(100);
  ASSERT_FALSE(mode->preparation());
  const std::string words = warningsOf(*mode);
  expectWords(words, {"missed its target", "acceptance 1.000", "target 0.400", "d = 3", "largest"});
  auto other = gcmcMode("length=7");
  load(*other, saved(*mode));
  EXPECT_EQ(warningsOf(*other), words) << "in a checkpoint, too";
  // It is about the value that was found.
  change(*mode, "max_displacement=0.5");
  EXPECT_EQ(warningsOf(*mode), "");
}

// Each coordinate of the trial positions is uniform in the box. 16 bins of the 12,000 displacements
// of an ideal gas along each axis: chi-squared of 15 degrees of freedom above 44.3 once in 10^4,
// three axes: a false alarm once in 3000 seeds.
TEST(GcmcMode, DisplacementsAnywhereFillTheBox) {
  const Box box = cubicBox(9);
  GcmcSettings s = chainSettings(1, 0.1);
  s.anywhere = true, s.cutoff = 0;
  s.ratio[0] = 1, s.ratio[1] = s.ratio[2] = 0;
  const auto e = chainOf("serial", chainState(box, 5), s);
  e->record(12000);
  e->advance(12000);
  std::vector<int> bins(48, 0);
  for (const GcmcEvent& m : e->events()) {
    EXPECT_TRUE(m.accepted);
    const std::uint32_t offset[3] = {m.after.x - m.before.x, m.after.y - m.before.y,
                                     m.after.z - m.before.z};
    for (std::size_t k = 0; k < 3; ++k) ++bins[16 * k + (offset[k] >> 28)];
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double chi2 = 0;
    for (std::size_t k = 0; k < 16; ++k) chi2 += std::pow(bins[16 * axis + k] - 750, 2) / 750.0;
    EXPECT_LT(chi2, 44.3) << "axis " << axis;
  }
}

TEST(GcmcMode, ReferencesBelongToTheirStateOnly) {
  auto mode = gcmcMode();  // NIST: T = 1.2, ln z = -2.5, V = 512, r_c = 3 with tail
  const auto find = [&](const char* key) {
    for (const ReferenceValue& r : mode->references())
      if (r.observable == key) return r.value;
    return -1.0;
  };
  EXPECT_NEAR(find("particles"), 345.13, 1e-9);
  change(*mode, "tail=false");
  EXPECT_EQ(find("particles"), -1.0);
}

// Without exchange the box keeps its particles, and what is said of a reservoir is not.
TEST(GcmcConstantNumber, IsTheCanonicalEnsemble) {
  for (const char* method : {"checkerboard", "serial_cells", "in_order"}) {
    auto mode =
        gcmcMode(fmt::format("method={} length=12.5 density=0.82 temperature=0.9 displacements=1 "
                             "insertions=0 deletions=0",
                             method));
    const std::vector<ParticleId> ids = sortedIds(*mode);
    for (int k = 0; k < 5; ++k) mode->advance(2), mode->sample();
    EXPECT_EQ(sortedIds(*mode), ids) << method;
    expectHealthy(*mode);
    EXPECT_EQ(warningsOf(*mode), "") << method;
    EXPECT_EQ(sampled(*mode, "particles"), static_cast<double>(ids.size()));
    EXPECT_TRUE(std::isnan(sampled(*mode, "acceptance_insertion"))) << method;
    // NIST at this state: U/N = -5.7456, P = 0.824; the equation of state is within its errors.
    std::vector<std::string> known;
    for (const ReferenceValue& r : mode->references()) {
      known.push_back(r.observable);
      EXPECT_NEAR(r.value, r.observable == "energy" ? -5.7456 : 0.824, 4 * r.error) << method;
    }
    EXPECT_EQ(known, (std::vector<std::string>{"energy", "pressure"}));
    for (const CurveSeries& k : curveOf(*mode, "isotherm").series) EXPECT_TRUE(k.reference);
    EXPECT_EQ(curveOf(*mode, "excess_potential").series.at(0).y.size(), 1u) << "nothing is imposed";
  }
}

// An empty cell into which nothing comes is passed over: the same chain, attempts counted.
TEST(GcmcConstantNumber, AttemptsInEmptyCellsOfABoardAreCounted) {
  auto mode = gcmcMode(
      "method=checkerboard length=30 density=0.001 temperature=2 displacements=1 insertions=0 "
      "deletions=0 moves_per_step=1");
  mode->advance(2);
  EXPECT_EQ(mode->work(), 2.0 * 1000 * 16) << "10 x 10 x 10 cells of 16 attempts";
  EXPECT_EQ(mode->particleCount(), 27u);
}

}  // namespace
}  // namespace cellscope::test
