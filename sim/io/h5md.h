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
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/io/formats/format.h"

namespace cellscope::io {

// Frames are copied, and written by a thread of its own while the run goes on; at most two wait.
// Each is flushed: a run that is killed leaves all frames but those that wait, and of a full disk
// nothing is written of the frame that has no room. Members throw RunError with what has gone wrong
// since, the removal of the file included.
class H5mdWriter final : public FrameSink {
 public:
  // creator: program and version. keep: the file exists and is continued after its frames.
  H5mdWriter(const std::string& path, const std::string& creator, bool keep);
  ~H5mdWriter() override;  // completes what waits, without reporting
  H5mdWriter(const H5mdWriter&) = delete;
  H5mdWriter& operator=(const H5mdWriter&) = delete;

  void append(const Configuration& c, const FrameNotes& notes) override;
  void flushToDisk() override;  // until all frames are on the device
  void close() override;

 private:
  struct Frame {
    Configuration c;
    FrameNotes notes;
  };
  void work();
  void drain();
  void finish();  // ends the thread, which closes the file

  std::string path_;
  class File;
  std::unique_ptr<File> file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> waiting_;
  bool busy_ = false, closing_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

// What was noted of all whole frames, but for times; none where a run was killed before its first
// one. Throws InputError when this program cannot continue the file.
std::vector<FrameNotes> h5mdFrames(const std::string& path);
// Leaves the first `frames` frames, as if no other had been written. Throws RunError.
void cutH5md(const std::string& path, std::uint64_t frames);

}  // namespace cellscope::io
