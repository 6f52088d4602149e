// van Meel et al. 2008, section 4.2, figure 5: time of the first numbers of lrand48(), by the C
// library, by 64-bit arithmetic on one CPU core, and by many streams in parallel.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/md/md_study.h"
#include "app/reproduce/report.h"
#include "sim/algo/random/rand48_sequence.h"
#include "sim/core/rand48.h"

namespace cellscope::reproduce {
namespace {

struct RandomOptions {
  std::vector<std::int64_t> counts = {10240, 102400, 1024000, 10240000, 40960000};
  std::int64_t streams = 0;
  std::int64_t repeats = 5;

  void visit(auto& v) {
    v({.key = "counts", .min = 1000, .max = 1e9, .help = "How many numbers are made"}, counts);
    v({.key = "streams",
       .min = 0,
       .max = 16777216,
       .help = "Streams in parallel; 6144 in the paper. 0: one for every 16 numbers on a GPU, at "
               "most 262144, and 8 per thread on a CPU"},
      streams);
    v(repeatsOption("Times that each is timed"), repeats);
  }
};

constexpr std::uint64_t kSeed = 1;

void byLibrary(std::vector<std::uint32_t>& out) {
  srand48(static_cast<long>(kSeed));
  for (std::uint32_t& x : out) x = static_cast<std::uint32_t>(lrand48());
}

void onCore(std::vector<std::uint32_t>& out) {
  const Rand48Leap step = rand48Step();
  std::uint64_t x = rand48Seed(kSeed);
  for (std::uint32_t& number : out) {
    x = step.of(x);
    number = lrand48Of(x);
  }
}

std::size_t streamsFor(const RandomOptions& o, std::size_t count, const ExecConfig& exec) {
  if (o.streams > 0) return static_cast<std::size_t>(o.streams);
  if (exec.backend == Backend::cpu) return 8 * static_cast<std::size_t>(std::max(1, exec.threads));
  return std::clamp<std::size_t>(count / 16, 192, 262144);
}

int runRandomNumbers(const RandomOptions& o, const StudyContext& context) {
  const bool gpu = context.exec.backend == Backend::cuda;
  const std::string here = gpu ? "GPU" : "CPU threads in use";
  Report report(context, "Time of the numbers of lrand48() (van Meel et al. 2008, figure 5)",
                {"numbers", "streams", "C library (s)", "CPU core 64-bit (s)", here + " (s)",
                 "core over library", "paper: core over library", here + " over library",
                 "paper: GPU over library", here + " over core", "paper: GPU over core", "equal"});
  const exec::Shared exec = exec::makeExec(context.exec);
  const std::unique_ptr<Rand48Sequence> parallel = makeRand48Sequence(exec);
  bool allEqual = true;
  for (const std::int64_t n : o.counts) {
    common::printError(fmt::format("{} numbers", n));
    const auto count = static_cast<std::size_t>(n);
    std::vector<std::uint32_t> library(count), core(count);
    exec::Array<std::uint32_t> there(context.exec.backend, count);
    const std::size_t streams = streamsFor(o, count, context.exec);
    const double ofLibrary = medianSeconds(o.repeats, [&] { byLibrary(library); });
    const double ofCore = medianSeconds(o.repeats, [&] { onCore(core); });
    const double ofStreams =
        medianSeconds(o.repeats, [&] { parallel->make(kSeed, streams, there); });
    const bool equal = library == core && library == there.get();
    allEqual = allEqual && equal;
    const auto ratio = [](double a, double b) { return fmt::format("{:.3g}", a / b); };
    const bool large = n > 1000000;
    report.row({fmt::format("{}", n), fmt::format("{}", streams), fmt::format("{:.3g}", ofLibrary),
                fmt::format("{:.3g}", ofCore), fmt::format("{:.3g}", ofStreams),
                ratio(ofLibrary, ofCore), "almost 4", ratio(ofLibrary, ofStreams),
                large ? "150" : "less than 150", ratio(ofCore, ofStreams),
                large ? "almost 40" : "-", equal ? "yes" : "no"});
  }
  report.note(
      "\"equal\": the numbers of all three are those of the library, one by one. They stay in the "
      "memory of the device, as in the paper, which compared a GeForce 8800 GTX with one core of a "
      "CPU of 2007 (section 4.2); its times stand in a figure only.");
  return allEqual ? 0 : 1;
}

}  // namespace

Study randomNumbers() {
  return makeStudy<RandomOptions>(
      {.name = "rand48",
       .about = "time of the numbers of lrand48() by the C library, a CPU core and many "
                "streams (van Meel et al. 2008, figure 5)",
       .onCpu = {{"counts", "10240,102400,1024000"}}},
      runRandomNumbers);
}

}  // namespace cellscope::reproduce
