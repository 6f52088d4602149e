// A neighbour list that was judged (sim/algo/list_check), as it is drawn and picked.
#pragma once
#include <memory>
#include <vector>

#include "sim/algo/list_check/check.h"
#include "sim/algo/list_check/search.h"
#include "sim/api/mode.h"
#include "sim/layers/pair_lists.h"

namespace cellscope {

struct ShownList {
  PairList list;
  std::shared_ptr<const ShownList> other;  // that it is compared with
  list_check::Report report;
  list_check::PairsWithin inBox;  // without pairs: places and images
  list_check::Searches searches;
  std::vector<Vec3d> at;  // in the picture
  Vec3d low{0, 0, 0};     // of the picture
  Box box;                // of the picture
  bool fills = true;      // the box of the list is that of the picture
  double diameter = 1;
  std::shared_ptr<const PairFindings> findings;

  explicit ShownList(PairList&& l, std::shared_ptr<const ShownList> beside = nullptr);
  ShownList(const ShownList&) = delete;  // the searches refer to it
  ShownList& operator=(const ShownList&) = delete;

  // picked: a particle, or number() and more: a wrong pair.
  layers::PairListView view(ParticleId picked) const;
  ParticleId number() const { return static_cast<ParticleId>(at.size()); }
  PickedParticle card(ParticleId id, const layers::PairListView& view) const;
  // With these layers; `from` may lend more.
  std::shared_ptr<Frame> frame(std::uint64_t step, const layers::LayerList& on,
                               const layers::PairListView& view, layers::Structures from) const;
  ParticleId pick(const PickQuery& query) const;
  // Throws InputError for a box that no other mode could take.
  Configuration configuration() const;

 private:
  void place();
  void find();
  void addParticleRows(std::size_t i, PickedParticle& card) const;
};

}  // namespace cellscope
