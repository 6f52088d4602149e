#include "app/cli/curves_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/api/version.h"

namespace cellscope::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string placeText(const CurveAxis& axis, double x) {
  const auto index = static_cast<std::size_t>(std::max(0.0, x));
  const bool named = axis.scale == AxisScale::named && index < axis.names.size();
  return named ? quoted(axis.names[index]) : fmt::format("{}", x);
}

void addSeries(std::string& text, const Curve& c, const CurveSeries& s) {
  const bool steps = s.kind == SeriesKind::steps && s.x.size() > s.y.size();
  const std::string label = s.source.empty() ? s.label : s.label + " (" + s.source + ")";
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i)
    text += fmt::format("{},{},{},{},{},{}\n", c.id, quoted(label), placeText(c.x, s.x[i]),
                        steps ? fmt::format("{}", s.x[i + 1]) : "", s.y[i],
                        i < s.error.size() ? fmt::format("{}", s.error[i]) : "");
}

}  // namespace

std::string curvesText(Session& session) {
  Mode& mode = session.mode();
  std::string text = fmt::format("# cellscope {}\n# scenario {}\n# after {} {}\n", programVersion(),
                                 session.log().start.name, mode.info().stepName, session.step());
  for (const Parameter& p : mode.parameters().items())
    text += fmt::format("# {} = {}\n", p.info.key, toText(p.get()));
  const std::vector<Curve> all = mode.curves();
  for (const Curve& c : all)
    if (!c.series.empty())
      text += fmt::format("# {}: {}; x: {}, y: {}; {}\n", c.id, c.label,
                          c.x.label.empty() ? "names" : c.x.label, c.y.label, c.equation);
  text += "chart,series,x,x_upper,y,standard_error\n";
  for (const Curve& c : all)
    for (const CurveSeries& s : c.series) addSeries(text, c, s);
  return text;
}

}  // namespace cellscope::cli
