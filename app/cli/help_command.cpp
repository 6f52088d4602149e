#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/common/help_topics.h"
#include "app/common/terminal.h"
#include "sim/api/parameter.h"
#include "sim/base/error.h"

namespace cellscope::cli {

int helpCommand(const std::string& topic) {
  const std::vector<common::HelpTopic> topics = common::helpTopics();
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const common::HelpTopic& t : topics) {
    names.push_back(t.name);
    width = std::max(width, t.name.size());
  }
  if (topic.empty()) {
    common::put("Topics (cellscope help TOPIC)\n");
    for (const common::HelpTopic& t : topics)
      common::put(fmt::format("  {:<{}}  {}\n", t.name, width, t.title));
    common::put("\nOptions of a command: cellscope COMMAND --help\n");
    return 0;
  }
  const auto found = std::find(names.begin(), names.end(), topic);
  if (found == names.end())
    throw InputError(fmt::format(
        "'{}' is not a help topic{}; choose one of: {}; options of a command: cellscope COMMAND "
        "--help",
        topic, didYouMean(topic, names), fmt::join(names, ", ")));
  const common::HelpTopic& t = topics[static_cast<std::size_t>(found - names.begin())];
  common::put(t.title + "\n\n" + t.text);
  return 0;
}

}  // namespace cellscope::cli
