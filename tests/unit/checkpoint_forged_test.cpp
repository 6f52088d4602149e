// Checkpoints with a valid checksum and impossible content: each is refused with the name of the
// file, and none harms the program.
#include <fmt/format.h>

#include <cstring>

#include "sim/io/container.h"
#include "sim/run/session.h"
#include "tests/support/message_of.h"
#include "tests/support/modes.h"
#include "tests/support/mutate.h"

namespace cellscope::test {
namespace {

constexpr const char* kFile = "forged.checkpoint";

io::Container checkpointOf(const std::string& scenario,
                           std::vector<std::pair<std::string, ParameterValue>> parameters = {}) {
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

}  // namespace
}  // namespace cellscope::test
