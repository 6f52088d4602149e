// Where labels are drawn: beside, on or in what they name, without overlapping each other.
#pragma once
#include <glm/vec2.hpp>
#include <span>
#include <vector>

namespace cellscope::render {

struct LabelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // pixels, y upwards, ends excluded
};

// Which part of a picture is taken, in squares of a few pixels.
class LabelLayout {
 public:
  LabelLayout(int width, int height);
  // The first free place for a label of this size, and takes it; false: there is none, or the place
  // is outside the picture. Right, above, left or below `at` by `gap` pixels; 0: centred on it.
  bool place(glm::vec2 at, glm::ivec2 size, int gap, LabelBox& box);
  // Likewise around a ball of this radius, below it first.
  bool placeAround(glm::vec2 at, glm::ivec2 size, int radius, LabelBox& box);
  // Likewise `inset` pixels inside a room: in one of its corners, the upper left one first.
  bool placeInCorner(const LabelBox& room, glm::ivec2 size, int inset, LabelBox& box);
  // Likewise in the middle of a room, or above or below that.
  bool placeInMiddle(const LabelBox& room, glm::ivec2 size, int inset, LabelBox& box);
  // No label comes here.
  void keepFree(const LabelBox& box);

 private:
  static constexpr int kSquare = 4;
  bool isFree(const LabelBox& box) const;
  bool takeFirst(std::span<const glm::ivec2> corners, glm::ivec2 size, LabelBox& box);
  void take(const LabelBox& box);

  int width_, height_, columns_;
  std::vector<bool> taken_;
};

}  // namespace cellscope::render
