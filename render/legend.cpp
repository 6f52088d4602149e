#include "render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/inside.h"

namespace cellscope::render {
namespace {

bool hasLegend(const LayerData& layer) {
  const ColourScale& scale = layer.scale;
  if (scale.title.empty() || layer.count == 0) return false;
  if (scale.categories.empty()) return scale.kind != ColourKind::plain;
  return std::any_of(scale.categories.begin(), scale.categories.end(),
                     [](const std::string& name) { return !name.empty(); });
}

// In the student's words first; symbols follow on a line of their own.
LegendPart titled(const LayerData& layer) {
  const ColourScale& scale = layer.scale;
  const std::size_t comma = scale.title.find(", ");
  if (scale.kind == ColourKind::hueWheel)
    return {scale.title.substr(0, comma),
            comma < scale.title.size() ? scale.title.substr(comma + 2) : "", "", &layer};
  return {scale.title + (scale.unit.empty() ? "" : " (" + scale.unit + ")"), "", "", &layer};
}

void addEntries(LegendPart& part, const LayerData& layer, bool dark) {
  const ColourScale& scale = layer.scale;
  const Paint paint = paintOf(layer.primitive, scale, dark);
  // Swatches of plain-coloured lines have no arrowhead, as their direction means nothing here.
  const bool directed = scale.kind != ColourKind::plain;
  for (std::size_t i = 0; i < scale.categories.size(); ++i) {
    if (scale.categories[i].empty()) continue;  // left out
    const auto value = static_cast<float>(i);
    const LegendEntry entry{
        scale.categories[i],
        {layer.primitive, markOf(scale, value), colourOf(scale, value, paint), directed}};
    const auto same =
        std::find_if(part.entries.begin(), part.entries.end(),
                     [&](const LegendEntry& other) { return other.label == entry.label; });
    if (same == part.entries.end())
      part.entries.push_back(entry);
    else if (layer.primitive == Primitive::points)  // a point swatch replaces that of its line
      *same = entry;
  }
}

bool showsSets(const ColourScale& scale) {
  return scale.kind == ColourKind::categorical && !scale.marks.empty() &&
         scale.marks.front() == Mark::setA;
}

// The four sets look the same in every layer and are listed once; a different title of a second
// layer becomes a note.
bool explained(std::vector<LegendPart>& all, const LayerData& layer) {
  if (!showsSets(layer.scale)) return false;
  const auto sets = std::find_if(all.begin(), all.end(),
                                 [](const LegendPart& p) { return showsSets(p.layer->scale); });
  if (sets == all.end()) return false;
  const std::string title = titled(layer).title;
  if (title.starts_with(sets->title))
    sets->title = title;
  else if (!sets->title.starts_with(title))
    sets->note = title;
  return true;
}

}  // namespace

std::vector<LegendPart> legendParts(const std::vector<LayerData>& layers, bool dark, bool quiet,
                                    int dimension) {
  std::vector<LegendPart> all;
  for (const LayerData& layer : layers) {
    if (!hasLegend(layer) || (quiet && isQuiet(layer, layers)) || explained(all, layer)) continue;
    const LegendPart own = titled(layer);
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const LegendPart& p) { return p.title == own.title; });
    if (at == all.end()) at = all.insert(at, own);
    addEntries(*at, layer, dark);
  }
  for (const LayerData& layer : layers) {
    const float share = quiet ? quietDiameter(layer, layers, dimension) : 1;
    if (share < 1 && layer.count > 0 && !all.empty() && all.front().note.empty())
      all.front().note = fmt::format("particles at {:g} of their size", share);
  }
  return all;
}

double scaleBarLength(double pixelsPerSigma, double most) {
  if (!(pixelsPerSigma > 0) || !(most > 0)) return 1;
  const double longest = most / pixelsPerSigma;
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  for (const double factor : {5.0, 2.0})
    if (factor * decade <= longest) return factor * decade;
  return decade;
}

}  // namespace cellscope::render
