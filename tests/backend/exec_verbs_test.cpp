// Reduce, scan and sort by key on the CPU.
#include "tests/support/exec_verbs.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

TEST(ExecVerbs, Cpu) {
  for (int threads : {1, 2}) {
    exec::CpuExec exec(threads);
    test::expectVerbs(exec);
  }
}

}  // namespace
}  // namespace cellscope
