// Checks the output files of a command before any work is done.
#pragma once
#include <string>
#include <vector>

namespace cellscope::cli {

struct NamedFile {
  const char* option;
  std::string path;      // "": not requested
  bool asWhole = false;  // replaced as a whole (io::checkWritable)
};

// Throws InputError when one of `written` cannot be written, two of them are the same file, or one
// is a file of `read`.
void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace cellscope::cli
