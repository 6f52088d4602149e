#include "sim/modes/gcmc/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "sim/algo/gcmc/checkerboard.h"
#include "sim/algo/gcmc/grid_choice.h"
#include "sim/algo/gcmc/in_order.h"
#include "sim/algo/gcmc/mapping.h"
#include "sim/algo/gcmc/slot_chain.h"
#include "sim/modes/gcmc/replica_spread.h"

namespace cellscope::gcmc {
namespace {

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// Throws InputError where the box is too small for it.
GcmcCube boardCells(const GcmcParameters& p) {
  const Box box = p.box();
  const GcmcSettings s = p.settings();
  const bool narrow =
      p.boardExperiment.index == static_cast<std::int64_t>(GcmcBoardExperiment::narrowCells);
  return gcmcBoardCells(box, makeGcmcPair(s, box), narrow ? kGcmcNarrow : 1);
}

GcmcCube inOrderCells(const GcmcParameters& p) {
  const Box box = p.box();
  return gcmcCells(box, makeGcmcPair(p.settings(), box));
}

// The three from the given one.
void convert(GcmcParameters& p) {
  const double t = p.temperature;
  switch (static_cast<Reservoir>(p.reservoir.index)) {
    case Reservoir::potential:
      p.activity = activityOfPotential(p.mu, t);
      break;
    case Reservoir::fugacity:
      p.activity = activityOfFugacity(p.fugacity, t);
      break;
    case Reservoir::activity:
      break;
  }
  if (static_cast<Reservoir>(p.reservoir.index) != Reservoir::potential)
    p.mu = potentialOfActivity(p.activity, t);
  if (static_cast<Reservoir>(p.reservoir.index) != Reservoir::fugacity)
    p.fugacity = fugacityOfActivity(p.activity, t);
}

void followReservoir(GcmcParameters& next, const GcmcParameters& before) {
  const bool edited[3] = {next.mu != before.mu, next.activity != before.activity,
                          next.fugacity != before.fugacity};
  const bool chosen = next.reservoir != before.reservoir;
  const std::int64_t given = next.reservoir.index;
  if (!chosen && !edited[given]) {
    std::int64_t others = 0, last = given;
    for (std::int64_t k = 0; k < 3; ++k)
      if (edited[k]) ++others, last = k;
    if (others == 1) next.reservoir.index = last;
  }
  const GcmcParameters said = next;
  convert(next);
  const auto agree = [&](std::int64_t k, double a, double b, const char* key) {
    if (!edited[k] || k == next.reservoir.index || near(a, b)) return;
    throw InputError(fmt::format(
        "{} = {:g} contradicts the reservoir, which is given by its {} and makes it {:g}; set only "
        "one of chemical_potential, activity and fugacity, or name it with reservoir = ...",
        key, a,
        next.reservoir.index == 0   ? "chemical potential"
        : next.reservoir.index == 1 ? "activity"
                                    : "fugacity",
        b));
  };
  agree(0, said.mu, next.mu, "chemical_potential");
  agree(1, said.activity, next.activity, "activity");
  agree(2, said.fugacity, next.fugacity, "fugacity");
}

void followShares(GcmcParameters& next, const GcmcParameters& before) {
  double* now[3] = {&next.displacement, &next.insertion, &next.deletion};
  const double old[3] = {before.displacement, before.insertion, before.deletion};
  int edited = 0, which = 0;
  for (int k = 0; k < 3; ++k)
    if (*now[k] != old[k]) ++edited, which = k;
  if (edited != 1) return;
  double* a = now[(which + 1) % 3];
  double* b = now[(which + 2) % 3];
  const double rest = 1 - *now[which], sum = *a + *b;
  if (near(sum, rest)) return;
  const double part = sum > 0 ? *a / sum : 0.5;
  *a = rest * part;
  *b = rest - *a;
}

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

}  // namespace

std::vector<ChoiceInfo> methodChoices() {
  std::vector<ChoiceInfo> all = {{"auto", "automatic"}};
  for (const GcmcMethod& m : gcmcMethods()) all.emplace_back(m.key, m.label);
  for (const GcmcMethod* m : {&gcmcBoardMethod(), &gcmcInOrderMethod()})
    all.emplace_back(m->key, m->label);
  return all;
}

std::vector<ChoiceInfo> gcmcMappingChoices() {
  std::vector<ChoiceInfo> all;
  for (const GcmcMapping& m : gcmcMappings(3))
    all.emplace_back(m.key, fmt::format("{}: {}", m.key, mappingInWords(m)));
  return all;
}

GcmcSettings GcmcParameters::settings() const {
  GcmcSettings s;
  s.seed = static_cast<std::uint64_t>(seed);
  s.temperature = temperature;
  s.activity = activity;
  s.ratio[0] = displacement, s.ratio[1] = insertion, s.ratio[2] = deletion;
  s.maxDisplacement = maxDisplacement;
  s.anywhere = anywhere();
  s.truncation = law() == GcmcPotential::shifted        ? Truncation::energy
                 : law() == GcmcPotential::forceShifted ? Truncation::force
                                                        : Truncation::plain;
  s.cutoff = reach();
  s.hard = hard();
  s.tail = tail && !ideal() && !hard();
  s.signAsPrinted = wrongSign;
  s.oldNumber = oldNumber;
  return s;
}

void followEdits(GcmcParameters& next, const GcmcParameters& before) {
  followReservoir(next, before);
  followShares(next, before);
}

std::int64_t GcmcParameters::checkerboardIndex() {
  return static_cast<std::int64_t>(gcmcMethods().size()) + 1;
}

std::int64_t GcmcParameters::inOrderIndex() { return checkerboardIndex() + 1; }

std::int64_t GcmcParameters::speculativeIndex() {
  std::int64_t index = 1;  // after "auto"
  for (const GcmcMethod& m : gcmcMethods()) {
    if (std::string_view(m.key) == "speculative") break;
    ++index;
  }
  return index;
}

std::int64_t indexOfMethod(const std::string& key) {
  const std::vector<ChoiceInfo> all = methodChoices();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ChoiceInfo& c) { return c.key == key; });
  return found - all.begin();
}

bool isEmulated(const std::string& method, Backend backend) {
  return backend == Backend::cpu && (method == "cells" || method == "all_particles" ||
                                     method == "microcells" || method == "microcells_many");
}

std::uint64_t movesOfStep(const GcmcParameters& p) {
  const auto wanted = static_cast<std::uint64_t>(p.movesPerStep);
  if (!p.checkerboard() && !p.inOrder()) return wanted;
  const std::uint64_t whole = movesOfTurn(p) * (p.inOrder() ? 1u : 1u << p.dimensions());
  return (wanted + whole - 1) / whole * whole;
}

std::uint64_t movesOfTurn(const GcmcParameters& p) {
  if (p.inOrder()) return gcmcSlotTurn(inOrderCells(p));
  return boardCells(p).allCells() / (1u << p.dimensions()) * static_cast<std::uint64_t>(p.attempts);
}

std::string methodOf(const GcmcParameters& p, Backend backend) {
  if (p.checkerboard()) return gcmcBoardMethod().key;
  if (p.inOrder()) return gcmcInOrderMethod().key;
  if (p.method.index > 0) return gcmcMethods()[static_cast<std::size_t>(p.method.index - 1)].key;
  std::string best;  // the last one of the list that runs here
  for (const GcmcMethod& m : gcmcMethods())
    if (backend == Backend::cuda ? m.cuda : m.cpu) {
      if (backend == Backend::cpu && m.cuda) continue;  // written for a GPU
      best = m.key;
    }
  return best;
}

GcmcOptions optionsOf(const GcmcParameters& p) {
  const auto row = static_cast<int>(p.mapping.index);
  GcmcOptions o;
  o.mapping = p.dimensions() == 3 ? row : kInPlane[static_cast<std::size_t>(row)];
  o.blockSize = static_cast<int>(p.blockSize);
  o.skipBeyond = p.skipBeyond;
  o.movesPerLaunch = static_cast<int>(p.movesPerLaunch);
  o.attempts = static_cast<int>(p.attempts);
  o.experiment = static_cast<int>(p.boardExperiment.index);
  o.movesInFlight = static_cast<int>(p.movesInFlight);
  o.slotsPerCell = static_cast<int>(p.slotsPerCell);
  o.ignoreConflicts = p.ignoreConflicts;
  o.candidates = static_cast<int>(p.candidates);
  o.speculativeExperiment = static_cast<int>(p.speculativeBatch.index);
  return o;
}

std::string methodInWords(const GcmcParameters& p, Backend backend) {
  const std::string method = methodOf(p, backend);
  const GcmcOptions o = optionsOf(p);
  std::string words = method;
  if (method == "cells")
    words += fmt::format(", mapping {}",
                         gcmcMappings(p.dimensions())[static_cast<std::size_t>(o.mapping)].key);
  if (method == "microcells" || method == "microcells_many")
    words += o.skipBeyond ? ", those beyond the cutoff skipped" : ", those beyond the cutoff read";
  if (p.blockSize > 0 && (method == "cells" || method == "all_particles" ||
                          method == "microcells" || method == "microcells_many"))
    words += fmt::format(", blocks of at most {} threads", p.blockSize);
  if (isEmulated(method, backend)) words += ", blocks emulated one after another";
  if (p.checkerboard()) {
    const GcmcCube cube = boardCells(p);
    const std::string across = p.dimensions() == 3 ? fmt::format(" x {}", cube.count[2]) : "";
    return words + fmt::format(
                       ", {} x {}{} cells of {:.3g} sigma, {} attempts in each of {} "
                       "colours: {} moves a sweep",
                       cube.count[0], cube.count[1], across, p.length / cube.count[0], p.attempts,
                       1 << p.dimensions(),
                       cube.allCells() * static_cast<std::uint64_t>(p.attempts));
  }
  if (p.inOrder()) {
    const GcmcCube cube = inOrderCells(p);
    return words + fmt::format(", {} in flight, {} cells of {} slots, {} moves a turn",
                               gcmcInFlight(cube, o.movesInFlight, backend), cube.allCells(),
                               p.slotsPerCell, gcmcSlotTurn(cube));
  }
  if (p.speculative())
    words += p.candidates > 0 ? fmt::format(", {} candidates at once", p.candidates)
                              : ", candidates by the acceptance";
  if (method.rfind("serial", 0) != 0 && !(p.speculative() && backend == Backend::cpu))
    words += fmt::format(", {} moves per launch", std::min(p.movesPerLaunch, p.movesPerStep));
  if (p.keepFastest) words += ", the winner of a race takes over";
  return words + (p.method.index == 0 ? ", chosen automatically" : "");
}

namespace {

void checkBlockSize(const GcmcParameters& p, const std::string& method) {
  if (p.blockSize == 0 || method != "cells") return;
  const GcmcMapping& m =
      gcmcMappings(p.dimensions())[static_cast<std::size_t>(optionsOf(p).mapping)];
  if (p.blockSize < m.across)
    throw InputError(
        fmt::format("block_size = {}: with mapping {} a block visits {} cells at the same time, "
                    "each by threads "
                    "of its own; use {} to {}, 0 for 32 threads per cell, or another mapping",
                    p.blockSize, m.key, m.across, m.across, kGcmcMostThreads));
}

void checkInOrder(const GcmcParameters& p) {
  if (p.oldNumber)
    throw InputError(
        "insertion_counts_old_number = true: with method = in_order N does not appear in the "
        "acceptance of insertions, there is nothing to break; set it to false or choose another "
        "method");
}

}  // namespace

void checkParameters(const GcmcParameters& p, Backend backend) {
  const double sum = p.displacement + p.insertion + p.deletion;
  if (std::abs(sum - 1) > 1e-6)
    throw InputError(
        fmt::format("displacements, insertions and deletions sum to {:g} ({:g} + {:g} + {:g}); "
                    "they must sum to 1. Set only one of them, and the others follow",
                    sum, p.displacement, p.insertion, p.deletion));
  if ((p.insertion > 0) != (p.deletion > 0))
    throw InputError(
        fmt::format("insertions = {:g} and deletions = {:g}: both must be above 0, or both 0 (no "
                    "exchange with the reservoir)",
                    p.insertion, p.deletion));
  const double lnZ = p.mu / p.temperature;
  if (!(p.activity >= 1e-22 && p.activity <= 1e22) || std::abs(p.mu) > 100 ||
      !(p.fugacity >= 1e-23 && p.fugacity <= 1e24))
    throw InputError(fmt::format(
        "chemical_potential = {:g} at temperature = {:g} makes the activity exp({:g}) = {:g}; "
        "allowed are a chemical potential of -100 to 100 and an activity of 1e-22 to 1e22: move "
        "one of them",
        p.mu, p.temperature, lnZ, p.activity));
  if (p.ideal()) {
    const double mean = p.activity * p.box().volume();
    if (mean > 4e6)
      throw InputError(fmt::format(
          "an ideal gas of activity {:g} holds {:.3g} particles in this box, at most 4e6 fit; use "
          "a smaller activity or length",
          p.activity, mean));
  } else if (p.hard() && p.reach() > 0.5 * p.length) {
    throw InputError(fmt::format(
        "length = {:g} is too small for hard spheres, whose pairs are counted up to {:g}: use at "
        "least {:g}",
        p.length, p.reach(), 2 * p.reach()));
  } else if (!p.hard() && p.cutoff > 0.5 * p.length) {
    throw InputError(
        fmt::format("cutoff = {:g} does not fit into the box of side {:g}: it may be at most half "
                    "of it, {:g}; use a smaller cutoff or a length of at least {:g}",
                    p.cutoff, p.length, 0.5 * p.length, 2 * p.cutoff));
  }
  if (p.tail && (p.law() == GcmcPotential::shifted || p.law() == GcmcPotential::forceShifted))
    throw InputError(
        "tail = true belongs to potential = truncated: shifted and force_shifted are fluids of "
        "their own, without attraction beyond the cutoff. Set tail = false first");
  if (p.maxDisplacement > 0.5 * p.length)
    throw InputError(
        fmt::format("max_displacement = {:g} is more than half the box, {:g}; use at most that",
                    p.maxDisplacement, 0.5 * p.length));
  if (p.density * p.box().volume() > 2097152)
    throw InputError(fmt::format(
        "density = {:g} in a box of side {:g} makes {:.0f} particles, at most 2097152 can be "
        "started; use a smaller density or length",
        p.density, p.length, p.density * p.box().volume()));
  if (p.anywhere() && p.tune)
    throw InputError(
        "tune = true: with displacement_range = box there is no maximum displacement to tune; set "
        "tune = false, or displacement_range = maximum");
  checkBlockSize(p, methodOf(p, backend));
  checkReplicas(p);
  if (p.checkerboard()) {
    boardCells(p);
    if (p.anywhere())
      throw InputError(
          "displacement_range = box: the checkerboard rejects every displacement that leaves its "
          "cell, so that hardly any would be accepted; set displacement_range = maximum, or choose "
          "a method of one chain");
    if (p.settings().tail && tailEnergy(p.dimensions(), p.cutoff) > 0)
      throw InputError(
          fmt::format("tail = true: at cutoff = {:g} the correction is positive, and the "
                      "checkerboard needs a negative one; use a larger cutoff or tail = false",
                      p.cutoff));
    return;
  }
  if (p.inOrder()) return checkInOrder(p);
  const std::string method = methodOf(p, backend);
  for (const GcmcMethod& m : gcmcMethods())
    if (method == m.key && !(backend == Backend::cuda ? m.cuda : m.cpu))
      throw InputError(fmt::format("method = {} does not run on the {} backend; use auto", method,
                                   backend == Backend::cuda ? "CUDA" : "CPU"));
}

}  // namespace cellscope::gcmc
