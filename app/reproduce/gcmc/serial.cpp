// Schwiebert et al., Table 1: the serial chain and blocks over all particles.
#include <fmt/format.h>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/observables/gcmc_speed_reference.h"

namespace cellscope::reproduce {
namespace {

struct SerialOptions {
  std::vector<std::int64_t> particles = {512,   1024,  2048,  4096,   8192,
                                         16384, 32768, 65536, 131072, 262144};
  std::int64_t moves = 1000000;

  template <class V>
  void visit(V& v) {
    v(particlesOption(), particles);
    v(movesOption(), moves);
  }
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

}  // namespace cellscope::reproduce
