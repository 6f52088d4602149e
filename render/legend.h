// What legends tell of the layers that are shown: for the window and for pictures without one.
#pragma once
#include "render/renderer.h"

namespace cellscope::render {

// What a legend shows of a mark.
struct SwatchLook {
  Primitive primitive = Primitive::points;
  Mark mark = Mark::plain;
  Rgb colour{};          // of the instances, or of ink
  bool directed = true;  // lines: with their arrowhead
  int side = 13;         // pixels
  float scale = 1;       // of widths and dashes

  bool operator==(const SwatchLook&) const = default;
};

// side x side pixels, RGBA, rows from the top. Bodies and boxes are squares with their hatching.
std::vector<std::uint8_t> swatch(const SwatchLook& look);

// A red border over the edges: a hundred and fiftieth of the shorter side, at least 3 pixels.
void paintWarningFrame(Image& image);

struct LegendEntry {
  std::string label;
  SwatchLook look;  // its size is that of whoever draws it
};

// A scale, or the entries of all layers that share a title.
struct LegendPart {
  std::string title, below;          // below: the symbols of a long title
  std::string note;                  // below the entries
  const LayerData* layer = nullptr;  // the first one
  std::vector<LegendEntry> entries = {};
};

// Of the layers, which must outlive it. Layers without instances, without a title, or with neither
// a scale nor named categories are left out; `quiet`: quiet ones as well, and a note tells with
// which share of their size they are drawn in a box of this dimension.
std::vector<LegendPart> legendParts(const std::vector<LayerData>& layers, bool dark, bool quiet,
                                    int dimension);

// Of a scale bar: the longest of 1, 2 or 5 times a power of ten that has room in `most` pixels.
double scaleBarLength(double pixelsPerSigma, double most);

// What colours and marks mean, once for layers that share a title, in the lower left corner; layers
// without a legend are left out. pixelsPerSigma: in 2D, or at the target.
void paintLegend(Image& image, const std::vector<LayerData>& layers, double pixelsPerSigma,
                 const Style& style, int dimension = 2);

}  // namespace cellscope::render
