// Files and folders that one program at a time writes to: two runs started under the same names
// would mix their rows. Advisory locks (flock) of whole files; they end with the program, however
// it ends. On a file system without locks nothing is locked.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace cellscope::io {

// Locks the regular file or folder of a descriptor until the descriptor is closed. Returns
// false when another program has it; other kinds of files need no lock.
bool lock(int descriptor);

// Whether another program has `path` locked now.
bool lockedByAnother(const std::string& path);

// Whether the open file has this name still: another program may have renamed or removed it.
bool isBehind(int descriptor, const std::string& path);

// The words for a locked file, with the way out.
std::string lockedText(const std::string& path);

// Exclusive use of a folder while the object lives. Throws InputError when another program has it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
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
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

 private:
  std::string lockFile_;
  int descriptor_ = -1;
};

// Whether `path` is claimed now: another program, or this one.
bool isClaimed(const std::string& path);

// Words for files that cannot be written, with the cause and the way out.

// error: an errno; EINTR: a signal ended the wait for the reader of a pipe.
std::string writeErrorText(const std::string& path, int error);

// A file whose name no longer refers to it (isBehind()).
std::string removedText(const std::string& path);

// Results of an earlier run under names that a new one is about to use.

// Renames those of `paths` that are regular files already: run.csv becomes run.1.csv, run.2.csv and
// so on, with the lowest number that is free for all of them, so that files of one run keep the
// same one. A link stays, and its target is renamed. Empty names, devices, pipes and files
// that are open already (/dev/stdout) are passed over. Returns old and new names. Throws InputError
// when a file cannot be renamed or another program is writing it.
std::vector<std::pair<std::string, std::string>> keepOlder(const std::vector<std::string>& paths);

// The newest of the older results of `path` under such a name; "" without one.
std::string newestOlder(const std::string& path);

}  // namespace cellscope::io
