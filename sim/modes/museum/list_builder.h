// What the museum of bugs shows: public bugs of neighbour lists, cell lists and trees, each with
// the box that shows it, the line that is wrong and its mend.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/algo/list_check/check.h"
#include "sim/api/marks.h"
#include "sim/base/box.h"
#include "sim/base/pair_list.h"

namespace cellscope::museum {

enum class Bug {
  thinLastCell,
  cellZero,
  overfullCell,
  shortStencil,
  tilt,
  types,
  imageFlag,
  halfTwice,
  skinSpent,
  mortonTie,
  rope,
  floatBox
};

using Edges = std::vector<std::pair<Vec3d, Vec3d>>;  // lines from point to point
Edges circle(Vec3d about, double radius, int sides);

struct Exhibit {
  Bug bug{};
  const char *key = "", *label = "";
  const char *mistake = "", *mend = "";               // the line of ListBuilder, wrong and right
  list_check::Kind kind = list_check::Kind::missing;  // of the pairs that it has wrong
  bool byTree = false;                                // lists are found by a tree
  double lx = 15, ly = 15, shear = 0;  // vectors of the box: (lx, 0) and (shear, ly), sigma
  double cutoff = 2.5, skin = 0;       // sigma
  double origin = 0;                   // corner of the box, a multiple of lx and ly
  std::uint32_t types = 1;

  // Along vector 0 or 1.
  double edge(int a) const { return a == 0 ? lx : std::hypot(shear, ly); }
  double height(int a) const { return a == 0 ? lx * ly / edge(1) : ly; }  // of opposite faces
  Vec3d vector(double f, double g) const { return {f * lx + g * shear, g * ly, 0}; }
  Vec3d fraction(Vec3d r) const { return {(r.x - r.y / ly * shear) / lx, r.y / ly, 0}; }
  // From a to an image of b, and to the nearest one: right below half of each height.
  Vec3d apart(Vec3d a, Vec3d b, const list_check::Shift& s) const {
    return b - a + vector(s[0], s[1]);
  }
  Vec3d nearest(Vec3d a, Vec3d b) const {
    const Vec3d f = fraction(b - a);
    return vector(f.x - std::round(f.x), f.y - std::round(f.y));
  }
};

const std::vector<Exhibit>& exhibits();  // in the order of Bug

// Half lists in the plane by the simplest cells and the simplest tree, with one mistake of the
// museum or without. Nothing else of the program builds its lists here.
struct ListedPair {
  std::uint32_t i, j;
  list_check::Shift s;  // r[j] - r[i] + S cell, of positions in the box
};

class ListBuilder {
 public:
  struct Shape {
    Edges edges;
    const char* name;  // in the legend
    Mark mark;
  };
  struct Picture {
    std::vector<Shape> shapes;
    std::vector<std::pair<Vec3d, std::string>> signs;
  };
  // Positions in the box.
  ListBuilder(const Exhibit& exhibit, bool mistake, std::vector<Vec3d> r);

  const std::vector<ListedPair>& pairs() const { return pairs_; }
  ListedCells cells() const;
  const ListedTree& tree() const { return tree_; }
  Edges walls() const;                                 // of the cells
  std::vector<Shape> searched(std::uint32_t i) const;  // cells, or boxes of leaves
  using Pair = std::optional<std::pair<std::size_t, std::size_t>>;
  // What is wrong with cells or with the tree, and what loses the pair of i and j, if any.
  Picture faults(const Pair& pair) const;
  // What the mistake takes for the cutoff of this particle and others of its type; 0: the cutoff.
  double shorter(std::size_t i) const {
    return bad(Bug::types) && typeOf(i) == 1 ? kShorter * e_.cutoff : 0;
  }

  static std::uint32_t typeOf(std::size_t i) { return i % 2; }

 private:
  using Shift = list_check::Shift;
  // Cutoffs of the forces: what is asked for, but of two particles of type 1.
  static constexpr double kShorter = 0.6;
  static constexpr std::size_t kCapacity = 5;  // of a cell that has no more room
  bool bad(Bug bug) const { return mistake_ && e_.bug == bug; }
  void take(std::uint32_t i, std::uint32_t j, const Shift& s);

  void divide();
  void fillCells();
  void searchCells();
  std::int64_t cellOf(Vec3d r) const;
  std::size_t first(std::int64_t c) const;
  std::size_t last(std::int64_t c) const;
  // visit(cell, S) of each cell that is looked through from cell c, with its image.
  void aroundCell(std::int64_t c, const auto& visit) const {
    const std::int64_t at[2] = {c % dims_[0], c / dims_[0]};
    for (std::int64_t oy = -look_[1]; oy <= look_[1]; ++oy)
      for (std::int64_t ox = -look_[0]; ox <= look_[0]; ++ox) {
        std::int64_t to[2] = {at[0] + ox, at[1] + oy};
        Shift image{};
        for (std::size_t a = 0; a < 2; ++a) {
          image[a] = static_cast<std::int32_t>(
              std::floor(static_cast<double>(to[a]) / static_cast<double>(dims_[a])));
          to[a] -= image[a] * dims_[a];
        }
        visit(to[0] + dims_[0] * to[1], image);
      }
  }

  void sortByCode();
  std::int64_t growTree(std::size_t from, std::size_t to);
  void boxOf(std::int64_t node, Vec3d r);
  // visit(node, whether a query about q meets it) along ropes.
  void walk(Vec3d q, const auto& visit) const {
    for (std::int64_t node = 0; node >= 0;) {
      const auto k = static_cast<std::size_t>(node);
      const auto outside = [&](double x, std::size_t a) {
        return std::max({tree_.lower[3 * k + a] - x, 0.0, x - tree_.upper[3 * k + a]});
      };
      const double dx = outside(q.x, 0), dy = outside(q.y, 1);
      const bool meets = dx * dx + dy * dy < reach_ * reach_;
      visit(node, meets);
      node = meets && particle_[k] < 0 ? tree_.left[k] : tree_.rope[k];
    }
  }
  // visit(node, whether it is met, S) for all images of the box that are next to it: the reach is
  // shorter than the box.
  void walkImages(std::uint32_t i, const auto& visit) const {
    for (std::int32_t sx = -1; sx <= 1; ++sx)
      for (std::int32_t sy = -1; sy <= 1; ++sy)
        walk(e_.apart({0, 0, 0}, r_[i], {-sx, -sy, 0}), [&](std::int64_t node, bool meets) {
          visit(node, meets, Shift{sx, sy, 0});
        });
  }
  void searchTree();

  // Parts of the picture: a cell drawn a little within its walls, the box of a node, which may be a
  // point, drawn a little around it.
  void outlineCell(std::int64_t c, const Shift& s, Edges& edges) const;
  void outlineNode(std::int64_t node, const Shift& s, double about, Edges& edges) const;
  using AddPart = void(const Pair&, Picture& to) const;
  AddPart addThinColumn, addSkippedCell, addFullCells, addWidths, addTies, addRopes, addRounded;
  static void outline(Vec3d by, const std::array<Vec3d, 4>& corner, Edges& edges);
  static void ring(Vec3d about, Edges& edges);

  Exhibit e_;
  bool mistake_;
  double reach_;
  std::vector<Vec3d> r_;
  std::vector<ListedPair> pairs_;
  // Cells: along each vector their number, their width as a fraction, and how many are looked
  // through on each side; the end of each cell in the order of particles.
  std::int64_t dims_[2] = {0, 0}, look_[2] = {1, 1};
  double width_[2] = {1, 1};
  std::vector<std::size_t> end_;
  std::vector<std::uint32_t> order_;
  // Tree: nodes in the order of a walk that opens all; leaves have one particle.
  int bits_ = 15;                    // of a code, along each vector
  std::vector<std::uint32_t> code_;  // in that order
  std::vector<std::int64_t> particle_;
  ListedTree tree_;
};

}  // namespace cellscope::museum
