// Files of neighbour lists (sim/base/pair_list.h): arrays by name in a numpy archive (.npz) or at
// the root of an HDF5 file, or a LAMMPS `dump local`.
//
//   positions (N, 3), or (N, 2) in the plane; pbc (3), default true
//   cell (3, 3): rows are vectors; (2, 2), (3), (2)
//   cutoff, or types (N) and cutoffs (T, T), or radii (N); skin: a length
//   i (P) and j (P), or edge_index (2, P), or pairs (P, 2); from 0 on
//   S (P, 3): D = r[j] - r[i] + S cell; half, nearest: truth values
//   cell_dims (3), cell_of (N), cell_start (cells + 1), cell_items (N)
//   left, right, rope (M), -1: none; lower, upper (M, 3); leaf_of (N)
//   ids (N): what particles are called in reports
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/api/configuration.h"
#include "sim/base/pair_list.h"

namespace cellscope::io {

// The arrays of a file. Members throw InputError naming file and array.
class Arrays {
 public:
  struct Array {
    std::vector<std::uint64_t> shape;
    std::vector<double> real;  // one of both
    std::vector<std::int64_t> whole;
    bool single = false;  // real, and of four bytes
    std::uint64_t count() const { return real.size() + whole.size(); }
  };
  virtual ~Arrays() = default;
  virtual bool has(const std::string& name) const = 0;
  virtual Array real(const std::string& name) = 0;
  virtual Array whole(const std::string& name) = 0;  // truth values are 0 and 1
  virtual std::vector<std::string> names() const { return {}; }
};
std::unique_ptr<Arrays> arraysOf(const std::string& path, bool isHdf5);  // or numpy's

struct ReadList {
  PairList list;         // particles may be missing: takeParticles()
  bool fromOne = false;  // pairs are identities as LAMMPS numbers them, and not places
};
// Throws InputError naming file, array, value and what is allowed: extents that do not match,
// numbers that are not finite or out of range. Numbers of the pairs are not judged.
ReadList readPairList(const std::string& path);
// Whether a file of arrays has pairs, so that it is a list and no configuration. Never throws.
bool holdsPairs(const std::string& path);
void readDumpLocal(const std::string& path, PairList& list);  // part of it

// The particles of a file without any; its pairs are identities. boxes: by how many each particle
// of `c` was moved into the box (LoadedFrame::boxes); image shifts count from where they were.
void takeParticles(ReadList& read, const Configuration& c,
                   const std::vector<std::int32_t>& boxes = {});

std::string pairListArchive(const PairList& list);  // a whole .npz

}  // namespace cellscope::io
