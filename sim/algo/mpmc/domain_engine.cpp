// The engine of a mode: of one device, or of several domains.
#include <utility>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/domains.h"

namespace cellscope {
namespace {

// Sweeps run on the strips. All else is done by an engine of the whole grid, on the first device,
// which then takes over the cells from the strips: what is measured or saved depends on no number
// of domains. Sweeps of overlapping disks and the experiments that make such stay there.
class DomainEngine final : public MpmcEngine {
 public:
  explicit DomainEngine(const exec::Shared& exec)
      : config_(exec->config()), whole_(makeStripEngine(exec)) {}

  Backend backend() const override { return whole_->backend(); }
  GridInfo grid() const override { return whole_->grid(); }

  void upload(const DiskCells& host) override {
    stripOf(host.grid, config_.allDomains(), 0);  // refuses too many domains
    whole_->upload(host);
    strips_ = behind_ = false;
  }
  DiskCells download() const override { return upToDate().download(); }
  DiskCellsView view() const override { return upToDate().view(); }

  void setMapping(const MpmcMappingInfo& mapping) override { whole_->setMapping(mapping); }
  bool offers(const MpmcMappingInfo&, const MpmcParameters&) const override { return false; }
  void setTrace(const MpmcTrace& trace) override {
    recorded_ = trace.on();
    whole_->setTrace(trace);
  }

  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) override {
    if (!onStrips(p)) return alone().sweeps(p, first, count);
    domains_->sweeps(p, first, count);
    behind_ = true;
  }
  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) override {
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

 private:
  StripEngine& upToDate() const {
    if (behind_) domains_->gather(whole_->view(), whole_->backend());
    behind_ = false;
    return *whole_;
  }
  // To be changed: the strips have to get their cells again.
  StripEngine& alone() {
    upToDate();
    strips_ = false;
    return *whole_;
  }

  // Whether these sweeps can run on the strips, which then have their cells.
  bool onStrips(const MpmcParameters& p) {
    const MpmcExperiments& e = p.experiments;
    if (grid().slots != 4 || e.mayOverlap() || e.moveOnce || recorded_) return false;
    if (strips_) return true;
    const OverlapReport report = whole_->check();
    if (report.overlaps > 0 || report.misplaced > 0 || !slotsSuffice(grid())) return false;
    if (!domains_) domains_ = std::make_unique<Domains>(config_);
    domains_->scatter(whole_->view(), whole_->backend());
    return strips_ = true;
  }

  ExecConfig config_;
  std::unique_ptr<StripEngine> whole_;
  std::unique_ptr<Domains> domains_;
  bool strips_ = false;          // have the cells
  mutable bool behind_ = false;  // the whole grid, which the strips have changed
  bool recorded_ = false;
};

}  // namespace

std::unique_ptr<MpmcEngine> makeMpmcEngine(const exec::Shared& exec) {
  if (exec->config().allDomains() > 1) return std::make_unique<DomainEngine>(exec);
  return makeStripEngine(exec);
}

std::size_t mpmcBytes(const GridInfo& grid, const ExecConfig& config) {
  const std::size_t whole = mpmcBytesOfOne(grid, config);
  if (config.allDomains() == 1) return whole;
  const int onDevice = config.backend == Backend::cpu
                           ? config.domains
                           : (config.domains + config.devices - 1) / config.devices;
  const GridInfo last = stripOf(grid, config.allDomains(), config.allDomains() - 1);
  return whole + static_cast<std::size_t>(onDevice) * mpmcBytesOfOne(last, config);
}

}  // namespace cellscope
