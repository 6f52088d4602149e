#include "sim/io/pipe_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace cellscope::io {
namespace {

constexpr int kWait = 50;  // milliseconds until the signal is looked at again

std::atomic<const std::atomic<int>*> signalFlag{nullptr};

bool isSignalled() {
  const std::atomic<int>* flag = signalFlag;
  return flag && *flag != 0;
}

int descriptorOf(void* cookie) { return static_cast<int>(reinterpret_cast<std::intptr_t>(cookie)); }

// Until there is room in the pipe. False, with errno: a signal ended the wait.
bool awaitRoom(int descriptor) {
  for (int waited = 0; !isSignalled() || waited < kPatienceAfterSignal;) {
    pollfd wanted{descriptor, POLLOUT, 0};
    if (::poll(&wanted, 1, kWait) > 0) return true;
    if (isSignalled()) waited += kWait;
  }
  errno = EINTR;
  return false;
}

ssize_t writeToPipe(void* cookie, const char* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::write(descriptorOf(cookie), data + done, size - done);
    if (n > 0)
      done += static_cast<std::size_t>(n);
    else if (errno == EAGAIN ? !awaitRoom(descriptorOf(cookie)) : errno != EINTR)
      break;
  }
  return static_cast<ssize_t>(done);
}

int closePipe(void* cookie) { return ::close(descriptorOf(cookie)); }

}  // namespace

void stopWaitingAt(const std::atomic<int>* signal) { signalFlag = signal; }

bool isPipe(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

int openPipe(const std::string& path) {
  for (;;) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 || errno != ENXIO) return fd;  // ENXIO: no reader
    if (isSignalled()) break;
    ::poll(nullptr, 0, kWait);
  }
  errno = EINTR;
  return -1;
}

std::FILE* pipeStream(int descriptor) {
  return ::fopencookie(reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)), "wb",
                       {nullptr, writeToPipe, nullptr, closePipe});
}

}  // namespace cellscope::io
