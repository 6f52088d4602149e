// A layer is one file: its words, its options, the structures it needs, and how it fills points,
// boxes, lines or labels, from the host or by a kernel.
#pragma once
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "sim/api/frame.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/layers/structures.h"

namespace cellscope::layers {

// Instances packed by a kernel. `drawn` is set where the kernel left out some and only the device
// knows how many remain; `count` is their number otherwise.
struct Packed {
  std::shared_ptr<const FrameBuffer> buffer, drawn;
  std::size_t count = 0;
};

// Runs the kernels of layers where the structures are. A kernel is a functor over items() indices
// with
//   using Instance = ...;  static constexpr const char* kName;  static constexpr int kGrain;
//   std::size_t items() const;      // indices
//   std::size_t capacity() const;   // instances at most
//   Instance* out;                  // set by the packer
// and either a call operator (i), which writes to `out`, or, where it may leave out instances,
//   bool leavesOut() const;  bool shows(std::size_t i) const;  Instance instance(std::size_t i)
//   const;
// of which the packer keeps those shown, in the order of i. It must be in the list of kernels
// (sim/layers/list.h).
class Packer {
 public:
  virtual ~Packer() = default;
  template <class Kernel>
  Packed pack(const Kernel& kernel) {
    return packAny(typeid(Kernel), &kernel);
  }
  virtual std::size_t bytes() const = 0;  // of all frame buffers

 protected:
  virtual Packed packAny(std::type_index type, const void* kernel) = 0;
};

// Where layers are drawn to.
struct Canvas {
  Packer* packer;  // null where no layer of the mode has a kernel
  Frame& frame;

  void add(LayerData layer) { frame.layers.push_back(std::move(layer)); }
};

class Layer {
 public:
  // needs: bits of Need; the others as in LayerInfo.
  Layer(std::string key, std::string label, std::string help, Primitive primitive, bool onByDefault,
        LayerGroup group, std::uint32_t needs, std::vector<LayerOption> options = {},
        std::vector<LayerPart> parts = {})
      : info_{std::move(key), std::move(label),   std::move(help), primitive, onByDefault,
              group,          std::move(options), std::move(parts)},
        needs_(needs) {}
  virtual ~Layer() = default;
  const LayerInfo& info() const { return info_; }
  std::uint32_t needs() const { return needs_; }  // bits of Need
  // Adds one LayerData, without instances but with the reason when there is nothing to show, and
  // those of its parts.
  virtual void draw(const Structures& from, Canvas& to) const = 0;
  // Parts that lie over all other layers.
  virtual void drawOver(const Structures&, Canvas&) const {}

 private:
  LayerInfo info_;
  std::uint32_t needs_;
};

constexpr std::uint32_t bit(Need need) { return static_cast<std::uint32_t>(need); }

using LayerList = std::vector<const Layer*>;

std::vector<LayerInfo> infosOf(const LayerList& layers);
// Those of `layers` whose keys are on.
LayerList shown(const LayerList& layers, const std::vector<std::string>& on);
std::uint32_t needsOf(const LayerList& layers);
// All layers, then what lies over them, then the marks of the picked particle.
void drawAll(const LayerList& layers, const Structures& from, Canvas& to);

LayerOption opacityOption();
LayerOption setOption();  // of layers whose level is the checkerboard set
LayerOption typesOption(std::vector<std::string> names);  // of the species

// A layer without instances.
LayerData nothing(const LayerInfo& info, const std::string& reason);

// A layer of what a kernel packed.
inline LayerData packedLayer(const LayerInfo& info, Packed packed, ColourScale scale) {
  LayerData layer = nothing(info, "");
  layer.buffer = std::move(packed.buffer);
  layer.drawn = std::move(packed.drawn);
  layer.count = packed.count;
  layer.scale = std::move(scale);
  if (layer.count == 0) layer.reason = "nothing lies between the slice planes";
  return layer;
}

}  // namespace cellscope::layers
