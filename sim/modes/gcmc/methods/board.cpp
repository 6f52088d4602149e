// The checkerboard: all cells of one colour at once.
#include <fmt/format.h>

#include <algorithm>

#include "sim/algo/gcmc/board.h"
#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {
namespace {

// Throws InputError where the box is too small for it.
GcmcCube boardCells(const GcmcParameters& p) {
  const Box box = p.box();
  const bool narrow =
      p.boardExperiment.index == static_cast<std::int64_t>(GcmcBoardExperiment::narrowCells);
  return gcmcBoardCells(box, makeGcmcPair(p.settings(), box), narrow ? kGcmcNarrow : 1);
}

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

std::unique_ptr<const Method> makeBoardMethod(const GcmcMethod& made) {
  return std::make_unique<BoardMethod>(made);
}

}  // namespace cellscope::gcmc
