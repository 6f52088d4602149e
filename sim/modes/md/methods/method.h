// A way to find the pairs within the cutoff, with all that the mode has to know of it: nobody asks
// which one it is. A new one is an engine (sim/algo/md/engine.h), a file here and a line in
// all_pairs.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/images.h"
#include "sim/algo/md/engine.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/api/frame.h"

namespace cellscope {
class BinaryReader;
class BinaryWriter;
}  // namespace cellscope

namespace cellscope::md {

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

std::unique_ptr<const Method> allPairsMethod();
std::unique_ptr<const Method> listsMethod(std::size_t builder);  // number in listMethods()
std::unique_ptr<const Method> placeholdersMethod();

const std::vector<std::unique_ptr<const Method>>& methods();

}  // namespace cellscope::md
