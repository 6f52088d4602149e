// What chains in the memory of a backend share, written once over exec: the head, by which kernels
// and host tell each other how far the chain is, energies at points, and of those whose particles
// lie by cell the particles in a row, sums and samples.
#pragma once
#include "sim/algo/gcmc/board_work.h"
#include "sim/algo/gcmc/chain_store.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Head has the number n of particles and the counters.
template <class Exec, class Head>
class DeviceChain : public GcmcEngine {
 public:
  Backend memory() const final { return Exec::backend; }
  std::uint32_t count() const final { return head().n; }
  GcmcCounters counters() const override { return head().counters; }
  void clearCounters() override {
    Head head = this->head();
    head.counters = {};
    setHead(head);
  }
  void record(std::size_t largest) override {
    exec_.synchronize();
    event_ = exec::Array<GcmcEvent>(Exec::backend, largest);
    forgetEvents();
  }
  // In the order of the numbers of the moves; some may have been made at the same time.
  std::vector<GcmcEvent> events() const override {
    exec_.synchronize();
    std::vector<GcmcEvent> all = event_.get();
    // Attempts that an experiment leaves out have none: older ones lie in their places.
    std::erase_if(all,
                  [&](const GcmcEvent& e) { return e.move < eventsFrom_ || e.move == kNoMove; });
    std::ranges::sort(all, {}, &GcmcEvent::move);
    return all;
  }

 protected:
  explicit DeviceChain(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  // Read once after moves were made: on a GPU that is a wait.
  const Head& head() const {
    if (!seen_) seen_ = exec_.read(head_);
    return *seen_;
  }
  static void requireTypes(const GcmcRules& r) {
    CELLSCOPE_ASSERT(Exec::backend == Backend::cpu || r.pair.mixed == kGcmcMixtures);
  }
  void forgetEvents() {
    GcmcEvent none{};
    none.move = kNoMove;
    if (event_.size() > 0) exec_.fill("no events", event_.data(), event_.size(), none);
  }
  void setHead(const Head& head) {
    exec_.fill("state of the chain", head_.data(), 1, head);
    seen_ = head;
  }
  // For kernels that change it: it is read again after them.
  Head* changingHead() const {
    seen_.reset();
    return head_.data();
  }
  // To the state of n particles.
  void copyTo(GcmcState& s, const GcmcParticleArrays& particles, std::uint32_t n) const {
    s.box = box_;
    s.point = exec::onHost<GcmcPoint>(Exec::backend, particles.point.data(), n);
    s.id = exec::onHost<ParticleId>(Exec::backend, particles.id.data(), n);
  }
  // Energies of test points, by the functor make(points, energies) of arrays in the memory of the
  // backend, which writes one energy for each point.
  std::vector<double> atPoints(const std::vector<GcmcPoint>& points, const auto& make) const {
    constexpr std::size_t kKept = 1 << 17;  // points, for which memory is held
    const std::size_t n = points.size();
    if (n > testPoint_.size()) {
      testPoint_ = exec::Array<GcmcPoint>(Exec::backend, n);
      testEnergy_ = exec::Array<double>(Exec::backend, n);
    }
    exec::copy(Exec::backend, testPoint_.data(), Backend::cpu, points.data(),
               n * sizeof(GcmcPoint));
    exec_.forEach("energies at points", n, make(testPoint_.data(), testEnergy_.data()), 16);
    exec_.synchronize();
    std::vector<double> all = exec::onHost<double>(Exec::backend, testEnergy_.data(), n);
    if (n > kKept) testPoint_ = {}, testEnergy_ = {};
    return all;
  }
  std::size_t testBytes() const { return testPoint_.bytes() + testEnergy_.bytes(); }

  exec::Shared shared_;
  Exec& exec_;
  Box box_;
  mutable exec::DeviceValue<Head> head_{Exec::backend};
  mutable std::optional<Head> seen_;  // head_ as it is, since it was read
  mutable exec::DeviceValue<GcmcSums> sum_{Exec::backend};
  // Kept from one sample to the next, so that none allocates.
  mutable exec::Array<GcmcPoint> testPoint_;
  mutable exec::Array<double> testEnergy_;
  exec::Array<GcmcEvent> event_;  // the newest: of move m at place m % size
  std::uint64_t eventsFrom_ = 0;  // moves that have events

 private:
  static constexpr std::uint64_t kNoMove = ~std::uint64_t{0};
};

// Twice the sums of the particles of cell i with all around them, vectorised: cells lie as in
// gcmcCellsInRow().
struct GcmcBoardTwiceSums {
  const GcmcBoard& b;
  const GcmcCellFunctions& functions;

  GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const auto cell = static_cast<std::uint32_t>(i);
    if (b.held.filled[i] == 0 || !(b.rules.pair.cutoffSquared > 0)) return sums;
    std::vector<std::uint32_t> around;
    for (int j = 0; j < b.cube.cells(); ++j)
      around.push_back(gcmcCubeCell(b.cube, b.fromGrid(b.held.point(cell, 0)), j).cell);
    const GcmcCellWords words = gcmcCellsInRow(b.held.word, b.held.filled, b.held.capacity);
    const GcmcSums own[2] = {gcmcOwnPair(b.rules.pair, 0), gcmcOwnPair(b.rules.pair, 1)};
    for (std::uint32_t k = 0; k < b.held.filled[i]; ++k) {
      const GcmcPoint p = b.held.point(cell, k);
      const GcmcSums& self = own[gcmcTypeOf(p)];
      const GcmcEnergyVirial e =
          functions.both(b.rules.pair, words, around.data(), static_cast<int>(around.size()), p);
      sums.energy += e.energy - self.energy, sums.virial += e.virial - self.virial;
    }
    return sums;
  }
};

// Particles by cell: the checkerboard, and moves in flight.
template <class Exec, class Head>
class CellStoredChain : public DeviceChain<Exec, Head> {
 public:
  GcmcSums sums() const override {
    if (sums_) return *sums_;
    const GcmcBoard b = board();
    constexpr const char* kName = "energy of all pairs";
    const std::size_t cells = b.cube.allCells();
    if constexpr (Exec::backend == Backend::cpu)
      exec_.reduce(kName, cells, GcmcSums{}, GcmcBoardTwiceSums{b, functions_},
                   std::plus<GcmcSums>{}, this->sum_, 64);
    else
      exec_.reduce(kName, cells, GcmcSums{}, GcmcBoardSums{b}, std::plus<GcmcSums>{}, this->sum_);
    sums_ = exec_.read(this->sum_);
    if (Exec::backend == Backend::cpu) sums_ = {0.5 * sums_->energy, 0.5 * sums_->virial};
    return *sums_;
  }
  std::vector<double> energiesAt(const std::vector<GcmcPoint>& points) const override {
    return this->atPoints(points, [&](const GcmcPoint* at, double* energy) {
      return GcmcBoardEnergyAt{board(), at, energy};
    });
  }
  GcmcParticlesView particles() const override {
    const std::uint32_t n = this->head().n;
    inRow(n);
    return {row_.particles.point.data(), row_.particles.id.data(), n, board().idBase};
  }

 protected:
  using DeviceChain<Exec, Head>::DeviceChain;
  using DeviceChain<Exec, Head>::exec_;

  // What kernels that count and sum particles in cells ask for.
  virtual GcmcBoard board() const = 0;

  // The particles one after another, cell by cell.
  void inRow(std::uint32_t n) const {
    const GcmcBoard b = board();
    const std::size_t cells = b.cube.allCells();
    row_.reserve(Exec::backend, cells, n);
    exec_.offsets("particles in a row", b.held.filled, row_.first.data(), cells);
    exec_.forEach(
        "particles in a row", cells * b.held.capacity,
        GcmcBoardRow{b, row_.first.data(), row_.particles.point.data(), row_.particles.id.data()},
        1 << 14);
    exec_.synchronize();
  }
  GcmcState stateInRow() const {
    const std::uint32_t n = this->head().n;
    GcmcState s;
    s.idBase = board().idBase;
    inRow(n);
    this->copyTo(s, row_.particles, n);
    return s;
  }
  std::size_t rowBytes() const {
    return GcmcRowArrays::layout(0, 0).held(row_) + this->testBytes();
  }

  GcmcCellFunctions functions_ = gcmcCellFunctionsFor();  // on a CPU
  mutable std::optional<GcmcSums> sums_;                  // of this state

 private:
  mutable GcmcRowArrays row_;
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
