// Blocks and threads of a GPU: all particles, cells by a mapping, microcells; the checkerboard; and
// the list of methods.
#include "sim/modes/gcmc/methods/method.h"

#include <fmt/format.h>

#include <initializer_list>

#include "sim/algo/gcmc/board.h"

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

// Throws InputError where the box is too small for it.
GcmcCube boardCells(const GcmcParameters& p) {
  const Box box = p.box();
  const bool narrow =
      p.boardExperiment.index == static_cast<std::int64_t>(GcmcBoardExperiment::narrowCells);
  return gcmcBoardCells(box, makeGcmcPair(p.settings(), box), narrow ? kGcmcNarrow : 1);
}

// All cells of one colour at once.
struct BoardMethod final : Method {
  using Method::Method;

  std::string words(const GcmcParameters& p, Backend) const override {
    const GcmcCube cube = boardCells(p);
    const std::string across = p.dimensions() == 3 ? fmt::format(" x {}", cube.count[2]) : "";
    const Box box = p.box();
    double narrowest = box.length[0] / cube.count[0];
    for (int k = 1; k < box.dimension; ++k)
      narrowest = std::min(narrowest, box.length[k] / cube.count[k]);
    return fmt::format(
        ", {} x {}{} cells {:.3g} sigma wide, {} attempts in each of {} colours: {} moves a sweep",
        cube.count[0], cube.count[1], across, narrowest, p.attempts, 1 << p.dimensions(),
        cube.allCells() * static_cast<std::uint64_t>(p.attempts));
  }

  void check(const GcmcParameters& p) const override {
    boardCells(p);
    if (p.anywhere())
      throw InputError(
          "displacement_range = box: the checkerboard rejects every displacement that leaves its "
          "cell, so that hardly any would be accepted; set displacement_range = maximum, or choose "
          "a method of one chain");
    if (tailOf(p.settings(), p.dimensions()).energy > 0)
      throw InputError(
          "tail = true: at cutoff = {:g} the correction is positive, and the checkerboard needs a "
          "negative one; use a larger cutoff or tail = false",
          p.cutoff);
  }

  // The attempts of one colour.
  Turn turn(const GcmcParameters& p) const override {
    static const std::vector<std::string> kOthers = {
        "second colour", "third colour",   "fourth colour", "fifth colour",
        "sixth colour",  "seventh colour", "eighth colour"};
    const int colours = 1 << p.dimensions();
    return {boardCells(p).allCells() / static_cast<std::size_t>(colours) *
                static_cast<std::uint64_t>(p.attempts),
            {kOthers.begin(), kOthers.begin() + colours - 1},
            "sweeps but the last"};
  }

  bool broken(const GcmcParameters& p) const override { return p.boardExperiment.index != 0; }
};

}  // namespace

int gcmcMappingRow(const Choice& mapping, int dimension) {
  return static_cast<int>(dimension == 3 ? mapping.index
                                         : kInPlane[static_cast<std::size_t>(mapping.index)]);
}

std::vector<ChoiceInfo> gcmcMappingChoices() {
  return each(gcmcMappings(3), [](const GcmcMapping& m) {
    return ChoiceInfo(m.key, fmt::format("{}: {}", m.key, mappingInWords(m)));
  });
}

std::string launchesInWords(const GcmcParameters& p) {
  return fmt::format(", {} moves per launch", std::min(p.movesPerLaunch, p.movesPerStep));
}

template <class M>
static std::unique_ptr<const Method> makeMethod(const GcmcMethod& made) {
  return std::make_unique<M>(made);
}

// Methods with something of their own.
constexpr struct {
  const char* key;
  std::unique_ptr<const Method> (*make)(const GcmcMethod&);
} kOwn[] = {{"all_particles", makeMethod<BlocksMethod>},
            {"cells", makeMethod<BlocksMethod>},
            {"microcells", makeMethod<BlocksMethod>},
            {"microcells_many", makeMethod<BlocksMethod>},
            {"speculative", makeSpeculativeMethod},
            {"checkerboard", makeMethod<BoardMethod>},
            {"in_order", makeInOrderMethod}};

const std::vector<std::unique_ptr<const Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<const Method>> list;
    for (const GcmcMethod& made : gcmcMethods()) {
      const auto* const own = std::find_if(std::begin(kOwn), std::end(kOwn), [&](const auto& k) {
        return std::string(k.key) == made.key;
      });
      list.push_back(own == std::end(kOwn) ? std::make_unique<const Method>(made)
                                           : own->make(made));
    }
    return list;
  }();
  return all;
}

const Method& methodOf(const GcmcParameters& p, Backend where) {
  if (isAutomatic(p)) return *fastestMethods(p, where).front();
  return *methods()[static_cast<std::size_t>(p.method.index - 1)];
}

// Whether the start is large and dense enough for moves in flight, which work there.
static bool suitsInOrder(const GcmcParameters& p) {
  constexpr double kMany = 8000, kOfCell = 6;  // particles; draws of empty slots cost time, too
  const Box box = p.box();
  const double n = p.density * box.volume();
  if (n < kMany || p.replicas > 0 || p.oldNumber || p.ideal()) return false;
  const GcmcRules rules = makeGcmcRules(p.settings(), box);
  const auto cells = static_cast<double>(gcmcCells(box, rules.pair).allCells());
  return n >= kOfCell * cells && rules.tail <= 0;
}

std::vector<const Method*> fastestMethods(const GcmcParameters& p, Backend where) {
  const auto inOrder = [](const auto& m) { return std::string("in_order") == m->made().key; };
  if (suitsInOrder(p)) return {std::find_if(methods().begin(), methods().end(), inOrder)->get()};
  std::vector<const Method*> all;
  for (const auto& m : methods()) {
    const auto& fastest = m->made().fastest;
    if (m->made().runsOn(where) && (where == Backend::cuda ? fastest.onCuda : fastest.onCpu))
      all.push_back(m.get());
  }
  std::stable_partition(all.begin(), all.end(), [](const Method* m) { return !m->made().onHost; });
  return all;
}

void choose(GcmcParameters& p, const Method& method) {
  const auto& all = methods();
  const auto found = std::ranges::find(all, &method, [](const auto& m) { return m.get(); });
  p.method.index = found - all.begin() + 1;
}

std::vector<ChoiceInfo> methodChoices() {
  std::vector<ChoiceInfo> all = {{"auto", "automatic"}};
  for (const GcmcMethod& m : gcmcMethods()) all.emplace_back(m.key, m.label, m.formerly);
  return all;
}

std::vector<Method::Variant> Method::variants(int, Backend where) const {
  std::string name = made_.key;
  std::replace(name.begin(), name.end(), '_', ' ');
  if (made_.onHost && where == Backend::cuda) name += " (a core of the host)";
  return {{name, made_.exact ? made_.key : ""}};
}

std::string methodInWords(const Method& method, const GcmcParameters& p, Backend where) {
  std::string words = method.made().key + method.words(p, where);
  if (method.made().onHost && where == Backend::cuda) words += ", on one core of the host";
  if (p.keepFastest) words += ", the winner of a race takes over";
  return words;
}

void MethodCounts::save(BinaryWriter& w) const {
  w.value(flightsSinceSample);
  w.value(full);
  const auto all = std::bit_cast<GcmcNumbers<GcmcFlightCounts>>(flights);
  w.vector(std::vector<double>(all.begin(), all.end()));
  w.value(speculation);
}

void MethodCounts::load(BinaryReader& r) {
  flightsSinceSample = r.value<GcmcFlightCounts>("counters");
  full = r.value<std::uint64_t>("counters");
  const std::vector<double> numbers = r.vectorUpTo<double>("rounds", 1000);
  GcmcNumbers<GcmcFlightCounts> all{};
  bool known = numbers.size() == all.size();
  for (std::size_t k = 0; known && k < all.size(); ++k) {
    known = numbers[k] >= 0 && numbers[k] < 0x1p53 && numbers[k] == std::floor(numbers[k]);
    if (known) all[k] = static_cast<std::uint64_t>(numbers[k]);
  }
  if (!known) throw InputError("checkpoint: the counts of rounds are impossible");
  flights = std::bit_cast<GcmcFlightCounts>(all);
  speculation = r.value<GcmcSpeculation>("rounds of candidates");
}

}  // namespace cellscope::gcmc
