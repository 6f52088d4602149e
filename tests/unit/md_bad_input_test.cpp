// Bad input and bad luck in molecular dynamics: each message names the cause and the way out, and
// the way out works.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/modes/md/mode.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

using test::contains;
using test::edit;
using test::mdMode;
using test::MdSettings;
using test::messageOf;
using test::restartWith;
using test::set;
using test::small;
using test::word;

// What a start says to these settings.
std::string refused(const MdSettings& settings) {
  return messageOf<InputError>([&] { mdMode(settings); });
}
MdSettings with(MdSettings a, const MdSettings& b) {
  for (const auto& [key, value] : b) {
    const auto at = std::find_if(a.begin(), a.end(),
                                 [k = std::string(key)](const auto& s) { return s.first == k; });
    if (at != a.end())
      at->second = value;
    else
      a.emplace_back(key, value);
  }
  return a;
}

#define EXPECT_SAYS(text, part) EXPECT_TRUE(contains(text, part)) << text
#define ASSERT_SAYS(text, part) ASSERT_TRUE(contains(text, part)) << text

TEST(MdBadInput, CutoffsBeyondTheImages) {
  const MdSettings binary = {{"system", word("binary")}, {"n", std::int64_t{300}},
                             {"density", 0.5},           {"method", word("cells")},
                             {"cutoff_b", 15.0},         {"dimension", word("3")}};
  const std::string mixture = refused(binary);
  EXPECT_SAYS(mixture, "cutoff_b = 15");
  EXPECT_SAYS(mixture, "1.5 times the side, 12.65");
  EXPECT_SAYS(mixture, "n of at least 500");
  EXPECT_EQ(refused(with(binary, {{"n", std::int64_t{500}}})), "");
  const MdSettings plane = {{"dimension", word("2")}, {"n", std::int64_t{10}}, {"density", 0.5}};
  const MdSettings cells = with(plane, {{"method", word("placeholder_cells")}, {"cutoff", 2.5}});
  const std::string flat = refused(cells);
  EXPECT_SAYS(flat, "half the side with placeholder cells, 2.236");
  EXPECT_SAYS(flat, "method = cells, stencils, tree, clusters or all_pairs");
  for (const char* method : {"all_pairs", "cells", "stencils", "tree"}) {
    const MdSettings images = with(cells, {{"method", word(method)}});
    EXPECT_EQ(refused(images), "") << "the way out";
    const std::string further = refused(with(images, {{"cutoff", 8.0}}));
    EXPECT_SAYS(further, "1.5 times the side, 6.708");
    EXPECT_SAYS(further, "n of at least 15");
    EXPECT_EQ(refused(with(images, {{"cutoff", 8.0}, {"n", std::int64_t{15}}})), "");
  }
  const MdSettings colloids = {{"system", word("colloids")},
                               {"colloids", std::int64_t{1}},
                               {"colloid_fraction", 0.2},
                               {"method", word("cells")},
                               {"density", 0.6},
                               {"cutoff", 3.0}};
  EXPECT_SAYS(refused(colloids), "colloids of at least 2");
}

// Among images placeholder cells do not fit: they are refused while the run goes on as it was.
TEST(MdBadInput, AMethodThatKnowsNoImages) {
  for (const char* method : {"all_pairs", "tree"}) {
    auto mode = small(20, 0.8);
    edit(*mode, {{"method", word(method)}, {"cutoff", 4.0}});
    mode->advance(20);
    const std::string before = test::saved(*mode);
    set(*mode, "method", word("placeholder_cells"));
    EXPECT_SAYS(messageOf<InputError>([&] { mode->applyParameters(); }), "half the side");
    EXPECT_EQ(std::get<std::string>(mode->parameters().at("method").get()), method);
    EXPECT_EQ(test::saved(*mode), before);
    MdMode other(ExecConfig{Backend::cpu, 2, 0});
    test::load(other, before);
    mode->advance(10), other.advance(10);
    EXPECT_EQ(test::saved(*mode), test::saved(other)) << "a checkpoint of such a box is valid";
  }
}

TEST(MdBadInput, WhatIsImpossibleTogether) {
  const std::string flat =
      refused({{"system", word("colloids")}, {"dimension", word("2")}, {"method", word("cells")}});
  EXPECT_SAYS(flat, "dimension = 3");
  const std::string tail = refused({{"tail", true}});
  EXPECT_SAYS(tail, "potential = truncated");
  EXPECT_EQ(refused({{"tail", true}, {"potential", word("truncated")}}), "");
  const std::string law = refused({{"system", word("binary")},
                                   {"method", word("cells")},
                                   {"n", std::int64_t{2000}},
                                   {"potential", word("colloid")},
                                   {"sigma_b", 1.2}});
  EXPECT_SAYS(law, "sigma_b = 1.2");
  // While it runs the parameter is as before.
  auto mode = small();
  set(*mode, "tail", true);
  EXPECT_SAYS(messageOf<InputError>([&] { mode->applyParameters(); }), "tail");
  EXPECT_EQ(std::get<bool>(mode->parameters().at("tail").get()), false);
}

TEST(MdBadInput, DensitiesThatCannotBePlaced) {
  // At random there is no room for all of these: they are moved apart.
  EXPECT_EQ(refused({{"n", std::int64_t{500}}, {"density", 1.3}, {"lattice", word("random")}}), "");
  const std::string colloids = refused({{"system", word("colloids")},
                                        {"method", word("cells")},
                                        {"colloids", std::int64_t{100}},
                                        {"colloid_diameter", 3.0},
                                        {"colloid_fraction", 0.3},
                                        {"cutoff", 3.0},
                                        {"density", 0.6}});
  EXPECT_SAYS(colloids, "smaller colloid_fraction");
}

TEST(MdBadInput, StartsThatOverlap) {
  const MdSettings large = {{"system", word("binary")}, {"method", word("cells")},
                            {"n", std::int64_t{2000}},  {"fraction_b", 0.5},
                            {"sigma_b", 2.0},           {"cutoff_b", 2.5}};
  const std::string overlap = refused(large);
  EXPECT_SAYS(overlap, "overlap at the start");
  EXPECT_SAYS(overlap, "smaller sigma_b");
  EXPECT_SAYS(overlap, "minimise = true");
  EXPECT_EQ(refused(with(large, {{"sigma_b", 1.0}})), "");
  // Too many large ones to fit, however they are moved.
  EXPECT_SAYS(refused(with(large, {{"minimise", true}, {"n", std::int64_t{110}}})),
              "lower density");
}

TEST(MdBadInput, FilesWithUnknownTypes) {
  const auto mode = mdMode({{"system", word("binary")},
                            {"method", word("cells")},
                            {"n", std::int64_t{500}},
                            {"density", 0.5},
                            {"cutoff_b", 3.0}});
  const Configuration good = mode->configuration();
  const auto message = [&](const std::function<void(Configuration&)>& damage) {
    Configuration c = good;
    damage(c);
    return messageOf<InputError>([&] { mode->adopt(c); });
  };
  const std::string unknown = message([](auto& c) { c.species[1].name = "Xe"; });
  EXPECT_SAYS(unknown, "'Xe', which is unknown");
  EXPECT_SAYS(unknown, "'A' and 'B'");
  const std::string larger = message([](auto& c) { c.species[1].diameter = 1.4; });
  EXPECT_SAYS(larger, "sigma_b");
  const std::string heavier = message([](auto& c) { c.species[0].mass = 2; });
  EXPECT_SAYS(heavier, "mass 2");
  auto pure = small();
  EXPECT_SAYS(messageOf<InputError>([&] { pure->adopt(good); }), "one species");
}

SelfCheck checkOf(Mode& mode, const std::string& label) {
  for (const SelfCheck& check : mode.selfChecks())
    if (check.label == label) return check;
  return {label, false, "no check"};
}

// Too large a time step or temperature: the particle is named, the state is kept, and a smaller one
// goes on.
TEST(MdBadInput, StepsThatAreTooLarge) {
  for (const char* method : {"all_pairs", "cells"}) {
    auto mode = small();
    restartWith(*mode, {{"method", word(method)}, {"temperature", 20.0}});
    edit(*mode, "dt", 0.03);
    const std::string blown = messageOf<RunError>([&] { mode->advance(2000); });
    EXPECT_SAYS(blown, "blew up");
    EXPECT_SAYS(blown, "dt = 0.03");
    for (const Configuration c = mode->configuration(); const double x : c.positions)
      ASSERT_TRUE(std::isfinite(x));
    edit(*mode, "dt", 0.0005);
    mode->advance(20);
  }
}

// A smaller one still is recognised by its drift before it blows up.
TEST(MdBadInput, DriftIsRecognised) {
  auto mode = small();
  restartWith(*mode, {{"potential", word("shifted")}, {"temperature", 6.0}});
  edit(*mode, "dt", 0.001);
  mode->advance(100);
  EXPECT_TRUE(checkOf(*mode, "energy").ok) << checkOf(*mode, "energy").detail;
  edit(*mode, "dt", 0.017);
  std::string seen;
  try {
    for (int k = 0; k < 40 && seen.empty(); ++k) {
      mode->advance(50);
      if (!checkOf(*mode, "energy").ok) seen = checkOf(*mode, "energy").detail;
    }
  } catch (const RunError& e) {
    seen = e.what();
  }
  EXPECT_SAYS(seen, "smaller time step");
}

std::unique_ptr<MdMode> withStaleLists() {
  auto mode = small(500);
  restartWith(
      *mode,
      {{"method", word("cells")}, {"temperature", 4.0}, {"buffer", 0.05}, {"stale_lists", true}});
  mode->advance(200);
  return mode;
}

// What is wrong on purpose is called that, once, and asks for no other time step.
TEST(MdBadInput, StaleListsAreTheCause) {
  const SelfCheck energy = checkOf(*withStaleLists(), "energy");
  EXPECT_FALSE(energy.ok);
  const std::string &why = energy.detail, cause = ", as lists are stale";
  ASSERT_SAYS(why, cause);
  EXPECT_EQ(why.find(cause), why.rfind(cause)) << why;
  EXPECT_FALSE(contains(why, "time step")) << why;
}

// Off again, the run is a valid one, judged from there on.
TEST(MdBadInput, NoFailureOutlastsStaleLists) {
  const auto mode = withStaleLists();
  ASSERT_FALSE(checkOf(*mode, "energy").ok);
  EXPECT_SAYS(checkOf(*mode, "energy").detail, "; allowed 0.0");
  edit(*mode, "stale_lists", false);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(checkOf(*mode, "energy").ok) << checkOf(*mode, "energy").detail;
    EXPECT_SAYS(checkOf(*mode, "energy").detail, "since t = ");
    mode->advance(100);
  }
}

TEST(MdBadInput, ValuesOutOfRangeNameKeyAndRange) {
  MdMode mode(ExecConfig{Backend::cpu, 2, 0});
  for (const auto& [key, value] :
       MdSettings{{"dt", 1.0},
                  {"temperature", -1.0},
                  {"temperature", std::numeric_limits<double>::quiet_NaN()},
                  {"cutoff", 0.0},
                  {"density", 7.0},
                  {"system", word("ternary")},
                  {"fraction_b", 1.5},
                  {"coupling_time", 0.0}}) {
    const std::string m = messageOf<InputError>([&] { set(mode, key, value); });
    EXPECT_SAYS(m, key);
    EXPECT_TRUE(contains(m, "to") || contains(m, "one of")) << m;
  }
}

// The number of particles follows from that of the colloids, which is what the way out names.
TEST(MdBadInput, ColloidsWithoutRoomForThreeCells) {
  const MdSettings few = {{"system", word("colloids")},
                          {"colloids", std::int64_t{8}},
                          {"colloid_diameter", 3.0},
                          {"colloid_fraction", 0.1},
                          {"density", 0.2},
                          {"cutoff", 2.5},
                          {"temperature", 1.0},
                          {"method", word("placeholder_cells")}};
  const std::string why = refused(few), way = "colloids of at least ";
  const std::size_t at = why.find(way);
  ASSERT_NE(at, std::string::npos) << why;
  EXPECT_FALSE(contains(why, "n of at least")) << why;
  const std::int64_t least = std::stoll(why.substr(at + way.size()));
  EXPECT_GT(least, 8);
  EXPECT_EQ(refused(with(few, {{"colloids", least}})), "");
  EXPECT_NE(refused(with(few, {{"colloids", least - 1}})), "");
}

// Friction and noise take up what a time step that is too large does to the energy; it is said all
// the same, with a step that does.
TEST(MdBadInput, ATimeStepThatTheBathHides) {
  auto mode = small(108, 0.8);
  set(*mode, "thermostat", word("langevin"));
  set(*mode, "temperature", 1.0);
  set(*mode, "bath_temperature", 1.0);
  const auto check = [&](double dt) {
    edit(*mode, "dt", dt);
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
}  // namespace cellscope
