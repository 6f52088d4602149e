// Bad input and bad luck in molecular dynamics: each message names the cause and the way out, and
// the way out works.
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

// What a start says to these settings, of which later ones count.
std::string refused(const std::string& settings) {
  return messageOf<InputError>([&] { startedMd(settings); });
}

TEST(MdBadInput, CutoffsBeyondTheImages) {
  const std::string binary = "system=binary n=300 density=0.5 method=cells cutoff_b=15 dimension=3";
  expectWords(refused(binary), {"cutoff_b = 15", "1.5 times the side, 12.65", "n of at least 500"});
  EXPECT_EQ(refused(binary + " n=500"), "");
  const std::string plane = "dimension=2 n=10 density=0.5 cutoff=2.5 method=";
  expectWords(refused(plane + "placeholder_cells"),
              {"half the side with placeholder cells, 2.236",
               "method = cells, stencils, tree, clusters or all_pairs"});
  for (const char* method : {"all_pairs", "cells", "stencils", "tree"}) {
    const std::string images = plane + method;
    EXPECT_EQ(refused(images), "") << "the way out";
    expectWords(refused(images + " cutoff=8"), {"1.5 times the side, 6.708", "n of at least 15"});
    EXPECT_EQ(refused(images + " cutoff=8 n=15"), "");
  }
  expectWords(refused("system=colloids colloids=1 colloid_fraction=0.2 method=cells density=0.6 "
                      "cutoff=3"),
              {"colloids of at least 2"});
}

// Among images placeholder cells do not fit: they are refused while the run goes on as it was.
TEST(MdBadInput, AMethodThatKnowsNoImages) {
  for (const char* method : {"all_pairs", "tree"}) {
    auto mode = small(20, 0.8);
    change(*mode, fmt::format("method={} cutoff=4", method));
    mode->advance(20);
    const std::string before = saved(*mode);
    expectWords(messageOf<InputError>([&] { change(*mode, "method=placeholder_cells"); }),
                {"half the side"});
    EXPECT_EQ(valueIn<std::string>(*mode, "method"), method);
    EXPECT_EQ(saved(*mode), before);
    MdMode other(ExecConfig{Backend::cpu, 2, 0});
    load(other, before);
    mode->advance(10), other.advance(10);
    EXPECT_EQ(saved(*mode), saved(other)) << "a checkpoint of such a box is valid";
  }
}

TEST(MdBadInput, WhatIsImpossibleTogether) {
  expectWords(refused("system=colloids dimension=2 method=cells"), {"dimension = 3"});
  expectWords(refused("tail=true"), {"potential = truncated"});
  EXPECT_EQ(refused("tail=true potential=truncated"), "");
  expectWords(refused("system=binary method=cells n=2000 potential=colloid sigma_b=1.2"),
              {"sigma_b = 1.2"});
  // While it runs the parameter is as before.
  auto mode = small();
  expectWords(messageOf<InputError>([&] { change(*mode, "tail=true"); }), {"tail"});
  EXPECT_EQ(valueIn<bool>(*mode, "tail"), false);
}

TEST(MdBadInput, DensitiesThatCannotBePlaced) {
  // At random there is no room for all of these: they are moved apart.
  EXPECT_EQ(refused("n=500 density=1.3 lattice=random"), "");
  expectWords(refused("system=colloids method=cells colloids=100 colloid_diameter=3 "
                      "colloid_fraction=0.3 cutoff=3 density=0.6"),
              {"smaller colloid_fraction"});
}

TEST(MdBadInput, StartsThatOverlap) {
  const std::string large =
      "system=binary method=cells n=2000 fraction_b=0.5 sigma_b=2 cutoff_b=2.5";
  expectWords(refused(large), {"overlap at the start", "smaller sigma_b", "minimise = true"});
  EXPECT_EQ(refused(large + " sigma_b=1"), "");
  // Too many large ones to fit, however they are moved.
  expectWords(refused(large + " minimise=true n=110"), {"lower density"});
}

TEST(MdBadInput, FilesWithUnknownTypes) {
  const auto mode = startedMd("system=binary method=cells n=500 density=0.5 cutoff_b=3");
  const Configuration good = mode->configuration();
  const auto message = [&](const std::function<void(Configuration&)>& damage) {
    Configuration c = good;
    damage(c);
    return messageOf<InputError>([&] { mode->adopt(c); });
  };
  expectWords(message([](auto& c) { c.species[1].name = "Xe"; }),
              {"'Xe', which is unknown", "'A' and 'B'"});
  expectWords(message([](auto& c) { c.species[1].diameter = 1.4; }), {"sigma_b"});
  expectWords(message([](auto& c) { c.species[0].mass = 2; }), {"mass 2"});
  auto pure = small();
  expectWords(messageOf<InputError>([&] { pure->adopt(good); }), {"one species"});
}

// Too large a time step or temperature: the particle is named, the state is kept, and a smaller one
// goes on.
TEST(MdBadInput, StepsThatAreTooLarge) {
  for (const char* method : {"all_pairs", "cells"}) {
    auto mode = small();
    restartWith(*mode, fmt::format("method={} temperature=20", method));
    change(*mode, "dt=0.03");
    const std::string blown = messageOf<RunError>([&] { mode->advance(2000); });
    expectWords(blown, {"blew up", "dt = 0.03"});
    for (const Configuration c = mode->configuration(); const double x : c.positions)
      ASSERT_TRUE(std::isfinite(x));
    change(*mode, "dt=0.0005");
    mode->advance(20);
  }
}

// A smaller one still is recognised by its drift before it blows up.
TEST(MdBadInput, DriftIsRecognised) {
  auto mode = small();
  restartWith(*mode, "potential=shifted temperature=6");
  change(*mode, "dt=0.001");
  mode->advance(100);
  EXPECT_TRUE(checkOf(*mode, "energy").ok) << checkOf(*mode, "energy").detail;
  change(*mode, "dt=0.017");
  std::string seen;
  try {
    for (int k = 0; k < 40 && seen.empty(); ++k) {
      mode->advance(50);
      if (!checkOf(*mode, "energy").ok) seen = checkOf(*mode, "energy").detail;
    }
  } catch (const RunError& e) {
    seen = e.what();
  }
  expectWords(seen, {"smaller time step"});
}

// What is wrong on purpose is called that, once, and asks for no other time step. Off again, the
// run is a valid one, judged from there on.
TEST(MdBadInput, StaleListsAreTheCauseAndNoFailureOutlastsThem) {
  auto mode = small(500);
  restartWith(*mode, "method=cells temperature=4 buffer=0.05 stale_lists=true");
  mode->advance(200);
  const SelfCheck stale = checkOf(*mode, "energy");
  const std::string &why = stale.detail, cause = ", as lists are stale";
  EXPECT_FALSE(stale.ok);
  expectWords(why, {cause, "; allowed 0.0"});
  EXPECT_EQ(why.find(cause), why.rfind(cause)) << why;
  EXPECT_FALSE(contains(why, "time step")) << why;
  change(*mode, "stale_lists=false");
  for (int k = 0; k < 3; ++k) {
    const SelfCheck energy = checkOf(*mode, "energy");
    EXPECT_TRUE(energy.ok) << energy.detail;
    expectWords(energy.detail, {"since t = "});
    mode->advance(100);
  }
}

TEST(MdBadInput, ValuesOutOfRangeNameKeyAndRange) {
  MdMode mode(ExecConfig{Backend::cpu, 2, 0});
  for (const std::string text :
       {"dt=1", "temperature=-1", "temperature=nan", "cutoff=0", "density=7", "system=ternary",
        "fraction_b=1.5", "coupling_time=0"}) {
    const std::string m = messageOf<InputError>([&] { assign(mode, text); });
    expectWords(m, {text.substr(0, text.find('='))});
    EXPECT_TRUE(contains(m, "to") || contains(m, "one of")) << m;
  }
}

// The number of particles follows from that of the colloids, which is what the way out names.
TEST(MdBadInput, ColloidsWithoutRoomForThreeCells) {
  const std::string few =
      "system=colloids colloids=8 colloid_diameter=3 colloid_fraction=0.1 density=0.2 cutoff=2.5 "
      "temperature=1 method=placeholder_cells";
  const std::string why = refused(few), way = "colloids of at least ";
  const std::size_t at = why.find(way);
  ASSERT_NE(at, std::string::npos) << why;
  EXPECT_FALSE(contains(why, "n of at least")) << why;
  const std::int64_t least = std::stoll(why.substr(at + way.size()));
  EXPECT_GT(least, 8);
  EXPECT_EQ(refused(fmt::format("{} colloids={}", few, least)), "");
  EXPECT_NE(refused(fmt::format("{} colloids={}", few, least - 1)), "");
}

// Friction and noise take up what a time step that is too large does to the energy; it is said all
// the same, with a step that does.
TEST(MdBadInput, ATimeStepThatTheBathHides) {
  auto mode = small(108, 0.8);
  assign(*mode, "thermostat=langevin temperature=1 bath_temperature=1");
  const auto check = [&](double dt) {
    change(*mode, fmt::format("dt={}", dt));
    return checkOf(*mode, "time step");
  };
  EXPECT_TRUE(check(0.005).ok) << check(0.005).detail;
  const SelfCheck large = check(0.022);
  const std::string& why = large.detail;
  EXPECT_FALSE(large.ok) << why;
  const std::string way = "dt of at most ";
  ASSERT_TRUE(contains(why, way)) << why;
  EXPECT_TRUE(check(std::stod(why.substr(why.find(way) + way.size()))).ok);
}

}  // namespace
}  // namespace cellscope::test
