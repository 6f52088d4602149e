#include "app/cli/options.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "app/common/video.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"

namespace cellscope::cli {

namespace {

// Devices and pipes may be used for several outputs.
bool holdsOneResult(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) || !std::filesystem::exists(path, error);
}

bool collide(const NamedFile& a, const NamedFile& b) {
  return !a.path.empty() && !b.path.empty() && holdsOneResult(a.path) &&
         io::sameFile(a.path, b.path);
}

// A resumed run may overwrite its own checkpoint.
bool isResumed(const NamedFile& written, const NamedFile& read) {
  return !std::strcmp(written.option, "--checkpoint") && !std::strcmp(read.option, "--resume");
}

}  // namespace

void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const NamedFile& a = written[i];
    if (a.path.empty()) continue;
    io::checkWritable(a.path, a.asWhole);
    for (std::size_t j = i + 1; j < written.size(); ++j)
      if (collide(a, written[j]))
        throw InputError(fmt::format("{} and {} both name '{}': give each its own file", a.option,
                                     written[j].option, a.path));
    for (const NamedFile& b : read)
      if (!isResumed(a, b) && std::filesystem::exists(b.path) && collide(a, b))
        throw InputError(
            fmt::format("{} would overwrite '{}', which {} reads: give it another name", a.option,
                        a.path, b.option));
  }
}

namespace {

// Refuses extensions of other picture formats, as only PNG is written.
void checkPictureName(const std::string& path) {
  std::filesystem::path name(path);
  for (const char* other : {".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".pdf"})
    if (name.extension() == other)
      throw InputError(fmt::format("--picture {}: pictures are PNG files; name it '{}'", path,
                                   name.replace_extension(".png").string()));
}

void checkVideo(const RunOptions& o) {
  const common::VideoTarget target = common::videoTarget(o.video);
  std::error_code ignored;
  if (!o.resume.empty() && !o.overwrite && std::filesystem::exists(target.path, ignored))
    throw InputError(
        fmt::format("--video {}: '{}' exists, and a video cannot be continued; give another name "
                    "or --overwrite",
                    o.video, target.path));
}

void checkTrajectory(const RunOptions& o) {
  const io::Format& format = io::formatToWrite(o.trajectory, o.trajectoryFormat);
  if (!format.manyFrames && o.trajectoryEvery > 0)
    throw InputError(
        fmt::format("--trajectory {}: the format {} holds one frame; leave out --trajectory-every, "
                    "or use .xyz, .h5 or .gsd",
                    o.trajectory, format.key));
}

}  // namespace

// A resumed run continues its own files and refuses those of another run.
bool keepsOlderResults(const RunOptions& o) { return o.resume.empty() && !o.overwrite; }

void checkRunOptions(const RunOptions& o) {
  if (o.resume.empty() && o.scenario.empty())
    throw InputError("name a scenario (cellscope list shows them) or give --resume FILE");
  if (!o.resume.empty() && (!o.scenario.empty() || !o.configuration.empty() || !o.box.empty() ||
                            o.replicate > 0 || o.sampleEvery > 0))
    throw InputError(
        "--resume uses the scenario of the checkpoint: leave out SCENARIO, --load-configuration, "
        "--box, "
        "--replicate and --sample-every");
  if (o.steps > 0 && o.discard >= o.steps)
    throw InputError(fmt::format(
        "--discard {} leaves none of the {} steps of --steps; discard fewer or run more", o.discard,
        o.steps));
  if (o.until > 0 && o.resume.empty() && o.discard >= o.until)
    throw InputError(
        fmt::format("--discard {} leaves none of the steps until {}; discard fewer or "
                    "run longer",
                    o.discard, o.until));
  checkPictureName(o.picture);
  if (!o.lists.empty() && std::filesystem::path(o.lists).extension() != ".npz")
    throw InputError(
        fmt::format("--lists {}: lists are numpy archives; name it '{}.npz'", o.lists, o.lists));
  if (!o.video.empty()) checkVideo(o);
  const bool renames = keepsOlderResults(o);  // renaming needs a writable folder
  std::vector<NamedFile> written = {{"--csv", o.csv, renames},
                                    {"--curves", o.curves, true},
                                    {"--trajectory", o.trajectory, renames},
                                    {"--lists", o.lists, true},
                                    {"--picture", o.picture, true},
                                    {"--video", o.video, true},
                                    {"--checkpoint", o.checkpoint, true},
                                    {"--result", o.result, true}};
  for (const auto& [name, file] : o.tables) written.push_back({"--table", file, true});
  checkOutputs(written, {{"SCENARIO", o.scenario},
                         {"--load-configuration", o.configuration},
                         {"--resume", o.resume}});
  if (!o.trajectory.empty()) checkTrajectory(o);
}

}  // namespace cellscope::cli
