#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "app/gui/plot.h"
#include "sim/base/error.h"

namespace cellscope::gui {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace

void writePlotCsv(const std::string& path, const Plot& plot,
                  const std::vector<std::pair<std::string, std::string>>& about) {
  std::ofstream file(path);
  for (const auto& [key, value] : about) file << "# " << key << ": " << value << '\n';
  file << quoted("series") << ',' << quoted(plot.xLabel) << ',' << quoted(plot.yLabel) << ','
       << quoted("standard error") << '\n';
  for (const PlotSeries& s : plot.series) {
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      file << quoted(s.source.empty() ? s.label : s.label + " (" + s.source + ")") << ','
           << fmt::format("{},{},", s.x[i], s.y[i]);
      if (i < s.error.size()) file << fmt::format("{}", s.error[i]);
      file << '\n';
    }
  }
  for (const PlotReference& r : plot.references) {
    file << quoted(r.label) << ",," << fmt::format("{},{}\n", r.value, r.error);
  }
  file.close();
  if (!file) {
    throw RunError(
        fmt::format("cannot write {}: {}. Choose another output folder or free some space.", path,
                    std::strerror(errno)));
  }
}

}  // namespace cellscope::gui
