// A box that changes its dimension while it is looked at.
#include "app/gui/viewport.h"
#include "renderer_fixture.h"

namespace cellscope::gui {
namespace {

Publication showing(const Box& box, double zoom) {
  Scenario s{.cameraZoom = zoom};
  auto frame = std::make_shared<Frame>();
  frame->box = box;
  return {.frame = frame, .scenario = std::make_shared<const Scenario>(s)};
}

// Whether the camera was moved (a zoom of the scenario counts as that) or stands at the whole box.
TEST(Viewport, LooksIntoSpaceWhereTheBoxBecomesOne) {
  const render::OffscreenContext context;
  for (const double zoom : {1.0, 2.0}) {
    ViewportArea area;
    area.place({0, 0}, {800, 600}, 1);
    area.fit(showing(squareBox(60), zoom), true);
    EXPECT_EQ(area.camera().dimension, 2);
    area.keepFitting(showing(cubicBox(60), zoom));
    EXPECT_EQ(area.camera().dimension, 3) << zoom;
    EXPECT_EQ(area.camera().yaw, Scenario{}.cameraYaw) << zoom;
    EXPECT_EQ(area.camera().pitch, Scenario{}.cameraPitch) << zoom;
    const double distance = area.camera().distance;
    area.keepFitting(showing(cubicBox(60), zoom));
    EXPECT_EQ(area.camera().distance, distance) << "once";
    area.keepFitting(showing(squareBox(60), zoom));
    EXPECT_EQ(area.camera().dimension, 2) << zoom;
    EXPECT_NEAR(area.camera().target.z, 0, 1e-9) << zoom;
  }
}

}  // namespace
}  // namespace cellscope::gui
