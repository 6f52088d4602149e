#include <cstdlib>

namespace cellscope::cli {
int runCommandLine(int argc, char** argv);  // app/cli/commands.h includes CLI11: 6 s
}

int main(int argc, char** argv) {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);  // hardware queues, for runs side by side
  return cellscope::cli::runCommandLine(argc, argv);
}
