#include "sim/modes/gcmc/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/gcmc/state.h"
#include "sim/algo/gcmc/step.h"
#include "sim/api/frame.h"
#include "sim/exec/host_memory.h"
#include "sim/exec/memory.h"
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/replica_spread.h"

namespace cellscope::gcmc {

MemoryNeed memoryNeed(const GcmcParameters& p, std::size_t n, const ExecConfig& config) {
  const Box box = p.box();
  const GcmcMethod& method = methodOf(p, config.backend).made();
  const std::size_t bytes =
      method.bytes(config.backend, optionsOf(p), n, box, makeGcmcRules(p.settings(), box).pair);
  const std::size_t host = 2 * n * (sizeof(GcmcPoint) + sizeof(ParticleId));
  const std::size_t onHost = method.onHost && config.backend == Backend::cuda ? bytes : 0;
  return engineMemory(n, bytes - onHost, host + onHost, sizeof(PointInstance), config);
}

namespace {

// Cells, of which an empty box has as many as a full one, are no matter of the number of particles,
// but of their slots or of the box.
void requireRoomForCells(GcmcParameters p, const ExecConfig& config) {
  const bool gpu = config.backend == Backend::cuda;
  if (gpu) exec::useCudaDevice(config.device);
  const std::size_t free = gpu ? exec::cudaMemory().first : exec::hostMemory();
  const auto needed = [&] { return memoryNeed(p, 0, config).building; };
  const std::size_t all = needed();
  if (all <= free) return;
  constexpr double kGib = 1 << 30;
  const double share = 0.95 * static_cast<double>(free) / static_cast<double>(all);
  const auto slots = static_cast<double>(p.slotsPerCell);
  p.slotsPerCell = 4;
  const bool ofSlots = needed() < all / 2;
  throw RunError(fmt::format(
      "out of {}: the cells of a box with '{}' = {:g} need {:.2f} GiB, however few particles are "
      "in it, and {:.2f} GiB are free; the largest '{}' that fits is about {:.4g}{}",
      gpu ? "GPU memory" : "memory", ofSlots ? "slots_per_cell" : "length",
      ofSlots ? slots : p.length, static_cast<double>(all) / kGib, static_cast<double>(free) / kGib,
      ofSlots ? "slots_per_cell" : "length",
      ofSlots ? std::floor(slots * share) : p.length * std::pow(share, 1.0 / p.dimensions()),
      ofSlots || !std::isnan(p.side()) ? "" : ", in a box of the same shape"));
}

}  // namespace

void checkMemory(const GcmcParameters& p, std::size_t n, const ExecConfig& config) {
  requireRoomForCells(p, config);
  requireMemory(static_cast<std::int64_t>(n), "particles", memoryNeed(p, n, config), config,
                "; 'n' is 'density' times the volume of the box");
}

std::size_t replicaBytes(const GcmcParameters& p, Backend where) {
  const Box box = p.box();
  const auto n = static_cast<std::size_t>(densestReplica(p) * box.volume());
  // Arrays of a GPU come in pieces of 512 bytes: those of the chain, its head and its sums.
  const std::size_t pieces = where == Backend::cuda ? 8 * 512 + sizeof(GcmcHead) : 0;
  return gcmcReplicaBytes(where, n, box, makeGcmcRules(p.settings(), box).pair) + pieces +
         numbersOf(p) * sizeof(GcmcTransition);
}

void requireRoom(const GcmcParameters& p, const ExecConfig& config) {
  if (p.replicas == 0) return;
  const bool gpu = config.backend == Backend::cuda;
  if (gpu) exec::useCudaDevice(config.device);
  const std::size_t free = gpu ? exec::cudaMemory().first : exec::hostMemory();
  const std::size_t one = replicaBytes(p, config.backend);
  const std::size_t needed = one * static_cast<std::size_t>(p.replicas);
  if (needed <= free) return;
  constexpr double kMib = 1 << 20;
  throw RunError(fmt::format(
      "replicas = {} need about {:.0f} MiB of {}, {:.0f} MiB are free; about {} would fit: use "
      "fewer, or a smaller box",
      p.replicas, static_cast<double>(needed) / kMib, gpu ? "GPU memory" : "memory",
      static_cast<double>(free) / kMib, free / one));
}

}  // namespace cellscope::gcmc
