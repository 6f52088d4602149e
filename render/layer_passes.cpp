#include "render/renderer_impl.h"

namespace cellscope::render {
namespace {

constexpr float kLineOpacity = 0.9f, kWireOpacity = 0.85f, kCasingOpacity = 0.85f;
// Points reach beyond the guard band above this size; then corners are drawn instead.
constexpr float kLargestPoint = 48;
constexpr float kCasing = 3;  // pixels by which a casing is wider than its line
constexpr int kMap = 0, kWhich = 1, kUndefined = 2, kLine = 3, kFixed = 4, kLevels = 5, kFade = 6,
              kImage = 8, kCount = 9, kPart = 10, kLarger = 11, kTypes = 12, kMark = 13,
              kQuiet = 14, kGrid = 15, kCells = 16, kEdge = 17, kRest = 18, kUncut = 19,
              kSmaller = 7, kFaces = 20, kCrowded = 21;  // uniform locations
// Threads of a group of splat.glsl. At once: 96 MiB, and no more groups than every driver takes; a
// multiple of 32, so that each part begins on 256 bytes.
constexpr int kSplatGroup = 128, kSplatsAtOnce = 1 << 22;

struct Attribute {
  int size;
  std::size_t offset;
};

// The last attribute is the pair (level, type).
GlVertexArray layout(std::initializer_list<Attribute> attributes, unsigned divisor) {
  GlVertexArray array = makeVertexArray();
  unsigned i = 0;
  for (const Attribute& a : attributes) {
    glEnableVertexArrayAttrib(array, i);
    const auto offset = static_cast<GLuint>(a.offset);
    if (i + 1 == attributes.size())
      glVertexArrayAttribIFormat(array, i, a.size, GL_SHORT, offset);
    else
      glVertexArrayAttribFormat(array, i, a.size, GL_FLOAT, GL_FALSE, offset);
    glVertexArrayAttribBinding(array, i, 0);
    ++i;
  }
  glVertexArrayBindingDivisor(array, 0, divisor);
  return array;
}

GlVertexArray pointLayout(unsigned divisor) { return layout({{4, 0}, {1, 16}, {2, 20}}, divisor); }
// Boxes and lines have the same shape in memory.
GlVertexArray pairLayout() { return layout({{3, 0}, {3, 12}, {1, 24}, {2, 28}}, 1); }

// Twelve strips of four corners as triangles.
GlBuffer edgeIndices() {
  std::array<std::uint8_t, 72> index{};
  const int strip[] = {0, 1, 2, 2, 1, 3};
  for (int i = 0; i < 72; ++i) index[i] = static_cast<std::uint8_t>(4 * (i / 6) + strip[i % 6]);
  GlBuffer buffer = makeBuffer();
  glNamedBufferStorage(buffer, index.size(), index.data(), 0);
  return buffer;
}

constexpr int kEdgeIndices = 72, kFaceVertices = 36;

struct PointPrograms {
  GlProgram points, quads;
};

constexpr double kImageCells = 2;  // on each side of the box
constexpr float kSmallCell = 6;    // pixels at scale 1: below, neither outline nor hatching

// The one for a selection is made when there is one.
struct CellPrograms {
  explicit CellPrograms(const char* what) : part(what), whole(make({"LAYER_IN_FRAGMENTS", what})) {}
  static GlProgram make(const std::vector<std::string>& defines) {
    return makeProgram("cells", defines);
  }
  const GlProgram& of(Rest rest) {
    if (rest == Rest::shown) return whole;
    if (!selected) selected = make({"LAYER_IN_FRAGMENTS", part, "REST"});
    return selected;
  }
  const char* part;
  GlProgram whole, selected;
};

}  // namespace

struct LayerPasses::Impl {
  PointPrograms disk{makeProgram("disk"), makeProgram("disk", {"QUADS"})};
  PointPrograms hatchedDisk{makeProgram("disk", {"HATCHED"}),
                            makeProgram("disk", {"HATCHED", "QUADS"})};
  PointPrograms sphere{makeProgram("sphere"), makeProgram("sphere", {"QUADS"})};
  GlProgram diskSplat = makeComputeProgram("splat");
  GlProgram sphereSplat = makeComputeProgram("splat", {"SPACE"});
  GlProgram boxFill = makeProgram("box", {"FILL"});
  GlProgram boxMark = makeProgram("box");
  CellPrograms cellFill{"FILL"}, cellMark{"MARK"}, cellMean{"SMALL"};
  GlProgram planeLine = makeProgram("line");
  GlProgram spaceLine = makeProgram("line", {"SPACE"});
  GlProgram spaceBox = makeProgram("line", {"SPACE", "BOX_EDGES"});
  GlProgram spaceFace = makeProgram("face");
  GlProgram mark = makeProgram("particle_mark");
  GlProgram screen = makeProgram("density");
  GlVertexArray pointArray = pointLayout(0), quadArray = pointLayout(1), pairArray = pairLayout(),
                edgeArray = pairLayout(), emptyArray = makeVertexArray();
  GlBuffer edges = edgeIndices(), outline = makeBuffer();

  void begin(const GlProgram& program, const GlVertexArray& array, const LayerDraw& d,
             std::size_t stride, Instances which) {
    glBindVertexArray(array);
    glVertexArrayVertexBuffer(array, 0, d.buffer, 0, static_cast<GLsizei>(stride));
    use(program, d, which);
  }
  void use(const GlProgram& program, const LayerDraw& d, Instances which) {
    glUseProgram(program);
    static const ColourTexture kNone;
    const ColourTexture& colours = d.colours ? *d.colours : kNone;
    glBindTextureUnit(0, colours.texture);
    const Rgb u = undefinedColour();
    glUniform4fv(kMap, 1, &colours.map.x);
    glUniform1i(kWhich, static_cast<GLint>(which));
    glUniform2i(kLevels, d.look.lowest, d.look.highest);
    glUniform1ui(kTypes, d.look.types);
    glUniform1i(kMark, d.mark);
    glUniform1f(kFade, d.fade * d.look.opacity);
    glUniform4f(kUndefined, u.r, u.g, u.b, 1);
    const Rgb& q = d.quietColour;
    glUniform4f(kQuiet, q.r, q.g, q.b, d.quiet ? 1 : 0);
    glUniform1f(kSmaller, d.smaller);
    glUniform1i(kRest, static_cast<GLint>(d.rest));
    glUniform1i(kUncut, (d.uncut ? 1 : 0) | (d.over ? 2 : 0));
  }
  // Whether the draw takes its number of instances from the device.
  static bool commands(const LayerDraw& d) {
    if (!d.layer || !d.layer->commands) return false;
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, d.layer->commands);
    return true;
  }
  static const void* at(std::size_t offset) { return reinterpret_cast<const void*>(offset); }
  static void quads(const LayerDraw& d) {
    if (commands(d))
      glDrawArraysIndirect(GL_TRIANGLE_STRIP, at(offsetof(DrawCommands, quads)));
    else
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, d.count);
  }
  void part(const Viewport& v) { glUniform4i(kPart, v.x, v.y, v.x + v.width, v.y + v.height); }
  void edgesOf(const LayerDraw& d, float opacity, const Rgb* fixed) {
    begin(spaceBox, edgeArray, d, sizeof(BoxInstance), Instances::all);
    line(opacity, 0, fixed, d.over);
    glUniform1i(kFaces, d.faces != 0);
    if (d.faces) glBindTextureUnit(1, d.faces);
    glVertexArrayElementBuffer(edgeArray, edges);
    if (commands(d))
      glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_BYTE, at(offsetof(DrawCommands, edges)));
    else
      glDrawElementsInstanced(GL_TRIANGLES, kEdgeIndices, GL_UNSIGNED_BYTE, nullptr, d.count);
  }
  void facesOf(const LayerDraw& d, bool nearest) {
    begin(spaceFace, pairArray, d, sizeof(BoxInstance), Instances::all);
    glUniform1i(kFaces, nearest ? 1 : 0);
    if (!nearest) glBindTextureUnit(1, d.faces);
    if (commands(d))
      glDrawArraysIndirect(GL_TRIANGLES, at(offsetof(DrawCommands, faces)));
    else
      glDrawArraysInstanced(GL_TRIANGLES, 0, kFaceVertices, d.count);
  }
  void cells(CellPrograms& programs, const LayerDraw& d) {
    if (d.dimension == 3 || !d.layer->lattice) return;
    const CellLattice& l = *d.layer->lattice;
    const auto f = [](double v) { return static_cast<float>(v); };
    use(programs.of(d.rest), d, Instances::all);
    glUniform4f(kGrid, f(l.width[0]), f(l.width[1]), f(l.origin[0]), f(l.origin[1]));
    const int bits = (l.evenFirst ? 1 : 0) | (d.buffer ? 2 : 0);
    glUniform4i(kCells, l.cells[0], l.cells[1], bits, l.activeSet);
    const double beyond = d.images && d.typicalPixels >= kSmallCell ? kImageCells : 0;
    glUniform4f(kEdge, f(d.box->length[0]), f(d.box->length[1]), f(beyond * l.width[0]),
                f(beyond * l.width[1]));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, d.buffer ? d.buffer : unsigned{outline});
    glBindVertexArray(emptyArray);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  // casing: wider by so many pixels, in `fixed`; of lines that have one. solid: without dashes.
  void line(float opacity, float casing, const Rgb* fixed, bool solid = false) {
    glUniform4f(kLine, opacity, casing, fixed ? 1 : 0, casing > 0 ? 1 : solid ? 2 : 0);
    if (fixed) glUniform4f(kFixed, fixed->r, fixed->g, fixed->b, 1);
  }
};

void setCommands(unsigned commands, unsigned count) {
  DrawCommands c{{4, 0, 0, 0}, {0, 1, 0, 0}, {kEdgeIndices, 0, 0, 0, 0}, {kFaceVertices, 0, 0, 0}};
  glNamedBufferData(commands, sizeof c, &c, GL_STREAM_DRAW);
  constexpr std::size_t word = sizeof(unsigned);
  for (const std::size_t at :
       {offsetof(DrawCommands, quads) + word, offsetof(DrawCommands, points),
        offsetof(DrawCommands, edges) + word, offsetof(DrawCommands, faces) + word})
    glCopyNamedBufferSubData(count, commands, 0, static_cast<GLintptr>(at), word);
}

LayerPasses::LayerPasses() : impl_(std::make_unique<Impl>()) {}
LayerPasses::~LayerPasses() = default;

void LayerPasses::points(const LayerDraw& d, Instances which) {
  const PointPrograms& programs = d.dimension == 3 ? impl_->sphere
                                  : d.hatched      ? impl_->hatchedDisk
                                                   : impl_->disk;
  const bool quads = std::max(d.typicalPixels, d.largestPixels) > kLargestPoint;
  impl_->begin(quads ? programs.quads : programs.points,
               quads ? impl_->quadArray : impl_->pointArray, d, sizeof(PointInstance), which);
  if (d.dimension == 2)
    glUniform4f(kImage, d.imageOffset[0], d.imageOffset[1], d.imageBox[0], d.imageBox[1]);
  if (quads)
    Impl::quads(d);
  else if (Impl::commands(d))
    glDrawArraysIndirect(GL_POINTS, Impl::at(offsetof(DrawCommands, points)));
  else
    glDrawArrays(GL_POINTS, 0, d.count);
}

// No driver has to take more than 2^27 bytes at once.
void LayerPasses::splats(const LayerDraw& d, const Viewport& part) {
  impl_->use(d.dimension == 2 ? impl_->diskSplat : impl_->sphereSplat, d, Instances::all);
  impl_->part(part);
  if (d.dimension == 2) glUniform1f(kLarger, d.larger);
  for (int first = 0; first < d.count; first += kSplatsAtOnce) {
    const int count = std::min(kSplatsAtOnce, d.count - first);
    const GLuint commands = d.layer->commands;
    glUniform2i(kCount, count, commands ? first : -1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, commands ? commands : d.buffer);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, d.buffer,
                      first * static_cast<GLintptr>(sizeof(PointInstance)),
                      count * static_cast<GLsizeiptr>(sizeof(PointInstance)));
    glDispatchCompute(static_cast<GLuint>((count + kSplatGroup - 1) / kSplatGroup), 1, 1);
  }
}

void LayerPasses::boxFills(const LayerDraw& d) {
  if (d.dimension == 3) return;
  impl_->begin(impl_->boxFill, impl_->pairArray, d, sizeof(BoxInstance), Instances::all);
  Impl::quads(d);
}

void LayerPasses::nearestFaces(const LayerDraw& d) { impl_->facesOf(d, true); }

void LayerPasses::boxMarks(const LayerDraw& d) {
  if (d.dimension == 2) {
    impl_->begin(impl_->boxMark, impl_->pairArray, d, sizeof(BoxInstance), Instances::all);
    return Impl::quads(d);
  }
  if (d.filled && d.faces) impl_->facesOf(d, false);
  impl_->edgesOf(d, kWireOpacity, nullptr);
}

void LayerPasses::cellFills(const LayerDraw& d) {
  if (d.typicalPixels >= kSmallCell) impl_->cells(impl_->cellFill, d);
}
void LayerPasses::cellMarks(const LayerDraw& d) {
  impl_->cells(d.typicalPixels >= kSmallCell ? impl_->cellMark : impl_->cellMean, d);
}

void LayerPasses::lines(const LayerDraw& d) {
  const GlProgram& program = d.dimension == 2 ? impl_->planeLine : impl_->spaceLine;
  impl_->begin(program, impl_->pairArray, d, sizeof(LineInstance), Instances::all);
  if (d.cased) {
    impl_->line(kCasingOpacity, kCasing, &d.casing);
    Impl::quads(d);
  }
  impl_->line(kLineOpacity, 0, nullptr);
  Impl::quads(d);
}

void LayerPasses::marks(const LayerDraw& d) {
  impl_->begin(impl_->mark, impl_->quadArray, d, sizeof(PointInstance), Instances::all);
  glUniform1i(kCrowded, d.crowded);
  Impl::quads(d);
}

void LayerPasses::boxOutline(const Box& box, const Rgb& colour) {
  const auto x = static_cast<float>(box.length[0]), y = static_cast<float>(box.length[1]);
  LayerDraw d{.buffer = impl_->outline, .count = 1, .dimension = box.dimension};
  d.mark = static_cast<int>(Mark::outline);
  d.uncut = true;  // the box of the simulation shows where the slabs are
  if (box.dimension == 3) {
    const BoxInstance b{{0, 0, 0}, {x, y, static_cast<float>(box.length[2])}, 0, 0, 0};
    glNamedBufferData(d.buffer, sizeof b, &b, GL_STREAM_DRAW);
    impl_->edgesOf(d, 1, &colour);
    return;
  }
  const LineInstance sides[] = {{{0, 0, 0}, {x, 0, 0}, 0, 0, 0},
                                {{x, 0, 0}, {x, y, 0}, 0, 0, 0},
                                {{x, y, 0}, {0, y, 0}, 0, 0, 0},
                                {{0, y, 0}, {0, 0, 0}, 0, 0, 0}};
  d.count = 4;
  glNamedBufferData(d.buffer, sizeof sides, sides, GL_STREAM_DRAW);
  impl_->begin(impl_->planeLine, impl_->pairArray, d, sizeof(LineInstance), Instances::all);
  impl_->line(1, 0, &colour);
  Impl::quads(d);
}

void LayerPasses::composite(const Viewport& part) {
  glUseProgram(impl_->screen);
  impl_->part(part);
  glBindVertexArray(impl_->emptyArray);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace cellscope::render
