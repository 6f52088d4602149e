// Files and folders that one program at a time writes to: two runs started under the same names
// would mix their rows. Advisory locks (flock) of whole files; they end with the program, however
// it ends. On a file system without locks nothing is locked.
#pragma once
#include <string>

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

}  // namespace cellscope::io
