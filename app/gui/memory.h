// What the window remembers between two starts: files opened last, and its columns.
#pragma once
#include <string>
#include <vector>

namespace cellscope::gui {

struct Remembered {
  std::vector<std::string> recentFiles;                       // absolute paths, the newest first
  float leftWidth = 320, rightWidth = 360, plotsWidth = 360;  // at scale 1
  bool widened = false;                                       // by hand
  bool plotsDetached = false;                                 // plots in a column of their own
  bool operator==(const Remembered&) const = default;
};

inline constexpr float kNarrowestColumn = 260, kWidestColumn = 760;  // at scale 1
inline constexpr std::size_t kMostRecent = 8;

// From window.toml in this folder. What is missing or makes no sense there is as at the first
// start.
Remembered readMemory(const std::string& folder);
// Why it could not be written, or "".
std::string writeMemory(const std::string& folder, const Remembered& what);

// Puts a file first; relative paths are made absolute.
void addRecent(std::vector<std::string>& recent, const std::string& path);
// Why a file cannot be opened at present, in two or three words; "": it can.
std::string whyMissing(const std::string& path);

}  // namespace cellscope::gui
