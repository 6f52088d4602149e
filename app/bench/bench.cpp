#include "app/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "app/common/ending.h"
#include "sim/exec/memory.h"

namespace cellscope::bench {

// The rows that exist. A new one is a function in the file of its mode and its name in the two
// places below.

// Mode hard_disks; the last four are about the way from state to picture.
Row sweeps(), domainSweeps(), domainBoards(), speedup(), bytesPerDisk(), samples(), frames(),
    layerFrames(), drawing(), window();
// Mode md.
Row pairs(), placeholderCells(), lists(), domainLists(), mixtureSteps(), listBuilds(), noise(),
    treeFrames(), mdSamples();
// Mode gcmc.
std::vector<Row> gcmcRows();

std::vector<Row> allRows() {
  std::vector<Row> all = {sweeps(),       domainSweeps(),     domainBoards(), speedup(),
                          bytesPerDisk(), samples(),          frames(),       layerFrames(),
                          drawing(),      window(),           pairs(),        lists(),
                          domainLists(),  mixtureSteps(),     listBuilds(),   noise(),
                          treeFrames(),   placeholderCells(), mdSamples()};
  for (Row& row : gcmcRows()) all.push_back(std::move(row));
  return all;
}

std::vector<Case> casesOf(const std::vector<Row>& rows) {
  std::vector<Case> all;
  for (const Row& row : rows)
    for (const Size& size : row.sizes) all.push_back({row, size});
  return all;
}

Measurement measured(const Case& c, const Setup& setup) {
  Measurement m = c.row.run(c.size, setup);
  for (const std::shared_ptr<Mode>& mode : m.modes) common::requireSound(*mode);
  m.modes.clear();  // frees memory for the next case
  return m;
}

double timedOnce(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> repeated(const std::function<double()>& value) {
  std::vector<double> values;
  for (int i = 0; i < kRepeats; ++i) values.push_back(value());
  return values;
}

std::vector<double> milliseconds(const std::function<void()>& f) {
  return repeated([&] { return 1e3 * timedOnce(f); });
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
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

std::vector<Size> squares(std::initializer_list<std::int64_t> sides,
                          std::initializer_list<Backend> backends) {
  std::vector<Size> sizes;
  for (const Backend backend : backends)
    for (const std::int64_t side : sides)
      sizes.push_back({.label = fmt::format("{}^2", side), .backend = backend, .n = side * side});
  return sizes;
}

std::vector<Size> onGpus(const std::string& label, std::int64_t n, bool named) {
  std::vector<Size> all;
  const auto devices = static_cast<int>(exec::cudaStatus().devices.size());
  for (int gpus = 1; gpus <= std::max(1, devices); gpus *= 2)
    all.push_back({.label = fmt::format("{} {} GPU{}", label, gpus, gpus == 1 ? "" : "s"),
                   .backend = Backend::cuda,
                   .n = n,
                   .variant = fmt::format("{}", gpus),
                   .named = named});
  return all;
}

std::shared_ptr<Mode> modeWith(const std::string& key, Settings parameters,
                               const ExecConfig& config) {
  Scenario s;
  s.name = "bench";
  s.mode = key;
  s.parameters = std::move(parameters);
  return startScenario(s, config);
}

Measurement stepsPerSecond(const std::shared_ptr<Mode>& mode, std::uint64_t steps) {
  Measurement m;
  m.modes = {mode};
  m.values = repeated(
      [&] { return static_cast<double>(steps) / timedOnce([&] { mode->advance(steps); }); });
  return m;
}

Measurement workPerSecond(const std::shared_ptr<Mode>& mode, std::uint64_t steps) {
  Measurement m;
  m.modes = {mode};
  m.values = repeated([&] {
    const double before = mode->work();
    const double seconds = timedOnce([&] { mode->advance(steps); });
    return (mode->work() - before) / seconds;
  });
  return m;
}

}  // namespace cellscope::bench
