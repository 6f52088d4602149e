// Bad input and bad luck of molecular dynamics from the command line: exit code 2 for what cannot
// be run, 1 for a run that fails, whose last valid state is kept; each says cause and way out.
#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;

class MdProgram : public Program {
 protected:
  Result md(const std::string& arguments) {
    return shell("cd " + folder_.string() + " && env -u DISPLAY -u WAYLAND_DISPLAY " +
                 CELLSCOPE_PROGRAM + " run lj_all_pairs --backend cpu " + arguments);
  }
  void expectRefused(const std::string& arguments, const std::vector<std::string>& wanted) {
    const Result r = md(arguments);
    EXPECT_EQ(r.code, 2) << arguments << "\n" << r.output;
    for (const std::string& w : wanted)
      EXPECT_TRUE(has(r, w)) << arguments << " does not say '" << w << "':\n" << r.output;
  }
  std::string particles(const std::string& rows, int count) {
    std::ofstream(file("some.xyz"))
        << count << "\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\n"
        << rows;
    return "--steps 1 --load-configuration some.xyz ";
  }
};

TEST_F(MdProgram, RefusesWhatCannotBeRun) {
  expectRefused("--steps 1 --set n=50 method=placeholder_cells cutoff=2.5",
                {"cutoff = 2.5", "half the side", "n of at least", "method = cells"});
  expectRefused("--steps 1 --set n=50 cutoff=9",
                {"cutoff = 9", "1.5 times the side", "n of at least"});
  expectRefused(
      "--steps 1 --set system=colloids method=cells colloids=100 colloid_diameter=3 "
      "colloid_fraction=0.3 cutoff=3 density=0.6",
      {"of 100 could be placed", "smaller colloid_fraction"});
  expectRefused(
      "--steps 1 --set system=binary method=cells n=2000 fraction_b=0.5 sigma_b=2 cutoff_b=2.5",
      {"overlap at the start", "minimise = true", "smaller sigma_b"});
  expectRefused("--steps 1 --set dt=7", {"'dt'", "allowed: "});
  expectRefused("--steps 1 --set temperature=1e9", {"'temperature'", "allowed: "});
  expectRefused("--steps 1 --set system=binary mixing=given sigma_ab=0.9 cutoff_ab=2",
                {"missing pair parameters", "epsilon_ab is 0", "mixing = arithmetic"});
  expectRefused(
      "--steps 1 --set system=binary mixing=given sigma_ab=0.9 epsilon_ab=1 cutoff_ab=0.2",
      {"cutoff_ab = 0.2", "at least 0.5"});
  expectRefused("--steps 1 --set potential=morse", {"'morse'", "allowed: one of"});
}

TEST_F(MdProgram, RefusesFilesThatDoNotFit) {
  const std::string binary = "--set system=binary method=cells cutoff=2.5 cutoff_b=2.5";
  expectRefused(particles("A 1 1 1\nXe 3 3 3\nB 5 5 5\n", 3) + binary,
                {"'Xe', which is unknown", "'A' and 'B'", "rename"});
  expectRefused(particles("A 1 1 1\nB 3 3 3\n", 2), {"takes one species", "system = binary"});
  expectRefused(particles("A 1 1 1\nA 1 1 1\n", 2), {"same position", "minimise = true"});
  expectRefused(particles("A 1 1 1\nA 1.2 1 1\n", 2), {"overlaps", "minimise = true"});
  expectRefused(particles("A 1 1 1\nA nan 1 1\n", 2), {"some.xyz"});
}

// A particle that is flung away: it is named, the state before is in a checkpoint, and a smaller
// time step goes on from there.
TEST_F(MdProgram, KeepsTheStateOfARunThatBlowsUp) {
  const std::string hot = "--set n=500 temperature=20 dt=0.03 cutoff=2.5 method=";
  for (const char* method : {"all_pairs", "cells", "tree", "placeholder_cells"}) {
    EXPECT_TRUE(ended(md("--steps 3000 " + hot + method), 1, {"blew up", "dt = 0.03"}));
    EXPECT_TRUE(ended(shell("cd " + folder_.string() + " && " + CELLSCOPE_PROGRAM +
                            " run --resume lj_all_pairs.checkpoint --backend cpu --steps 5 --set "
                            "dt=0.0005"),
                      0))
        << method;
  }
}

}  // namespace
}  // namespace cellscope
