// Extended XYZ files: one frame is the number of particles, a comment line of key="value" pairs
// (Lattice, Properties, pbc, Step), and a line per particle. OVITO, ASE and VMD read them. The
// number of particles may differ from frame to frame.
//
// Columns written: species, pos (sigma, wrapped into the box; z = 0 in 2D), id, radius (sigma),
// mass when a species has one other than 1, and velo (reduced units) when there are velocities.
// Numbers are the shortest decimals that read back as the same double. In 2D (pbc="T T F") the
// third lattice vector is as long as the largest diameter and not periodic.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/api/configuration.h"
#include "sim/io/output_file.h"

namespace cellscope::io {

// Pairs added to the comment line, e.g. {"packing", "0.7"}.
using XyzNotes = std::vector<std::pair<std::string, std::string>>;

// Value of a key in a comment line: a word, a text in quotes or an array in brackets.
std::optional<std::string> xyzEntry(std::string_view comment, const std::string& key);

// Append one frame and flush it. Throws RunError.
void writeXyzFrame(OutputFile& out, const Configuration& c, std::uint64_t step,
                   const XyzNotes& notes = {});

// The last frame of a file, valid (requireValid()). Species come in the order in which they first
// appear; columns that are missing mean one species X, ids from 0, diameter 1, mass 1. In 2D are
// frames of pbc="T T F", and those without pbc whose particles all lie at one height z. Throws
// InputError naming file and line for anything malformed: missing columns, a cell that is not
// rectangular or not periodic, a key that stands twice, NaN, a particle outside the box, repeated
// ids, one species with two radii or masses, a truncated frame.
Configuration readXyz(const std::string& path);

}  // namespace cellscope::io
