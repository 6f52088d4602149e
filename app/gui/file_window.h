// The window's dialogs to open and to save a file: a path with completion, the files of its folder,
// and those opened last.
#pragma once
#include <string>
#include <vector>

#include "app/gui/file_list.h"

namespace cellscope::gui {

struct Shell;

struct FileWindow {
  enum class Task { none, open, save };
  Task task = Task::none;
  std::string typed;       // path; relative to the output folder
  std::string clicked;     // as it was typed by a click in the list, which stays as it is then
  std::string error;       // beside the field
  std::string overwrites;  // asks whether this file is to be replaced
  FileKind saves = FileKind::scenario;
  int filter = 0;         // of the list: all kinds, or one
  int chosen = -1;        // entry chosen by the arrow keys
  bool focus = false;     // the field is to get the keyboard
  std::string listedFor;  // what `listing` was made from
  Listing listing;
  std::string preview;  // of the file that is typed
  double listedAt = -1, checkedAt = -1;
  std::vector<std::string> missing;  // why each recent file cannot be opened; "": it can
};

void openFileWindow(Shell& shell, FileWindow::Task task);
void fileWindow(Shell& shell);
// Why each of the recent files cannot be opened, looked up once a second.
const std::vector<std::string>& missingFiles(Shell& shell);
// One row for each recent file; true when one was chosen, which is then `path`.
bool recentRows(Shell& shell, std::string& path);

}  // namespace cellscope::gui
