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
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/run/session.h"

namespace cellscope {

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
