// Instances as they lie in a vertex buffer, and the immutable memory that carries them to the
// picture.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cellscope {

enum class MemorySpace { host, device };  // device: CUDA memory of the chosen GPU

// One instance of each primitive, as it lies in the vertex buffer. `value` is coloured through the
// layer's ColourScale. `level` (depth of a tree, checkerboard set, ...) and `type` (species) are
// filtered; an instance with level < 0 is drawn as inactive (15 % opacity). Aligned so that a GPU
// writes them in few pieces.
struct alignas(8) PointInstance {
  float x, y, z, diameter, value;
  std::int16_t level;
  std::uint16_t type;
};
struct alignas(16) BoxInstance {
  float lo[3], hi[3];
  float value;
  std::int16_t level;
  std::uint16_t type;
};
struct alignas(16) LineInstance {
  float a[3], b[3];
  float value;
  std::int16_t level;
  std::uint16_t type;
};
// What a label names, and so its position: beside or on a place, according to its mark; inside a
// box; below a ball, or at another side of it.
enum class LabelOf : std::uint8_t { place, box, ball };
// Text at a position, in UTF-8, ended by a null character; what matters most comes before a line
// break, where there is one. Without text: what it names is kept free of labels.
struct alignas(16) LabelInstance {
  float at[3];  // of a box or ball the middle
  float value;
  std::int16_t level;
  std::uint16_t type;
  // Edges of the box; of a ball the radius in all; beside a place the way to go first, or 0.
  float half[3];
  LabelOf of;
  char text[31];
};

// cells: those of a regular grid, a byte each or none at all (CellLattice, sim/api/frame.h).
enum class Primitive { points, boxes, lines, labels, cells };
inline std::size_t instanceSize(Primitive p) {
  return p == Primitive::points   ? sizeof(PointInstance)
         : p == Primitive::boxes  ? sizeof(BoxInstance)
         : p == Primitive::labels ? sizeof(LabelInstance)
         : p == Primitive::cells  ? 1
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

}  // namespace cellscope
