// The step by which a grid moved, as arrows at its cells.
#pragma once
#include <cstdio>
#include <vector>

#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// At most 48 x 48 arrows, whose tips are corners of cells; none without a shift.
inline std::vector<LineInstance> shiftArrows(const GridPlacement& grid, int m,
                                             const CellShift& shift) {
  std::vector<LineInstance> lines;
  if (!(shift.d > 0)) return lines;
  const int stride = (m + 47) / 48;
  const double sign = shift.direction & 1 ? -1 : 1;
  const double ux = shift.direction < 2 ? sign : 0, uy = shift.direction < 2 ? 0 : sign;
  for (int y = 0; y < m; y += stride)
    for (int x = 0; x < m; x += stride) {
      const double tipX = grid.globalX(x, 0.0f), tipY = grid.globalY(y, 0.0f);
      LineInstance l{};
      l.a[0] = static_cast<float>(tipX - ux * shift.d);
      l.a[1] = static_cast<float>(tipY - uy * shift.d);
      l.b[0] = static_cast<float>(tipX);
      l.b[1] = static_cast<float>(tipY);
      lines.push_back(l);
    }
  return lines;
}

class CellShiftLayer final : public Layer {
 public:
  CellShiftLayer()
      : Layer({kShift,
               "Cell shift",
               "The step by which the last sweep moved the cell boundaries.",
               Primitive::lines,
               false,
               LayerGroup::cells,
               {opacityOption()},
               {}},
              bit(Need::gridShift)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.shift || !(from.shift->shift.d > 0))
      return to.add(nothing(info(), "no shift has just been made"));
    const GridShiftView& s = *from.shift;
    static constexpr const char* kTo[] = {"right", "left", "up", "down"};
    char words[48];
    std::snprintf(words, sizeof words, "%.3f sigma %s", static_cast<double>(s.shift.d),
                  kTo[s.shift.direction & 3]);
    ColourScale scale = plainScale("cell shift");
    scale.marks = {Mark::arrow};
    scale.categories = {words};
    to.add(layerOf(info().key, Primitive::lines, shiftArrows(s.grid, s.cells, s.shift),
                   std::move(scale)));
  }
};

}  // namespace cellscope::layers
