// A mark in the picture at the lecturer's mouse, which those who follow see at the same place of
// the box.
#pragma once
#include "app/lesson/link.h"

namespace cellscope::gui {

struct Shell;
class ViewportArea;

struct Pointer {
  bool on = false;  // switched on, without a key held down
  lesson::Shown shown;
  double sentAt = -1;
};

// Own mark, sent to those who follow, or that of the lecturer; in the picture beside it as well.
void pointerOverlay(Shell& shell, const ViewportArea& area, const ViewportArea* second);

}  // namespace cellscope::gui
