// Colours and arrows of particles of molecular dynamics, with each way to find pairs and on each
// backend, against the configuration and the observables of the same state.
#include "tests/support/backend_test.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

constexpr double kWidthOfB = 1.25;

class MdColourings : public BackendTestOf<const char*> {
 protected:
  void SetUp() override {
    BackendTestOf::SetUp();
    if (IsSkipped()) return;
    const std::string mixture =
        fmt::format("system=binary fraction_b=0.3 sigma_b={} cutoff_b=2.5", kWidthOfB);
    mode_ = startedMd(config(), fmt::format("method={} {} n=800 density=0.5 potential=shifted",
                                            value(), binary() ? mixture : ""));
    mode_->advance(25);
    const Configuration c = mode_->configuration();
    for (std::size_t i = 0; i < c.ids.size(); ++i) {
      const Vec3d r = c.place(i);
      const double* v = &c.velocities[3 * i];
      particle_[{static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)}] = {
          std::hypot(v[0], v[1], v[2]), c.typeOf(i)};
    }
    ASSERT_EQ(particle_.size(), 800u);
  }
  static bool binary() { return std::string(value()) != "all_pairs"; }
  static bool lists() { return std::string(value()) == "tree"; }

  struct Particle {
    double speed = 0;
    std::uint32_t type = 0;
    double diameter() const { return type == 1 ? kWidthOfB : 1.0; }
  };
  Particle at(const float* r) const { return particle_.at({r[0], r[1], r[2]}); }

  template <class Instance>
  std::vector<Instance> drawn(const char* layer, const char* colouring = "") {
    const std::shared_ptr<const Frame> frame = mode_->frame({{layer}, colouring, -1});
    const LayerData& data = frame->layers.at(0);
    EXPECT_EQ(data.count, 800u);
    scale_ = data.scale;
    return drawnItems<Instance>(data);
  }
  std::vector<PointInstance> coloured(const char* by) {
    return drawn<PointInstance>(layers::kParticles, by);
  }

  std::unique_ptr<MdMode> mode_;
  std::map<std::array<float, 3>, Particle> particle_;
  ColourScale scale_;
};

TEST_P(MdColourings, SpeedSizeAndType) {
  for (const PointInstance& p : coloured("speed")) {
    const Particle known = at(&p.x);
    EXPECT_NEAR(p.value, known.speed, 1e-6 * known.speed);
    EXPECT_FLOAT_EQ(p.diameter, static_cast<float>(known.diameter()));
    EXPECT_EQ(p.type, known.type);
  }
  for (const PointInstance& p : coloured("type")) EXPECT_EQ(p.value, static_cast<float>(p.type));
  EXPECT_EQ(scale_.categories.size(), binary() ? 2u : 1u);
  for (const PointInstance& p : coloured("plain")) EXPECT_EQ(p.value, 0.0f);
}

TEST_P(MdColourings, EnergiesAddUpToTheTotal) {
  double sum = 0;
  for (const PointInstance& p : coloured("energy")) sum += static_cast<double>(p.value);
  const double potential = 800 * sampled(*mode_, "potential");
  EXPECT_NEAR(sum, potential, 1e-5 * std::abs(potential));
}

TEST_P(MdColourings, BlocksHoldWhatTheirThreadsDo) {
  std::map<float, int> inBlock;
  for (const PointInstance& p : coloured("tile")) ++inBlock[p.value];
  const int most = std::string(value()) == "placeholder_cells" ? 32 : 64;  // slots, n_B
  for (const auto& [block, count] : inBlock) {
    EXPECT_GE(block, scale_.lo);
    EXPECT_LE(block, scale_.hi);
    EXPECT_LE(count, most) << block;
  }
  EXPECT_GE(inBlock.size(), 13u);  // 800 / 64
}

TEST_P(MdColourings, ThoseOfListsNeedLists) {
  for (const char* by : {"neighbours", "displacement"}) {
    double sum = 0;
    for (const PointInstance& p : coloured(by)) sum += static_cast<double>(p.value);
    const bool shown = lists() || std::string(by) == "neighbours";  // counted where there are none
    EXPECT_EQ(sum > 0, shown) << by;
    EXPECT_EQ(scale_.kind == ColourKind::plain, !shown) << by;
  }
  EXPECT_THROW(mode_->frame({{layers::kParticles}, "height", -1}), InputError);
}

// From the surface of a particle, whatever its size.
TEST_P(MdColourings, ArrowsBeginAtTheSurface) {
  int ofB = 0;
  for (const LineInstance& arrow : drawn<LineInstance>(layers::kVelocities)) {
    const Vec3d a{arrow.a[0], arrow.a[1], arrow.a[2]},
        along = Vec3d{arrow.b[0], arrow.b[1], arrow.b[2]} - a;
    const double length = std::sqrt(dot(along, along));
    // Half a sigma per sigma/tau beyond the surface.
    EXPECT_NEAR(length, 0.5 * static_cast<double>(arrow.value), 1e-4);
    ofB += arrow.type == 1;
    // The particle lies behind the arrow by its radius.
    const Vec3d centre = a - 0.5 * (arrow.type == 1 ? kWidthOfB : 1.0) / length * along;
    double nearest = 1e9;
    for (const auto& [r, p] : particle_)
      nearest = std::min(nearest, std::hypot(r[0] - centre.x, r[1] - centre.y, r[2] - centre.z));
    EXPECT_LT(nearest, 1e-3);
  }
  EXPECT_EQ(ofB, binary() ? 240 : 0);
}

INSTANTIATE_TEST_SUITE_P(Each, MdColourings,
                         testing::Combine(kBackends, testing::Values("all_pairs", "tree",
                                                                     "placeholder_cells")),
                         nameOfBoth<const char*>);

// Coloured by the number of others within the cutoff, by methods that have no lists.
BACKEND_TESTS(NearCounts);

std::vector<float> drawnNeighbours(MdMode& m) {
  const LayerData layer = m.frame({{layers::kParticles}, "neighbours", -1})->layers.at(0);
  EXPECT_EQ(layer.scale.title, "within the cutoff");
  std::vector<float> values;
  for (const auto& p : drawnItems<PointInstance>(layer)) values.push_back(p.value);
  return values;
}

std::vector<float> countedNeighbours(const Configuration& c, double (&cutoff)[2][2]) {
  std::vector<float> counts(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < c.size(); ++j)
      if (i != j && distanceBetween(c, i, j) <= cutoff[c.typeOf(i)][c.typeOf(j)]) ++counts[i];
  return counts;
}

TEST_P(NearCounts, AreThoseOfAllPairs) {
  for (const char* method : {"all_pairs", "placeholder_cells"})
    for (const bool binary : {false, true})
      for (const char* dimension : {"2", "3"}) {
        const auto m = startedMd(
            config(), fmt::format("dimension={} n=700 density=0.6 cutoff=2.5 cutoff_b=1.5 "
                                  "method={} {}",
                                  dimension, method, binary ? "system=binary fraction_b=0.4" : ""));
        m->advance(20);
        double cutoff[2][2] = {{2.5, 2.0}, {2.0, 1.5}};
        const std::vector<float> drawn = drawnNeighbours(*m),
                                 right = countedNeighbours(m->configuration(), cutoff);
        ASSERT_EQ(drawn.size(), right.size());
        std::size_t differ = 0;
        float most = 0;
        for (std::size_t i = 0; i < right.size(); ++i)
          differ += drawn[i] != right[i], most = std::max(most, right[i]);
        EXPECT_LE(differ, 2u) << method << ": more than rounding at the cutoff explains";
        EXPECT_GT(most, 8) << method;
      }
}

}  // namespace
}  // namespace cellscope::test
