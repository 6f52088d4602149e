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
  wrongPartner,
  needless,
  oneSided,
  twice,
  selfPair,
  wrongImage,
  outOfRange,
  onlyHere,
  onlyThere,
  otherImage,
  message,
  exchanged,
  searchedImage,
  before,
  searchedThen
};

// Sizes in pixels at scale 1.
struct MarkLook {
  Mark mark{};
  const char* name = "";
  MarkShape shape = MarkShape::body;
  ColourRole role = ColourRole::scale;
  std::uint32_t rgb = 0;  // role own: 0xRRGGBB
  float width = 2;        // of lines, rings and edges of boxes
  float dash = 0;         // period of dashes, gap included; 0: solid
  float head = 0;         // lines: length of the arrowhead at end b
  float leastLength = 0;  // lines: shorter ones are drawn as long as this, about their middle
  float leastRadius = 0;  // of what is drawn around a particle
  bool cased = false;     // lines: on a casing in the colour of the background
  float hollow = 0;       // lines: two of them, so far apart, within the width
  Hatching hatching = Hatching::none;
  // Boxes: strength of what fills them, the tint in the plane and their faces in space; 0 for those
  // that hold others, which would add up.
  float faces = 0.10f;
};

// Rows of the table: of a colour of its own, of the colour scale, and of ink.
constexpr MarkLook scaleMark(Mark mark, const char* name, MarkLook look = {}) {
  look.mark = mark, look.name = name;
  return look;
}
constexpr MarkLook ownMark(Mark mark, const char* name, std::uint32_t rgb, MarkLook look = {}) {
  look.role = ColourRole::own, look.rgb = rgb;
  return scaleMark(mark, name, look);
}
constexpr MarkLook inkMark(Mark mark, const char* name, MarkLook look = {}) {
  look.role = ColourRole::ink;
  return scaleMark(mark, name, look);
}

// Colours of concepts: Okabe and Ito (2008), safe for colour-vision deficiencies. What is accepted,
// blocks or is rejected differs in shape or dash as well.
inline constexpr MarkLook kMarks[] = {
    scaleMark(Mark::plain, "plain"),
    scaleMark(Mark::arrow, "arrow", {.head = 9}),
    ownMark(Mark::setA, "set a", 0x0072B2, {.hatching = Hatching::rising}),
    ownMark(Mark::setB, "set b", 0xE69F00, {.hatching = Hatching::falling}),
    ownMark(Mark::setC, "set c", 0x009E73, {.hatching = Hatching::level}),
    ownMark(Mark::setD, "set d", 0xCC79A7, {.hatching = Hatching::dots}),
    ownMark(Mark::accepted, "accepted", 0x009E73, {.width = 3, .head = 11, .cased = true}),
    ownMark(Mark::overlap, "overlap", 0xE69F00, {.width = 3, .dash = 7, .head = 11, .cased = true}),
    ownMark(Mark::leftCell, "leaves the cell", 0xCC79A7,
            {.width = 6, .head = 12, .cased = true, .hollow = 2}),
    ownMark(Mark::moved, "moved", 0x009E73,
            {.shape = MarkShape::ring, .width = 2.5f, .head = 12, .leastRadius = 4, .cased = true}),
    ownMark(Mark::rejected, "rejected", 0xE69F00,
            {.shape = MarkShape::cross, .width = 3, .leastRadius = 4}),
    ownMark(Mark::tested, "tested", 0x56B4E9,
            {.shape = MarkShape::ring, .dash = 3, .leastRadius = 7}),
    ownMark(Mark::blocking, "blocking", 0xE69F00,
            {.shape = MarkShape::ring, .width = 3, .dash = 7, .leastRadius = 7}),
    inkMark(Mark::picked, "picked", {.shape = MarkShape::ring, .width = 2.5f, .leastRadius = 7}),
    ownMark(Mark::overlapping, "overlapping", 0xFF3B30,
            {.shape = MarkShape::ring, .width = 2.5f, .leastRadius = 4}),
    // Cells around a particle stand among those of sets: violet and olive, which no set has.
    ownMark(Mark::ownCell, "own cell", 0xA679FF, {.width = 4}),
    ownMark(Mark::searched, "searched", 0x737311),
    scaleMark(Mark::outline, "outline", {.width = 1, .faces = 0}),
    inkMark(Mark::text, "text", {.width = 1}),
    // A walk through a tree: nodes, and the box that asks.
    ownMark(Mark::opened, "opened", 0x56B4E9, {.faces = 0}),
    ownMark(Mark::pruned, "pruned", 0xE69F00,
            {.dash = 8, .hatching = Hatching::rising, .faces = 0.05f}),
    ownMark(Mark::leaf, "leaf", 0x009E73, {.width = 2.5f, .faces = 0.14f}),
    inkMark(Mark::query, "query", {.width = 2.5f, .faces = 0}),
    ownMark(Mark::skipped, "skipped", 0xCC79A7, {.dash = 5, .faces = 0.03f}),
    // Partners of a particle.
    ownMark(Mark::inCutoff, "in cutoff", 0x009E73, {.width = 2.5f}),
    ownMark(Mark::inBuffer, "in buffer", 0x56B4E9, {.dash = 9}),
    ownMark(Mark::tooFar, "too far", 0xE69F00, {.dash = 4}),
    // Particles that came and went.
    ownMark(Mark::inserted, "inserted", 0x56B4E9,
            {.shape = MarkShape::square, .width = 3, .leastRadius = 5}),
    ownMark(Mark::deleted, "deleted", 0xCC79A7,
            {.shape = MarkShape::diamond, .width = 3, .leastRadius = 5}),
    // A trial move among others at the same time, and the one that corrects it; see the colours.
    scaleMark(Mark::inFlight, "in flight",
              {.shape = MarkShape::ring, .width = 3.5f, .leastRadius = 5}),
    scaleMark(Mark::waits, "corrected by", {.width = 2.5f, .head = 11, .cased = true}),
    // A grid that moved: where it was and is, and the step between.
    ownMark(Mark::shifted, "shifted", 0x56B4E9,
            {.width = 3.5f, .head = 12, .leastLength = 24, .cased = true}),
    ownMark(Mark::gridBefore, "grid before", 0x8B949E, {.dash = 8}),
    inkMark(Mark::gridAfter, "grid after"),
    scaleMark(Mark::neighbour, "neighbour", {.width = 3, .cased = true}),
    // Of cells in space, the upper of two layers. Okabe and Ito have no four more that stay apart
    // from these: chosen so that sets a to h do, in OKLab, for all kinds of colour vision, and
    // stand out from both backgrounds; dashed.
    ownMark(Mark::setE, "set e", 0x22AAFF, {.dash = 6, .hatching = Hatching::upright}),
    ownMark(Mark::setF, "set f", 0xCC5500, {.dash = 6, .hatching = Hatching::grid}),
    ownMark(Mark::setG, "set g", 0x9955FF, {.dash = 6, .hatching = Hatching::crossed}),
    ownMark(Mark::setH, "set h", 0x994477, {.dash = 6}),
    // In the list that a cluster shares; see the colours.
    scaleMark(Mark::partner, "partner",
              {.shape = MarkShape::ring, .width = 2.5f, .leastRadius = 3}),
    // A cell beside layers with colours of their own.
    inkMark(Mark::cellOutline, "cell outline", {.width = 1, .faces = 0}),
    // Pairs of a neighbour list that is wrong, beside the truth.
    ownMark(Mark::missing, "missing", 0xFF3B30, {.width = 6, .cased = true}),
    ownMark(Mark::wronglyListed, "wrongly listed", 0xFF3B30,
            {.width = 6, .dash = 8, .leastLength = 22, .cased = true}),
    ownMark(Mark::wrongPartner, "partner of a wrong pair", 0xFF3B30,
            {.shape = MarkShape::ring, .width = 4, .leastRadius = 10}),
    ownMark(Mark::needless, "needless", 0x8B949E, {.width = 4}),
    // From the particle that lists the other.
    ownMark(Mark::oneSided, "one-sided", 0xFF3B30,
            {.width = 3, .dash = 8, .head = 12, .cased = true}),
    ownMark(Mark::twice, "twice", 0xFF3B30, {.width = 8, .cased = true, .hollow = 3}),
    ownMark(Mark::selfPair, "self", 0x9966FF,
            {.shape = MarkShape::square, .width = 3, .leastRadius = 7}),
    ownMark(Mark::wrongImage, "wrong image", 0xCC79A7, {.width = 4, .dash = 5, .cased = true}),
    ownMark(Mark::outOfRange, "out of range", 0xFF3B30,
            {.shape = MarkShape::cross, .width = 3, .leastRadius = 6}),
    // Pairs that two lists do not share.
    ownMark(Mark::onlyHere, "only here", 0x009E73, {.width = 4, .cased = true}),
    ownMark(Mark::onlyThere, "only there", 0x0072B2, {.width = 4, .dash = 12, .cased = true}),
    ownMark(Mark::otherImage, "other image", 0x737311, {.width = 4, .dash = 3, .cased = true}),
    // Between domains.
    inkMark(Mark::message, "message", {.width = 3, .head = 14, .cased = true}),
    // A particle whose type was exchanged.
    ownMark(Mark::exchanged, "type exchanged", 0x9966FF,
            {.shape = MarkShape::ring, .width = 3, .leastRadius = 5}),
    ownMark(Mark::searchedImage, "searched image", 0x737311, {.dash = 6}),
    // Where particles were: fainter than where they are.
    ownMark(Mark::before, "before", 0x737D88, {.width = 1}),
    // Over cells in the colours of their sets: without a tint, and in ink, which stands out of all.
    inkMark(Mark::searchedThen, "searched then", {.width = 1, .faces = 0}),
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
