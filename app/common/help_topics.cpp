#include "app/common/help_topics.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sim/base/assets.h"
#include "sim/base/error.h"
#include "sim/io/read_file.h"

namespace cellscope::common {

std::vector<HelpTopic> helpTopics() {
  namespace fs = std::filesystem;
  const std::string folder = assetFolder() + "/help";
  std::vector<HelpTopic> topics;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".txt") continue;
    const std::string all = io::readFile(entry.path().string());
    const std::size_t end = std::min(all.find('\n'), all.size());
    const std::size_t text = std::min(all.find_first_not_of('\n', end), all.size());
    topics.push_back({entry.path().stem().string(), all.substr(0, end), all.substr(text)});
  }
  if (topics.empty()) throw RunError(folder + ": no help texts found");
  std::sort(topics.begin(), topics.end(),
            [](const HelpTopic& a, const HelpTopic& b) { return a.name < b.name; });
  return topics;
}

}  // namespace cellscope::common
