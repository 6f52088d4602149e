// Arrays of the engine with Verlet lists. What is not needed at the same time shares memory: forces
// lie where whole steps put every other set of records, and particles are sorted through the memory
// of the list that is about to be built.
#pragma once
#include "sim/algo/verlet/step_kernels.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct VerletStore {
  exec::Array<Vec3d> position, velocity;      // of own slots, or of all
  exec::DoubleBuffer<ParticleRecord> record;  // whole steps write the spare one
  exec::Array<std::uint32_t> tag, key, slot;
  exec::Array<ParticleRecord> built;
  exec::Array<Vec2> terms;  // or sums of thread blocks while a sample is taken
  // The last valid state, of own slots and of all.
  exec::Array<Vec3d> keptPosition, keptVelocity;
  exec::Array<ParticleRecord> keptBuilt;
  exec::Array<std::uint32_t> keptTag;

  // A thread block has at least eight particles, the last one fewer; its sums take as many bytes
  // as the energies of eight.
  static constexpr std::size_t kMostBlockRest = sizeof(MdSums) / sizeof(Vec2);
  MdSums* sums() const {
    static_assert(sizeof(MdSums) == 8 * sizeof(Vec2));
    return reinterpret_cast<MdSums*>(terms.data());
  }

  // own: of n slots, which one of several domains moves.
  static exec::Layout<VerletStore> layout(std::size_t n, std::size_t own) {
    using S = VerletStore;
    return {{"positions", &S::position, own},
            {"velocities", &S::velocity, own},
            {"records, and forces", &S::record, n},
            {"tags", &S::tag, n},
            {"keys", &S::key, n},
            {"slots", &S::slot, n},
            {"records of the list", &S::built, n},
            {"energies", &S::terms, n + kMostBlockRest},
            {"kept positions", &S::keptPosition, own},
            {"kept velocities", &S::keptVelocity, own},
            {"kept records of the list", &S::keptBuilt, n},
            {"kept tags", &S::keptTag, n}};
  }
  // Of the records as they are: from the end of a run to the first records of the next one.
  Vec4* force() const {
    static_assert(sizeof(Vec4) == sizeof(ParticleRecord) &&
                  alignof(Vec4) == alignof(ParticleRecord));
    return reinterpret_cast<Vec4*>(record.spare());
  }
};

// Particles on their way to another order: positions and velocities of own slots, by slot. Of
// several domains with those of all, which they come from.
struct SortedParticles {
  Vec3d *position, *velocity, *allPositions, *allVelocities;
  std::uint32_t* tag;

  static std::size_t bytes(std::size_t n, const OwnSlots& own) {
    const std::size_t from = own.of(n) < n ? n : 0;
    return 2 * (own.of(n) + from) * sizeof(Vec3d) + n * sizeof(std::uint32_t);
  }
  // In this memory, aligned for any type.
  SortedParticles(std::uint32_t* memory, std::size_t n, const OwnSlots& own) {
    const std::size_t count = own.of(n), from = count < n ? n : 0;
    auto* const first = reinterpret_cast<Vec3d*>(memory);
    position = first - own.begin, velocity = position + count;
    allPositions = first + 2 * count, allVelocities = allPositions + from;
    tag = reinterpret_cast<std::uint32_t*>(allVelocities + from);
  }
};

// Two arrays as the buffers of a sort for as long as this lives; the second may have more room. The
// arrays have their own memory again afterwards, wherever the sort has left its result.
template <class T>
class SortBuffers {
 public:
  SortBuffers(exec::Array<T>& home, exec::Array<T>& spare) : home_(home), spare_(spare) { lend(); }
  SortBuffers(const SortBuffers&) = delete;
  SortBuffers& operator=(const SortBuffers&) = delete;
  ~SortBuffers() {
    both.goHome();
    lend();
  }

  exec::DoubleBuffer<T> both;

 private:
  void lend() noexcept {
    both.array().swap(home_);
    both.swap();
    both.array().swap(spare_);
    both.swap();
  }
  exec::Array<T>&home_, &spare_;
};

}  // namespace cellscope
