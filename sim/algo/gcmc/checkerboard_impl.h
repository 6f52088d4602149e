// The checkerboard engine, written once over exec.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/algo/gcmc/board_work.h"
#include "sim/algo/gcmc/checkerboard.h"
#include "sim/algo/gcmc/grid_choice.h"
#include "sim/algo/gcmc/parallel_functors.h"
#include "sim/base/error.h"
#include "sim/exec/device_value.h"
#include "sim/exec/memory.h"

namespace cellscope {

template <class Exec>
class GcmcCheckerboard final : public GcmcEngine {
 public:
  GcmcCheckerboard(exec::Shared shared, const GcmcBoardOptions& options)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {
    board_.attempts = std::max(1, options.attempts);
    board_.experiment = options.experiment;
  }

  void upload(const GcmcState& s, const GcmcRules& rules) override {
    counters_ = {};
    place(s, rules, 0);
  }
  void setRules(const GcmcRules& rules) override {
    const GcmcState s = state();
    counters_ = counters();
    place(s, rules, board_.capacity);
  }

  // Whole colours: at least so many moves.
  void advance(std::uint64_t moves) override {
    GcmcBoardHead head = exec_.read(head_);
    const std::uint64_t each = board_.movesOfTurn(), end = head.turn + (moves + each - 1) / each;
    while (head.turn < end) {
      const std::uint64_t now = std::min<std::uint64_t>(kTurns, end - head.turn);
      exec_.forEach("ask for moves", 1, GcmcBoardAsk{head_.data(), head.turn + now});
      for (std::uint64_t k = 0; k < now; ++k) turn(head.turn + k);
      head = exec_.read(head_);
      if (head.stopped != 0) grow(head);
    }
  }

  GcmcState state() const override {
    const GcmcBoardHead head = exec_.read(head_);
    GcmcState s;
    s.box = box_, s.move = head.turn * board_.movesOfTurn(), s.idBase = board_.idBase;
    const Buffer& b = buffer_[head.current];
    const auto filled = b.filled.get(), x = b.x.get(), y = b.y.get(), z = b.z.get();
    const auto id = b.id.get();
    for (std::uint32_t cell = 0; cell < filled.size(); ++cell)
      for (std::uint32_t k = 0; k < filled[cell]; ++k) {
        const std::size_t i = board_.at(cell, k);
        s.point.push_back({x[i], y[i], z[i]});
        s.id.push_back(id[i]);
      }
    return s;
  }

  std::uint32_t count() const override { return exec_.read(head_).n; }
  double energy() const override { return sums().energy; }
  GcmcCounters counters() const override {
    GcmcCounters c = exec_.read(head_).counters;
    for (int k = 0; k < kGcmcKinds; ++k) {
      c.attempted[k] += counters_.attempted[k];
      c.accepted[k] += counters_.accepted[k];
    }
    return c;
  }
  void clearCounters() override {
    counters_ = {};
    GcmcBoardHead head = exec_.read(head_);
    head.counters = {};
    setHead(head);
  }
  GcmcSums sums() const override {
    exec::DeviceValue<GcmcSums> out(Exec::backend);
    exec_.reduce("energy of all pairs", board_.cube.allCells(), GcmcSums{}, GcmcBoardSums{board_},
                 GcmcAddSums{}, out);
    return exec_.read(out);
  }
  std::vector<double> energiesAt(const std::vector<GcmcPoint>& points) const override {
    const exec::Array<GcmcPoint> at(Exec::backend, points);
    const exec::Array<double> energy(Exec::backend, points.size());
    exec_.forEach("energies at points", points.size(),
                  GcmcBoardEnergyAt{{board_}, at.data(), energy.data()}, 16);
    exec_.synchronize();
    return energy.get();
  }

  // Moves of many cells at once have no order: there are no events.
  void record(std::size_t) override {}
  std::vector<GcmcEvent> events() const override { return {}; }

  std::size_t bytes() const override {
    return buffer_[0].bytes() + buffer_[1].bytes() + edge_.bytes();
  }
  std::size_t capacity() const override { return board_.cube.allCells() * board_.capacity; }

 private:
  static constexpr std::uint64_t kTurns = 64;  // ordered before the host looks again
  static constexpr bool kCellMajor = Exec::backend == Backend::cpu;

  struct Buffer {
    exec::Array<std::uint32_t> filled, x, y, z;
    exec::Array<ParticleId> id;
    Buffer() = default;
    Buffer(std::size_t cells, std::size_t entries)
        : filled(Exec::backend, cells),
          x(Exec::backend, entries),
          y(Exec::backend, entries),
          z(Exec::backend, entries),
          id(Exec::backend, entries) {}
    GcmcBoardCells cells() const {
      return {filled.data(), x.data(), y.data(), z.data(), id.data()};
    }
    std::size_t bytes() const {
      return filled.bytes() + x.bytes() + y.bytes() + z.bytes() + id.bytes();
    }
  };

  void turn(std::uint64_t number) {
    const std::size_t cells = board_.cube.allCells();
    if (number % static_cast<std::uint64_t>(board_.colours()) == 0) {
      exec_.forEach("shift the grid", cells, GcmcBoardClear{board_});
      exec_.forEach("shift the grid", cells, GcmcBoardBin{board_});
      exec_.forEach("shift the grid", cells, GcmcBoardSort{board_});
      exec_.forEach("shift the grid", 1, GcmcBoardTake{board_});
    }
    exec_.forEach("turn", 1, GcmcBoardBegin{board_});
    exec_.forEach("attempts of a colour", board_.active(), GcmcBoardTurn{board_}, 4);
    exec_.forEach("turn", 1, GcmcBoardEndTurn{board_});
  }

  void setHead(const GcmcBoardHead& head) {
    exec_.fill("state of the chain", head_.data(), 1, head);
    exec_.synchronize();
  }
  void grow(const GcmcBoardHead& head) {
    const GcmcState s = state();
    counters_ = counters();
    const std::uint32_t need = head.most + static_cast<std::uint32_t>(board_.attempts);
    place(s, board_.rules, need + need / 4);
  }

  // Puts a state into the grid of its sweep, in the order of its slots; at least so many entries
  // per cell, and room for a turn of insertions.
  void place(const GcmcState& s, const GcmcRules& rules, std::uint32_t entries) {
    exec_.synchronize();
    box_ = s.box;
    board_.rules = rules, board_.idBase = s.idBase;
    board_.cube = gcmcBoardCells(box_, rules.pair);
    if (rules.tail > 0)
      throw InputError(
          "tail = true: the correction of this cutoff is positive, and the "
          "checkerboard needs a negative one; choose a larger cutoff or tail = false");
    GcmcBoardHead head;
    head.turn = head.end = (s.move + board_.movesOfTurn() - 1) / board_.movesOfTurn();
    head.n = s.count();
    board_.head = &head;  // on the host, for what follows
    gcmcBoardShift(board_, head.shift);
    fill(s, entries);
    board_.head = head_.data();
    setHead(head);
  }
  void fill(const GcmcState& s, std::uint32_t entries) {
    const std::size_t cells = board_.cube.allCells();
    std::vector<std::uint32_t> home, filled(cells, 0);
    for (const GcmcPoint& p : s.point) {
      home.push_back(board_.cube.cellOf(board_.fromGrid(p)));
      filled[home.back()]++;
    }
    const std::uint32_t most = *std::max_element(filled.begin(), filled.end());
    board_.capacity =
        std::max(entries, most + most / 4 + 2 * static_cast<std::uint32_t>(board_.attempts));
    board_.cellStride = kCellMajor ? board_.capacity : 1;
    board_.entryStride = kCellMajor ? 1 : cells;
    const std::size_t all = cells * board_.capacity;
    std::vector<std::uint32_t> x(all), y(all), z(all);
    std::vector<ParticleId> id(all);
    std::fill(filled.begin(), filled.end(), 0);
    for (std::size_t i = 0; i < s.point.size(); ++i) {
      const std::size_t at = board_.at(home[i], filled[home[i]]++);
      x[at] = s.point[i].x, y[at] = s.point[i].y, z[at] = s.point[i].z, id[at] = s.id[i];
    }
    for (int k = 0; k < 2; ++k) {
      buffer_[k] = Buffer(cells, all);
      board_.buffer[k] = buffer_[k].cells();
    }
    buffer_[0].filled.set(filled), buffer_[0].id.set(id);
    buffer_[0].x.set(x), buffer_[0].y.set(y), buffer_[0].z.set(z);
    edge_ = exec::Array<std::uint32_t>(Exec::backend, gcmcEdges(board_.cube));
    board_.edge = edge_.data();
  }

  exec::Shared shared_;
  Exec& exec_;
  Box box_;
  GcmcBoard board_{};
  GcmcCounters counters_;  // of what was done before the last placing
  exec::DeviceValue<GcmcBoardHead> head_{Exec::backend};
  Buffer buffer_[2];
  exec::Array<std::uint32_t> edge_;
};

}  // namespace cellscope
