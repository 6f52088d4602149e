// Memory of the trees and the order of their building, on either exec.
#pragma once
#include <bit>
#include <cstdint>
#include <span>

#include "sim/algo/lbvh/build_kernels.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/base/box.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Codes with their types need 30 + b bits: 32 for up to four types.
class LinearTrees {
 public:
  LinearTrees() = default;
  // Room for these numbers of particles of each type (at least one type).
  LinearTrees(Backend where, std::span<const std::uint32_t> particlesOfType,
              std::uint32_t perLeaf = kParticlesPerLeaf);

  const TreeLayout& layout() const { return layout_; }
  TreesView view() const;
  std::size_t bytes() const;
  // Of a LinearTrees for these particles, before it is made.
  static std::size_t bytesFor(std::span<const std::uint32_t> particlesOfType,
                              std::uint32_t perLeaf = kParticlesPerLeaf);

  // All steps. As many particles of each type as the room was made for.
  template <class Exec>
  void build(Exec& exec, const ParticleRecord* particles, const Box& box) {
    codes(exec, particles, box);
    sort(exec);
    hierarchy(exec);
    gather(exec, particles);
    boxes(exec);
  }

  // The steps one by one.
  template <class Exec>
  void codes(Exec& exec, const ParticleRecord* particles, const Box& box) {
    box_ = box;
    goHome();
    if (wide())
      codesAs(exec, particles, keys64_);
    else
      codesAs(exec, particles, keys32_);
  }
  template <class Exec>
  void sort(Exec& exec) {
    const exec::BitRange bits{0, kMortonBits + typeBits()};
    if (wide())
      exec.sortByKey("tree sort", keys64_, slots_, layout_.particles, bits);
    else
      exec.sortByKey("tree sort", keys32_, slots_, layout_.particles, bits);
  }
  template <class Exec>
  void hierarchy(Exec& exec) const {
    if (wide())
      hierarchyAs(exec, keys64_.data());
    else
      hierarchyAs(exec, keys32_.data());
  }
  template <class Exec>
  void gather(Exec& exec, const ParticleRecord* particles) {
    exec.forEach("tree particles", layout_.particles,
                 GatherParticles{particles, slots_.data(), particles_.data()});
  }
  // Of leaves, and of inner nodes of this depth at least.
  template <class Exec>
  void boxes(Exec& exec, std::int32_t shallowest = 0) const {
    exec.forEach("tree boxes", layout_.leaves,
                 MergeBoxes{parts_.data(), particles_.data(), parents_.data(), leftChild_.data(),
                            rightOfSplit_.data(), layout_.perLeaf, arrivals_.data(), nodes_.data(),
                            shallowest});
  }

  // For callers that gather the particles themselves, with the boxes of tiles.
  const std::uint32_t* sortedSlots() const { return slots_.data(); }
  TreeParticle* sortedParticles() const { return particles_.data(); }
  TileBounds* tileBoxes() const { return tileBoxes_.data(); }

  // Codes in sorted order, with the type in front: for layers and tests; waits.
  std::vector<std::uint64_t> sortedKeys() const;

 private:
  int typeBits() const { return std::bit_width(layout_.parts.size() - 1); }
  bool wide() const { return kMortonBits + typeBits() > 32; }
  // The buffers that the first build began with, for launches that are recorded.
  void goHome() {
    if (slots_.data() != homeSlots_) slots_.swap();
    if (keys32_.data() != home32_) keys32_.swap();
    if (keys64_.data() != home64_) keys64_.swap();
  }

  template <class Exec, class Key>
  void codesAs(Exec& exec, const ParticleRecord* particles, exec::DoubleBuffer<Key>& keys) {
    exec.forEach("tree codes", layout_.particles,
                 TypeMortonCodes<Key>{particles, mortonGrid(box_), keys.data(), slots_.data()});
  }
  template <class Exec, class Key>
  void hierarchyAs(Exec& exec, const Key* keys) const {
    exec.forEach("tree hierarchy", layout_.leaves,
                 BuildHierarchy<Key>{parts_.data(), keys, layout_.perLeaf, parents_.data(),
                                     leftChild_.data(), rightOfSplit_.data()});
  }

  TreeLayout layout_;
  Box box_;
  exec::Array<TreePart> parts_;
  exec::DoubleBuffer<std::uint32_t> keys32_;
  exec::DoubleBuffer<std::uint64_t> keys64_;
  exec::DoubleBuffer<std::uint32_t> slots_;
  std::uint32_t* home32_ = nullptr;
  std::uint64_t* home64_ = nullptr;
  std::uint32_t* homeSlots_ = nullptr;
  exec::Array<TreeParticle> particles_;
  exec::Array<TreeNode> nodes_;
  exec::Array<std::int32_t> parents_, leftChild_, rightOfSplit_;
  exec::Array<std::uint32_t> arrivals_;
  exec::Array<TileBounds> tileBoxes_;
};

}  // namespace cellscope
