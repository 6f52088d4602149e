// Methods, each a way to find the pairs within the cutoff: the parameters that they bring, and all
// that the mode has to know of one; nobody asks which one it is. A new one is an engine
// (sim/algo/md/engine.h), a file here and a line in methods.cpp.
#pragma once
#include "sim/algo/all_pairs/images.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/algo/md/engine.h"
#include "sim/algo/md/state.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/api/frame.h"
#include "sim/api/parameter.h"
#include "sim/io/container.h"

namespace cellscope::md {

// What a change of a parameter touches.
struct MdTouch {
  enum : std::uint32_t {
    pairLaw = 1,  // another energy
    forces = 2,   // computed in another way
    drift = 4,    // of the centre of mass
    engine = 8,   // another one
    bath = 16,    // thermostat
    tuning = 32,
    box = 64  // another density
  };
};

// Slots have numbers of 32 bits, and some kernels of CUB count to 2^31.
inline constexpr std::int64_t kMostParticles = 2'000'000'000;
inline constexpr int kTiles[] = {32, 64, 128, 256};
inline constexpr std::uint64_t kUncheckedSteps = 20;  // of the experiment with stale lists

// What acts with methods that have neighbour lists.
inline ChoicesOf withLists() { return {"method", {"cells", "stencils", "tree", "clusters"}}; }

struct AllPairsParameters {
  Choice tile{1};
  Choice kernel{0};

  void choose(PairSettings& s) const {
    s.tile = kTiles[tile.index];
    s.kernel = static_cast<PairKernel>(kernel.index);
  }
  void visit(auto& v) {
    v({"tile", "Tile size", "Execution", "n_B"},
      {.choices = {"32", "64", "128", "256"},
       .help = "All pairs: threads per block, and partners loaded into shared memory at a time. "
               "Changes the speed on the GPU and the order of summation, not the physics.",
       .equation = "van Meel et al. 2008, section 2.1 (n_B = 64)",
       .actsWith = {"method", {"all_pairs"}}},
      tile);
    v({"kernel", "Force kernel", "Execution"},
      {.choices = {{"tuned", "tuned"},
                   {"teams", "plain tiles"},
                   {"teams_double", "plain tiles, double precision"},
                   {"exact", "the same bits everywhere"}},
       .help = "tuned: the fast kernel of the backend. teams: the plain tiles of the paper, in "
               "single precision. teams_double: the same in double precision, slow, as a check. "
               "With neighbour lists both stand for one thread per particle, with placeholder "
               "cells for forces on all slots, those of placeholders included, as in the paper. "
               "exact: every operation is rounded alone and forces are added up as integers, so "
               "that states have the same bits on every processor, GPU and number of domains; with "
               "neighbour lists, at constant energy.",
       .equation = "van Meel et al. 2008, sections 2.1 and 3.1"},
      kernel);
  }
};

// How lists are built, which is what S1 publishes and varies, and read.
struct ListParameters {
  Choice search{0};
  double buffer = 0.3;
  Choice searchThreads{0};
  std::int64_t perLeaf = kParticlesPerLeaf;
  double binWidth = 1;
  bool longestDistance = false;
  Choice lanes{0};
  bool staleLists = false;
  Choice fault{0};
  std::int64_t faultParticle = 0;

  void choose(PairSettings& s) const {
    s.search = static_cast<ListSearch>(search.index);
    s.search.threads = searchThreads.index == 0 ? 0 : 1 << (searchThreads.index - 1);
    s.search.perLeaf = static_cast<int>(perLeaf);
    s.search.binWidth = binWidth, s.search.longestDistance = longestDistance;
    s.buffer = buffer;
    if (staleLists) s.uncheckedSteps = kUncheckedSteps;
    s.lanes = lanes.index == 0 ? 0 : 1 << (lanes.index - 1);
  }
  void visit(auto& v) {
    v({"search", "Search for neighbours", "Execution"},
      {.choices = {{"fast", "fast"}, {"paper", "as in the paper"}},
       .help = "How lists are built. fast: on a GPU the particles of a cell, or 32 that follow "
               "each other along the curve, search together; on a CPU with vector instructions "
               "where there is one species. paper: the algorithms as published, several threads "
               "for each particle with cells and stencils, one with trees. Both find the same "
               "neighbours; on a CPU both searches of trees are the same. clusters were not in the "
               "paper: fast and one thread for each cluster. For methods with lists.",
       .equation = "Howard et al. 2016, Algorithms 1, 2 and 3, section 3.1",
       .actsWith = withLists()},
      search);
    v({"search_threads", "Threads per particle: search", "Execution", "n"},
      {.choices = {{"auto", "automatic"}, "1", "2", "4", "8", "16"},
       .help =
           "Threads that search for the neighbours of one particle when a list is built from cells "
           "or stencils as in the paper: each takes every nth particle of the cells. automatic: on "
           "a GPU the fastest, timed before the first list; on a CPU 1, as threads share particles "
           "there and more go one after the other. The lists are the same, entry by entry. Shown "
           "beside the method in the race and in the names of the kernels.",
       .equation = "Howard et al. 2016, section 3.1: n a power of 2 smaller than the warp",
       .actsWith = {"search", {"paper"}}},
      searchThreads);
    v({"particles_per_leaf", "Particles per leaf", "Execution", "w"}, {1, 8, 1, 8},
      {.help = "Lists from trees: particles that follow each other along the Z-order curve and "
               "share a leaf. Larger: a lower tree, but more distances to check. With the fast "
               "search of a GPU lists come from boxes of 32 particles, and it only changes the "
               "tree that is made to be looked at.",
       .equation = "Howard et al. 2016, section 3.2: w = 4",
       .actsWith = {"method", {"tree"}}},
      perLeaf);
    v({"bin_width", "Bin width", "Execution", "Delta_bin", "shortest cutoff and buffer"},
      {0.25, 3, 0.25, 2},
      {.help =
           "Lists from stencils: nominal width of the cells. Larger: fewer cells to go through, "
           "but more distances to check. There are never many more cells than particles.",
       .equation = "Howard et al. 2016, section 4.1: Delta_bin = r_AA, and r_AA / 2 on CPUs (in 't "
                   "Veld et al. 2008)",
       .actsWith = {"method", {"stencils"}}},
      binWidth);
    v({"longest_distance", "Longest-distance shortcut", "Execution"},
      {.help = "Lists from stencils, searched as in the paper: particles in cells of which every "
               "point is within cutoff and buffer are listed without checking their distance. With "
               "one cutoff that takes cells of half the cutoff or less. For search = paper.",
       .equation = "Howard et al. 2016, section 4.1; in 't Veld et al. 2008",
       .actsWith = {"method", {"stencils"}}},
      longestDistance);
    v({"buffer", "List buffer", "Execution", "r_buffer", "sigma"}, {0, 5, 0.05, 1.5},
      {.help = "How far neighbour lists reach beyond the cutoff. A list is built again when some "
               "particle has moved by more than half of it. Larger: fewer builds, but longer "
               "lists. 0: a new list in every step. For methods with lists.",
       .equation = "Howard et al. 2016, section 2: |r_ij| <= r_c + r_buffer",
       .actsWith = withLists()},
      buffer);
    v({"lanes", "Threads per particle: forces", "Execution"},
      {.choices = {{"auto", "automatic"}, "1", "2", "4", "8", "16", "32"},
       .help =
           "Threads that share the neighbours of one particle in a force pass on a GPU, or with "
           "clusters those of four particles (at least 4 threads). On a CPU only the order of "
           "summation. For methods with lists; those that search for neighbours: search_threads.",
       .equation = "Glaser et al. 2015, reference 21 of Howard et al. 2016",
       .actsWith = withLists()},
      lanes);
  }
  void visitExperiment(auto& v) {
    v({"stale_lists", "Stale lists", "Experiments"},
      {.help = "Wrong on purpose: the check of displacements is switched off, and lists are built "
               "every 20 steps only, however far particles have moved. Particles come within the "
               "cutoff of others unseen; when the next list shows them, their energy appears from "
               "nowhere. For methods with lists.",
       .equation = "without |r - r_built| <= r_buffer / 2",
       .experiment = true,
       .actsWith = withLists()},
      staleLists);
    v({"list_fault", "Fault in the lists", "Experiments"},
      {.choices = {{"none", "none"},
                   {"drop_pair", "a pair dropped"},
                   {"wrong_cell", "particle in a wrong cell"},
                   {"short_stencil", "stencil one short"}},
       .help = "Wrong on purpose: each list that is built loses what a search with this mistake "
               "would not find. a pair dropped: the list of one particle lacks its nearest "
               "neighbour, which feels the force alone. particle in a wrong cell: one particle is "
               "filed one cell too far along x; pairs with the cell behind it are missing (from "
               "four cells along x on). stencil one short: nobody searches the next cell along x, "
               "so that pairs across are in one list of two (from three cells on). Cells are as "
               "wide as cutoff and buffer. Which self-check notices, and by which step, is in the "
               "status bar. For cells, stencils and trees, not for clusters.",
       .equation = "Howard et al. 2016, section 3.1: the 27 cells around a particle",
       .experiment = true,
       .later = true,
       .actsWith = {"method", {"cells", "stencils", "tree"}}},
      fault);
    v({"fault_particle", "Particle with the fault", "Experiments"}, {0, kMostParticles - 1, 0, 999},
      {.help = "The particle whose pair is dropped, or that is in a wrong cell: its number in the "
               "state, from 0, which is its id unless a file gave it another one. Larger: another "
               "particle, elsewhere in the box.",
       .equation = "Howard et al. 2016, section 3.1: one particle of the N",
       .later = true,
       .actsWith = {"list_fault", {"drop_pair", "wrong_cell"}}},
      faultParticle);
  }
};

struct PlaceholderParameters {
  std::int64_t cellSlots = 32;
  double cellSkin = 0.2;

  void choose(PairSettings& s) const { s.slots = static_cast<int>(cellSlots), s.skin = cellSkin; }
  void visit(auto v) {
    v({"cell_slots", "Slots of a cell", "Execution"}, {1, 512, 8, 128},
      {.help = "Placeholder cells: particles that a cell has room for, and threads of its block; "
               "slots without a particle hold placeholders. Larger: more threads with nothing to "
               "do. At least a quarter more than the mean of a cell is taken, and where a cell has "
               "too few all are given more.",
       .equation = "van Meel et al. 2008, section 3.2: n = 32"},
      cellSlots);
    v({"cell_skin", "Cell skin", "Execution", "lambda", "sigma"}, {0, 2, 0.05, 0.5},
      {.help = "Placeholder cells: by how much cells are at least wider than the cutoff. Cells are "
               "brought up to date with the forces, one step late; a particle may be outside its "
               "cell by half of what the cell is wider than the cutoff, and where one is further, "
               "the cells are refreshed before the forces. Larger: fewer refreshes, but larger "
               "cells. Whatever it is, no pair is missed.",
       .equation = "van Meel et al. 2008, section 3.1: cell side >= r_c + lambda"},
      cellSkin);
  }
};

struct MdParameters;

class Method {
 public:
  Method(std::string k, std::string l, MakeMdEngine* m)
      : key(std::move(k)), label(std::move(l)), make(m) {}
  virtual ~Method() = default;

  const std::string key, label;  // in scenarios, in panels
  MakeMdEngine* const make;
  std::uint32_t perList = 0;  // particles that share a list; 0: there are no lists
  // How long a cutoff may be, in sides of the box.
  double sides = kFurthestImage;
  const char* sidesInWords = "1.5 times";
  const char* longerCutoffs = "";  // ", or ...": methods in their place with which it may be longer
  double rounding = 6e-8;          // of positions, as forces see them, in sides of the box
  const char* workUnit = "particle steps";
  bool hasLists() const { return perList > 0; }

  // --- Without an engine ---
  virtual void choose(PairSettings&) const {}  // beside what the parameters choose
  // Of its engine, on the device that has most of it.
  virtual std::size_t bytes(const MdParameters& p, const ExecConfig& config) const = 0;
  // Parts of a step between the drift and the last kick. kept: no list was due in this step.
  virtual std::vector<std::string> phases(bool kept) const = 0;
  virtual double workOfStep(double n) const { return n; }
  // Why it cannot be used for n particles in this box, with the limit and the way out. colloids: of
  // these, where the size of the box follows from their number.
  virtual std::optional<std::string> refused(std::size_t /*n*/, const Box&, const PairSettings&,
                                             std::int64_t /*colloids*/) const {
    return std::nullopt;
  }
  // A warning where a step takes seconds on any machine, with the way out; "": it does not.
  virtual std::string warning(std::int64_t /*n*/) const { return ""; }
  // Whether it is timed beside others at this state, with lists searched for like this.
  virtual bool races(ListSearch, const MdState&, const PairSettings&, Backend where) const = 0;
  // Parameters beside the buffer whose values are worth being timed.
  virtual std::vector<ListChoice> tuned(const PairSettings&, Backend) const { return {}; }
  // Distances that are checked to find the pairs of each particle; none: it cannot be used. listed:
  // set to the length of the list of particle `picked`, where there is one. Waits.
  virtual std::vector<std::uint32_t> distanceChecks(const exec::Shared&,
                                                    const std::vector<ParticleRecord>& particles,
                                                    const Box&, const PairSettings&,
                                                    std::size_t picked, double& listed) const = 0;

  // --- With its engine ---
  // steps: since the engine began to use its lists or cells.
  virtual std::vector<SelfCheck> quickChecks(MdEngine&, std::uint64_t /*steps*/) const {
    return {};
  }
  virtual std::vector<SelfCheck> checks(MdEngine&, const MdState&, const PairSettings&) const {
    return {};
  }
  // Its section of a checkpoint. load() takes positions and types of the state as they are and
  // throws InputError for what is impossible.
  virtual void save(BinaryWriter&, const MdState&) const {}
  virtual void load(BinaryReader&, const MdParameters&, MdState&) const {}
};

std::unique_ptr<const Method> placeholdersMethod();

const std::vector<std::unique_ptr<const Method>>& methods();

}  // namespace cellscope::md
