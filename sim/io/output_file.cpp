#include "sim/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace cellscope::io {
namespace {

struct Stream {
  dev_t device;
  ino_t inode;
};

std::vector<Stream> writableStreams() {
  constexpr int kStreams = 256;  // descriptors inherited from a shell have low numbers
  std::vector<Stream> found;
  for (int fd = 0; fd < kStreams; ++fd) {
    struct stat open {};
    if (::fstat(fd, &open) == 0 && (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
      found.push_back({open.st_dev, open.st_ino});
  }
  return found;
}

// Checked before main(): later, such numbers may belong to files that other threads open and close.
const std::vector<Stream> kHandedOver = writableStreams();

[[noreturn]] void cannotWrite(const std::string& path, int error, const std::string& kept) {
  throw RunError(writeErrorText(path, error) + kept);
}

// Makes a rename durable: the folder's entry reaches the device too. Not every file system can.
void syncFolder(const std::filesystem::path& folder) {
  const Descriptor open(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.isOpen()) ::fsync(open.fd());
}

// `name` appears in the message.
void tryToOpen(const std::string& path, const std::string& name, int flags) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
  if (!file.isOpen()) throw InputError(writeErrorText(name, errno));
}

// A pipe always is: it holds nothing.
bool isInPlace(std::FILE* file, const std::string& path) {
  const int fd = ::fileno(file);
  return fd < 0 || isBehind(fd, path);
}

constexpr int kWait = 50;                   // milliseconds until the signal is looked at again
constexpr int kPatienceAfterSignal = 2000;  // milliseconds

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

bool isPipe(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

// Waits for a reader. Returns a descriptor, or -1 with errno, EINTR after a signal.
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

// A stream that closes the descriptor of openPipe(). After a signal a write fails with EINTR where
// nothing was read for kPatienceAfterSignal.
std::FILE* pipeStream(int descriptor) {
  return ::fopencookie(reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)), "wb",
                       {nullptr, writeToPipe, nullptr, closePipe});
}

}  // namespace

OutputFile::OutputFile(const std::string& path, OpenAs how, const std::string& standsFor)
    : path_(path), standsFor_(standsFor) {
  const std::string& name = standsFor.empty() ? path : standsFor;
  // What the shell opened with >> must not be truncated, and may be shared.
  const bool shells = isOpenAlready(path), append = how == OpenAs::append || shells;
  const bool pipe = isPipe(path);
  const int fd =
      pipe ? openPipe(path)
           : ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : 0), 0666);
  if (fd < 0) cannotWrite(name, errno, "");
  if (pipe) {
    file_ = pipeStream(fd);
    return;
  }
  const bool ours = shells || (lock(fd) && isBehind(fd, path));
  struct stat info {};
  if (ours && append && ::fstat(fd, &info) == 0) before_ = static_cast<std::uint64_t>(info.st_size);
  if (ours && (append || !isRegularOrAbsent(path) || ::ftruncate(fd, 0) == 0))
    file_ = ::fdopen(fd, append ? "ab" : "wb");
  if (file_) return;
  const int error = errno;
  ::close(fd);
  if (!ours) throw RunError(lockedText(name));
  cannotWrite(name, error, "");
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
}

void OutputFile::fail(const char* what) {
  const int error = errno ? errno : EIO;
  std::error_code ignored;
  if (!standsFor_.empty())
    cannotWrite(standsFor_, error,
                std::filesystem::exists(standsFor_, ignored) ? "; the older file is kept" : "");
  // Part of the data may have been written: only the file shows it.
  struct stat info {};
  const int asked = file_ ? ::fstat(::fileno(file_), &info) : ::stat(path_.c_str(), &info);
  const bool known = asked == 0 && S_ISREG(info.st_mode);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  cannotWrite(path_, error,
              known && size >= before_
                  ? fmt::format(" ({} failed; the first {} bytes of this run are in the file)",
                                what, size - before_)
                  : fmt::format(" ({} failed)", what));
}

void OutputFile::write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("writing");
}

void OutputFile::flush() {
  errno = 0;
  if (std::fflush(file_) != 0) fail("writing");
}

void OutputFile::flushToDisk() {
  flush();
  // Pipes and character devices cannot be synchronised; there is nothing to wait for.
  const int fd = ::fileno(file_);  // -1: a pipe
  if (fd >= 0 && ::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) fail("synchronising");
  if (standsFor_.empty() && !isInPlace(file_, path_)) throw RunError(removedText(path_));
}

void OutputFile::close() {
  if (!file_) return;
  flush();
  const bool inPlace = !standsFor_.empty() || isInPlace(file_, path_);
  std::FILE* file = std::exchange(file_, nullptr);
  errno = 0;
  if (std::fclose(file) != 0) fail("closing");
  if (!inPlace) throw RunError(removedText(path_));
}

void replaceFile(const std::string& name, std::string_view text) {
  const std::string path = behindLinks(name);
  const bool rename = isRegularOrAbsent(path) && !isOpenAlready(path);
  const std::string target = rename ? path + ".tmp" : path;
  OutputFile out(target, OpenAs::replace, rename ? path : "");
  try {
    out.write(text);
    out.flushToDisk();
    // While it is open, and so locked.
    if (rename && std::rename(target.c_str(), path.c_str()) != 0) cannotWrite(path, errno, "");
    out.close();
  } catch (...) {
    if (rename) ::unlink(target.c_str());
    throw;
  }
  if (rename) syncFolder(std::filesystem::path(path).parent_path());
}

std::string behindLinks(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  if (!error && fs::is_symlink(path, error)) return target.string();
  target = path;
  for (int k = 0; k < 40 && !fs::exists(target, error) && fs::is_symlink(target, error); ++k)
    target = target.parent_path() / fs::read_symlink(target, error);
  return target.string();
}

bool isRegularOrAbsent(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

bool isOpenAlready(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return false;
  return std::any_of(kHandedOver.begin(), kHandedOver.end(), [&](const Stream& s) {
    return s.device == file.st_dev && s.inode == file.st_ino;
  });
}

void cutFile(const std::string& path, std::uint64_t bytes) {
  if (::truncate(path.c_str(), static_cast<off_t>(bytes)) == 0) return;
  throw RunError("cannot shorten '{}': {}; the file is as it was", path, std::strerror(errno));
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto place = [&error](const std::string& name) {
    const auto path = std::filesystem::absolute(name, error);
    return std::filesystem::weakly_canonical(path, error).lexically_normal();
  };
  const auto placeOfA = place(a);
  return !placeOfA.empty() && placeOfA == place(b);
}

void createFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && std::filesystem::is_directory(path)) return;
  throw InputError("cannot make the folder '{}': {}; choose another one", path,
                   error ? error.message() : "a file of that name is in the way");
}

void checkWritable(const std::string& path, bool asWhole) {
  if (path.empty()) throw InputError("an output file needs a name");
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) throw InputError(writeErrorText(path, errno));
  if (exists && S_ISDIR(info.st_mode)) throw InputError(writeErrorText(path, EISDIR));
  if (exists && !S_ISREG(info.st_mode)) {  // opening a pipe would wait for its reader
    if (::access(path.c_str(), W_OK) != 0) throw InputError(writeErrorText(path, errno));
    return;
  }
  if (exists && isOpenAlready(path)) return;
  if (exists && lockedByAnother(path)) throw InputError(lockedText(path));
  if (exists) {
    tryToOpen(path, path, 0);
    if (!asWhole) return;
  }
  const std::string beside = behindLinks(path) + ".tmp";
  struct stat other {};
  // An existing one may be what another program is writing.
  if (::stat(beside.c_str(), &other) == 0) return tryToOpen(beside, path, 0);
  tryToOpen(beside, path, O_CREAT);
  ::unlink(beside.c_str());
}

void stopWaitingAt(const std::atomic<int>* signal) { signalFlag = signal; }

}  // namespace cellscope::io
