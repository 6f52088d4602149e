// Tables of a state and particles selected by an expression, against all pairs and all particles.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "sim/run/inspector.h"
#include "tests/support/modes.h"
#include "tests/support/nist.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

const std::string kTabledFluid =
    "length=8 temperature=2 chemical_potential=-3 density=0.3 cutoff=2.5 tail=false method=cells "
    "tune=false moves_per_step=200";
const std::string kTabledDisks = "n=256 packing=0.5", kTabledLists = "n=500 density=0.6 method=";

std::unique_ptr<Session> runIn(const std::string& mode, const std::string& settings) {
  auto session = std::make_unique<Session>(scenarioWith(mode, settings), kOneThread);
  session->finishPreparation();
  return session;
}

// gcmc: truncated without a shift, so that each energy is 4 (r^-12 - r^-6).
TEST(Tables, NeighboursAreThoseOfAllPairs) {
  const auto session = runIn("gcmc", kTabledFluid);
  session->advance(5);
  const Configuration c = session->mode().configuration();
  for (const std::size_t a : {std::size_t{0}, c.size() / 2, c.size() - 1}) {
    std::map<ParticleId, double> near;
    for (std::size_t b = 0; b < c.size(); ++b)
      if (b != a && distanceBetween(c, a, b) < 2.5) near[c.ids[b]] = distanceBetween(c, a, b);
    const Table t = tableOf(session->mode(), fmt::format("neighbours {}", c.ids[a]));
    ASSERT_EQ(t.rows.size(), near.size());
    for (const TableRow& row : t.rows) {
      ASSERT_TRUE(near.count(row.pick));
      const double r = near[row.pick];
      EXPECT_NEAR(row.cells[1].order, r, 1e-5);  // distances in single precision
      // du/dr stays below 25 |u| / r where r > 0.8.
      EXPECT_NEAR(row.cells[5].order, ljEnergy(r), 1e-3 * (1 + std::fabs(ljEnergy(r))));
    }
  }
}

TEST(Tables, CellsHoldEachParticleOnce) {
  const std::pair<const char*, std::string> cases[] = {
      {"gcmc", kTabledFluid}, {"hard_disks", kTabledDisks}, {"md", kTabledLists + "cells"}};
  for (const auto& [mode, parameters] : cases) {
    const auto session = runIn(mode, parameters);
    session->advance(3);
    const Table t = tableOf(session->mode(), "cells");
    double sum = 0;
    for (const TableRow& row : t.rows) sum += row.cells[1].order;
    EXPECT_EQ(sum, static_cast<double>(session->mode().particleCount())) << mode;
    // As the place of the cell tells.
    const auto fullest = sortedBy(t, 1, true).front();
    const Found cell = findInside(session->mode(), t.rows[fullest].place);
    EXPECT_THAT(cell.words, HasSubstr(": " + t.rows[fullest].cells[1].text + " particles"));
    for (const TableRow& row : t.rows) EXPECT_FALSE(row.wrong) << mode;
  }
  const auto pairs = runIn("md", kTabledLists + "all_pairs");
  EXPECT_EQ(tableOf(pairs->mode(), "cells").note, "the method has no cells now");
}

// Boxes were made when the lists were built: at step 0 from the present positions.
TEST(Tables, NodesHoldEachParticleOnceAndLieInTheirParents) {
  const auto session = runIn("md", kTabledLists + "tree");
  Mode& mode = session->mode();
  const Table t = tableOf(mode, "nodes");
  ASSERT_FALSE(t.rows.empty());
  EXPECT_EQ(t.rows[0].cells[1].text, "0");
  EXPECT_EQ(t.rows[0].cells[4].order, 1);  // the root over itself
  int held = 0;
  std::set<std::string> children;
  for (const TableRow& row : t.rows) {
    const std::string& of = row.cells[3].text;
    if (of.ends_with(" held")) {
      held += std::stoi(of);
      continue;
    }
    const std::size_t space = of.find(' ');
    for (const std::string& child : {of.substr(0, space), of.substr(space + 1)}) {
      EXPECT_TRUE(children.insert(child).second);
      const TableRow& node = t.rows[std::stoul(child)];
      EXPECT_EQ(node.cells[1].order, row.cells[1].order + 1);
      EXPECT_TRUE(row.lo.x <= node.lo.x && node.hi.x <= row.hi.x && row.lo.z <= node.lo.z);
    }
  }
  EXPECT_EQ(children.size() + 1, t.rows.size());
  EXPECT_EQ(held, 500);
  const Found node = findInside(mode, "node 3");
  EXPECT_EQ(node.lo.x, t.rows[3].lo.x);
  EXPECT_THAT(node.words, HasSubstr("node 3: depth "));
  expectRefusal([&] { findInside(mode, "node 100000"); }, {"there is no node 100000; there are "});
  EXPECT_THAT(tableOf(runIn("md", kTabledLists + "cells")->mode(), "nodes").note,
              HasSubstr("without trees"));
}

// Accepted moves are what has changed, and their energies add up to the change of the energy.
TEST(Tables, MovesOfTheLastStepAreWhatItDid) {
  const auto session = runIn("gcmc", kTabledFluid), plain = runIn("gcmc", kTabledFluid);
  Mode& mode = session->mode();
  dynamic_cast<Inspectable&>(mode).watchMoves(true);
  const auto energy = [&](const Configuration& c) {
    double u = 0;
    for (std::size_t a = 0; a < c.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (distanceBetween(c, a, b) < 2.5) u += ljEnergy(distanceBetween(c, a, b));
    return u;
  };
  session->advance(4);
  const Configuration before = mode.configuration();
  session->advance(1);
  const Configuration after = mode.configuration();
  const Table t = tableOf(mode, "moves");
  ASSERT_EQ(t.rows.size(), 200u);
  double change = 0, number = 0;
  int accepted = 0;
  for (const TableRow& row : t.rows) {
    if (row.cells[4].text != "accepted") continue;
    ++accepted;
    change += row.cells[3].order;
    number += row.cells[1].text == "insert" ? 1 : row.cells[1].text == "delete" ? -1 : 0;
  }
  EXPECT_GT(accepted, 10);
  EXPECT_EQ(number, static_cast<double>(after.size()) - static_cast<double>(before.size()));
  // Positions in words of 2^-32 of the box, distances in single precision.
  EXPECT_NEAR(change, energy(after) - energy(before), 1e-3 * (1 + std::fabs(energy(after))));
  plain->advance(5);
  EXPECT_TRUE(plain->checkpoint() == session->checkpoint());
}

TEST(Tables, DisksThatMovedAreInTheTable) {
  const auto session = runIn("hard_disks", kTabledDisks);
  Mode& mode = session->mode();
  dynamic_cast<Inspectable&>(mode).watchMoves(true);
  session->advance(2);
  const Configuration before = mode.configuration();
  session->advance(1);
  const Configuration after = mode.configuration();
  std::map<ParticleId, Vec3d> moved;
  for (const TableRow& row : tableOf(mode, "moves").rows) {
    EXPECT_EQ(row.cells[1].text == "moved", row.cells[2].order != 0 || row.cells[3].order != 0);
    moved[row.pick].x += row.cells[2].order;
    moved[row.pick].y += row.cells[3].order;
  }
  EXPECT_GT(moved.size(), 100u);
  for (std::size_t k = 0; k < before.size(); ++k) {
    const Vec3d a = before.place(k), b = after.place(slotOf(after, before.ids[k]));
    const Vec3d d = before.box.minimumImage({b.x - a.x, b.y - a.y, 0});
    // Cells shift by floats of up to a cell's width: rounding of 1e-7 of it, a few times.
    EXPECT_NEAR(d.x, moved[before.ids[k]].x, 1e-5);
    EXPECT_NEAR(d.y, moved[before.ids[k]].y, 1e-5);
  }
}

TEST(Tables, RowsSortByNumbersAndCsvQuotesCommas) {
  const Table t{{{"cell", ""}, {"count", ""}},
                {{{{"(0, 1)", 0}, wholeCell(10)}}, {{{"(1, 1)", 1}, wholeCell(9)}}},
                ""};
  EXPECT_EQ(sortedBy(t, 1, false), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(sortedBy(t, 1, true), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(sortedBy(t, 7, false), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(csvOf(t), "cell,count\n\"(0, 1)\",10\n\"(1, 1)\",9\n");
}

Table differenceOf(Session& session, const std::string& settings) {
  return tableOfRun(session, "against " + settings, kOneThread, makeMode);
}

TEST(Difference, IsNoneBetweenMethodsThatAreRight) {
  const auto lists = runIn("md", kTabledLists + "cells");
  lists->advance(20);
  const std::string before = lists->checkpoint();
  const Table t = differenceOf(*lists, "method=tree");
  EXPECT_TRUE(t.rows.empty()) << csvOf(t);
  EXPECT_THAT(t.note,
              testing::ContainsRegex("pairs within the cutoff: none of [1-9][0-9]+ listed pairs"));
  EXPECT_THAT(t.note, HasSubstr("after one step: none of 500 particles differs"));
  EXPECT_TRUE(before == lists->checkpoint());
  const auto chain = runIn("gcmc", kTabledFluid);
  chain->advance(3);
  const Table moves = differenceOf(*chain, "method=all_particles");
  EXPECT_TRUE(moves.rows.empty()) << csvOf(moves);
  EXPECT_THAT(moves.note, HasSubstr("decisions: none of 200 trial moves"));
}

// Lists that are not built again when particles have moved too far: against those that are.
TEST(Difference, NamesEachMissingPair) {
  const auto session =
      runIn("md", kTabledLists + "cells temperature=2 buffer=0.1 stale_lists=true");
  std::string start;
  std::set<std::string> missing;
  for (int k = 0; k < 40 && missing.empty(); ++k) {
    session->advance(9);
    start = session->checkpoint();
    session->advance(1);
    for (const ParticleId id : session->mode().configuration().ids)
      for (const Neighbour& n : dynamic_cast<Inspectable&>(session->mode()).neighboursOf(id))
        if (n.within && !*n.listed && id < n.id) missing.insert(fmt::format("{} {}", id, n.id));
  }
  ASSERT_FALSE(missing.empty());
  const ExecConfig config{Backend::cpu, 1, 0};
  const Table t = differenceTable(start, "stale_lists=false", config, makeMode);
  std::set<std::string> found;
  for (const TableRow& row : t.rows)
    if (row.cells[0].text == "pair") {
      EXPECT_EQ(row.cells[2].text, "not listed");
      EXPECT_EQ(row.cells[3].text, "listed");
      found.insert(row.place);
    }
  EXPECT_EQ(found, missing);
  EXPECT_THAT(t.note, HasSubstr("red here: neighbour list"));
  expectRefusal([&] { differenceOf(*session, "n=20"); }, {"'n' determines the initial state"});
  expectRefusal([&] { differenceOf(*session, "tree"); }, {"'tree' is no setting; write KEY=VALUE"});
}

TEST(Selection, IsThatOfAllParticles) {
  const auto session = runIn("md", kTabledLists + "cells");
  session->advance(20);
  Mode& mode = session->mode();
  const Configuration c = mode.configuration();
  const auto speed = [&](std::size_t k) {
    return std::hypot(c.velocities[3 * k], c.velocities[3 * k + 1], c.velocities[3 * k + 2]);
  };
  const auto check = [&](const std::string& text, const auto& holds) {
    const std::vector<bool> mask = selectionOf(mode, c, text);
    std::size_t count = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      EXPECT_EQ(mask[k], holds(k)) << text << ", particle " << c.ids[k];
      count += mask[k] ? 1 : 0;
    }
    EXPECT_GT(count, 0u) << text;
    EXPECT_LT(count, c.size()) << text;
  };
  check("speed > 2 && x < 3", [&](std::size_t k) { return speed(k) > 2 && c.place(k).x < 3; });
  check("id<3||id>=490&&z>1",
        [&](std::size_t k) { return c.ids[k] < 3 || (c.ids[k] >= 490 && c.place(k).z > 1); });
  check("(id < 30 || id >= 490) && vz > 0", [&](std::size_t k) {
    return (c.ids[k] < 30 || c.ids[k] >= 490) && c.velocities[3 * k + 2] > 0;
  });
  check("within 1.7 of 109", [&](std::size_t k) {
    return c.ids[k] != 109 && distanceBetween(c, k, slotOf(c, 109)) < 1.7;
  });
  auto& asked = dynamic_cast<Inspectable&>(mode);
  std::set<ParticleId> listed;
  for (const Neighbour& n : asked.neighboursOf(109))
    if (*n.listed) listed.insert(n.id);
  check("list of 109", [&](std::size_t k) { return listed.count(c.ids[k]) > 0; });
  const CellGridPlace grid = *asked.cellGrid();
  const auto cellOf = [&](std::size_t k) { return cellAt(grid, c.box, c.place(k)); };
  check("cell (1, 0, 2)", [&](std::size_t k) { return cellOf(k) == GridCell{{1, 0, 2}}; });
  check("cell of 109", [&](std::size_t k) { return cellOf(k) == cellOf(slotOf(c, 109)); });
  Frame frame;
  EXPECT_EQ(addSelection(mode, frame, "id < 7"), 7u);
  EXPECT_EQ(frame.layers.back().count, 7u);
  EXPECT_EQ(frame.layers.back().scale.title, "selected: 7 of 500");
}

TEST(Selection, TypesGoByNameAndNumber) {
  Configuration c;
  c.box.length[0] = c.box.length[1] = c.box.length[2] = 5;
  c.species = {{"A"}, {"B"}};
  c.positions.assign(9, 1.0);
  c.types = {0, 1, 1};
  c.ids = firstIds(3);
  const auto session = runIn("hard_disks", kTabledDisks);
  const std::vector<bool> ofB = {false, true, true};
  for (const char* text : {"type == B", "type == 1", "type != A"})
    EXPECT_EQ(selectionOf(session->mode(), c, text), ofB) << text;
}

TEST(Selection, RefusalsSayWhatMayStandThere) {
  const auto session = runIn("hard_disks", kTabledDisks);
  const Configuration c = session->mode().configuration();
  const auto refusal = [&](const std::string& text) {
    return messageOf<InputError>([&] { selectionOf(session->mode(), c, text); });
  };
  EXPECT_THAT(refusal("speed > 2"), HasSubstr("have no velocities"));
  EXPECT_THAT(refusal("type == C"), HasSubstr(R"(there is no type "C"; there are: )"));
  EXPECT_THAT(refusal("type > 0"), HasSubstr("types compare by == and != only"));
  EXPECT_THAT(refusal("mass > 2"), HasSubstr(R"("mass" is not known; allowed: type == NAME)"));
  EXPECT_THAT(refusal("x > 1 y > 2"), HasSubstr(R"("y" is not expected there)"));
  EXPECT_THAT(refusal("(x > 1"), HasSubstr(R"(')' is missing after "1")"));
  EXPECT_THAT(refusal("x >"), HasSubstr(R"(a number is missing after ">")"));
  EXPECT_THAT(refusal("cell (99, 0)"), HasSubstr("there is no cell 99 along x; allowed: 0 to "));
  EXPECT_THAT(refusal("within 2 of 1000"), HasSubstr("there is no particle 1000; there are 256"));
  EXPECT_THAT(refusal("list of 3"), HasSubstr("no neighbour lists"));
}

class TableFiles : public Program {};

TEST_F(TableFiles, ABatchRunWritesThem) {
  const std::string run = "run stale_list --backend cpu --steps 30 --quiet ";
  const Result r =
      cellscope(run + "--table 'neighbours 109' " + file("near.csv") + " --table cells " +
                file("cells.csv") + " --table moves " + file("moves.csv"));
  ASSERT_EQ(r.code, 0) << r.output;
  const auto near = linesOf(file("near.csv")), cells = linesOf(file("cells.csv"));
  EXPECT_EQ(near.at(0), "id,distance,image,cell,listed,energy");
  EXPECT_GT(near.size(), 3u);
  EXPECT_EQ(cells.at(0), "cell,count,capacity,overflow");
  EXPECT_EQ(linesOf(file("moves.csv")).size(), 1u);
  const Result moves = cellscope(
      "run gcmc_liquid --backend cpu --steps 2 --quiet "
      "--overwrite --table moves " +
      file("moves.csv"));
  ASSERT_EQ(moves.code, 0) << moves.output;
  EXPECT_GT(linesOf(file("moves.csv")).size(), 100u);
  EXPECT_TRUE(refuses(run + "--table springs " + file("x.csv"),
                      {"--table 'springs': 'springs' is no table; allowed: "
                       "neighbours ID, cells, nodes, moves"}));
  EXPECT_THAT(cellscope(run + "--table 'neighbours 5000' " + file("x.csv")).output,
              HasSubstr("there is no particle 5000; there are 1372"));
}

}  // namespace
}  // namespace cellscope::test
