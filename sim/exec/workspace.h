// Scratch memory of the verbs of one exec: one block that grows and is not freed between calls, so
// that a step that has run once neither allocates nor frees.
#pragma once
#include <cstddef>
#include <vector>

#include "sim/base/backend.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {

class Workspace {
 public:
  explicit Workspace(Backend where) : where_(where) {}

  // At least `bytes`, aligned for any type; valid until the next call. Grows by a quarter more than
  // asked for. Throws OutOfMemory; while launches are recorded, RunError instead of growing, with
  // `verb` in its message.
  std::byte* get(const char* verb, std::size_t bytes);
  // What it has after it grew to hold `bytes`.
  static constexpr std::size_t roomFor(std::size_t bytes) { return bytes + bytes / 4; }
  void reserve(std::size_t bytes);
  std::size_t bytes() const;  // with blocks that are kept for recorded launches

  // Between these two, growing is an error. Blocks handed out then stay until the workspace goes:
  // recorded launches use them at every replay.
  void beginRecording() { recording_ = true; }
  void endRecording() { recording_ = false; }

 private:
  Backend where_;
  Array<std::byte> block_;
  std::vector<Array<std::byte>> kept_;
  bool recording_ = false, recorded_ = false;
};

// Cuts one block of scratch into arrays, each aligned to a cache line.
class Carver {
 public:
  explicit Carver(std::byte* block) : at_(block) {}
  template <class T>
  static constexpr std::size_t room(std::size_t n) {
    return (n * sizeof(T) + kLine - 1) / kLine * kLine;
  }
  // n uninitialised T.
  template <class T>
  T* take(std::size_t n) {
    T* const p = reinterpret_cast<T*>(at_);
    at_ += room<T>(n);
    return p;
  }

 private:
  static constexpr std::size_t kLine = 64;
  std::byte* at_;
};

// Scratch of verbs that grows with their items, known before there is an exec: what its workspace
// will have room for.

// Of a scan of n 32-bit words.
std::size_t scanScratch(std::size_t n, const ExecConfig& config);
std::size_t scanScratchCuda(std::size_t n, int device);  // builds with CUDA only

}  // namespace cellscope::exec
