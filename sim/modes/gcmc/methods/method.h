// A method of computing a grand-canonical chain, as the mode sees it: what it brings of its own
// besides its engine (sim/algo/gcmc/engine.h). Nobody else asks which method it is.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/flight_view.h"
#include "sim/api/frame.h"
#include "sim/modes/gcmc/observables.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

// What methods count besides moves and acceptances, each its own part.
struct MethodCounts {
  GcmcFlightCounts flights, flightsSinceSample;  // since the averages began, since the last sample
  std::uint64_t full = 0;                        // moves that a full cell rejected, since the start
  GcmcSpeculation speculation;                   // since the averages began

  void take(const GcmcFlightCounts& flown, const GcmcSpeculation& more) {
    gcmcAddCounts(flights, flown), gcmcAddCounts(flightsSinceSample, flown);
    gcmcAddCounts(speculation, more);
    full += flown.full;
  }
  void forgetAverages() {
    flights = flightsSinceSample = {};
    speculation = {};
  }
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);  // throws InputError for what is impossible
};

class Method {
 public:
  // Moves that are made together, of which one is looked at; the names of the turns that follow it
  // in a sweep, which no step cuts; and what those before the last sweep of a step are called.
  struct Turn {
    std::uint64_t moves = 1;
    std::vector<std::string> others = {};
    const char* before = "moves but the last";
    std::uint64_t movesOfSweep() const { return moves * (others.size() + 1); }
  };
  // A competitor in a race.
  struct Variant {
    std::string name, published;  // key of publishedGcmcSpeed()
    int mapping = 0;              // row of gcmcMappings()
    int blockSize = 0;            // 0: as published
  };

  explicit Method(const GcmcMethod& made) : made_(made) {}
  virtual ~Method() = default;
  const GcmcMethod& made() const { return made_; }

  // How it works at these parameters, to follow its name.
  virtual std::string words(const GcmcParameters&, Backend) const { return ""; }
  // Throws InputError for what is impossible with it.
  virtual void check(const GcmcParameters&) const {}
  virtual Turn turn(const GcmcParameters&) const { return {}; }
  // Whether an experiment of its own breaks it on purpose.
  virtual bool broken(const GcmcParameters&) const { return false; }
  virtual std::vector<Variant> variants(int dimension, Backend where) const;
  virtual std::vector<GcmcObservable> observables() const { return {}; }
  virtual std::vector<Curve> curves(const MethodCounts&) const { return {}; }
  virtual void addChecks(std::vector<SelfCheck>&, const GcmcParameters&,
                         const MethodCounts&) const {}

 private:
  const GcmcMethod& made_;
};

std::unique_ptr<const Method> makeInOrderMethod(const GcmcMethod& made);
std::unique_ptr<const Method> makeSpeculativeMethod(const GcmcMethod& made);
// In the order of gcmcMethods(), which is that of the parameter `method` behind "auto".
const std::vector<std::unique_ptr<const Method>>& methods();
// The one that the parameters name; of "auto" the first of fastestMethods().
const Method& methodOf(const GcmcParameters& p, Backend where);
// Those that may be the fastest exact chain: moves in order where a run starts large and dense, as
// measured; else those with the decisions of the serial chain, in the memory of the backend first.
// It depends on parameters alone: which chain a run is must not depend on how fast a machine is.
std::vector<const Method*> fastestMethods(const GcmcParameters& p, Backend where);
inline bool isAutomatic(const GcmcParameters& p) { return p.method.index == 0; }
// Lets the parameters name it.
void choose(GcmcParameters& p, const Method& method);

// How many moves are ordered at a time, for the words of methods that run on a GPU.
std::string launchesInWords(const GcmcParameters& p);
// Name and options of the method that runs, for the status.
std::string methodInWords(const Method& method, const GcmcParameters& p, Backend where);

}  // namespace cellscope::gcmc
