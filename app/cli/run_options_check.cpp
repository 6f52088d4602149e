#include "app/cli/run_options_check.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/output_check.h"
#include "app/common/video.h"
#include "sim/io/formats/format.h"

namespace cellscope::cli {
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
  checkOutputs({{"--csv", o.csv, renames},
                {"--curves", o.curves, true},
                {"--trajectory", o.trajectory, renames},
                {"--lists", o.lists, true},
                {"--picture", o.picture, true},
                {"--video", o.video, true},
                {"--checkpoint", o.checkpoint, true},
                {"--result", o.result, true}},
               {{"SCENARIO", o.scenario},
                {"--load-configuration", o.configuration},
                {"--resume", o.resume}});
  if (!o.trajectory.empty()) checkTrajectory(o);
}

}  // namespace cellscope::cli
