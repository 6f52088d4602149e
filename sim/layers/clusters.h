// Layers of particles in the order of memory: the curve that they were sorted along, clusters that
// share a neighbour list, and what the list of the picked particle's cluster holds.
#pragma once
#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/layers/particles.h"

namespace cellscope::layers {

// The space-filling curve that neighbour lists were built along.
inline constexpr const char* kCurve = "curve";

// From each particle of an order to the next. Value: how far along, 0 to 1, or, before particles
// are sorted by it, the code of the first of the two over the largest.
struct PackCurve {
  static constexpr const char* kName = "pack curve";
  static constexpr int kGrain = 4096;

  const float* x = nullptr;  // followed by y and z, `stride` bytes apart
  std::size_t stride = 0, particles = 0;
  bool coded = false;
  MortonGrid grid = {};

  std::size_t items() const { return particles > 0 ? particles - 1 : 0; }
  HOST_DEVICE Vec3 position(std::size_t i) const {
    const auto* const at =
        reinterpret_cast<const float*>(reinterpret_cast<const std::byte*>(x) + i * stride);
    return {at[0], at[1], at[2]};
  }
  HOST_DEVICE float value(std::size_t i, Vec3 r) const {
    if (!coded) return static_cast<float>(i) / static_cast<float>(particles - 1);
    return static_cast<float>(grid.code(r)) * 9.313225746154785e-10f;  // 2^-30
  }
  HOST_DEVICE LineInstance instance(std::size_t i) const {
    const Vec3 a = position(i), b = position(i + 1);
    return {{a.x, a.y, a.z}, {b.x, b.y, b.z}, value(i, a), 0, 0};
  }
};

class CurveLayer final : public Layer {
 public:
  CurveLayer()
      : Layer(
            kCurve, "Curve",
            "From particle to particle in the order in which they were sorted for the last list: "
            "along the Z-order (Morton) curve, so that neighbours in space are mostly neighbours "
            "in memory (Howard et al. 2016, section 3.2 and figure 4); for clusters along columns, "
            "to and fro. With trees the order of their leaves, otherwise that of the particles in "
            "memory. Step phase by phase: when the codes are made the particles are joined in the "
            "order of memory and coloured by code, and when they are sorted in their new order.",
            Primitive::lines, false, LayerGroup::trees, 0, {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    const auto* lists = from.find<ListsLent>();
    if (!lists) return to.add(nothing(info(), from.noTrees));
    const PackCurve curve = along(*lists);
    to.add(packedLayer(
        info(), to.packer->pack(curve),
        sequential(curve.coded ? "code of the particle" : "position along the curve", "", 0, 1)));
  }

 private:
  static PackCurve along(const ListsLent& lists) {
    if (const BuiltTrees* const built = lists.builder->trees()) {
      if (lists.partsDone == static_cast<int>(TreeBuildPart::codes) + 1) {
        const ParticleRecord* p = lists.input.particles;
        return {&p->x, sizeof *p, lists.input.n, true, mortonGrid(lists.input.box)};
      }
      const TreesView trees = built->view();
      const TreeParticle* p = trees.particle;
      return {&p->x, sizeof *p, static_cast<std::size_t>(trees.particles)};
    }
    const ParticleRecord* p = lists.input.particles;
    return {&p->x, sizeof *p, lists.input.n};
  }
};

inline constexpr const char* kClusters = "clusters";
inline constexpr const char* kClusterList = "cluster_list";
inline constexpr const char* kClusterPartners = "cluster_partners";  // of the list

inline constexpr const char* kNoClusters =
    "each particle has a list of its own: choose lists of clusters";

// Around the centres of the particles of each cluster as they are now, as images next to the first
// of them: a box may reach out of that of the simulation. Value: per cent of its pairs that are
// within the cutoff, or 0 while there is no list.
struct PackClusters {
  static constexpr const char* kName = "pack clusters";
  static constexpr int kGrain = 256;

  ListFill fill;
  std::size_t rows = 0;
  bool listed = true;

  std::size_t items() const { return rows; }
  HOST_DEVICE float percentWithin(std::size_t row) const {
    if (!listed) return 0;
    const ListedPairs pairs = fill(row);
    if (pairs.computed == 0) return 0;
    return 100.0f * static_cast<float>(pairs.within) / static_cast<float>(pairs.computed);
  }
  HOST_DEVICE BoxInstance instance(std::size_t row) const {
    const ParticleRecord* const p = fill.record + fill.first(row);
    const float from[3] = {p[0].x, p[0].y, p[0].z};
    BoxInstance b{};
    for (int a = 0; a < 3; ++a) b.lo[a] = b.hi[a] = from[a];
    for (std::uint32_t k = 1; k < fill.size(row); ++k) {
      const float at[3] = {p[k].x, p[k].y, p[k].z};
      for (int a = 0; a < fill.box.dimension; ++a) {
        const float x = from[a] + fill.box.difference(at[a], from[a], a);
        b.lo[a] = x < b.lo[a] ? x : b.lo[a];
        b.hi[a] = x > b.hi[a] ? x : b.hi[a];
      }
    }
    b.value = percentWithin(row);
    return b;
  }
};

// What a mode finds of the picked particle's cluster.
struct PickedCluster {
  std::vector<BoxInstance> boxes;       // its own
  std::vector<PointInstance> partners;  // in its list; value: of how many of its particles each is
                                        // within the cutoff
  std::uint32_t size = 1;
  std::string reason;  // why there is none
};

struct ClustersLayer final : Layer {
  ClustersLayer()
      : Layer(kClusters, "Clusters",
              "Boxes around the centres of the particles of each cluster: particles that follow "
              "each other in memory, share one neighbour list and read its particles together. "
              "Coloured by how many of the pairs that are computed for the cluster lie within the "
              "cutoff: the others are the price of reading each partner once for all its "
              "particles. Only with lists of clusters.",
              Primitive::boxes, false, LayerGroup::cells, 0, {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    const auto* lists = from.find<ListsLent>();
    if (!lists) return to.add(nothing(info(), from.noTrees));
    if (lists->input.cluster <= 1) return to.add(nothing(info(), kNoClusters));
    const bool listed = lists->partsDone < 0;
    const PackClusters pack{fillOf(*lists), lists->input.rows(), listed};
    to.add(packedLayer(
        info(), to.packer->pack(pack),
        listed ? counting("pairs within the cutoff", "%", 20, 70) : plainScale("clusters")));
  }
  static ListFill fillOf(const ListsLent& l) {
    return {l.list,
            l.record,
            RecordBox(l.input.box),
            l.cutoffs,
            static_cast<std::uint32_t>(l.input.n),
            l.input.cluster};
  }
};

struct ClusterListLayer final : Layer {
  ClusterListLayer()
      : Layer(kClusterList, "Cluster and its list",
              "The box of the picked particle's cluster, and a ring around each particle in the "
              "list that its particles share: all that were within cutoff and buffer of one of "
              "them. Coloured by how many of them it is within the cutoff of now; a force pass "
              "computes the pairs with all of them.",
              Primitive::boxes, false, LayerGroup::picked, 0, {opacityOption()},
              {{kClusterPartners, "particles in its list"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    const auto* c = from.find<PickedCluster>();
    if (!c) return to.add(nothing(info(), from.find<ListsLent>() ? kNoClusters : from.noTrees));
    if (!c->reason.empty()) return to.add(nothing(info(), c->reason));
    to.add(layerOf(info().key, c->boxes,
                   categories("picked particle", {"its cluster"}, {Mark::query})));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    const auto* c = from.find<PickedCluster>();
    if (!c || c->partners.empty()) return;
    to.add(layerOf(
        kClusterPartners, c->partners,
        counting("pairs with the cluster within the cutoff", "of " + std::to_string(c->size), 0,
                 static_cast<float>(c->size), {Mark::partner})));
  }
};

}  // namespace cellscope::layers
