// Whether a state fits into memory, before anything is allocated, and the error message if it does
// not: how much is needed, how much is free, and the largest n that fits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/base/backend.h"
#include "sim/base/error.h"

namespace cellscope {

struct MemoryNeed {
  std::size_t building = 0;  // beside the present state, while the new one is made
  std::size_t running = 0;   // at the peak of its run and drawing; the present state is gone then
  std::size_t host = 0;      // beside the present state, where the arrays are on a GPU
};

// Bytes of n items of a frame where it is drawn: one being packed, one published and one shown, and
// what the renderer keeps, with its headroom of a quarter: OpenGL's buffer, before it on the CPU
// backend the staging, and on a software renderer both in the same memory.
inline std::size_t frameBytes(std::size_t n, std::size_t itemSize, Backend where) {
  const std::size_t quarters = 4 * 3 + (where == Backend::cuda ? 5 : 2 * 5);
  return n * itemSize * quarters / 4;
}

// Of an engine with n particles that takes `engine` bytes, and `host` bytes of copies of its state
// on the host, as it is made and as it is taken; a particle is drawn as an item of itemSize bytes.
inline MemoryNeed engineMemory(std::size_t n, std::size_t engine, std::size_t host,
                               std::size_t itemSize, const ExecConfig& config) {
  const bool gpu = config.backend == Backend::cuda;
  MemoryNeed need;
  need.building = engine + (gpu ? 0 : host);
  need.running = need.building;
  if (config.drawn) need.running += frameBytes(n, itemSize, config.backend);
  need.host = gpu ? host : 0;
  return need;
}

// The largest n that fits where `n` need `needed` bytes and `have` are to be had, a little less.
std::int64_t largestThatFits(std::int64_t n, std::size_t needed, std::size_t have);

// Throws RunError when n particles do not fit into the memory of the backend or of the host. A run
// that goes over would be ended by the system, and what it has computed would be lost. `what`: the
// particles, "disks at this packing"; `advice`: another way out than fewer of them, or "".
void requireMemory(std::int64_t n, const char* what, const MemoryNeed& need,
                   const ExecConfig& config, const char* advice);
// The same for one memory with the numbers at hand. where: "GPU memory" or "memory".
void requireBytes(std::int64_t n, const char* what, std::size_t needed, std::size_t have,
                  const char* where, const char* advice);

// A run of n particles: bytes of its arrays in the backend's memory now, and at its peak.
struct RunMemory {
  std::int64_t n = 0;
  std::size_t held = 0, needed = 0;
  const char* what = "'n'";  // name of the value to reduce: a key, or words
};

// Does what may allocate during a run. Where memory is out, the largest n that would fit is added
// to what is said; measure() tells of the run then.
template <class Measure, class Action>
auto withMemoryHint(const Measure& measure, const Action& action) {
  try {
    return action();
  } catch (const OutOfMemory& e) {
    const RunMemory run = measure();
    const std::size_t needed = std::max(run.held + e.bytes, run.needed);
    throw RunError(e.shortage + "; the state is kept; the largest " + run.what +
                   " that fits is about " +
                   std::to_string(largestThatFits(run.n, needed, run.held + e.free)));
  }
}

}  // namespace cellscope
