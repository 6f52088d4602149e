// The files that a command writes, looked at before any work is spent on them.
#pragma once
#include <string>
#include <vector>

namespace cellscope::cli {

struct NamedFile {
  const char* option;
  std::string path;      // "": not asked for
  bool asWhole = false;  // replaced as a whole (io::checkWritable)
};

// Throws InputError when one of `written` cannot be written, two of them are the same file, or one
// is a file of `read`.
void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace cellscope::cli
