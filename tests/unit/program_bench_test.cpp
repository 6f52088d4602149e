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

}  // namespace
}  // namespace cellscope
