// The benchmark as a person or a script starts it.
#include "sim/io/read_file.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;

TEST_F(Program, BenchmarksStateTheirLimit) {
  const std::string json = file("bench.json"), record = file("records");
  const Result r =
      cellscope("bench --backend cpu --filter memory/256 --json " + json + " --record " + record);
  ASSERT_EQ(r.code, 0) << r.output;
  EXPECT_TRUE(has(r, "limit")) << r.output;
  EXPECT_NE(io::readFile(json).find("\"case\": \"memory/256^2\""), std::string::npos);
  EXPECT_FALSE(fs::is_empty(record));
  // Not on the lattice that everything starts from: its trial moves are blocked less or more often.
  const std::size_t at = r.output.find("sweeps after a square lattice: acceptance ");
  ASSERT_NE(at, std::string::npos) << r.output;
  EXPECT_GE(std::stoi(r.output.substr(r.output.rfind(' ', at - 2))), 50) << r.output;
  EXPECT_EQ(cellscope("bench --filter no-such-case").code, 2);
}

// By mode, each row with its unit and what its limit counts.
TEST_F(Program, BenchmarksAreListedByMode) {
  const Result r = cellscope("bench --list --backend cpu");
  ASSERT_EQ(r.code, 0) << r.output;
  const std::size_t disks = r.output.find("Mode hard_disks\n"), md = r.output.find("Mode md\n");
  ASSERT_TRUE(disks < md && md != std::string::npos) << r.output;
  const std::size_t rate = r.output.find("trial moves per second (moves/s)");
  EXPECT_TRUE(disks < rate && rate < md) << r.output;
  EXPECT_TRUE(has(r, "limit: 10 instructions per pair") && has(r, "md/4096 all pairs (cpu)"));
  EXPECT_EQ(r.output.find("(cuda)"), std::string::npos);
  EXPECT_FALSE(has(cellscope("bench --list --backend cpu --filter memory"), "Mode md"));
}

}  // namespace
}  // namespace cellscope
