// A click finds what its pixel shows, and nothing where it shows the background: with slices,
// selections and hidden types, in the plane and in space, on each backend.
#include <fmt/format.h>

#include "app/common/inside.h"
#include "renderer_fixture.h"
#include "sim/run/session.h"
#include "tests/support/backend_test.h"

namespace cellscope::picking {
namespace {

using namespace render;

constexpr int kSide = 320;
const Viewport kView{0, 0, kSide, kSide};

struct Scene {
  const char *name, *mode, *parameters, *view;
  Scenario scenario() const {
    return parseScenario(fmt::format("mode = \"{}\"\ntitle = \"t\"\ntext = \"t\"\n"
                                     "[parameters]\n{}[view]\n{}",
                                     mode, parameters, view),
                         "t.toml");
  }
};

constexpr const char *kDisks = "n = 256\npacking = 0.5\n", *kLiquid = "n = 400\ndensity = 0.6\n",
                     *kCells = "n = 1000\ndensity = 0.5\nmethod = \"cells\"\n",
                     *kTree = "n = 400\ndensity = 0.4\nmethod = \"tree\"\n",
                     *kGas = "length = 10\nchemical_potential = -3\ntemperature = 1.5\n";
constexpr Scene kScenes[] = {
    {"all disks", "hard_disks", kDisks, ""},
    {"disks near one", "hard_disks", kDisks,
     "picked = 40\nselection = \"near radius=3\"\nrest = \"hidden\"\n"},
    {"disks in cells", "hard_disks", kDisks,
     "layers = [\"disks\", \"cells opacity=0.05\"]\n"
     "selection = \"cells axis=x layer=2\"\nrest = \"hidden\"\n"},
    {"dimmed disks", "hard_disks", kDisks, "picked = 40\nselection = \"near radius=3\"\n"},
    {"disks off", "hard_disks", kDisks, "layers = [\"-disks\"]\n"},
    {"whole liquid", "md", kLiquid, ""},
    {"half of a liquid", "md", kLiquid, "slices = [\"x at=0.5\"]\n"},
    {"slice of a liquid", "md", kLiquid, "slices = [\"y at=0.4 thickness=2\"]\n"},
    {"slice across the view", "md", kLiquid,
     "slices = [\"view at=0.4 thickness=1.5\"]\nprojection = \"orthographic\"\n"},
    {"two slices", "md", kLiquid, "slices = [\"x at=0.7\", \"z at=0.5 thickness=2\"]\n"},
    {"liquid near one", "md", kLiquid,
     "picked = 40\nselection = \"near radius=2\"\nrest = \"hidden\"\n"},
    {"a layer of cells", "md", kCells,
     "layers = [\"particles\", \"cells opacity=0.05\"]\n"
     "selection = \"cells axis=z layer=1\"\nrest = \"hidden\"\n"},
    {"quiet among boxes", "md", kTree, "layers = [\"particles\", \"tree opacity=0.05\"]\n"},
    {"liquid in the plane", "md", "n = 300\ndimension = \"2\"\ndensity = 0.5\n",
     "picked = 40\nselection = \"near radius=3\"\nrest = \"hidden\"\n"},
    {"one of two types", "md", "n = 400\nsystem = \"binary\"\ndensity = 0.5\nfraction_b = 0.3\n",
     "layers = [\"particles types=B\"]\n"},
    {"a type alone", "md", "n = 400\nsystem = \"binary\"\ndensity = 0.5\nfraction_b = 0.3\n",
     "selection = \"type number=1\"\nrest = \"hidden\"\n"},
    {"grand-canonical", "gcmc", kGas, "slices = [\"x at=0.5 thickness=3\"]\n"}};

class Picking : public cellscope::test::BackendTest {
 protected:
  struct Drawn {
    Image image;
    Camera camera;
    std::shared_ptr<const Frame> frame;
    InsideView inside;
    PickQuery click;
  };

  // Boxes and cells are there, but not seen: they would hide the background.
  Drawn draw(Session& session, const Scenario& scenario) {
    Drawn d;
    Renderer renderer(SinkChoice::automatic, GetParam());
    const ModeInfo& mode = session.mode().info();
    const common::LayerLooks looks = looksOf(scenario.layers, mode);
    d.frame = session.mode().frame(
        {layersOf(scenario, mode), scenario.colouring, scenario.picked, false, looks});
    renderer.upload(*d.frame);
    const auto lookAt = [&](const std::string& key) {
      return looks.count(key) ? looks.at(key) : LayerLook{};
    };
    const std::string& first = mode.layers.front().key;
    for (const LayerInfo& layer : mode.layers) {
      LayerLook look = lookAt(layer.key);
      if (layer.key != first) look.opacity = 0;
      renderer.setLook(layer.key, look);
      for (const LayerPart& part : layer.parts) renderer.setLook(part.key, {.opacity = 0});
    }
    d.camera = Camera::fit(d.frame->box, kView);
    const InsideState& state = scenario.inside;
    d.camera.orthographic = state.orthographic;
    Style style;
    style.shaded = style.drawBoxOutline = false;
    style.images = true;  // as in the window
    style.inside = d.inside = common::insideView(state, d.camera, *d.frame);
    style.inside.depthCue = 0;
    d.image = renderImage(renderer, d.camera, style, kSide, kSide);
    const common::DrawnParticles drawn(*d.frame, mode, lookAt(first), d.inside, style.quiet);
    d.click.isDrawn = drawn;
    d.click.size = drawn.size();
    return d;
  }
  // Without reach: beside a particle nothing is meant.
  static PickQuery clickAt(const Drawn& d, const glm::dvec2& place) {
    PickQuery query;
    if (d.frame->box.dimension == 2) {
      const glm::dvec2 at = d.camera.toPlane(kView, place);
      query.origin[0] = at.x, query.origin[1] = at.y;
    } else {
      glm::dvec3 origin, direction;
      d.camera.ray(kView, place, origin, direction);
      query = common::clickAlong(d.camera, origin, direction, d.inside, d.frame->box);
    }
    query.isDrawn = d.click.isDrawn;
    query.size = d.click.size;
    return query;
  }
  // 1: a particle, 0: the background, -1: an edge.
  static int shown(const Image& image, int x, int y) {
    const Rgb ground = backgroundColour(true);
    int particles = 0;
    for (int j = y - 1; j <= y + 1; ++j)
      for (int i = x - 1; i <= x + 1; ++i) {
        particles += render::test::apart(render::test::pixel(image, i, j), ground) > 0.02f;
      }
    return particles == 9 ? 1 : particles == 0 ? 0 : -1;
  }
  OffscreenContext context_;

  static bool isInBox(const Drawn& d, const glm::dvec2& place) {
    if (d.frame->box.dimension == 3) return true;
    const glm::dvec2 at = d.camera.toPlane(kView, place);
    return at.x > 0 && at.y > 0 && at.x < d.frame->box.length[0] && at.y < d.frame->box.length[1];
  }
};

TEST_P(Picking, FindsWhatThePixelShows) {
  for (const Scene& scene : kScenes) {
    const Scenario scenario = scene.scenario();
    Session session(scenario, config());
    session.mode().advance(20);
    const Drawn d = draw(session, scenario);
    int seen[2] = {}, wrong[2] = {};
    for (int y = 2; y < kSide - 2; y += 6)
      for (int x = 2; x < kSide - 2; x += 6) {
        const glm::dvec2 place(x + 0.5, y + 0.5);
        const int kind = shown(d.image, x, y);
        if (kind < 0 || !isInBox(d, place)) continue;
        ++seen[kind];
        const ParticleId id = session.mode().pick(clickAt(d, place));
        wrong[kind] += (id >= 0) != (kind == 1);
      }
    EXPECT_EQ(wrong[0], 0) << scene.name << ": hidden particles are picked, of " << seen[0];
    // In the narrow cusps between two spheres, edges of both cover the pixel.
    EXPECT_LE(wrong[1], seen[1] / 50)
        << scene.name << ": particles that are shown are not, of " << seen[1];
    EXPECT_GT(seen[0], 100) << scene.name;
    if (std::string(scene.name) != "disks off") {
      EXPECT_GT(seen[1], 30) << scene.name;
    }
  }
}

// Beside what is drawn nothing else is meant, however near it lies.
TEST_P(Picking, ReachDoesNotExtendToWhatIsHidden) {
  Session session(kScenes[0].scenario(), config());
  const Configuration c = session.mode().configuration();
  PickQuery query;
  query.origin[0] = c.positions[0], query.origin[1] = c.positions[1];
  query.reach = 0.5;
  EXPECT_EQ(session.mode().pick(query), c.ids[0]);
  query.isDrawn = [&](const Vec3d& at, int) {
    return std::hypot(at.x - c.positions[0], at.y - c.positions[1]) > 3;
  };
  EXPECT_EQ(session.mode().pick(query), -1);
}

INSTANTIATE_TEST_SUITE_P(Each, Picking, cellscope::test::kBackends, cellscope::test::nameOfBackend);

}  // namespace
}  // namespace cellscope::picking
