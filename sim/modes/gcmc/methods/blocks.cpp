// Blocks and threads of a GPU: all particles, cells by a mapping, microcells.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {
namespace {

// Of a mapping of space.
std::string mappingInWords(const GcmcMapping& m) {
  const std::string blocks = m.blocks == 27  ? "a block per cell"
                             : m.blocks == 9 ? "a block per row"
                             : m.blocks == 3 ? "a block per layer"
                             : m.blocks == 1 ? "one block"
                                             : fmt::format("{} blocks", m.blocks);
  if (m.inTurn == 1) return blocks;
  return blocks + (m.blocks * m.across == 1 ? ", cell after cell" : ", in turn");
}

// Row of the mapping of the plane that divides its nine cells as this one divides a layer; -1:
// there is none.
constexpr int rowInPlane(const GcmcMapping& m) {
  const auto rows = gcmcMappings(2);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].blocks == std::max(1, m.blocks / 3) && rows[k].across == std::min(9, m.across) &&
        rows[k].inTurn == std::min(9, m.inTurn))
      return static_cast<int>(k);
  return -1;
}

constexpr auto kInPlane = [] {
  constexpr auto inSpace = gcmcMappings(3);
  std::array<int, inSpace.size()> rows{};
  std::transform(inSpace.begin(), inSpace.end(), rows.begin(), rowInPlane);
  return rows;
}();
static_assert(std::all_of(kInPlane.begin(), kInPlane.end(), [](int row) { return row >= 0; }),
              "a mapping of cells in space has no counterpart in the plane");

class BlocksMethod final : public Method {
 public:
  explicit BlocksMethod(const GcmcMethod& made)
      : Method(made),
        mapped_(std::string(made.key) == "cells"),
        micro_(std::string(made.key).rfind("microcells", 0) == 0) {}

  std::string words(const GcmcParameters& p, Backend where) const override {
    std::string words;
    if (mapped_) words += fmt::format(", mapping {}", mapping(p).key);
    if (micro_)
      words +=
          p.skipBeyond ? ", those beyond the cutoff skipped" : ", those beyond the cutoff read";
    if (p.blockSize > 0) words += fmt::format(", blocks of at most {} threads", p.blockSize);
    if (made().emulatedOn(where)) words += ", blocks emulated one after another";
    return words + launchesInWords(p);
  }

  void check(const GcmcParameters& p) const override {
    if (p.blockSize == 0 || !mapped_ || p.blockSize >= mapping(p).across) return;
    throw InputError(
        "block_size = {}: with mapping {} a block visits {} cells at the same time, each by "
        "threads of its own; use {} to {}, 0 for 32 threads per cell, or another mapping",
        p.blockSize, mapping(p).key, mapping(p).across, mapping(p).across, kGcmcMostThreads);
  }

  // Every mapping of cells; on a GPU other block sizes of those with the most blocks.
  std::vector<Variant> variants(int dimension, Backend where) const override {
    std::vector<Variant> all = Method::variants(dimension, where);
    // By value: a name in `all` would be gone once that grows.
    const auto sizes = [&](std::string name, std::initializer_list<int> threads) {
      for (const int t : threads)
        if (where == Backend::cuda)
          all.push_back({fmt::format("{}, {} threads", name, t), "", 0, t});
    };
    if (std::string(made().key) == "microcells_many") sizes(all.front().name, {128, 256});
    if (!mapped_) return all;
    all.clear();
    const auto mappings = gcmcMappings(dimension);
    for (std::size_t row = 0; row < mappings.size(); ++row) {
      const std::string name = fmt::format("cells {}", mappings[row].key);
      all.push_back({name, mappings[row].key, static_cast<int>(row)});
      if (row == 0) sizes(name, {64, 128});
    }
    return all;
  }

 private:
  static const GcmcMapping& mapping(const GcmcParameters& p) {
    return gcmcMappings(p.dimensions())[static_cast<std::size_t>(optionsOf(p).mapping)];
  }

  bool mapped_, micro_;
};

}  // namespace

int gcmcMappingRow(const Choice& mapping, int dimension) {
  return static_cast<int>(dimension == 3 ? mapping.index
                                         : kInPlane[static_cast<std::size_t>(mapping.index)]);
}

std::vector<ChoiceInfo> gcmcMappingChoices() {
  std::vector<ChoiceInfo> all;
  for (const GcmcMapping& m : gcmcMappings(3))
    all.emplace_back(m.key, fmt::format("{}: {}", m.key, mappingInWords(m)));
  return all;
}

std::string launchesInWords(const GcmcParameters& p) {
  return fmt::format(", {} moves per launch", std::min(p.movesPerLaunch, p.movesPerStep));
}

std::unique_ptr<const Method> makeBlocksMethod(const GcmcMethod& made) {
  return std::make_unique<BlocksMethod>(made);
}

}  // namespace cellscope::gcmc
