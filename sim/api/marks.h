// The one table of marks: how what a layer shows looks, in every view. Shaders, legends on the
// screen and legends of exported pictures are made from it. A new mark is a new row.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cellscope {

// Of points. body: a disk or sphere of the particle's own size; the others are drawn around it,
// over everything.
enum class MarkShape : std::uint8_t { body, ring, square, diamond, cross };
enum class Hatching : std::uint8_t { none, rising, falling, level, dots, upright, grid, crossed };
// scale: from the layer's colour scale; own: the mark's; ink: white or black as the theme asks.
enum class ColourRole : std::uint8_t { scale, own, ink };

enum class Mark : std::uint8_t {
  plain,
  arrow,
  setA,
  setB,
  setC,
  setD,
  accepted,
  overlap,
  leftCell,
  moved,
  rejected,
  tested,
  blocking,
  picked,
  overlapping,
  ownCell,
  searched,
  outline,
  text,
  opened,
  pruned,
  leaf,
  query,
  skipped,
  inCutoff,
  inBuffer,
  tooFar,
  inserted,
  deleted,
  inFlight,
  waits,
  shifted,
  gridBefore,
  gridAfter,
  neighbour,
  setE,
  setF,
  setG,
  setH,
  partner,
  cellOutline,
  missing,
  wronglyListed,
  needless
};

// Sizes in pixels at scale 1.
struct MarkLook {
  Mark mark;
  const char* name;
  MarkShape shape = MarkShape::body;
  ColourRole role = ColourRole::scale;
  std::uint32_t rgb = 0;  // role own: 0xRRGGBB
  float width = 2;        // of lines, rings and edges of boxes
  float dash = 0;         // period of dashes, gap included; 0: solid
  float head = 0;         // lines: length of the arrowhead at end b
  float leastLength = 0;  // lines: shorter ones are drawn as long as this, about their middle
  float leastRadius = 0;  // of what is drawn around a particle
  bool cased = false;     // lines: on a casing in the colour of the background
  Hatching hatching = Hatching::none;
  // Boxes: strength of what fills them, the tint in the plane and their faces in space; 0 for those
  // that hold others, which would add up.
  float faces = 0.10f;
};

// Colours of concepts: Okabe and Ito (2008), safe for colour-vision deficiencies. What is accepted,
// blocks or is rejected differs in shape or dash as well.
inline constexpr MarkLook kMarks[] = {
    {.mark = Mark::plain, .name = "plain"},
    {.mark = Mark::arrow, .name = "arrow", .head = 9},
    {.mark = Mark::setA,
     .name = "set a",
     .role = ColourRole::own,
     .rgb = 0x0072B2,
     .hatching = Hatching::rising},
    {.mark = Mark::setB,
     .name = "set b",
     .role = ColourRole::own,
     .rgb = 0xE69F00,
     .hatching = Hatching::falling},
    {.mark = Mark::setC,
     .name = "set c",
     .role = ColourRole::own,
     .rgb = 0x009E73,
     .hatching = Hatching::level},
    {.mark = Mark::setD,
     .name = "set d",
     .role = ColourRole::own,
     .rgb = 0xCC79A7,
     .hatching = Hatching::dots},
    {.mark = Mark::accepted,
     .name = "accepted",
     .role = ColourRole::own,
     .rgb = 0x009E73,
     .head = 9,
     .cased = true},
    {.mark = Mark::overlap,
     .name = "overlap",
     .role = ColourRole::own,
     .rgb = 0xE69F00,
     .dash = 7,
     .head = 9,
     .cased = true},
    {.mark = Mark::leftCell,
     .name = "left cell",
     .role = ColourRole::own,
     .rgb = 0x56B4E9,
     .dash = 4,
     .head = 9,
     .cased = true},
    {.mark = Mark::moved,
     .name = "moved",
     .shape = MarkShape::ring,
     .role = ColourRole::own,
     .rgb = 0x009E73,
     .width = 2.5f,
     .head = 12,
     .leastRadius = 4,
     .cased = true},
    {.mark = Mark::rejected,
     .name = "rejected",
     .shape = MarkShape::cross,
     .role = ColourRole::own,
     .rgb = 0xE69F00,
     .width = 3,
     .leastRadius = 4},
    {.mark = Mark::tested,
     .name = "tested",
     .shape = MarkShape::ring,
     .role = ColourRole::own,
     .rgb = 0x56B4E9,
     .dash = 3,
     .leastRadius = 7},
    {.mark = Mark::blocking,
     .name = "blocking",
     .shape = MarkShape::ring,
     .role = ColourRole::own,
     .rgb = 0xE69F00,
     .width = 3,
     .dash = 7,
     .leastRadius = 7},
    {.mark = Mark::picked,
     .name = "picked",
     .shape = MarkShape::ring,
     .role = ColourRole::ink,
     .width = 2.5f,
     .leastRadius = 7},
    {.mark = Mark::overlapping,
     .name = "overlapping",
     .shape = MarkShape::ring,
     .role = ColourRole::own,
     .rgb = 0xFF3B30,
     .width = 2.5f,
     .leastRadius = 4},
    // Cells around a particle stand among those of sets: violet and olive, which no set has.
    {.mark = Mark::ownCell,
     .name = "own cell",
     .role = ColourRole::own,
     .rgb = 0x9966FF,
     .width = 3},
    {.mark = Mark::searched, .name = "searched", .role = ColourRole::own, .rgb = 0x737311},
    {.mark = Mark::outline, .name = "outline", .width = 1, .faces = 0},
    {.mark = Mark::text, .name = "text", .role = ColourRole::ink},
    // A walk through a tree: nodes, and the box that asks.
    {.mark = Mark::opened, .name = "opened", .role = ColourRole::own, .rgb = 0x56B4E9, .faces = 0},
    {.mark = Mark::pruned,
     .name = "pruned",
     .role = ColourRole::own,
     .rgb = 0xE69F00,
     .dash = 8,
     .hatching = Hatching::rising,
     .faces = 0.05f},
    {.mark = Mark::leaf,
     .name = "leaf",
     .role = ColourRole::own,
     .rgb = 0x009E73,
     .width = 2.5f,
     .faces = 0.14f},
    {.mark = Mark::query, .name = "query", .role = ColourRole::ink, .width = 2.5f, .faces = 0},
    {.mark = Mark::skipped,
     .name = "skipped",
     .role = ColourRole::own,
     .rgb = 0xCC79A7,
     .dash = 5,
     .faces = 0.03f},
    // Partners of a particle.
    {.mark = Mark::inCutoff,
     .name = "in cutoff",
     .role = ColourRole::own,
     .rgb = 0x009E73,
     .width = 2.5f},
    {.mark = Mark::inBuffer,
     .name = "in buffer",
     .role = ColourRole::own,
     .rgb = 0x56B4E9,
     .dash = 9},
    {.mark = Mark::tooFar, .name = "too far", .role = ColourRole::own, .rgb = 0xE69F00, .dash = 4},
    // Particles that came and went.
    {.mark = Mark::inserted,
     .name = "inserted",
     .shape = MarkShape::square,
     .role = ColourRole::own,
     .rgb = 0x56B4E9,
     .width = 3,
     .leastRadius = 5},
    {.mark = Mark::deleted,
     .name = "deleted",
     .shape = MarkShape::diamond,
     .role = ColourRole::own,
     .rgb = 0xCC79A7,
     .width = 3,
     .leastRadius = 5},
    // A trial move among others at the same time, and the one it waits for; see the colours.
    {.mark = Mark::inFlight,
     .name = "in flight",
     .shape = MarkShape::ring,
     .width = 3.5f,
     .leastRadius = 5},
    {.mark = Mark::waits, .name = "waits for", .width = 2.5f, .head = 11, .cased = true},
    // A grid that moved: where it was and is, and the step between.
    {.mark = Mark::shifted,
     .name = "shifted",
     .role = ColourRole::own,
     .rgb = 0x56B4E9,
     .width = 3.5f,
     .head = 12,
     .leastLength = 24,
     .cased = true},
    {.mark = Mark::gridBefore,
     .name = "grid before",
     .role = ColourRole::own,
     .rgb = 0x8B949E,
     .dash = 8},
    {.mark = Mark::gridAfter, .name = "grid after", .role = ColourRole::ink},
    {.mark = Mark::neighbour, .name = "neighbour", .width = 3, .cased = true},
    // Of cells in space, the upper of two layers. Okabe and Ito have no four more that stay apart
    // from these: chosen so that sets a to h do, in OKLab, for all kinds of colour vision, and
    // stand out from both backgrounds; dashed.
    {.mark = Mark::setE,
     .name = "set e",
     .role = ColourRole::own,
     .rgb = 0x22AAFF,
     .dash = 6,
     .hatching = Hatching::upright},
    {.mark = Mark::setF,
     .name = "set f",
     .role = ColourRole::own,
     .rgb = 0xCC5500,
     .dash = 6,
     .hatching = Hatching::grid},
    {.mark = Mark::setG,
     .name = "set g",
     .role = ColourRole::own,
     .rgb = 0x9955FF,
     .dash = 6,
     .hatching = Hatching::crossed},
    {.mark = Mark::setH, .name = "set h", .role = ColourRole::own, .rgb = 0x994477, .dash = 6},
    // In the list that a cluster shares; see the colours.
    {.mark = Mark::partner,
     .name = "partner",
     .shape = MarkShape::ring,
     .width = 2.5f,
     .leastRadius = 3},
    // A cell beside layers with colours of their own.
    {.mark = Mark::cellOutline,
     .name = "cell outline",
     .role = ColourRole::ink,
     .width = 1,
     .faces = 0},
    // Pairs of a neighbour list that is wrong, beside the truth.
    {.mark = Mark::missing,
     .name = "missing",
     .role = ColourRole::own,
     .rgb = 0xFF3B30,
     .width = 6,
     .cased = true},
    {.mark = Mark::wronglyListed,
     .name = "wrongly listed",
     .role = ColourRole::own,
     .rgb = 0xFF3B30,
     .width = 4,
     .dash = 8,
     .cased = true},
    {.mark = Mark::needless,
     .name = "needless",
     .role = ColourRole::own,
     .rgb = 0x8B949E,
     .width = 4},
};
inline constexpr std::size_t kMarkCount = sizeof kMarks / sizeof *kMarks;

constexpr bool marksStandInOrder() {
  for (std::size_t i = 0; i < kMarkCount; ++i)
    if (static_cast<std::size_t>(kMarks[i].mark) != i) return false;
  return true;
}
static_assert(marksStandInOrder(), "a row of the table of marks is missing or out of order");

constexpr const MarkLook& lookOf(Mark mark) { return kMarks[static_cast<std::size_t>(mark)]; }

}  // namespace cellscope
