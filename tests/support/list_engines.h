// Forces, energies and steps over neighbour lists against brute force, on whichever backend.
#pragma once
#include "sim/algo/placeholders/cells.h"
#include "sim/modes/md/start.h"
#include "tests/support/list_states.h"
#include "tests/support/pair_forces.h"

namespace cellscope::test {

// A liquid, every particle moved off its lattice; of triangles in the plane.
inline MdState shaken(const Box& box, std::int64_t n) {
  MdState s{box, box.dimension == 3 ? md::startLattice(n, box) : md::startTriangles(n, box),
            md::maxwellVelocities(n, 1.0, 11)};
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    Vec3d &r = s.position[i], &v = s.velocity[i];
    if (box.dimension == 2) v.z = 0;
    r = box.wrap({r.x + 0.08 * std::sin(9 * v.x), r.y + 0.08 * std::sin(9 * v.y),
                  r.z + 0.08 * std::sin(9 * v.z)});
  }
  return s;
}
inline MdState shakenLiquid(std::int64_t n, double density = 0.8442) {
  return shaken(cubicBox(std::cbrt(static_cast<double>(n) / density)), n);
}

// A square lattice in the plane, moved.
inline MdState shakenPlane(int side, double spacing) {
  MdState s{squareBox(side * spacing), {}, md::maxwellVelocities(side * side, 1.0, 12)};
  for (int i = 0; i < side * side; ++i) {
    Vec3d& v = s.velocity[static_cast<std::size_t>(i)];
    v.z = 0;
    s.position.push_back(s.box.wrap({spacing * (i % side) + 0.06 * std::sin(9 * v.x),
                                     spacing * (i / side) + 0.06 * std::sin(9 * v.y), 0}));
  }
  return s;
}

// Box and positions in single precision, so that brute force over records sees what all see.
inline MdState inFloats(MdState s) {
  for (double& side : s.box.length) side = static_cast<double>(static_cast<float>(side));
  const RecordBox box(s.box);
  for (Vec3d& r : s.position) {
    const ParticleRecord p = box.record(r, 0);
    r = {double{p.x}, double{p.y}, double{p.z}};
  }
  return s;
}

// Every third particle is of the second type.
inline void mix(MdState& s, PairSettings& p) {
  s.type.resize(s.position.size());
  for (std::size_t i = 0; i < s.type.size(); ++i) s.type[i] = i % 3 == 2;
  p.species.types = 2;
  p.species.sigma[1] = 0.9, p.species.epsilon[1] = 1.4;
  p.species.cutoff[0] = 2.0, p.species.cutoff[1] = 3.0;
}

inline void expectSums(const std::vector<PairSums>& got, const BruteForce& right,
                       const std::string& name, double tolerance = kFloatTerms) {
  ASSERT_LT(deviation(got, right), tolerance) << name;
}

// Largest difference along an axis of the positions in two states, to the nearest image.
inline double largestMove(const MdState& from, const MdState& to) {
  double largest = 0;
  for (std::size_t i = 0; i < from.position.size(); ++i) {
    const Vec3d d = from.box.minimumImage(from.position[i] - to.position[i]);
    largest = std::max({largest, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  }
  return largest;
}

struct NamedEngine {
  std::string name;
  std::unique_ptr<MdEngine> engine;
  int method = 0;  // of lists
  // Placeholder cells need three cells a side.
  bool takes(const MdState& s, const PairSettings& p) const {
    return name != "placeholder cells" || !placeholdersRefused(s.position.size(), s.box, p);
  }
};
// All pairs, placeholder cells, and lists of every method.
inline std::vector<NamedEngine> everyEngine(const exec::Shared& exec) {
  std::vector<NamedEngine> all;
  all.push_back({"all pairs", makeAllPairs(exec)});
  all.push_back({"placeholder cells", makePlaceholders(exec)});
  for (std::size_t m = 0; m < listMethods().size(); ++m)
    all.push_back({listMethods()[m].key, makeVerlet(exec), static_cast<int>(m)});
  return all;
}

// Two spheres filled with particles among single ones.
inline MdState colloidsInSolvent(PairSettings& p, int n = 2500) {
  MdState s = shakenLiquid(n, 0.3);
  p.potential = static_cast<int>(potentialKeys().size()) - 1;
  EXPECT_EQ(potentialKeys().back(), "colloid");
  p.species.types = 2, p.species.cutoff[0] = 2.5;
  p.species.radius[1] = 2, p.species.mass[1] = 30;
  const double l = s.box.length[0];
  const Vec3d centres[] = {{0.1, 0.2, 0.3}, {5.0, 0.4, l - 0.2}};
  MdState mixed{s.box, {}, {}};
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const auto isInside = [&](Vec3d c) {
      const Vec3d d = s.box.minimumImage(s.position[i] - c);
      return std::sqrt(dot(d, d)) < 2.85;
    };
    if (std::ranges::any_of(centres, isInside)) continue;
    mixed.position.push_back(s.position[i]), mixed.velocity.push_back(s.velocity[i]);
    mixed.type.push_back(0);
  }
  for (const Vec3d& c : centres) {
    mixed.position.push_back(c), mixed.velocity.push_back({0.1, -0.2, 0.05});
    mixed.type.push_back(1);
  }
  return mixed;
}

inline void expectEveryNumberOfLanes(const exec::Shared& exec, int method = 0) {
  const MdState s = shakenLiquid(385);
  PairSettings p{.method = method};
  const BruteForce right = bruteForce(s, p);
  const auto engine = makeVerlet(exec);
  for (const int lanes : {0, 1, 2, 4, 8, 16, 32}) {
    p.lanes = lanes;
    expectSums(forcesOf(*engine, s, p), right, "lanes " + std::to_string(lanes));
  }
  p.kernel = PairKernel::teams;
  expectSums(forcesOf(*engine, s, p), right, "generic");
}

// The engine keeps lists valid: after many steps its forces are those of brute force, whatever the
// buffer; and a smaller one means more builds.
inline void expectListsStayValid(const exec::Shared& exec, int method = 0) {
  std::uint64_t builds[3] = {};
  int k = 0;
  for (const double buffer : {0.6, 0.1, 0.0}) {
    PairSettings p{.method = method, .buffer = buffer};
    const auto engine = makeVerlet(exec);
    forcesOf(*engine, shakenLiquid(500), p);
    engine->run(0.004, 0, 150, {});
    EXPECT_FALSE(engine->failure());
    const MdState s = engine->download();
    expectSums(engine->pairSums(), bruteForce(s, p), "buffer " + std::to_string(buffer));
    builds[k++] = engine->history().builds;
  }
  EXPECT_EQ(builds[2], 151u) << "the first forces, and one in each step";
  EXPECT_TRUE(builds[0] < builds[1] && builds[1] < builds[2]) << builds[0] << " " << builds[1];
}

// Bit for bit the same in one run, in runs of one step, in phases, and from states taken and kept
// on the way. start() makes an engine in its first state, update(engine, step) is the part of a
// step between drift and forces, resume(engine, state) uploads a state that was downloaded.
template <class Start, class Update, class Resume>
void expectBatchesDoNotMatter(const Start& start, const Update& update, const Resume& resume) {
  const auto positions = [&](auto&& advance) {
    const std::unique_ptr<MdEngine> engine = start();
    advance(*engine);
    const MdState s = engine->download();
    std::vector<double> all;
    for (const Vec3d& r : s.position) all.insert(all.end(), {r.x, r.y, r.z});
    return all;
  };
  const auto once = positions([](MdEngine& e) { e.run(0.005, 0, 60, {}); });
  EXPECT_EQ(once, positions([](MdEngine& e) {
              for (std::uint64_t s = 0; s < 60; ++s) e.run(0.005, s, 1, {}), e.totals();
            }));
  EXPECT_EQ(once, positions([&](MdEngine& e) {
              for (std::uint64_t s = 0; s < 60; ++s) {
                e.halfKickDrift(0.005, s);
                update(e, s);
                e.forces();
                e.halfKick(0.005);
              }
            }));
  EXPECT_EQ(once, positions([&](MdEngine& e) {
              e.run(0.005, 0, 25, {});
              const MdState s = e.download();
              e.run(0.005, 25, 9, {});
              resume(e, s);
              e.run(0.005, 25, 10, {});
              e.keep();
              e.run(0.005, 35, 20, {});
              e.restore();
              e.run(0.005, 35, 25, {});
            }));
}

// With neighbour lists, whose forces are computed again from a state.
inline void expectBatchesDoNotMatter(const exec::Shared& exec, double buffer, int method = 0) {
  PairSettings p{.method = method, .buffer = buffer};
  expectBatchesDoNotMatter(
      [&] {
        auto engine = makeVerlet(exec);
        forcesOf(*engine, shakenLiquid(500), p);
        return engine;
      },
      [](MdEngine& e, std::uint64_t step) {
        for (int part = 0; part <= 5; ++part)  // of a tree; other builders have fewer
          while (e.updateListPart(part, step)) {
          }
      },
      [](MdEngine& e, const MdState& s) {
        e.upload(s);
        e.forces();
      });
}

// A gas whose particles are all on their way to the middle of the box.
inline MdState fallingGas() {
  constexpr std::int64_t kN = 500;
  MdState s{cubicBox(22), md::startLattice(kN, 22), md::maxwellVelocities(kN, 0.5, 3)};
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const Vec3d r = s.position[i];
    s.velocity[i].x -= r.x - 11, s.velocity[i].y -= r.y - 11, s.velocity[i].z -= r.z - 11;
  }
  return s;
}

// Lists outgrow their room on the way, with a new list in every step. The forces are right, and it
// does not matter how many steps were ordered at once.
inline void expectRoomIsMadeOnTheWay(const exec::Shared& exec, int method = 0) {
  const MdState s = fallingGas();
  PairSettings p{.method = method, .buffer = 0};
  MdState ends[2];
  for (const std::uint64_t together : {std::uint64_t{1}, std::uint64_t{120}}) {
    const auto engine = makeVerlet(exec);
    forcesOf(*engine, s, p);
    const std::uint64_t growths = engine->listGrowths();
    for (std::uint64_t step = 0; step < 120; step += together)
      engine->run(0.004, step, together, {});
    ASSERT_FALSE(engine->failure());
    EXPECT_GT(engine->listGrowths(), growths);
    EXPECT_EQ(engine->history().builds, 121u);
    MdState& end = ends[together > 1];
    end = engine->download();
    expectSums(engine->pairSums(), bruteForce(end, p), "room made on the way");
  }
  EXPECT_EQ(largestMove(ends[0], ends[1]), 0);
}

}  // namespace cellscope::test
