// The dialog that makes a page of a lesson: what is on the screen, a text, and the parameters that
// the class may move, as one scenario file.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace cellscope::gui {

struct Shell;

struct PageWindow {
  bool open = false;
  std::array<char, 128> title{};
  std::array<char, 256> lesson{};  // one sentence
  std::array<char, 4096> text{};
  std::array<char, 32> from{}, to{};  // of the first slider
  std::array<char, 128> file{};
  std::vector<std::string> sliders;  // keys; the first one is the large one
  int watch = 0;                     // observable, from 1 on; 0: none
  bool alone = true;                 // everything else is hidden
  std::string error, overwrites;     // the file that saving once more replaces
  bool focus = false;
};

void openPageWindow(Shell& shell);
void pageWindow(Shell& shell);

}  // namespace cellscope::gui
