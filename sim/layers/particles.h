// Particles of any mode as spheres or disks, and their velocities as arrows.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/api/frame.h"
#include "sim/base/box.h"
#include "sim/layers/colouring_md.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Layers as an engine packed them: lines to the neighbours of a particle.

// The instances that an engine packed, or why there are none.
inline LayerData layerOf(const LayerInfo& info, const std::optional<LayerData>& packed,
                         const std::string& reason) {
  if (!packed) return nothing(info, reason);
  LayerData layer = *packed;
  layer.key = info.key;
  layer.primitive = info.primitive;
  return layer;
}

struct NeighboursLayer final : Layer {
  NeighboursLayer()
      : Layer(kNeighbours, "Neighbours",
              "Lines from the picked particle to all within the cutoff, to their nearest images. "
              "Lists are compared with all pairs: what is within the cutoff and not listed is "
              "thick and red, also without a picked particle where there are up to 2000 particles "
              "(10,000 while paused).",
              Primitive::lines, true, LayerGroup::picked, bit(Need::neighbours), {opacityOption()},
              {{kWrongPartners, "others of its wrong pairs"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    LayerData lines = layerOf(info(), from.neighbours, from.noNeighbours);
    lines.over = true;  // other particles would hide them
    if (lines.scale.marks.empty()) lines.scale.marks = {Mark::neighbour};
    to.add(std::move(lines));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.wrongPartners.empty())
      to.add(layerOf(kWrongPartners, from.wrongPartners,
                     categories("its wrong pairs", {"with these"}, {Mark::wrongPartner})));
  }
};

// The box of the simulation.
struct BoxLayer final : Layer {
  BoxLayer()
      : Layer(kBox, "Box", "The periodic box.", Primitive::boxes, false, LayerGroup::cells, 0) {}
  void draw(const Structures& from, Canvas& to) const override {
    const double* const side = from.box.length;
    const BoxInstance whole =
        boxAt({0, 0, 0}, {side[0], side[1], from.box.dimension == 3 ? side[2] : 0});
    to.add(layerOf<BoxInstance>(info().key, {whole}, plainScale("Box", {Mark::outline})));
  }
};

struct ParticlesLayer final : Layer {
  // types: names of the species, where the layer can show some of them only.
  explicit ParticlesLayer(const std::string& help, std::vector<std::string> types = {})
      : Layer(kParticles, "Particles", help, Primitive::points, true, LayerGroup::particles,
              bit(Need::particles),
              types.size() < 2
                  ? std::vector<LayerOption>{opacityOption()}
                  : std::vector<LayerOption>{opacityOption(),
                                             {LayerOption::Kind::types, "Types",
                                              "Particles of these species are shown.", 0,
                                              static_cast<double>(types.size()) - 1, types}},
              {{kPicked, "picked particle"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    to.add(layerOf(info(), from.packed, "there are no particles"));
  }
};

struct VelocitiesLayer final : Layer {
  VelocitiesLayer()
      : Layer(kVelocities, "Velocities",
              "From the surface of each particle along its velocity; half a sigma long per "
              "sigma/tau.",
              Primitive::lines, false, LayerGroup::particles, bit(Need::velocities),
              {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    LayerData layer = layerOf(info(), from.velocities, "the particles have no velocities");
    layer.scale.marks = {Mark::arrow};
    to.add(std::move(layer));
  }
};

// What a single step or phase did: to every particle, or in every move.

// Marks where moves ended, and lines along their displacements, both of the scale of the mode.
class MovesLayer final : public Layer {
 public:
  // whyNone: the reason given while there is nothing to show.
  MovesLayer(const std::string& help, std::string whyNone, std::vector<std::string> names,
             std::vector<Mark> marks)
      : Layer(kMoves, "Last moves", help, Primitive::points, true, LayerGroup::events,
              bit(Need::moves), {opacityOption()}, {{kMovePaths, "displacements"}}),
        whyNone_(std::move(whyNone)),
        scale_(categories("last moves", std::move(names), std::move(marks))) {}
  void draw(const Structures& from, Canvas& to) const override {
    static const MovesView none;
    const MovesView& moves = from.moves ? *from.moves : none;
    ColourScale scale = scale_;
    if (moves.parts > 0) scale.categories.resize(moves.parts), scale.marks.resize(moves.parts);
    LayerData marks = layerOf(info().key, moves.marks, scale);
    LayerData paths = layerOf(kMovePaths, moves.paths, scale);
    if (moves.marks.empty()) marks.reason = whyNone_;
    marks.events = paths.events = true;
    to.add(std::move(marks));
    to.add(std::move(paths));
  }

 private:
  std::string whyNone_;
  ColourScale scale_;
};

// Particles of molecular dynamics where their engine keeps them, and their velocities.

// Spheres of the diameter of their species, by number.
struct PackMdParticles {
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 1024;

  ParticlesLent from;
  std::int32_t colouring;  // index in MdColourings
  PointInstance* out = nullptr;

  std::size_t items() const { return from.items(); }
  std::size_t capacity() const { return from.n; }
  HOST_DEVICE void operator()(std::size_t item) const {
    LentParticle p;
    if (!from.at(item, p)) return;
    const Vec3d r = from.position[p.number];
    out[p.number] = {static_cast<float>(r.x),
                     static_cast<float>(r.y),
                     static_cast<float>(r.z),
                     from.diameter[p.type],
                     MdColourings::value(colouring, MdSeen{from, p}),
                     0,
                     static_cast<std::uint16_t>(p.type)};
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

// Arrows along their velocities.
struct PackMdArrows {
  static constexpr const char* kName = "pack velocities";
  static constexpr int kGrain = 1024;

  ParticlesLent from;
  double length;  // per unit of speed

  std::size_t items() const { return from.n; }
  HOST_DEVICE LineInstance instance(std::size_t i) const {
    const std::uint32_t type = from.record ? from.record[i].type : 0u;
    return arrowAlong(from.position[i], from.velocity[i], from.diameter[type], length, 0, type);
  }
};

}  // namespace cellscope::layers
