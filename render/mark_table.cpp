#include "render/mark_table.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/api/marks.h"

namespace cellscope::render {
namespace {

// std140
struct alignas(16) ShaderMark {
  std::int32_t shape, hatching;
  float width, dash, head, leastLength, leastRadius, faces;
  std::uint32_t ink, cased;
};

}  // namespace

std::string markBlock() {
  return fmt::format(
      "struct Mark {{ int shape, hatching; float width, dash, head, leastLength, leastRadius, "
      "faces; bool ink, cased; }};\n"
      "layout(std140, binding = {}) uniform Marks {{ Mark kMarks[{}]; }};\n",
      kMarkBinding, kMarkCount);
}

GlBuffer markBuffer() {
  std::array<ShaderMark, kMarkCount> table{};
  for (std::size_t i = 0; i < kMarkCount; ++i) {
    const MarkLook& m = kMarks[i];
    table[i] = {static_cast<std::int32_t>(m.shape),
                static_cast<std::int32_t>(m.hatching),
                m.width,
                m.dash,
                m.head,
                m.leastLength,
                m.leastRadius,
                m.faces,
                m.role == ColourRole::ink ? 1u : 0u,
                m.cased ? 1u : 0u};
  }
  GlBuffer buffer = makeBuffer();
  glNamedBufferStorage(buffer, sizeof table, table.data(), 0);
  return buffer;
}

}  // namespace cellscope::render
