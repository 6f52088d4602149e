// Disks in the cells of a checkerboard, and their colourings; the first is the default.
#pragma once
#include <limits>
#include <span>

#include "sim/base/box.h"
#include "sim/core/checkerboard.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

// What colourings of hard disks know: the run as it is now, and one disk as the kernel sees it.
inline constexpr std::uint32_t kBondOrder = 1;  // of ChosenColouring::needs

struct DiskColourState {
  double packing = 0;
  std::string neighbours;  // how they are defined: titles name it wherever the colour depends on it
  int domains = 1;
};

struct DiskSeen {
  const DisksInCells& from;
  CellIndex cell;
  std::size_t slot;
};

struct DiskOrientation {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"psi6_phase", "Orientation",
            "Phase of psi6 of each disk: the orientation of the hexagon of its neighbours, on a "
            "hue wheel."};
  }
  static ColourScale scale(const DiskColourState& s) {
    return {.kind = ColourKind::hueWheel,
            .title = "orientation of neighbours, arg psi6, " + s.neighbours,
            .unit = "rad",
            .lo = -3.14159265f,
            .hi = 3.14159265f,
            .categories = {},
            .marks = {}};
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return atan2f(d.from.psi6[d.slot].y, d.from.psi6[d.slot].x);
  }
};

struct DiskLocalOrder {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"psi6", "Local order",
            "Magnitude of psi6 of each disk: 1 if its neighbours form a perfect hexagon."};
  }
  static ColourScale scale(const DiskColourState& s) {
    return sequential("local order |psi6|, " + s.neighbours, "", 0, 1);
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    const Vec2 psi = d.from.psi6[d.slot];
    return sqrtf(psi.x * psi.x + psi.y * psi.y);
  }
};

struct DiskLocalPacking {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"density", "Local packing",
            "Local packing fraction: area of a disk divided by the area per disk around it."};
  }
  static ColourScale scale(const DiskColourState& s) {
    const auto phi = static_cast<float>(s.packing);
    return sequential("local packing fraction, " + s.neighbours, "", std::max(0.0f, phi - 0.15f),
                      std::min(1.0f, phi + 0.15f));
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return d.from.density[d.slot] * 0.78539816f;  // rho pi / 4
  }
};

struct DiskNeighbours {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"neighbours", "Neighbours",
            "Number of neighbours; a value other than six is a defect."};
  }
  static ColourScale scale(const DiskColourState& s) {
    return categories(s.neighbours, {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9 or more"});
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return static_cast<float>(d.from.neighbours[d.slot] < 9 ? d.from.neighbours[d.slot] : 9);
  }
};

struct DiskCell {
  static ColouringInfo info() {
    return {"cell", "Cell", "Cell of each disk, in nine repeating colours."};
  }
  static ColourScale scale(const DiskColourState&) {
    return categories("cell (x mod 3, y mod 3)",
                      {"0 0", "1 0", "2 0", "0 1", "1 1", "2 1", "0 2", "1 2", "2 2"});
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return static_cast<float>(d.cell.x % 3 + 3 * (d.cell.y % 3));
  }
};

struct DiskSet {
  static ColouringInfo info() {
    return {"set", "Checkerboard set",
            "The set a, b, c, d of the cell that holds the disk (Anderson et al. 2013, eq. 1)."};
  }
  static ColourScale scale(const DiskColourState&) { return setScale("checkerboard set"); }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return static_cast<float>(checkerboardSet(d.cell.x, d.cell.y));
  }
};

// A domain is a strip of rows of cells (sim/algo/mpmc/domains.h).
struct DiskDomain {
  static ColouringInfo info() {
    return {"domain", "Domain",
            "The domain (GPU, thread or process) that computes the cell of each disk, and whether "
            "the domain beside it has a copy (halo)."};
  }
  static std::string missing(const DiskColourState& s) {
    return s.domains > 1 ? "" : "there is one domain; start with --domains 3";
  }
  static ColourScale scale(const DiskColourState& s) { return domainScale(s.domains); }
  // The inverse of evenBorder().
  HOST_DEVICE static float value(const DiskSeen& d) {
    const std::int32_t y = d.cell.y, rows = d.from.cells.grid.allRows();
    const std::int32_t domains = d.from.domains, k = ((y / 2 + 1) * domains - 1) / (rows / 2);
    const bool copied = y < evenBorder(rows, domains, k) + d.from.halo ||
                        y >= evenBorder(rows, domains, k + 1) - d.from.halo;
    return static_cast<float>(2 * (k % 3) + (copied ? 1 : 0));
  }
};

using DiskColourings = ColouringList<DiskOrientation, DiskLocalOrder, DiskLocalPacking,
                                     DiskNeighbours, DiskCell, DiskSet, DiskDomain, PlainDisks>;

inline constexpr const char* kNothingPicked = "no particle is picked: click one";

class TrialsLayer final : public Layer {
 public:
  TrialsLayer()
      : Layer(kTrials, "Trial moves",
              "The trial moves of the picked disk in the last sweep, with their numbers: accepted, "
              "rejected by an overlap, or because it leaves the cell. Click a disk to pick it.",
              Primitive::lines, true, LayerGroup::picked, bit(Need::pickedMoves), {opacityOption()},
              {{kTrialLabels, "number and outcome"}, {kTrialLeaders, "lines to the numbers"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves) return to.add(nothing(info(), kNothingPicked));
    std::vector<LineInstance> leaders;  // below the arrows
    for (const Placed& label : placed(from.pickedMoves->trials)) leaders.push_back(leader(label));
    if (!leaders.empty())
      to.add(layerOf(kTrialLeaders, leaders, plainScale("trial moves", {Mark::text})));
    to.add(layerOf(info().key, from.pickedMoves->trials,
                   categories("picked disk", {"accepted", "overlap", "leaves the cell"},
                              {Mark::accepted, Mark::overlap, Mark::leftCell})));
  }
  // Around the disk, which they leave free as they do the arrows.
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.pickedMoves || from.pickedMoves->trials.empty()) return;
    constexpr float kRadius = 0.5f, kArrow = 0.04f;
    const PickedMovesView& picked = *from.pickedMoves;
    std::vector<LabelInstance> labels = {labelOfBall(diskAfter(picked.trials), kRadius, "")};
    for (const LineInstance& move : picked.trials) keepFree(move, kArrow, labels);
    for (const Placed& label : placed(picked.trials)) {
      std::string text = std::to_string(label.number + 1);
      if (label.number < picked.outcomes.size()) text += " " + picked.outcomes[label.number];
      labels.push_back(labelOf(label.at, text, picked.trials[label.number].value));
      labels.back().half[0] = label.side[0], labels.back().half[1] = label.side[1];
    }
    for (std::size_t i = 0; i < std::min(picked.names.size(), from.tested->lines.size()); ++i)
      if (from.tested->lines[i].value == static_cast<float>(TestedPart::blocking))
        labels.push_back(labelOf(from.tested->lines[i].b, picked.names[i]));
    to.add(layerOf(kTrialLabels, labels, labelScale("trial moves")));
  }

 private:
  static constexpr std::size_t kLabels = 4;
  static constexpr float kAround[8][2] = {{0.7f, 0},  {0.7f, 0.45f},   {0, 0.6f},  {-0.7f, 0.45f},
                                          {-0.7f, 0}, {-0.7f, -0.45f}, {0, -0.6f}, {0.7f, -0.45f}};

  // How much farther out a place is free of the tips of arrows.
  static float beyond(const std::vector<LineInstance>& moves, const float* disk,
                      const float* place) {
    constexpr float kClear = 0.2f;
    float most = 1;
    for (const LineInstance& move : moves) {
      const float along = place[0] * (move.b[0] - disk[0]) + place[1] * (move.b[1] - disk[1]);
      most = std::max(most, along / (place[0] * place[0] + place[1] * place[1]) + kClear);
    }
    return most;
  }
  // Where the label of a move stands, and on which side of the disk.
  struct Placed {
    LineInstance move;
    std::size_t number;
    float at[3];
    const float* side;
  };
  static const float* diskAfter(const std::vector<LineInstance>& moves) {
    const LineInstance& end = moves.back();
    return end.value == 0 ? end.b : end.a;  // accepted or not
  }
  // Of many moves the last.
  static std::vector<Placed> placed(const std::vector<LineInstance>& all) {
    std::vector<Placed> labels;
    if (all.empty()) return labels;
    const float* disk = diskAfter(all);
    const auto moves = std::span(all).last(std::min(all.size(), kLabels));
    std::size_t places[kLabels];
    deal(moves, disk, 0, places);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float *side = kAround[places[i]], out = beyond(all, disk, side);
      labels.push_back({moves[i],
                        all.size() - moves.size() + i,
                        {disk[0] + out * side[0], disk[1] + out * side[1], 0},
                        side});
    }
    return labels;
  }
  // From the middle of an arrow to its label, which begins a little beyond its place.
  static LineInstance leader(const Placed& label) {
    constexpr float kOn = 0.12f;
    LineInstance line = label.move;
    for (int k = 0; k < 2; ++k)
      line.a[k] = 0.5f * (line.a[k] + line.b[k]), line.b[k] = label.at[k] + kOn * label.side[k];
    line.value = 0;
    return line;
  }
  // How far a place lies along an arrow and, which counts less, on the side of its tip.
  static float along(const float* place, const LineInstance& move, const float* disk) {
    const float x = move.b[0] - move.a[0], y = move.b[1] - move.a[1], length = std::hypot(x, y);
    if (!(length > 0)) return 0;
    return (place[0] * (x / length + move.b[0] - disk[0]) +
            place[1] * (y / length + move.b[1] - disk[1])) /
           std::hypot(place[0], place[1]);
  }
  // Gives each move a free place of its own, so that all together lie as far along their arrows as
  // possible. Returns how far.
  static float deal(std::span<const LineInstance> moves, const float* disk, unsigned taken,
                    std::size_t* places) {
    if (moves.empty()) return 0;
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < std::size(kAround); ++k) {
      std::size_t rest[kLabels];
      if (taken >> k & 1) continue;
      const float sum =
          along(kAround[k], moves[0], disk) + deal(moves.subspan(1), disk, taken | 1u << k, rest);
      if (!(sum > most)) continue;
      most = sum, places[0] = k;
      std::copy_n(rest, moves.size() - 1, places + 1);
    }
    return most;
  }
};

// Number of particles of each cell, to be summed up to where each cell's particles are packed.
struct WidenCount {
  const std::uint8_t* count;
  std::uint32_t* out;
  HOST_DEVICE void operator()(std::size_t cell) const { out[cell] = count[cell]; }
};

// One cell: writes the instances of its disks to out[first[cell]] and after it.
struct PackDisks : DisksInCells {
  static constexpr const char* kName = "pack disks";
  static constexpr int kGrain = 1024;

  const std::uint32_t* first = nullptr;  // of each cell: disks in the cells before it
  PointInstance* out = nullptr;

  std::size_t items() const { return cells.grid.cellCount(); }
  std::size_t capacity() const { return disks; }

  HOST_DEVICE void operator()(std::size_t cell) const {
    const CellIndex at = cellIndex(cells.grid, cell);
    const std::size_t count = cells.count[cell], begin = first[cell];
    for (std::size_t i = 0; i < count && begin + i < disks; ++i) {
      const std::size_t slot = i * cells.grid.cellCount() + cell;
      const Vec2 d = cells.disk[slot];
      out[begin + i] = {static_cast<float>(placement.globalX(at.x, d.x)),
                        static_cast<float>(placement.globalY(at.y, d.y)),
                        0,
                        1,
                        DiskColourings::value(colouring, DiskSeen{*this, at, slot}),
                        static_cast<std::int16_t>(checkerboardSet(at.x, at.y)),
                        0};
    }
  }
};

struct DisksLayer final : Layer {
  DisksLayer()
      : Layer(kDisks, "Disks",
              "The disks, coloured by the chosen quantity. Faint: periodic images. "
              "Disks that overlap, which only happens in experiments, are marked with a red ring "
              "(up to 200,000 disks).",
              Primitive::points, true, LayerGroup::particles,
              bit(Need::particles) | bit(Need::overlaps), {opacityOption(), setOption()},
              {{kOverlaps, "overlapping disks"}, {kPicked, "picked disk"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.disks) return to.add(nothing(info(), "there are no disks"));
    to.add(packedLayer(info(), to.packer->pack(PackDisks{*from.disks}), from.disks->scale));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.overlaps.empty())
      to.add(layerOf(kOverlaps, from.overlaps,
                     plainScale("error", {Mark::overlapping}, {"overlapping disks"})));
  }
};

}  // namespace cellscope::layers
