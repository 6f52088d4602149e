// A hand in a run, between two steps: what it can do, and the modes that let it. All that decides
// is in HandMove and in the state, so that the same moves at the same steps make the same run.
#pragma once
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "sim/base/box.h"

namespace cellscope {

enum class HandAct { grab, pull, release, add, remove, heat };
inline constexpr int kHandActs = 6;
inline constexpr const char* kHandWords[kHandActs] = {"grab", "pull",   "release",
                                                      "add",  "delete", "heat"};

struct HandMove {
  HandAct act = HandAct::release;
  // Centre of a circle or sphere, in the box; of a pull, where the hand is, also outside the box.
  Vec3d at{0, 0, 0};
  double radius = 0.5;  // sigma
  // grab: spring constant of a particle of mass 1, in epsilon / sigma^2; heat: factor of
  // velocities.
  double strength = 1;
  bool goesOn = false;  // of a stroke: undo goes back to before its beginning
};

// What is held: where its middle is in the box, nearest to that where it is drawn to, and the work
// of the springs since it was grabbed, in epsilon; NaN where there is no spring.
struct Grip {
  std::size_t particles = 0;
  Vec3d at{0, 0, 0}, end{0, 0, 0};
  double work = 0;
};

// Where a hand is, moved into the box from any distance.
inline Vec3d inBox(const Vec3d& r, const Box& box) {
  const auto along = [&](double x, int a) {
    return wrapped(x - box.length[a] * std::floor(x / box.length[a]), box.length[a]);
  };
  return {along(r.x, 0), along(r.y, 1), box.dimension == 3 ? along(r.z, 2) : 0.0};
}

class TakesHands {
 public:
  virtual ~TakesHands() = default;
  // Why this mode has no such act; "": it has.
  virtual std::string refuses(HandAct act) const = 0;
  // What was done, in words; "": there is nothing to do, and nothing has changed. Throws
  // InputError or RunError, and the state is as before.
  virtual std::string hand(const HandMove& move) = 0;
  virtual std::optional<Grip> grip() { return std::nullopt; }  // none: nothing is held
};

}  // namespace cellscope
