// Neighbour lists of any program, with the structures that they were found by, as they are checked
// (sim/algo/list_check) and as files have them (sim/io/list_file.h).
#pragma once
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
};

// A binary tree of boxes, or several: a node without parent is a root. Index -1: none.
struct ListedTree {
  std::vector<std::int64_t> left, right;  // children; both -1: a leaf
  std::vector<std::int64_t> rope;         // where a walk goes on that does not go down
  std::vector<double> lower, upper;       // 3 for each node
  std::vector<std::int64_t> leafOf;       // node that holds each particle: n
  std::size_t size() const { return left.size(); }
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
