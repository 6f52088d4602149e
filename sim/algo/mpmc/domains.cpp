#include "sim/algo/mpmc/domains.h"

#include <fmt/format.h>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/base/error.h"
#include "sim/exec/memory.h"

namespace cellscope {
namespace {

std::size_t rowCells(const GridInfo& g, int rows) { return static_cast<std::size_t>(rows) * g.m; }
std::size_t haloCells(const GridInfo& g) { return rowCells(g, kHaloRows); }
std::size_t slotsOf(const GridInfo& g) { return static_cast<std::size_t>(g.slots); }

// What process 0 calls, for the others.
struct Order {
  enum Kind { begin, scatter, sweeps, subSweep, gather, counters, reset, end } kind;
  std::uint32_t number = 0;  // of the Domains
  ExecConfig config{};
  GridInfo grid{};
  MpmcParameters p{};
  std::uint64_t first = 0, count = 0;
  int halo = 0, set = 0;
};

exec::RankOrder order(const Order& o) { return {exec::RankWork::disks, &o, sizeof o}; }

void forEachArray(const DiskCells& cells, const auto& f) {
  f(cells.disk.data(), cells.disk.bytes());
  f(cells.id.data(), cells.id.bytes());
  f(cells.count.data(), cells.count.bytes());
}

// The rows of a strip, halos included.
void cutOut(const DiskCellsView& whole, Backend where, const DiskCellsView& strip, Backend to) {
  const GridInfo &g = whole.grid, &s = strip.grid;
  for (int y = 0, rows = 0; y < s.rows(); y += rows) {
    const int from = g.wrapFarRow(s.first + y);
    rows = std::min(s.rows() - y, g.rows() - from);
    copyRows({rowOf(whole, from), rowOf(strip, y), static_cast<std::size_t>(rows) * g.m}, where, to,
             slotsOf(g));
  }
}

void obey(Domains& domains, const Order& o) {
  MpmcCounters counted;
  switch (o.kind) {
    case Order::scatter:
      return domains.scatter({.grid = o.grid}, Backend::cpu, o.halo);
    case Order::sweeps:
      return domains.sweeps(o.p, o.first, o.count);
    case Order::subSweep:
      return domains.subSweep(o.p, o.first, o.set);
    case Order::gather:
      return domains.gather({}, Backend::cpu);
    case Order::counters:
      domains.addTo(counted);
      return exec::sendTo(0, &counted, sizeof counted);
    default:
      return domains.resetCounters();
  }
}

}  // namespace

GridInfo stripOf(const GridInfo& grid, int domains, int k, int halo) {
  const int all = grid.allRows(), most = all / halo;
  if (domains > most)
    throw InputError("{} domains: each needs {} rows of cells, and the grid has {}; allowed: 1{}",
                     domains, halo, all, most > 1 ? fmt::format(" to {}", most) : "");
  const int begin = evenBorder(all, domains, k), end = evenBorder(all, domains, k + 1);
  GridInfo strip = grid;
  strip.halo = halo;
  strip.first = grid.wrapRow(begin - halo);
  strip.cut = all - (end - begin + 2 * halo);
  return strip;
}

HaloBox::HaloBox(Backend backend, std::size_t cells, std::size_t slots)
    : data_(exec::exchangeMemory(backend, bytes(cells, slots), true)) {
  auto* const disk = static_cast<Vec2*>(data_.get());
  auto* const id = reinterpret_cast<std::uint32_t*>(disk + cells * slots);
  rows_ = {disk, id, reinterpret_cast<std::uint8_t*>(id + cells * slots), cells};
}

Domains::Domains(const ExecConfig& config) : config_(config) {
  const exec::RankOrder ordered =
      order({.kind = Order::begin, .number = number_, .config = config});
  domains_.resize(static_cast<std::size_t>(config.domains));
  for (std::size_t k = 0; k < domains_.size(); ++k) {
    Domain& d = domains_[k];
    d.config = exec::ofDomain(config, static_cast<int>(k));
    d.exec = exec::makeExec(d.config);
    d.engine = makeStripEngine(d.exec);
    const std::size_t ring = config.ranks > 1 ? kElsewhere : 0, last = domains_.size() - 1;
    d.side[0].beside = k > 0 ? k - 1 : ring | last;
    d.side[1].beside = k < last ? k + 1 : ring;
  }
  domains_.front().use();
}

Domains::~Domains() {
  if (!exec::ranksAbandoned()) order({.kind = Order::end, .number = number_});
}

bool Domains::direct(const Domain& d, const Side& s) const {
  return !config_.throughHost && s.beside != kElsewhere &&
         exec::reachEachOther(d.config, domains_[s.beside].config);
}

void Domains::connect(const GridInfo& grid) {
  const auto box = [&](bool wanted) {
    return wanted ? HaloBox(config_.backend, haloCells(grid), slotsOf(grid)) : HaloBox();
  };
  for (Domain& d : domains_)
    for (Side& s : d.side) {
      for (HaloBox& b : s.box) b = box(!direct(d, s));
      s.out = box(s.beside == kElsewhere);
    }
}

Domains::Domain* Domains::ofAll(int number) {
  const int k = number - exec::ranks().own * config_.domains;
  return k >= 0 && k < config_.domains ? &domains_[static_cast<std::size_t>(k)] : nullptr;
}

void Domains::scatter(const DiskCellsView& whole, Backend where, int halo) {
  const GridInfo& g = whole.grid;
  const exec::RankOrder ordered =
      order({.kind = Order::scatter, .number = number_, .grid = g, .halo = halo});
  for (int k = 0; k < config_.allDomains(); ++k) {
    Domain* const d = ofAll(k);
    if (!d && exec::ranks().own > 0) continue;
    const GridInfo cut = stripOf(g, config_.allDomains(), k, halo);
    if (d && exec::ranks().own == 0) {
      d->use();
      d->engine->hold(cut);
      cutOut(whole, where, d->engine->view(), config_.backend);
    } else {
      const DiskCells strip(Backend::cpu, cut);
      if (d) {
        forEachArray(strip, [](void* data, std::size_t n) { exec::receiveFrom(0, data, n); });
        d->use();
        d->engine->upload(strip);
      } else {
        cutOut(whole, where, strip.view(), Backend::cpu);
        const int rank = k / config_.domains;
        forEachArray(strip, [&](void* data, std::size_t n) { exec::sendTo(rank, data, n); });
      }
    }
    if (!d) continue;
    const std::size_t cells = rowCells(cut, halo);
    note(*d, 0, halo, cells), note(*d, 1, cut.rows() - 2 * halo, cells);
  }
  if (halo == kHaloRows) connect(g);
  domains_.front().use();
}

// Cells from row `row` of the strip on, for the halo of the domain on that side.
void Domains::note(Domain& d, int side, int row, std::size_t cells) {
  const GridInfo g = d.engine->grid();
  HaloMessage& m = d.side[side].sent;
  m.row = g.wrapFarRow(g.first + row);
  m.rows = static_cast<int>(cells / static_cast<std::size_t>(g.m));
  m.ahead = side == 1;
  m.cells = cells;
  m.bytes = HaloBox::bytes(cells, slotsOf(g));
}

std::vector<HaloMessage> Domains::messages() const {
  std::vector<HaloMessage> all;
  const int n = config_.allDomains();
  int number = exec::ranks().own * config_.domains;
  for (const Domain& d : domains_) {
    for (const Side& s : d.side) {
      all.push_back(s.sent);
      all.back().from = number;
      all.back().to = (number + (s.sent.ahead ? 1 : n - 1)) % n;
    }
    ++number;
  }
  return all;
}

void Domains::gather(const DiskCellsView& whole, Backend where) {
  const exec::RankOrder ordered = order({.kind = Order::gather, .number = number_});
  const auto put = [&](const DiskCellsView& strip, Backend from) {
    const GridInfo& s = strip.grid;
    copyRows({rowOf(strip, s.halo), rowOf(whole, s.wrapFarRow(s.first + s.halo)),
              static_cast<std::size_t>(s.rows() - 2 * s.halo) * s.m},
             from, where, slotsOf(s));
  };
  for (int k = 0; k < config_.allDomains(); ++k) {
    Domain* const d = ofAll(k);
    if (exec::ranks().own > 0 && d) {
      d->use();
      forEachArray(d->engine->download(),
                   [](void* data, std::size_t n) { exec::sendTo(0, data, n); });
    } else if (d) {
      put(d->engine->view(), config_.backend);
    } else if (exec::ranks().own == 0) {
      const int halo = domains_.front().engine->grid().halo;
      const DiskCells strip(Backend::cpu, stripOf(whole.grid, config_.allDomains(), k, halo));
      const int rank = k / config_.domains;
      forEachArray(strip, [&](void* data, std::size_t n) { exec::receiveFrom(rank, data, n); });
      put(strip.view(), Backend::cpu);
    }
  }
}

// Rows near a side, and where the domain there expects them.
RowCopy Domains::outgoing(const Domain& d, int side, std::uint64_t sweep) const {
  const GridInfo g = d.engine->grid();
  const Side& s = d.side[side];
  const CellRow from = rowOf(d.engine->view(), side == 0 ? kHaloRows : g.rows() - 2 * kHaloRows);
  if (s.beside == kElsewhere) return {from, s.out.rows(), haloCells(g)};
  const Domain& to = domains_[s.beside];
  const HaloBox& box = to.side[1 - side].box[sweep % 2];
  const int halo = side == 0 ? to.engine->grid().rows() - kHaloRows : 0;
  return {from, box.there() ? box.rows() : rowOf(to.engine->view(), halo), haloCells(g)};
}

void Domains::send(Domain& d, std::uint64_t sweep) {
  const RowCopy to[2] = {outgoing(d, 0, sweep), outgoing(d, 1, sweep)};
  const DiskCellsView cells = d.engine->view();
  for (int side = 0; side < 2; ++side)
    note(d, side, static_cast<int>((to[side].from.count - cells.count) / cells.grid.m),
         to[side].cells);
  d.engine->orderCopies(to[0], to[1]);
  d.engine->signal();
}

// From and to the processes before and after this one.
void Domains::passOn(std::uint64_t sweep) {
  if (config_.ranks == 1) return;
  const Domain &first = domains_.front(), &last = domains_.back();
  for (const Domain* d : {&first, &last}) {
    d->use();
    d->engine->synchronize();
  }
  const GridInfo g = first.engine->grid();
  const std::size_t n = HaloBox::bytes(haloCells(g), slotsOf(g));
  const int own = exec::ranks().own, before = (own + config_.ranks - 1) % config_.ranks,
            after = (own + 1) % config_.ranks;
  const Side &lower = first.side[0], &upper = last.side[1];
  exec::exchangeParts(
      {{before, lower.out.data(), n}, {after, upper.out.data(), n}},
      {{after, upper.box[sweep % 2].data(), n}, {before, lower.box[sweep % 2].data(), n}});
}

void Domains::receive(Domain& d, std::uint64_t sweep) {
  const GridInfo g = d.engine->grid();
  RowCopy copy[2] = {};
  for (int side = 0; side < 2; ++side) {
    if (d.side[side].beside != kElsewhere) d.engine->waitFor(*domains_[d.side[side].beside].engine);
    const HaloBox& box = d.side[side].box[sweep % 2];
    if (box.there())
      copy[side] = {box.rows(), rowOf(d.engine->view(), side == 0 ? 0 : g.rows() - kHaloRows),
                    haloCells(g)};
  }
  if (copy[0].cells + copy[1].cells > 0) d.engine->orderCopies(copy[0], copy[1]);
}

// Each domain on a thread of the CPU, or what a thread orders for those of a CUDA device.
std::size_t Domains::threads() const {
  return config_.backend == Backend::cpu ? domains_.size()
                                         : static_cast<std::size_t>(config_.devices);
}

// Nothing is written that another domain may still read. A shift on CUDA writes to the other of two
// buffers, and a domain that sends to it has waited for the rows that its neighbour sent after the
// last use of that buffer; of two boxes in turn the same holds. On the CPU all meet.
void Domains::sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) {
  const exec::RankOrder ordered =
      order({.kind = Order::sweeps, .number = number_, .p = p, .first = first, .count = count});
  exec::Crew crew(threads());
  crew.runOn(domains_, [&](const auto& each, bool leads) {
    for (std::uint64_t n = 0; n < count; ++n) {
      const std::uint64_t local = n % StripEngine::kPlanned;
      each([&](Domain& d) { d.engine->orderSweep(p, first + n - local, static_cast<int>(local)); });
      crew.meet();
      each([&](Domain& d) { send(d, n); });
      crew.meet();
      if (config_.ranks > 1) {
        if (leads) crew.guarded([&] { passOn(n); });
        crew.meet();
      }
      each([&](Domain& d) { receive(d, n); });
    }
    each([](Domain& d) { d.engine->synchronize(); });
  });
}

void Domains::subSweep(const MpmcParameters& p, std::uint64_t sweep, int set,
                       const MpmcTrace& trace) {
  const exec::RankOrder ordered =
      order({.kind = Order::subSweep, .number = number_, .p = p, .first = sweep, .set = set});
  exec::Crew crew(threads());
  crew.runOn(domains_, [&](const auto& each, bool) {
    each([&](Domain& d) {
      d.engine->setTrace(d.config.device == config_.device ? trace : MpmcTrace{});
      d.engine->subSweep(p, sweep, set);
    });
  });
}

void Domains::addTo(MpmcCounters& counters) {
  const exec::RankOrder ordered = order({.kind = Order::counters, .number = number_});
  exec::onEach(domains_, [&](const Domain& d) { counters += d.engine->counters(); });
  for (int rank = 1; rank < config_.ranks && exec::ranks().own == 0; ++rank) {
    MpmcCounters theirs;
    exec::receiveFrom(rank, &theirs, sizeof theirs);
    counters += theirs;
  }
}

void Domains::resetCounters() {
  const exec::RankOrder ordered = order({.kind = Order::reset, .number = number_});
  exec::onEach(domains_, [](const Domain& d) { d.engine->resetCounters(); });
}

std::size_t Domains::bytes() const {
  std::size_t sum = 0;
  for (const Domain& d : domains_) sum += d.engine->bytes();
  return sum;
}

std::function<void(const void*)> diskDomainService() {
  return exec::rankService<Order>(
      [](const Order& o) { return std::make_unique<Domains>(o.config); }, obey);
}

}  // namespace cellscope
