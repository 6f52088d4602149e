// One checkerboard on several domains: threads of the CPU, or devices. Each advances the active
// cells of its layers (gcmcBoardLayers) and has copies of the layer before and after them, which
// come from the domains beside it after every turn and every shift. Cells, moves and random numbers
// are those of the whole board, so that the result is that of one domain bit for bit.
//
// Arrays of a domain have room for the whole board: indices need no translation, and the layers of
// a domain can be any, as the shift of the grid moves them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/algo/gcmc/board_arrays.h"
#include "sim/algo/gcmc/board_notes.h"
#include "sim/algo/gcmc/board_work.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/exec/context.h"
#include "sim/exec/crew.h"
#include "sim/exec/device_value.h"
#include "sim/exec/memory.h"
#include "sim/exec/peers.h"

namespace cellscope {

// Before an exchange (out): the outermost layers of a domain to the boxes of those beside it, and
// its news to all. After it: what lies in its own boxes to the layers around it.
struct GcmcBoardPass {
  GcmcBoard b;
  GcmcBoardCells box[2];  // of, or from, the domain before and after
  bool out;
  GcmcBoardNews* const* news;  // where all domains expect it; null: none
  HOST_DEVICE std::size_t each() const { return b.layer() * b.capacity; }
  HOST_DEVICE void operator()(std::size_t i) const {
    if (news != nullptr && i < b.domains) news[i][b.domain] = {b.head->n, b.head->most};
    if (i >= 2 * each() || box[0].filled == nullptr) return;
    const std::size_t side = i / each(), entry = i % each();
    const GcmcBoardLayers own = gcmcBoardLayers(b, b.head->shift);
    const int layer = side == 0 ? own.first - (out ? 0 : 1) : own.first + own.count - (out ? 1 : 0);
    const auto inBox = static_cast<std::uint32_t>(entry / b.capacity);
    const auto onBoard = static_cast<std::uint32_t>(gcmcBoardCellIn(b, layer, inBox));
    const auto k = static_cast<std::uint32_t>(entry % b.capacity);
    if (out)
      copy(b.held, onBoard, box[side], inBox, k);
    else
      copy(box[side], inBox, b.held, onBoard, k);
  }

 private:
  HOST_DEVICE void copy(const GcmcBoardCells& from, std::uint32_t cell, const GcmcBoardCells& to,
                        std::uint32_t at, std::uint32_t k) const {
    const std::uint32_t n = from.filled[cell];
    if (k == 0) to.filled[at] = n;
    if (k >= n) return;
    b.put(to, at, k, b.point(from, cell, k));
    to.id[b.idAt(at, k)] = from.id[b.idAt(cell, k)];
  }
};

template <class Exec, class Attempts>
class GcmcBoardDomains {
 public:
  explicit GcmcBoardDomains(const ExecConfig& config)
      : domains_(static_cast<std::size_t>(config.domains)),
        threads_(Exec::backend == Backend::cpu ? domains_.size()
                                               : static_cast<std::size_t>(config.devices)),
        throughHost_(config.throughHost) {
    for (std::size_t k = 0; k < domains_.size(); ++k) {
      Domain& d = domains_[k];
      d.config = exec::ofDomain(config, static_cast<int>(k));
      d.shared = exec::makeExec(d.config);
      d.exec = &exec::as<Exec>(d.shared);
      d.attempts.emplace();
      d.head = std::make_unique<exec::DeviceValue<GcmcBoardHead>>(Exec::backend);
      for (std::size_t j = 0; j < k; ++j)
        throughHost_ = throughHost_ || !exec::reachEachOther(domains_[j].config, d.config);
    }
    domains_.front().use();
  }

  // The cells of a board that lies in the memory of the first device.
  void scatter(const GcmcBoard& whole) {
    const std::size_t cells = whole.cube.allCells(), entries = cells * whole.capacity;
    const std::vector<std::uint32_t> edge = gcmcEdges(whole.cube);
    for (std::size_t k = 0; k < domains_.size(); ++k) {
      Domain& d = domains_[k];
      d.use();
      d.board = whole;
      d.board.domain = static_cast<std::uint32_t>(k);
      d.board.domains = static_cast<std::uint32_t>(domains_.size());
      d.board.head = d.head->data();
      for (GcmcBoardArrays& b : d.buffer)
        b = GcmcBoardArrays::layout(cells, entries).make(Exec::backend);
      d.board.held = d.buffer[0].view(), d.board.spare = d.buffer[1].view();
      copyCells(whole, d.board, 0, cells);
      d.edge = exec::Array<std::uint32_t>(Exec::backend, edge);
      d.board.edge = d.edge.data();
      d.attempts->begin();
      makeBoxes(d);
    }
    for (Domain& d : domains_) connect(d);
    domains_.front().use();
  }
  // Cells of all domains to a board in the memory of the first device; its head after the turns.
  void gather(const GcmcBoard& whole, const GcmcBoardHead& head) const {
    for (const Domain& d : domains_) {
      const GcmcBoardLayers own = gcmcBoardLayers(d.board, head.shift);
      const std::size_t first = gcmcBoardCellIn(whole, own.first, 0), n = own.count * whole.layer(),
                        toEnd = std::min(n, whole.cube.allCells() - first);
      copyCells(d.board, whole, first, toEnd);
      copyCells(d.board, whole, 0, n - toEnd);
    }
  }

  // `count` turns from a head, whose `end` is after them; the head that they leave. at(turn,
  // share): as that of Attempts::order(), of the first domain.
  using Told = std::function<void(std::uint64_t, double)>;
  GcmcBoardHead turns(const GcmcBoardHead& start, std::uint64_t count, const Told& at) {
    const auto colours = static_cast<std::uint64_t>(domains_.front().board.colours());
    exec::Crew crew(threads_);
    crew.run(domains_.size(), [&](std::size_t begin, std::size_t end) {
      const auto each = [&](const auto& f) {
        crew.guarded([&] {
          for (std::size_t k = begin; k < end; ++k) {
            domains_[k].use();
            f(domains_[k]);
          }
        });
      };
      std::size_t slot = 0;
      const auto exchange = [&](bool layers) {
        each([&](Domain& d) { send(d, slot, layers); });
        crew.meet();
        each([&](Domain& d) { receive(d, slot, layers); });
        slot = 1 - slot;
      };
      each([&](Domain& d) { take(d, start); });
      exchange(true);
      for (std::uint64_t t = start.turn; t < start.turn + count; ++t) {
        if (t % colours == 0) {
          each([](Domain& d) { gcmcBoardBinAll(*d.exec, d.board); });
          exchange(false);
          each([](Domain& d) { gcmcBoardTakeAll(*d.exec, d.board); });
          exchange(true);
        }
        each([&](Domain& d) { turn(d, start.n, at); });
        exchange(true);
      }
      each([](Domain& d) { d.exec->synchronize(); });
    });
    domains_.front().use();
    crew.rethrow();
    return headOfAll();
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Domain& d : domains_)
      for (const GcmcBoardArrays& b : d.buffer) sum += GcmcBoardArrays::layout(0, 0).held(b);
    return sum;
  }

 private:
  struct Domain {
    ExecConfig config;
    exec::Shared shared;
    Exec* exec = nullptr;
    std::optional<Attempts> attempts;  // made on the device
    GcmcBoard board{};
    GcmcBoardArrays buffer[2];
    exec::Array<std::uint32_t> edge;
    std::unique_ptr<exec::DeviceValue<GcmcBoardHead>> head;
    // Twice, for exchanges in turn: what others write while this domain may still read the last.
    std::shared_ptr<void> memory[2];
    GcmcBoardNews* news[2];
    GcmcBoardCells box[2][2];               // of the domain before, and after
    exec::Array<GcmcBoardNews*> newsOfAll;  // where the others expect that of this domain
    void use() const { exec::useDeviceOf(config); }
  };

  static void copyCells(const GcmcBoard& from, const GcmcBoard& to, std::size_t first,
                        std::size_t n) {
    const auto copy = [&](auto* target, const auto* source, std::size_t each) {
      if (n > 0)
        exec::copy(Exec::backend, target + first * each, Exec::backend, source + first * each,
                   n * each * sizeof(*source));
    };
    copy(to.held.filled, from.held.filled, 1);
    copy(to.held.word, from.held.word, 3 * std::size_t{from.capacity});
    copy(to.held.id, from.held.id, from.capacity);
  }

  void makeBoxes(Domain& d) const {
    const std::size_t cells = d.board.layer(), entries = cells * d.board.capacity;
    const std::size_t newsBytes = domains_.size() * sizeof(GcmcBoardNews),
                      bytes = entries * (sizeof(ParticleId) + 3 * sizeof(std::uint32_t)) +
                              cells * sizeof(std::uint32_t);
    for (int slot = 0; slot < 2; ++slot) {
      d.memory[slot] =
          exec::exchangeMemory(Exec::backend, newsBytes + 2 * (bytes + 8), throughHost_);
      auto* at = static_cast<std::byte*>(d.memory[slot].get());
      d.news[slot] = reinterpret_cast<GcmcBoardNews*>(at);
      at += newsBytes;
      for (GcmcBoardCells& box : d.box[slot]) {
        box.id = reinterpret_cast<ParticleId*>(at);
        box.word = reinterpret_cast<std::uint32_t*>(box.id + entries);
        box.filled = box.word + 3 * entries;
        at += (bytes + 7) / 8 * 8;
      }
    }
  }
  void connect(Domain& d) const {
    d.use();
    std::vector<GcmcBoardNews*> all;
    for (int slot = 0; slot < 2; ++slot)
      for (const Domain& other : domains_) all.push_back(other.news[slot]);
    d.newsOfAll = exec::Array<GcmcBoardNews*>(Exec::backend, all);
  }

  // The head of the whole is that of the first domain; the others count what they add to it.
  void take(Domain& d, GcmcBoardHead head) {
    if (d.board.domain > 0) head.n = 0, head.counters = {};
    d.exec->fill("state of the chain", d.head->data(), 1, head);
  }
  void send(Domain& d, std::size_t slot, bool layers) {
    const std::size_t k = d.board.domain, all = domains_.size();
    GcmcBoardPass pass{d.board, {}, true, d.newsOfAll.data() + slot * all};
    if (layers) {
      pass.box[0] = domains_[(k + all - 1) % all].box[slot][1];
      pass.box[1] = domains_[(k + 1) % all].box[slot][0];
    }
    d.exec->forEach("exchange", layers ? std::max(all, 2 * pass.each()) : all, pass, 1 << 14);
    d.attempts->signal(*d.exec, slot);
  }
  void receive(Domain& d, std::size_t slot, bool layers) {
    for (const Domain& other : domains_)
      if (&other != &d) other.attempts->makeWait(*d.exec, slot);
    d.board.news = d.news[slot];
    if (!layers) return;
    const GcmcBoardPass pass{d.board, {d.box[slot][0], d.box[slot][1]}, false, nullptr};
    d.exec->forEach("exchange", 2 * pass.each(), pass, 1 << 14);
  }
  void turn(Domain& d, std::uint32_t n, const Told& at) {
    d.exec->forEach("turn", 1, GcmcBoardBegin{d.board});
    GcmcProgress told;
    if (at && Exec::backend == Backend::cpu && d.board.domain == 0)
      told = [&](double share) { at(d.board.head->turn, share); };
    d.attempts->order(*d.exec, d.board, n, NoGcmcBoardNotes{}, told);
    d.exec->forEach("turn", 1, GcmcBoardEndTurn{d.board});
  }
  GcmcBoardHead headOfAll() {
    GcmcBoardHead sum;
    for (Domain& d : domains_) {
      d.use();
      const GcmcBoardHead own = d.exec->read(*d.head);
      if (d.board.domain == 0) {
        sum = own;
        continue;
      }
      sum.n += own.n;
      for (int k = 0; k < kGcmcKinds; ++k) {
        sum.counters.attempted[k] += own.counters.attempted[k];
        sum.counters.accepted[k] += own.counters.accepted[k];
      }
    }
    domains_.front().use();
    return sum;
  }

  std::vector<Domain> domains_;
  std::size_t threads_;
  bool throughHost_;
};

}  // namespace cellscope
