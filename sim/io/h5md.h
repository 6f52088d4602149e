// H5MD files (nongnu.org/h5md, version 1.1; de Buyl, Colberg and Hoefling, Comput. Phys. Commun.
// 185, 1546, 2014) through the HDF5 library: binary trajectories that h5py, MDAnalysis, OVITO and
// VMD read.
//
// In particles/all: box/edges, position, velocity (where there are any), species and id, each with
// a value for every frame; steps and times are shared. The number of particles may differ from
// frame to frame: arrays are as long as the largest, and where a frame has no particle its id is
// -1. parameters/species has name, diameter and mass of each species; cellscope/run and
// cellscope/end store for each frame which run wrote it, and whether only because that run ended.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/io/formats/format.h"

namespace cellscope::io {

// A sink. creator: program and version. keep: the file exists and is continued after its frames.
// Frames are copied, and written by another thread while the run goes on; at most two wait.
// Each is flushed: a run that is killed leaves all frames but those that wait, and of a full disk
// nothing is written of the frame that has no room. Members throw RunError with what has gone wrong
// since, the removal of the file included.
std::unique_ptr<FrameSink> createH5md(const std::string& path, const std::string& creator,
                                      bool keep);

// What was noted of all whole frames, but for times; none where a run was killed before its first
// one. Throws InputError when this program cannot continue the file.
std::vector<FrameNotes> h5mdFrames(const std::string& path);
// Leaves the first `frames` frames, as if no other had been written. Throws RunError.
void cutH5md(const std::string& path, std::uint64_t frames);

}  // namespace cellscope::io
