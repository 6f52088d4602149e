// Schwiebert et al., Table 1: the serial chain and blocks over all particles. Table 3: the mappings
// of cells against the code without cells.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/gcmc/work.h"
#include "sim/algo/observables/gcmc_reference.h"

namespace cellscope::reproduce {
namespace {

struct SerialOptions : SizesOptions {
  SerialOptions()
      : SizesOptions{{512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144}} {}
};

int runSerial(const SerialOptions& o, const StudyContext& context) {
  const auto moves = static_cast<std::uint64_t>(o.moves);
  ChainTimer timer(context, o.particles.size(), moves);
  Report report(
      context,
      "Serial chain and blocks over all particles (Schwiebert et al., Table 1), density 0.6",
      {"N", "serial (s)", "blocks (s)", "speed-up", "serial, paper (s)", "CUDA, paper (s)",
       "speed-up, paper"});
  const GcmcSpeedData& paper = gcmcSpeedData();
  for (const std::int64_t n : o.particles) {
    timer.begin({n, kPaperDensity, paper.cutoff});
    const std::vector<Timed> times =
        timer.time({{.method = "serial", .onCore = true}, {.method = "all_particles"}});
    const Timed &serial = times[0], &blocks = times[1];
    const auto a = publishedGcmcSpeed("serial", static_cast<double>(n));
    const auto b = publishedGcmcSpeed("all_particles", static_cast<double>(n));
    const bool same = a && b && a->particles == static_cast<double>(n);
    report.row({fmt::format("{}", n), secondsText(serial), secondsText(blocks),
                ratioText(serial, blocks),
                same ? fmt::format("{:.4g}", 1e6 / a->movesPerSecond) : "-",
                same ? fmt::format("{:.4g}", 1e6 / b->movesPerSecond) : "-",
                same ? fmt::format("{:.3g}", b->movesPerSecond / a->movesPerSecond) : "-"});
  }
  timer.noteTiming(report);
  report.note(
      fmt::format("Paper: {}; {}. Ours: one core for the serial chain, which looks at all "
                  "particles.",
                  paper.serialHardware, paper.cudaHardware));
  return 0;
}

}  // namespace

Study chainSerial() {
  return makeStudy<SerialOptions>(
      {.name = "gcmc_serial",
       .about = "time of a million grand-canonical moves, serial and by blocks over all "
                "particles (Schwiebert et al., Table 1)"},
      runSerial);
}

namespace {

struct MappingOptions : SizesOptions {
  MappingOptions() : SizesOptions{{1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144}} {}
};

// "1.43 (1.39)": ours and the paper's.
std::string withPaper(const std::string& ours, const std::string& mapping, std::int64_t n) {
  const auto there = publishedGcmcSpeed(mapping, static_cast<double>(n));
  const auto without = publishedGcmcSpeed("all_particles", static_cast<double>(n));
  if (!there || !without || there->particles != static_cast<double>(n)) return ours + " (-)";
  return fmt::format("{} ({:.2f})", ours, there->movesPerSecond / without->movesPerSecond);
}

// The mapping with the least median, and those whose spread reaches it.
std::string fastestOf(const std::vector<Timed>& times, std::span<const GcmcMapping> mappings) {
  const Timed& best =
      *std::min_element(times.begin(), times.end(),
                        [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
  std::string names;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k].seconds - times[k].spread <= best.seconds + best.spread)
      names += (names.empty() ? "" : " or ") + std::string(mappings[k].key);
  return names;
}

Row columnsOf(std::span<const GcmcMapping> mappings, bool emulated) {
  Row columns = {"N", "no cells (s)"};
  for (const GcmcMapping& m : mappings) columns.push_back(fmt::format("{} (paper)", m.key));
  if (!emulated) columns.emplace_back("fastest");
  return columns;
}

int runMappings(const MappingOptions& o, const StudyContext& context) {
  const auto mappings = gcmcMappings(3);
  ChainTimer timer(context, o.particles.size(), static_cast<std::uint64_t>(o.moves));
  Report report(context,
                "Speed-up of the mappings of cells over the code without cells (Schwiebert et al., "
                "Table 3), density 0.6",
                columnsOf(mappings, timer.emulated()));
  std::vector<TimedMethod> methods = {{.method = "all_particles"}};
  for (std::size_t k = 0; k < mappings.size(); ++k)
    methods.push_back({.method = "cells", .mapping = static_cast<int>(k)});
  const GcmcSpeedData& paper = gcmcSpeedData();
  for (const std::int64_t n : o.particles) {
    timer.begin({n, kPaperDensity, paper.cutoff});
    std::vector<Timed> times = timer.time(methods);
    const Timed without = times.front();
    times.erase(times.begin());
    Row row = {fmt::format("{}", n), secondsText(without)};
    for (std::size_t k = 0; k < mappings.size(); ++k)
      row.push_back(withPaper(ratioText(without, times[k]), mappings[k].key, n));
    if (!timer.emulated()) row.push_back(fastestOf(times, mappings));
    report.row(row);
  }
  timer.noteTiming(report);
  if (!timer.emulated())
    report.note("Fastest: the least median, and those that its and their own spread reach.");
  report.note(
      fmt::format("Paper: {}; it finds 27x1 and 9x3 fastest, and prints no column of "
                  "1x1x27.",
                  paper.mappingHardware));
  return 0;
}

}  // namespace

Study chainMappings() {
  return makeStudy<MappingOptions>(
      {.name = "gcmc_mappings",
       .about = "speed-up of the mappings of cells to blocks and threads (Schwiebert "
                "et al., Table 3)"},
      runMappings);
}

}  // namespace cellscope::reproduce
