// The builder of lists of clusters, written once over exec. Lister runs the search of the backend:
//   void run(Exec&, const ClusterSearch&, std::size_t rows) const
#pragma once
#include "sim/algo/clusters/search.h"
#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct ClusterArrays {
  exec::Array<std::uint32_t> first;
  static exec::Layout<ClusterArrays> layout(std::size_t cells) {
    return {{"first particles", &ClusterArrays::first, cells + 1}};
  }
};

template <class Exec, class Lister>
class Clusters final : public ListBuilder {
 public:
  Clusters(exec::Shared shared, const ListOptions& options)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)), how_(options.how) {}

  void prepare(const ListInput& in) override {
    grid_ = columnGridFor(in.box, in.n);
    const auto cells = static_cast<std::size_t>(grid_.count());
    if (arrays_.first.size() == cells + 1) return;
    arrays_ = {};
    arrays_ = ClusterArrays::layout(cells).make(Exec::backend);
  }
  void build(const ListInput& in, const ListView& out) override {
    const ClusterSearch search = putIntoColumns(in, out);
    if (how_ == ListSearch::paper)
      exec_.forEach("list of clusters, by one thread each", in.rows(), search, kGrain);
    else
      Lister{}.run(exec_, search, in.rows());
  }
  bool buildWithout(LeftOut part, const ListInput& in, const ListView& out) override {
    if (part != LeftOut::search) return false;
    putIntoColumns(in, out);
    return true;
  }
  std::size_t bytes() const override { return ClusterArrays::layout(0).held(arrays_); }
  std::uint32_t* firstOfCells() override { return arrays_.first.data(); }
  std::uint32_t cluster() const override { return kClusterSize; }
  const ColumnGrid* columns() const override { return &grid_; }

 private:
  static constexpr std::size_t kGrain = 64;  // searches are long

  ClusterSearch putIntoColumns(const ListInput& in, const ListView& out) {
    CELLSCOPE_ASSERT(in.ordered && !in.slotOf && in.cluster == kClusterSize);
    const auto n = static_cast<std::uint32_t>(in.n);
    if (in.cellOf)
      exec_.forEach("columns: fill", in.n + 1,
                    FillCells{in.particles, in.cellOf, nullptr, nullptr, arrays_.first.data(), n,
                              static_cast<std::uint32_t>(grid_.count())});
    const double longest = std::max({in.box.length[0], in.box.length[1], in.box.length[2]});
    const auto margin = static_cast<float>(1e-6 * longest);
    const float far = in.table.reach(0, 0) + margin;
    return {grid_,    arrays_.first.data(), in.particles, in.table, out, in.checks, n, margin,
            far * far};
  }

  exec::Shared shared_;
  Exec& exec_;
  ListSearch how_;
  ColumnGrid grid_;
  ClusterArrays arrays_;
};

}  // namespace cellscope
