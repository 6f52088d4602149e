// The neighbour list of a file: its box and cells of any shape, its tree, and its wrong pairs.
#pragma once
#include "sim/algo/list_check/check.h"
#include "sim/base/words.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// What the mode lends.
struct PairListView {
  const PairList* list = nullptr;
  const list_check::Report* report = nullptr;
  const list_check::Lattice* lattice = nullptr;
  const std::vector<Vec3d>* at = nullptr;  // of each particle, in the box and in the picture
  Vec3d low{0, 0, 0};                      // corner of the picture, as the file counts
  int dimension = 3;
  float diameter = 1;               // as particles are drawn
  std::vector<std::size_t> picked;  // one particle, or both of a pair

  // In the picture: a point at these fractions of the box.
  Vec3d corner(const double (&f)[3]) const {
    const auto& m = lattice->row;
    const auto along = [&](int k) { return f[0] * m[0][k] + f[1] * m[1][k] + f[2] * m[2][k]; };
    return {along(0) - low.x, along(1) - low.y, dimension == 3 ? along(2) - low.z : 0};
  }
  bool has(std::int64_t i) const { return i >= 0 && i < static_cast<std::int64_t>(at->size()); }
  // From particle i to the image of j; false where one of them does not exist.
  bool ends(const list_check::Wrong& w, Vec3d& a, Vec3d& b) const {
    if (!has(w.i) || !has(w.j)) return false;
    const auto i = static_cast<std::size_t>(w.i), j = static_cast<std::size_t>(w.j);
    const double *const r = &list->position[3 * i], *const q = &list->position[3 * j];
    const Vec3d s = lattice->vector(w.shift);
    a = (*at)[i];
    b = {a.x + q[0] - r[0] + s.x, a.y + q[1] - r[1] + s.y,
         dimension == 3 ? a.z + q[2] - r[2] + s.z : 0};
    return true;
  }
  // Ends at the surfaces of both particles, unless these touch.
  void trim(Vec3d& a, Vec3d& b) const {
    const Vec3d d = b - a;
    const double f = diameter / 2 / std::sqrt(dot(d, d));
    if (!(f < 0.4)) return;
    a = a + f * d, b = b - f * d;
  }
};

class PairListLayer : public Layer {
 public:
  using Layer::Layer;
  void draw(const Structures& from, Canvas& to) const override {
    if (const auto* const view = from.find<PairListView>()) to.add(drawn(*view));
  }

 protected:
  virtual LayerData drawn(const PairListView& v) const = 0;
};

// Walls along each vector: those of the box, or of the cells.
class ListWallsLayer final : public PairListLayer {
 public:
  static constexpr double kMostLines = 200'000;
  enum class Of { box, cells };
  explicit ListWallsLayer(Of of)
      : PairListLayer(of == Of::box ? kBox : kCells, of == Of::box ? "Box" : "Cell walls",
                      of == Of::box ? "The box of the file, which may be tilted."
                                    : "The walls of the cells of the file ('cell_dims').",
                      Primitive::lines, of == Of::box, LayerGroup::cells, 0, {opacityOption()}),
        of_(of) {}

 private:
  LayerData drawn(const PairListView& v) const override {
    std::int64_t cells[3] = {1, 1, 1};
    if (of_ == Of::cells) std::copy_n(v.list->cells.dims, 3, cells);
    double all = 0;
    for (int a = 0; a < 3; ++a)
      all += static_cast<double>(cells[a] + 1) * static_cast<double>(cells[(a + 1) % 3] + 1);
    if (all > kMostLines) return nothing(info(), "there are too many cells to be drawn");
    std::vector<LineInstance> lines;
    for (int a = 0; a < v.dimension; ++a) addAlong(v, a, cells, lines);
    const Mark mark = of_ == Of::box ? Mark::outline : Mark::cellOutline;
    return layerOf(info().key, lines, plainScale(info().label, {mark}));
  }
  // Along vectors of zeros there is no box.
  static void addAlong(const PairListView& v, int a, const std::int64_t (&cells)[3],
                       std::vector<LineInstance>& lines) {
    const double* const row = v.list->cell + 3 * a;
    if (row[0] == 0 && row[1] == 0 && row[2] == 0) return;
    const int b = (a + 1) % v.dimension, c = 3 - a - b;
    const std::int64_t last = v.dimension == 3 ? cells[c] : 0;
    for (std::int64_t p = 0; p <= cells[b]; ++p)
      for (std::int64_t q = 0; q <= last; ++q) {
        double f[3], g[3];
        f[a] = 0, g[a] = 1;
        f[b] = g[b] = static_cast<double>(p) / static_cast<double>(cells[b]);
        f[c] = g[c] = static_cast<double>(q) / static_cast<double>(cells[c]);
        lines.push_back(lineBetween(v.corner(f), v.corner(g)));
      }
  }

  Of of_;
};

class ListTreeLayer final : public PairListLayer {
 public:
  ListTreeLayer()
      : PairListLayer(kTree, "Tree boxes", "The boxes of the tree of the file ('lower', 'upper').",
                      Primitive::boxes, false, LayerGroup::trees, 0,
                      {opacityOption(),
                       levelsOption("Levels", "Boxes of these levels are shown; a root has 0.", 0,
                                    63, {}, 4)}) {}

 private:
  // Of each node below its root; -1: on no way down from one.
  static std::vector<int> depths(const ListedTree& t) {
    const std::vector<std::int64_t> parent = t.parents();
    std::vector<int> depth(t.size(), -1);
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < t.size(); ++k)
      if (parent[k] < 0) open.push_back(k), depth[k] = 0;
    for (std::size_t next = 0; next < open.size(); ++next)
      for (const std::int64_t child : {t.left[open[next]], t.right[open[next]]}) {
        const auto c = static_cast<std::size_t>(child);
        if (t.has(child) && depth[c] < 0) depth[c] = depth[open[next]] + 1, open.push_back(c);
      }
    return depth;
  }
  LayerData drawn(const PairListView& v) const override {
    const ListedTree& t = v.list->tree;
    const std::vector<int> depth = depths(t);
    std::vector<BoxInstance> boxes;
    int deepest = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (depth[k] < 0) continue;
      deepest = std::max(deepest, depth[k]);
      BoxInstance b{};
      for (int a = 0; a < v.dimension; ++a) {
        const std::size_t place = 3 * k + static_cast<std::size_t>(a);
        b.lo[a] = static_cast<float>(t.lower[place] - v.low[a]);
        b.hi[a] = static_cast<float>(t.upper[place] - v.low[a]);
      }
      b.value = static_cast<float>(depth[k]);
      b.level = static_cast<std::int16_t>(std::min(depth[k], 32767));
      b.type = t.left[k] >= 0 || t.right[k] >= 0 ? kHoldsBoxes : 0;
      boxes.push_back(b);
    }
    LayerData layer =
        layerOf(info().key, boxes,
                counting("level of the tree", "", 0, static_cast<float>(deepest), {Mark::outline}));
    layer.lastLevel = deepest;
    return layer;
  }
};

// The pairs of one kind: lines, from the first particle to the image of the second one, which has a
// ring where it is not the particle itself; or marks where there is but one particle.
class WrongPairsLayer final : public PairListLayer {
 public:
  using Kind = list_check::Kind;
  WrongPairsLayer(Kind kind, Mark mark, const char* help)
      : PairListLayer(keyOf(kind), labelOf(kind), help,
                      isPoint(kind) ? Primitive::points : Primitive::lines, true, LayerGroup::pairs,
                      0, {opacityOption()}, partsOf(kind)),
        kind_(kind),
        mark_(mark) {}
  static std::string nameOf(Kind kind) { return list_check::kKindNames[static_cast<int>(kind)]; }
  static std::string labelOf(Kind kind) { return capitalised(nameOf(kind)); }
  static std::string keyOf(Kind kind) {
    std::string key = nameOf(kind);
    for (char& c : key) c = c == ' ' || c == '-' ? '_' : c;
    return key;
  }

 private:
  static bool isPoint(Kind kind) { return kind == Kind::self || kind == Kind::outOfRange; }
  static std::vector<LayerPart> partsOf(Kind kind) {
    if (isPoint(kind)) return {};
    return {{keyOf(kind) + "_images", "images of particles"}};
  }
  LayerData drawn(const PairListView& v) const override {
    std::vector<LineInstance> lines;
    std::vector<PointInstance> points;
    Vec3d a, b;
    for (const list_check::Wrong& w : v.report->wrong) {
      if (w.kind != kind_) continue;
      const std::int64_t one = v.has(w.i) ? w.i : w.j;
      if (!isPoint(kind_)) {
        if (!v.ends(w, a, b)) continue;
        v.trim(a, b);
        lines.push_back(kind_ == Kind::oneSided ? lineBetween(b, a) : lineBetween(a, b));
      } else if (v.has(one)) {
        const Vec3d& r = (*v.at)[static_cast<std::size_t>(one)];
        points.push_back(pointAt(r, 0, v.diameter));
      }
    }
    const std::uint64_t count = v.report->count[static_cast<std::size_t>(kind_)];
    ColourScale scale =
        categories(static_cast<int>(kind_) < list_check::kFaults ? "wrong pairs" : "changed pairs",
                   {nameOf(kind_) + ": " + std::to_string(count)}, {mark_});
    LayerData layer = isPoint(kind_) ? layerOf(info().key, points, std::move(scale))
                                     : layerOf(info().key, lines, std::move(scale));
    layer.over = !isPoint(kind_);
    if (count > 0 && layer.count == 0) layer.reason = "neither number is that of a particle";
    return layer;
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    const auto* const v = from.find<PairListView>();
    if (!v || isPoint(kind_)) return;
    std::vector<PointInstance> points;
    Vec3d a, b;
    for (const list_check::Wrong& w : v->report->wrong) {
      if (w.kind != kind_ || !v->ends(w, a, b)) continue;
      const Vec3d& r = (*v->at)[static_cast<std::size_t>(w.j)];
      const double away = std::abs(b.x - r.x) + std::abs(b.y - r.y) + std::abs(b.z - r.z);
      if (away > v->diameter) points.push_back(pointAt(b, 0, v->diameter));
    }
    if (!points.empty())
      to.add(layerOf(info().parts[0].key, points,
                     categories("images", {"image of a particle"}, {Mark::tested})));
  }

  Kind kind_;
  Mark mark_;
};

}  // namespace cellscope::layers
