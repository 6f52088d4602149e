// What is seen of the neighbour lists of molecular dynamics: trees, cells, the order along the
// curve, and how the list of the picked particle came about. All from the engine's own arrays.
#pragma once
#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/algo/verlet/list_truth.h"
#include "sim/layers/clusters.h"
#include "sim/layers/layers.h"
#include "sim/modes/md/observables.h"

namespace cellscope::md {

// One particle as the engine holds it.
struct PickedSlot {
  std::uint32_t slot = 0;
  ParticleRecord built{}, now{};
  Vec3d position{}, velocity{};
  std::optional<Vec4> force;  // none: it comes with the next forces
  std::optional<Vec2> terms;  // none: the list is being built
  // In its list, itself left out: where they are now. Of a cluster, those of its common list, and
  // where the particles of the cluster are now, this one among them; otherwise it is alone.
  std::vector<std::uint32_t> neighbours;
  std::vector<ParticleRecord> at;
  std::uint32_t firstOfCluster = 0;
  std::vector<ParticleRecord> cluster;
};

// Where one particle is in placeholder cells.
struct PickedCell {
  std::uint32_t cell = 0, slot = 0;
  std::vector<std::uint32_t> filled;  // particles in each cell
};
// From a state of their engine, of the particle with this number.
PickedCell pickedCell(const MdState& state, const PlaceholderShape& shape, std::size_t number);

using CardRows = std::vector<std::pair<std::string, std::string>>;
CardRows cellRows(const PlaceholderShape& shape, const PickedCell& picked);

// What was found of the lists of a run beside the truth: now, and at worst since the start or the
// last change of a parameter.
class ListJudge {
 public:
  // Largest numbers of particles of which all pairs are looked at: in a picture at rest, and while
  // a run goes on and in its self-checks.
  static constexpr std::size_t kMostJudged = 10'000, kMostWhilePlaying = 2'000;

  // only: slots that are looked at, where not all are. The same state is not looked at twice.
  // Waits.
  const ListTruth& judge(const ListsLent& lent, Backend where, std::uint64_t step, int phase,
                         std::vector<std::uint32_t> only = {});
  void forget() { *this = {}; }
  // At this step: later ones have been undone.
  void addTo(SelfCheck& check, std::uint64_t step);

 private:
  struct Found {
    std::uint64_t step = 0, faults = 0, lookedAt = 0, within = 0;
    std::string words;
  };
  bool judged_ = false;
  int phase_ = 0;
  std::vector<std::uint32_t> only_;
  ListTruth truth_;
  Found now_, worst_;
};

class ListScene {
 public:
  explicit ListScene(const exec::Shared& exec) : exec_(exec), packer_(layers::makePacker(exec)) {}

  // Of the particle with this number in the state; waits. Only with lists.
  PickedSlot find(const ListsLent& lent, std::uint32_t number) const;
  // What layers with these needs (bits of layers::Need) draw. picked: null when none is.
  // buffer: by which the reach of a pair is more than its cutoff.
  // truth: of these lists; or null.
  void fill(std::uint32_t needs, const ListsLent& lent, double buffer, const PickedSlot* picked,
            const ListTruth* truth, layers::Structures& to);
  // Rows of the card about the walk that fill() has just recorded, and about trees.
  const CardRows& walkRows() const { return walkRows_; }
  // Of the trees of the last build, by type; empty without trees. Waits.
  std::vector<TreeStatistics> statistics(const ListsLent& lent, const ListHistory& history);

  // Distance checks for the picked particle, and on average, that each method makes to build the
  // lists of this state; counted again when another particle is picked, and, with `anew`, when its
  // list is another one. Waits. Of states of up to kMostCounted particles.
  void countChecks(const ListsLent& lent, const ListHistory& history, const PickedSlot& picked,
                   std::uint32_t number, const PairSettings& pair, bool anew);
  // The same for a state without lists. version: of its positions.
  void countChecks(const MdState& state, std::uint64_t version, std::uint32_t number,
                   const PairSettings& pair, bool anew);
  std::optional<Curve> checksChart() const;
  void forget() {
    checked_ = {};
    judge_.forget();
  }
  ListJudge& judge() { return judge_; }

  // Others within the cutoff of each particle, where there are no lists (NearCounter).
  const std::uint32_t* countNear(const ParticlesLent& lent, const Box& box,
                                 const PairSettings& pair);
  layers::Packer& packer() const { return *packer_; }

 private:
  static constexpr std::size_t kMostCounted = 50000;
  struct Checks {
    std::uint64_t builds = ~0ull;
    std::uint32_t number = ~0u;  // of the particle
    std::vector<std::string> method;
    std::vector<double> ofPicked, mean;
    double listed = 0;
  };

  bool counted(std::uint64_t version, std::uint32_t number, bool anew) const {
    return checked_.number == number && (checked_.builds == version || !anew);
  }
  void countAll(const std::vector<ParticleRecord>& particles, const Box& box,
                const PairSettings& pair, std::size_t picked);
  void fillTrees(const ListsLent& lent, layers::Structures& to);
  void fillWalk(const ListsLent& lent, const PickedSlot& picked, double buffer,
                layers::Structures& to);

  exec::Shared exec_;
  std::unique_ptr<layers::Packer> packer_;
  std::unique_ptr<NearCounter> near_;  // made when a frame needs it
  Recorder recorder_;
  CardRows walkRows_;
  std::vector<TreeStatistics> statistics_;
  const ListBuilder* measured_ = nullptr;  // source of the statistics
  std::uint64_t measuredBuilds_ = ~0ull;
  Checks checked_;
  ListJudge judge_;
};

// Lines from the picked particle, if there is one, to those in its list, and along the pairs that
// are wrong in truth.
LayerData neighbourLines(const PickedSlot* picked, const ListsLent& lent, double buffer,
                         const ListTruth* truth);
// How many of those in its list are within the cutoff.
std::size_t withinCutoff(const PickedSlot& picked, const ListsLent& lent, double buffer);
// The picked particle's cluster and what is in its list; of lists of clusters. picked: or null.
layers::PickedCluster pickedCluster(const PickedSlot* picked, const ListsLent& lent,
                                    const SpeciesTable& species);
// Rows of the card about it; none where each particle has a list of its own.
CardRows clusterRows(const PickedSlot& picked, const ListsLent& lent);
CellGridPlace gridPlaceOf(const CellGrid& grid, const Box& box);
// The cells of a builder, where it has some.
std::optional<layers::CellGridView> cellsOf(const ListsLent& lent);
layers::Sketch searchedCells(const ListsLent& lent, const PickedSlot& picked);
// Placeholder cells, and those around the picked particle's, each with its real slots.
layers::CellGridView cellsOf(const CellsLent& lent, const Box& box, std::size_t n);
layers::Sketch searchedSlots(const PlaceholderShape& shape, const Box& box,
                             const PickedCell& picked);

}  // namespace cellscope::md
