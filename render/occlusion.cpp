// Three steps, of which the first is done in rounds (shaders/occluder.comp, settle.comp,
// hidden.comp, compact.comp):
// 1. For each pixel, a depth behind which nothing can be seen: that of an opaque sphere which
//    covers the pixel entirely. At their silhouettes spheres cover pixels partly and may be blended
//    with what was drawn before. So a sphere does not hide those that were drawn earlier when
//    another one lies in front of it, covers the pixel partly and was drawn before it: the next
//    round then looks for one that was drawn still earlier.
// 2. A sphere is hidden where in all of its pixels its nearest point lies behind that depth.
// 3. The others are brought together, in their order.
#include "render/occlusion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "render/gl_loader.h"
#include "render/program.h"
#include "sim/base/error.h"

namespace cellscope::render {
namespace {

constexpr int kRounds = 3;
// It pays from so many spheres on, where they would cover the picture so many times.
constexpr int kFewest = 250000;
constexpr double kCovered = 3, kDiskShare = 0.785;
// Where more than this share is kept, it is not tried again for so many draws.
constexpr double kMostKept = 0.5;
constexpr int kPause = 60;
constexpr double kMostPixels = 1e7;  // 45 bytes each
constexpr double kNear = 12;  // diameters behind the foremost spheres: looked at in every round
// Of a sphere's number; the others of 32 are for the depth, in steps that a float tells apart.
constexpr int kFewestBits = 12, kMostBits = 24;
constexpr int kPlanes = 5 + 2 * kRounds, kGroup = 64, kTestGroup = 128, kMostGroups = 65535,
              kLargeGroups = 1024;
constexpr int kCount = 9, kPart = 10, kDepths = 20, kKeys = 21, kRound = 22,
              kTiles = 23;  // uniform locations
enum Settling { atBegin = 0, nearTiles = 1, atEnd = 2 };
enum Source { all = 0, near = 1, large = 2 };

struct Depths {
  double nearest, farthest;
};

// Of the box along the view, with a margin.
Depths depthsAlong(const Camera& camera, const Box& box, double margin) {
  const glm::dmat4 view = camera.view();
  Depths d{1e300, -1e300};
  for (int i = 0; i < 8; ++i) {
    const glm::dvec4 corner{i & 1 ? box.length[0] : 0, i & 2 ? box.length[1] : 0,
                            i & 4 ? box.length[2] : 0, 1};
    const double depth = -(view * corner).z;
    d.nearest = std::min(d.nearest, depth - margin);
    d.farthest = std::max(d.farthest, depth + margin);
  }
  if (!camera.orthographic) d.nearest = std::max(d.nearest, 0.0);
  return d;
}

std::size_t tilesOf(const Viewport& v) {
  return static_cast<std::size_t>((v.width + 3) / 4) * static_cast<std::size_t>((v.height + 3) / 4);
}

GLuint groups(std::size_t threads, int each) {
  return static_cast<GLuint>(std::min<std::size_t>((threads + each - 1) / each, kMostGroups));
}

}  // namespace

bool Occlusion::Room::provide(std::size_t wanted) {
  if (wanted <= bytes) return true;
  GLint64 most = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  if (wanted > static_cast<std::size_t>(most)) return false;
  const std::size_t larger = std::min(wanted + wanted / 4, static_cast<std::size_t>(most));
  while (glGetError() != GL_NO_ERROR) {
  }
  buffer = makeBuffer();
  bytes = 0;
  glNamedBufferData(buffer, static_cast<GLsizeiptr>(larger), nullptr, GL_DYNAMIC_COPY);
  if (glGetError() != GL_NO_ERROR) return false;
  bytes = larger;
  return true;
}

bool Occlusion::beginCompiling() {
  GLint blocks = 0, threads = 0;
  glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &blocks);
  glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &threads);
  if (blocks < 8 || threads < 512) return false;
  const std::pair<const char*, std::vector<std::string>> wanted[] = {{"occluder.comp", {"NEAREST"}},
                                                                     {"occluder.comp", {}},
                                                                     {"settle.comp", {}},
                                                                     {"hidden.comp", {}},
                                                                     {"compact.comp", {"SCAN"}},
                                                                     {"compact.comp", {}}};
  for (const auto& [name, defines] : wanted) builds_.emplace_back(name, defines);
  return true;
}

// A driver that lacks something draws all spheres.
bool Occlusion::compiled(bool waits) {
  if (tried_) return works_;
  try {
    works_ = !builds_.empty() || beginCompiling();
    const bool done =
        std::all_of(builds_.begin(), builds_.end(), [](const ComputeBuild& b) { return b.done(); });
    if (works_ && !waits && !done) return false;
    if (works_)
      programs_ = {builds_[0].take(), builds_[1].take(), builds_[2].take(),
                   builds_[3].take(), builds_[4].take(), builds_[5].take()};
  } catch (const RunError&) {
    works_ = false;
    programs_ = {};
  }
  tried_ = true;
  builds_.clear();
  return works_;
}

bool Occlusion::provide(const LayerDraw& d, const Viewport& v) {
  const auto n = static_cast<std::size_t>(d.count), tests = (n + kTestGroup - 1) / kTestGroup;
  const std::size_t plane = sizeof(GLuint) * static_cast<std::size_t>(v.width) * v.height;
  if (!commands_) commands_ = makeBuffer();
  return pixels_.provide(kPlanes * plane + 2 * sizeof(GLuint) * tilesOf(v)) &&
         lists_.provide(sizeof(GLuint) * (2 + 2 * n)) && bits_.provide(16 * tests) &&
         offsets_.provide(4 * tests) && kept_.provide(sizeof(PointInstance) * n);
}

// Where many can be seen, looking for the others costs more than drawing them: then it is tried
// now and then, since the camera and the particles move.
bool Occlusion::pays(const LayerDraw& d, double pixels) {
  const std::optional<std::uint32_t> before = reader_.arrival();
  if (pause_ > 0)
    --pause_;
  else if (before && *before > kMostKept * asked_)
    pause_ = kPause;
  const double covers = kDiskShare * d.typicalPixels * d.typicalPixels * d.count;
  return pause_ == 0 && d.count >= kFewest && covers >= kCovered * pixels && !drawnOnProcessor();
}

LayerDraw Occlusion::visible(const LayerDraw& d, LayerPasses& passes, const Camera& camera,
                             const Viewport& viewport, const Box& box, Hidden wanted) {
  const double pixels = static_cast<double>(viewport.width) * viewport.height;
  const bool possible = d.fade * d.look.opacity == 1 && d.count > 0 && pixels <= kMostPixels;
  if (!possible || wanted == Hidden::drawn) return d;
  const bool asked = wanted == Hidden::leftOut;
  if (!asked && !pays(d, pixels)) return d;
  if (!compiled(wanted != Hidden::unhurried) || !provide(d, viewport)) return d;
  findHidden(d, passes, camera, viewport, box);
  used_ = true;
  if (reader_.request(commands_, offsetof(DrawCommands, points))) asked_ = d.count;
  LayerDraw less = d;
  less.buffer = kept_.buffer;
  less.commands = commands_;
  return less;
}

void Occlusion::findHidden(const LayerDraw& d, LayerPasses& passes, const Camera& camera,
                           const Viewport& v, const Box& box) {
  const int needed = static_cast<int>(std::bit_width(static_cast<unsigned>(d.count)));
  const int bits = std::clamp(needed, kFewestBits, kMostBits), shift = std::max(needed - bits, 0);
  const double diameter = d.typicalPixels / camera.pixelsPerUnit(v);
  const Depths range = depthsAlong(camera, box, 2 * diameter);
  const double step =
      std::max(range.farthest - range.nearest, 1e-6) / static_cast<double>((1u << (32 - bits)) - 2);
  const int reach = static_cast<int>(std::ceil(kNear * diameter / step));
  GLfloat points[2] = {};
  glGetFloatv(GL_POINT_SIZE_RANGE, points);
  const auto begin = [&](const GlProgram& program) {
    passes.use(program, d);
    glUniform2i(kCount, d.count, d.commands ? 1 : 0);
    glUniform4i(kPart, v.x, v.y, v.x + v.width, v.y + v.height);
    glUniform4f(kDepths, static_cast<float>(range.nearest), static_cast<float>(step),
                LayerPasses::drawnAsPoints(d) ? points[1] : 0, 0);
    glUniform2i(kKeys, bits, shift);
    glUniform1i(kTiles, kPlanes * v.width * v.height);
  };
  const auto dispatch = [](GLuint x) {
    glDispatchCompute(x, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  };
  const GLuint zero[2] = {0, 0};
  glNamedBufferSubData(lists_.buffer, 0, sizeof zero, zero);
  const DrawCommands nothing{{4, 0, 0, 0}, {0, 1, 0, 0}, {}, {}};
  glNamedBufferData(commands_, sizeof nothing, &nothing, GL_DYNAMIC_COPY);
  const GLuint bound[] = {d.buffer,       d.commands ? d.commands : d.buffer,
                          pixels_.buffer, lists_.buffer,
                          bits_.buffer,   offsets_.buffer,
                          commands_,      kept_.buffer};
  for (GLuint i = 0; i < std::size(bound); ++i)
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, bound[i]);

  const auto count = static_cast<std::size_t>(d.count);
  const auto settle = [&](int round, Settling what) {
    begin(programs_.settle);
    glUniform4i(kRound, round, kRounds, reach, what);
    dispatch(groups(tilesOf(v), kGroup));
  };
  settle(0, atBegin);
  for (int round = 0; round < kRounds; ++round) {
    const int first = round == 0 ? 1 : 0;
    for (const GlProgram* program : {&programs_.nearest, &programs_.early}) {
      begin(*program);
      glUniform3i(kRound, first ? all : near, first, reach);
      dispatch(groups(first ? count : count / 4, kGroup));
      glUniform3i(kRound, large, first, reach);
      dispatch(kLargeGroups);
      if (first && program == &programs_.nearest) settle(0, nearTiles);
    }
    settle(round, atEnd);
  }
  for (const GlProgram* program : {&programs_.hidden, &programs_.scan, &programs_.copy}) {
    begin(*program);
    if (program == &programs_.hidden) glUniform1i(kRound, kRounds);
    dispatch(program == &programs_.scan ? 1 : groups(count, kTestGroup));
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                  GL_BUFFER_UPDATE_BARRIER_BIT);
}

std::optional<std::size_t> Occlusion::kept() const {
  if (!used_) return {};
  GLuint n = 0;
  glGetNamedBufferSubData(commands_, offsetof(DrawCommands, points), sizeof n, &n);
  return n;
}

}  // namespace cellscope::render
