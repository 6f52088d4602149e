// Layout of names, bars and numbers of a chart of rows, in pixels.
#pragma once
#include <cstddef>

namespace cellscope::gui {

struct RowsLayout {
  float names = 0, numbers = 0;  // widths of the columns left and right of the bars
  float row = 0, bar = 0;        // heights
  std::size_t bars = 1;          // in a row

  // The same with rows of this height, whose bars grow up to twice theirs.
  RowsLayout stretched(float to) const;
  // Middle of a bar below the top of the first row; `series` counts those with numbers.
  float middle(std::size_t row, std::size_t series) const;
};

// Names get up to two fifths of the width, bars at least 30 %. Each of the `series` bars of a row
// has the height of its number, `text`. The bars of a row stand in its middle where it is made
// higher.
RowsLayout layoutRows(float width, float widestName, float widestNumber, std::size_t series,
                      float text);

}  // namespace cellscope::gui
