// Files of a folder that fit what is being typed, and the completion of a path.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cellscope::gui {

enum class FileKind { scenario, checkpoint, configuration, picture, other };
// By the end of the name.
FileKind kindOf(const std::string& path);
const char* nameOf(FileKind kind);
// Of a small file of particles: "64 particles (Ar, Kr), box 6 x 6 x 6" and what was done to it, or
// what is wrong with it; "" for others.
std::string previewOf(const std::string& path);

struct FileEntry {
  std::string name;  // without its folder
  bool isFolder = false, isSweep = false;
  FileKind kind = FileKind::other;
  std::uintmax_t bytes = 0;
};

struct Listing {
  std::string folder;              // absolute
  std::vector<FileEntry> entries;  // folders first, each in alphabetical order
  std::string trouble;             // why the folder cannot be listed
  std::size_t left = 0;            // entries beyond the first kMostEntries
};
inline constexpr std::size_t kMostEntries = 500;

// "~" and "~/..." begin with the home folder.
std::string withHome(const std::string& typed);
// What begins with the last part of `typed` (upper and lower case alike), in the folder before it;
// relative paths start at `base`. Files of these kinds; hidden ones only where a point is typed.
Listing listFor(const std::string& typed, const std::string& base,
                const std::vector<FileKind>& kinds);
// `typed` continued as far as all entries agree; a folder that is the only one with its slash.
std::string completed(const std::string& typed, const Listing& listing);
// The path of an entry as it is to be typed.
std::string pathOf(const std::string& typed, const FileEntry& entry);

}  // namespace cellscope::gui
