#include "sim/algo/mpmc/tile_choice.h"

#include <algorithm>

namespace cellscope::mpmc {

int mostActive(int w, int h) {
  const int x = w / 2, y = h / 2;
  return std::max({(x + 4) * (y + 2), (x + 3) * (y + 3), (x + 2) * (y + 4)});
}

TileCount chooseTiles(int columns, int rows, int blocks) {
  const auto most = [](int cells) { return std::max(1, cells / kTileLeast); };
  const int halfX = columns / 2, halfY = rows / 2;
  TileCount best;
  int smallest = kTileCells + 1;
  for (int nx = 1; nx <= most(columns); ++nx)
    for (int ny = 1; ny <= most(rows) && nx * ny <= blocks; ++ny) {
      // Tiles are whole pairs of columns and of rows wide; the widest counts.
      const int w = 2 * ((halfX + nx - 1) / nx), h = 2 * ((halfY + ny - 1) / ny);
      const int thinnest = 2 * std::min(halfX / nx, halfY / ny);
      const int region = (w + kMarginSide) * (h + kMarginSide);
      const int slots = rowStride((w + kMarginSide) / 2) * (h + kMarginSide);
      const bool fits = std::max(w, h) + kMarginSide <= kTileSide && region < smallest &&
                        slots <= kTileSlots && mostActive(w, h) <= kTileActive;
      if (!fits || (nx * ny > 1 && thinnest < kTileLeast)) continue;
      smallest = region;
      best = {nx, ny};
    }
  return best;
}

}  // namespace cellscope::mpmc
