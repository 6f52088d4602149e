// The walk of one query through the trees of a neighbour-list builder, as its kernel recorded it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/layers/label_of.h"
#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

inline constexpr int kMostWalkSteps = 4000;

class TreeWalkLayer final : public Layer {
 public:
  TreeWalkLayer()
      : Layer(
            {kWalk,
             "Tree walk",
             "The walk of the picked particle's query through the tree at the last list build "
             "(Howard et al. 2016, Algorithm 2), from the kernel's own record: nodes that its box "
             "overlaps are opened, or are leaves whose particles are checked; the others are "
             "pruned "
             "and skipped along their rope. It begins once more for each periodic image that "
             "reaches into the box. (With the fast search of a GPU 32 queries together make the "
             "lists, through boxes of 32 children; shown is the walk that search = paper makes "
             "with the same result.) Right-click: from which step to which; move the upper end to "
             "follow the walk.",
             Primitive::boxes,
             true,
             LayerGroup::picked,
             {opacityOption(),
              {LayerOption::Kind::levels,
               "Steps",
               "Steps of the walk that are shown, one per node. The slider ends at the last step "
               "that there is; at its upper end all that follow are shown as well.",
               0,
               kMostWalkSteps,
               {}}},
             {{kWalkLabels, "numbers of the steps"}}},
            bit(Need::walk)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.walk) return to.add(nothing(info(), from.noWalk));
    LayerData walk = layerOf(info().key, Primitive::boxes, from.walk->boxes, walkScale());
    for (const BoxInstance& b : from.walk->boxes)
      walk.lastLevel = std::max<std::int32_t>(walk.lastLevel, b.level);
    to.add(std::move(walk));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (!from.walk || from.walk->labels.empty()) return;
    std::vector<LabelInstance> shown;
    const auto look = from.looks.find(info().key);
    for (const LabelInstance& l : from.walk->labels)
      if (look == from.looks.end() ||
          (l.level >= look->second.lowest && l.level <= look->second.highest))
        shown.push_back(l);
    if (!shown.empty())
      to.add(layerOf(kWalkLabels, Primitive::labels, shown, labelScale("steps of the walk")));
  }
};

class WalkChecksLayer final : public Layer {
 public:
  WalkChecksLayer()
      : Layer({kWalkChecks,
               "Distance checks",
               "From the picked particle, or its periodic image, to every particle whose distance "
               "was checked when its list was built last: those within cutoff and buffer are in "
               "its list, the others were checked without result. With trees these are the "
               "particles of the leaves that its box overlaps.",
               Primitive::lines,
               false,
               LayerGroup::picked,
               {opacityOption()},
               {}},
              bit(Need::walk)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.walk) return to.add(nothing(info(), from.noWalk));
    to.add(layerOf(info().key, Primitive::lines, from.walk->checks, checkScale()));
  }
};

// The cells that the list of the picked particle was searched in.
class SearchedLayer final : public Layer {
 public:
  SearchedLayer()
      : Layer(
            {kSearched,
             "Searched cells",
             "The cells in which the neighbours of the picked particle were searched when its "
             "list was built last, or, with placeholder cells, those whose slots it interacts "
             "with, "
             "with the number of particles in them: the 27 around it, or, with stencils, those of "
             "the stencil of "
             "its type. A cell whose least distance is more than cutoff and buffer is skipped "
             "without a check, for some types of particles in it or for all (Howard et al. 2016, "
             "Algorithm 1); the labels compare the two.",
             Primitive::boxes,
             false,
             LayerGroup::picked,
             {opacityOption()},
             {{kSearchedLabels, "why a cell is skipped, or how many of its slots are real"}}},
            bit(Need::searched)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.searched) return to.add(nothing(info(), from.noSearched));
    to.add(layerOf(info().key, Primitive::boxes, from.searched->boxes, searchedScale()));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.searched && !from.searched->labels.empty())
      to.add(layerOf(kSearchedLabels, Primitive::labels, from.searched->labels,
                     labelScale("skipped cells")));
  }
};

}  // namespace cellscope::layers
