// The step by which a grid moved: the grid before it and after it, and arrows from one to the
// other.
#pragma once
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Unit vector of a shift.
struct ShiftAxis {
  double x = 0, y = 0;
  static ShiftAxis of(const CellShift& shift) {
    const double sign = shift.direction & 1 ? -1 : 1;
    return shift.direction < 2 ? ShiftAxis{sign, 0} : ShiftAxis{0, sign};
  }
};

// Of a fine grid only every nth boundary is drawn, so that the space between them stays visible.
inline int boundaryStride(int m) { return (m + 31) / 32; }
inline int rowsOf(const GridPlacement& grid) { return static_cast<int>(grid.length[1] / grid.w); }

// At most 16 x 16 arrows, between the boundaries drawn, whose tips are centres of cells; none
// without a shift.
inline std::vector<LineInstance> shiftArrows(const GridPlacement& grid, int m,
                                             const CellShift& shift) {
  std::vector<LineInstance> lines;
  if (!(shift.d > 0)) return lines;
  const int line = boundaryStride(m), stride = line * ((m + 16 * line - 1) / (16 * line));
  const ShiftAxis u = ShiftAxis::of(shift);
  const auto half = static_cast<float>(grid.w / 2);
  for (int y = line / 2; y < rowsOf(grid); y += stride)
    for (int x = line / 2; x < m; x += stride) {
      const double tipX = grid.globalX(x, half), tipY = grid.globalY(y, half);
      LineInstance l{};
      l.a[0] = static_cast<float>(tipX - u.x * shift.d);
      l.a[1] = static_cast<float>(tipY - u.y * shift.d);
      l.b[0] = static_cast<float>(tipX);
      l.b[1] = static_cast<float>(tipY);
      lines.push_back(l);
    }
  return lines;
}

// Lines of the grid across the whole box, moved back by `back` along the shift: those across it,
// and with `both` those along it.
inline std::vector<LineInstance> gridLines(const GridPlacement& grid, int m, const ShiftAxis& u,
                                           double back, bool both) {
  std::vector<LineInstance> lines;
  const int stride = boundaryStride(m);
  const auto length = [&](int axis) { return static_cast<float>(grid.length[axis]); };
  const auto within = [&](double v, int axis) {
    const double l = grid.length[axis], in = v < 0 ? v + l : v >= l ? v - l : v;
    return static_cast<float>(in);
  };
  for (int k = 0; k < m && (both || u.x != 0); k += stride) {
    const float x = within(grid.globalX(k, 0) - u.x * back, 0);
    lines.push_back({{x, 0, 0}, {x, length(1), 0}, 0, 0, 0});
  }
  for (int k = 0; k < rowsOf(grid) && (both || u.y != 0); k += stride) {
    const float y = within(grid.globalY(k, 0) - u.y * back, 1);
    lines.push_back({{0, y, 0}, {length(0), y, 0}, 0, 0, 0});
  }
  return lines;
}

class CellShiftLayer final : public Layer {
 public:
  CellShiftLayer()
      : Layer(kShift, "Cell shift",
              "The step by which the last sweep moved the cell boundaries: dashed, where they "
              "were; solid, where they are; and arrows from one to the other. Boundaries that did "
              "not move are drawn once. Of a fine grid only some boundaries are shown, and arrows "
              "are drawn long enough to be seen.",
              Primitive::lines, false, LayerGroup::cells, bit(Need::gridShift), {opacityOption()},
              {{kShiftBefore, "before"}, {kShiftAfter, "after"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.shift || !(from.shift->shift.d > 0))
      return to.add(nothing(info(), "no shift has just been made"));
    const GridShiftView& s = *from.shift;
    const ShiftAxis u = ShiftAxis::of(s.shift);
    const auto d = static_cast<double>(s.shift.d);
    static constexpr const char* kTo[] = {"right", "left", "up", "down"};
    char words[48];
    std::snprintf(words, sizeof words, "%.3f sigma %s", d, kTo[s.shift.direction & 3]);
    const int stride = boundaryStride(s.cells);
    const std::string which = stride > 1 ? ", 1 line of " + std::to_string(stride) : "";
    to.add(linesOf(kShiftBefore, gridLines(s.grid, s.cells, u, d, false), "cells before" + which,
                   Mark::gridBefore));
    to.add(linesOf(kShiftAfter, gridLines(s.grid, s.cells, u, 0, true), "cells now" + which,
                   Mark::gridAfter));
    to.add(linesOf(info().key, shiftArrows(s.grid, s.cells, s.shift), words, Mark::shifted));
  }

 private:
  static LayerData linesOf(const std::string& key, const std::vector<LineInstance>& lines,
                           const std::string& words, Mark mark) {
    ColourScale scale = plainScale("cell shift");
    scale.marks = {mark};
    scale.categories = {words};
    return layerOf(key, Primitive::lines, lines, std::move(scale));
  }
};

}  // namespace cellscope::layers
