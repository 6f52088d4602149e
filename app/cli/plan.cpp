// `cellscope run --plan`: what a run would need.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>

#include "app/cli/batch_run.h"
#include "app/common/json.h"
#include "app/gui/format.h"
#include "sim/algo/race/race.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"
#include "sim/io/formats/format.h"

namespace cellscope::cli {
namespace {

using common::ordered_json;

// A file in memory while the object lives: HDF5 takes nothing that has no name.
class InMemory {
 public:
  InMemory() {
    std::error_code ignored;
    const bool shared = std::filesystem::is_directory("/dev/shm", ignored);
    path_ = (shared ? "/dev/shm" : common::temporaryFolder()) + "/cellscope-plan-XXXXXX";
    const int fd = ::mkstemp(path_.data());
    if (fd < 0) throw RunError(io::writeErrorText(path_, errno));
    ::close(fd);
  }
  ~InMemory() { ::unlink(path_.c_str()); }
  InMemory(const InMemory&) = delete;
  InMemory& operator=(const InMemory&) = delete;
  const std::string& path() const { return path_; }
  double bytes() const {
    std::error_code ignored;
    return static_cast<double>(std::filesystem::file_size(path_, ignored));
  }

 private:
  std::string path_;
};

// Bytes of a file as a function of what is added to it, and the seconds that one more takes.
struct Growth {
  double first = 0, each = 0, seconds = 0;
  double bytes(double count) const { return first + count * each; }
};

// row: a sample on the way; where there was none, one of now.
Growth rowsOf(Session& session, const std::string& device, const std::vector<double>& row) {
  InMemory file;
  CsvLog log(file.path(), session, device);
  Growth out{file.bytes()};
  for (int k = 0; k < 2; ++k) {  // what stands before the first row is no part of a row
    const double start = steadySeconds();
    const double before = file.bytes();
    const std::vector<double> now = session.mode().sample();
    log.row(session.step(), row.empty() ? now : row);
    log.flushToDisk();
    out.each = file.bytes() - before;
    out.seconds = steadySeconds() - start;
  }
  const double rows = file.bytes();
  log.finish();
  out.first += file.bytes() - rows;
  return out;
}

// Of a part of the particles, so that it costs little.
Growth framesOf(const Session& session, const io::Format& format) {
  constexpr std::size_t kMost = 1 << 16;
  Configuration c = session.mode().configuration();
  const std::size_t n = std::min(c.size(), kMost);
  const double share =
      static_cast<double>(n) / static_cast<double>(std::max<std::size_t>(1, c.size()));
  c.positions.resize(3 * n), c.ids.resize(n);
  c.velocities.resize(std::min(c.velocities.size(), 3 * n));
  c.types.resize(std::min(c.types.size(), n));
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"Program", fmt::format("cellscope {}", programVersion())},
      {"Scenario", session.log().start.name},
      {"Run", runId(session.log())},
      {"Experiments", ""}};
  const auto written = [&](int frames) {
    const InMemory file;
    const auto sink = format.create(file.path(), "cellscope", false);
    for (int k = 0; k < frames; ++k)
      sink->append(c, {session.step() + static_cast<std::uint64_t>(k), session.mode().time(),
                       runId(session.log()), false, texts});
    sink->close();
    return file.bytes();
  };
  const double one = written(1);
  if (!format.manyFrames) return {one / share, 0, 0};
  const double start = steadySeconds();
  const double each = (written(3) - one) / 2 / share;
  return {std::max(0.0, one / share - each), each, (steadySeconds() - start) / 3 / share};
}

// Of one observable: EquilibratedAverages joins two means to one each time that 512 are reached.
double meansKept(double samples) {
  while (samples >= 512) samples /= 2;
  return samples;
}

// The bytes of a checkpoint after `samples` from the beginning of the run.
Growth checkpointOf(Session& session, double samples) {
  constexpr double kSample = 32, kMean = 8;  // step, value, mean and error of an observable
  const double start = steadySeconds();
  Growth out{static_cast<double>(session.checkpoint().size()), 0, steadySeconds() - start};
  const double then = std::min(samples, static_cast<double>(SampleHistory::kPoints));
  for (const ObservableSeries& o : session.history().series()) {
    const auto now = static_cast<double>(o.value.recorded().size());
    out.first += kSample * (then - now) + kMean * (meansKept(samples) - meansKept(now));
  }
  return out;
}

ordered_json orNull(double v) { return std::isfinite(v) ? ordered_json(v) : ordered_json(); }
ordered_json wholeOrNull(double v) {
  return std::isfinite(v) ? ordered_json(std::llround(v)) : ordered_json();
}

// copies: while it is replaced, the old and the new one are there.
ordered_json fileOf(const char* option, const std::string& path, double bytes, int copies = 1) {
  std::error_code ignored;
  const auto folder = std::filesystem::absolute(path, ignored).parent_path();
  return {{"option", option},
          {"path", path},
          {"bytes", wholeOrNull(bytes)},
          {"peak_bytes", wholeOrNull(copies * bytes)},
          {"free_bytes", std::filesystem::space(folder, ignored).available}};
}

std::string sizeText(const ordered_json& bytes) {
  return bytes.is_null() ? "not known" : gui::bytesText(bytes.get<std::size_t>());
}

std::string timeText(const ordered_json& seconds) {
  return seconds.is_null() ? "not known" : common::duration(seconds.get<double>());
}

std::string planText(const ordered_json& plan, const std::string& step) {
  const ordered_json &memory = plan.at("memory"), &time = plan.at("time");
  std::string text =
      fmt::format("Memory: {} of the host at the peak; {} more are free\n",
                  sizeText(memory.at("host_bytes")), sizeText(memory.at("host_free_bytes")));
  if (memory.contains("device_bytes"))
    text +=
        fmt::format("Memory: {} of the GPU in arrays at the peak; {} more are free\n",
                    sizeText(memory.at("device_bytes")), sizeText(memory.at("device_free_bytes")));
  for (const ordered_json& f : plan.at("files")) {
    const bool full = !f.at("peak_bytes").is_null() && f.at("peak_bytes") > f.at("free_bytes");
    text +=
        fmt::format("Disk: {} {}: about {}{}; {} are free{}\n", f.at("option").get<std::string>(),
                    f.at("path").get<std::string>(), sizeText(f.at("bytes")),
                    f.at("peak_bytes") == f.at("bytes") ? "" : ", twice that while it is replaced",
                    sizeText(f.at("free_bytes")), full ? ": NOT ENOUGH" : "");
  }
  for (const ordered_json& option : plan.at("not_estimated"))
    text += fmt::format("Disk: {}: not estimated\n", option.get<std::string>());
  const double measured = time.at("measured_seconds").get<double>();
  text += fmt::format("Time: about {}", timeText(time.at("seconds")));
  if (!plan.at("steps").is_null())
    text += fmt::format(", {:.4g} {}s", plan.at("steps").get<double>(), step);
  text += measured > 0
              ? fmt::format(", by {} {}s measured in {}", time.at("measured_steps").get<double>(),
                            step, common::duration(measured))
              : std::string(", as the preparation takes longer than was measured");
  if (const ordered_json& before = time.at("preparation_seconds"); before.is_null() || before > 0.1)
    text += fmt::format("; {} of it for the preparation", timeText(before));
  return text + "\nThe speed may change as the state does. Nothing is kept.\n";
}

}  // namespace

// What is measured of a run that is not kept.
struct BatchRun::Trial {
  double seconds = 0, steps = 0;     // 0: still in preparation
  double preparation = 0;            // seconds; NaN: not known
  double checkpoint = 0;             // bytes at the goal; 0: it was not reached
  bool sampled = false;              // samples were among what was measured
  std::vector<double> row;           // the last one
  std::size_t host = 0, device = 0;  // bytes

  // Of `n` steps.
  double time(double n) const { return seconds > 0 ? n * seconds / steps : NAN; }
};

// A short preparation is carried out; the time of a longer one is estimated.
BatchRun::Trial BatchRun::measure() {
  constexpr double kMostPreparation = 10, kWarmUp = 0.3, kMeasured = 1;
  const auto within = [this](double seconds) {
    return [this, seconds, start = steadySeconds()] {
      progress_.update(session_->mode(), first_);
      return !interrupt_.raised() && steadySeconds() - start < seconds;
    };
  };
  const Mode& mode = session_->mode();
  Trial t;
  try {
    double start = steadySeconds();
    const double before = mode.preparation() ? mode.preparation()->progress : 0;
    session_->finishPreparation(within(kMostPreparation));
    t.preparation = steadySeconds() - start;
    if (const auto rest = mode.preparation()) {
      const double done = rest->progress - before;
      t.preparation = before >= 0 && done > 0 ? t.preparation * (1 - before) / done : NAN;
    } else {
      session_->onSample([&t](std::uint64_t, const std::vector<double>& row) { t.row = row; });
      const auto advance = [&](const auto& more) {
        const bool early = session_->step() < goal();
        session_->advanceTo(goal(), more);
        if (early && session_->step() == goal())
          t.checkpoint = static_cast<double>(session_->checkpoint().size());
        session_->advanceTo(~0ull, more);
      };
      advance(within(kWarmUp));
      const std::uint64_t step = session_->step(), version = session_->history().version();
      start = steadySeconds();
      advance(within(kMeasured));
      t.seconds = steadySeconds() - start;
      t.steps = static_cast<double>(session_->step() - step);
      t.sampled = session_->history().version() > version;
    }
  } catch (const Cancelled&) {
  }
  session_->onSample({});
  progress_.finish();
  if (interrupt_.raised()) throw RunError("stopped by {}: there is no plan", interrupt_.name());
  t.host = 1024 * exec::numberBehind("/proc/self/status", "VmHWM:");  // at its peak
  t.device = exec::memoryUse(Backend::cuda).peak;
  return t;
}

int BatchRun::plan() {
  running_ = true;
  const Trial t = measure();
  // Where no number of them is the goal, as many as the time allows; NaN where that is not known.
  const double steps = o_.until > 0 ? static_cast<double>(o_.until - std::min(o_.until, first_))
                       : o_.steps > 0
                           ? static_cast<double>(o_.steps)
                           : std::floor(std::max(0.0, o_.seconds - t.preparation) / t.time(1));
  const double samples = std::floor(steps / static_cast<double>(session_->log().start.sampleEvery));
  double seconds = t.preparation + t.time(steps);
  ordered_json files = ordered_json::array(), rest = ordered_json::array();
  const Growth rows = rowsOf(*session_, common::describe(exec_), t.row);
  if (!t.sampled) seconds += samples * rows.seconds;
  if (!o_.csv.empty()) files.push_back(fileOf("--csv", o_.csv, rows.bytes(samples)));
  if (!o_.trajectory.empty()) {
    const Growth frames =
        framesOf(*session_, io::formatToWrite(o_.trajectory, o_.trajectoryFormat));
    const auto every = static_cast<double>(o_.trajectoryEvery);
    const double count =
        every > 0 ? std::floor(steps / every) + 1 + (std::fmod(steps, every) > 0) : 1;
    files.push_back(fileOf("--trajectory", o_.trajectory, frames.bytes(count)));
    seconds += count * frames.seconds;
  }
  if (!o_.checkpoint.empty()) {
    Growth one = checkpointOf(
        *session_, samples + std::floor(static_cast<double>(first_) /
                                        static_cast<double>(session_->log().start.sampleEvery)));
    if (t.checkpoint > 0) one.first = t.checkpoint;
    files.push_back(fileOf("--checkpoint", o_.checkpoint, one.first, 2));
    const auto every = static_cast<double>(o_.checkpointSteps);
    seconds += one.seconds * (1 + std::floor(seconds / o_.checkpointEvery) +
                              (every > 0 ? std::floor(steps / every) : 0));
  }
  for (const auto& [option, path] :
       {std::pair{"--curves", &o_.curves}, std::pair{"--result", &o_.result},
        std::pair{"--lists", &o_.lists}, std::pair{"--picture", &o_.picture},
        std::pair{"--video", &o_.video}})
    if (!path->empty()) rest.push_back(option);
  if (o_.until == 0 && o_.steps == 0) seconds = o_.seconds;
  ordered_json plan = common::jsonOfKind("plan");
  plan.update({{"scenario", session_->log().start.name},
               {"mode", session_->mode().info().key},
               {"backend", toString(exec_.backend)},
               {"device", common::describe(exec_)},
               {"particles", session_->mode().particleCount()}});
  plan["goal"] = goalJson();
  plan["steps"] = wholeOrNull(steps);
  plan["memory"] = {{"host_bytes", t.host}, {"host_free_bytes", exec::hostMemory()}};
  if (exec_.backend == Backend::cuda) {
    plan["memory"]["device_bytes"] = t.device;
    plan["memory"]["device_free_bytes"] = exec::cudaMemory().first;
  }
  plan["time"] = {{"measured_seconds", t.seconds},
                  {"measured_steps", t.steps},
                  {"preparation_seconds", orNull(t.preparation)},
                  {"seconds", orNull(seconds)}};
  plan["files"] = files;
  plan["not_estimated"] = rest;
  common::put(o_.json ? common::textOf(plan) : planText(plan, session_->mode().info().stepName));
  return common::kDone;
}

}  // namespace cellscope::cli
