// Keys, values and scales that layers share with the code that fills their structures. Colours and
// shapes are in the table of marks (sim/api/marks.h). Layers and labels from host memory.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "sim/api/frame.h"
#include "sim/base/frame_buffer.h"
#include "sim/exec/context.h"
#include "sim/exec/layout.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/layers/structures.h"

// Layers made of instances in host memory.
namespace cellscope {

// Of places in double precision.
inline PointInstance pointAt(const Vec3d& r, float value, float diameter = 1) {
  const Vec3 at = toFloats(r);
  return {at.x, at.y, at.z, diameter, value, 0, 0};
}
inline LineInstance lineBetween(const Vec3d& a, const Vec3d& b, float value = 0) {
  const Vec3 from = toFloats(a), to = toFloats(b);
  return {{from.x, from.y, from.z}, {to.x, to.y, to.z}, value, 0, 0};
}
inline BoxInstance boxAt(const Vec3d& low, const Vec3d& size) {
  const Vec3 lo = toFloats(low), hi = toFloats(low + size);
  return {{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}, 0, 0, 0};
}

// Beside a place, or on it. at: three coordinates. Text that is too long is cut.
inline LabelInstance labelOf(const float* at, const std::string& text, float value = 0) {
  LabelInstance label{};
  std::memcpy(label.at, at, sizeof label.at);
  label.value = value;
  text.copy(label.text, sizeof label.text - 1);
  return label;
}

inline LabelInstance labelOf(const Vec3d& at, const std::string& text, float value = 0) {
  return labelOf(lineBetween(at, at).a, text, value);
}

// Inside a box.
inline LabelInstance labelOf(const BoxInstance& box, const std::string& text, float value = 0) {
  float middle[3];
  for (int k = 0; k < 3; ++k) middle[k] = 0.5f * (box.lo[k] + box.hi[k]);
  LabelInstance label = labelOf(middle, text, value);
  for (int k = 0; k < 3; ++k) label.half[k] = 0.5f * (box.hi[k] - box.lo[k]);
  label.of = LabelOf::box;
  return label;
}

// At the rim of a ball.
inline LabelInstance labelOfBall(const auto& at, float radius, const std::string& text,
                                 float value = 0) {
  LabelInstance label = labelOf(at, text, value);
  for (float& h : label.half) h = radius;
  label.of = LabelOf::ball;
  return label;
}

// A layer of instances in host memory.
template <class Instance>
LayerData layerOf(const std::string& key, const std::vector<Instance>& items, ColourScale scale) {
  LayerData layer;
  layer.key = key;
  layer.primitive = std::is_same_v<Instance, PointInstance>  ? Primitive::points
                    : std::is_same_v<Instance, BoxInstance>  ? Primitive::boxes
                    : std::is_same_v<Instance, LineInstance> ? Primitive::lines
                                                             : Primitive::labels;
  layer.count = items.size();
  layer.scale = std::move(scale);
  if (!items.empty()) layer.buffer = HostFrameBuffer::of(items);
  if constexpr (std::is_same_v<Instance, PointInstance>)
    if (!items.empty()) layer.diameter = items.front().diameter;
  return layer;
}

// No label covers this line.
inline void keepFree(const LineInstance& line, float radius, std::vector<LabelInstance>& labels) {
  constexpr int kMost = 16;
  float length = 0;
  for (int k = 0; k < 3; ++k) length = std::hypot(length, line.b[k] - line.a[k]);
  const int parts = std::clamp(static_cast<int>(length / (2 * radius)), 1, kMost);
  for (int i = 0; i < parts; ++i) {
    const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(parts);
    float at[3];
    for (int k = 0; k < 3; ++k) at[k] = line.a[k] + share * (line.b[k] - line.a[k]);
    labels.push_back(labelOfBall(at, radius, ""));
  }
}

}  // namespace cellscope

// A layer is one file: its words, its options, the structures it needs, and how it fills points,
// boxes, lines or labels, from the host or by a kernel.
namespace cellscope::layers {

// Instances packed by a kernel. `drawn` is set where the kernel left out some and only the device
// knows how many remain; `count` is their number otherwise.
struct Packed {
  std::shared_ptr<const FrameBuffer> buffer, drawn;
  std::size_t count = 0;
};

// Runs the kernels of layers where the structures are. A kernel is a functor over items() indices
// with
//   static constexpr const char* kName;  static constexpr int kGrain;
//   std::size_t items() const;  // indices
// and either
//   Instance instance(std::size_t i) const;
// with, where it may leave out instances,
//   bool leavesOut() const;  bool shows(std::size_t i) const;
// of which the packer keeps those shown, in the order of i; or a call operator (i), which writes to
//   Instance* out;                 // set by the packer
//   std::size_t capacity() const;  // instances at most
// It must be in the list of kernels (sim/layers/list.h).
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

std::unique_ptr<Packer> makePackerCpu(const exec::Shared& exec);
std::unique_ptr<Packer> makePackerCuda(const exec::Shared& exec);

inline std::unique_ptr<Packer> makePacker(const exec::Shared& exec) {
  return exec::makeOn<makePackerCpu, makePackerCuda>(exec);
}

// Where the particles of each cell are packed: what the packer needs besides its frames.
struct PackScratch {
  exec::Array<std::uint32_t> first;
  static exec::Layout<PackScratch> layout(std::size_t cells) {
    return {{"first particles of cells", &PackScratch::first, cells + 1}};
  }
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

// Of a tuple of layers, which must live as long.
LayerList listOf(const auto& kept) {
  return std::apply([](const auto&... layers) { return LayerList{&layers...}; }, kept);
}
std::vector<LayerInfo> infosOf(const LayerList& layers);
// Those of `layers` whose keys are on.
LayerList shown(const LayerList& layers, const std::vector<std::string>& on);
std::uint32_t needsOf(const LayerList& layers);
// All layers, then what lies over them, then the marks of the picked particle.
void drawAll(const LayerList& layers, const Structures& from, Canvas& to);

LayerOption opacityOption();
LayerOption setOption();  // of layers whose level is the checkerboard set
// Of whole numbers from `lo` on; names and few as in LayerOption.
LayerOption levelsOption(const char* label, const char* help, int lo, int hi,
                         std::vector<std::string> names = {}, int few = -1);

// Labels of the levels that the look of a layer shows.
std::vector<LabelInstance> labelsShown(const std::vector<LabelInstance>& all, const LayerInfo& info,
                                       const Structures& from);

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

inline constexpr const char* kDisks = "disks";
inline constexpr const char* kCells = "cells";
inline constexpr const char* kSets = "sets";
inline constexpr const char* kActive = "active";
inline constexpr const char* kShift = "shift";
inline constexpr const char* kStencil = "stencil";
inline constexpr const char* kTested = "tested";
inline constexpr const char* kTrials = "trials";
inline constexpr const char* kMoves = "moves";
inline constexpr const char* kParticles = "particles";
inline constexpr const char* kVelocities = "velocities";
inline constexpr const char* kNeighbours = "neighbours";
inline constexpr const char* kBox = "box";
inline constexpr const char* kTree = "tree";
inline constexpr const char* kRopes = "ropes";
inline constexpr const char* kHierarchy = "hierarchy";
inline constexpr const char* kWalk = "walk";
inline constexpr const char* kWalkChecks = "checks";
inline constexpr const char* kSearched = "searched";
inline constexpr const char* kSlots = "slots";
inline constexpr const char* kMoveWork = "mapping";
inline constexpr const char* kMoveScope = "microscope";
inline constexpr const char* kReach = "reach";
inline constexpr const char* kFlights = "flights";
inline constexpr const char* kReplicas = "replicas";
inline constexpr const char* kHalos = "halos";
// Parts of other layers.
inline constexpr const char* kWorkOrder = "work_order";            // of the mapping
inline constexpr const char* kWorkThreads = "work_threads";        // of the mapping
inline constexpr const char* kScopeMarks = "scope_marks";          // of the microscope
inline constexpr const char* kScopeLabels = "scope_labels";        // of the microscope
inline constexpr const char* kScopeImages = "scope_images";        // of the microscope
inline constexpr const char* kShiftBefore = "shift_before";        // of the cell shift
inline constexpr const char* kShiftAfter = "shift_after";          // of the cell shift
inline constexpr const char* kFlightWaits = "flight_waits";        // of the moves in flight
inline constexpr const char* kFlightRounds = "flight_rounds";      // of the moves in flight
inline constexpr const char* kReplicaLabels = "replica_labels";    // of the replicas
inline constexpr const char* kReachCells = "reach_cells";          // of the reach
inline constexpr const char* kMovePaths = "move_paths";            // of the moves
inline constexpr const char* kTrialLabels = "trial_labels";        // of the trial moves
inline constexpr const char* kTrialLeaders = "trial_leaders";      // from them to their labels
inline constexpr const char* kPicked = "picked";                   // of the particles
inline constexpr const char* kWrongPartners = "wrong_partners";    // of the neighbours
inline constexpr const char* kWalkLabels = "walk_labels";          // of the walk
inline constexpr const char* kSearchedLabels = "searched_labels";  // of the searched cells
inline constexpr const char* kMessages = "messages";               // of the halos
inline constexpr const char* kMessageLabels = "message_labels";    // of the halos
inline constexpr const char* kOverlaps = "overlaps";  // of the disks, where some overlap

// Names of the four checkerboard sets (Anderson et al. 2013, eq. 1).
const std::vector<std::string>& setNames();
ColourScale setScale(const std::string& title);
// names: what the colour stands for, or nothing.
ColourScale plainScale(const std::string& title, std::vector<Mark> marks = {},
                       std::vector<std::string> names = {});
ColourScale categories(const std::string& title, std::vector<std::string> names,
                       std::vector<Mark> marks = {});
ColourScale sequential(const std::string& title, const std::string& unit, float lo, float hi);
// Of whole numbers.
ColourScale counting(const std::string& title, const std::string& unit, float lo, float hi,
                     std::vector<Mark> marks = {});
// Twice the domain modulo 3, and one where another has a copy; what is not copied may be left out.
ColourScale domainScale(int domains, bool copiesOnly = false);

// In ink: of labels beside what they explain, and of the picked particle.
ColourScale labelScale(const std::string& title);

// Values of the stencil, tested and trials layers: indices into the categories of their scales.
enum class StencilPart { ownCell, neighbour };
enum class TestedPart { tested, blocking, picked };
enum class TrialPart { accepted, overlap, leftCell };
enum class MovePart { moved, rejected };
enum class GcmcMovePart { inserted, deleted, moved, rejected, exchanged };
enum class WalkPart { opened, pruned, leaf, query };
enum class CheckPart { inCutoff, inBuffer, tooFar };
enum class SearchedPart { ownCell, searched, skipped };
ColourScale searchedScale();
// An empty walk of one query through trees. Boxes have the value WalkPart, lines CheckPart; level
// of boxes and labels: number of the step.
Sketch walkSketch();
ColourScale testedScale();
// Cells searched for the picked particle, and lines to those it was tested against.
Sketch testedSketch(std::vector<BoxInstance> stencil, std::vector<LineInstance> tested);

}  // namespace cellscope::layers
