// Extended XYZ files: one frame is the number of particles, a comment line of key="value" pairs
// (Lattice, Properties, pbc, Step), and a line per particle. OVITO, ASE and VMD read them.
//
// Columns written: species (always X), pos (sigma, wrapped into the box; z = 0 in 2D), id, radius
// (sigma), and velo (reduced units) when the mode has velocities. Numbers are the shortest decimals
// that read back as the same double. In 2D the third lattice vector is one diameter long and not
// periodic.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/api/mode.h"
#include "sim/io/output_file.h"

namespace cellscope::io {

// Pairs added to the comment line, e.g. {"packing", "0.7"}.
using XyzNotes = std::vector<std::pair<std::string, std::string>>;

// Value of key=... or key="..." in a comment line.
std::optional<std::string> xyzEntry(std::string_view comment, const std::string& key);

// Append one frame and flush it. Throws RunError.
void writeXyzFrame(OutputFile& out, const Configuration& c, std::uint64_t step,
                   const XyzNotes& notes = {});

// The last frame of a file. `dimension`: of the mode that wants it. Throws InputError naming file
// and line for anything malformed: missing columns, a cell that is not a rectangle, NaN, a particle
// outside the box, repeated ids, a truncated frame.
Configuration readXyz(const std::string& path, int dimension);

}  // namespace cellscope::io
