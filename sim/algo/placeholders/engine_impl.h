// Molecular dynamics with placeholder cells (S2, section 3), written once over exec: no lists;
// forces come from the cells around each, which are brought up to date in the same pass.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/algo/md/engine.h"
#include "sim/algo/md/integrator.h"
#include "sim/algo/md/pair_law.h"
#include "sim/algo/md/system.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/algo/placeholders/pass.h"
#include "sim/base/error.h"
#include "sim/exec/layout.h"
#include "sim/exec/memory.h"
#include "sim/exec/status.h"
#include "sim/exec/team.h"

namespace cellscope {

// Per-particle parts of a step with placeholder cells. Positions, velocities and forces are kept by
// the number of the particle, positions and velocities in double; slots see positions rounded to
// floats.

// How far a particle may be outside its cell: two that are in cells which do not touch are no
// closer than the cutoff then.
struct CellBounds {
  CellGrid grid;
  RecordBox box;
  float width[3] = {0, 0, 0};
  float reach[3] = {0, 0, 0};  // from the middle of the cell

  CellBounds() = default;
  CellBounds(const PlaceholderShape& shape, const Box& of) : grid(shape.grid), box(of) {
    for (int a = 0; a < of.dimension; ++a) {
      const double w = of.length[a] / grid.cells[a];
      width[a] = static_cast<float>(w);
      // Less what rounding of positions and differences may hide.
      reach[a] = static_cast<float>(0.5 * w + 0.5 * (w - shape.cutoff) - 4e-7 * of.length[a]);
    }
  }
  HOST_DEVICE bool outside(float x, int axis, int cell) const {
    const float middle = (static_cast<float>(cell) + 0.5f) * width[axis];
    const float d = box.difference(x, middle, axis);
    return d > reach[axis] || -d > reach[axis];
  }
  HOST_DEVICE bool left(std::size_t cell, const ParticleRecord& p) const {
    const int c = static_cast<int>(cell), nx = grid.cells[0], ny = grid.cells[1];
    return outside(p.x, 0, c % nx) || outside(p.y, 1, c / nx % ny) ||
           (box.dimension == 3 && outside(p.z, 2, c / (nx * ny)));
  }
};

struct PlaceholderDrift {
  Drift drift;  // of particles by number
  SlotRecord* slot;
  const Vec4* force;
  PlaceholderControl* control;
  CellBounds bounds;
  std::uint32_t slots;
  InverseMasses inverseMass;
  std::uint64_t step;

  HOST_DEVICE void operator()(std::size_t k) const {
    if (!control->reaches(beforeForces(step))) return;
    const SlotRecord p = slot[k];
    if (!p.real()) return;
    const std::uint32_t i = p.number();
    const double perMass = inverseMass.of[p.type()];
    const Vec4 f = force[i];
    const Vec3d v = halfKicked(drift.velocity[i], {f.x, f.y, f.z}, drift.dt, perMass);
    if (!drift(i, v, perMass, step)) return;
    const ParticleRecord now = bounds.box.record(drift.position[i], 0);
    slot[k] = {now.x, now.y, now.z, p.tag};
    if (bounds.left(k / slots, now)) exec::maxGlobal(&control->left, step + 1);
  }
};

// The same check of particles that have not moved.
struct CheckLeft {
  const SlotRecord* slot;
  PlaceholderControl* control;
  CellBounds bounds;
  std::uint32_t slots;
  std::uint64_t step;
  HOST_DEVICE void operator()(std::size_t k) const {
    const SlotRecord p = slot[k];
    if (p.real() && bounds.left(k / slots, {p.x, p.y, p.z, 0}))
      exec::maxGlobal(&control->left, step + 1);
  }
};

// Refreshed cells back to where the others were.
struct TakeRefreshed {
  const SlotRecord* from;
  const std::uint32_t* fromFilled;
  SlotRecord* slot;
  std::uint32_t* filled;
  PlaceholderControl* control;
  std::uint64_t step;
  std::uint32_t cells;
  HOST_DEVICE void operator()(std::size_t k) const {
    if (!control->refreshDue(step)) return;
    slot[k] = from[k];
    if (k < cells) filled[k] = fromFilled[k];
    if (k == 0) ++control->refreshes;
  }
};

// By number of the particle.
struct PlaceholderParticles {
  exec::Array<Vec3d> position, velocity;
  exec::Array<Vec4> force;
  exec::Array<Vec2> terms;
  exec::Array<ParticleRecord> kind;  // types; positions are those of the upload
  exec::Array<Vec3d> keptPosition, keptVelocity;
  exec::Array<Vec4> keptForce;

  static exec::Layout<PlaceholderParticles> layout(std::size_t n) {
    using S = PlaceholderParticles;
    return {{"positions", &S::position, n},
            {"velocities", &S::velocity, n},
            {"forces", &S::force, n},
            {"energies", &S::terms, n},
            {"types", &S::kind, n},
            {"kept positions", &S::keptPosition, n},
            {"kept velocities", &S::keptVelocity, n},
            {"kept forces", &S::keptForce, n}};
  }
};

struct PlaceholderCells {
  exec::DoubleBuffer<SlotRecord> slot;
  exec::DoubleBuffer<std::uint32_t> filled;
  exec::Array<SlotRecord> keptSlot;
  exec::Array<std::uint32_t> keptFilled;

  static exec::Layout<PlaceholderCells> layout(const PlaceholderShape& shape) {
    using S = PlaceholderCells;
    const auto cells = static_cast<std::size_t>(shape.grid.count());
    return {{"slots", &S::slot, shape.slotsInAll()},
            {"particles in cells", &S::filled, cells},
            {"kept slots", &S::keptSlot, shape.slotsInAll()},
            {"kept particles in cells", &S::keptFilled, cells}};
  }
};

template <class Exec>
class PlaceholderEngine final : public MdSystemOn<Exec, SplitSums> {
 public:
  using System = MdSystemOn<Exec, SplitSums>;
  using System::forces;
  explicit PlaceholderEngine(exec::Shared shared) : System(std::move(shared)) {}

  void upload(const MdState& state) override;
  MdState download() const override;
  void setPair(const PairSettings& settings) override;

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
  void run(double dt, std::uint64_t first, std::uint64_t count, const PairProgress&) override;

  void changeBox(const Box& box, Vec3d mean, std::uint64_t step) override;
  void recheck() override {
    exec_.forEach("check the cells", shape_.slotsInAll(),
                  CheckLeft{cells_.slot.data(), control_.data(), CellBounds(shape_, box_),
                            shape_.slots, now_});
  }
  void keep() override;
  void restore() override;
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

  bool orderPart(TimedPart part) override {
    if (part == TimedPart::partners) return orderWalk<false>("cells loaded");
    if (part == TimedPart::records) return orderWalk<true>("cells loaded and gone through");
    if (part == TimedPart::forces) forces({});
    return part == TimedPart::forces;
  }

  ParticlesLent lendParticles(bool energies) override;

  std::size_t bytes() const override {
    return PlaceholderParticles::layout(n_).held(p_) +
           PlaceholderCells::layout(shape_).held(cells_) + displacements_.bytes();
  }

 private:
  enum class Room { enough, madeBeforeForces, madeAfterForces };

  using System::box_, System::displacements_, System::exec_, System::keptBox_, System::n_,
      System::pair_, System::samples_, System::status_, System::unread_;

  ParticlePlaces places() const override {
    return {p_.position.data(), p_.velocity.data(), nullptr, p_.kind.data()};
  }
  SplitSums sums() const override { return {p_.force.data(), p_.terms.data()}; }
  std::uint32_t cells() const { return static_cast<std::uint32_t>(shape_.grid.count()); }
  PlaceholderShape wanted() const;
  void take(PlaceholderShape shape, const std::vector<ParticleRecord>& records,
            const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& cellOf);
  void renew();
  void compareShape();
  Room makeRoom();
  void allocate(const PlaceholderShape& shape);
  void resetControl(std::uint64_t refreshes) {
    PlaceholderControl c;
    c.refreshes = refreshes;
    exec_.fill("control", control_.data(), 1, c);
  }
  // Placeholders take part in the forces alone, as what they would add to energies is nothing.
  // f(pass, team) for the cells in parts.
  template <CellWork work, class F>
  void inParts(const PairProgress& progress, const F& f) {
    using Pass = CellPass<NoLaw, work>;
    const bool everySlot = work != CellWork::terms && pair_.kernel != PairKernel::tuned;
    const int all = static_cast<int>(cells());
    const bool reports = Exec::backend == Backend::cpu && progress;  // a GPU gets all at once
    const auto slots = static_cast<std::int64_t>(shape_.slots);
    const std::int64_t pairs = (box_.dimension == 3 ? 27 : 9) * slots * slots;
    const int part = reports ? System::partsPerReport(pairs, all) : all;
    for (int from = 0; from < all; from += part) {
      const exec::TeamShape team{std::min(part, all - from), static_cast<int>(shape_.slots),
                                 Pass::sharedBytes(shape_.slots)};
      f(Pass{{},
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
             everySlot,
             from},
        team);
      if (reports) progress(static_cast<double>(from + team.teams) / all);
    }
  }
  template <bool records>
  bool orderWalk(const char* name) {
    if (stale_) renew();
    using Cells = CellPass<NoLaw, CellWork::terms>;
    const exec::TeamShape team{static_cast<int>(cells()), static_cast<int>(shape_.slots),
                               Cells::sharedBytes(shape_.slots)};
    exec_.teams(name, team,
                CellWalk<records>{Cells{{},
                                        shape_.grid,
                                        shape_.slots,
                                        RecordBox(box_),
                                        cells_.slot.data(),
                                        cells_.filled.data(),
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        control_.data(),
                                        now_,
                                        pair_.kernel != PairKernel::tuned},
                                  unread_.data()});
    return true;
  }
  template <CellWork work>
  void orderPairs(const char* name, const PairProgress& progress = {}) {
    withSomeLaw(pair_, [&](const AnyLaw& law) {
      inParts<work>(progress, [&](const auto& pass, exec::TeamShape team) {
        runWithLaw(
            TeamsWithLaw<typename Exec::Launcher, CellPass<NoLaw, work>>{exec_, name, team, pass},
            law);
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
  void dropSamples(std::uint64_t from, std::uint64_t end);
  void orderSample(RunSample* to, double dt) override {
    System::orderSums(to, dt, {}, RefreshesOf{control_.data()});
  }
  void takeTerms() override {
    if (!termsValid_) orderPairs<CellWork::terms>("energies from the cells");
    termsValid_ = true;
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

#include "sim/algo/placeholders/engine_state.h"
