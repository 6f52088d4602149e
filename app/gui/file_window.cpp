#include <filesystem>

#include "app/common/settings.h"
#include "app/gui/panels.h"
#include "sim/io/files.h"

namespace cellscope::gui {

constexpr FileKind kKinds[] = {FileKind::scenario, FileKind::checkpoint, FileKind::configuration,
                               FileKind::picture};
constexpr const char* kKindNames[] = {"scenario", "checkpoint", "configuration", "picture",
                                      "other file"};
constexpr double kListSeconds = 1;  // between looks at the folder
constexpr const char* kHint =
    "Scenario (.toml), checkpoint, configuration or trajectory (.xyz, .h5, .gsd, .dump, .data, "
    ".pdb, .npz: its last frame), neighbour list (.npz, .h5), folder of a sweep, or a picture "
    "saved by cellscope (.png); or the line of Copy experiment. Tab completes, the arrow keys "
    "choose.";

static const char* extensionOf(FileKind kind) {
  return kind == FileKind::scenario     ? ".toml"
         : kind == FileKind::checkpoint ? ".checkpoint"
                                        : ".xyz";
}

void close(Shell& shell) {
  shell.files = {};
  shell.log->write("files", "closed");
}

std::string wholePath(const Shell& shell) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path =
      fs::absolute(fs::path(shell.outputFolder) / withHome(shell.files.typed), error);
  return error ? shell.files.typed : path.lexically_normal().string();
}

void refresh(Shell& shell) {
  FileWindow& f = shell.files;
  const std::string key = fmt::format("{}\n{}\n{}\n{}", f.typed, f.filter,
                                      static_cast<int>(f.saves), static_cast<int>(f.task));
  if (key == f.listedFor && shell.time - f.listedAt < kListSeconds) return;
  // While saving, all files of the kind are shown: their names are suggestions. A click leaves the
  // list in its place, for the second click of a double click.
  const bool saves = f.task == FileWindow::Task::save || (f.typed == f.clicked && !f.typed.empty());
  std::vector<FileKind> shown(std::begin(kKinds), std::end(kKinds));
  if (f.filter > 0) shown = {kKinds[f.filter - 1]};
  if (f.task == FileWindow::Task::save) shown = {f.saves};
  f.listing = listFor(saves ? folderPart(f.typed) : f.typed, shell.outputFolder, shown);
  if (key != f.listedFor) {
    f.chosen = -1;
    f.preview = f.task == FileWindow::Task::open ? previewOf(wholePath(shell)) : "";
    shell.log->state("preview", f.preview);
  }
  f.listedFor = key;
  f.listedAt = shell.time;
  shell.log->state("listed", std::to_string(f.listing.entries.size()));
}

void openChosen(Shell& shell) {
  FileWindow& f = shell.files;
  const std::string path = wholePath(shell);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) && !sweep::isSweep(path)) {
    if (!f.typed.empty() && f.typed.back() != '/') f.typed += '/';
    f.focus = true;
    return;
  }
  const bool line = common::isExperimentLine(f.typed) && !std::filesystem::exists(path, ignored);
  f.error = line ? shell.tryOpenLine(f.typed) : shell.tryOpen(path);
  shell.log->write("file-error", f.error);
  if (f.error.empty()) close(shell);
}

void save(Shell& shell, const std::string& path) {
  FileWindow& f = shell.files;
  try {
    io::checkWritable(path, true);
  } catch (const InputError& e) {
    f.error = e.what();
    f.overwrites.clear();
    return shell.log->write("file-error", f.error);
  }
  shell.saveAs(f.saves, path);
  close(shell);
}

void saveChosen(Shell& shell) {
  FileWindow& f = shell.files;
  if (f.typed.empty() || f.typed.back() == '/') {
    f.error = "Type a name for the file.";
    return;
  }
  std::string path = wholePath(shell);
  const FileKind typed = kindOf(path);
  if (typed == FileKind::scenario || typed == FileKind::checkpoint ||
      typed == FileKind::configuration)
    f.saves = typed;
  else
    path += extensionOf(f.saves);
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    f.overwrites = path;
    return shell.log->write("asks", "overwrite " + path);
  }
  save(shell, path);
}

void act(Shell& shell) {
  FileWindow& f = shell.files;
  f.error.clear();
  if (f.chosen >= 0 && f.chosen < static_cast<int>(f.listing.entries.size())) {
    f.typed = pathOf(f.typed, f.listing.entries[static_cast<std::size_t>(f.chosen)]);
    f.chosen = -1;
    if (f.typed.back() == '/' && !sweep::isSweep(wholePath(shell))) {
      f.focus = true;
      return;
    }
  }
  f.task == FileWindow::Task::open ? openChosen(shell) : saveChosen(shell);
  f.focus |= !f.error.empty();  // to be put right
}

// Tab completes, the arrow keys go through the list.
int onEdit(ImGuiInputTextCallbackData* data) {
  FileWindow& f = static_cast<Shell*>(data->UserData)->files;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    const std::string longer = completed(data->Buf, f.listing);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, longer.c_str());
  } else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    const int last = static_cast<int>(f.listing.entries.size()) - 1;
    f.chosen = std::clamp(f.chosen + (data->EventKey == ImGuiKey_DownArrow ? 1 : -1), -1, last);
  }
  return 0;
}

void pathField(Shell& shell) {
  FileWindow& f = shell.files;
  const std::string before = f.typed;
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(f.focus, false) || !shell.typedAhead.empty()) ImGui::SetKeyboardFocusHere();
  const bool entered =
      textField(shell, "##path", "file-path", f.typed,
                ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                    ImGuiInputTextFlags_CallbackHistory,
                "Path", onEdit);
  if (f.typed != before) {
    f.error.clear();
    f.overwrites.clear();
    shell.log->write("typed", f.typed);
  }
  const ImVec2 lo = ImGui::GetCursorScreenPos();
  if (!f.error.empty())
    textSmall(shell, sentence(f.error), shell.colours->red);
  else if (!f.overwrites.empty())
    textSmall(shell, "'" + f.overwrites + "' exists already. Replace it?", shell.colours->amber);
  else if (f.task == FileWindow::Task::open)
    f.preview.empty() ? textSmall(shell, kHint) : textSmall(shell, f.preview, shell.colours->text);
  else
    textSmall(shell, "The ending " + std::string(extensionOf(f.saves)) +
                         " is added where there is none; the ending of another kind saves that "
                         "kind. Tab completes folders.");
  if (!f.error.empty()) shell.log->rect("file-error", lo, ImGui::GetItemRectMax());
  if (entered) act(shell);
}

// A row of a list: name at the left, a remark at the right. 1: clicked, 2: double-clicked.
int row(Shell& shell, const std::string& id, const std::string& name, const std::string& remark,
        bool chosen, bool grey) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = shell.px(22);
  const bool pressed = clickable(shell, id, ImVec2(std::max(1.f, width), height));
  const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  if (chosen || (ImGui::IsItemHovered() && !grey))
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, at + ImVec2(width, height), mix(c.panel, c.accent, chosen ? 0.3f : 0.16f), shell.px(3));
  const float right = at.x + width - shell.px(6);
  const ImVec2 size = textSize(shell.fonts.small, remark);
  drawText(shell.fonts.small, ImVec2(right - size.x, at.y + (height - size.y) / 2), c.muted,
           remark);
  drawText(shell.fonts.words, at + shell.px(6, 2), grey ? c.muted : c.text,
           fitted(shell.fonts.words, name, right - size.x - at.x - shell.px(14)));
  return twice ? 2 : pressed ? 1 : 0;
}

void folderList(Shell& shell) {
  FileWindow& f = shell.files;
  const Listing& list = f.listing;
  textSmall(shell, fitted(shell.fonts.small, list.folder, ImGui::GetContentRegionAvail().x));
  ImGui::BeginChild("##folder");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, shell.px(1)));
  if (!list.trouble.empty())
    textWrapped(shell, "This folder cannot be listed: " + list.trouble, shell.colours->red);
  const std::string before = folderPart(f.typed);
  if (row(shell, "entry:..", "../", "folder above", false, false)) {
    const std::string up = std::filesystem::path(list.folder).parent_path().string();
    f.typed = up == "/" ? up : up + "/";
    f.focus = true;
  }
  for (std::size_t i = 0; i < list.entries.size(); ++i) {
    const FileEntry& entry = list.entries[i];
    const std::string remark = entry.isSweep ? "sweep"
                               : entry.isFolder
                                   ? "folder"
                                   : fmt::format("{}, {}", kKindNames[static_cast<int>(entry.kind)],
                                                 bytesText(entry.bytes));
    const bool chosen = static_cast<int>(i) == f.chosen || f.typed == before + entry.name;
    const int clicks = row(shell, "entry:" + entry.name, entry.name + (entry.isFolder ? "/" : ""),
                           remark, chosen, false);
    if (static_cast<int>(i) == f.chosen) ImGui::SetScrollHereY();
    if (clicks == 0) continue;
    f.typed = f.clicked = pathOf(f.typed, entry);
    f.error.clear();
    f.overwrites.clear();
    f.focus = entry.isFolder;
    if (clicks == 2 && (!entry.isFolder || entry.isSweep)) act(shell);
    break;  // the list may have changed
  }
  if (list.entries.empty() && list.trouble.empty())
    textMuted(shell, f.task == FileWindow::Task::save           ? "No file of this kind here yet."
                     : f.typed.empty() || f.typed.back() == '/' ? "No suitable file here."
                                                                : "No name here begins like this.");
  if (list.left > 0) textMuted(shell, fmt::format("and {} more: keep typing", list.left));
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

void recentList(Shell& shell) {
  textSmall(shell, "Opened last");
  ImGui::BeginChild("##recent");
  if (shell.remembered.recentFiles.empty()) textMuted(shell, "Nothing yet.");
  std::string path;
  if (recentRows(shell, path)) {
    shell.files.typed = path;
    openChosen(shell);
  }
  ImGui::EndChild();
}

void buttons(Shell& shell) {
  FileWindow& f = shell.files;
  const float width = shell.px(112);
  ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - 2 * width -
                       ImGui::GetStyle().ItemSpacing.x);
  if (button(shell, "cancel-files", "Cancel", Icon::none, width)) return close(shell);
  ImGui::SameLine();
  if (f.task == FileWindow::Task::open) {
    if (button(shell, "open-file", "Open", Icon::none, width, true)) act(shell);
  } else if (!f.overwrites.empty()) {
    if (button(shell, "overwrite", "Replace", Icon::none, width, true)) save(shell, f.overwrites);
  } else if (button(shell, "save-file", "Save", Icon::none, width, true)) {
    act(shell);
  }
}

void kinds(Shell& shell) {
  FileWindow& f = shell.files;
  if (f.task == FileWindow::Task::open) {
    f.focus |=
        choiceRow(shell, "file-kind",
                  {"All", "Scenarios", "Checkpoints", "Configurations", "Pictures"}, f.filter);
    return;
  }
  int kind = static_cast<int>(f.saves);
  if (choiceRow(shell, "save-kind", {"Scenario", "Checkpoint", "Particles (xyz, h5)"}, kind)) {
    const FileKind before = f.saves;
    f.saves = kKinds[kind];
    f.overwrites.clear();
    f.focus = true;
    if (f.typed.ends_with(extensionOf(before)))
      f.typed = f.typed.substr(0, f.typed.size() - std::string(extensionOf(before)).size()) +
                extensionOf(f.saves);
  }
}

void openFileWindow(Shell& shell, FileWindow::Task task) {
  shell.files = {};
  shell.files.task = task;
  shell.files.focus = true;
  shell.help = shell.galleryOpen = false;
  if (task == FileWindow::Task::save)
    shell.files.typed = shell.name() + extensionOf(shell.files.saves);
  shell.log->write("files", task == FileWindow::Task::open ? "open" : "save");
}

// Why each of the recent files cannot be opened, looked up once a second.
static const std::vector<std::string>& missingFiles(Shell& shell) {
  FileWindow& f = shell.files;
  const std::vector<std::string>& recent = shell.remembered.recentFiles;
  if (f.missing.size() == recent.size() && shell.time - f.checkedAt < kListSeconds)
    return f.missing;
  f.missing.clear();
  for (const std::string& path : recent) f.missing.push_back(whyMissing(path));
  f.checkedAt = shell.time;
  return f.missing;
}

bool recentRows(Shell& shell, std::string& path) {
  const std::vector<std::string> missing = missingFiles(shell);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const std::string recent = shell.remembered.recentFiles[i], &why = missing[i];
    const std::filesystem::path whole(recent);
    const std::string remark = why.empty() ? whole.parent_path().filename().string() : why;
    const bool clicked =
        row(shell, "recent:" + recent, whole.filename().string(), remark, false, !why.empty()) > 0;
    shell.log->state("recent-state:" + recent, why.empty() ? "there" : why);
    tooltip(shell, whole.filename().string(),
            {recent, why.empty() ? "" : "Cannot be opened: " + why + "."});
    if (!clicked) continue;
    if (why.empty()) {
      path = recent;
      return true;
    }
    shell.say(Severity::warning, "'" + recent + "' cannot be opened: " + why + ".");
  }
  return false;
}

void fileWindow(Shell& shell) {
  FileWindow& f = shell.files;
  if (f.task == FileWindow::Task::none) return;
  if (dimRest(shell, "files-rest")) return close(shell);
  refresh(shell);
  const ImVec2 size = withinScreen(shell, ImVec2(820, 560), ImVec2(24, 24));
  ImGui::SetNextWindowFocus();
  const Pane pane("files", dialogLook(size, {}, ImGuiWindowFlags_NoScrollbar));
  shell.log->window("files");
  const bool opens = f.task == FileWindow::Task::open;
  textStrong(shell, opens ? "Open" : "Save as");
  kinds(shell);
  pathField(shell);
  const float gap = shell.px(16), foot = shell.px(44);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = opens && room.x > shell.px(520);
  const float first = beside ? 0.62f * (room.x - gap) : room.x;
  if (f.task != FileWindow::Task::none) {
    ImGui::BeginChild("##left", ImVec2(first, room.y - foot));
    folderList(shell);
    ImGui::EndChild();
  }
  if (beside && f.task != FileWindow::Task::none) {
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("##right", ImVec2(room.x - first - gap, room.y - foot));
    recentList(shell);
    ImGui::EndChild();
  }
  ImGui::SetCursorPosY(size.y - foot + shell.px(2) - ImGui::GetStyle().WindowPadding.y / 2);
  if (f.task != FileWindow::Task::none) buttons(shell);
}

}  // namespace cellscope::gui
