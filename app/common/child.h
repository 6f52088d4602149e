// Another program that this one starts.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace cellscope::common {

// Starts words[0] with descriptors as its input, output and errors (-1: none), with the usual
// signals, and in a process group of its own: Ctrl-C is for this program. Throws RunError.
pid_t startChild(std::vector<std::string> words, int input, int output, int errors);

// `cellscope` itself, which ends in order when it is asked to.
class Worker {
 public:
  Worker() = default;
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // What it prints goes to this file. Throws RunError.
  void start(std::vector<std::string> arguments, const std::string& output);
  bool running();
  void stop();

 private:
  pid_t child_ = 0;
};

}  // namespace cellscope::common
