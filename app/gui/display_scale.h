// Scale of text and panels where none was asked for.
#pragma once

namespace cellscope::gui {

// The content scale that the desktop reports, and where the screen is large at that scale, more: a
// quarter for each whole quarter by which its height exceeds 1080, twice as large at most, so that
// the window is read from the same number of screen heights away. `heightPixels` 0: not known.
float displayScale(float contentScale, int heightPixels);

// Enlargement of text and panels in a presentation in a window of this height at scale 1: half as
// large again, and more in high windows, so that the smallest print is read from ten metres. The
// rule: a picture two metres high; letters, capitals of 0.72 of their font size, of at least 10
// minutes of arc at ten metres, 29 mm; thus fonts of 2 % of the height.
inline constexpr float kSmallestPrint = 13;       // pixels at scale 1
inline constexpr float kReadableShare = 0.0202f;  // of the height
float presentationZoom(float heightAtScale1);

}  // namespace cellscope::gui
