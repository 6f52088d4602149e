// What kernels really did: plain records in a bounded buffer in the memory of the backend, written
// by a second instance of the kernel for one traced move, cell or query. The fast instance knows
// nothing of it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "sim/base/backend.h"
#include "sim/base/host_device.h"
#include "sim/exec/atomic.h"
#include "sim/exec/memory.h"

namespace cellscope {

inline constexpr std::uint64_t kNoObject = ~0ull;

// One thing that was done. The algorithm that writes it defines what its phases, outcomes and
// numbers are: a trial move and what blocked it, a node of a tree that was visited or pruned, a
// step of an insertion. (stage, group, order) gives the time; no two records share all three.
struct Record {
  std::uint64_t subject = kNoObject;  // what acted: a particle, cell, node or query
  std::uint64_t object = kNoObject;   // to whom
  std::uint32_t stage = 0;            // part of the run
  std::uint32_t group = 0;            // of records that belong together: a cell, move or query
  std::uint32_t order = 0;            // within the group
  std::uint16_t phase = 0;            // what was done
  std::uint16_t outcome = 0;          // and how it ended
  float number[6] = {};
};
static_assert(sizeof(Record) == 56 && std::is_trivially_copyable_v<Record>);

// The end that a kernel holds, by value.
struct RecordWriter {
  Record* record = nullptr;
  std::uint64_t* written = nullptr;  // records asked for, those without room included
  std::uint64_t capacity = 0;

  HOST_DEVICE bool on() const { return written != nullptr; }
  // From any thread. Beyond the capacity a record is only counted.
  HOST_DEVICE void write(const Record& r) const {
    const std::uint64_t place = exec::addGlobal(written, 1);
    if (place < capacity) record[place] = r;
  }
};

// Records read back, in order of (stage, group, order). Those that did not fit are lost: which
// ones depends on the order of threads.
struct Recorded {
  std::vector<Record> records;
  std::uint64_t lost = 0;
};

class Recorder {
 public:
  Recorder() = default;  // without room; its writer is off
  Recorder(Backend where, std::size_t capacity) : records_(where, capacity), written_(where, 1) {
    reset();
  }

  std::size_t capacity() const { return records_.size(); }
  Backend where() const { return records_.where(); }
  RecordWriter writer() const { return {records_.data(), written_.data(), records_.size()}; }
  // Empty again: before each step that is recorded.
  void reset() { written_.zero(); }
  // After the kernels that wrote have finished (Context::synchronize()).
  Recorded read() const {
    Recorded all;
    if (written_.size() == 0) return all;
    const std::uint64_t written = written_.get(0);
    const std::size_t kept = std::min<std::uint64_t>(written, capacity());
    all.lost = written - kept;
    all.records = exec::onHost<Record>(records_.where(), records_.data(), kept);
    std::sort(all.records.begin(), all.records.end(), [](const Record& a, const Record& b) {
      return std::tie(a.stage, a.group, a.order) < std::tie(b.stage, b.group, b.order);
    });
    return all;
  }
  std::size_t bytes() const { return records_.bytes() + written_.bytes(); }

 private:
  exec::Array<Record> records_;
  exec::Array<std::uint64_t> written_;  // one number, or none
};

}  // namespace cellscope
