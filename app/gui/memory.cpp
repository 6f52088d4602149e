#include "app/gui/memory.h"

#include <unistd.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "app/sweep/sweep.h"
#include "sim/base/error.h"
#include "sim/io/files.h"

namespace cellscope::gui {

namespace fs = std::filesystem;

constexpr const char* kFile = "/window.toml";

static float widthFrom(const toml::table& table, const char* key, float usual) {
  const double value = table[key].value_or(static_cast<double>(usual));
  if (!std::isfinite(value)) return usual;
  return std::clamp(static_cast<float>(value), kNarrowestColumn, kWidestColumn);
}

Remembered readMemory(const std::string& folder) {
  Remembered r;
  if (folder.empty()) return r;
  toml::table table;
  try {
    table = toml::parse_file(folder + kFile);
  } catch (const toml::parse_error&) {  // none yet, or damaged: as at the first start
    return r;
  }
  if (const toml::array* files = table["recent"].as_array())
    for (const toml::node& file : *files)
      if (const auto path = file.value<std::string>(); path && r.recentFiles.size() < kMostRecent)
        r.recentFiles.push_back(*path);
  r.leftWidth = widthFrom(table, "left_width", r.leftWidth);
  r.rightWidth = widthFrom(table, "right_width", r.rightWidth);
  r.plotsWidth = widthFrom(table, "plots_width", r.plotsWidth);
  r.widened = table["widened"].value_or(false);
  r.plotsDetached = table["plots_detached"].value_or(false);
  return r;
}

std::string writeMemory(const std::string& folder, const Remembered& what) {
  if (folder.empty()) return "neither XDG_STATE_HOME nor HOME names a folder";
  toml::array files;
  for (const std::string& path : what.recentFiles) files.push_back(path);
  toml::table table;
  table.insert("recent", std::move(files));
  table.insert("left_width", static_cast<double>(what.leftWidth));
  table.insert("right_width", static_cast<double>(what.rightWidth));
  table.insert("plots_width", static_cast<double>(what.plotsWidth));
  table.insert("widened", what.widened);
  table.insert("plots_detached", what.plotsDetached);
  std::ostringstream text;
  text << "# What the window of cellscope remembers. May be deleted.\n" << table << "\n";
  try {
    io::createFolder(folder);
    io::replaceFile(folder + kFile, text.str());
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

void addRecent(std::vector<std::string>& recent, const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  const std::string name = error ? path : whole.lexically_normal().string();
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

std::string whyMissing(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "no such file";
  if (error) return "cannot be reached";
  if (fs::is_directory(status)) return sweep::isSweep(path) ? "" : "a folder";
  return access(path.c_str(), R_OK) == 0 ? "" : "not readable";
}

}  // namespace cellscope::gui
