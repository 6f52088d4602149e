// The texts of `cellscope help` and of the window's help sheet: assets/help/NAME.txt.
#pragma once
#include <string>
#include <vector>

namespace cellscope::common {

struct HelpTopic {
  std::string name, title, text;  // title: the first line of the file; text: the lines below
};

// In alphabetical order. Throws RunError when the folder has none.
std::vector<HelpTopic> helpTopics();

}  // namespace cellscope::common
