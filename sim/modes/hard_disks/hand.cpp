// A hand in the run: disks moved as far as there is room, added where there is some, and deleted.
#include <fmt/format.h>

#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/points.h"

namespace cellscope {

// Of centres, so that positions rounded to 2^-22 do not overlap.
constexpr double kApart = 1 + 1e-6;

// Disks in the frame of the grid.
class HardDisksMode::Disks {
 public:
  Disks(const DiskCells& cells, const Box& box) : p(positionsOf(cells)), box_(box) {}

  Vec3d at(std::size_t k) const { return {p.xy[2 * k], p.xy[2 * k + 1], 0}; }
  std::vector<Vec3d> places() const {
    std::vector<Vec3d> all(p.ids.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = at(k);
    return all;
  }
  void add(Vec3d r, std::uint32_t id) {
    p.xy.insert(p.xy.end(), {r.x, r.y});
    p.ids.push_back(id);
  }
  // The share of d that all of `held`, in ascending order, can go at once: up to the first contact
  // with another one.
  double freePath(const std::vector<std::size_t>& held, Vec3d d) const {
    const double square = dot(d, d);
    double share = square > 0 ? 1 : 0;
    for (std::size_t j = 0; j < p.ids.size() && share > 0; ++j) {
      if (std::binary_search(held.begin(), held.end(), j)) continue;
      for (const std::size_t i : held) {
        const Vec3d r = box_.minimumImage(at(i) - at(j));
        const double along = dot(r, d), gap = dot(r, r) - kApart * kApart;
        const double root = along * along - square * gap;
        if (along >= 0 || (gap > 0 && root <= 0)) continue;
        share = std::min(share, gap <= 0 ? 0 : (-along - std::sqrt(root)) / square);
      }
    }
    return share;
  }
  // How far they went: along d, and where that is barred along its parts.
  Vec3d push(const std::vector<std::size_t>& held, Vec3d d) {
    Vec3d gone{0, 0, 0};
    const auto go = [&](Vec3d way) {
      const double share = freePath(held, way);
      const Vec3d move{share * way.x, share * way.y, 0};
      for (const std::size_t i : held) {
        const Vec3d to = box_.wrap(at(i) + move);
        p.xy[2 * i] = to.x, p.xy[2 * i + 1] = to.y;
      }
      gone = gone + move;
      return share;
    };
    const double share = go(d);
    if (share < 1) go({(1 - share) * d.x, 0, 0}), go({0, (1 - share) * d.y, 0});
    return gone;
  }

  DiskPositions p;

 private:
  Box box_;
};

std::string HardDisksMode::hand(const HandMove& move) {
  if (move.act == HandAct::release) {
    const std::size_t n = std::exchange(run_.held, {}).ids.size();
    return n == 0 ? "" : "let go of " + countOf(n, "disk");
  }
  const DiskCells cells = system_.engine().download();
  Disks disks(cells, system_.box());
  if (move.act == HandAct::pull) return pull(cells, disks, move);
  const GridPlacement grid = system_.placement();
  HandMove inGrid = move;
  inGrid.at = inBox({move.at.x - grid.originX, move.at.y - grid.originY, 0}, system_.box());
  if (move.act == HandAct::add) return addWithin(cells, disks, inGrid);
  const std::vector<std::size_t> found = withinReach(system_.box(), disks.places(), inGrid);
  if (found.empty()) return "";
  if (move.act == HandAct::grab) {
    run_.held = {{}, move.at, move.at};
    for (const std::size_t k : found) run_.held.ids.push_back(disks.p.ids[k]);
    return "holds " + countOf(found.size(), "disk");
  }
  eraseAll(disks.p.ids, found), eraseAll(disks.p.xy, found, 2);
  takeDisks(cells, disks.p);
  return "deleted " + countOf(found.size(), "disk");
}

std::string HardDisksMode::addWithin(const DiskCells& cells, Disks& disks, const HandMove& move) {
  const Box box = system_.box();
  const std::size_t before = disks.p.ids.size();
  std::vector<Vec3d> near;
  for (const Vec3d& r : disks.places())
    if (const Vec3d d = box.minimumImage(r - move.at); std::hypot(d.x, d.y) < move.radius + 2)
      near.push_back(r);
  forEachPlace(box, move, [&](Vec3d at) {
    for (const Vec3d& r : near)
      if (const Vec3d d = box.minimumImage(r - at); dot(d, d) < kApart * kApart) return;
    near.push_back(at);
    disks.add(at, run_.nextId + static_cast<std::uint32_t>(disks.p.ids.size() - before));
  });
  const std::size_t added = disks.p.ids.size() - before;
  if (added == 0) return "";
  if (run_.nextId >= kNoId - added) throw InputError("hand: add: no ids are left for new disks");
  takeDisks(cells, disks.p);
  run_.nextId += static_cast<std::uint32_t>(added);
  return "added " + countOf(added, "disk");
}

// In parts of less than a radius.
std::string HardDisksMode::pull(const DiskCells& cells, Disks& disks, const HandMove& move) {
  constexpr double kPart = 0.4;
  constexpr int kMostParts = 64;
  if (run_.held.ids.empty()) return "";
  std::vector<std::size_t> held;  // ids are in ascending order
  for (const std::uint32_t id : run_.held.ids)
    held.push_back(static_cast<std::size_t>(
        std::lower_bound(disks.p.ids.begin(), disks.p.ids.end(), id) - disks.p.ids.begin()));
  const Vec3d from = run_.held.at;
  Vec3d at = from;
  for (int k = 0; k < kMostParts; ++k) {
    const Vec3d way{move.at.x - at.x, move.at.y - at.y, 0};
    const double far = std::hypot(way.x, way.y), share = far > kPart ? kPart / far : 1;
    const Vec3d gone = disks.push(held, {share * way.x, share * way.y, 0});
    at = {at.x + gone.x, at.y + gone.y, 0};
    if (far == 0 || std::hypot(gone.x, gone.y) < 1e-5) break;
  }
  const double far = std::hypot(at.x - from.x, at.y - from.y);
  if (far < 1e-5) return "";
  const Held kept = run_.held;
  takeDisks(cells, disks.p);
  run_.held = {kept.ids, at, move.at};
  return fmt::format("moved by {:.3g} sigma", far);
}

// Others in the same cells, between two sweeps. The packing follows from their number.
void HardDisksMode::takeDisks(const DiskCells& before, const DiskPositions& after) {
  const auto n = static_cast<std::int64_t>(after.ids.size()), had = system_.disks();
  const double packing = packingOf(before.grid, n);
  if (n < P::kSmallestN || n > P::kLargestN || packing < P::kSmallestPacking ||
      packing > P::kLargestPacking)
    throw InputError(
        "hand: {} disks at packing {:.4g} would be left; possible are {} to {} at {:g} to {:g}", n,
        packing, P::kSmallestN, P::kLargestN, P::kSmallestPacking, P::kLargestPacking);
  checkMemory(n, before.grid, config(), BoxHistory::constant);
  const GridOrigin origin = system_.origin();
  const MpmcCounters made = counted();
  system_.adopt(fillCells(before.grid, after.xy, after.ids), n, origin);
  const MpmcEngine::OverlapReport report = system_.engine().check();
  if (report.overlaps > 0 || report.misplaced > 0) {
    system_.adopt(before, had, origin);
    throw InputError("hand: disks would overlap there");
  }
  system_.engine().resetCounters();
  run_.counted = made;
  run_.held = {};
  scene_.forgetState();
  scene_.moves().clear();
  if (n == had) return;
  setByItself(&P::n, n);
  setByItself(&P::packing, system_.packing());
  sampler_.changePacking();
}

std::optional<Grip> HardDisksMode::grip() {
  if (run_.held.ids.empty()) return std::nullopt;
  const Vec3d at = inBox(run_.held.at, system_.box());
  return Grip{run_.held.ids.size(),
              at,
              {at.x + run_.held.to.x - run_.held.at.x, at.y + run_.held.to.y - run_.held.at.y, 0},
              std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace cellscope
