#include "app/common/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cellscope::common {
namespace {

int outputError = 0;  // the first error

void note(bool written) {
  if (!written && outputError == 0) outputError = errno ? errno : EIO;
}

// Length in bytes of the UTF-8 character at `at`; 0 if invalid.
std::size_t charactersBytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first < 0xc2   ? 0
                            : first < 0xe0 ? 2
                            : first < 0xf0 ? 3
                            : first < 0xf5 ? 4
                                           : 0;
  for (std::size_t k = 1; k < bytes; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  return bytes;
}

}  // namespace

void openStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", O_RDWR));  // gets the lowest free descriptor: this one
}

void outliveOutputs() {
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t bytes = charactersBytes(text, i);
    const bool c1 = bytes == 2 && first == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
    if (bytes == 0 || control || c1) {
      out += fmt::format("\\x{:02x}", c1 ? static_cast<unsigned char>(text[i + 1]) : first);
      i += c1 ? 2 : 1;
    } else {
      out.append(text, i, bytes);
      i += bytes;
    }
  }
  return out;
}

void put(const std::string& text) {
  errno = 0;
  const bool written = std::fputs(printable(text).c_str(), stdout) >= 0;
  note(std::fflush(stdout) == 0 && written);
}

void printLine(const std::string& line, Tone tone) {
  const std::string text = printable(line);
  errno = 0;
  const bool written =
      std::fputs(((tone == Tone::warning ? inRed(text, STDOUT_FILENO) : text) + "\n").c_str(),
                 stdout) >= 0;
  note(std::fflush(stdout) == 0 && written);
}

void printError(const std::string& line, Tone tone) {
  const std::string text = printable(line);
  putOnStderr((tone == Tone::warning ? inRed(text, STDERR_FILENO) : text) + "\n");
}

void putOnStderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string outputTrouble() {
  errno = 0;
  note(std::fflush(stdout) == 0);
  return outputError == 0 || outputError == EPIPE ? "" : std::strerror(outputError);
}

bool isStandardOutput(const std::string& path) {
  struct stat a {
  }, b{};
  if (::stat(path.c_str(), &a) != 0 || ::fstat(STDOUT_FILENO, &b) != 0) return false;
  const bool nowhere = S_ISCHR(b.st_mode) && !::isatty(STDOUT_FILENO);
  return !nowhere && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::string forShell(const std::string& name) {
  const auto plain = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) || std::strchr("_./-+,:@%=", c);
  };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain)) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string inRed(const std::string& line, int descriptor) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const bool colours = ::isatty(descriptor) && set("NO_COLOR").empty() && set("TERM") != "dumb";
  return colours ? "\x1b[1;31m" + line + "\x1b[0m" : line;
}

int terminalColumns(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace cellscope::common
