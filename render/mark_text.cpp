#include "render/mark_text.h"

#include <fmt/format.h>

#include "sim/api/marks.h"

namespace cellscope::render {

std::string markTable() {
  std::string text =
      "struct Mark { int shape, hatching; float width, dash, head, leastLength, leastRadius, "
      "faces; "
      "bool ink, cased; };\n";
  text += fmt::format("const Mark kMarks[{0}] = Mark[{0}](\n", kMarkCount);
  for (std::size_t i = 0; i < kMarkCount; ++i) {
    const MarkLook& m = kMarks[i];
    text +=
        fmt::format("  Mark({}, {}, {:.4f}, {:.4f}, {:.4f}, {:.4f}, {:.4f}, {:.4f}, {}, {}){}\n",
                    static_cast<int>(m.shape), static_cast<int>(m.hatching), m.width, m.dash,
                    m.head, m.leastLength, m.leastRadius, m.faces, m.role == ColourRole::ink,
                    m.cased, i + 1 < kMarkCount ? "," : ");");
  }
  return text;
}

}  // namespace cellscope::render
