// The chain by slot as plainly as it can be written: cells are vectors, energies are sums over all
// particles.
#pragma once
#include "sim/algo/gcmc/slot_chain.h"

namespace cellscope::test {

class PlainSlotChain {
 public:
  PlainSlotChain(const GcmcState& s, const GcmcRules& rules, std::uint32_t slots) {
    p_.rules = rules;
    p_.cube = gcmcCells(s.box, rules.pair);
    p_.slots = slots;
    idBase_ = s.idBase;
    cells_.resize(p_.cube.allCells());
    for (std::size_t i = 0; i < s.point.size(); ++i)
      cells_[p_.cube.cellOf(s.point[i])].push_back({s.point[i], s.id[i]});
  }

  void advance(std::uint64_t moves) {
    for (const std::uint64_t end = move_ + moves; move_ < end; ++move_) {
      if (move_ % gcmcSlotTurn(p_.cube) == 0)
        factors_ = gcmcSlotFactors(p_, move_, static_cast<std::uint32_t>(row().size()));
      const GcmcSlotDraw d = gcmcSlotDraw(p_, move_);
      if (d.kind == GcmcKind::insertion)
        insert(d);
      else if (d.slot < cells_[d.cell].size())
        d.kind == GcmcKind::deletion ? erase(d) : displace(d);
    }
  }
  GcmcState state(const Box& box) const {
    GcmcState s{box, {}, {}, move_, idBase_};
    for (const Particle& q : row()) s.point.push_back(q.at), s.id.push_back(q.id);
    return s;
  }
  std::vector<std::uint32_t> filled() const {
    std::vector<std::uint32_t> all;
    for (const auto& c : cells_) all.push_back(static_cast<std::uint32_t>(c.size()));
    return all;
  }

 private:
  struct Particle {
    GcmcPoint at;
    ParticleId id;
  };
  std::vector<Particle> row() const {
    std::vector<Particle> all;
    for (const auto& c : cells_) all.insert(all.end(), c.begin(), c.end());
    return all;
  }
  double energy(GcmcPoint at, ParticleId but) const {
    double u = 0;
    for (const auto& c : cells_)
      for (const Particle& q : c)
        if (q.id != but) u += gcmcPairAt(p_.rules.pair, at, q.at);
    return u;
  }
  bool accepts(const GcmcSlotDraw& d, double dU) const {
    return gcmcSlotAccepts(p_, factors_, d.kind, d.a, dU);
  }
  void insert(const GcmcSlotDraw& d) {
    auto& cell = cells_[p_.cube.cellOf(d.point)];
    if (cell.size() >= p_.slots || !accepts(d, energy(d.point, -1))) return;
    cell.push_back({d.point, idBase_ + static_cast<ParticleId>(move_)});
  }
  void leave(const GcmcSlotDraw& d) {
    auto& cell = cells_[d.cell];
    cell[d.slot] = cell.back();
    cell.pop_back();
  }
  void erase(const GcmcSlotDraw& d) {
    const Particle q = cells_[d.cell][d.slot];
    if (accepts(d, -energy(q.at, q.id))) leave(d);
  }
  void displace(const GcmcSlotDraw& d) {
    const Particle q = cells_[d.cell][d.slot];
    const GcmcPoint to = gcmcSlotDisplaced(p_, d.kind, d.point, q.at);
    const std::uint32_t target = p_.cube.cellOf(to);
    if (target != d.cell && cells_[target].size() >= p_.slots) return;
    if (!accepts(d, energy(to, q.id) - energy(q.at, q.id))) return;
    if (target == d.cell) {
      cells_[d.cell][d.slot].at = to;
      return;
    }
    leave(d);
    cells_[target].push_back({to, q.id});
  }

  GcmcSlotCells p_{};
  GcmcSlotFactors factors_;
  ParticleId idBase_ = 0;
  std::uint64_t move_ = 0;
  std::vector<std::vector<Particle>> cells_;
};

}  // namespace cellscope::test
