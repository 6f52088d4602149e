// Scale of text and panels where none was asked for.
#pragma once

namespace cellscope::gui {

// The content scale that the desktop reports, and where the screen is large at that scale, more: a
// quarter for each whole quarter by which its height exceeds 1080, twice as large at most, so that
// the window is read from the same number of screen heights away. `heightPixels` 0: not known.
float displayScale(float contentScale, int heightPixels);

}  // namespace cellscope::gui
