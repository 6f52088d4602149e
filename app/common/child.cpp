#include "app/common/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/io/files.h"

extern char** environ;

namespace cellscope::common {

pid_t startChild(std::vector<std::string> words, int input, int output, int errors) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int given[] = {input, output, errors};
  for (int k = 0; k < 3; ++k)
    if (given[k] >= 0)
      posix_spawn_file_actions_adddup2(&files, given[k], k);
    else
      posix_spawn_file_actions_addopen(&files, k, "/dev/null", k == 0 ? O_RDONLY : O_WRONLY, 0);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int s : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) sigaddset(&usual, s);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, words.front().c_str(), &files, &how, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0)
    throw RunError("'{}' cannot be started: {}", words.front(), std::strerror(failed));
  return child;
}

void Worker::start(std::vector<std::string> arguments, const std::string& output) {
  stop();
  const io::Descriptor file(
      ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.isOpen()) throw RunError("cannot write '{}': {}", output, std::strerror(errno));
  arguments.insert(arguments.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
  child_ = startChild(std::move(arguments), -1, file.fd(), file.fd());
}

bool Worker::running() {
  if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) != 0) child_ = 0;
  return child_ > 0;
}

void Worker::stop() {
  if (running()) ::kill(child_, SIGTERM);
}

}  // namespace cellscope::common
