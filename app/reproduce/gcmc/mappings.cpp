// Schwiebert et al., Table 3: the mappings of cells against the code without cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/gcmc/mapping.h"
#include "sim/algo/observables/gcmc_speed_reference.h"

namespace cellscope::reproduce {
namespace {

struct MappingOptions {
  std::vector<std::int64_t> particles = {1024,  2048,  4096,   8192,  16384,
                                         32768, 65536, 131072, 262144};
  std::int64_t moves = 1000000;

  template <class V>
  void visit(V& v) {
    v(particlesOption(), particles);
    v(movesOption(), moves);
  }
};

// "1.43 (1.39)": ours and the paper's.
std::string withPaper(const std::string& ours, const std::string& mapping, std::int64_t n) {
  const auto there = publishedGcmcSpeed(mapping, static_cast<double>(n));
  const auto without = publishedGcmcSpeed("all_particles", static_cast<double>(n));
  if (!there || !without || there->particles != static_cast<double>(n)) return ours + " (-)";
  return fmt::format("{} ({:.2f})", ours, there->movesPerSecond / without->movesPerSecond);
}

int runMappings(const MappingOptions& o, const StudyContext& context) {
  const auto moves = static_cast<std::uint64_t>(o.moves);
  const auto mappings = gcmcMappings(3);
  ChainTimer timer(context, o.particles.size(), mappings.size() + 1, moves);
  Row columns = {"N", "no cells (s)"};
  for (const GcmcMapping& m : mappings) columns.push_back(fmt::format("{} (paper)", m.key));
  columns.push_back("fastest");
  Report report(context,
                "Speed-up of the mappings of cells over the code without cells (Schwiebert et al., "
                "Table 3), density 0.6",
                columns);
  const GcmcSpeedData& paper = gcmcSpeedData();
  for (const std::int64_t n : o.particles) {
    timer.begin({n, kPaperDensity, paper.cutoff});
    const Timed without = timer.time({"all_particles"});
    Row row = {fmt::format("{}", n), secondsText(without)};
    std::string fastest;
    double least = 0;
    for (std::size_t k = 0; k < mappings.size(); ++k) {
      const Timed t = timer.time({"cells", static_cast<int>(k)});
      row.push_back(withPaper(ratioText(without, t), mappings[k].key, n));
      if (fastest.empty() || t.seconds < least) fastest = mappings[k].key, least = t.seconds;
    }
    row.push_back(fastest);
    report.row(row);
  }
  timer.noteTiming(report);
  report.note(
      fmt::format("Paper: {}; it finds 27x1 and 9x3 fastest, and prints no column of "
                  "1x1x27.",
                  paper.mappingHardware));
  return 0;
}

}  // namespace

std::unique_ptr<Study> chainMappings() {
  return std::make_unique<FunctionStudy<MappingOptions>>(
      StudyInfo{.name = "gcmc_mappings",
                .about = "speed-up of the mappings of cells to blocks and threads (Schwiebert "
                         "et al., Table 3)"},
      runMappings);
}

}  // namespace cellscope::reproduce
