#include <fmt/format.h>

#include <algorithm>
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

bool isSteps(const PlotSeries& s) { return s.kind == SeriesKind::steps && s.x.size() > s.y.size(); }

std::string placeText(const CurveAxis& axis, double x) {
  const auto index = static_cast<std::size_t>(std::max(0.0, x));
  const bool named = axis.scale == AxisScale::named && index < axis.names.size();
  return named ? quoted(axis.names[index]) : fmt::format("{}", x);
}

}  // namespace

void writePlotCsv(const std::string& path, const Plot& plot,
                  const std::vector<std::pair<std::string, std::string>>& about) {
  std::ofstream file(path);
  for (const auto& [key, value] : about) file << "# " << key << ": " << value << '\n';
  const bool steps = std::any_of(plot.series.begin(), plot.series.end(), isSteps);
  // Bars are medians of a race: their error column is the spread.
  const bool bars = std::any_of(plot.series.begin(), plot.series.end(),
                                [](const PlotSeries& s) { return s.kind == SeriesKind::bars; });
  file << quoted("series") << ',' << quoted(plot.x.label) << ',' << quoted(plot.y.label) << ','
       << quoted(bars ? "spread" : "standard error");
  if (steps) file << ',' << quoted(plot.x.label + ", upper edge");
  file << '\n';
  for (const PlotSeries& s : plot.series) {
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      file << quoted(s.source.empty() ? s.label : s.label + " (" + s.source + ")") << ','
           << placeText(plot.x, s.x[i]) << ',' << fmt::format("{},", s.y[i]);
      if (i < s.error.size()) file << fmt::format("{}", s.error[i]);
      if (steps) file << ',';
      if (isSteps(s)) file << fmt::format("{}", s.x[i + 1]);
      file << '\n';
    }
  }
  for (const PlotReference& r : plot.references) {
    file << quoted(r.label) << ",," << fmt::format("{},{}{}\n", r.value, r.error, steps ? "," : "");
  }
  file.close();
  if (!file) {
    throw RunError(
        fmt::format("cannot write {}: {}. Choose another output folder or free some space.", path,
                    std::strerror(errno)));
  }
}

}  // namespace cellscope::gui
