// The colourings of hard disks; the first is the default.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

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

// Phase of psi6.
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

// Magnitude of psi6.
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

// Packing fraction around each disk.
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

// Number of neighbours.
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

// The cell of the checkerboard grid.
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

// The set of the checkerboard (S3, eq. (1)).
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

// The domain that computes the disk, a strip of rows of cells (sim/algo/mpmc/domains.h).
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

using DiskColourings = ColouringList<DiskOrientation,   //
                                     DiskLocalOrder,    //
                                     DiskLocalPacking,  //
                                     DiskNeighbours,    //
                                     DiskCell,          //
                                     DiskSet,           //
                                     DiskDomain,        //
                                     PlainDisks>;

}  // namespace cellscope::layers
