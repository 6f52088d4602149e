// The program with one system on several domains: the files of a run are those of one domain, also
// when it is killed and goes on with another number of them; what is impossible is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "sim/io/read_file.h"
#include "sim/run/session.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;
using testing::HasSubstr;

struct DomainRuns : Program {
  const std::string disks_ =
      "run hexatic --backend cpu --threads 2 --sample-every 10 --set n=900 packing=0.7 "
      "start=hexagonal ";
  std::string crcOf(const std::string& arguments) {
    const Result r = cellscope(disks_ + "--overwrite --result " + file("r.json") + " --csv " +
                               file("r.csv") + " " + arguments);
    EXPECT_EQ(r.code, 0) << r.output;
    return nlohmann::json::parse(io::readFile(file("r.json")))["final_state_crc64"].dump() + rows();
  }
  std::string rows() const {
    std::string all;
    for (const std::string& line : linesOf(file("r.csv")))
      if (std::isdigit(static_cast<unsigned char>(line[0]))) all += line + "\n";
    return all;
  }
};

TEST_F(DomainRuns, AreThoseOfOneDomain) {
  const std::string one = crcOf("--until 200");
  for (const char* domains : {"2", "3", "4"})
    EXPECT_EQ(crcOf(std::string("--until 200 --domains ") + domains), one) << domains;
  EXPECT_EQ(crcOf("--until 200 --domains 3 --through-host"), one);
  EXPECT_THAT(cellscope(disks_ + "--steps 1 --domains 3").output,
              HasSubstr("3 domains on threads, exchange in memory"));
}

TEST_F(DomainRuns, GoOnAfterAKillWithAnotherNumber) {
  const std::string checkpoint = file("c.checkpoint");
  const Result killed =
      shell(CELLSCOPE_PROGRAM " " + disks_ +
            "--quiet --steps 2000000000 --domains 3 --checkpoint " + checkpoint +
            " --checkpoint-every-steps 100" + signalledOnce("[ -e " + checkpoint + " ]", "KILL"));
  ASSERT_NE(killed.code, 9) << killed.output;
  const auto step = Session::resume(checkpoint, ExecConfig{})->step();
  ASSERT_GE(step, 100u);
  const std::string until = "--until " + std::to_string(step + 150);
  const auto crc = [&](const std::string& arguments) {
    const Result r = cellscope("run --overwrite --quiet --backend cpu --result " + file("r.json") +
                               " " + until + " " + arguments);
    EXPECT_EQ(r.code, 0) << r.output;
    return nlohmann::json::parse(io::readFile(file("r.json")))["final_state_crc64"].dump();
  };
  const std::string resume = "--resume " + checkpoint;
  const std::string whole = crc(disks_.substr(4));
  EXPECT_EQ(crc(resume + " --domains 2"), whole);
  EXPECT_EQ(crc(resume), whole);
}

TEST_F(DomainRuns, RefuseWhatIsImpossible) {
  const auto refused = [&](const std::string& arguments, const std::string& text) {
    const Result r = cellscope(arguments);
    EXPECT_EQ(r.code, 2) << arguments << "\n" << r.output;
    EXPECT_THAT(r.output, HasSubstr(text));
  };
  refused(disks_ + "--steps 1 --domains 9", "9 domains: each needs 6 rows of cells");
  refused(run_ + "--steps 1 --domains 2", "allowed: 1");
  refused(disks_ + "--steps 1 --domains 0", "allowed: whole number 1 to 1024");
  refused(disks_ + "--steps 1 --gpus 2", "--gpus 2: this runs on the CPU");
  refused("run argon --backend cpu --steps 1 --domains 2", "mode 'md' has only one");
}

}  // namespace
}  // namespace cellscope
