// What domains of a checkerboard exchange (board_domains.h).
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/board_work.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/base/backend.h"

namespace cellscope {

// Before an exchange (out): the outermost layers of a domain to the boxes of those beside it, and
// its news to all. After it: what lies in its own boxes to the layers around it.
struct GcmcBoardPass {
  GcmcBoard b;
  GcmcStoredCells box[2];  // of, or from, the domain before and after
  bool out;
  GcmcBoardNews* const* news;  // where the domains of this process expect it; null: none
  std::size_t here;            // domains of this process
  HOST_DEVICE std::size_t each() const { return b.layer() * b.held.capacity; }
  HOST_DEVICE void operator()(std::size_t i) const {
    if (news != nullptr && i < here) news[i][b.domain] = {b.head->n, b.head->most};
    if (i >= 2 * each() || box[0].filled == nullptr) return;
    const std::size_t side = i / each(), entry = i % each();
    const GcmcBoardLayers own = gcmcBoardLayers(b, b.head->shift);
    const int layer = side == 0 ? (out ? 1 : 0) : own.count + (out ? 0 : 1);  // in memory
    const auto inBox = static_cast<std::uint32_t>(entry / b.held.capacity);
    const auto onBoard = static_cast<std::uint32_t>(layer * b.layer() + inBox);
    const auto k = static_cast<std::uint32_t>(entry % b.held.capacity);
    if (out)
      copy(b.held, onBoard, box[side], inBox, k);
    else
      copy(box[side], inBox, b.held, onBoard, k);
  }

 private:
  HOST_DEVICE void copy(const GcmcStoredCells& from, std::uint32_t cell, const GcmcStoredCells& to,
                        std::uint32_t at, std::uint32_t k) const {
    const std::uint32_t n = from.filled[cell];
    if (k == 0) to.filled[at] = n;
    if (k >= n) return;
    to.put(at, k, from.point(cell, k));
    to.idOf(at, k) = from.idOf(cell, k);
  }
};

// What process 0 calls, for the others.
struct GcmcBoardCall {
  enum Kind { begin, scatter, turns, gather, end } kind;
  std::uint32_t number = 0;  // of the domains
  ExecConfig config{};
  bool mixed = false;  // GcmcOptions::mixed
  GcmcBoard board{};
  GcmcBoardHead head{};
  std::uint64_t count = 0;
};
// The domains of a process other than 0.
class GcmcBoardPart {
 public:
  virtual ~GcmcBoardPart() = default;
  virtual void obey(const GcmcBoardCall& call) = 0;
};

}  // namespace cellscope
