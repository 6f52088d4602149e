// Extended XYZ files: one frame is the number of particles, a comment line of key="value" pairs
// (Lattice, Properties, pbc, Step), and a line per particle. OVITO, ASE and VMD read them. The
// number of particles may differ from frame to frame.
//
// Columns written: species (type where a name is no chemical symbol: ASE reads no others), pos
// (sigma, wrapped into the box; z = 0 in 2D), id, radius (sigma), mass when a species has one other
// than 1, and velo (reduced units) when there are velocities. Numbers are the shortest decimals
// that read back as the same double. In 2D (pbc="T T F") the third lattice vector is as long as the
// largest diameter and not periodic.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/api/configuration.h"
#include "sim/io/files.h"

namespace cellscope::io {

// Pairs added to the comment line, e.g. {"packing", "0.7"}.
using XyzNotes = std::vector<std::pair<std::string, std::string>>;

// Value of a key in a comment line: a word, a text in quotes or an array in brackets.
std::optional<std::string> xyzEntry(std::string_view comment, const std::string& key);

// Append one frame and flush it. packed: as one gzip member. Throws RunError.
void writeXyzFrame(OutputFile& out, const Configuration& c, std::uint64_t step,
                   const XyzNotes& notes = {}, bool packed = false);

}  // namespace cellscope::io
