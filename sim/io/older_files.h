// Results of an earlier run under names that a new one is about to use.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace cellscope::io {

// Renames those of `paths` that are regular files already: run.csv becomes run.1.csv, run.2.csv and
// so on, with the lowest number that is free for all of them, so that files of one run keep the
// same one. A link stays, and its target is renamed. Empty names, devices, pipes and files
// that are open already (/dev/stdout) are passed over. Returns old and new names. Throws InputError
// when a file cannot be renamed or another program is writing it.
std::vector<std::pair<std::string, std::string>> keepOlder(const std::vector<std::string>& paths);

// The newest of the older results of `path` under such a name; "" without one.
std::string newestOlder(const std::string& path);

}  // namespace cellscope::io
