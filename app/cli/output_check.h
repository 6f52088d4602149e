// Checks the output files of a command before any work is done.
#pragma once
#include <string>
#include <vector>

#include "app/cli/options.h"

namespace cellscope::cli {

struct NamedFile {
  const char* option;
  std::string path;      // "": not requested
  bool asWhole = false;  // replaced as a whole (io::checkWritable)
};

// Throws InputError when one of `written` cannot be written, two of them are the same file, or one
// is a file of `read`.
void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

// Checks of the options of a run.

// Throws InputError for contradicting options, outputs that cannot be written, two outputs to one
// file, and an output to an input file.
void checkRunOptions(const RunOptions& options);

// Whether older results are renamed before this run writes.
bool keepsOlderResults(const RunOptions& options);

}  // namespace cellscope::cli
