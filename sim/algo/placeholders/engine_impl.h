// Molecular dynamics with placeholder cells (S2, section 3), written once over exec: no lists;
// forces come from the cells around each, which are brought up to date in the same pass.
#pragma once
#include <numeric>

#include "sim/algo/md/system.h"
#include "sim/algo/placeholders/kernels.h"
#include "sim/algo/placeholders/pass.h"

namespace cellscope {

template <class Exec>
class PlaceholderEngine final : public MdSystemOn<Exec, SplitSums> {
 public:
  using System = MdSystemOn<Exec, SplitSums>;
  using System::forces;
  explicit PlaceholderEngine(exec::Shared shared) : System(std::move(shared)) {}

  void upload(const MdState& state) override {
    const std::size_t n = state.position.size();
    CELLSCOPE_ASSERT(state.velocity.size() == n && n > 0 && n <= kNumberMask);
    exec_.synchronize();
    if (n != n_) {
      p_ = {};
      n_ = 0;
      p_ = PlaceholderParticles::layout(n).make(Exec::backend);
      n_ = n;
    }
    box_ = state.box;
    const std::vector<ParticleRecord> record = state.records();
    p_.position.set(state.position);
    p_.velocity.set(state.velocity);
    p_.kind.set(record);
    if (state.force.size() == n)
      p_.force.set(state.force);
    else
      p_.force.zero();
    PlaceholderShape shape = wanted();
    const bool known = state.cellOf.size() == n && state.order.size() == n;
    growths_ = known && state.slots > shape.slots ? 1 : 0;
    if (known) shape.slots = std::max(shape.slots, state.slots);
    kept_ = false;
    take(shape, record, known ? state.order : byNumber(),
         known ? state.cellOf : std::vector<std::uint32_t>{});
    System::begin(state.followed);
    history_ = state.history;
    resetControl(history_.builds);
    now_ = 0;
    recheck();
    termsValid_ = false;
  }
  MdState download() const override {
    exec_.synchronize();
    MdState s;
    s.box = box_;
    s.position = p_.position.get(), s.velocity = p_.velocity.get(), s.force = p_.force.get();
    s.history = history();
    s.followed = displacements_.get();
    s.slots = shape_.slots;
    s.type.resize(n_);
    const std::vector<SlotRecord> slot = cells_.slot.array().get();
    for (std::size_t k = 0; k < slot.size(); ++k) {
      if (!slot[k].real()) continue;
      s.order.push_back(slot[k].number());
      s.cellOf.push_back(static_cast<std::uint32_t>(k / shape_.slots));
      s.type[slot[k].number()] = static_cast<std::uint8_t>(slot[k].type());
    }
    return s;
  }
  void setPair(const PairSettings& settings) override {
    pair_ = settings;
    termsValid_ = false;
    if (n_ > 0) compareShape();
  }

  void halfKickDrift(double dt, std::uint64_t step) override {
    termsValid_ = false;
    now_ = step;
    exec_.forEach("half kick and drift", shape_.slotsInAll(),
                  PlaceholderDrift{System::drift(dt, step), cells_.slot.data(), p_.force.data(),
                                   control_.data(), CellBounds(shape_, box_), shape_.slots,
                                   System::inverseMasses(), step});
  }
  // Part 0: the refresh of the cells where it is needed.
  bool updateListPart(int, std::uint64_t step) override {
    now_ = step;
    orderRefresh();
    makeRoom();
    return false;
  }
  void forces(const PairProgress& progress) override {
    if (stale_) renew();
    do orderForces(false, progress);
    while (makeRoom() == Room::madeBeforeForces);
  }
  void halfKick(double dt) override {
    exec_.forEach("half kick", n_, System::kick(dt, ForcesAreThere{control_.data(), now_}));
  }
  // Some steps are ordered before the host looks whether there is room. The trajectory does not
  // depend on it.
  void run(double dt, std::uint64_t first, std::uint64_t count,
           const PairProgress& progress) override {
    if (stale_) renew();
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t most = Exec::backend == Backend::cpu ? 1 : 64;
      const std::uint64_t now = std::min(count - done, most);
      for (std::uint64_t s = first + done; s < first + done + now; ++s) {
        halfKickDrift(dt, s);
        orderForces(samples_.due(s), progress);
        halfKick(dt);
        if (samples_.due(s)) System::takeSample(dt);
      }
      const Room room = makeRoom();
      if (room == Room::enough) {
        done += now;
        continue;
      }
      dropSamples(now_, first + done + now);
      if (room == Room::madeBeforeForces) {
        forces();
        halfKick(dt);
      }
      termsValid_ = false;
      if (samples_.due(now_)) System::takeSample(dt);
      done = now_ - first + 1;
    }
  }
  // The cells are refilled from the positions, on the host, and have as many slots as before where
  // they have grown.
  void changeBox(const Box& box, Vec3d mean, std::uint64_t step) override {
    System::scaleTo(box, mean);
    box_ = box;
    PlaceholderShape shape = wanted();
    if (growths_ > 0) shape.slots = std::max(shape.slots, shape_.slots);
    shape_ = shape;
    stale_ = false;
    now_ = step;
    renew();
    resetControl(exec_.read(control_).refreshes);
    forces({});
  }
  void recheck() override {
    exec_.forEach("check the cells", shape_.slotsInAll(),
                  CheckLeft{cells_.slot.data(), control_.data(), CellBounds(shape_, box_),
                            shape_.slots, now_});
  }

  void keep() override {
    exec_.forEach("keep the state", n_,
                  copyItems(p_.position, p_.keptPosition, p_.velocity, p_.keptVelocity, p_.force,
                            p_.keptForce));
    if (cells_.keptSlot.size() != shape_.slotsInAll() || cells_.keptFilled.size() != cells()) {
      exec_.synchronize();
      cells_.keptSlot = exec::Array<SlotRecord>(Exec::backend, shape_.slotsInAll());
      cells_.keptFilled = exec::Array<std::uint32_t>(Exec::backend, cells());
    }
    exec_.forEach("keep the cells", cells(), copyItems(cells_.filled.array(), cells_.keptFilled));
    exec_.forEach("keep the slots", shape_.slotsInAll(),
                  copyItems(cells_.slot.array(), cells_.keptSlot));
    kept_ = true;
    keptShape_ = shape_;
    keptBox_ = box_;
    keptGrowths_ = growths_;
    keptRefreshes_ = exec_.read(control_).refreshes;
  }
  void restore() override {
    exec_.forEach("restore the state", n_,
                  copyItems(p_.keptPosition, p_.position, p_.keptVelocity, p_.velocity,
                            p_.keptForce, p_.force));
    displacements_.scale(exec_, keptBox_.length[0] / box_.length[0]);
    box_ = keptBox_;
    exec_.synchronize();
    allocate(keptShape_);
    exec_.forEach("restore the cells", cells(),
                  copyItems(cells_.keptFilled, cells_.filled.array()));
    exec_.forEach("restore the slots", shape_.slotsInAll(),
                  copyItems(cells_.keptSlot, cells_.slot.array()));
    exec_.synchronize();
    status_.clear(exec_);
    growths_ = keptGrowths_;
    resetControl(keptRefreshes_);
    termsValid_ = false;
    compareShape();
  }
  // Builds: refreshes of the cells beside the updates with the forces.
  ListHistory history() const override {
    ListHistory h = history_;
    h.builds = exec_.read(control_).refreshes;
    return h;
  }
  std::uint64_t listGrowths() const override { return growths_; }
  void lend(Lent& to, bool) override {
    to.lend(CellsLent{shape_, cells_.slot.data(), cells_.filled.data()});
  }
  ParticlesLent lendParticles(bool energies) override {
    if (energies) takeTerms();
    ParticlesLent lent = System::lentParticles();
    lent.terms = p_.terms.data();
    lent.slot = cells_.slot.data(), lent.slots = shape_.slotsInAll();
    lent.block = static_cast<std::int32_t>(shape_.slots);  // a cell is the work of one
    return lent;
  }

  bool orderPart(TimedPart part) override {
    if (part == TimedPart::partners) return orderWalk<false>("cells loaded");
    if (part == TimedPart::records) return orderWalk<true>("cells loaded and gone through");
    if (part == TimedPart::forces) forces({});
    return part == TimedPart::forces;
  }

  std::size_t bytes() const override {
    return PlaceholderParticles::layout(n_).held(p_) +
           PlaceholderCells::layout(shape_).held(cells_) + displacements_.bytes();
  }

 private:
  enum class Room { enough, madeBeforeForces, madeAfterForces };

  using System::box_, System::displacements_, System::exec_, System::keptBox_, System::n_,
      System::pair_, System::samples_, System::status_;

  ParticlePlaces places() const override {
    return {p_.position.data(), p_.velocity.data(), nullptr, p_.kind.data()};
  }
  SplitSums sums() const override { return {p_.force.data(), p_.terms.data()}; }
  std::uint32_t cells() const { return static_cast<std::uint32_t>(shape_.grid.count()); }

  // --- Shape and contents of the cells ---
  PlaceholderShape wanted() const {
    if (const auto why = placeholdersRefused(n_, box_, pair_)) throw InputError(*why);
    return placeholderShape(n_, box_, pair_);
  }
  std::vector<std::uint32_t> byNumber() const {
    std::vector<std::uint32_t> order(n_);
    std::iota(order.begin(), order.end(), 0u);
    return order;
  }
  void allocate(const PlaceholderShape& shape) {
    const bool same = cells_.slot.size() == shape.slotsInAll() &&
                      cells_.filled.size() == static_cast<std::size_t>(shape.grid.count());
    if (!same) {
      PlaceholderCells made = PlaceholderCells::layout(shape).make(Exec::backend);
      if (kept_) {
        made.keptSlot.swap(cells_.keptSlot);
        made.keptFilled.swap(cells_.keptFilled);
      }
      cells_ = std::move(made);
    }
    shape_ = shape;
  }
  void take(PlaceholderShape shape, const std::vector<ParticleRecord>& records,
            const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& cellOf) {
    const PlaceholderContents contents = placeInCells(shape, records, order, cellOf);
    growths_ += contents.grown ? 1 : 0;
    allocate(shape);
    cells_.slot.array().set(contents.slot);
    cells_.filled.array().set(contents.filled);
    stale_ = false;
  }
  // The cells of the settings, or of more slots, from the positions as they are; then in the order
  // of the numbers.
  void renew() {
    exec_.synchronize();
    const std::vector<Vec3d> position = p_.position.get();
    std::vector<ParticleRecord> record = p_.kind.get();
    const RecordBox rounded(box_);
    for (std::size_t i = 0; i < n_; ++i) record[i] = rounded.record(position[i], record[i].type);
    take(stale_ ? wanted() : shape_, record, byNumber(), {});
  }
  // Whether the cells are those of the settings. Cells that have grown do not shrink.
  void compareShape() {
    const PlaceholderShape next = wanted();
    stale_ = !std::ranges::equal(next.grid.cells, shape_.grid.cells) || next.slots > shape_.slots ||
             (next.slots < shape_.slots && growths_ == 0);
    if (stale_) return;
    shape_.cutoff = next.cutoff;
    recheck();
  }
  // Waits. Where a cell had too few slots: more of them, and all particles in their cells.
  Room makeRoom() {
    const PlaceholderControl seen = exec_.read(control_);
    if (seen.stop == kNeverStop) return Room::enough;
    now_ = seen.stop / 2;
    renew();
    resetControl(seen.refreshes);
    return seen.stop == beforeForces(now_) ? Room::madeBeforeForces : Room::madeAfterForces;
  }
  void resetControl(std::uint64_t refreshes) {
    PlaceholderControl c;
    c.refreshes = refreshes;
    exec_.fill("control", control_.data(), 1, c);
  }

  // --- Passes ---
  // Placeholders take part in the forces alone, as what they would add to energies is nothing.
  template <CellWork work>
  CellPass<NoLaw, work> passOf(bool everySlot) const {
    return {{},
            shape_.grid,
            shape_.slots,
            RecordBox(box_),
            cells_.slot.data(),
            cells_.filled.data(),
            cells_.slot.spare(),
            cells_.filled.spare(),
            p_.force.data(),
            p_.terms.data(),
            control_.data(),
            now_,
            everySlot};
  }
  // f(pass, team) for the cells in parts.
  template <CellWork work, class F>
  void inParts(const PairProgress& progress, const F& f) {
    auto pass = passOf<work>(work != CellWork::terms && pair_.kernel != PairKernel::tuned);
    const int all = static_cast<int>(cells());
    const bool reports = Exec::backend == Backend::cpu && progress;  // a GPU gets all at once
    const auto slots = static_cast<std::int64_t>(shape_.slots);
    const std::int64_t pairs = (box_.dimension == 3 ? 27 : 9) * slots * slots;
    const int part = reports ? System::partsPerReport(pairs, all) : all;
    for (int& from = pass.from; from < all; from += part) {
      const exec::TeamShape team{std::min(part, all - from), static_cast<int>(shape_.slots),
                                 pass.sharedBytes(shape_.slots)};
      f(pass, team);
      if (reports) progress(static_cast<double>(from + team.teams) / all);
    }
  }
  template <bool records>
  bool orderWalk(const char* name) {
    if (stale_) renew();
    const auto pass = passOf<CellWork::terms>(pair_.kernel != PairKernel::tuned);
    const exec::TeamShape team{static_cast<int>(cells()), static_cast<int>(shape_.slots),
                               pass.sharedBytes(shape_.slots)};
    exec_.teams(name, team, CellWalk<records>{pass});
    return true;
  }
  template <CellWork work>
  void orderPairs(const char* name, const PairProgress& progress = {}) {
    using Work = TeamsWithLaw<typename Exec::Launcher, CellPass<NoLaw, work>>;
    withSomeLaw(pair_, [&](const AnyLaw& law) {
      inParts<work>(progress, [&](const auto& pass, exec::TeamShape team) {
        runWithLaw(Work{exec_, name, team, pass}, law);
      });
    });
  }
  void orderRefresh() {
    inParts<CellWork::cells>({}, [&](const auto& pass, exec::TeamShape team) {
      exec_.teams("refresh of the cells", team, pass);
    });
    exec_.forEach("refresh: take over", shape_.slotsInAll(),
                  TakeRefreshed{cells_.slot.spare(), cells_.filled.spare(), cells_.slot.data(),
                                cells_.filled.data(), control_.data(), now_, cells()});
  }
  // withTerms: energies too, in the same pass.
  void orderForces(bool withTerms, const PairProgress& progress) {
    termsValid_ = false;  // in case the work is cancelled
    orderRefresh();
    if (withTerms)
      orderPairs<CellWork::forcesAndTerms>("forces, energies and update of the cells", progress);
    else
      orderPairs<CellWork::forces>("forces and update of the cells", progress);
    termsValid_ = withTerms;
    cells_.slot.swap();
    cells_.filled.swap();
  }
  void takeTerms() override {
    if (!termsValid_) orderPairs<CellWork::terms>("energies from the cells");
    termsValid_ = true;
  }
  void orderSample(RunSample* to, double dt) override {
    System::orderSums(to, dt, {}, RefreshesOf{control_.data()});
  }
  // Those of steps [from, end).
  void dropSamples(std::uint64_t from, std::uint64_t end) {
    std::ptrdiff_t count = 0;
    for (std::uint64_t s = from; s < end; ++s) count += samples_.due(s);
    samples_.took(-count);
  }

  PlaceholderParticles p_;
  PlaceholderCells cells_;
  PlaceholderShape shape_, keptShape_;
  bool kept_ = false;   // there is a state that was kept
  bool stale_ = false;  // the cells are not those of the settings
  bool termsValid_ = false;
  std::uint64_t now_ = 0;  // the current step
  std::uint64_t growths_ = 0, keptGrowths_ = 0, keptRefreshes_ = 0;
  ListHistory history_;
  exec::DeviceValue<PlaceholderControl> control_{Exec::backend, PlaceholderControl{}};
};

}  // namespace cellscope
