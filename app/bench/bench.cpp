#include "app/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "app/common/terminal.h"
#include "sim/algo/race/race.h"
#include "sim/exec/memory.h"

namespace cellscope::bench {

// The rows that exist: a list in each file.
std::vector<Row> hardDiskRows(), frameRows(), moleculeRows(), mixtureRows(), gcmcRows();

std::vector<Row> allRows() {
  std::vector<Row> all;
  for (const auto rows : {hardDiskRows, frameRows, moleculeRows, mixtureRows, gcmcRows})
    for (Row& row : rows()) all.push_back(std::move(row));
  return all;
}

std::vector<Case> casesOf(const std::vector<Row>& rows) {
  std::vector<Case> all;
  for (const Row& row : rows)
    for (const Size& size : row.sizes) all.push_back({row, size});
  return all;
}

Measurement measured(const Case& c, const Setup& setup) {
  Measurement m;
  common::withDemandedSink([&] { m = c.row.run(c.size, setup); });
  for (const std::shared_ptr<Mode>& mode : m.modes) common::requireSound(*mode);
  m.modes.clear();  // frees memory for the next case
  return m;
}

double timedOnce(const std::function<void()>& f) {
  const double start = steadySeconds();
  f();
  return steadySeconds() - start;
}

std::vector<double> repeated(const std::function<double()>& value) {
  std::vector<double> values;
  for (int i = 0; i < kRepeats; ++i) values.push_back(value());
  return values;
}

std::vector<double> milliseconds(const std::function<void()>& f) {
  return repeated([&] { return 1e3 * timedOnce(f); });
}

const exec::DeviceLimits& limitsOf(const ExecConfig& config) {
  static std::map<std::tuple<Backend, int, int>, exec::DeviceLimits> known;
  const auto key = std::make_tuple(config.backend, config.threads, config.device);
  const auto it = known.find(key);
  return it != known.end() ? it->second
                           : known.emplace(key, exec::deviceLimits(config)).first->second;
}

double millisecondsFor(double bytes, const ExecConfig& config) {
  const double bandwidth = limitsOf(config).bytesPerSecond;
  return bandwidth > 0 ? 1e3 * bytes / bandwidth : 0;
}

void limitByInstructions(Measurement& m, double instructions, const char* each,
                         const ExecConfig& config) {
  m.limit = limitsOf(config).instructionRate / instructions;
  m.note = fmt::format("{:.0f} instructions per {}", instructions, each);
}

std::vector<Size> numbered(Backend where, Numbers numbers, const std::string& label,
                           const std::string& variant, int threads) {
  std::vector<Size> sizes;
  for (const std::int64_t n : numbers)
    sizes.push_back(
        {fmt::format("{} {}", n, label), where, n, where == Backend::cpu ? threads : 0, variant});
  return sizes;
}

std::vector<Size> onBoth(const std::string& label, const std::string& variant, Numbers onCpu,
                         Numbers onGpu, int threads) {
  return joined({numbered(Backend::cpu, onCpu, label, variant, threads),
                 numbered(Backend::cuda, onGpu, label, variant)});
}

std::string whyRefused(const std::function<void()>& start) {
  try {
    start();
  } catch (const InputError& e) {
    return e.what();
  } catch (const RunError& e) {
    return e.what();
  }
  return "";
}

std::vector<Size> joined(std::initializer_list<std::vector<Size>> parts) {
  std::vector<Size> all;
  for (const std::vector<Size>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Size> squares(Numbers sides, std::initializer_list<Backend> backends) {
  std::vector<Size> sizes;
  for (const Backend backend : backends)
    for (const std::int64_t side : sides)
      sizes.push_back({.label = fmt::format("{}^2", side), .backend = backend, .n = side * side});
  return sizes;
}

std::vector<Size> onGpus(Numbers numbers, std::int64_t largest, bool areSides) {
  std::vector<Size> all;
  const auto devices = static_cast<int>(exec::cudaStatus().devices.size());
  for (const std::int64_t number : numbers)
    for (int gpus = 1; gpus <= std::max(1, devices); gpus *= 2)
      all.push_back({.label = fmt::format("{}{} {} GPU{}", number, areSides ? "^2" : "", gpus,
                                          gpus == 1 ? "" : "s"),
                     .backend = Backend::cuda,
                     .n = areSides ? number * number : number,
                     .variant = fmt::format("{}", gpus),
                     .named = number > largest});
  return all;
}

Scenario scenarioOf(const std::string& mode, Settings parameters) {
  return {.name = "bench", .mode = mode, .parameters = std::move(parameters)};
}

std::shared_ptr<Mode> modeWith(const std::string& key, Settings parameters,
                               const ExecConfig& config) {
  return startScenario(scenarioOf(key, std::move(parameters)), config);
}

Measurement stepsPerSecond(const std::shared_ptr<Mode>& mode, std::uint64_t steps) {
  return {.values = repeated([&] {
            return static_cast<double>(steps) / timedOnce([&] { mode->advance(steps); });
          }),
          .modes = {mode}};
}

double workRate(Mode& mode, std::uint64_t steps) {
  const double before = mode.work();
  const double seconds = timedOnce([&] { mode.advance(steps); });
  return (mode.work() - before) / seconds;
}

Measurement workPerSecond(const std::shared_ptr<Mode>& mode, std::uint64_t steps) {
  return {.values = repeated([&] { return workRate(*mode, steps); }), .modes = {mode}};
}

constexpr std::uint64_t kBlock = 500;
constexpr double kSettled = 0.01, kSeconds = 5;

Scenario statePoint(std::int64_t n, const std::string& mapping) {
  return scenarioOf("hard_disks", {{"n", n},
                                   {"packing", 0.698},
                                   {"d", 0.16},
                                   {"n_M", std::int64_t{4}},
                                   {"mapping", mapping},
                                   {"start", std::string("square")}});
}

Melted meltedDisks(std::int64_t n, const ExecConfig& config, const std::string& mapping) {
  Melted m{startScenario(statePoint(n, mapping), config), ""};
  while (m.mode->preparation()) m.mode->advance(1);
  const double end = steadySeconds() + kSeconds;
  double before = 0, acceptance = 0;  // of the last two blocks
  std::vector<double> sample;
  const auto observed = [&](const char* id) {
    return sample.at(columnOf(m.mode->info().observables, id));
  };
  bool settled = false;
  while (!settled && steadySeconds() < end) {
    for (std::uint64_t k = 0; k < kBlock && (k == 0 || steadySeconds() < end); k += kBlock / 10)
      m.mode->advance(kBlock / 10);
    sample = m.mode->sample();
    before = std::exchange(acceptance, observed("acceptance"));
    settled = std::abs(acceptance - before) < kSettled * acceptance;
  }
  m.state = fmt::format("{} sweeps after a square lattice: acceptance {:.3f}{}, local order {:.3f}",
                        m.mode->step(), acceptance, settled ? "" : " and still changing",
                        observed("psi6_local"));
  return m;
}

// Instructions that one trial move needs at least. Cells are as wide as they may be, w = sqrt 2.
// Only disks less than one diameter outside the cell can be reached: rho (4 w + pi) of them, for
// each two fused multiply-adds and half a three-way minimum; six operations for each other disk of
// the cell. Random numbers: 1 + 4/pi n_M words, four of them from ten rounds of four instructions.
// About 20 for displacement, bounds and acceptance.
static double instructionsPerMove() {
  const double rho = 0.698 * 4 / M_PI, w = M_SQRT2, nMoves = 4;
  const double words = (1 + 4 / M_PI * nMoves) / nMoves;
  return 2.5 * rho * (4 * w + M_PI) + 6 * (rho * w * w - 1) + words / 4 * 40 + 20;
}

// Bytes per disk that a sweep moves at least: both coordinates, read once and written once, when
// all five steps of a sweep are made with one part of the system after the other. Some 2.2 trial
// moves per disk, 0.29 of them accepted, leave half of the disks where they are; but memory is
// written in sectors of 32 bytes, and of four disks at least one has moved in about 95 % of them.
// An identity can stay where it is as long as its disk stays in its cell.
constexpr double kBytesPerDisk = 16;

std::pair<double, std::string> sweepLimit(double disks, double movesPerDisk,
                                          const exec::DeviceLimits& device) {
  const double byArithmetic = device.instructionRate / instructionsPerMove();
  const std::string counts =
      fmt::format("{:.0f} instructions per trial move ({:.3g}/s); {:.0f} B per disk and sweep",
                  instructionsPerMove(), byArithmetic, kBytesPerDisk);
  if (device.bytesPerSecond <= 0)
    return {byArithmetic, counts + " (speed of the memory not known)"};
  if (kStoredPerDisk * disks <= device.cacheBytes)
    return {byArithmetic, counts + " (no limit: the state fits the cache)"};
  const double byMemory = movesPerDisk * device.bytesPerSecond / kBytesPerDisk;
  return {std::min(byArithmetic, byMemory), counts + fmt::format(" ({:.3g}/s)", byMemory)};
}

}  // namespace cellscope::bench
