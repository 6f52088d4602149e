// Particles of any mode as spheres or disks, and their velocities as arrows.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/core/assert.h"
#include "sim/layers/layer.h"
#include "sim/layers/layers.h"
#include "sim/layers/packed.h"

namespace cellscope::layers {

inline constexpr int kMostTypes = 32;

// Which slots hold a particle that is shown: cut by slice planes and by a mask of types.
struct SlotFilter {
  SlotVectors position;
  SlotNumbers type, level;
  const std::uint32_t* used;
  Region slice;
  std::uint32_t types;
  float diameter[kMostTypes];

  static SlotFilter of(const ParticlesView& from, const Structures& scene) {
    CELLSCOPE_ASSERT(!from.diameters.empty() && from.diameters.size() <= kMostTypes);
    SlotFilter f{from.position, from.type, from.level, from.used, scene.slice, scene.types, {}};
    for (std::size_t t = 0; t < kMostTypes; ++t)
      f.diameter[t] = from.diameters[std::min(t, from.diameters.size() - 1)];
    return f;
  }
  bool leavesOut() const { return used != nullptr || !slice.everywhere() || types != ~0u; }

  HOST_DEVICE std::uint32_t typeOf(std::size_t slot) const {
    return type ? static_cast<std::uint32_t>(type[slot]) : 0u;
  }
  HOST_DEVICE float diameterOf(std::uint32_t t) const {
    return diameter[t < kMostTypes ? t : kMostTypes - 1];
  }
  HOST_DEVICE std::int16_t levelOf(std::size_t slot) const {
    return level ? static_cast<std::int16_t>(level[slot]) : std::int16_t{0};
  }
  HOST_DEVICE bool shows(std::size_t slot) const {
    if (used && slot >= *used) return false;
    const std::uint32_t t = typeOf(slot);
    if (t < kMostTypes && (types & (1u << t)) == 0) return false;
    const Vec3d r = position[slot];
    return r.x >= slice.lo[0] && r.x <= slice.hi[0] && r.y >= slice.lo[1] && r.y <= slice.hi[1] &&
           r.z >= slice.lo[2] && r.z <= slice.hi[2];
  }
};

// Kernels that may leave out instances (sim/layers/layer.h): shows(i), instance(i).
struct PackParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 4096;

  SlotFilter filter;
  SlotVectors velocity;
  SlotNumbers value;
  ParticleColour colour;
  std::size_t slots;
  PointInstance* out = nullptr;

  std::size_t items() const { return slots; }
  std::size_t capacity() const { return slots; }
  bool leavesOut() const { return filter.leavesOut(); }

  HOST_DEVICE float valueOf(std::size_t slot, std::uint32_t type) const {
    if (colour == ParticleColour::type) return static_cast<float>(type);
    if (colour == ParticleColour::values) return value ? static_cast<float>(value[slot]) : 0.0f;
    if (colour == ParticleColour::plain || !velocity) return 0.0f;
    const Vec3d v = velocity[slot];
    return static_cast<float>(sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  }
  HOST_DEVICE bool shows(std::size_t slot) const { return filter.shows(slot); }
  HOST_DEVICE PointInstance instance(std::size_t slot) const {
    const Vec3d r = filter.position[slot];
    const std::uint32_t type = filter.typeOf(slot);
    return {static_cast<float>(r.x),         static_cast<float>(r.y), static_cast<float>(r.z),
            filter.diameterOf(type),         valueOf(slot, type),     filter.levelOf(slot),
            static_cast<std::uint16_t>(type)};
  }
};

// From the surface of a particle along its velocity, `length` long per unit of speed. Value: speed.
HOST_DEVICE LineInstance arrowAlong(Vec3d r, Vec3d v, float diameter, double length,
                                    std::int16_t level, std::uint32_t type) {
  const double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  const double radius = 0.5 * static_cast<double>(diameter);
  const double from = speed > 0 ? radius / speed : 0.0, to = speed > 0 ? from + length : 0.0;
  return {{static_cast<float>(r.x + from * v.x), static_cast<float>(r.y + from * v.y),
           static_cast<float>(r.z + from * v.z)},
          {static_cast<float>(r.x + to * v.x), static_cast<float>(r.y + to * v.y),
           static_cast<float>(r.z + to * v.z)},
          static_cast<float>(speed),
          level,
          static_cast<std::uint16_t>(type)};
}

struct PackArrows {
  using Instance = LineInstance;
  static constexpr const char* kName = "pack velocities";
  static constexpr int kGrain = 4096;

  SlotFilter filter;
  SlotVectors velocity;
  double length;
  std::size_t slots;
  LineInstance* out = nullptr;

  std::size_t items() const { return slots; }
  std::size_t capacity() const { return slots; }
  bool leavesOut() const { return filter.leavesOut(); }

  HOST_DEVICE bool shows(std::size_t slot) const { return filter.shows(slot); }
  HOST_DEVICE LineInstance instance(std::size_t slot) const {
    const std::uint32_t type = filter.typeOf(slot);
    return arrowAlong(filter.position[slot], velocity[slot], filter.diameterOf(type), length,
                      filter.levelOf(slot), type);
  }
};

class ParticlesLayer final : public Layer {
 public:
  // types: names of the species, where the layer can show some of them only.
  explicit ParticlesLayer(const std::string& help, std::vector<std::string> types = {})
      : Layer({kParticles,
               "Particles",
               help,
               Primitive::points,
               true,
               LayerGroup::particles,
               types.size() < 2 ? std::vector<LayerOption>{opacityOption()}
                                : std::vector<LayerOption>{opacityOption(), typesOption(types)},
               {{kPicked, "picked particle"}}},
              bit(Need::particles)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.slots) return to.add(layerOf(info(), from.packed, "there are no particles"));
    const ParticlesView& p = *from.slots;
    if (p.slots == 0) return to.add(nothing(info(), "there are no particles"));
    LayerData layer = packedLayer(info(),
                                  to.packer->pack(PackParticles{SlotFilter::of(p, from), p.velocity,
                                                                p.value, p.colour, p.slots}),
                                  p.scale);
    layer.diameter = *std::max_element(p.diameters.begin(), p.diameters.end());
    to.add(std::move(layer));
  }
};

class VelocitiesLayer final : public Layer {
 public:
  VelocitiesLayer()
      : Layer({kVelocities,
               "Velocities",
               "From the surface of each particle along its velocity; half a sigma long per "
               "sigma/tau.",
               Primitive::lines,
               false,
               LayerGroup::particles,
               {opacityOption()},
               {}},
              bit(Need::velocities)) {}
  void draw(const Structures& from, Canvas& to) const override {
    const std::string reason = "the particles have no velocities";
    LayerData layer = from.slots && from.slots->velocity ? arrows(from, to)
                                                         : layerOf(info(), from.velocities, reason);
    layer.scale.marks = {Mark::arrow};
    to.add(std::move(layer));
  }

 private:
  LayerData arrows(const Structures& from, Canvas& to) const {
    const ParticlesView& p = *from.slots;
    return packedLayer(
        info(),
        to.packer->pack(PackArrows{SlotFilter::of(p, from), p.velocity, p.arrowLength, p.slots}),
        p.arrowScale);
  }
};

}  // namespace cellscope::layers
