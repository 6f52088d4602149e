// One checkerboard on several domains: threads of the CPU, devices, or those of several processes,
// which have some of the domains each, in order, and exchange by MPI through host memory. Each
// advances the active cells of its layers (gcmcBoardLayers) and has copies of the layer before and
// after them, which come from the domains beside it after every turn and every shift. Cells, moves
// and random numbers are those of the whole board, so that the result is that of one domain bit for
// bit.
//
// A domain has its own layers in memory, and those before and after them (gcmcBoardFirstHeld());
// which these are changes with every shift of the grid.
#pragma once
#include "sim/algo/gcmc/board_work.h"
#include "sim/algo/gcmc/notes.h"
#include "sim/exec/memory.h"
#include "sim/exec/ranks.h"

namespace cellscope {
inline namespace GCMC_TYPES {

template <class Exec, class Attempts>
class GcmcBoardDomains final : public GcmcBoardPart {
 public:
  explicit GcmcBoardDomains(const ExecConfig& config)
      : config_(config),
        domains_(static_cast<std::size_t>(config.domains)),
        threads_(Exec::backend == Backend::cpu ? domains_.size()
                                               : static_cast<std::size_t>(config.devices)),
        throughHost_(config.throughHost || config.ranks > 1) {
    const exec::RankOrder ordered =
        order({.kind = GcmcBoardCall::begin, .config = config, .mixed = kGcmcMixtures});
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
  ~GcmcBoardDomains() override {
    if (!exec::ranksAbandoned()) order({.kind = GcmcBoardCall::end});
  }

  void obey(const GcmcBoardCall& call) override {
    if (call.kind == GcmcBoardCall::scatter) scatter(call.board, call.head);
    if (call.kind == GcmcBoardCall::turns) turns(call.head, call.count, {});
    if (call.kind == GcmcBoardCall::gather) gather(call.board, call.head);
  }

  // The cells of a board with this head that lies in the memory of the first device of process 0.
  void scatter(const GcmcBoard& whole, const GcmcBoardHead& head) {
    const exec::RankOrder ordered =
        order({.kind = GcmcBoardCall::scatter, .board = whole, .head = head});
    const std::vector<std::uint32_t> edge = gcmcEdges(whole.cube, whole.typeBit);
    for (std::size_t k = 0; k < domains_.size(); ++k) {
      Domain& d = domains_[k];
      d.use();
      d.board = partOf(whole, firstOf(exec::ranks().own) + static_cast<int>(k));
      d.board.head = d.head->data();
      const std::size_t cells = gcmcBoardMostHeld(d.board) * d.board.layer();
      for (GcmcBoardArrays& b : d.buffer) {
        b = {};
        b = GcmcBoardArrays::layout(cells, cells * whole.held.capacity).make(Exec::backend);
      }
      d.board.held = d.buffer[0].view(whole.held.capacity);
      d.board.spare = d.buffer[1].view(whole.held.capacity);
      forCellsOf(d.board, head, 1, [&](std::size_t onBoard, std::size_t held, std::size_t n) {
        exec::ranks().own == 0 ? copyCells(whole, onBoard, d.board, held, n)
                               : pass(d.board, 0, true, held, n);
      });
      d.edge = exec::Array<std::uint32_t>(Exec::backend, edge);
      d.board.edge = d.edge.data();
      d.attempts->begin();
      for (int slot = 0; slot < 2; ++slot) {
        const std::size_t before = config_.allDomains() * sizeof(GcmcBoardNews);
        d.memory[slot] = boxesFor(d.board, before, d.box[slot]);
        d.news[slot] = static_cast<GcmcBoardNews*>(d.memory[slot].get());
      }
    }
    forOthers(whole, head, 1, [&](int rank, std::size_t onBoard, std::size_t, std::size_t n) {
      pass(whole, rank, false, onBoard, n);
    });
    if (config_.ranks > 1) outMemory_ = boxesFor(whole, 0, out_);
    for (Domain& d : domains_) connect(d);
    domains_.front().use();
  }
  // Cells of all domains to a board in the memory of the first device of process 0; its head after
  // the turns.
  void gather(const GcmcBoard& whole, const GcmcBoardHead& head) const {
    const exec::RankOrder ordered =
        order({.kind = GcmcBoardCall::gather, .board = whole, .head = head});
    for (const Domain& d : domains_)
      forCellsOf(d.board, head, 0, [&](std::size_t onBoard, std::size_t held, std::size_t n) {
        exec::ranks().own == 0 ? copyCells(d.board, held, whole, onBoard, n)
                               : pass(d.board, 0, false, held, n);
      });
    forOthers(whole, head, 0, [&](int rank, std::size_t onBoard, std::size_t, std::size_t n) {
      pass(whole, rank, true, onBoard, n);
    });
  }

  // `count` turns from a head, whose `end` is after them; the head that they leave. at(turn,
  // share): as that of Attempts::order(), of the first domain.
  using Told = std::function<void(std::uint64_t, double)>;
  GcmcBoardHead turns(const GcmcBoardHead& start, std::uint64_t count, const Told& at) {
    const exec::RankOrder ordered =
        order({.kind = GcmcBoardCall::turns, .head = start, .count = count});
    const auto colours = static_cast<std::uint64_t>(domains_.front().board.colours());
    exec::Crew crew(threads_);
    crew.runOn(domains_, [&](const auto& each, bool leads) {
      std::size_t slot = 0;
      const auto exchange = [&](bool layers) {
        each([&](Domain& d) { send(d, slot, layers); });
        crew.meet();
        if (config_.ranks > 1) {
          if (leads) crew.guarded([&] { passOn(slot, layers); });
          crew.meet();
        }
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
    return headOfAll();
  }

  // The outermost layers of each domain, as send() has passed them on with this head.
  std::vector<HaloMessage> messages(const GcmcBoardHead& head) const {
    std::vector<HaloMessage> all;
    const int n = config_.allDomains();
    for (const Domain& d : domains_) {
      const GcmcBoardLayers own = gcmcBoardLayers(d.board, head.shift);
      const int from = static_cast<int>(d.board.domain),
                layers = d.board.cube.count[d.board.axis()];
      for (const bool ahead : {false, true})
        all.push_back({from, (from + (ahead ? 1 : n - 1)) % n,
                       (own.first + (ahead ? own.count - 1 : 0)) % layers, 1, ahead,
                       d.board.layer(), boxBytes(d.board)});
    }
    return all;
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
    // News, then boxes; twice, for exchanges in turn: what others write while this domain may still
    // read the last.
    std::shared_ptr<void> memory[2];
    GcmcBoardNews* news[2];
    GcmcStoredCells box[2][2];              // of the domain before, and after
    exec::Array<GcmcBoardNews*> newsOfAll;  // where the others expect that of this domain
    void use() const { exec::useDeviceOf(config); }
  };

  exec::RankOrder order(GcmcBoardCall call) const {
    call.number = number_;
    return {exec::RankWork::board, &call, sizeof call};
  }
  int firstOf(int rank) const { return rank * config_.domains; }  // domain of all

  GcmcBoard partOf(const GcmcBoard& whole, int domain) const {
    GcmcBoard part = whole;
    part.domain = static_cast<std::uint32_t>(domain);
    part.domains = static_cast<std::uint32_t>(config_.allDomains());
    return part;
  }
  // f(first on the board, first in memory, n) for the cells of a domain and of so many layers more
  // at either side.
  static void forCellsOf(const GcmcBoard& b, const GcmcBoardHead& head, int more, const auto& f) {
    const GcmcBoardLayers own = gcmcBoardLayers(b, head.shift);
    const int all = b.cube.count[b.axis()];
    for (int k = -more, some = 0; k < own.count + more; k += some) {
      const int layer = (own.first + k + all) % all;
      some = std::min(own.count + more - k, all - layer);
      f(layer * b.layer(), (k + 1) * b.layer(), some * b.layer());
    }
  }
  // The same in process 0 for the domains of the others, with the process first.
  void forOthers(const GcmcBoard& whole, const GcmcBoardHead& head, int more, const auto& f) const {
    for (int rank = 1; rank < config_.ranks && exec::ranks().own == 0; ++rank)
      for (int k = 0; k < config_.domains; ++k)
        forCellsOf(partOf(whole, firstOf(rank) + k), head, more,
                   [&](std::size_t onBoard, std::size_t held, std::size_t n) {
                     f(rank, onBoard, held, n);
                   });
  }
  // f(array, bytes) for what cells of a board have in its arrays.
  static void forArrays(const GcmcBoard& b, std::size_t first, std::size_t n, const auto& f) {
    const auto each = [&](auto* data, std::size_t of) {
      if (n > 0) f(data + first * of, n * of * sizeof(*data));
    };
    each(b.held.filled, 1);
    each(b.held.word, 3 * std::size_t{b.held.capacity});
    each(b.held.id, b.held.capacity);
  }
  // Cells of these arrays to another process, or from it.
  static void pass(const GcmcBoard& b, int rank, bool receive, std::size_t first, std::size_t n) {
    forArrays(b, first, n, [&](void* data, std::size_t bytes) {
      std::vector<std::byte> host(bytes);
      if (receive) {
        exec::receiveFrom(rank, host.data(), bytes);
        exec::copy(Exec::backend, data, Backend::cpu, host.data(), bytes);
      } else {
        exec::copy(Backend::cpu, host.data(), Exec::backend, data, bytes);
        exec::sendTo(rank, host.data(), bytes);
      }
    });
  }

  static void copyCells(const GcmcBoard& from, std::size_t first, const GcmcBoard& to,
                        std::size_t at, std::size_t n) {
    const auto copy = [&](auto* target, const auto* source, std::size_t each) {
      if (n > 0)
        exec::copy(Exec::backend, target + at * each, Exec::backend, source + first * each,
                   n * each * sizeof(*source));
    };
    copy(to.held.filled, from.held.filled, 1);
    copy(to.held.word, from.held.word, 3 * std::size_t{from.held.capacity});
    copy(to.held.id, from.held.id, from.held.capacity);
  }

  // The boxes of both sides, in memory that begins with `before` bytes for other things.
  std::shared_ptr<void> boxesFor(const GcmcBoard& b, std::size_t before,
                                 GcmcStoredCells (&box)[2]) const {
    const std::size_t each = boxBytes(b), entries = b.layer() * b.held.capacity;
    before = (before + 7) / 8 * 8;
    const auto memory = exec::exchangeMemory(Exec::backend, before + 2 * each, throughHost_);
    for (int side = 0; side < 2; ++side) {
      auto* const at = static_cast<std::byte*>(memory.get()) + before + side * each;
      box[side].id = reinterpret_cast<ParticleId*>(at);
      box[side].word = reinterpret_cast<std::uint32_t*>(box[side].id + entries);
      box[side].filled = box[side].word + 3 * entries;
      box[side].capacity = b.held.capacity;
    }
    return memory;
  }
  static std::size_t boxBytes(const GcmcBoard& b) {
    const std::size_t cells = b.layer(), entries = cells * b.held.capacity;
    return (entries * (sizeof(ParticleId) + 3 * sizeof(std::uint32_t)) +
            cells * sizeof(std::uint32_t) + 7) /
           8 * 8;
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
    const auto k = static_cast<std::size_t>(&d - domains_.data()), all = domains_.size();
    GcmcBoardPass pass{d.board, {}, true, d.newsOfAll.data() + slot * all, all};
    if (layers) {
      const bool ring = config_.ranks == 1;
      pass.box[0] = k > 0 || ring ? domains_[(k + all - 1) % all].box[slot][1] : out_[0];
      pass.box[1] = k + 1 < all || ring ? domains_[(k + 1) % all].box[slot][0] : out_[1];
    }
    d.exec->forEach("exchange", layers ? std::max(all, 2 * pass.each()) : all, pass, 1 << 14);
    d.attempts->signal(*d.exec, slot);
  }
  // From and to the other processes: news of all, layers of those before and after this one.
  void passOn(std::size_t slot, bool layers) {
    for (const Domain& d : domains_) {
      d.use();
      d.exec->synchronize();
    }
    const Domain &first = domains_.front(), &last = domains_.back();
    exec::exchangeAll(first.news[slot], domains_.size() * sizeof(GcmcBoardNews));
    for (const Domain& d : domains_)
      std::copy_n(first.news[slot], config_.allDomains(), d.news[slot]);
    if (!layers) return;
    const std::size_t bytes = boxBytes(first.board);
    const int own = exec::ranks().own, before = (own + config_.ranks - 1) % config_.ranks,
              after = (own + 1) % config_.ranks;
    const std::vector<exec::RankPart> out = {{before, out_[0].id, bytes},
                                             {after, out_[1].id, bytes}};
    const std::vector<exec::RankPart> in = {{after, last.box[slot][1].id, bytes},
                                            {before, first.box[slot][0].id, bytes}};
    exec::exchangeParts(out, in);
  }
  void receive(Domain& d, std::size_t slot, bool layers) {
    for (const Domain& other : domains_)
      if (&other != &d) other.attempts->makeWait(*d.exec, slot);
    d.board.news = d.news[slot];
    if (!layers) return;
    const GcmcBoardPass pass{d.board, {d.box[slot][0], d.box[slot][1]}, false, nullptr, 0};
    d.exec->forEach("exchange", 2 * pass.each(), pass, 1 << 14);
  }
  void turn(Domain& d, std::uint32_t n, const Told& at) {
    d.exec->forEach("turn", 1, GcmcBoardBegin{d.board});
    GcmcProgress told;
    if (at && Exec::backend == Backend::cpu && d.board.domain == 0)
      told = [&](double share) { at(d.board.head->turn, share); };
    d.attempts->order(*d.exec, d.board, n, NoGcmcTrace{}, told);
    d.exec->forEach("turn", 1, GcmcBoardEndTurn{d.board});
  }
  GcmcBoardHead headOfAll() {
    GcmcBoardHead sum;
    const auto add = [&](const GcmcBoardHead& more) {
      sum.n += more.n;
      gcmcAddCounts(sum.counters, more.counters);
    };
    exec::onEach(domains_, [&](Domain& d) {
      const GcmcBoardHead own = d.exec->read(*d.head);
      &d == &domains_.front() ? void(sum = own) : add(own);
    });
    if (exec::ranks().own > 0) exec::sendTo(0, &sum, sizeof sum);
    for (int rank = 1; rank < config_.ranks && exec::ranks().own == 0; ++rank) {
      GcmcBoardHead theirs;
      exec::receiveFrom(rank, &theirs, sizeof theirs);
      add(theirs);
    }
    return sum;
  }

  ExecConfig config_;
  std::uint32_t number_ = exec::rankObject();
  std::vector<Domain> domains_;
  std::size_t threads_;
  bool throughHost_;
  // Layers for other processes: before the first domain, and after the last.
  GcmcStoredCells out_[2];
  std::shared_ptr<void> outMemory_;
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
