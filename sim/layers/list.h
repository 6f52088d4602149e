// Which layers exist: those of each mode, in the order of chips and keys, the particles first; and
// the kernels that fill them.
#pragma once
#include "sim/layers/cells.h"
#include "sim/layers/clusters.h"
#include "sim/layers/disks.h"
#include "sim/layers/gcmc_work.h"
#include "sim/layers/messages.h"
#include "sim/layers/pair_lists.h"
#include "sim/layers/particles.h"
#include "sim/layers/trees.h"

namespace cellscope::layers {

inline const LayerList& hardDiskLayers() {
  static const auto kept = std::tuple(
      DisksLayer(),
      CellsLayer("The cells of the checkerboard grid, coloured by the number of disk centres in "
                 "each. The grid moves by the cell shift after every sweep; the disks do not."),
      SetsLayer(), ActiveSetLayer(), CellShiftLayer(),
      SketchLayer(kStencil, "Picked cell",
                  "The cell that held the picked disk during the last sweep, and the eight cells "
                  "around it in which overlaps are searched. Click a disk to pick it.",
                  Primitive::boxes, true, LayerGroup::picked, Need::pickedMoves,
                  &Structures::tested, kNothingPicked, {{kStencil, SketchLayer::boxes}}, {}),
      SketchLayer(
          kTested, "Tested disks",
          "From the picked disk to every disk against which its last trial moves were tested, "
          "ringed where it was then; those that blocked a move are highlighted. None when each "
          "move leaves the cell: these are rejected before. Click a disk to pick it.",
          Primitive::lines, true, LayerGroup::picked, Need::pickedMoves, &Structures::tested,
          kNothingPicked, {{kTested, SketchLayer::lines}}, {}),
      TrialsLayer(),
      MovesLayer(
          "After one sweep or one phase: disks that moved, with their displacement, and disks all "
          "of whose trial moves were rejected. They stay when paused and fade while playing; "
          "nothing is marked while playing faster than two sweeps per second. Up to 200,000 disks.",
          "no sweep or phase was made on its own", {"moved", "all moves rejected"},
          {Mark::moved, Mark::rejected}),
      HalosLayer());
  static const LayerList all = listOf(kept);
  return all;
}

// Of one query through a tree.
inline SketchLayer walkLayer(const char* help) {
  constexpr int kMostSteps = 4000;
  return SketchLayer(
      kWalk, "Tree walk", help, Primitive::boxes, true, LayerGroup::picked, Need::walk,
      &Structures::walk, "", {{kWalk, SketchLayer::steps}}, {{kWalkLabels, "numbers of the steps"}},
      {kWalkLabels, "steps of the walk"},
      {opacityOption(),
       levelsOption("Steps",
                    "Steps of the walk that are shown, one per node. The slider ends at the last "
                    "step that there is; at its upper end all that follow are shown as well.",
                    0, kMostSteps)});
}

inline const LayerList& mdLayers() {
  static const auto kept = std::tuple(
      ParticlesLayer("Spheres, or disks in the plane, of the diameter of their species.",
                     {"A", "B"}),
      VelocitiesLayer(), NeighboursLayer(), BoxLayer(), TreeBoxesLayer(), TreeRopesLayer(),
      walkLayer(
          "The walk of the picked particle's query through the tree at the last list build (Howard "
          "et al. 2016, Algorithm 2), from the kernel's own record: nodes that its box overlaps "
          "are opened, or are leaves whose particles are checked; the others are pruned and "
          "skipped along their rope. It begins once more for each periodic image that reaches into "
          "the box. (With the fast search of a GPU 32 queries together make the lists, through "
          "boxes of 32 children; shown is the walk that search = paper makes with the same "
          "result.) Right-click: from which step to which; move the upper end to follow the walk."),
      SketchLayer(kWalkChecks, "Distance checks",
                  "From the picked particle, or its periodic image, to every particle whose "
                  "distance was checked when its list was built last: those within cutoff and "
                  "buffer are in its list, the others were checked without result. With trees "
                  "these are the particles of the leaves that its box overlaps.",
                  Primitive::lines, false, LayerGroup::picked, Need::walk, &Structures::walk, "",
                  {{kWalkChecks, SketchLayer::lines}}, {}),
      CellsLayer("The cells that the neighbour lists were built from last, coloured by the number "
                 "of particles in each: no narrower than the longest cutoff and buffer, with "
                 "stencils the shortest. With placeholder cells those of the slots, no narrower "
                 "than the longest cutoff plus the skin."),
      SketchLayer(kSearched, "Searched cells",
                  "The cells in which the neighbours of the picked particle were searched when its "
                  "list was built last, or, with placeholder cells, those whose slots it interacts "
                  "with, with the number of particles in them: the 27 around it, or, with "
                  "stencils, those of the stencil of its type. A cell whose least distance is more "
                  "than cutoff and buffer is skipped without a check, for some types of particles "
                  "in it or for all (Howard et al. 2016, Algorithm 1); the labels compare the two.",
                  Primitive::boxes, false, LayerGroup::picked, Need::searched,
                  &Structures::searched, "", {{kSearched, SketchLayer::boxes}},
                  {{kSearchedLabels, "why a cell is skipped, or how many of its slots are real"}},
                  {kSearchedLabels, "skipped cells"}),
      CurveLayer(), CellSlotsLayer(), HierarchyLayer(), ClustersLayer(), ClusterListLayer(),
      HalosLayer("Of a run in several domains, what each sends to others after every drift: the "
                 "region of the particles that stand in lists of the other one, which has copies "
                 "of them (its halo), in the colour of their domain, and an arrow across the seam "
                 "with their number and of bytes. Where a border lies within a row of cells the "
                 "regions on both sides of it share that row.",
                 "particles and bytes"));
  static const LayerList all = listOf(kept);
  return all;
}

inline const LayerList& gcmcLayers() {
  using S = SketchLayer;
  static const auto kept = std::tuple(
      ParticlesLayer(
          "Spheres or disks of diameter sigma; in a mixture, of the diameter of their type.",
          {"A", "B"}),
      CellsLayer("The cells that the method looks through, at least as wide as the cutoff, "
                 "coloured by the number of particles in each."),
      BoardSetsLayer(), BoardActiveLayer(),
      MovesLayer("After a single step: particles inserted, deleted and displaced, and where trial "
                 "moves were rejected (the last 20,000 moves of the step). They stay at rest and "
                 "fade while playing.",
                 "no step was made on its own",
                 {"inserted", "deleted", "moved", "rejected", "type exchanged"},
                 {Mark::inserted, Mark::deleted, Mark::moved, Mark::rejected, Mark::exchanged}),
      BoxLayer(),
      S(kMoveWork, "Mapping of cells",
        "The cells that the last move looked through, by the thread block that visits them, with "
        "the threads that share each cell (b: block, t: threads, #: turn) and lines in the order "
        "in which the same threads visit cell after cell. Where one block does all: cells that "
        "hold particles, empty ones, and those skipped as they lie wholly beyond the cutoff. From "
        "the tables of cells and threads that the kernels use. On CUDA speculative has up to 16 "
        "warps for a candidate, in_order a warp for each move in flight, which passes over empty "
        "and distant cells, and the checkerboard one for each active cell, which reads that cell "
        "first; half of a warp takes a cell. Threads are counted from the first one of the move. "
        "Of microcells those in the layer of the trial position are labelled.",
        Primitive::boxes, false, LayerGroup::cells, Need::moveWork, &Structures::moveWork,
        "no move was made", {{kMoveWork, S::boxes}, {kWorkOrder, S::lines}},
        {{kWorkOrder, "order of visits"}, {kWorkThreads, "threads"}},
        {kWorkThreads, "threads of the cells"}),
      S(kMoveScope, "Move under the microscope",
        "Pause and press \",\": the last move of the step, phase by phase, from what its kernel "
        "recorded: the particle chosen, the position proposed, which thread reads which particle, "
        "pair energies, partial sums, the decision and the update of the cells. The card carries "
        "the numbers. With checkerboard and in_order, one of the many moves made together, in the "
        "cell of the picked particle where there is one; the others appear with the update.",
        Primitive::lines, true, LayerGroup::events, Need::moveScope, &Structures::moveScope,
        "pause, then go phase by phase",
        {{kMoveScope, S::lines}, {kScopeImages, S::images}, {kScopeMarks, S::points}},
        {{kScopeMarks, "places"}, {kScopeImages, "images of particles"}, {kScopeLabels, "numbers"}},
        {kScopeLabels, nullptr}),
      S(kReach, "Cutoff and cells",
        "The cutoff sphere of the picked particle, and the cells in which the method looks for "
        "particles within it: 27 (9 in the plane), or its cube of microcells. Click a particle to "
        "pick it.",
        Primitive::lines, false, LayerGroup::picked, Need::reach, &Structures::reach,
        "no particle is picked: click one", {{kReachCells, S::boxes}, {kReach, S::lines}},
        {{kReachCells, "cells"}}),
      S(kFlights, "Moves in flight",
        "The trial moves of the last batch, which were computed together: a ring where each one "
        "lies, with the round of its last decision as number and colour, and an arrow to the "
        "earlier move that made it decide again. Moves of round 1 were right at once. Choose the "
        "levels 1 to 1, then 1 to 2, and so on to see round after round. Draws of an empty slot "
        "are not shown.",
        Primitive::points, false, LayerGroup::events, Need::flights, &Structures::flights,
        "only the method in_order has moves in flight",
        {{kFlights, S::points}, {kFlightWaits, S::lines, true}},
        {{kFlightWaits, "corrected by"}, {kFlightRounds, "rounds"}}, {kFlightRounds, "rounds"},
        {opacityOption(),
         levelsOption("Rounds", "Moves that decided last in these rounds are shown.", 1, 32)}),
      S(kReplicas, "Replicas",
        "The boxes of all replicas side by side in place of the chain, each with its chemical "
        "potential, temperature, seed or window of N, and the number of particles that it has now. "
        "At most 64, evenly along their range. Click a box or a particle to read more of that "
        "replica.",
        Primitive::boxes, false, LayerGroup::particles, Need::replicas, &Structures::replicas,
        "there are no replicas: set their number above 0", {{kReplicas, S::boxes}},
        {{kReplicaLabels, "names"}}, {kReplicaLabels, "replicas"}),
      HalosLayer());
  static const LayerList all = listOf(kept);
  return all;
}

inline const LayerList& gibbsLayers() {
  static const auto kept =
      std::tuple(ParticlesLayer("Spheres or disks of diameter sigma."),
                 SketchLayer(kBox, "Boxes",
                             "The two periodic boxes as large as they are now, with the number of "
                             "particles and the density of each.",
                             Primitive::boxes, true, LayerGroup::cells, Need::replicas,
                             &Structures::replicas, "", {{kBox, SketchLayer::boxes}},
                             {{kReplicaLabels, "names"}}, {kReplicaLabels, "boxes"}));
  static const LayerList all = listOf(kept);
  return all;
}

inline const LayerList& pairListLayers() {
  using list_check::Kind;
  static const auto kept = std::tuple(
      ParticlesLayer("The particles of the file. It has no diameters: they are drawn a third as "
                     "wide as they lie apart."),
      WrongPairsLayer(Kind::missing, Mark::missing, "Within the cutoff, and not in the list."),
      WrongPairsLayer(Kind::oneSided, Mark::oneSided,
                      "In the list of one of both particles, where the list is to have both "
                      "directions. The arrow begins at the particle that lists the other."),
      WrongPairsLayer(Kind::twice, Mark::twice, "Listed more than once."),
      WrongPairsLayer(Kind::beyond, Mark::needless,
                      "Listed, and further apart than cutoff and skin."),
      WrongPairsLayer(Kind::self, Mark::selfPair,
                      "A particle that is listed as its own neighbour."),
      WrongPairsLayer(Kind::wrongImage, Mark::wrongImage,
                      "Listed with another periodic image than the one within the cutoff; the line "
                      "ends there."),
      WrongPairsLayer(Kind::outOfRange, Mark::outOfRange,
                      "Pairs with a number that no particle has, where the other one is."),
      WrongPairsLayer(Kind::onlyHere, Mark::onlyHere,
                      "Listed more often than in the list that it is compared with."),
      WrongPairsLayer(Kind::onlyThere, Mark::onlyThere,
                      "Listed more often in the list that it is compared with."),
      WrongPairsLayer(
          Kind::otherImage, Mark::otherImage,
          "Listed with another periodic image than in the list that it is compared with."),
      ListWallsLayer(ListWallsLayer::Of::box), ListWallsLayer(ListWallsLayer::Of::cells),
      ListTreeLayer(),
      SketchLayer(kSearched, "Search of the pair",
                  "The cells within the cutoff of the cell of the first particle of the picked "
                  "pair, in their order. Cells that no pair of the whole list comes from are not "
                  "searched by the program that has made it. The card compares the cell that the "
                  "file has the second particle in ('cell_of') with where it lies. Move the upper "
                  "end of the steps to follow the search.",
                  Primitive::lines, true, LayerGroup::picked, Need::searched, &Structures::searched,
                  "", {{kSearched, SketchLayer::lineSteps}},
                  {{kSearchedLabels, "numbers of the steps"}},
                  {kSearchedLabels, "steps of the search"},
                  {opacityOption(), levelsOption("Steps", "Cells that are shown, in order.", 0,
                                                 list_check::Searches::kMostSteps)}),
      walkLayer("The walk of a box about the first particle of the picked pair through the tree of "
                "the file: nodes that its box overlaps are opened, or are leaves; the others are "
                "left out and skipped along their rope. The card tells which step loses the pair. "
                "Move the upper end of the steps to follow the walk."));
  static const LayerList all = listOf(kept);
  return all;
}

template <class... Kernels>
struct KernelList {};
using LayerKernels =
    KernelList<PackCellBoxes, PackDisks, PackCellBytes, PackCellSlots, PackMdParticles,
               PackMdArrows, PackTreeBoxes, PackTileBoxes, PackTreeRopes, PackHierarchy, PackCurve,
               PackClusters, PackGcmcParticles>;

// Those of lists of files, but for the walls of cells and for what was looked through for the
// picked particle.
inline const LayerList& museumLayers() {
  using S = SketchLayer;
  static const S walls(kCells, "Cell walls", "The walls of the cells that the list was found by.",
                       Primitive::lines, true, LayerGroup::cells, Need::cells, &Structures::walls,
                       "", {{kCells, S::lines}}, {});
  static const S searched(kSearched, "Searched",
                          "The cells, or in a tree the leaves, that were looked through for the "
                          "picked particle, or the first one of the picked pair, and the circle of "
                          "the cutoff. With a skin: where particles were when the list was built. "
                          "And what is wrong with cells or with the tree.",
                          Primitive::lines, true, LayerGroup::picked, Need::searched,
                          &Structures::searched, "", {{kSearched, S::lines}},
                          {{kSearchedLabels, "what is wrong"}}, {kSearchedLabels, "what is wrong"});
  static const LayerList all = [] {
    LayerList list = pairListLayers();
    std::erase_if(list, [](const Layer* l) { return l->info().key == kWalk; });
    for (const Layer*& layer : list) {
      if (layer->info().key == kCells) layer = &walls;
      if (layer->info().key == kSearched) layer = &searched;
    }
    return list;
  }();
  return all;
}

}  // namespace cellscope::layers
