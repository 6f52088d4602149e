// The list of methods.
#include "sim/modes/md/methods/method.h"

namespace cellscope::md {

const std::vector<std::unique_ptr<const Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<const Method>> m;
    m.push_back(allPairsMethod());
    for (std::size_t k = 0; k < listMethods().size(); ++k) m.push_back(listsMethod(k));
    m.push_back(placeholdersMethod());
    return m;
  }();
  return all;
}

}  // namespace cellscope::md
