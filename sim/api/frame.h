// What a mode publishes to be drawn: plain primitives per layer, in host or device memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cellscope {

enum class MemorySpace { host, device };  // device: CUDA memory of the chosen GPU

// One instance of each primitive, as it lies in the vertex buffer. `value` is coloured through the
// layer's ColourScale; `level` filters (depth of a tree, checkerboard set, ...) and fades: an
// instance with level < 0 is drawn as inactive (15 % opacity). Aligned so that a GPU writes them in
// few pieces.
struct alignas(8) PointInstance {
  float x, y, z, diameter, value, level;
};
struct alignas(16) BoxInstance {
  float lo[3], hi[3];
  float value, level;
};
struct alignas(16) LineInstance {
  float a[3], b[3];
  float value, level;
};

enum class Primitive { points, boxes, lines };
inline std::size_t instanceSize(Primitive p) {
  return p == Primitive::points  ? sizeof(PointInstance)
         : p == Primitive::boxes ? sizeof(BoxInstance)
                                 : sizeof(LineInstance);
}

// Immutable instances of one layer. Thread-safe to read.
class FrameBuffer {
 public:
  virtual ~FrameBuffer() = default;
  virtual std::size_t bytes() const = 0;
  virtual MemorySpace space() const = 0;
  // Copy everything to `destination`, which has at least bytes() and lies in `where`. Returns when
  // the data may be used by a later GL call (device) or by the host. Throws RunError.
  virtual void copyTo(void* destination, MemorySpace where) const = 0;
};

// How values become colours.
enum class ColourKind {
  plain,       // one colour
  sequential,  // lightness rises from lo to hi
  diverging,   // about zero
  hueWheel,    // phase in (-pi, pi], constant lightness and chroma (OKLCH)
  categorical  // value = index into categories
};

struct ColourScale {
  ColourKind kind = ColourKind::plain;
  std::string title, unit;
  float lo = 0, hi = 1;
  std::vector<std::string> categories;  // plain: at most one, what the colour stands for
  bool checkerboard = false;            // categories are the four sets: fixed colours and hatching
  bool wrong = false;                   // plain: in the red that is kept for what must not be
};

struct LayerData {
  std::string key;  // LayerInfo::key
  Primitive primitive = Primitive::points;
  std::size_t count = 0;
  std::shared_ptr<const FrameBuffer> buffer;  // null when count == 0
  ColourScale scale;
  // Points: of a typical one, as in its instance. Where that is small on the screen, summed
  // coverage is drawn instead.
  float diameter = 1;
  bool arrowheads = false;  // lines: an arrowhead at end b
  // Points: rings around particles instead of filled disks; category 0 thin, 1 dashed, 2 thick
  // and white or black, 3 thick.
  bool rings = false;
  float leastRadius = 0;  // rings: pixels at scale 1
  bool events = false;    // what the last step or phase did: flashes and fades
};

// A line of the status bar's self-checks.
struct SelfCheck {
  std::string label;  // "disks", "overlaps", "cell width"
  bool ok = true;
  std::string detail;  // "4096 of 4096", "0", "w = 1.33 in [1, 1.414)"
  bool onPurpose =
      false;  // not ok, and an experiment that is on explains it: shown, but no failure
};

// The particle a person clicked on: rows of the card.
struct PickedParticle {
  std::int64_t id = -1;
  float position[3] = {};
  std::vector<std::pair<std::string, std::string>> rows;
};

struct SceneBox {
  int dimension = 2;
  double length[3] = {1, 1, 1};  // origin at 0; z unused in 2D
};

// A complete picture of one step.
struct Frame {
  std::uint64_t step = 0;
  int phase = -1;  // index into ModeInfo::phases of the last phase done; -1 between steps
  SceneBox box;
  std::vector<LayerData> layers;
  std::vector<SelfCheck> checks;
  PickedParticle picked;  // id < 0: none
};

// Host-memory buffer, used by the CPU backend and for small layers of either backend.
class HostFrameBuffer final : public FrameBuffer {
 public:
  explicit HostFrameBuffer(std::vector<std::byte> data) : data_(std::move(data)) {}
  template <class T>
  static std::shared_ptr<HostFrameBuffer> of(const std::vector<T>& items);
  std::size_t bytes() const override { return data_.size(); }
  MemorySpace space() const override { return MemorySpace::host; }
  void copyTo(void* destination, MemorySpace where) const override;
  const std::byte* data() const { return data_.data(); }

 private:
  std::vector<std::byte> data_;
};

template <class T>
std::shared_ptr<HostFrameBuffer> HostFrameBuffer::of(const std::vector<T>& items) {
  const auto* p = reinterpret_cast<const std::byte*>(items.data());
  return std::make_shared<HostFrameBuffer>(std::vector<std::byte>(p, p + items.size() * sizeof(T)));
}

// A layer of instances in host memory.
template <class Instance>
LayerData layerOf(const std::string& key, Primitive primitive, const std::vector<Instance>& items,
                  ColourScale scale) {
  LayerData layer;
  layer.key = key;
  layer.primitive = primitive;
  layer.count = items.size();
  layer.scale = std::move(scale);
  if (!items.empty()) layer.buffer = HostFrameBuffer::of(items);
  if constexpr (std::is_same_v<Instance, PointInstance>)
    if (!items.empty()) layer.diameter = items.front().diameter;
  return layer;
}

}  // namespace cellscope
