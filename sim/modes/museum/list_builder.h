// What the museum of bugs shows: public bugs of neighbour lists, cell lists and trees, each with
// the box that shows it, the line that is wrong and its mend.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/list_check/check.h"
#include "sim/base/pair_list.h"
#include "sim/base/vec.h"

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
    const Vec3d v = vector(s[0], s[1]);
    return {b.x - a.x + v.x, b.y - a.y + v.y, 0};
  }
  Vec3d nearest(Vec3d a, Vec3d b) const {
    const Vec3d f = fraction({b.x - a.x, b.y - a.y, 0});
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
  using Edges = std::vector<std::pair<Vec3d, Vec3d>>;
  // Positions in the box.
  ListBuilder(const Exhibit& exhibit, bool mistake, std::vector<Vec3d> r);

  const std::vector<ListedPair>& pairs() const { return pairs_; }
  ListedCells cells() const;
  const ListedTree& tree() const { return tree_; }
  Edges walls() const;                    // of the cells
  Edges leaves() const;                   // their boxes, and the way to each from its particle
  Edges searched(std::uint32_t i) const;  // edges of cells, or of boxes of leaves
  // What is wrong with a cell or a particle of the tree, and where.
  std::vector<std::pair<Vec3d, std::string>> signs() const;
  // What the mistake takes for the cutoff of this particle and others of its type; 0: the cutoff.
  double shorter(std::size_t i) const {
    return bad(Bug::types) && typeOf(i) == 1 ? kShorter * e_.cutoff : 0;
  }

  static std::uint32_t typeOf(std::size_t i) { return i % 2; }

 private:
  using Shift = list_check::Shift;
  // Cutoffs of the forces: what is asked for, but of two particles of type 1.
  static constexpr double kShorter = 0.6;
  bool bad(Bug bug) const { return mistake_ && e_.bug == bug; }
  void take(std::uint32_t i, std::uint32_t j, const Shift& s);

  void divide();
  void fillCells();
  void searchCells();
  std::int64_t cellOf(Vec3d r) const;
  std::size_t first(std::int64_t c) const;
  std::size_t last(std::int64_t c) const;
  // visit(cell, S) of each cell that is looked through from cell c, with its image.
  template <class Visit>
  void aroundCell(std::int64_t c, const Visit& visit) const;

  void sortByCode();
  std::int64_t growTree(std::size_t from, std::size_t to);
  void boxOf(std::int64_t node, Vec3d r);
  // visit(leaf's particle, leaf) along ropes, of leaves that a query about q meets.
  template <class Visit>
  void walk(Vec3d q, const Visit& visit) const;
  template <class Visit>  // visit(particle, leaf, S) for all images
  void walkImages(std::uint32_t i, const Visit& visit) const;
  void searchTree();
  Edges searchedLeaves(std::uint32_t i) const;
  static void outline(Vec3d by, const std::array<Vec3d, 4>& corner, Edges& edges);

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
  std::vector<std::uint32_t> code_;  // in that order
  std::vector<std::int64_t> particle_;
  ListedTree tree_;
};

}  // namespace cellscope::museum
