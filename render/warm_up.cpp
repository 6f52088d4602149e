#include "render/warm_up.h"

#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

#include "sim/api/frame.h"

namespace cellscope::render {
namespace {

constexpr int kSide = 32;  // pixels
// Of a sphere or cell on the screen: summed coverage or one colour, one corner for each, four.
constexpr double kTiny = 0.5, kUsual = 12, kLarge = 80;
constexpr float kMiddle = 2;  // sigma, of a box of twice the length

class Bytes final : public FrameBuffer {
 public:
  template <class Instance>
  explicit Bytes(std::initializer_list<Instance> items) : data_(items.size() * sizeof(Instance)) {
    std::memcpy(data_.data(), items.begin(), data_.size());
  }
  std::size_t bytes() const override { return data_.size(); }
  MemorySpace space() const override { return MemorySpace::host; }
  void copyTo(void* destination, MemorySpace) const override {
    std::memcpy(destination, data_.data(), data_.size());
  }

 private:
  std::vector<std::byte> data_;
};

template <class Instance>
LayerData layer(Primitive primitive, std::initializer_list<Instance> items,
                std::initializer_list<Mark> marks) {
  LayerData l;
  l.primitive = primitive;
  l.count = items.size();
  l.buffer = std::make_shared<Bytes>(items);
  l.scale.kind = ColourKind::categorical;
  l.scale.marks = marks;
  return l;
}

// One in the middle, and one across an edge of the box, of which there are images.
LayerData points(std::initializer_list<Mark> marks) {
  return layer<PointInstance>(
      Primitive::points,
      {{kMiddle, kMiddle, kMiddle, 1, 0, 0, 0}, {0.1f, kMiddle, kMiddle, 1, 0, -1, 0}}, marks);
}

LayerData boxes() {
  return layer<BoxInstance>(Primitive::boxes, {{{1, 1, 1}, {3, 3, 3}, 0, 0, 0}},
                            {Mark::setA, Mark::setB});
}

LayerData lines(bool over) {
  LayerData l = layer<LineInstance>(Primitive::lines, {{{1, 1, 1}, {3, 3, 3}, 0, 0, 0}},
                                    {Mark::arrow, Mark::shifted});
  l.over = over;
  return l;
}

LayerData labels() {
  return layer<LabelInstance>(Primitive::labels,
                              {{{kMiddle, kMiddle, kMiddle}, 0, 0, 0, {}, LabelOf::place, "1"}},
                              {Mark::text});
}

LayerData cells() {
  LayerData l = layer<std::uint32_t>(Primitive::cells, {0, 0, 0, 0},
                                     {Mark::setA, Mark::setB, Mark::setC, Mark::setD});
  l.lattice = CellLattice{{4, 4}, {1, 1}};
  l.count = 16;
  return l;
}

std::shared_ptr<const Frame> frameOf(int dimension, std::vector<LayerData> layers) {
  auto frame = std::make_shared<Frame>();
  const double length = 2 * kMiddle;
  frame->box = {dimension, {length, length, dimension == 3 ? length : 1}};
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].key = std::to_string(i);
  frame->layers = std::move(layers);
  return frame;
}

}  // namespace

WarmUp::WarmUp(int dimension)
    : canvas_(makeTexture(GL_TEXTURE_2D)),
      depth_(makeTexture(GL_TEXTURE_2D)),
      framebuffer_(makeFramebuffer()) {
  glTextureStorage2D(canvas_, 1, GL_RGBA8, kSide, kSide);
  glTextureStorage2D(depth_, 1, GL_DEPTH_COMPONENT32F, kSide, kSide);
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, canvas_, 0);
  glNamedFramebufferTexture(framebuffer_, GL_DEPTH_ATTACHMENT, depth_, 0);
  dimension == 2 ? addPlane() : addSpace();
}

void WarmUp::addPlane() {
  for (const double pixels : {kTiny, kUsual, kLarge}) {
    pictures_.push_back({frameOf(2, {points({})}), pixels});
    if (pixels > kTiny) pictures_.push_back({frameOf(2, {points({Mark::setA})}), pixels});
  }
  for (const double pixels : {kTiny, kUsual})
    for (const Rest rest : {Rest::shown, Rest::dimmed})
      pictures_.push_back({frameOf(2, {cells()}), pixels, rest});
  for (LayerData l : {boxes(), lines(false), points({Mark::accepted}), labels()})
    pictures_.push_back({frameOf(2, {std::move(l)})});
}

void WarmUp::addSpace() {
  for (const double pixels : {kTiny, kUsual, kLarge})
    pictures_.push_back({frameOf(3, {points({})}), pixels});
  for (LayerData l : {boxes(), lines(false), lines(true), points({Mark::accepted}), labels()})
    pictures_.push_back({frameOf(3, {std::move(l)})});
}

void WarmUp::drawNext(Renderer& renderer) {
  const Picture& p = pictures_[next_++];
  renderer.upload(*p.frame);
  const Viewport view{0, 0, kSide, kSide};
  Camera camera = Camera::fit(p.frame->box, view);
  camera.zoomAbout(view, {kSide / 2, kSide / 2}, p.pixels / camera.pixelsPerUnit(view));
  Style style;
  style.images = true;
  style.inside.rest = p.rest;
  if (p.rest != Rest::shown) style.inside.boxes = {{glm::dvec3(0), glm::dvec3(kMiddle)}};
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  renderer.draw(camera, view, style);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace cellscope::render
