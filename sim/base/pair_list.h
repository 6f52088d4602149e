// Neighbour lists of any program, with the structures that they were found by, as they are checked
// (sim/algo/list_check) and as files have them (sim/io/list_file.h).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cellscope {

// Empty arrays: the file has none.
struct ListedCells {
  std::vector<std::int64_t> of;      // cell of each particle: n
  std::vector<std::int64_t> start;   // first place of each cell in `item`, and n: cells + 1
  std::vector<std::int64_t> item;    // particles in the order of the cells: n
  std::int64_t dims[3] = {0, 0, 0};  // cells along each axis; 0: the file has none
  bool any() const { return dims[0] > 0; }
  std::int64_t count() const { return dims[0] * dims[1] * dims[2]; }
  bool has(std::int64_t cell) const { return cell >= 0 && cell < count(); }
  // Along each axis, where cells are numbered with the first axis fastest, or the last one.
  std::array<std::int64_t, 3> place(std::int64_t cell, bool xFirst) const {
    const std::int64_t* d = dims;
    if (xFirst) return {cell % d[0], cell / d[0] % d[1], cell / (d[0] * d[1])};
    return {cell / (d[1] * d[2]), cell / d[2] % d[1], cell % d[2]};
  }
};

// A binary tree of boxes, or several: a node without parent is a root. Index -1: none.
struct ListedTree {
  std::vector<std::int64_t> left, right;  // children; both -1: a leaf
  std::vector<std::int64_t> rope;         // where a walk goes on that does not go down
  std::vector<double> lower, upper;       // 3 for each node
  std::vector<std::int64_t> leafOf;       // node that holds each particle: n
  std::size_t size() const { return left.size(); }
  std::int64_t nodes() const { return static_cast<std::int64_t>(left.size()); }
  bool has(std::int64_t k) const { return k >= 0 && k < nodes(); }
  bool isLeaf(std::int64_t k) const { return at(left, k) < 0; }
  static std::int64_t at(const std::vector<std::int64_t>& of, std::int64_t k) {
    return of[static_cast<std::size_t>(k)];
  }
  // Of each node; -1 of a root.
  std::vector<std::int64_t> parents() const {
    std::vector<std::int64_t> parent(size(), -1);
    for (std::size_t k = 0; k < size(); ++k)
      for (const std::int64_t child : {left[k], right[k]})
        if (has(child)) parent[static_cast<std::size_t>(child)] = static_cast<std::int64_t>(k);
    return parent;
  }
};

struct PairList {
  std::string file;
  std::vector<double> position;                  // 3 n; z = 0 in the plane
  bool single = false;                           // positions were in single precision
  int dimension = 3;                             // 2 or 3
  double cell[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // rows are its vectors
  bool periodic[3] = {true, true, true};

  // How far the particles of a pair may be, by the first of these that there is.
  std::vector<double> radius;       // n: the sum of both
  std::vector<std::uint32_t> type;  // n, below types
  std::vector<double> cutoffs;      // types * types, symmetric
  double cutoff = 0;
  std::uint32_t types = 0;
  double skin = 0;  // pairs so much further away may be listed or not

  // Pairs: the vector from particle i to j is r[j] - r[i] + S cell.
  std::vector<std::int64_t> i, j;
  std::vector<std::int32_t> shift;  // S, 3 for each pair, or empty
  std::optional<bool> half;         // each pair once, and not in both directions
  bool nearest = false;             // only the nearest image of each particle is listed

  ListedCells cells;
  ListedTree tree;
  std::vector<std::int64_t> id;  // n, or empty: what particles are called
  std::vector<std::string> notes;

  std::size_t size() const { return position.size() / 3; }
  double reach(std::size_t a, std::size_t b) const {
    if (!radius.empty()) return radius[a] + radius[b];
    return types == 0 ? cutoff : cutoffs[std::size_t{type[a]} * types + type[b]];
  }
};

}  // namespace cellscope
