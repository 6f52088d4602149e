// Charts of named rows: names, bars or marks, numbers.
#include "app/gui/plot.h"
#include "sim/base/digits.h"

namespace cellscope::gui {

// Of the height of a bar, where rows are as close as they can be, and between two of them.
constexpr float kTight = 0.88f, kGap = 0.2f;

RowsLayout RowsLayout::stretched(float to) const {
  RowsLayout l = *this;
  l.bar *= std::clamp(to / row, kTight, 2.f);
  l.row = to;
  return l;
}

float RowsLayout::middle(std::size_t index, std::size_t series) const {
  const float above = 0.5f * (row - bar * static_cast<float>(bars));
  return row * static_cast<float>(index) + above + bar * (static_cast<float>(series) + 0.5f);
}

RowsLayout layoutRows(float width, float widestName, float widestNumber, std::size_t series,
                      float text) {
  const float gap = 0.5f * text;
  RowsLayout l;
  l.numbers = std::min(widestNumber + gap, 0.4f * width);
  l.names = std::min({widestName + gap, 0.4f * width, 0.7f * width - l.numbers});
  l.bar = 1.05f * text;
  l.bars = std::max<std::size_t>(1, series);
  l.row = l.bar * static_cast<float>(l.bars) / 0.76f;
  return l;
}

// Series with a bar, or a mark, and a number of their own; ghost marks have the legend's.
static std::vector<const PlotSeries*> carriers(const Plot& plot) {
  std::vector<const PlotSeries*> all;
  for (const PlotSeries& s : plot.series)
    if (!s.hollow) all.push_back(&s);
  return all;
}

std::string rowNumber(const Plot& plot, const PlotSeries& s, std::size_t i, bool whole) {
  constexpr double kExponentFrom = 1e5;
  const double error = i < s.error.size() && !s.upwards ? s.error[i] : 0;
  const bool large = std::ranges::any_of(plot.series, [](const PlotSeries& one) {
    return !one.hollow && std::ranges::any_of(one.y, [](double y) { return y >= kExponentFrom; });
  });
  const bool exponent = large && plot.y.scale == AxisScale::logarithmic;
  if (!whole && error > 0 && error >= 0.5 * std::abs(s.y[i])) {
    const std::string digit = compact(s.y[i], 1);
    return "~" + (exponent ? digit : number(std::stod(digit), 1));
  }
  if (s.upwards && !whole)  // with trailing zeros: 0.020 above 0.034
    return s.y[i] >= 1e-3 && s.y[i] < 9.95 ? fmt::format("{:#.2g}", s.y[i]) : number(s.y[i], 2);
  if (exponent) return scientific(s.y[i], error);
  if (error > 0) return valueWithError(s.y[i], error);
  return std::abs(s.y[i]) < 1e4 ? number(s.y[i], 3) : compact(s.y[i], 3);
}

namespace {

bool anyHighlight(const Plot& plot) {
  return std::ranges::any_of(plot.series,
                             [](const PlotSeries& s) { return s.highlight.has_value(); });
}

float markWidth(Shell& shell, const Plot& plot) { return anyHighlight(plot) ? shell.px(12) : 0; }

// A name in one line or two, or as many as there are bars beside it; what is longer still is cut.
std::vector<std::string> linesOf(Shell& shell, const Plot& plot, const RowsLayout& l,
                                 const std::string& name) {
  ImFont* font = shell.fonts.small;
  const float room = l.names - markWidth(shell, plot) - shell.px(5);
  std::string rest = wrapped(font, name, room);
  std::vector<std::string> lines;
  for (std::size_t most = std::max<std::size_t>(2, l.bars); lines.size() + 1 < most;) {
    const std::size_t end = rest.find('\n');
    if (end == std::string::npos) break;
    lines.push_back(fitted(font, rest.substr(0, end), room));
    rest.erase(0, end + 1);
  }
  std::ranges::replace(rest, '\n', ' ');
  lines.push_back(fitted(font, rest, room));
  return lines;
}

RowsLayout layoutOf(Shell& shell, const Plot& plot, float width) {
  float names = 0, numbers = 0;
  for (const std::string& name : plot.x.names)
    names = std::max(names, textSize(shell.fonts.small, name).x);
  for (const PlotSeries* s : carriers(plot))
    for (std::size_t i = 0; i < s->y.size(); ++i)
      numbers = std::max(numbers, textSize(shell.fonts.smallNumbers, rowNumber(plot, *s, i)).x);
  RowsLayout l = layoutRows(width, names + markWidth(shell, plot), numbers, carriers(plot).size(),
                            textSize(shell.fonts.smallNumbers, "0").y);
  std::size_t lines = 1;
  for (const std::string& name : plot.x.names)
    lines = std::max(lines, linesOf(shell, plot, l, name).size());
  l.least = 1.1f * static_cast<float>(lines) * textSize(shell.fonts.small, "X").y;
  l.row = std::max(l.row, l.least);
  return l;
}

// The row of value `i` of a series.
std::size_t rowOf(const PlotSeries& s, std::size_t i) { return static_cast<std::size_t>(s.x[i]); }

void whiskers(Shell& shell, const OnAxes& on, std::size_t k, const PlotFrame& f, float y, float cap,
              ImU32 colour) {
  if (!on.hasError(k)) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float lo = std::max(f.px(on.low(k)), f.lo.x - 1), hi = f.px(on.high(k));
  const float thin = shell.stroke(1.2f);
  list->AddLine(ImVec2(lo, y), ImVec2(hi, y), colour, thin);
  list->AddLine(ImVec2(lo, y - cap), ImVec2(lo, y + cap), colour, thin);
  list->AddLine(ImVec2(hi, y - cap), ImVec2(hi, y + cap), colour, thin);
}

void bars(Shell& shell, const Plot& plot, const PlotSeries& s, std::size_t place,
          const PlotFrame& f, const RowsLayout& l) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const OnAxes on(s, plot.x.scale, plot.y.scale);
  const float base =
      f.xScale == AxisScale::logarithmic ? f.lo.x : std::clamp(f.px(0), f.lo.x, f.hi.x);
  for (std::size_t k = 0; k < on.size(); ++k) {
    const std::size_t i = on.index(k);
    if (!std::isfinite(on.y()[k])) continue;
    const float y = f.lo.y + l.middle(rowOf(s, i), place), x = f.px(on.y()[k]);
    const float half = 0.42f * l.bar;
    if (s.kind == SeriesKind::bars)
      list->AddRectFilled(ImVec2(std::min(x, base), y - half), ImVec2(std::max(x, base), y + half),
                          barColour(s, i), shell.px(2));
    whiskers(shell, on, k, f, y, 0.5f * half, shell.colours->text);
    if (s.kind == SeriesKind::points)
      drawMarker(s.marker, ImVec2(x, y), shell.px(4), barColour(s, i));
  }
}

// On their bars, or centred over the rows; several sources on separate lines.
void ghosts(Shell& shell, const Plot& plot, const PlotFrame& f, const RowsLayout& l) {
  const auto count = std::ranges::count(plot.series, true, &PlotSeries::hollow);
  float place = -0.5f * static_cast<float>(count - 1);
  for (const PlotSeries& s : plot.series) {
    if (!s.hollow) continue;
    const OnAxes on(s, plot.x.scale, plot.y.scale);
    const std::vector<const PlotSeries*> all = carriers(plot);
    const auto bar = std::ranges::find(all, s.beside, &PlotSeries::label);
    for (std::size_t k = 0; k < on.size(); ++k) {
      const std::size_t row = rowOf(s, on.index(k));
      const float middle =
          l.row * (static_cast<float>(row) + 0.5f) + place * std::min(shell.px(6), 0.25f * l.row);
      const ImVec2 at(f.px(on.y()[k]),
                      f.lo.y + (bar == all.end() ? middle : l.middle(row, bar - all.begin())));
      whiskers(shell, on, k, f, at.y, shell.px(3), s.colour);
      drawMarker(s.marker, at, shell.px(4.5f), shell.colours->viewport, shell.px(4));
      drawMarker(s.marker, at, shell.px(4.5f), s.colour, shell.px(1.8f));
    }
    place += 1;
  }
}

void names(Shell& shell, const Plot& plot, const PlotFrame& f, const RowsLayout& l, float left) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& c = *shell.colours;
  ImFont* font = shell.fonts.small;
  const float indent = markWidth(shell, plot);
  for (std::size_t row = 0; row < plot.x.names.size(); ++row) {
    const float middle = f.lo.y + l.row * (static_cast<float>(row) + 0.5f);
    const auto winner = std::ranges::find_if(plot.series, [&](const PlotSeries& s) {
      return s.highlight && *s.highlight < s.y.size() && rowOf(s, *s.highlight) == row;
    });
    const bool wins = winner != plot.series.end();
    const float m = shell.px(3.5f), high = textSize(font, "X").y;
    if (wins)
      list->AddTriangleFilled(ImVec2(left, middle - m), ImVec2(left + 2 * m, middle),
                              ImVec2(left, middle + m), winner->colour);
    const std::vector<std::string> lines = linesOf(shell, plot, l, plot.x.names[row]);
    float y = middle - 0.5f * high * static_cast<float>(lines.size());
    for (const std::string& line : lines) {
      drawText(font, ImVec2(left + indent, y), wins || !anyHighlight(plot) ? c.text : c.muted,
               line);
      y += high;
    }
  }
}

void numbers(Shell& shell, const Plot& plot, const PlotFrame& f, const RowsLayout& l) {
  ImFont* font = shell.fonts.smallNumbers;
  const std::vector<const PlotSeries*> all = carriers(plot);
  // A race that nobody has won.
  const bool undecided = !anyHighlight(plot) && !all.empty() && !all.back()->highlightLabel.empty();
  for (std::size_t place = 0; place < all.size(); ++place) {
    const PlotSeries& s = *all[place];
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      const std::string text = rowNumber(plot, s, i);
      const ImVec2 size = textSize(font, text);
      const float y = f.lo.y + l.middle(rowOf(s, i), place) - 0.5f * size.y;
      const bool back = s.opacity < 1 || undecided || (s.highlight && *s.highlight != i);
      drawText(font, ImVec2(f.hi.x + l.numbers - size.x, y),
               back ? shell.colours->muted : shell.colours->text, text);
    }
  }
}

}  // namespace

float rowsHeight(Shell& shell, const Plot& plot, float width, bool tight) {
  if (plot.x.scale != AxisScale::named) return 0;
  RowsLayout l = layoutOf(shell, plot, width);
  if (tight) l.row = std::max(l.least, (kTight * static_cast<float>(l.bars) + kGap) * l.bar);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, plot.x.names.size()));
  return shell.px(20) + l.row * rows + axisHeight(shell, plot, width - l.names - l.numbers);
}

PlotFrame rowsFrame(Shell& shell, const Plot& plot, ImVec2 at, ImVec2 size) {
  const RowsLayout l = layoutOf(shell, plot, size.x);
  PlotFrame f;
  f.lo = ImVec2(at.x + l.names, at.y + shell.px(20));
  f.hi = ImVec2(at.x + size.x - l.numbers, at.y + size.y);
  takeLowerAxis(shell, plot, f);
  f.xScale = plot.y.scale;
  return f;
}

void drawRows(Shell& shell, const Plot& plot, const PlotFrame& f, ImVec2 at, float width) {
  const auto count = static_cast<float>(std::max<std::size_t>(1, plot.x.names.size()));
  const RowsLayout l = layoutOf(shell, plot, width).stretched((f.hi.y - f.lo.y) / count);
  ImDrawList* list = ImGui::GetWindowDrawList();
  // What the numbers count, above them.
  const std::string scale = plot.y.scale == AxisScale::logarithmic ? ", log scale" : "";
  const std::string unit = fitted(shell.fonts.small, plot.y.label + scale, 0.6f * width);
  const float right = at.x + width;
  drawText(shell.fonts.small, ImVec2(right - textSize(shell.fonts.small, unit).x, at.y),
           shell.colours->muted, unit);
  for (float y = f.lo.y + l.row; l.bars > 1 && y < f.hi.y - l.row / 2; y += l.row)  // groups
    list->AddLine(ImVec2(at.x, y), ImVec2(right, y), shell.colours->line, shell.stroke());
  list->PushClipRect(f.lo, f.hi, true);
  const std::vector<const PlotSeries*> all = carriers(plot);
  for (std::size_t place = 0; place < all.size(); ++place)
    bars(shell, plot, *all[place], place, f, l);
  ghosts(shell, plot, f, l);
  list->PopClipRect();
  names(shell, plot, f, l, at.x);
  numbers(shell, plot, f, l);
}

void drawRowsReadout(Shell& shell, const Plot& plot, const PlotFrame& f, ImVec2 at, float width) {
  const float mouse = ImGui::GetIO().MousePos.y;
  const auto count = static_cast<float>(plot.x.names.size());
  if (mouse < f.lo.y || mouse >= f.hi.y || count < 1) return;
  const float row = (f.hi.y - f.lo.y) / count;
  const auto index =
      std::min(plot.x.names.size() - 1, static_cast<std::size_t>((mouse - f.lo.y) / row));
  const float top = f.lo.y + row * static_cast<float>(index);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + width, top + row),
                                            withAlpha(shell.colours->muted, 0.15f));
  std::vector<ReadoutRow> rows;
  for (const PlotSeries& s : plot.series) {
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      if (rowOf(s, i) != index) continue;
      std::string label = s.source.empty() ? s.label : s.label + " (" + shortSource(s.source) + ")";
      if (s.highlight == i) label += ", " + s.highlightLabel;
      rows.push_back({label, rowNumber(plot, s, i, true), s.colour});
    }
  }
  drawReadoutTable(shell, f, plot.x.names[index], rows);
}

}  // namespace cellscope::gui
