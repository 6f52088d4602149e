// What the window asks of a state: where something is, and what two particles have to do with each
// other; and at which conditions a run stops. Only of modes that are Inspectable.
#pragma once
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/base/box.h"
#include "sim/run/session.h"

namespace cellscope {

// Particles by an expression:
//
//     type == B && speed > 2       also id, x, y, z, vx, vy, vz; <, >=, <=, !=; ||, parentheses
//     list of 109                  in the neighbour list of the particle
//     cell (3, 4), cell of 109     in a cell of the method, or in that of a particle
//     within 2 of 109              to the nearest image, sigma; without the particle itself
//
// && binds more tightly than ||.
inline constexpr const char* kSelections =
    "type == NAME, id, x, y, z, vx, vy, vz or speed > NUMBER (or <, >=, <=, ==, !=), list of ID, "
    "cell (X, Y), cell of ID, within R of ID, joined by && and || and in parentheses";

// Whether each particle of the configuration is selected, in its order. Throws InputError: what is
// wrong and what may stand there.
std::vector<bool> selectionOf(Mode& mode, const Configuration& all, const std::string& text);

// Adds a layer of rings around those selected, with their number in its legend, and returns it.
std::size_t addSelection(Mode& mode, Frame& frame, const std::string& text);

// Words and signs of what a person types: conditions and selections.
class Words {
 public:
  // Signs of comparison, "&&", "||", parentheses and commas stand alone; words that add nothing
  // ("of", "the", "is") are left out.
  explicit Words(const std::string& text);

  bool atEnd() const { return next_ == all_.size(); }
  bool nextIs(const std::string& word) const { return !atEnd() && all_[next_] == word; }
  // True: it was the next one.
  bool skip(const std::string& word) {
    const bool is = nextIs(word);
    next_ += is ? 1 : 0;
    return is;
  }
  // The following throw InputError: what is missing, or what may stand there.
  std::string take(const std::string& what);
  void expect(const std::string& word) {
    const std::string found = take("'" + word + "'");
    if (found != word) throw InputError("'{}': '{}' is expected", found, word);
  }
  void requireEnd(const std::string& allowed) const {
    if (!atEnd())
      throw InputError("\"{}\" is not expected there; allowed: {}", all_[next_], allowed);
  }
  double number(const std::string& what);
  ParticleId id();
  // ">", "<", ">=", "<=", "==" or "!="; `also`: another word that may stand there.
  std::string sign(const std::string& also = "");

 private:
  std::vector<std::string> all_;
  std::size_t next_ = 0;
};

// By one of the signs; nothing compares to NaN.
bool compares(double x, const std::string& sign, double to);

struct Found {
  ParticleId particle = -1, second = -1;  // to be picked
  std::string words;
  Vec3d lo{}, hi{};  // of a cell; of a particle both are its place
};

// "109": a particle; "109 138": two of them; "(3, 4)" or "(3, 4, 5)": a cell; "slot 7": the
// particle stored there; "node 12", "move 7": what stands in that row of a table. Throws
// InputError: what exists.
Found findInside(Mode& mode, const std::string& text);
inline constexpr const char* kPlaces =
    "a particle's id (109), two of them (109 138), a cell (3, 4) or (3, 4, 5), slot 7, node 12 of "
    "a tree, move 7 of the last step";

struct PickedPair {
  ParticleId second = -1;
  Vec3d from{}, to{};  // the first, and the image of the second that is nearest to it
};

// "neighbours 109", "cells", "nodes" or "moves": of a particle, of the method's grid, of its trees,
// of the last step (Inspectable::watchMoves()). Throws InputError for another name, and for a
// particle that does not exist.
Table tableOf(Mode& mode, const std::string& name);
inline constexpr const char* kTables =
    "neighbours ID, cells, nodes, moves, against KEY=VALUE (other settings)";

// Rows about the second particle are added to the card of the picked one; none: it is gone, as the
// card then says.
std::optional<PickedPair> addPair(Mode& mode, PickedParticle& picked, ParticleId second);

// "(3, 4)" or "(3, 4, 5)".
std::string inWords(const GridCell& cell, int dimension);
// Where a particle is. Throws InputError for another id: which there are.
Vec3d whereIs(Mode& mode, ParticleId id);
// Throws InputError for a mode that cannot be asked.
Inspectable& asked(Mode& mode);

// One step from the state of a run under other settings, such as another method: which listed
// pairs, decisions and particles differ after it.
// Of copies: nothing of the run changes. `settings`: "method=tree", several separated by spaces.
// The note gives the verdict of each comparison, also where nothing differs. Throws InputError for
// settings that are impossible or determine the initial state.
Table differenceTable(const std::string& checkpoint, const std::string& settings,
                      const ExecConfig& config, const ModeFactory& modes);

// As tableOf(), and "against method=tree": as above.
Table tableOfRun(Session& session, const std::string& name, const ExecConfig& config,
                 const ModeFactory& modes);

// Conditions that end or pause a run at the step after which they become true:
//
//     OBSERVABLE > NUMBER      also <, >=, <=, ==, !=; an id or symbol ("pressure", "N")
//     OBSERVABLE jumps by K    its change in one step is more than K standard deviations from the
//                              mean of the changes before, of which there are kChanges at least
//     cell of ID changes       the particle crosses a face of the method's cells
//     pair ID ID within R      their distance, to the nearest image
//     particle ID gone         deleted
//     lamp [NAME] red          a self-check fails, on purpose or not
//
// After each step what the conditions need is computed, and nothing else: one value of an
// observable, one pass over the particles, all self-checks.
inline constexpr const char* kConditions =
    "OBSERVABLE > NUMBER (or <, >=, <=, ==, !=), OBSERVABLE jumps by K, cell of ID changes, pair "
    "ID ID within R, particle ID gone, lamp [NAME] red";

struct Condition {
  // At the present state, with which the one after the next step is compared. Throws InputError
  // for what does not exist. True: it holds already.
  std::function<bool(Mode& mode)> begin;
  // At the state one step later: why it has become true, or "".
  std::function<std::string(Mode& mode)> look;
};

class Breakpoints {
 public:
  static constexpr int kChanges = 20;

  // The present state is the first. True: the condition holds already, and must become false and
  // true again. Throws InputError: what is wrong and what may stand there, or what does not exist:
  // a particle, cells, a self-check.
  bool add(const std::string& text, Session& session);
  void remove(std::size_t index) {
    if (index < all_.size()) all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  // Of another session: those that are not possible there go, and are returned.
  std::vector<std::string> moveTo(Session& session);
  bool empty() const { return all_.empty(); }
  std::vector<std::string> texts() const { return each(all_, &Item::text); }

  // Before a step: the state may have been changed since the last one.
  void arm(Session& session);
  void disarm() { armed_ = false; }
  // After exactly one step: "N > 300 (N = 301)" of those that have become true, or "".
  std::string look(Session& session);

 private:
  struct Item {
    std::string text;
    Condition condition;
  };
  std::vector<Item> all_;
  bool armed_ = false;
};

}  // namespace cellscope
