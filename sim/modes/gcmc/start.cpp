#include "sim/modes/gcmc/start.h"

#include "sim/algo/gcmc/step.h"
#include "sim/exec/machine.h"
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::gcmc {
namespace {

// Particles of a cubic (or square) cell, in cell sides.
using Basis = std::vector<std::array<double, 3>>;
const Basis kSimple = {{0.5, 0.5, 0.5}};
const Basis kFaceCentred = {
    {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};

// Cells along each axis: one more where they are widest, until there is room for n.
struct Cells {
  std::size_t along[3] = {1, 1, 1};
  std::size_t count() const { return along[0] * along[1] * along[2]; }
  double width(const Box& box, int axis) const {
    return box.length[axis] / static_cast<double>(along[axis]);
  }
};
Cells cellsFor(const Basis& basis, const Box& box, std::size_t n) {
  constexpr double kAlike = 1 + 1e-12;
  Cells c;
  while (basis.size() * c.count() < n) {
    double widest = 0;
    for (int k = 0; k < box.dimension; ++k) widest = std::max(widest, c.width(box, k));
    for (int k = 0; k < box.dimension; ++k)
      if (c.width(box, k) * kAlike >= widest) ++c.along[k];
  }
  return c;
}

[[noreturn]] void refuseOverlap(const Box& box, std::size_t n) {
  const auto cellsOf = [&](double width) {
    double all = 1;
    for (int k = 0; k < box.dimension; ++k) all *= std::floor(box.length[k] / width);
    return all;
  };
  const double most =
      box.dimension == 3 ? std::max(4 * cellsOf(std::numbers::sqrt2), cellsOf(1)) : cellsOf(1);
  throw InputError(
      "density: {} hard spheres overlap on the starting lattice; at most {}, a density of {:.4g}, "
      "fit into a box of {}",
      n, most, most / box.volume(), shortestSideInWords(box));
}

// Neighbours of a face-centred cubic lattice are half a diagonal of a face apart.
const Basis& basisFor(const Box& box, std::size_t n) {
  const Cells simple = cellsFor(kSimple, box, n), centred = cellsFor(kFaceCentred, box, n);
  double nearest = box.shortest(), diagonal = nearest;
  for (int k = 0; k < box.dimension; ++k) {
    nearest = std::min(nearest, simple.width(box, k));
    for (int j = 0; j < k; ++j)
      diagonal = std::min(diagonal, 0.5 * std::hypot(centred.width(box, j), centred.width(box, k)));
  }
  if (nearest > 1) return kSimple;
  if (box.dimension == 3 && diagonal > 1) return kFaceCentred;
  refuseOverlap(box, n);
}

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
  throw RunError(
      "out of {}: the cells of a box with '{}' = {:g} need {:.2f} GiB, however few particles are "
      "in it, and {:.2f} GiB are free; the largest '{}' that fits is about {:.4g}{}",
      gpu ? "GPU memory" : "memory", ofSlots ? "slots_per_cell" : "length",
      ofSlots ? slots : p.length, static_cast<double>(all) / kGib, static_cast<double>(free) / kGib,
      ofSlots ? "slots_per_cell" : "length",
      ofSlots ? std::floor(slots * share) : p.length * std::pow(share, 1.0 / p.dimensions()),
      ofSlots || !std::isnan(p.side()) ? "" : ", in a box of the same shape");
}

}  // namespace

GcmcState latticeState(const Box& box, std::size_t n, bool hard) {
  GcmcState s;
  s.box = box;
  const Basis& basis = hard ? basisFor(box, n) : kSimple;
  const Cells cells = cellsFor(basis, box, n);
  const std::size_t sites = basis.size() * cells.count();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t site = i * sites / n, cell = site / basis.size();
    const auto at = [&](std::size_t index, int axis) {
      const double within = basis[site % basis.size()][static_cast<std::size_t>(axis)];
      return (static_cast<double>(index) + within) * box.length[axis] /
             static_cast<double>(cells.along[axis]);
    };
    const std::size_t* const k = cells.along;
    s.point.push_back(gcmcPointAt(box, {at(cell % k[0], 0), at(cell / k[0] % k[1], 1),
                                        box.dimension == 3 ? at(cell / k[0] / k[1], 2) : 0.0}));
  }
  s.id = firstIds(n);
  s.idBase = static_cast<ParticleId>(n);
  return s;
}

void drawTypes(GcmcState& s, const GcmcParameters& p) {
  if (!p.mixed()) return;
  const GcmcRules rules = makeGcmcRules(p.settings(), s.box);
  for (std::uint32_t i = 0; i < s.count(); ++i) {
    const Random4 r = draw(rules.key, RngPurpose::initialPositions, 0, i, 0);
    s.point[i] = gcmcWithType(s.point[i], gcmcDrawnType(rules, r.w[0]));
  }
}

static void chainFields(auto& io, auto& s, std::size_t most) {
  io.fieldUpTo(s.point, "the positions", most);
  io.items(s.id, s.point.size(), "the ids");
  io.field(s.move, "move");
  io.field(s.idBase, "first id of an insertion");
}

void saveChain(BinaryWriter& w, const GcmcState& s) { chainFields(w, s, s.point.size()); }

GcmcState loadChain(BinaryReader& r, const Box& box, std::size_t most) {
  GcmcState s;
  s.box = box;
  chainFields(r, s, most);
  if (s.move >= 1ull << 56 || s.idBase < 0 || s.idBase > ParticleId{1} << 62)
    throw InputError("checkpoint: number of moves or ids are impossible");
  return s;
}

MemoryNeed memoryNeed(const GcmcParameters& p, std::size_t n, const ExecConfig& config) {
  const Box box = p.box();
  const GcmcMethod& method = methodOf(p, config.backend).made();
  const GcmcPair pair = makeGcmcRules(p.settings(), box).pair;
  std::size_t bytes = method.bytes(config.backend, optionsOf(p), n, box, pair), board = 0;
  // The whole board, of which the device holds two, is laid out on the host first.
  if (method.key == std::string("checkerboard") && config.backend == Backend::cuda)
    board = bytes / 2 + n * sizeof(std::size_t);
  if (config.allDomains() > 1) {
    // On the first device the whole board to be looked at, and the layers of its domains.
    const int layers = gcmcBoardCells(box, pair).count[box.dimension - 1],
              here = (config.domains + config.devices - 1) / config.devices;
    const double parts = here * (layers / config.allDomains() + 3.0) / layers;
    bytes = static_cast<std::size_t>(static_cast<double>(bytes) * (0.5 + parts));
  }
  const std::size_t host = 2 * n * (sizeof(GcmcPoint) + sizeof(ParticleId)) + board;
  const std::size_t onHost = method.onHost && config.backend == Backend::cuda ? bytes : 0;
  return engineMemory(n, bytes - onHost, host + onHost, sizeof(PointInstance), config);
}

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
  throw RunError(
      "replicas = {} need about {:.0f} MiB of {}, {:.0f} MiB are free; about {} would fit: use "
      "fewer, or a smaller box",
      p.replicas, static_cast<double>(needed) / kMib, gpu ? "GPU memory" : "memory",
      static_cast<double>(free) / kMib, free / one);
}

}  // namespace cellscope::gcmc
