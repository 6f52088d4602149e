#include "sim/algo/verlet/list_truth.h"

#include <fmt/format.h>

#include <numeric>

namespace cellscope {
namespace {

// Entries that the memory of lists has room for.
std::uint64_t roomOf(const ListReader& list, std::size_t n, Backend where) {
  const std::size_t rows = list.rows(n);
  return list.head.at ? onHost(where, list.head.at + rows, 1)[0] : rows * list.head.even;
}

// Squared distances of one particle from blocks of others, in single precision: which may be near.
class NearFinder {
 public:
  static constexpr std::size_t kBlock = 256;
  NearFinder(const std::vector<ParticleRecord>& all, const Box& box) : box_(box) {
    for (int a = 0; a < 3; ++a) at_[a].assign((all.size() / kBlock + 1) * kBlock, 0.0f);
    for (std::size_t i = 0; i < all.size(); ++i)
      at_[0][i] = all[i].x, at_[1][i] = all[i].y, at_[2][i] = all[i].z;
  }
  const float* block(const ParticleRecord& p, std::size_t first) {
    const float own[3] = {p.x, p.y, p.z};
    std::fill(std::begin(r2_), std::end(r2_), 0.0f);
    for (int a = 0; a < box_.dimension; ++a) {
      const float length = static_cast<float>(box_.length[a]), from = own[a];
      const float* const to = at_[a].data() + first;
      for (std::size_t k = 0; k < kBlock; ++k) {
        const float d = std::abs(to[k] - from), image = length - d;
        const float least = d < image ? d : image;
        r2_[k] += least * least;
      }
    }
    return r2_;
  }

 private:
  Box box_;
  std::vector<float> at_[3];
  float r2_[kBlock];
};

class Comparison {
 public:
  Comparison(const ListsLent& lent, Backend where, bool all, bool wholeLists)
      : lent_(lent),
        all_(all),
        now_(onHost(where, lent.record, lent.input.n)),
        built_(onHost(where, lent.input.particles, lent.input.n)),
        rows_(lent.list, lent.input.n, where, wholeLists),
        seen_(lent.input.n, ~0u),
        rounding_(pairRounding(lent.input.box, static_cast<double>(lent.input.table.longest()))) {}

  void lookAt(std::optional<std::uint32_t> only) {
    truth.lookedAt += only ? 1 : lent_.input.n;
    forEachPairWithin(now_, lent_.input.box, lent_.cutoffs, only,
                      [&](std::uint32_t i, std::uint32_t j, double r) {
                        ++truth.within;
                        if (!isWithin(i, j, r)) return;
                        const bool here = rows_.has(i, j), there = rows_.has(j, i);
                        if (here != there)
                          add(i, j, ListTruth::Fault::oneSided);
                        else if (!here)
                          add(i, j, ListTruth::Fault::missing);
                      });
    if (only) return entriesOf(*only);
    for (std::uint32_t i = 0; i < lent_.input.n; ++i) entriesOf(i);
  }
  ListTruth truth;

 private:
  bool isWithin(std::uint32_t i, std::uint32_t j, double r) const {
    return r < static_cast<double>(lent_.cutoffs.reach(now_[i].type, now_[j].type)) - rounding_;
  }
  // Of the positions that the list was built from: how much further than its reach.
  double excess(std::uint32_t i, std::uint32_t j) const {
    return distance(built_[i], built_[j], lent_.input.box) -
           static_cast<double>(lent_.input.table.reach(built_[i].type, built_[j].type));
  }
  // From all particles that share the list of slot i.
  bool isBeyond(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t cluster = lent_.list.cluster, first = i / cluster * cluster;
    const std::size_t end = std::min<std::size_t>(first + cluster, lent_.input.n);
    for (std::uint32_t k = first; k < end; ++k)
      if (k == j || excess(k, j) <= rounding_) return false;
    return true;
  }
  // A list that clusters share is looked at once, where all particles are.
  void entriesOf(std::uint32_t i) {
    const bool own = !all_ || i % lent_.list.cluster == 0;
    for (const std::uint32_t j : rows_.of(i)) {
      if (std::exchange(seen_[j], i) == i && own) add(i, j, ListTruth::Fault::twice);
      if (j == i) continue;
      if (own && isBeyond(i, j)) add(i, j, ListTruth::Fault::beyond);
      if (excess(i, j) >= -rounding_ || rows_.has(j, i)) continue;
      if (!isWithin(i, j, distance(now_[i], now_[j], lent_.input.box)))  // counted already
        add(i, j, ListTruth::Fault::oneSided);
    }
  }
  void add(std::uint32_t i, std::uint32_t j, ListTruth::Fault fault) {
    ++truth.count[static_cast<std::size_t>(fault)];
    if (truth.wrong.size() >= ListTruth::kMostKept) return;
    const RecordBox box(lent_.input.box);
    const ParticleRecord &a = now_[i], &b = now_[j];
    truth.wrong.push_back({i,
                           j,
                           fault,
                           a,
                           {box.difference(b.x, a.x, 0), box.difference(b.y, a.y, 1),
                            box.dimension == 3 ? box.difference(b.z, a.z, 2) : 0.0f}});
  }

  const ListsLent& lent_;
  const bool all_;
  const std::vector<ParticleRecord> now_, built_;
  HostRows rows_;
  std::vector<std::uint32_t> seen_;  // particle in whose list each was seen last
  const double rounding_;
};

}  // namespace

double distance(const ParticleRecord& a, const ParticleRecord& b, const Box& box) {
  const Vec3d d = box.minimumImage(
      {double{a.x} - double{b.x}, double{a.y} - double{b.y}, double{a.z} - double{b.z}});
  return std::sqrt(dot(d, d));
}

HostRows::HostRows(const ListReader& list, std::size_t n, Backend where, bool all)
    : list_(list), where_(where), inPlace_(where == Backend::cpu) {
  if (inPlace_ || !all) return;
  const std::size_t rows = list.rows(n);
  count_ = onHost(where, list.count, rows);
  if (list.head.at) head_ = onHost(where, list.head.at, rows + 1);
  items_ = onHost(where, list.items, roomOf(list, n, where));
  list_.count = count_.data(), list_.items = items_.data();
  if (list.head.at) list_.head.at = head_.data();
  inPlace_ = true;
}

std::span<const std::uint32_t> HostRows::of(std::size_t slot) {
  const std::size_t row = list_.rowOf(slot);
  if (inPlace_) return {list_.items + list_.head[row], list_.count[row]};
  const auto [at, isNew] = read_.try_emplace(row);
  if (isNew) {
    const std::uint32_t count = onHost(where_, list_.count + row, 1)[0];
    const std::uint64_t first =
        list_.head.at ? onHost(where_, list_.head.at + row, 1)[0] : list_.head[row];
    at->second = onHost(where_, list_.items + first, count);
  }
  return at->second;
}

bool HostRows::has(std::uint32_t slot, std::uint32_t other) {
  const std::span<const std::uint32_t> row = of(slot);
  return std::find(row.begin(), row.end(), other) != row.end();
}

std::uint64_t ListTruth::faults() const {
  return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

std::string ListTruth::words() const {
  constexpr const char* kFaultWords[kFaults] = {"missing", "in one list only", "listed twice",
                                                "listed beyond cutoff and buffer"};
  std::string all;
  for (std::size_t k = 0; k < kFaults; ++k)
    if (count[k] > 0)
      all += fmt::format("{}{} {}", all.empty() ? "" : ", ", count[k], kFaultWords[k]);
  return all;
}

double pairRounding(const Box& box, double reach) {
  const double longest = *std::max_element(box.length, box.length + box.dimension);
  return std::ldexp(16.0, -24) * (2 * longest + reach);
}

void forEachPairWithin(const std::vector<ParticleRecord>& particles, const Box& box,
                       const PairTable& cutoffs, std::optional<std::uint32_t> only,
                       const std::function<void(std::uint32_t, std::uint32_t, double)>& take) {
  constexpr std::size_t kBlock = NearFinder::kBlock;
  const auto n = static_cast<std::uint32_t>(particles.size());
  NearFinder finder(particles, box);
  const double longest = static_cast<double>(cutoffs.longest());
  const auto most = static_cast<float>(std::pow(longest + pairRounding(box, longest), 2));
  const auto look = [&](std::uint32_t i, std::uint32_t from) {
    for (std::size_t first = from / kBlock * kBlock; first < n; first += kBlock) {
      const float* const r2 = finder.block(particles[i], first);
      const std::size_t end = std::min<std::size_t>(n - first, kBlock);
      for (std::size_t k = first < from ? from - first : 0; k < end; ++k) {
        const auto j = static_cast<std::uint32_t>(first + k);
        if (r2[k] > most || j == i) continue;
        const double r = distance(particles[i], particles[j], box);
        if (r < static_cast<double>(cutoffs.reach(particles[i].type, particles[j].type)))
          take(i, j, r);
      }
    }
  };
  if (only) return look(*only, 0);
  for (std::uint32_t i = 0; i < n; ++i) look(i, i + 1);
}

ListTruth listTruth(const ListsLent& lent, Backend where, std::span<const std::uint32_t> only) {
  // A few slots have some thousand partners, whose lists are asked for one by one, each a copy of
  // ten microseconds: lists of up to this many entries are copied at once in less time.
  constexpr std::uint64_t kEntries = 1 << 24;
  const bool whole =
      only.empty() || (only.size() > 1 && roomOf(lent.list, lent.input.n, where) <= kEntries);
  Comparison comparison(lent, where, only.empty(), whole);
  if (only.empty()) comparison.lookAt(std::nullopt);
  for (const std::uint32_t slot : only) comparison.lookAt(slot);
  return std::move(comparison.truth);
}

}  // namespace cellscope
