// A run walked through: a phase a second, of which those that leave the picture as it was take no
// time.
#pragma once
#include <cstdint>

namespace cellscope::gui {

struct Shell;
class ViewportArea;

struct Walk {
  bool on = false;
  double next = 0;             // when the next phase is due
  bool ordered = false;        // one is under way
  std::uint64_t step = 0;      // where it was ordered
  int phase = 0, skipped = 0;  // skipped: in a row
  std::uint64_t picture = 0;   // hash of the last one
};

void setWalk(Shell& shell, bool on);
void goOnWalking(Shell& shell, const ViewportArea& area);  // once a frame, after the picture

}  // namespace cellscope::gui
