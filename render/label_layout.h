// Where labels are drawn: beside or on their positions, without overlapping each other.
#pragma once
#include <glm/vec2.hpp>
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

 private:
  static constexpr int kSquare = 4;
  bool isFree(const LabelBox& box) const;
  void take(const LabelBox& box);

  int width_, height_, columns_;
  std::vector<bool> taken_;
};

}  // namespace cellscope::render
