// Published states of the fluid at given chemical potential: serial chains in the published cube
// against the published values, the checkerboard against serial chains in cubes of its own size.
// Averages depend on the size: in a small box by the fluctuations of N, with the tail correction
// (energy c N^2 / V) more so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "app/reproduce/gcmc/state_runs.h"

namespace cellscope::reproduce {
namespace {

struct PublishedOptions {
  std::vector<double> lengths = {8, 12, 16};
  std::int64_t chains = 264;
  double leastDensity = 0.0012;
  std::vector<double> temperatures = {0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00, 1.05, 1.20, 1.50};

  template <class V>
  void visit(V& v) {
    v({.key = "lengths",
       .unit = "sigma",
       .min = 8,
       .max = 200,
       .help = "Sides of the cubes: serial chains in all of them, the checkerboard where four of "
               "its cells have room. Published values are of side 8"},
      lengths);
    v({.key = "chains", .min = 8, .max = 4096, .help = "Serial chains side by side"}, chains);
    v({.key = "least_density",
       .min = 0,
       .max = 1,
       .help = "States of a smaller published density are left out: they take long"},
      leastDensity);
    v({.key = "temperatures", .min = 0.1, .max = 10, .help = "Published states of these"},
      temperatures);
  }
};

bool boardHasRoom(const PublishedState& s, double length) { return length >= 4 * s.cutoff; }
bool isPublishedSize(const PublishedState& s, double length) {
  return std::abs(length - s.length) < 1e-9;
}

std::string text(const PublishedNumber& p) {
  return std::isfinite(p.value)
             ? p.error > 0 ? compact(p.value, p.error) : fmt::format("{:.6g}", p.value)
             : "-";
}

// A state at one size.
class StateRow {
 public:
  StateRow(const PublishedState& s, double length, const StateMeans& serial,
           const std::optional<StateMeans>& board, const StateMeans& smallest, Verdicts& verdicts)
      : s_(s),
        length_(length),
        serial_(serial),
        board_(board),
        smallest_(smallest),
        verdicts_(verdicts) {}

  Row cells() {
    Row row = {
        s_.name, fmt::format("{:g}", s_.lnActivity),
        fmt::format("{} at {:g}{}", s_.truncation == Truncation::force ? "force-shifted" : "cut",
                    s_.cutoff, s_.tail ? ", tail" : ""),
        fmt::format("{:g}", length_)};
    const double ofLnZ = serial_.compressibility * s_.lnActivityError;
    addQuantity(&StateMeans::density, s_.density, ofLnZ, true, row);
    addQuantity(&StateMeans::energy, s_.energy, 0, true, row);
    // Of a potential that is cut T ln Xi / V is published, and the virial lacks its step.
    addQuantity(&StateMeans::pressure, s_.pressure, 0, s_.truncation == Truncation::force, row);
    row.push_back(equilibrated());
    return row;
  }

 private:
  // Ours by serial chains and by the checkerboard, their difference, published, the difference to
  // it, and the change since the smallest cube.
  void addQuantity(Mean StateMeans::*which, const PublishedNumber& published, double more,
                   bool comparable, Row& row) {
    const Mean& ours = serial_.*which;
    const Mean widened = {ours.value, serial_.rareness * ours.error};
    const bool known = serial_.wrong.empty();
    row.push_back(compact(ours));
    if (board_) {
      const Mean& board = (*board_).*which;
      row.push_back(compact(board));
      row.push_back(
          verdicts_.compare(deviation(widened, {board.value, board_->rareness * board.error}),
                            known && board_->wrong.empty()));
    } else {
      row.insert(row.end(), {"-", "-"});
    }
    const bool there = isPublishedSize(s_, length_) && std::isfinite(published.value);
    row.push_back(there ? text(published) : "-");
    const Mean right = {published.value, std::hypot(published.error, more)};
    row.push_back(there && comparable ? verdicts_.compare(widened, right, known) : "-");
    const Mean& before = smallest_.*which;
    row.push_back(&serial_ == &smallest_
                      ? "-"
                      : compact(ours.value - before.value, std::hypot(ours.error, before.error)));
  }
  std::string equilibrated() const {
    if (!serial_.wrong.empty()) return "no: serial, " + serial_.wrong;
    if (board_ && !board_->wrong.empty()) return "no: checkerboard, " + board_->wrong;
    return "yes";
  }

  const PublishedState& s_;
  double length_;
  const StateMeans& serial_;
  const std::optional<StateMeans>& board_;
  const StateMeans& smallest_;
  Verdicts& verdicts_;
};

Row columns() {
  Row all = {"state", "ln z", "potential", "side"};
  for (const char* quantity : {"density", "energy", "pressure"})
    for (const std::string& column :
         {fmt::format("{}, serial", quantity), std::string("checkerboard"),
          std::string("serial - checkerboard"), std::string("published"),
          std::string("serial - published"), std::string("change with the side")})
      all.push_back(column);
  all.emplace_back("equilibrated");
  return all;
}

std::vector<PublishedState> statesOf(const PublishedOptions& o) {
  std::vector<PublishedState> states = publishedGcmcStates();
  std::erase_if(states, [&](const PublishedState& s) {
    const bool wanted = std::any_of(o.temperatures.begin(), o.temperatures.end(),
                                    [&](double t) { return std::abs(t - s.temperature) < 1e-6; });
    return !wanted || s.density.value < o.leastDensity;
  });
  return states;
}

std::string aboutErrors(std::int64_t chains) {
  return fmt::format(
      "Equal boxes are compared: serial chains with published values in the published cube, the "
      "checkerboard with serial chains in a cube of its size. Serial: {} chains, errors from what "
      "differs between them. Checkerboard: one chain, errors from blocks. In brackets one standard "
      "error; differences are in combined standard errors, widened for the few chains and blocks "
      "from which these are known. A run is judged with 64 samples or more, a checkerboard "
      "with blocks that settle its error, both without a drift from the first fifth to the last "
      "half.",
      chains);
}

constexpr const char* kAboutSizes =
    "Change with the side: of the serial chains, since the first side of the list. A small box has "
    "larger fluctuations of N, and with the tail correction a mean field of its own N, which shift "
    "energies and densities near the critical point and in dense vapours: physics, not judged.";

constexpr const char* kAboutPublished =
    "Published: NIST Standard Reference Simulation, in brackets the published error or half of the "
    "last digit; the digits of ln z are part of the difference in density. Pressures with tail are "
    "published as T ln Xi / V and not compared: ours is the virial, which takes the fluid beyond "
    "the cutoff for uniform, and differs by some 0.005 in a liquid.";

int runStates(const PublishedOptions& o, const StudyContext& context) {
  const std::vector<PublishedState> states = statesOf(o);
  std::size_t runs = 0;
  for (const PublishedState& s : states)
    for (const double length : o.lengths) runs += boardHasRoom(s, length) ? 2 : 1;
  Report report(context, "Published states by serial chains and by the checkerboard", columns());
  StateRuns run(static_cast<std::size_t>(o.chains), context.exec,
                60 * context.minutes / static_cast<double>(std::max<std::size_t>(runs, 1)));
  Verdicts verdicts;
  for (const PublishedState& s : states) {
    std::optional<StateMeans> smallest;
    for (const double length : o.lengths) {
      const StateMeans serial = run.serial(s, length);
      std::optional<StateMeans> board;
      if (boardHasRoom(s, length)) board = run.board(s, length);
      report.row(
          StateRow(s, length, serial, board, smallest ? *smallest : serial, verdicts).cells());
      if (!smallest) smallest = serial;
    }
  }
  for (const std::string& note : {verdicts.note(), aboutErrors(o.chains), std::string(kAboutSizes),
                                  std::string(kAboutPublished)})
    report.note(note);
  return verdicts.exitCode();
}

}  // namespace

std::unique_ptr<Study> chainStates() {
  return std::make_unique<FunctionStudy<PublishedOptions>>(
      StudyInfo{.name = "gcmc_states",
                .about = "published densities, energies and pressures at given chemical potential, "
                         "by serial chains and by the checkerboard, in cubes of several sizes "
                         "(NIST)",
                .onCpu = {{"lengths", "8,12"}, {"chains", "16"}, {"temperatures", "1.5"}}},
      runStates);
}

}  // namespace cellscope::reproduce
