// The engine of a mode: of one device, or of several domains.
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/domains.h"

namespace cellscope {
namespace {

// Sweeps run on the strips. All else is done by an engine of the whole grid, on the first device,
// which then takes over the cells from the strips: what is measured or saved depends on no number
// of domains. Sweeps of overlapping disks and the experiments that make such stay there, but for
// stale halos, for which there are domains where the run has only one.
class DomainEngine final : public MpmcEngine {
 public:
  explicit DomainEngine(const exec::Shared& exec)
      : config_(exec->config()), whole_(makeStripEngine(exec)) {}

  Backend backend() const override { return whole_->backend(); }
  GridInfo grid() const override { return whole_->grid(); }

  void upload(const DiskCells& host) override {
    if (several()) stripOf(host.grid, config_.allDomains(), 0);  // refuses too many domains
    whole_->setAside(several());
    whole_->upload(host);
    halo_ = 0;
    behind_ = false;
  }
  DiskCells download() const override { return upToDate().download(); }
  DiskCellsView view() const override { return upToDate().view(); }

  void setMapping(const MpmcMappingInfo& mapping) override { whole_->setMapping(mapping); }
  bool offers(const MpmcMappingInfo& mapping, const MpmcParameters& p) const override {
    return !several() && whole_->offers(mapping, p);
  }
  void setTrace(const MpmcTrace& trace) override {
    trace_ = trace;
    whole_->setTrace(trace);
  }

  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) override {
    if (stale(p)) return staleSweeps(p, first, count);
    if (!onStrips(p)) return alone().sweeps(p, first, count);
    domains_->sweeps(p, first, count);
    behind_ = true;
  }
  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    if (stale(p)) return staleSubSweep(p, sweep, set);
    alone().subSweep(p, sweep, set);
  }
  void shift(const CellShift& shift) override { alone().shift(shift); }
  void relax(const MpmcParameters& p, std::uint64_t sweep, int set) override {
    alone().relax(p, sweep, set);
  }
  OverlapReport check() const override { return upToDate().check(); }

  MpmcCounters counters() const override {
    MpmcCounters sum = whole_->counters();
    if (domains_) domains_->addTo(sum);
    return sum;
  }
  void resetCounters() override {
    whole_->resetCounters();
    if (domains_) domains_->resetCounters();
  }
  std::size_t bytes() const override {
    return whole_->bytes() + (domains_ ? domains_->bytes() : 0);
  }
  std::vector<HaloMessage> messages() const override {
    return domains_ ? domains_->messages() : std::vector<HaloMessage>();
  }

 private:
  bool several() const { return config_.allDomains() > 1; }
  static bool stale(const MpmcParameters& p) {
    return p.experiments.staleHalo && !p.experiments.leaveCell;
  }

  StripEngine& upToDate() const {
    if (!behind_) return *whole_;
    domains_->gather(whole_->view(), whole_->backend());
    if (halo_ == kStaleHaloRows) whole_->changedOutside();
    behind_ = false;
    return *whole_;
  }
  // To be changed: the strips have to get their cells again.
  StripEngine& alone() {
    upToDate();
    halo_ = 0;
    return *whole_;
  }

  void scatter(int halo) {
    ExecConfig config = config_;
    if (!several()) config.domains = kStaleDomains;
    if (!domains_) domains_ = std::make_unique<Domains>(config);
    whole_->setAside(halo == kHaloRows);
    domains_->scatter(upToDate().view(), whole_->backend(), halo);
    halo_ = halo;
  }

  // Whether these sweeps can run on the strips, which then have their cells.
  bool onStrips(const MpmcParameters& p) {
    const MpmcExperiments& e = p.experiments;
    if (!several() || grid().slots != 4 || e.mayOverlap() || e.moveOnce || trace_.on())
      return false;
    if (halo_ == kHaloRows) return true;
    const OverlapReport report = alone().check();
    if (report.overlaps > 0 || report.misplaced > 0 || !slotsSuffice(grid())) return false;
    scatter(kHaloRows);
    return true;
  }

  void staleSweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t sweep = first; sweep < first + count; ++sweep) {
      const SweepSchedule s = scheduleOfSweep(p, grid().w, sweep);
      for (const std::uint8_t set : s.set) staleSubSweep(p, sweep, set);
      shift(s.shift);
    }
  }
  // The strips have the cells as they were before the sweep, and since then only their own move.
  // The shift is made on all cells. A checkpoint within a sweep has no halos: a run that goes on
  // from it copies them again.
  void staleSubSweep(const MpmcParameters& p, std::uint64_t sweep, int set) {
    if (halo_ != kStaleHaloRows || positionOfSet(p, grid().w, sweep, set) == 0)
      scatter(kStaleHaloRows);
    domains_->subSweep(p, sweep, set, trace_);
    behind_ = true;
  }

  ExecConfig config_;
  std::unique_ptr<StripEngine> whole_;
  std::unique_ptr<Domains> domains_;
  int halo_ = 0;                 // of the strips, while they have the cells
  mutable bool behind_ = false;  // the whole grid, which the strips have changed
  MpmcTrace trace_;
};

}  // namespace

std::unique_ptr<MpmcEngine> makeMpmcEngine(const exec::Shared& exec) {
  return std::make_unique<DomainEngine>(exec);
}

std::size_t mpmcBytes(const GridInfo& grid, const ExecConfig& config) {
  std::size_t whole = mpmcBytesOfOne(grid, config);
  if (config.allDomains() == 1) return whole;
  // The whole grid is there to be looked at (StripEngine::setAside()).
  if (config.backend == Backend::cuda) whole -= DiskCells::layout(grid).bytes();
  const int onDevice = config.backend == Backend::cpu
                           ? config.domains
                           : (config.domains + config.devices - 1) / config.devices;
  const GridInfo last = stripOf(grid, config.allDomains(), config.allDomains() - 1);
  return whole + static_cast<std::size_t>(onDevice) * mpmcBytesOfOne(last, config);
}

}  // namespace cellscope
