// An edit of a grand-canonical run for which there is no memory changes nothing at all.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// What is freed is given back at once, so that the limit is felt.
class NoMoreAddresses {
 public:
  NoMoreAddresses() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit small = before_;
    small.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (1 << 20);
    if (setrlimit(RLIMIT_AS, &small) != 0) ADD_FAILURE() << "the limit was refused";
  }
  ~NoMoreAddresses() { setrlimit(RLIMIT_AS, &before_); }
  NoMoreAddresses(const NoMoreAddresses&) = delete;
  NoMoreAddresses& operator=(const NoMoreAddresses&) = delete;

 private:
  rlimit before_{};
};

TEST(GcmcEdits, ForWhichThereIsNoMemoryChangeNothing) {
  mallopt(M_MMAP_THRESHOLD, 1 << 16);  // larger blocks lie outside the heap
  const Assignments values = {{"length", 30.0},
                              {"density", 0.5},
                              {"activity", 0.1},
                              {"moves_per_step", std::int64_t{100}},
                              {"replicas", std::int64_t{12}},
                              {"replicas_differ_by", std::string("seed")}};
  const auto edited = gcmcMode(values), left = gcmcMode(values);
  edited->advance(1), left->advance(1);
  const std::string before = savedState(*edited);
  edited->parameters().at("temperature").set(3.0);
  std::string said;
  {
    const NoMoreAddresses none;
    try {
      edited->applyParameters();
    } catch (const std::exception& e) {
      said = e.what();
    }
  }
  ASSERT_FALSE(said.empty()) << "there was memory all the same";
  EXPECT_EQ(savedState(*edited), before);
  EXPECT_EQ(std::get<double>(edited->parameters().at("temperature").get()),
            std::get<double>(left->parameters().at("temperature").get()));
  edited->advance(3), left->advance(3);
  EXPECT_EQ(savedState(*edited), savedState(*left)) << "the chain runs with the rules it had";
  for (const SelfCheck& c : edited->selfChecks()) EXPECT_TRUE(c.ok) << c.label << " " << c.detail;
  edited->parameters().at("temperature").set(3.0);
  EXPECT_NO_THROW(edited->applyParameters());
}
#endif

}  // namespace
}  // namespace cellscope::test
