#include "app/gui/dialogs.h"

#include <fmt/format.h>
#include <strings.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/common/settings.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"

namespace cellscope::gui {

namespace fs = std::filesystem;

static bool beginsWith(const std::string& name, const std::string& part) {
  return strncasecmp(name.c_str(), part.c_str(), part.size()) == 0;
}

static std::size_t lastPart(const std::string& typed) {
  const std::size_t slash = typed.rfind('/');
  return slash == std::string::npos ? 0 : slash + 1;
}

FileKind kindOf(const std::string& path) {
  const std::string end = fs::path(path).extension().string();
  if (end == ".toml") return FileKind::scenario;
  if (end == ".checkpoint") return FileKind::checkpoint;
  if (io::formatOfName(path)) return FileKind::configuration;
  return common::isPictureName(path) ? FileKind::picture : FileKind::other;
}

std::string previewOf(const std::string& path) {
  constexpr std::uintmax_t kQuick = 2 << 20;  // bytes, read within a picture
  std::error_code error;
  if (kindOf(path) != FileKind::configuration || !fs::is_regular_file(path, error)) return "";
  if (const std::uintmax_t bytes = fs::file_size(path, error); bytes > kQuick)
    return fmt::format("{} MB: only files up to {} MB are looked into before they are opened.",
                       bytes >> 20, kQuick >> 20);
  try {
    if (io::holdsPairs(path)) {
      const PairList list = io::readPairList(path).list;
      return fmt::format("A neighbour list: {} particles, {} pairs.", list.size(), list.i.size());
    }
    const io::LoadedFrame frame = io::readConfiguration(path);
    const Configuration& c = frame.configuration;
    std::string species, box;
    for (const Species& s : c.species) species += (species.empty() ? "" : ", ") + s.name;
    for (int a = 0; a < c.box.dimension; ++a)
      box += fmt::format("{}{:.4g}", a == 0 ? "" : " x ", c.box.length[a]);
    std::string text = fmt::format("{} particles ({}), box {}.", c.size(), species, box);
    for (const std::string& note : frame.notes) text += " " + note;
    return text;
  } catch (const InputError& e) {
    return e.what();
  }
}

std::string withHome(const std::string& typed) {
  const char* home = std::getenv("HOME");
  if (!home || !*home || (typed != "~" && !typed.starts_with("~/"))) return typed;
  return home + typed.substr(1);
}

Listing listFor(const std::string& typed, const std::string& base,
                const std::vector<FileKind>& kinds) {
  const std::string path = withHome(typed);
  const std::size_t at = lastPart(path);
  const std::string part = path.substr(at);
  Listing list;
  std::error_code error;
  const fs::path folder = fs::absolute(fs::path(base) / path.substr(0, at), error);
  list.folder = folder.lexically_normal().string();
  if (list.folder.size() > 1 && list.folder.back() == '/') list.folder.pop_back();
  for (fs::directory_iterator next(list.folder, error), end; !error && next != end;
       next.increment(error)) {
    FileEntry entry{next->path().filename().string()};
    if (!beginsWith(entry.name, part) || (entry.name[0] == '.' && part[0] != '.')) continue;
    std::error_code ignored;
    entry.isFolder = next->is_directory(ignored);
    entry.isSweep = entry.isFolder && sweep::isSweep(next->path());
    entry.kind = kindOf(entry.name);
    if (!entry.isFolder && !hasItem(kinds, entry.kind)) continue;
    if (!entry.isFolder) entry.bytes = next->file_size(ignored);
    if (ignored) entry.bytes = 0;
    list.entries.push_back(std::move(entry));
  }
  if (error) list.trouble = error.message();
  std::ranges::sort(list.entries, [](const FileEntry& a, const FileEntry& b) {
    return a.isFolder != b.isFolder ? a.isFolder : a.name < b.name;
  });
  if (list.entries.size() > kMostEntries) {
    list.left = list.entries.size() - kMostEntries;
    list.entries.resize(kMostEntries);
  }
  return list;
}

std::string folderPart(const std::string& typed) { return typed.substr(0, lastPart(typed)); }

std::string pathOf(const std::string& typed, const FileEntry& entry) {
  return folderPart(typed) + entry.name + (entry.isFolder ? "/" : "");
}

std::string completed(const std::string& typed, const Listing& listing) {
  if (listing.entries.empty() || listing.left > 0) return typed;
  if (listing.entries.size() == 1) return pathOf(typed, listing.entries.front());
  std::string common = listing.entries.front().name;
  for (const FileEntry& entry : listing.entries)
    while (!beginsWith(entry.name, common)) common.pop_back();
  return common.size() < typed.size() - lastPart(typed) ? typed : folderPart(typed) + common;
}

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
