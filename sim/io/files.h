// Files that notice when they cannot be written: every failure names file, cause and what was kept;
// files that one program at a time writes to; files read as a whole.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cellscope::io {

// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  int fd() const { return fd_; }
  bool isOpen() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }  // to be closed by the caller
  void close() { *this = Descriptor(); }

 private:
  int fd_;
};

// Whether the open file has this name still: another program may have renamed or removed it.
bool isBehind(int descriptor, const std::string& path);

enum class OpenAs { replace, append };

// Buffered output. write(), flush() and close() throw RunError; the text up to the last successful
// flush() is complete on disk. flushToDisk() and close() also throw it if the name no longer refers
// to the file. The destructor closes without reporting. While it is open, no other program of
// this kind writes to the file (lock()). A signal ends the wait for the reader of a pipe
// (stopWaitingAt()).
class OutputFile {
 public:
  // standsFor: the file that `path` is written in place of, and which is whole whatever happens;
  // messages name it.
  OutputFile(const std::string& path, OpenAs how, const std::string& standsFor = "");
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  void write(std::string_view text);
  void flush();
  void flushToDisk();  // flush and wait until the device has it
  void close();

 private:
  bool put(std::string_view text);  // false, with errno: not all of it was written
  bool isInPlace() const { return isPipe_ || isBehind(file_.fd(), path_); }
  [[noreturn]] void fail(const char* what);

  std::string path_, standsFor_;
  bool isPipe_;
  Descriptor file_;
  std::string waiting_;  // for the next flush()
  std::size_t mostWaiting_ = 4096;
  std::uint64_t before_ = 0;  // bytes that the file held when it was opened
};

// Replace file `name` by `text` as a whole: written beside it, flushed to the device, then renamed.
// On failure throws RunError and an older file is left as it was. A link stays, and the file behind
// it is replaced. Devices, pipes and what the shell opened (/dev/stdout) are written directly.
void replaceFile(const std::string& name, std::string_view text);

// Whether the process was started with the file open for writing, as after > and >> in the shell.
bool isOpenAlready(const std::string& path);

// Leaves the first `bytes` bytes of a file. On failure throws RunError and the file is as it was.
void cutFile(const std::string& path, std::uint64_t bytes);

// The target of a link, which need not exist yet. A link of /proc may lead to a pipe, which
// has no name: then the link itself.
std::string behindLinks(const std::string& path);

bool isRegularOrAbsent(const std::string& path);

// Throws InputError when `path` cannot be written (no such folder, a folder, not allowed, being
// written by another program), before any work is spent on a result that could not be kept. Tries
// it, and leaves no trace. asWhole: for files that replaceFile() will write.
void checkWritable(const std::string& path, bool asWhole = false);

// Whether two names lead to the same file, or would: links and detours such as ./ are followed.
bool sameFile(const std::string& a, const std::string& b);

// A folder and all above it that are missing. Throws InputError.
void createFolder(const std::string& path);

// What a signal handler sets (not 0): from then on nobody is waited for who does not read. Null:
// waits have no end. Both may change at any time.
void stopWaitingAt(const std::atomic<int>* signal);

// Files and folders that one program at a time writes to: two runs started under the same names
// would mix their rows. Advisory locks (flock) of whole files; they end with the program, however
// it ends. On a file system without locks nothing is locked.

// Locks the regular file or folder of a descriptor until the descriptor is closed. Returns
// false when another program has it; other kinds of files need no lock.
bool lock(int descriptor);

bool lockedByAnother(const std::string& path);

// The words for a locked file, with the way out.
std::string lockedText(const std::string& path);

// Exclusive use of a folder while the object lives. Throws InputError when another program has it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor folder_;
};

// A file that one program at a time replaces, as a run does with its checkpoint: a lock on the file
// itself ends when it is renamed, so that a file beside it (its name and ".lock") is locked as long
// as the run lasts. That file is removed at the end; one that a killed program left is taken over.
class FileClaim {
 public:
  // Links are followed. Without effect for "", devices and pipes, and where no such file can be
  // created. Throws InputError when another program has the claim.
  explicit FileClaim(const std::string& path);
  ~FileClaim();

 private:
  std::string lockFile_;
  Descriptor claim_;
};

// Whether `path` is claimed now: another program, or this one.
bool isClaimed(const std::string& path);

// error: an errno; EINTR: a signal ended the wait for the reader of a pipe.
std::string writeErrorText(const std::string& path, int error);

// A file whose name no longer refers to it (isBehind()).
std::string removedText(const std::string& path);

// Renames those of `paths` that are regular files already: run.csv becomes run.1.csv, run.2.csv and
// so on, with the lowest number that is free for all of them, so that files of one run keep the
// same one. A link stays, and its target is renamed. Empty names, devices, pipes and files
// that are open already (/dev/stdout) are passed over. Returns old and new names. Throws InputError
// when a file cannot be renamed or another program is writing it.
std::vector<std::pair<std::string, std::string>> keepOlder(const std::vector<std::string>& paths);

// The newest of the older results of `path` under such a name; "" without one.
std::string newestOlder(const std::string& path);

// All throw InputError that names file, cause and way out.

// A regular file of any size: devices and pipes, which may never end, are refused.
std::string readFile(const std::string& path);

// A small text from a file, or from a pipe or terminal such as /dev/stdin: at most kMostText bytes.
// Reading from a pipe is abandoned when nothing arrives for kPatience seconds. Throws RunError when
// a signal arrives while it waits.
inline constexpr std::uint64_t kMostText = 1 << 20;
inline constexpr int kPatience = 10;
std::string readText(const std::string& path);

}  // namespace cellscope::io
