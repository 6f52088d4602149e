// Lines, bands, points and references of a plot.
#include "app/gui/plot.h"

namespace cellscope::gui {

static void dashedLine(ImVec2 a, ImVec2 b, ImU32 colour, float thickness, float dash,
                       float& phase) {
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (!(length > 0)) return;
  const float dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
  for (float s = -phase; s < length; s += 2 * dash) {
    const float from = std::max(0.f, s), to = std::min(length, s + dash);
    if (to > from)
      ImGui::GetWindowDrawList()->AddLine(a + ImVec2(dx * from, dy * from),
                                          a + ImVec2(dx * to, dy * to), colour, thickness);
  }
  phase = std::fmod(phase + length, 2 * dash);
}

// y - error to y + error as a filled band between neighbouring points.
static void band(const PlotSeries& s, const OnAxes& on, const PlotFrame& f,
                 std::span<const std::size_t> kept) {
  const ImU32 fill = withAlpha(s.colour, 0.2f * s.opacity);
  const auto clampY = [&](double y) { return std::clamp(f.py(y), f.lo.y - 10, f.hi.y + 10); };
  const auto known = [&](std::size_t i) {
    return on.index(i) < s.error.size() && std::isfinite(s.error[on.index(i)]);
  };
  for (std::size_t k = 1; k < kept.size(); ++k) {
    const std::size_t i = kept[k - 1], j = kept[k];
    if (!known(i) || !known(j)) continue;
    const float xi = f.px(on.x()[i]), xj = f.px(on.x()[j]);
    ImGui::GetWindowDrawList()->AddQuadFilled(
        ImVec2(xi, clampY(on.high(i))), ImVec2(xj, clampY(on.high(j))),
        ImVec2(xj, clampY(on.low(j))), ImVec2(xi, clampY(on.low(i))), fill);
  }
}

// Tip of an arrow at the edge beyond which something lies.
static void beyond(float x, bool above, const PlotFrame& f, float half, ImU32 colour) {
  const float edge = above ? f.lo.y : f.hi.y, tall = above ? 2 * half : -2 * half;
  ImGui::GetWindowDrawList()->AddTriangleFilled(ImVec2(x, edge), ImVec2(x - half, edge + tall),
                                                ImVec2(x + half, edge + tall), colour);
}

static void points(Shell& shell, const PlotSeries& s, const OnAxes& on, const PlotFrame& f) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = withAlpha(s.colour, 0.6f * s.opacity);
  const float thin = shell.stroke(s.emphasis ? 2 : 1.2f);
  const float larger = static_cast<float>(s.rank);
  const float r = shell.px((s.emphasis ? 4 : 2.5f) + larger), cap = shell.px(s.emphasis ? 6 : 3);
  for (std::size_t k = 0; k < on.size(); ++k) {
    if (!std::isfinite(on.y()[k]) || on.x()[k] < f.x.lo || on.x()[k] > f.x.hi) continue;
    const ImVec2 at(f.px(on.x()[k]), f.py(on.y()[k]));
    // An error within the mark would look like dirt beside it.
    if (on.hasError(k) && f.py(on.low(k)) - f.py(on.high(k)) > 2 * r) {
      const auto inside = [&](float y) { return std::clamp(y, f.lo.y, f.hi.y); };
      const float lo = inside(f.py(on.low(k))), hi = inside(f.py(on.high(k)));
      // A hollow mark stays hollow.
      const float inner = s.hollow ? r : 0;
      list->AddLine(ImVec2(at.x, lo), ImVec2(at.x, at.y + inner), colour, thin);
      list->AddLine(ImVec2(at.x, at.y - inner), ImVec2(at.x, hi), colour, thin);
      list->AddLine(ImVec2(at.x - cap, lo), ImVec2(at.x + cap, lo), colour, thin);
      list->AddLine(ImVec2(at.x - cap, hi), ImVec2(at.x + cap, hi), colour, thin);
    }
    if (at.y < f.lo.y || at.y > f.hi.y) {
      if (s.source.empty()) beyond(at.x, at.y < f.lo.y, f, r + 1, colour);
      continue;
    }
    if (s.highlight == on.index(k)) {
      drawMarker(s.marker, at, r + shell.px(2), s.colour, s.hollow ? shell.px(1.5f) : 0);
      continue;
    }
    if (s.emphasis) list->AddCircleFilled(at, r + shell.px(2), shell.colours->viewport);
    drawMarker(s.marker, at, r, withAlpha(s.colour, s.opacity), s.hollow ? shell.px(1.2f) : 0);
  }
}

static bool hasGap(std::span<const double> values) {
  return std::ranges::any_of(values, [](double y) { return std::isnan(y); });
}

// Values that are denser than pixels: what each column of pixels spans, joined to the one before.
// As a stroke their steep turns would be torn.
static void columns(Shell& shell, std::span<const ImVec2> line, ImU32 colour) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thin = std::max(1.f, std::floor(shell.px(1)));
  float before = line.front().y;
  for (std::size_t i = 0; i < line.size();) {
    const float x = std::floor(line[i].x);
    float lo = std::min(before, line[i].y), hi = std::max(before, line[i].y);
    for (; i < line.size() && std::floor(line[i].x) == x; ++i) {
      lo = std::min(lo, line[i].y);
      hi = std::max(hi, line[i].y);
      before = line[i].y;
    }
    const float next = i < line.size() ? std::floor(line[i].x) : x + 1;
    list->AddRectFilled(ImVec2(x, lo), ImVec2(std::min(next, x + 2), std::max(hi, lo + thin)),
                        colour);
    if (next > x + 2)
      list->AddRectFilled(ImVec2(x + 2, before), ImVec2(next, before + thin), colour);
  }
}

void drawMarker(int marker, ImVec2 p, float r, ImU32 colour, float hollow) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto closed = [&](std::initializer_list<ImVec2> corners) {
    for (const ImVec2& corner : corners) list->PathLineTo(corner);
    if (hollow > 0)
      list->PathStroke(colour, ImDrawFlags_Closed, hollow);
    else
      list->PathFillConvex(colour);
  };
  switch (marker % 4) {
    case 0:
      if (hollow > 0)
        list->AddCircle(p, r, colour, 12, hollow);
      else
        list->AddCircleFilled(p, r, colour, 10);
      break;
    case 1:
      r *= 0.9f;
      closed({{p.x - r, p.y - r}, {p.x + r, p.y - r}, {p.x + r, p.y + r}, {p.x - r, p.y + r}});
      break;
    case 2:
      r *= 1.2f;
      closed({{p.x - r, p.y + r / 1.2f}, {p.x, p.y - r}, {p.x + r, p.y + r / 1.2f}});
      break;
    default:
      r *= 1.3f;
      closed({{p.x - r, p.y}, {p.x, p.y - r}, {p.x + r, p.y}, {p.x, p.y + r}});
  }
}

// A polyline, dashed or solid, broader with its rank; dashes of coinciding series alternate.
static void strokeSeries(Shell& shell, const PlotSeries& s, std::span<const ImVec2> line) {
  if (line.empty()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float dash = shell.px(5);
  if (line.size() == 1)
    return list->AddCircleFilled(line[0], shell.px(s.x.size() == 1 ? 4 : 2), s.colour, 12);
  // Dense single values are drawn fainter where they would hide a mean.
  const bool crowded =
      s.opacity < 1 && static_cast<float>(line.size()) > line.back().x - line.front().x;
  const ImU32 colour = withAlpha(s.colour, s.opacity * (crowded && s.opacity < 0.45f ? 0.4f : 1.f));
  const float broader = s.dashed ? 0 : static_cast<float>(std::min(s.rank, 2));
  const float thickness = shell.stroke(1.5f + broader);
  if (s.dashed) {
    float phase = dash * 0.67f * static_cast<float>(s.rank);
    for (std::size_t k = 1; k < line.size(); ++k)
      dashedLine(line[k - 1], line[k], colour, thickness, dash, phase);
    return;
  }
  if (crowded) return columns(shell, line, colour);
  // At a spike, as of g(r) of a rare pair, the corner of one stroke would stand out by some pixels.
  const auto turnsBack = [&](std::size_t k) {
    const ImVec2 &a = line[k - 1], &b = line[k], &c = line[k + 1];
    return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0;
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    list->PathLineTo(line[k]);
    if (k == 0 || k + 1 >= line.size() || !turnsBack(k)) continue;
    list->PathStroke(colour, 0, thickness);
    list->PathLineTo(line[k]);
  }
  list->PathStroke(colour, 0, thickness);
}

void drawSeries(Shell& shell, const PlotSeries& s, const PlotFrame& f) {
  if (s.kind == SeriesKind::bars) return;  // drawn together, see drawBars
  if (s.kind == SeriesKind::steps) return drawSteps(shell, s, f);
  const OnAxes on(s, f.xScale, f.yScale);
  if (s.kind == SeriesKind::points) return points(shell, s, on, f);
  const auto kept =
      decimate(on.x(), on.y(), f.x.lo, f.x.hi, std::max(1, static_cast<int>(f.hi.x - f.lo.x)));
  // In pieces between values that are none.
  const auto joined = [&](std::size_t i, std::size_t j) {
    return !hasGap(on.y().subspan(i, j - i));
  };
  for (std::size_t from = 0, to = 0; from < kept.size(); from = to) {
    for (to = from + 1; to < kept.size() && joined(kept[to - 1], kept[to]);) ++to;
    const std::span<const std::size_t> piece(kept.data() + from, to - from);
    band(s, on, f, piece);
    std::vector<ImVec2> line;
    for (std::size_t i : piece) line.emplace_back(f.px(on.x()[i]), f.py(on.y()[i]));
    strokeSeries(shell, s, line);
  }
}

bool drawBeyond(Shell& shell, const PlotSeries& s, const PlotFrame& f) {
  if (s.kind != SeriesKind::line) return false;
  const auto kept =
      decimate(s.x, s.y, f.x.lo, f.x.hi, std::max(1, static_cast<int>(f.hi.x - f.lo.x)));
  std::vector<double> x, y;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const bool gap = k > 0 && hasGap(s.y.subspan(kept[k - 1], kept[k] - kept[k - 1]));
    if (gap) x.push_back(s.x[kept[k]]), y.push_back(std::nan(""));
    x.push_back(s.x[kept[k]]), y.push_back(s.y[kept[k]]);
  }
  const float half = shell.px(3), room = shell.px(8);
  float next[2] = {f.lo.x, f.lo.x};  // from where on there is room, below and above
  bool any = false;
  for (const std::size_t k : farBeyond(y, f.goalY.lo, f.goalY.hi)) {
    const bool above = y[k] > f.goalY.hi;
    const float at = f.px(x[k]);
    if (at < next[above] || at > f.hi.x) continue;
    next[above] = at + room;
    beyond(at, above, f, half, withAlpha(s.colour, s.opacity));
    any = true;
  }
  return any;
}

// A published value beyond the axis: an arrow and the value; several side by side, from the right.
static void referenceBeyond(Shell& shell, const PlotReference& r, const PlotFrame& f,
                            float& right) {
  const bool above = toAxis(f.yScale, r.value) > f.y.hi;
  const std::string value = number(r.value);
  const ImVec2 text = textSize(shell.fonts.smallNumbers, value);
  const float half = shell.px(4), edge = above ? f.lo.y : f.hi.y;
  const float x = right - half - shell.px(4), left = x - half - shell.px(4) - text.x;
  beyond(x, above, f, half, r.colour);
  drawText(shell.fonts.smallNumbers, ImVec2(left, above ? edge : edge - text.y), r.colour, value);
  right = left - shell.px(4);
}

void drawReferences(Shell& shell, const Plot& plot, const PlotFrame& f) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  float right = f.hi.x;
  for (const PlotReference& r : plot.references) {
    const double place = toAxis(f.yScale, r.value);
    if (place < f.y.lo || place > f.y.hi) referenceBeyond(shell, r, f, right);
    const auto at = [&](double value) { return f.py(toAxis(f.yScale, value)); };
    if (r.error > 0)
      list->AddRectFilled(ImVec2(f.lo.x, at(r.value + r.error)),
                          ImVec2(f.hi.x, at(r.value - r.error)), withAlpha(r.colour, 0.2f));
    float phase = 0;
    dashedLine(ImVec2(f.lo.x, at(r.value)), ImVec2(f.hi.x, at(r.value)), r.colour,
               shell.stroke(1.5f), shell.px(5), phase);
  }
}

static void errorBar(float x, float lo, float hi, float cap, ImU32 colour, float thin) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(ImVec2(x, lo), ImVec2(x, hi), colour, thin);
  list->AddLine(ImVec2(x - cap, lo), ImVec2(x + cap, lo), colour, thin);
  list->AddLine(ImVec2(x - cap, hi), ImVec2(x + cap, hi), colour, thin);
}

static std::string numberOf(const PlotSeries& s, std::size_t i, bool error) {
  return error ? valueWithError(s.y[i], i < s.error.size() ? s.error[i] : 0) : number(s.y[i], 3);
}

// All bars of one series; `left` and `width` of a bar relative to its x, in pixels.
static void bars(Shell& shell, const Plot& plot, const PlotSeries& s, const PlotFrame& f,
                 float left, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = shell.fonts.smallNumbers;
  const float base = f.baseY(), tall = textSize(font, "0").y, thin = shell.stroke(1.2f);
  const OnAxes on(s, plot.x.scale, plot.y.scale);
  // Numbers on the bars: with errors, without, or only under the mouse, as space allows.
  const auto fit = [&](bool errors) {
    bool fits = true;
    for (std::size_t k = 0; k < on.size(); ++k)
      fits = fits && textSize(font, numberOf(s, on.index(k), errors)).x <= width;
    return fits;
  };
  const bool errors = fit(true), room = errors || fit(false);
  for (std::size_t k = 0; k < on.size(); ++k) {
    if (!std::isfinite(on.y()[k])) continue;
    const float x = f.px(on.x()[k]) + left, y = f.py(on.y()[k]), gap = std::min(1.f, 0.1f * width);
    list->AddRectFilled(ImVec2(x + gap, std::min(y, base)),
                        ImVec2(x + width - gap, std::max(y, base)), barColour(s, on.index(k)));
    float top = std::min(y, base);
    if (on.hasError(k)) {
      const float lo = std::min(f.py(on.low(k)), f.hi.y), hi = f.py(on.high(k));
      errorBar(x + width / 2, lo, hi, std::min(shell.px(4), width / 3), shell.colours->text, thin);
      top = std::min(top, hi);
    }
    if (!room) continue;
    const std::string text = numberOf(s, on.index(k), errors);
    const float at = std::max(f.lo.y, top - tall - shell.px(1));
    drawText(font, ImVec2(x + (width - textSize(font, text).x) / 2, at), shell.colours->text, text);
  }
}

ImU32 barColour(const PlotSeries& s, std::size_t i) {
  return withAlpha(s.colour, s.opacity * (s.highlight.value_or(i) == i ? 0.9f : 0.65f));
}

void drawBars(Shell& shell, const Plot& plot, const PlotFrame& f) {
  const auto count = std::ranges::count(plot.series, SeriesKind::bars, &PlotSeries::kind);
  if (count == 0) return;
  const float slot = f.px(f.x.lo + barSlot(plot)) - f.px(f.x.lo);
  const float whole = std::max(1.f, 0.84f * slot), width = whole / static_cast<float>(count);
  float left = -whole / 2;
  for (const PlotSeries& s : plot.series) {
    if (s.kind != SeriesKind::bars) continue;
    bars(shell, plot, s, f, left, width);
    left += width;
  }
}

void drawSteps(Shell& shell, const PlotSeries& s, const PlotFrame& f) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float base = f.baseY();
  const std::size_t bins = s.x.empty() ? 0 : std::min(s.x.size() - 1, s.y.size());
  const auto at = [&](double x) {
    return std::clamp(f.px(toAxis(f.xScale, x)), f.lo.x - 1, f.hi.x + 1);
  };
  const auto height = [&](double value) {
    const double y = toAxis(f.yScale, value);
    return std::isnan(y) ? base : std::clamp(f.py(y), f.lo.y - 9, f.hi.y + 9);
  };
  std::vector<ImVec2> outline;
  for (std::size_t i = 0; i < bins; ++i) {
    const float x0 = at(s.x[i]), x1 = at(s.x[i + 1]), y = height(s.y[i]);
    if (x1 < f.lo.x || x0 > f.hi.x) continue;
    if (!s.dashed)
      list->AddRectFilled(ImVec2(x0, std::min(y, base)), ImVec2(x1, std::max(y, base)),
                          withAlpha(s.colour, (s.highlight == i ? 0.5f : 0.14f) * s.opacity));
    if (i < s.error.size() && s.error[i] > 0)
      list->AddRectFilled(ImVec2(x0, height(s.y[i] + s.error[i])),
                          ImVec2(x1, height(s.y[i] - s.error[i])),
                          withAlpha(s.colour, 0.2f * s.opacity));
    if (outline.empty()) outline.emplace_back(x0, base);
    if (outline.back().x != x0 || outline.back().y != y) outline.emplace_back(x0, y);
    outline.emplace_back(x1, y);
    if (i + 1 == bins) outline.emplace_back(x1, base);
  }
  // Where steps are denser than the stroke is broad, its corners would swell.
  const bool dense = !outline.empty() && static_cast<float>(outline.size()) * shell.px(2) >
                                             outline.back().x - outline.front().x;
  if (dense && !s.dashed) return columns(shell, outline, withAlpha(s.colour, s.opacity));
  strokeSeries(shell, s, outline);
}

}  // namespace cellscope::gui
