#include "app/cli/output_check.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/io/output_file.h"

namespace cellscope::cli {
namespace {

// Devices and pipes may be used for several outputs.
bool holdsOneResult(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) || !std::filesystem::exists(path, error);
}

bool collide(const NamedFile& a, const NamedFile& b) {
  return !a.path.empty() && !b.path.empty() && holdsOneResult(a.path) &&
         io::sameFile(a.path, b.path);
}

// A resumed run may overwrite its own checkpoint.
bool isResumed(const NamedFile& written, const NamedFile& read) {
  return !std::strcmp(written.option, "--checkpoint") && !std::strcmp(read.option, "--resume");
}

}  // namespace

void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const NamedFile& a = written[i];
    if (a.path.empty()) continue;
    io::checkWritable(a.path, a.asWhole);
    for (std::size_t j = i + 1; j < written.size(); ++j)
      if (collide(a, written[j]))
        throw InputError(fmt::format("{} and {} both name '{}': give each its own file", a.option,
                                     written[j].option, a.path));
    for (const NamedFile& b : read)
      if (!isResumed(a, b) && std::filesystem::exists(b.path) && collide(a, b))
        throw InputError(
            fmt::format("{} would overwrite '{}', which {} reads: give it another name", a.option,
                        a.path, b.option));
  }
}

}  // namespace cellscope::cli
