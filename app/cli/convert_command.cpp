#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/common/terminal.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"

namespace cellscope::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::string in, out;
  std::string format;  // io::Format::key; "": by the suffix of `out`
  std::string box;     // of a file that has none
  bool all = false;    // frames; false: the last one
  bool overwrite = false;
  bool quiet = false;
};

// Under another name until it is complete, so that an older file stays whole. Pipes and devices are
// written directly.
class Output {
 public:
  explicit Output(const ConvertOptions& o)
      : o_(o), format_(io::formatToWrite(o.out, o.format)), name_(o.out) {
    if (!io::isRegularOrAbsent(o.out) || io::isOpenAlready(o.out)) return;
    const fs::path whole(o.out);
    name_ = (whole.parent_path() / (".new-" + whole.filename().string())).string();
  }
  ~Output() {
    std::error_code ignored;
    if (name_ != o_.out) fs::remove(name_, ignored);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void append(const io::LoadedFrame& frame) {
    if (!sink_) sink_ = format_.create(name_, program_, false);
    if (++frames_ > 1 && !format_.manyFrames)
      throw InputError("'{}': the format {} holds one frame, and '{}' has several; leave out --all",
                       o_.out, format_.key, o_.in);
    io::FrameNotes notes{frame.step, frame.time, "", false, {{"Program", program_}}};
    if (frame.time != 0) notes.texts.emplace_back("Time", fmt::format("{}", frame.time));
    sink_->append(frame.configuration, notes);
  }
  void complete() {
    sink_->close();
    if (name_ == o_.out) return;
    if (!o_.overwrite) io::keepOlder({o_.out});
    fs::rename(name_, o_.out);
  }
  std::uint64_t frames() const { return frames_; }
  const io::Format& format() const { return format_; }

 private:
  const ConvertOptions& o_;
  const io::Format& format_;
  const std::string program_ = fmt::format("cellscope {}", programVersion());
  std::string name_;
  std::unique_ptr<io::FrameSink> sink_;
  std::uint64_t frames_ = 0;
};

int convert(const ConvertOptions& o) {
  checkOutputs({{"OUT", o.out, !o.overwrite}}, {{"IN", o.in}});
  const io::Format& from = io::formatOfFile(o.in);
  Output out(o);
  std::vector<std::string> notes;
  std::size_t particles = 0;
  const auto take = [&](const io::LoadedFrame& frame) {
    out.append(frame);
    particles = frame.configuration.size();
    for (const std::string& note : frame.notes)
      if (!hasItem(notes, note)) notes.push_back(note);
  };
  if (o.all)
    io::readFrames(o.in, o.box, take);
  else
    take(io::readConfiguration(o.in, o.box));
  out.complete();
  if (o.quiet) return 0;
  constexpr std::size_t kMostNotes = 20;
  for (std::size_t k = 0; k < std::min(notes.size(), kMostNotes); ++k)
    common::printError(fmt::format("{}: {}", o.in, notes[k]), common::Tone::warning);
  if (*out.format().lacks)
    common::printError(
        fmt::format("{}: {} has no place for {}", o.out, out.format().label, out.format().lacks),
        common::Tone::warning);
  common::printError(fmt::format("{} ({}) -> {} ({}): {} frame{}, {} particles in the last", o.in,
                                 from.label, o.out, out.format().label, out.frames(),
                                 out.frames() == 1 ? "" : "s", particles));
  return 0;
}

}  // namespace

Command addConvert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  ConvertOptions& o = *options;
  CLI::App* c = app.add_subcommand("convert",
                                   "Convert a file of particles; the suffix of OUT names the "
                                   "format: .xyz, .xyz.gz, .h5, .gsd, .dump, .data, .pdb, .npz");
  addFile(*c, "IN", o.in, "File of any of these formats, recognised by what it holds")->required();
  addFile(*c, "OUT", o.out, "File to write")->required();
  c->add_option("--format", o.format,
                "Format of OUT where its suffix names none: " + io::formatKeys())
      ->type_name("FORMAT");
  c->add_option("--box", o.box,
                "Sides of the box of a file that has none: \"12 8 9\"; two for a plane")
      ->type_name("SIDES");
  c->add_flag("--all", o.all, "All frames; default: the last one");
  c->add_flag("--overwrite", o.overwrite,
              "Overwrite OUT; by default an older one is renamed to NAME.1.xyz and so on");
  c->add_flag("--quiet", o.quiet, "Print errors only");
  return {c, [options] { return convert(*options); }};
}

}  // namespace cellscope::cli
