// `cellscope convert`: between all file formats of particles.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace cellscope::cli {

struct ConvertOptions {
  std::string in, out;
  std::string format;  // io::Format::key; "": by the suffix of `out`
  std::string box;     // of a file that has none
  bool all = false;    // frames; false: the last one
  bool overwrite = false;
  bool quiet = false;
};

CLI::App* addConvert(CLI::App& app, ConvertOptions& options);
int convertCommand(const ConvertOptions& options);

}  // namespace cellscope::cli
