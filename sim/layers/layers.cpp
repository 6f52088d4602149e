#include "sim/layers/layers.h"
#include "sim/layers/layer_of.h"

#include <utility>

namespace cellscope::layers {

const std::vector<LayerInfo>& hardDiskLayers() {
  static const std::vector<LayerInfo> all = {
      {kDisks, "Disks",
       "The disks, coloured by the chosen quantity. Faint at the border: periodic images. "
       "Disks that overlap, which only happens in experiments, wear a red ring (up to 200,000 "
       "disks).",
       Primitive::points, true},
      {kCells, "Cell grid",
       "The cells of the checkerboard grid, coloured by the number of disk centres in each. The "
       "grid moves by the cell shift after every sweep; the disks do not.",
       Primitive::boxes, false},
      {kSets, "Sets",
       "The four sets a, b, c, d of cells (S3, eq. 1). Cells of one set are never neighbours, so "
       "that all of them can be updated at the same time.",
       Primitive::boxes, false},
      {kActive, "Active set",
       "The cells that the last sub-sweep updated, in full strength, the others faint; after the "
       "shuffle, the set that comes next. After the cell shift they are shown where they were when "
       "they were updated, and the other layers of cells where they have been moved to.",
       Primitive::boxes, false},
      {kShift, "Cell shift", "The step by which the last sweep moved the cell boundaries.",
       Primitive::lines, false},
      {kStencil, "Picked cell",
       "The cell that held the picked disk during the last sweep, and the eight cells around it "
       "in which overlaps are searched. Click a disk to pick it.",
       Primitive::boxes, true},
      {kTested, "Tested disks",
       "From the picked disk to every disk against which its last trial moves were tested; those "
       "that blocked a move stand out. None when all moves would have left the cell: these are "
       "rejected before. Click a disk to pick it.",
       Primitive::lines, true},
      {kTrials, "Trial moves",
       "The trial moves of the picked disk in the last sweep: accepted, rejected by an overlap, or "
       "rejected for leaving the cell. Click a disk to pick it.",
       Primitive::lines, true},
      {kMoves, "Last moves",
       "After one sweep or one phase: disks that moved, with the way they went, and disks whose "
       "trial moves were all rejected. They flash and fade; while playing faster than two sweeps "
       "per second nothing flashes. Up to 200,000 disks.",
       Primitive::points, true},
  };
  return all;
}

const std::vector<std::string>& setNames() {
  static const std::vector<std::string> names = {"a", "b", "c", "d"};
  return names;
}

ColourScale categories(const std::string& title, std::vector<std::string> names,
                       std::vector<Mark> marks) {
  ColourScale s;
  s.kind = ColourKind::categorical;
  s.title = title;
  s.lo = 0;
  s.hi = static_cast<float>(names.size() - 1);
  s.categories = std::move(names);
  s.marks = std::move(marks);
  return s;
}

ColourScale setScale(const std::string& title) {
  return categories(title, setNames(), {Mark::setA, Mark::setB, Mark::setC, Mark::setD});
}

ColourScale occupancyScale(int places) {
  return sequential("disks in the cell", "", 0, static_cast<float>(places));
}

ColourScale plainScale(const std::string& title) {
  ColourScale s;
  s.title = title;
  return s;
}

ColourScale sequential(const std::string& title, const std::string& unit, float lo, float hi) {
  ColourScale s;
  s.kind = ColourKind::sequential;
  s.title = title;
  s.unit = unit;
  s.lo = lo;
  s.hi = hi;
  return s;
}

ColourScale phaseScale(const std::string& title) {
  ColourScale s;
  s.kind = ColourKind::hueWheel;
  s.title = title;
  s.unit = "rad";
  s.lo = -3.14159265f;
  s.hi = 3.14159265f;
  return s;
}

// One title, one legend: together they tell the story of the picked disk.
ColourScale stencilScale() {
  return categories("picked disk", {"own cell", "searched"}, {Mark::ownCell, Mark::searched});
}
ColourScale testedScale() {
  return categories("picked disk", {"tested", "blocking", "picked"},
                    {Mark::tested, Mark::blocking, Mark::picked});
}
ColourScale trialScale() {
  return categories("picked disk", {"accepted", "overlap", "left cell"},
                    {Mark::accepted, Mark::overlap, Mark::leftCell});
}
ColourScale pickedScale(const std::string& title) {
  ColourScale scale = plainScale(title);
  scale.marks = {Mark::picked};
  return scale;
}

ColourScale moveScale() {
  return categories("last moves", {"moved", "all moves rejected"}, {Mark::moved, Mark::rejected});
}

LayerData pickedRings(const std::vector<PointInstance>& particles, ColourScale scale) {
  return layerOf(kPicked, Primitive::points, particles, std::move(scale));
}

LayerData overlapRings(const std::vector<PointInstance>& disks) {
  ColourScale scale = plainScale("error");
  scale.categories = {"overlapping disks"};
  scale.marks = {Mark::overlapping};
  return layerOf(kOverlaps, Primitive::points, disks, std::move(scale));
}

}  // namespace cellscope::layers
