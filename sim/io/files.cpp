#include "sim/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "sim/base/error.h"

namespace cellscope::io {
namespace {

[[noreturn]] void cannotRead(const std::string& path, const std::string& why) {
  throw InputError("cannot read '{}': {}", path, why);
}

class InputFile {
 public:
  // Opening a pipe does not wait for its writer.
  explicit InputFile(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (!file_.isOpen()) cannotRead(path, std::strerror(errno));
    if (::fstat(file_.fd(), &info_) != 0) cannotRead(path, std::strerror(errno));
  }

  bool isRegular() const { return S_ISREG(info_.st_mode); }
  bool isTerminal() const { return ::isatty(file_.fd()) == 1; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(info_.st_size); }

  // 0 at the end, and for a pipe whose writer has not opened it yet.
  std::size_t read(char* to, std::size_t most) {
    for (;;) {
      const ssize_t n = ::read(file_.fd(), to, most);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno == EAGAIN)
        await();
      else if (errno != EINTR)
        cannotRead(path_, std::strerror(errno));
    }
  }

  // Until there is something to read, or the writer has closed it.
  void await() const {
    pollfd wanted{file_.fd(), POLLIN, 0};
    const int found = ::poll(&wanted, 1, isTerminal() ? -1 : 1000 * kPatience);
    if (found < 0) throw RunError("reading '{}' was interrupted by a signal", path_);
    if (found == 0)
      cannotRead(path_, fmt::format("nothing arrived from it for {} seconds; start the program "
                                    "that writes to it, or name a file",
                                    kPatience));
  }

 private:
  const std::string& path_;
  Descriptor file_;
  struct stat info_ {};
};

}  // namespace

std::string readFile(const std::string& path) {
  InputFile in(path);
  if (!in.isRegular()) cannotRead(path, "it is not a regular file; name one that is");
  try {
    std::string text(in.size(), '\0');
    std::size_t filled = 0;
    while (const std::size_t n = in.read(text.data() + filled, text.size() - filled)) filled += n;
    text.resize(filled);
    return text;
  } catch (const std::bad_alloc&) {
    cannotRead(path, fmt::format("its {} bytes do not fit into memory", in.size()));
  }
}

std::string readText(const std::string& path) {
  InputFile in(path);
  std::string text;
  char block[65536];
  if (!in.isRegular()) in.await();
  while (const std::size_t n = in.read(block, sizeof block)) {
    text.append(block, n);
    if (text.size() > kMostText)
      cannotRead(path, fmt::format("it holds more than {} MiB; name a text file", kMostText >> 20));
    if (!in.isRegular()) in.await();
  }
  return text;
}

}  // namespace cellscope::io
