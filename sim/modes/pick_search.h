// Which particle a click means, over any list of particles, and where an id is stored.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/api/mode.h"
#include "sim/base/particle_id.h"

namespace cellscope {

// In 2D the particle whose rim lies deepest around the point; in 3D the one that the ray meets
// first. Where none is hit, the nearest within PickQuery::reach of its rim.
class PickSearch {
 public:
  // In 2D distances are to the nearest images; the picture shows those that reach into the box.
  PickSearch(const PickQuery& query, const Box& box);

  // Positions in the box, in sigma. What is not drawn is no answer.
  void look(ParticleId id, const Vec3d& at, double radius, int type = 0);
  // 2D: particles with rims further away than this from the point need not be looked at.
  double limit() const { return gap_; }
  ParticleId found() const { return hit_ >= 0 ? hit_ : beside_; }

 private:
  void lookInPlane(ParticleId id, const Vec3d& at, double radius, int type);
  void lookAlongRay(ParticleId id, const Vec3d& at, double radius, int type);
  bool isDrawn(const Vec3d& at, int type) const {
    return !query_.isDrawn || query_.isDrawn(at, type);
  }

  PickQuery query_;
  Box box_;
  double along_[3];
  bool possible_ = true;
  double gap_;                                              // from the rim, of beside_
  double entry_ = std::numeric_limits<double>::infinity();  // of hit_ along the ray
  ParticleId hit_ = -1, beside_ = -1;
};

// From ids to slots, for callers that ask by id: particles are stored in an order of their own.

// Built anew when particles come, go or change their slots.
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(std::span<const ParticleId> idOfSlot);  // unique; fewer than 2^32 of them

  std::optional<std::uint32_t> find(ParticleId id) const;
  std::size_t size() const { return ids_.size(); }
  // The k-th in ascending order of ids, with its slot.
  std::pair<ParticleId, std::size_t> entry(std::size_t k) const { return {ids_[k], slots_[k]}; }

 private:
  std::vector<ParticleId> ids_;  // in ascending order, each with its slot
  std::vector<std::uint32_t> slots_;
};

}  // namespace cellscope
