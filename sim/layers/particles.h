// Particles of any mode as spheres or disks, and their velocities as arrows; above them the
// colourings of molecular dynamics, of which the first is the default.
#pragma once
#include "sim/algo/md/particles_lent.h"
#include "sim/api/frame.h"
#include "sim/base/box.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

// What colourings of molecular dynamics know: the run as it is now, and one particle as the kernel
// sees it. First bits of ChosenColouring::needs.
inline constexpr std::uint32_t kMdEnergies = 1, kMdNeighbours = 2;

struct MdColourState {
  // Neighbour lists: not used by the method, due but not begun, being built phase by phase,
  // complete.
  enum class Lists { unused, due, beingBuilt, complete };
  std::int64_t n = 0;
  int dimension = 3;
  double temperature = 1, density = 1;
  double buffer = 0;
  // Mean numbers of neighbours, of the types that have fewest and most.
  double fewest = 0, most = 0;
  Lists lists = Lists::unused;
  std::int32_t tile = 64;          // n_B of S2
  std::int64_t cells = 0;          // placeholder cells; 0: none
  std::vector<std::string> types;  // their names
  int domains = 1;
};

struct MdSeen {
  const ParticlesLent& from;
  LentParticle at;
};

// Up to 3 sqrt(T): in space 3 % of the particles of mass 1 are faster (Maxwell distribution).
inline ColourScale speedScale(double temperature) {
  return sequential("speed", "sigma/tau", 0, static_cast<float>(3.0 * std::sqrt(temperature)));
}

struct MdSpeed {
  static ColouringInfo info() { return {"speed", "Speed", "Speed of each particle."}; }
  static ColourScale scale(const MdColourState& s) { return speedScale(s.temperature); }
  HOST_DEVICE static float value(const MdSeen& p) {
    const Vec3d v = p.from.velocity[p.at.number];
    return static_cast<float>(sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  }
};

struct MdEnergy {
  static constexpr std::uint32_t kNeeds = kMdEnergies;
  static ColouringInfo info() {
    return {"energy", "Potential energy",
            "Half the energy of all pairs that a particle is part of."};
  }
  static std::string missing(const MdColourState& s) {
    return s.lists == MdColourState::Lists::beingBuilt ? "energies come with the list" : "";
  }
  // The mean energy is about -5.5 epsilon times the density, or -2.9 in the plane, where there are
  // half as many neighbours; the liquid's particles scatter by one epsilon about it.
  static ColourScale scale(const MdColourState& s) {
    const bool space = s.dimension == 3;
    const auto mean = static_cast<float>((space ? -5.5 : -2.9) * s.density);
    const float about = space ? 2.5f : 1.5f;
    return sequential("potential energy", "epsilon", mean - about, std::min(0.0f, mean + about));
  }
  HOST_DEVICE static float value(const MdSeen& p) { return p.from.energyOf(p.at.number); }
};

struct MdType {
  static ColouringInfo info() { return {"type", "Type", "The species of each particle."}; }
  static ColourScale scale(const MdColourState& s) {
    const bool colloids = s.types == std::vector<std::string>{"S", "C"};
    return categories("type",
                      colloids ? std::vector<std::string>{"solvent (S)", "colloid (C)"} : s.types);
  }
  HOST_DEVICE static float value(const MdSeen& p) { return static_cast<float>(p.at.type); }
};

struct MdDisplacement {
  static ColouringInfo info() {
    return {"displacement", "Moved since the list",
            "How far each particle has moved since the lists were built: at half the buffer they "
            "are built again. With lists only."};
  }
  static std::string missing(const MdColourState& s) {
    return s.lists == MdColourState::Lists::unused ? "no lists, or not complete" : "";
  }
  static ColourScale scale(const MdColourState& s) {
    const auto most = static_cast<float>(0.5 * s.buffer);
    return sequential("moved since the last list", "sigma", 0, most > 0 ? most : 0.05f);
  }
  HOST_DEVICE static float value(const MdSeen& p) {
    const std::size_t i = p.at.number;
    return sqrtf(p.from.box.distanceSquared(p.from.record[i], p.from.built[i]));
  }
};

struct MdListed {
  static constexpr std::uint32_t kNeeds = kMdNeighbours;
  static ColouringInfo info() {
    return {"neighbours", "Neighbours",
            "Length of each particle's neighbour list: all within cutoff and buffer when it was "
            "built. With methods without lists: others within the cutoff now, each once."};
  }
  static std::string missing(const MdColourState& s) {
    using Lists = MdColourState::Lists;
    return s.lists == Lists::complete || s.lists == Lists::unused ? "" : "lists are not complete";
  }
  // About the means in a uniform fluid; of a thin one, which may have parted into two phases, up to
  // those in a liquid. Of several types the means themselves differ.
  static ColourScale scale(const MdColourState& s) {
    constexpr double kLiquid = 0.85;  // density
    const bool listed = s.lists == MdColourState::Lists::complete, mixed = s.types.size() > 1;
    const double about = mixed ? 1.2 : std::max(1.5, kLiquid / s.density);
    return counting(listed ? "neighbours in the list" : "within the cutoff", "",
                    static_cast<float>(std::floor((mixed ? 0.8 : 0.5) * s.fewest)),
                    static_cast<float>(std::ceil(about * s.most)) + 1);
  }
  HOST_DEVICE static float value(const MdSeen& p) {
    return static_cast<float>(p.from.listed[p.at.number]);
  }
};

struct MdTile {
  static ColouringInfo info() {
    return {"tile", "Tile",
            "The block of n_B threads that holds the particle (van Meel et al. 2008, figure 2); "
            "with lists: n_B consecutive particles in memory, which lie along a space-filling "
            "curve; with placeholder cells: the cell."};
  }
  static ColourScale scale(const MdColourState& s) {
    const std::int64_t last = s.cells > 0 ? s.cells - 1 : (s.n - 1) / s.tile;
    return counting(s.cells > 0 ? "cell (block)" : "tile (block)", "", 0,
                    std::max(static_cast<float>(last), 1.0f));
  }
  HOST_DEVICE static float value(const MdSeen& p) {
    return static_cast<float>(p.at.item / static_cast<std::size_t>(p.from.block));
  }
};

struct MdDomain {
  static ColouringInfo info() {
    return {"domain", "Domain",
            "The domain (GPU or thread) that computes the forces on each particle and moves it, "
            "and whether it stands in the lists of another one, which has a copy (halo)."};
  }
  static std::string missing(const MdColourState& s) {
    return s.domains > 1 ? "" : "there is one domain; start with --domains 2";
  }
  static ColourScale scale(const MdColourState& s) { return domainScale(s.domains); }
  HOST_DEVICE static float value(const MdSeen& p) {
    const auto slot = static_cast<std::uint32_t>(p.at.item);
    const int q = p.from.domains.of(slot);
    return static_cast<float>(2 * (q % 3) + (p.from.copied.has(q, slot) ? 1 : 0));
  }
};

using MdColourings = ColouringList<MdSpeed, MdEnergy, MdTile, MdType, MdListed, MdDisplacement,
                                   MdDomain, PlainParticles>;

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
