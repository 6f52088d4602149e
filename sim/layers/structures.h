// Structures as layers see them: what a mode provides for one frame. A layer draws structures and
// knows no mode.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/lbvh/tree.h"
#include "sim/api/frame.h"
#include "sim/base/box.h"
#include "sim/base/lent.h"
#include "sim/core/checkerboard.h"

namespace cellscope::layers {

// A grid of equal cells over a periodic box, in the plane or in space. Per-cell arrays have x
// fastest and lie in the memory of the mode's backend.
struct CellGridView : CellGridPlace, Box {
  const std::uint8_t* count = nullptr;    // particles in each cell,
  const std::uint32_t* filled = nullptr;  // in larger numbers,
  const std::uint32_t* first = nullptr;   // or the first of each cell, with one entry more
  std::int32_t lists = 1;                 // how many of these follow each other: one per type
  std::int32_t slots = 0;                 // room of each cell, where all have the same
  bool evenFirst = false;                 // columns of even x come first (S3, Algorithm 3)
  std::int32_t most = 1;                  // occupancy at the end of the colour scale

  HOST_DEVICE std::uint32_t occupancy(std::size_t cell) const {
    if (count) return count[cell];
    if (filled) return filled[cell];
    if (!first) return 0;
    const auto all = static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
                     static_cast<std::size_t>(cells[2]);
    std::uint32_t sum = 0;
    for (std::int32_t t = 0; t < lists; ++t) {
      const std::size_t at = static_cast<std::size_t>(t) * all + cell;
      sum += first[at + 1] - first[at];
    }
    return sum;
  }
};

// Disks of diameter 1 in the cells of a checkerboard, and what colours them.
struct DisksInCells {
  DiskCellsView cells{};
  GridPlacement placement;
  std::size_t disks = 0;
  std::int32_t colouring = -1;  // index in DiskColourings
  // Bond order per slot; null unless the colouring needs it.
  const Vec2* psi6 = nullptr;
  const std::uint8_t* neighbours = nullptr;
  const float* density = nullptr;
  std::int32_t domains = 1, halo = kHaloRows;  // rows
};
struct DisksInCellsView : DisksInCells {
  ColourScale scale;
};

// The cells updated last, on the grid as it was then.
struct ActiveSetView {
  CellGridView grid;
  std::int32_t set = -1;  // -1: none
  std::string title;
};

// The last move of the cell boundaries.
struct GridShiftView {
  GridPlacement grid;
  std::int32_t cells = 0;  // along an axis
  CellShift shift{0, 0.0f};
};

// The trial moves of the picked particle and what became of each.
struct PickedMovesView {
  std::vector<LineInstance> trials;
  std::vector<std::string> outcomes;  // of each trial move
  std::vector<std::string> names;     // of each particle that was tested
};

// Particles that a step tried to move, and the ways of those that moved.
struct MovesView {
  std::vector<PointInstance> marks;
  std::vector<LineInstance> paths;
  std::size_t parts = 0;  // of the categories that can occur; 0: all
};

// The hierarchies of a builder of neighbour lists, in the memory of the mode's backend.
struct TreesLent {
  TreesView view;
  std::int32_t depth = 0;  // of the deepest leaf
  // Of a build under way: whether there are boxes, and the least depth of inner nodes that have.
  bool boxes = true;
  std::int32_t grownTo = 0;
  // The lists came from the boxes of 32 children (TreesView::tile); this tree was made to be seen.
  bool byTiles = false;
};

// What a mode has drawn of one move or of one particle, with the scales of each primitive.
struct Sketch {
  std::vector<BoxInstance> boxes;
  std::vector<LineInstance> lines;
  std::vector<PointInstance> points;
  std::vector<LabelInstance> labels;
  std::vector<std::int32_t> blocks;   // of each box: the thread block; or nothing
  std::vector<PointInstance> images;  // of particles, where lines end at them
  ColourScale boxScale, lineScale, pointScale, labelScale, imageScale;
  std::string reason;  // why there is nothing
};

// What one domain has sent to another in the last exchange: cells, perhaps beyond the upper border
// of the box. Value: as domainScale().
struct MessageView {
  BoxInstance cells{};
  int axis = 1;        // across which domains follow each other
  bool ahead = false;  // along it
  std::string words;
};

// What layers may ask for.
enum class Need : std::uint32_t {
  particles = 1,
  cells = 2,
  activeSet = 4,
  gridShift = 8,
  pickedMoves = 16,
  moves = 32,
  velocities = 64,
  neighbours = 128,
  overlaps = 256,
  trees = 512,
  walk = 1024,
  searched = 2048,
  moveWork = 4096,
  moveScope = 8192,
  reach = 16384,
  flights = 32768,
  replicas = 65536,
  messages = 131072
};

// Only what was requested and exists is set. Layers that make a structure of their own need no
// member here and no Need: they find what a mode lends by its type, ListsLent or CellsLent (MD),
// const GcmcEngine*, const MpmcEngine*.
struct Structures : Lent {
  Box box;
  std::string particles = "particle";  // what one is called: "disk"
  std::optional<DisksInCellsView> disks;
  // Packed by an engine itself, with their scales.
  std::optional<LayerData> packed, velocities;
  std::optional<CellGridView> cells;
  std::optional<ActiveSetView> active;
  std::optional<GridShiftView> shift;
  std::optional<PickedMovesView> pickedMoves;
  std::optional<Sketch> tested;  // cells searched with it, and particles it was tested against
  std::optional<MovesView> moves;
  std::optional<LayerData> neighbours;       // lines from the picked particle; value: distance
  std::vector<PointInstance> overlaps;       // particles that overlap others
  std::vector<PointInstance> picked;         // value: TestedPart
  std::vector<PointInstance> wrongPartners;  // of the picked particle, where its list is wrong
  bool pickedWithTested = false;  // the particles it was tested against are among `picked`
  // Of neighbour lists, with the reason where there is nothing to show.
  std::optional<TreesLent> trees;
  // The query of the picked particle (walkSketch()), and the cells in which its neighbours were
  // searched (value of boxes: SearchedPart).
  std::optional<Sketch> walk, searched;
  std::optional<Sketch> walls;  // of cells of any shape
  std::string noTrees, noNeighbours = "no particle is picked: click one";
  // Bits of Need: what there is not, as it is being made in phases that are looked at.
  std::uint32_t coming = 0;
  // Of a grand-canonical move: which thread reads which cell, and what its kernel recorded; cutoff
  // and cells of the picked particle; the moves that were in flight together.
  std::optional<Sketch> moveWork, moveScope, reach, flights;
  std::optional<Sketch> replicas;  // frames and labels of many systems side by side
  std::vector<MessageView> messages;
  std::string noMessages;
  std::map<std::string, LayerLook> looks;  // of layers, as the view asks
};

}  // namespace cellscope::layers
