// What was looked through, and what is wrong with cells or with the tree: edges and signs.
#include <fmt/format.h>

#include <numbers>

#include "sim/modes/museum/list_builder.h"

namespace cellscope::museum {

constexpr double kWithin = 0.06;    // sigma: of what is drawn in a cell, from its walls
constexpr double kAboutLeaf = 0.3;  // sigma: about a leaf, which is a point

static Vec3d middleOf(const ListedTree& t, std::int64_t node, Vec3d by) {
  const std::size_t k = 3 * static_cast<std::size_t>(node);
  return {(t.lower[k] + t.upper[k]) / 2 + by.x, (t.lower[k + 1] + t.upper[k + 1]) / 2 + by.y, 0};
}

Edges circle(Vec3d about, double radius, int sides) {
  Edges all;
  const auto at = [&](int k) {
    const double phi = 2 * std::numbers::pi * k / sides;
    return Vec3d{about.x + radius * std::cos(phi), about.y + radius * std::sin(phi), 0};
  };
  for (int k = 0; k < sides; ++k) all.emplace_back(at(k), at(k + 1));
  return all;
}

Edges ListBuilder::walls() const {
  Edges edges;
  for (int a = 0; a < 2; ++a)
    for (std::int64_t k = 0; k <= dims_[a]; ++k) {
      const double f = std::min(1.0, static_cast<double>(k) * width_[a]);
      edges.emplace_back(a == 0 ? e_.vector(f, 0) : e_.vector(0, f),
                         a == 0 ? e_.vector(f, 1) : e_.vector(1, f));
    }
  return edges;
}

void ListBuilder::outlineCell(std::int64_t c, const Shift& s, Edges& edges) const {
  double low[2], high[2];
  for (int a = 0; a < 2; ++a) {
    const auto at = static_cast<double>(a == 0 ? c % dims_[0] : c / dims_[0]);
    low[a] = at * width_[a], high[a] = std::min(1.0, (at + 1) * width_[a]);
    const double within = kWithin / e_.height(a);
    if (high[a] - low[a] > 8 * within) low[a] += within, high[a] -= within;
  }
  outline(e_.vector(s[0], s[1]),
          {{e_.vector(low[0], low[1]), e_.vector(high[0], low[1]), e_.vector(high[0], high[1]),
            e_.vector(low[0], high[1])}},
          edges);
}

void ListBuilder::outlineNode(std::int64_t node, const Shift& s, double about, Edges& edges) const {
  const double* const lo = &tree_.lower[3 * static_cast<std::size_t>(node)];
  const double* const hi = &tree_.upper[3 * static_cast<std::size_t>(node)];
  const double x[2] = {lo[0] - about, hi[0] + about}, y[2] = {lo[1] - about, hi[1] + about};
  outline(e_.vector(s[0], s[1]),
          {{{x[0], y[0], 0}, {x[1], y[0], 0}, {x[1], y[1], 0}, {x[0], y[1], 0}}}, edges);
}

// Images where the query found them, which may be beyond the box: with the particles in them.
std::vector<ListBuilder::Shape> ListBuilder::searched(std::uint32_t i) const {
  Shape box{{}, "looked through", Mark::searched};
  Shape images{{}, "looked through: images", Mark::searchedImage};
  if (e_.byTree) {
    walkImages(i, [&](std::int64_t node, bool meets, const Shift& s) {
      if (meets && particle_[static_cast<std::size_t>(node)] >= 0)
        outlineNode(node, s, kAboutLeaf, box.edges);
    });
    return {box};
  }
  const std::int64_t own = cellOf(r_[i]);
  const auto begin = order_.begin();
  const auto at = [&](std::size_t k) { return begin + static_cast<std::ptrdiff_t>(k); };
  if (std::find(at(first(own)), at(last(own)), i) == at(last(own))) return {};
  aroundCell(own, [&](std::int64_t c, const Shift& s) {
    if (bad(Bug::cellZero) && c == 0) return;
    const bool image = s != Shift{};
    outlineCell(c, s, image ? images.edges : box.edges);
    for (std::size_t k = first(c); image && k < last(c); ++k)
      ring(r_[order_[k]] + e_.vector(s[0], s[1]), images.edges);
  });
  return {box, images};
}

ListBuilder::Picture ListBuilder::faults(const Pair& pair) const {
  static constexpr std::pair<Bug, AddPart ListBuilder::*> kParts[] = {
      {Bug::thinLastCell, &ListBuilder::addThinColumn},
      {Bug::cellZero, &ListBuilder::addSkippedCell},
      {Bug::overfullCell, &ListBuilder::addFullCells},
      {Bug::tilt, &ListBuilder::addWidths},
      {Bug::mortonTie, &ListBuilder::addTies},
      {Bug::rope, &ListBuilder::addRopes},
      {Bug::floatBox, &ListBuilder::addRounded}};
  Picture all;
  for (const auto& [bug, add] : kParts)
    if (bad(bug)) (this->*add)(pair, all);
  return all;
}

// A line leads from the column, which looks like an edge of the box, to its sign.
void ListBuilder::addThinColumn(const Pair&, Picture& to) const {
  Shape thin{{}, "thin cells", Mark::skipped};
  const std::int64_t last = dims_[0] - 1;
  for (std::int64_t y = 0; y < dims_[1]; ++y) outlineCell(last + dims_[0] * y, {}, thin.edges);
  const double left = static_cast<double>(last) * width_[0];
  const Vec3d sign = e_.vector((left + 1) / 2, 1.05);
  thin.edges.emplace_back(sign, e_.vector((left + 1) / 2, 1));
  to.shapes.push_back(thin);
  to.signs.emplace_back(sign, fmt::format("last column: {:.1g} sigma wide", e_.lx * (1 - left)));
}

void ListBuilder::addSkippedCell(const Pair&, Picture& to) const {
  Shape skipped{{}, "skipped", Mark::skipped};
  outlineCell(0, {}, skipped.edges);
  constexpr int kLines = 4;  // of its hatching, each way
  for (int k = 1 - kLines; k < kLines; ++k) {
    const double f = static_cast<double>(std::abs(k)) / kLines;
    const auto at = [&](double x, double y) { return e_.vector(x * width_[0], y * width_[1]); };
    skipped.edges.emplace_back(k < 0 ? at(0, f) : at(f, 0), k < 0 ? at(1 - f, 1) : at(1, 1 - f));
  }
  to.shapes.push_back(skipped);
  to.signs.emplace_back(e_.vector(0, -0.035), "cell 0: skipped");
}

// Signs of the uppermost row stand above the box, so that they hide no pair.
void ListBuilder::addFullCells(const Pair&, Picture& to) const {
  Shape full{{}, "no more room", Mark::skipped};
  for (std::int64_t c = 0; c < dims_[0] * dims_[1]; ++c) {
    const std::size_t count = end_[static_cast<std::size_t>(c)] - first(c);
    if (count <= kCapacity) continue;
    outlineCell(c, {}, full.edges);
    const auto x = static_cast<double>(c % dims_[0]), y = static_cast<double>(c / dims_[0]);
    to.signs.emplace_back(
        e_.vector(x * width_[0], c / dims_[0] + 1 < dims_[1] ? (y + 0.9) * width_[1] : 1.03),
        fmt::format("{} of {}", count, kCapacity));
  }
  to.shapes.push_back(full);
}

// How far apart walls are, each way, beside a corner of the box.
void ListBuilder::addWidths(const Pair&, Picture& to) const {
  Shape across{{}, "distance of walls", Mark::query};
  const double edge = e_.edge(1);
  for (int a = 0; a < 2; ++a) {
    const Vec3d normal = a == 0 ? Vec3d{e_.ly / edge, -e_.shear / edge, 0} : Vec3d{0, 1, 0};
    const Vec3d from = a == 0 ? e_.vector(0, 0.92) : e_.vector(0.92, 0);
    const double apart = width_[a] * e_.height(a);
    const Vec3d end = from + apart * normal;
    across.edges.emplace_back(from, end);
    to.signs.emplace_back(a == 0 ? from : Vec3d{end.x, end.y - apart / 2, 0},
                          fmt::format("{:.1f} sigma, cutoff {:g}", apart, e_.cutoff));
  }
  to.shapes.push_back(across);
}

// The cells of the curve that hold more than one particle.
void ListBuilder::addTies(const Pair&, Picture& to) const {
  Shape shared{{}, "cell of the curve, shared", Mark::skipped};
  const double cells = std::ldexp(1, bits_);
  for (std::size_t i = 0; i < r_.size(); ++i) {
    if (tree_.leafOf[i] >= 0) continue;
    const Vec3d f = e_.fraction(r_[i]);
    const double x = std::floor(f.x * cells), y = std::floor(f.y * cells);
    const auto at = [&](double dx, double dy) {
      return e_.vector((x + dx) / cells, (y + dy) / cells);
    };
    outline({0, 0, 0}, {{at(0, 0), at(1, 0), at(1, 1), at(0, 1)}}, shared.edges);
    to.signs.emplace_back(at(1, 0.5), fmt::format("{}: in no leaf", i));
  }
  to.shapes.push_back(shared);
}

// Leaves that a walk which opens all nodes does not reach, and the rope by which the walk for the
// picked pair leaves out that of its second particle.
void ListBuilder::addRopes(const Pair& pair, Picture& to) const {
  Shape lost{{}, "leaf never reached", Mark::skipped}, from{{}, "node with the rope", Mark::leaf},
      wrong{{}, "wrong target of the rope", Mark::rejected},
      right{{}, "right target of the rope", Mark::opened},
      rope{{}, "rope, one node too far", Mark::message};
  std::vector<bool> reached(tree_.size(), false);
  for (std::int64_t k = 0; k >= 0;) {
    const auto node = static_cast<std::size_t>(k);
    reached[node] = true;
    k = particle_[node] < 0 ? tree_.left[node] : tree_.rope[node];
  }
  for (std::size_t k = 0; k < tree_.size(); ++k)
    if (particle_[k] >= 0 && !reached[k])
      outlineNode(static_cast<std::int64_t>(k), {}, kAboutLeaf, lost.edges);
  if (pair) {
    const std::int64_t leaf = tree_.leafOf[pair->second];
    std::int64_t before = -1;
    Shift image{};
    walkImages(static_cast<std::uint32_t>(pair->first),
               [&](std::int64_t node, bool, const Shift& s) {
                 const Vec3d d = e_.apart(r_[pair->first], r_[pair->second], s);
                 if (std::hypot(d.x, d.y) < reach_ && node < leaf) before = node, image = s;
               });
    const std::int64_t next = before < 0 ? -1 : tree_.rope[static_cast<std::size_t>(before)];
    const Vec3d by = e_.vector(image[0], image[1]);
    if (before >= 0 && next > leaf) {
      outlineNode(before, image, kAboutLeaf, from.edges);
      rope.edges.emplace_back(middleOf(tree_, before, by), middleOf(tree_, next, by));
      outlineNode(next, image, kAboutLeaf, wrong.edges);
      constexpr double a = 2 * kAboutLeaf;  // outside of the ring about the picked particle
      outline(middleOf(tree_, leaf, by), {{{-a, -a, 0}, {a, -a, 0}, {a, a, 0}, {-a, a, 0}}},
              right.edges);
      // Above the leaf: the node where the rope leads is often beside it. Short: it hides pairs.
      to.signs.emplace_back(middleOf(tree_, leaf, {by.x, by.y + 4 * kAboutLeaf, 0}),
                            fmt::format("{}: skipped", pair->second));
    }
  }
  for (Shape* const shape : {&lost, &from, &wrong, &right, &rope}) to.shapes.push_back(*shape);
}

// Leaves are points: a box about each, and the way to it from its particle.
void ListBuilder::addRounded(const Pair& pair, Picture& to) const {
  constexpr double kAbout = 0.003;
  Shape boxes{{}, "box of the leaf", Mark::leaf};
  for (std::size_t i = 0; i < r_.size(); ++i) {
    const auto leaf = 3 * static_cast<std::size_t>(tree_.leafOf[i]);
    const double *const lo = &tree_.lower[leaf], *const hi = &tree_.upper[leaf];
    outlineNode(tree_.leafOf[i], {}, kAbout, boxes.edges);
    boxes.edges.emplace_back(
        r_[i], Vec3d{std::clamp(r_[i].x, lo[0], hi[0]), std::clamp(r_[i].y, lo[1], hi[1]), 0});
  }
  to.shapes.push_back(boxes);
  for (const std::size_t i :
       pair ? std::vector{pair->first, pair->second} : std::vector<std::size_t>{}) {
    const Vec3d at = middleOf(tree_, tree_.leafOf[i], {0, 0, 0});
    to.signs.emplace_back(at, fmt::format("box of the leaf of {}", i));
    to.signs.emplace_back(r_[i], fmt::format("particle {}", i));
  }
}

void ListBuilder::outline(Vec3d by, const std::array<Vec3d, 4>& corner, Edges& edges) {
  for (std::size_t k = 0; k < 4; ++k) edges.emplace_back(corner[k] + by, corner[(k + 1) % 4] + by);
}

void ListBuilder::ring(Vec3d about, Edges& edges) {
  constexpr double kRadius = 0.19;  // sigma: about that of particles in the picture
  const Edges sides = circle(about, kRadius, 12);
  edges.insert(edges.end(), sides.begin(), sides.end());
}

}  // namespace cellscope::museum
