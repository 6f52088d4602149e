// Checkpoints with a valid checksum and impossible content: each is refused with the name of the
// file, and none harms the program.
// Files of lists as others and the program write them, and those that nobody should have to fear.
#include "sim/io/container.h"
#include "sim/io/formats/npz.h"
#include "sim/io/list_file.h"
#include "sim/run/session.h"
#include "tests/support/modes.h"
#include "tests/support/mutate.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

constexpr const char* kFile = "forged.checkpoint";

io::Container checkpointOf(const std::string& scenario, Settings parameters = {}) {
  Scenario s = shipped(scenario);
  for (const auto& [key, value] : parameters) setParameter(s, key, value);
  Session session(s, kOneThread);
  session.advance(20);
  session.set(scenario == "four_disks" ? "d" : "dt", scenario == "four_disks" ? 0.2 : 0.002);
  session.advance(17);
  return io::unpack(session.checkpoint(), kFile);
}

std::string& sectionOf(io::Container& c, const std::string& name) {
  for (auto& [key, content] : c.sections)
    if (key == name) return content;
  ADD_FAILURE() << "no section " << name;
  return c.sections.front().second;
}

std::string refusalOf(const io::Container& c) {
  return messageOf<InputError>([&] { Session::resumeFrom(io::pack(c), kFile, kOneThread); });
}

// It may still be valid: then it runs.
void tryOut(const io::Container& c, int& refused) {
  std::unique_ptr<Session> session;
  try {
    session = Session::resumeFrom(io::pack(c), kFile, kOneThread);
  } catch (const Failure& e) {
    expectWords(e.what(), {kFile});
    ++refused;
    return;
  }
  try {
    session->advance(3);
    session->checkpoint();
  } catch (const RunError&) {  // a state that cannot go on: a particle as fast as light
  }
}

void expectNoneHarms(const io::Container& good, int rounds) {
  Numbers random;
  int refused = 0;
  tryOut(good, refused);
  EXPECT_EQ(refused, 0);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < good.sections.size(); ++k) {
      SCOPED_TRACE(fmt::format("round {}, section {}", round, good.sections[k].first));
      io::Container c = good;
      mutate(c.sections[k].second, random);
      if (random.below(20) == 0) mutate(c.sections[k].first, random);
      tryOut(c, refused);
    }
  EXPECT_GT(refused, rounds * static_cast<int>(good.sections.size()) / 4);
}

TEST(ForgedCheckpoint, DisksSurviveMutations) { expectNoneHarms(checkpointOf("four_disks"), 20); }

TEST(ForgedCheckpoint, MoleculesSurviveMutations) {
  expectNoneHarms(checkpointOf("lj_all_pairs", {{"n", std::int64_t{108}}}), 12);
}

TEST(ForgedCheckpoint, EverySectionIsChecked) {
  const io::Container good = checkpointOf("four_disks");
  const std::string most = "18446744073709551615";
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  io::Container copy = good;
  const std::string edits = sectionOf(copy, "edits"), parameters = sectionOf(copy, "parameters");
  const std::string averages = sectionOf(copy, "averages");
  std::string late = averages;
  late.replace(8, 8,
               std::string("\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f"));  // the first step of the averages
  const std::tuple<std::string, std::string, const char*> cases[] = {
      {"mode", "md", "its mode is 'md', that of its scenario 'hard_disks'"},
      {"name", "../../evil", "'../../evil', is not the name of a file"},
      {"name", "..", "is not the name of a file"},
      {"name", std::string(300, 'x'), "is not the name of a file"},
      {"name", std::string("a\0b/\x1b[31m", 9), "is not the name of a file"},
      {"replicate", "", "the number of copies is ''; allowed: whole number 1 to 4096"},
      {"replicate", most, "the number of copies is"},
      {"replicate", "2", "it has copies and no configuration"},
      {"preparation", "many", "its preparation is 'many'; allowed: whole number 0 to"},
      {"preparation", most, "its preparation is"},
      {"equilibration", "0", "its equilibration is not two numbers"},
      {"equilibration", "0 -1", "its equilibration is '-1'"},
      {"equilibration", "0 12", "its equilibration ended at step 12"},
      {"equilibration", "5 100", "its equilibration ends twice"},
      {"edits", changed(edits, "20\t", most + "\t"), "later than the state, 37"},
      {"edits", edits + "3\t0\td\td\t0.1\n", "out of order"},
      {"edits", changed(edits, "0.2", "2e9"), "2000000000 is out of range"},
      {"edits", "20\t0\tb\tb\tmaybe\n", "no value of type 'b'"},
      {"edits", "20\t0\twhat\td\t1\n", "what"},
      {"parameters", parameters + parameters, "is there twice"},
      {"parameters", parameters.substr(parameters.find('\n') + 1), "is missing"},
      {"averages", late, "its averages begin at step"},
      {"averages", averages + "x", "bytes follow the averages"}};
  for (const auto& [section, content, wanted] : cases) {
    io::Container c = good;
    sectionOf(c, section) = content;
    SCOPED_TRACE(section);
    const std::string m = refusalOf(c);
    expectWords(m, {wanted, kFile});
    EXPECT_EQ(m.find('\x1b'), std::string::npos) << "raw bytes reach the terminal";
  }
  for (const char* name : {"state", "sate"}) {
    io::Container c = good;
    c.sections.emplace_back(name, "x");
    expectWords(refusalOf(c), {fmt::format("section '{}'", name)});
  }
}

// The state holds the step as a number of eight bytes.
TEST(ForgedCheckpoint, StepsBeyondAllCountingAreRefused) {
  io::Container c = checkpointOf("lj_all_pairs", {{"n", std::int64_t{108}}});
  const std::uint64_t step = 37, last = ~0ull;
  std::string& state = sectionOf(c, "state");
  const std::size_t at =  // after the parameters
      state.find(std::string(reinterpret_cast<const char*>(&step), sizeof step),
                 state.find("tile"));
  ASSERT_NE(at, std::string::npos);
  std::memcpy(&state[at], &last, sizeof last);
  expectWords(refusalOf(c), {fmt::format("step {}", last)});
}

using io::NpyMember;
using Members = std::vector<NpyMember>;

template <class T>
NpyMember array(const std::string& name, const char* descr, const std::vector<T>& v,
                std::vector<std::uint64_t> shape) {
  std::string bytes(v.size() * sizeof(T), '\0');
  if (!v.empty()) std::memcpy(bytes.data(), v.data(), bytes.size());
  return {name, descr, bytes, std::move(shape)};
}
NpyMember reals(const std::string& name, const std::vector<double>& v,
                std::vector<std::uint64_t> shape) {
  return array(name, "<f8", v, std::move(shape));
}
NpyMember wholes(const std::string& name, const std::vector<std::int64_t>& v,
                 std::vector<std::uint64_t> shape = {}) {
  if (shape.empty()) shape = {v.size()};
  return array(name, "<i8", v, std::move(shape));
}

// Three particles, of which the first two are neighbours across a face.
Members three() {
  return {reals("positions", {0.2, 1, 1, 4.8, 1, 1, 2.5, 3, 3}, {3, 3}),
          reals("cell", {5, 0, 0, 0, 5, 0, 0, 0, 5}, {3, 3}),
          reals("cutoff", {1}, {}),
          wholes("i", {0, 1}),
          wholes("j", {1, 0}),
          wholes("S", {-1, 0, 0, 1, 0, 0}, {2, 3})};
}
Members with(Members all, NpyMember other) {
  for (NpyMember& m : all)
    if (m.name == other.name) return m = std::move(other), all;
  all.push_back(std::move(other));
  return all;
}
Members without(Members all, const std::string& name) {
  std::erase_if(all, [&](const NpyMember& m) { return m.name == name; });
  return all;
}

class ListFile : public Program {
 protected:
  std::string written(const Members& m) {
    io::replaceFile(file("list.npz"), io::npzText(m));
    return file("list.npz");
  }
  Result checked(const Members& m, const std::string& options = "") {
    return cellscope("check-lists " + written(m) + " " + options);
  }
};

TEST_F(ListFile, TakesPairsInEveryForm) {
  EXPECT_EQ(checked(three()).code, 0);
  const Members none = without(without(without(three(), "i"), "j"), "S");
  EXPECT_EQ(checked(with(none, wholes("edge_index", {0, 1, 1, 0}, {2, 2}))).code, 0);
  EXPECT_EQ(checked(with(none, wholes("pairs", {0, 1, 1, 0}, {2, 2}))).code, 0);
  EXPECT_EQ(checked(with(none, wholes("pairs", {0, 1}, {1, 2})), "--half").code, 0);
  EXPECT_EQ(checked(with(none, wholes("pairs", {0, 1}, {1, 2})), "--full").code, 1);
  EXPECT_EQ(checked(with(three(), wholes("pairs", {0, 1}, {1, 2}))).code, 2);
  EXPECT_EQ(checked(with(three(), array<std::uint8_t>("half", "|b1", {1}, {}))).code, 1);
  EXPECT_EQ(checked(without(three(), "cutoff")).code, 2);
  EXPECT_EQ(checked(without(three(), "cutoff"), "--cutoff 1").code, 0);
  EXPECT_EQ(checked(three(), "--cutoff 3.9").code, 1);
  // An index that is no particle is a wrong pair, and not a bad file.
  EXPECT_TRUE(ended(checked(with(three(), wholes("j", {1, 3}))), 1, {"out of range"}));
}

TEST_F(ListFile, TakesThePlaneAndOpenSides) {
  Members flat = with(three(), reals("positions", {0.2, 1, 4.8, 1, 2.5, 3}, {3, 2}));
  EXPECT_EQ(checked(flat).code, 0);
  flat = with(flat, reals("cell", {5, 0, 0, 5}, {2, 2}));
  EXPECT_EQ(checked(flat).code, 0);
  EXPECT_EQ(checked(with(flat, wholes("S", {-1, 0, 1, 0}, {2, 2}))).code, 0);
  const Members open = with(three(), array<std::uint8_t>("pbc", "|b1", {0, 1, 1}, {3}));
  EXPECT_TRUE(ended(checked(open), 2, {"pbc is false"})) << "S along an open side";
}

// Each names the array, the value and what is allowed.
TEST_F(ListFile, RefusesHostileFilesWithTheTrueReason) {
  const std::vector<std::pair<Members, std::string>> cases = {
      {with(three(), reals("positions", {0, 0, 0, 1}, {4})), "positions"},
      {with(three(), reals("positions", {0.2, 1, 1, 4.8, NAN, 1, 2.5, 3, 3}, {3, 3})),
       "nan at place 4"},
      {with(three(), reals("positions", {0.2, 1, 1, INFINITY, 1, 1, 2.5, 3, 3}, {3, 3})), "inf"},
      {with(three(), reals("cell", {5, 0, 0, 0, 5, 0}, {2, 3})), "'cell' has the shape (2, 3)"},
      {with(three(), reals("cell", {5, 0, 0, 0, 5, 0, 5, 5, 0}, {3, 3})), "volume"},
      {with(three(), reals("cell", {0, 0, 0, 0, 5, 0, 0, 0, 5}, {3, 3})), "volume"},
      {with(three(), reals("cutoff", {-1}, {})), "cutoff"},
      {with(three(), reals("cutoff", {1, 2}, {2})), "cutoff"},
      {with(three(), reals("cutoff", {NAN}, {})), "cutoff"},
      {with(three(), reals("cutoff", {1e7}, {})), "allowed"},
      {with(three(), wholes("j", {1})), "'j' has the shape (1); allowed: (2)"},
      {with(three(), wholes("S", {-1, 0, 0}, {1, 3})), "'S'"},
      {with(three(), wholes("S", {std::int64_t{1} << 40, 0, 0, 1, 0, 0}, {2, 3})),
       "'S' has 1099511627776"},
      {with(three(), reals("i", {0, 1}, {2})), "whole numbers"},
      {with(three(), wholes("pbc", {1, 1}, {2})), "pbc"},
      {with(with(three(), wholes("types", {0, 1, 2})), reals("cutoffs", {1, 1, 1, 1}, {2, 2})),
       "'types' has 2 for particle 2; allowed: 0 to 1"},
      {with(with(three(), wholes("types", {0, 1, 1})), reals("cutoffs", {1, 2, 3, 4}, {2, 2})),
       "'cutoffs' is 3"},
      {with(three(), reals("cutoffs", {1, 1, 1, 1}, {2, 2})), "'types' is missing"},
      {with(three(), reals("radii", {1, 1}, {2})), "radii"},
      {with(three(), wholes("cell_dims", {-1, 2, 2})), "'cell_dims' has -1"},
      {with(three(), wholes("cell_dims", {1 << 20, 1 << 20, 1 << 20})), "2^40"},
      {with(three(), wholes("cell_of", {0, 0})), "'cell_of' has the shape (2)"},
      {with(with(three(), wholes("cell_dims", {2, 2, 2})), wholes("cell_start", {0, 3})),
       "cell_start"},
      {with(three(), wholes("left", {1, -1, -1})), "'right' is missing"},
      {with(three(), wholes("rope", {1, -1, -1})), "'rope' is of a tree"}};
  for (const auto& [members, reason] : cases)
    EXPECT_TRUE(ended(checked(members), 2, {reason})) << reason;
  EXPECT_TRUE(refuses("check-lists " + file("nothing.npz")));
  io::replaceFile(file("text.npz"), "hello\n");
  EXPECT_TRUE(has(cellscope("check-lists " + file("text.npz")), "allowed are"));
}

TEST_F(ListFile, DamagedFilesAreRefusedOrRead) {
  const std::string whole = io::npzText(with(three(), wholes("cell_of", {0, 0, 0})));
  Numbers random(4);
  for (int k = 0; k < 2000; ++k) {
    std::string text = whole;
    for (std::size_t n = random.below(3) + 1; n > 0; --n) mutate(text, random);
    std::ofstream(file("damaged.npz"), std::ios::binary) << text;
    try {
      io::readPairList(file("damaged.npz"));
    } catch (const InputError&) {
    }
  }
}

TEST_F(ListFile, ReadsLammpsDumpLocalWithParticlesOfAnotherFile) {
  const auto dump = [&](const std::string& entries,
                        const std::string& columns = "index c_1[1] c_1[2]") {
    io::replaceFile(file("dump.local"),
                    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ENTRIES\n0\nITEM: ENTRIES index a b\n"
                    "ITEM: TIMESTEP\n10\nITEM: NUMBER OF ENTRIES\n1\n"
                    "ITEM: BOX BOUNDS pp pp pp\n0 5\n0 5\n0 5\nITEM: ENTRIES " +
                        columns + "\n" + entries);
    return "check-lists " + file("dump.local") + " --cutoff 1 --positions " + file("p.xyz");
  };
  io::replaceFile(file("p.xyz"),
                  "3\nLattice=\"5 0 0 0 5 0 0 0 5\" Properties=species:S:1:pos:R:3:id:I:1\n"
                  "X 2.5 3 3 7\nX 0.2 1 1 4\nX 4.8 1 1 9\n");
  EXPECT_TRUE(completes(dump("1 4 9\n")));
  EXPECT_TRUE(completes(dump("1 9 4 0.4\n", "index c_1[1] c_1[2] c_2[1]")));
  EXPECT_TRUE(completes(dump("9 4\n", "c_1[1] c_1[2]")));
  EXPECT_TRUE(ended(cellscope(dump("") + " --json " + file("m.json")), 1, {"id of i     id of j"}));
  EXPECT_NE(io::readFile(file("m.json")).find("\"id_i\":4,\"id_j\":9"), std::string::npos);
  EXPECT_EQ(cellscope(dump("1 4 8\n")).code, 1);
  EXPECT_TRUE(refuses(dump("1 4\n"), {"dump.local:15:"}));
  EXPECT_TRUE(completes(dump("1 4 9\r\n", "index c_1[1] c_1[2]\r")));
  EXPECT_TRUE(refuses(dump("1 1.23457e+06 9\n"), {"'1.23457e+06' is rounded"}));
  EXPECT_TRUE(refuses("check-lists " + file("dump.local") + " --cutoff 1"));
  // Without ids LAMMPS counts from 1.
  io::replaceFile(file("p.xyz"),
                  "3\nLattice=\"5 0 0 0 5 0 0 0 5\" Properties=species:S:1:pos:R:3\n"
                  "X 2.5 3 3\nX 0.2 1 1\nX 4.8 1 1\n");
  EXPECT_TRUE(completes(dump("1 3 2\n")));
}

TEST_F(ListFile, TheProgramWritesAndChecksThem) {
  const Result run =
      cellscope("run argon --set n=500 method=tree --steps 5 --quiet --backend cpu --lists " +
                file("own.npz"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(completes("check-lists " + file("own.npz"), {"Right"}));
  const Result wrong = cellscope("check-lists " + file("own.npz") + " --cutoff 3.3 --json " +
                                 file("w.json") + " --csv " + file("w.csv"));
  EXPECT_TRUE(ended(wrong, 1, {"missing"}));
  EXPECT_GT(linesOf(file("w.csv")).size(), 10u);
  EXPECT_TRUE(has(wrong, ": read in ")) << wrong.output;
  EXPECT_NE(io::readFile(file("w.json")).find("\"seconds\": {\"read\": "), std::string::npos);
  EXPECT_TRUE(completes("check-lists " + file("own.npz") + " --compare " + file("own.npz"),
                        {"0 wrong pairs are gone, 0 are new",
                         "0 pairs only in the first list, 0 only in the second"}));
}

TEST_F(ListFile, RefusesRunsWithoutLists) {
  for (const char* scenario : {"lj_all_pairs", "four_disks", "gcmc_dilute"})
    EXPECT_TRUE(refuses(
        "run " + std::string(scenario) + " --steps 1 --backend cpu --lists " + file("no.npz"),
        {"lists"}));
  EXPECT_TRUE(refuses("run argon --steps 1 --lists " + file("no.csv")));
}

// Shifts count from where the other program had the particles.
TEST_F(ListFile, ShiftsFollowPositionsThatAreWrapped) {
  // In every case 3 apart along x.
  for (const auto& [x, image] : {std::pair("-1", 0), {"8", 1}, {"5", 0}, {"-19", -2}, {"-4", 1}}) {
    io::replaceFile(file("l.npz"),
                    io::npzText({wholes("i", {0}), wholes("j", {1}),
                                 wholes("S", {image, 0, 0}, {1, 3}), reals("cutoff", {4}, {})}));
    std::ofstream(file("p.xyz")) << "2\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T T\" "
                                    "Properties=species:S:1:pos:R:3\nX "
                                 << x << " 1 1\nX 2 1 1\n";
    const Result r = cellscope("check-lists " + file("l.npz") + " --positions " + file("p.xyz"));
    EXPECT_EQ(r.code, *x == '-' && x[1] == '4' ? 1 : 0) << x << ": " << r.output;
  }
}

}  // namespace
}  // namespace cellscope::test
