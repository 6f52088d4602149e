#include "app/cli/options.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace cellscope::cli {

namespace {

bool isSetting(const std::string& argument) {
  const std::size_t at = argument.find('=');
  if (at == std::string::npos || at == 0) return false;
  const bool key = std::all_of(argument.begin(), argument.begin() + static_cast<std::ptrdiff_t>(at),
                               [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  std::error_code error;
  return key && !std::filesystem::exists(argument, error);
}

}  // namespace

std::vector<std::string> withRepeatedSet(int argc, const char* const* argv) {
  std::vector<std::string> all;
  bool set = false, ended = false;  // the last argument was a setting; -- was given
  for (int k = 0; k < argc; ++k) {
    const std::string argument = argv[k];
    const bool value = k > 0 && all.back() == "--set" && !ended;
    ended |= argument == "--";
    const bool another = set && !ended && isSetting(argument);
    if (another) all.emplace_back("--set");
    set = another || value || (!ended && argument.rfind("--set=", 0) == 0);
    all.push_back(argument);
  }
  return all;
}

}  // namespace cellscope::cli
