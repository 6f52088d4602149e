// What domains hold of their neighbours, and the messages that brought it.
#pragma once
#include "sim/exec/peers.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

inline constexpr const char* kNoMessages = "domains have exchanged nothing; start with --domains 2";

// Of whole rows across an axis, of cells this wide, the first of which begins at `origin`.
std::vector<MessageView> messageViews(const std::vector<HaloMessage>& messages, const Box& box,
                                      int axis, double origin, double width);

class HalosLayer final : public Layer {
 public:
  explicit HalosLayer(
      std::string help =
          "Of a run in several domains, what was sent in the last exchange: the cells of which the "
          "domain beside has a copy (its halo), in the colour of the domain that owns them, and an "
          "arrow across the seam with the number of these cells and of bytes.",
      const char* counted = "cells and bytes")
      : Layer(kHalos, "Halos and messages", std::move(help), Primitive::boxes, false,
              LayerGroup::cells, bit(Need::messages), {opacityOption()},
              {{kMessages, "messages"}, {kMessageLabels, counted}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (from.messages.empty()) return to.add(nothing(info(), from.noMessages));
    std::vector<BoxInstance> boxes;
    int domains = 1;  // their values are of those that have sent
    for (const MessageView& m : from.messages) {
      domains = std::max(domains, static_cast<int>(m.cells.value) / 2 + 1);
      const double side = from.box.length[m.axis];
      // The part beyond the border of the box is at its other end.
      for (const double back : {0.0, side}) {
        BoxInstance box = m.cells;
        box.lo[m.axis] = std::max(box.lo[m.axis] - static_cast<float>(back), 0.0f);
        box.hi[m.axis] =
            std::min(box.hi[m.axis] - static_cast<float>(back), static_cast<float>(side));
        if (box.lo[m.axis] < box.hi[m.axis]) boxes.push_back(box);
      }
    }
    to.add(layerOf(info().key, boxes, domainScale(domains, true)));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.messages.empty()) return;
    std::vector<LineInstance> arrows;
    std::vector<LabelInstance> labels;
    for (const MessageView& m : from.messages) {
      const std::size_t first = arrows.size();
      addArrow(m, static_cast<float>(from.box.length[m.axis]), arrows);
      labels.push_back(labelAt(m, arrows[first], static_cast<float>(from.box.length[m.axis])));
    }
    to.add(layerOf(kMessages, arrows,
                   plainScale("domains", {Mark::message}, {"message of the last exchange"})));
    if (labels.size() <= kMostLabels)
      to.add(layerOf(kMessageLabels, labels, labelScale("messages")));
  }

 private:
  static constexpr std::size_t kMostLabels = 64;

  // From the middle of the cells to where their copy belongs; those of both ways side by side. What
  // crosses the border of the box goes on at its other end.
  static void addArrow(const MessageView& m, float side, std::vector<LineInstance>& to) {
    LineInstance l{};
    for (int k = 0; k < 3; ++k) {
      const float part = k == m.axis ? 0.5f : k == (m.axis == 0) ? (m.ahead ? 0.52f : 0.06f) : 1;
      l.a[k] = l.b[k] = m.cells.lo[k] + part * (m.cells.hi[k] - m.cells.lo[k]);
    }
    const float thick = m.cells.hi[m.axis] - m.cells.lo[m.axis];
    if (l.a[m.axis] >= side) l.a[m.axis] -= side;
    const float border = m.ahead ? side : 0, end = l.a[m.axis] + (m.ahead ? thick : -thick);
    const bool crosses = end < 0 || end > side;
    l.b[m.axis] = crosses ? border : end;
    to.push_back(l);
    if (!crosses) return;
    l.a[m.axis] = side - border;
    l.b[m.axis] = end + (m.ahead ? -side : side);
    to.push_back(l);
  }
  // Behind the cells, seen from the seam: disks that overlap across it stay in sight.
  static LabelInstance labelAt(const MessageView& m, const LineInstance& arrow, float side) {
    float at[3] = {arrow.a[0], arrow.a[1], arrow.a[2]};
    const float thick = m.cells.hi[m.axis] - m.cells.lo[m.axis];
    at[m.axis] = std::fmod(at[m.axis] + (m.ahead ? side - thick : thick), side);
    return labelOf(at, m.words);
  }
};

}  // namespace cellscope::layers
