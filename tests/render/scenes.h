// Scenes of the picture tests: small, fixed, and independent of the simulation.
#pragma once
#include "render/renderer.h"
#include "sim/layers/layers.h"

namespace cellscope::render::test {

inline constexpr float kPi = 3.14159265f;

// Uniform in [0, 1): splitmix64, so that scenes never change with a library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  float operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<float>((z ^ (z >> 31)) >> 40) / 16777216.0f;
  }

 private:
  std::uint64_t state_;
};

inline Box plane(double x, double y) { return {2, {x, y, 1}}; }
inline Box space(double x) { return {3, {x, x, x}}; }
inline Frame frameOf(const Box& box, std::vector<LayerData> layers = {}) {
  return {.box = box, .layers = std::move(layers)};
}

// One point in memory whose transfers do not work.
inline LayerData brokenLayer(MemorySpace where) {
  struct Broken : FrameBuffer {
    explicit Broken(MemorySpace w) : where(w) {}
    std::size_t bytes() const override { return sizeof(PointInstance); }
    MemorySpace space() const override { return where; }
    void copyTo(void*, MemorySpace) const override { throw RunError("the device was lost"); }
    MemorySpace where;
  };
  return {"broken", Primitive::points, 1, std::make_shared<Broken>(where), {}};
}

inline ColourScale marked(Mark mark) { return {ColourKind::plain, "", "", 0, 1, {}, {mark}}; }

// nx x ny disks of diameter 1 on a triangular lattice of the given spacing, shaken by `noise`.
inline std::vector<PointInstance> lattice(int nx, int ny, float spacing, float noise) {
  Dice dice(7);
  std::vector<PointInstance> disks;
  const float row = spacing * 0.8660254f;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const float x = (static_cast<float>(i) + (j % 2 ? 0.75f : 0.25f)) * spacing;
      const float y = (static_cast<float>(j) + 0.5f) * row;
      disks.push_back({x + noise * (dice() - 0.5f), y + noise * (dice() - 0.5f), 0, 1, 0, 0});
    }
  return disks;
}
inline Box latticeBox(int nx, int ny, float spacing) {
  return plane(nx * spacing, ny * spacing * 0.8660254f);
}

inline Frame hueWheelDisks() {
  const int nx = 20, ny = 17;
  const Box box = latticeBox(nx, ny, 1.12f);
  auto disks = lattice(nx, ny, 1.12f, 0.1f);
  const float cx = static_cast<float>(box.length[0]) / 2;
  const float cy = static_cast<float>(box.length[1]) / 2;
  for (auto& d : disks) d.value = std::atan2(d.y - cy, d.x - cx);
  return frameOf(box, {layerOf("particles", disks, {ColourKind::hueWheel, "phase", "rad"})});
}

// Sets a, b, c, d of a checkerboard; set `active` at full opacity, or all.
inline Frame checkerboardSets(int cells, int active, int perCell) {
  const float w = 1.35f;
  std::vector<BoxInstance> boxes;
  std::vector<PointInstance> disks;
  Dice dice(11);
  for (int y = 0; y < cells; ++y)
    for (int x = 0; x < cells; ++x) {
      const int set = (x & 1) | ((y & 1) << 1);
      const auto level = static_cast<std::int16_t>(active < 0 || active == set ? set : -1);
      const float lx = static_cast<float>(x) * w, ly = static_cast<float>(y) * w;
      boxes.push_back({{lx, ly, 0}, {lx + w, ly + w, 0}, static_cast<float>(set), level});
      for (int i = 0; i < perCell; ++i)
        disks.push_back({lx + 0.45f + 0.45f * dice(), ly + 0.45f + 0.45f * dice(), 0, 1, 0, 0});
    }
  const std::vector<Mark> marks = {Mark::setA, Mark::setB, Mark::setC, Mark::setD};
  const ColourScale sets{ColourKind::categorical, "set", "", 0, 3, {"a", "b", "c", "d"}, marks};
  return frameOf(plane(cells * w, cells * w),
                 {layerOf("particles", disks, {ColourKind::plain}), layerOf("sets", boxes, sets)});
}

// Disks with mean + amplitude times a wave of values.
inline Frame waveOfDisks(float mean, float amplitude, const ColourScale& scale) {
  const int nx = 40, ny = 34;
  auto disks = lattice(nx, ny, 1.15f, 0.12f);
  for (auto& d : disks)
    d.value = mean + amplitude * std::sin(0.22f * d.x) * std::cos(0.17f * d.y + 0.4f);
  return frameOf(latticeBox(nx, ny, 1.15f), {layerOf("particles", disks, scale)});
}
inline Frame psi6Magnitude() {
  return waveOfDisks(0.5f, 0.5f, {ColourKind::sequential, "|psi6|", "", 0, 1});
}
inline Frame signedValues() {
  return waveOfDisks(0, 1, {ColourKind::diverging, "energy", "eps", -0.7f, 1});
}

// Simple cubic lattice, shaken; coloured by height.
inline Frame spheres(int n, const ColourScale& scale) {
  const float a = 1.15f;
  Dice dice(3);
  std::vector<PointInstance> balls;
  const auto near = [&](int k) {
    return (static_cast<float>(k) + 0.5f + 0.35f * (dice() - 0.5f)) * a;
  };
  for (int i = 0; i < n * n * n; ++i) {
    const float x = near(i % n), y = near(i / n % n), z = near(i / n / n);
    balls.push_back({x, y, z, 1, z / (static_cast<float>(n) * a),
                     static_cast<std::int16_t>(i % 37 == 0 ? -1 : 0)});
  }
  return frameOf(space(n * a), {layerOf("particles", balls, scale)});
}

inline Frame spheresWithBoxes() {
  Frame frame = spheres(4, {ColourKind::plain});
  const float h = static_cast<float>(frame.box.length[0]) / 2;
  std::vector<BoxInstance> boxes;
  for (int i = 0; i < 8; ++i) {
    const float x = i & 1 ? h : 0, y = i & 2 ? h : 0, z = i & 4 ? h : 0;
    boxes.push_back({{x, y, z}, {x + h, y + h, z + h}, static_cast<float>(i % 4), 0});
  }
  std::vector<LineInstance> lines = {{{0, 0, 0}, {2 * h, 2 * h, 2 * h}, 0, 0}};
  frame.layers.push_back(
      layerOf("boxes", boxes, {ColourKind::categorical, "level", "", 0, 3, {"0", "1", "2", "3"}}));
  frame.layers.push_back(layerOf("line", lines, {ColourKind::sequential, "", "", -1, 0}));
  return frame;
}

// Rings of each kind around disks, and moves with a casing.
inline Frame rings() {
  std::vector<PointInstance> disks, marks;
  std::vector<LineInstance> moves;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 7; ++i) {
      const float x = 1.0f + static_cast<float>(i), y = 1.0f + static_cast<float>(j);
      disks.push_back({x, y, 0, 0.9f, 0, 0});
      if ((i + j) % 2 == 0)
        marks.push_back({x, y, 0, 0.9f, static_cast<float>((i / 2 + j) % 3), 0});
      else
        moves.push_back({{x - 0.2f, y - 0.1f, 0}, {x + 0.2f, y + 0.1f, 0}, 1, 0});
    }
  ColourScale scale{ColourKind::categorical, "r", "", 0, 1, {"thin", "dashed", "thick"}};
  ColourScale ofMoves = scale;
  scale.marks = {Mark::tested, Mark::blocking, Mark::picked};
  ofMoves.marks = {Mark::accepted, Mark::overlap, Mark::leftCell};
  return frameOf(plane(8, 6), {layerOf("particles", disks, {}), layerOf("rings", marks, scale),
                               layerOf("moves", moves, ofMoves)});
}

// Cells with their numbers, and remarks beside disks that give way to each other.
inline Frame labels() {
  Frame frame = checkerboardSets(4, -1, 1);
  std::vector<LabelInstance> numbers, remarks;
  const auto w = static_cast<float>(frame.box.length[0] / 4);
  for (int cell = 0; cell < 16; ++cell) {
    const float at[3] = {(static_cast<float>(cell % 4) + 0.5f) * w,
                         (static_cast<float>(cell / 4) + 0.5f) * w, 0};
    numbers.push_back(labelOf(at, std::to_string(cell)));
    if (cell % 5 != 0) continue;
    for (const char* text : {"accepted", "overlaps 7", "left cell", "no room"})
      remarks.push_back(labelOf(at, text));
  }
  frame.layers.push_back(layerOf("numbers", numbers, marked(Mark::text)));
  frame.layers.push_back(layerOf("remarks", remarks, marked(Mark::picked)));
  return frame;
}

// Two species in space, with the faces of two boxes.
inline Frame species() {
  Frame frame = spheres(5, {ColourKind::categorical, "species", "", 0, 1, {"small", "large"}});
  LayerData& particles = frame.layers[0];
  std::vector<PointInstance> balls(particles.count);
  particles.buffer->copyTo(balls.data(), MemorySpace::host);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    balls[i].type = i % 3 == 0 ? 1 : 0;
    balls[i].diameter = i % 3 == 0 ? 1.1f : 0.6f;
    balls[i].value = balls[i].type;
    balls[i].level = 0;
  }
  particles = layerOf("particles", balls, particles.scale);
  return frame;
}

// A vortex of arrows over plain lines.
inline Frame arrows() {
  std::vector<LineInstance> field, grid;
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 16; ++i) {
      const float x = static_cast<float>(i) + 0.5f, y = static_cast<float>(j) + 0.5f;
      const float dx = -(y - 6) * 0.12f, dy = (x - 8) * 0.12f;
      field.push_back(
          {{x - dx / 2, y - dy / 2, 0}, {x + dx / 2, y + dy / 2, 0}, std::hypot(dx, dy), 0});
    }
  for (int i = 0; i <= 16; i += 2)
    grid.push_back({{static_cast<float>(i), 0, 0}, {static_cast<float>(i), 12, 0}, 6, -1});
  return frameOf(
      plane(16, 12),
      {layerOf("grid", grid, {ColourKind::categorical, "", "", 0, 7}),
       layerOf("field", field, {ColourKind::sequential, "v", "", 0, 1.2f, {}, {Mark::arrow}})});
}

// n x n jittered square lattice at packing fraction `packing`, in a box of side n: far more disks
// than pixels. A stripe pattern of values shows the density in colour.
inline Frame manyDisks(int n, float packing) {
  Dice dice(5);
  const float diameter = std::sqrt(packing * 4 / kPi);
  std::vector<PointInstance> disks;
  for (int i = 0; i < n * n; ++i) {
    const float x = static_cast<float>(i % n) + dice(), y = static_cast<float>(i / n) + dice();
    const float value =
        std::atan2(y - 0.5f * static_cast<float>(n), x - 0.5f * static_cast<float>(n));
    disks.push_back({x, y, 0, diameter, value, 0});
  }
  return frameOf(plane(n, n),
                 {layerOf("particles", disks, {ColourKind::hueWheel, "phase", "rad"})});
}

}  // namespace cellscope::render::test
