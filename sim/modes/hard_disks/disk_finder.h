// Finds disks and packs what is seen of them, in the memory where the disks are.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/algo/mpmc/engine.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/core/checkerboard.h"
#include "sim/exec/atomic.h"
#include "sim/exec/context.h"
#include "sim/exec/memory.h"
#include "sim/layers/layers.h"

namespace cellscope {

struct CellSlot {
  int x, y, i;
};

// Inverse of GridInfo::slot.
HOST_DEVICE CellSlot cellSlotOf(const GridInfo& g, std::size_t slot) {
  int inCell = 0;  // of a few: subtractions take a GPU less time than divisions of 64 bits
  while (slot >= g.cellCount()) slot -= g.cellCount(), ++inCell;
  const CellIndex at = cellIndex(g, slot);
  return {at.x, at.y, inCell};
}

// A disk that was looked for, and what is known of its slot.
struct FoundDisk {
  static constexpr unsigned long long kNone = ~0ull;
  unsigned long long slot = kNone;
  Vec2 local{}, psi6{};
  float density = 0;
  std::uint32_t neighbours = 0;
};

// Slots of several disks in one pass over the ids: the smallest one, if an id is in two.
struct FindDisks {
  static constexpr int kMost = 64;
  DiskCellsView cells;
  FoundDisk* found;  // of each wanted id
  std::int32_t count;
  std::uint32_t wanted[kMost];
  HOST_DEVICE void operator()(std::size_t slot) const {
    const std::uint32_t id = cells.id[slot];
    for (std::int32_t k = 0; k < count; ++k)
      if (wanted[k] == id) exec::minGlobal(&found[k].slot, static_cast<unsigned long long>(slot));
  }
};

// What lies in the slots that were found; bond order where it is there.
struct ReadFound {
  DiskCellsView cells;
  FoundDisk* found;
  const Vec2* psi6;
  const std::uint8_t* neighbours;
  const float* density;
  HOST_DEVICE void operator()(std::size_t k) const {
    FoundDisk& f = found[k];
    if (f.slot == FoundDisk::kNone) return;
    f.local = cells.disk[f.slot];
    if (psi6) f.psi6 = psi6[f.slot];
    if (neighbours) f.neighbours = neighbours[f.slot];
    if (density) f.density = density[f.slot];
  }
};

// Finds disks by identity in the cells, and owns the packer that fills their layers.
class DiskFinder {
 public:
  virtual ~DiskFinder() = default;
  virtual layers::Packer& packer() = 0;
  // Disks of these ids, in their order, in one pass over all slots for every FindDisks::kMost of
  // them; slot kNone: there is no such disk.
  virtual std::vector<FoundDisk> find(const DiskCellsView& cells, const BondOrderView& order,
                                      const std::vector<std::uint32_t>& ids) = 0;
};

std::unique_ptr<DiskFinder> makeDiskFinderCpu(const exec::Shared& exec);
std::unique_ptr<DiskFinder> makeDiskFinderCuda(const exec::Shared& exec);
inline std::unique_ptr<DiskFinder> makeDiskFinder(const exec::Shared& exec) {
  return exec::makeOn<makeDiskFinderCpu, makeDiskFinderCuda>(exec);
}

// DiskFinder over one exec: instantiated in disk_scene.cpp and disk_finder_cuda.cu.
template <class Exec>
class DiskFinderOn final : public DiskFinder {
 public:
  explicit DiskFinderOn(exec::Shared shared)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        packer_(layers::makePacker(shared_)) {}

  layers::Packer& packer() override { return *packer_; }

  std::vector<FoundDisk> find(const DiskCellsView& cells, const BondOrderView& order,
                              const std::vector<std::uint32_t>& ids) override {
    std::vector<FoundDisk> all;
    for (std::size_t begin = 0; begin < ids.size(); begin += FindDisks::kMost) {
      const std::size_t count = std::min<std::size_t>(FindDisks::kMost, ids.size() - begin);
      FoundDisk* const there = found_.data()->of;
      FindDisks search{cells, there, static_cast<std::int32_t>(count), {}};
      std::copy_n(ids.begin() + static_cast<std::ptrdiff_t>(begin), count, search.wanted);
      exec_.fill("find disks", there, count, FoundDisk{});
      exec_.forEach("find disks", cells.grid.slotCount(), search, 16384);
      exec_.forEach("read disks", count,
                    ReadFound{cells, there, order.psi6, order.neighbours, order.density}, 64);
      const Found found = exec_.read(found_);
      all.insert(all.end(), found.of, found.of + count);
    }
    return all;
  }

 private:
  exec::Shared shared_;
  Exec& exec_;
  std::unique_ptr<layers::Packer> packer_;
  struct Found {
    FoundDisk of[FindDisks::kMost];
  };
  exec::DeviceValue<Found> found_{Exec::backend};
};

}  // namespace cellscope
