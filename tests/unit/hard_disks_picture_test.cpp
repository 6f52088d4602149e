// What is seen of the hard disks: disks, cells, active set, picked disk and its trial moves.
#include <set>

#include "tests/support/hard_disks.h"
#include "tests/support/lattice_boxes.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

// Of the nearest images in a square of this side.
double distanceOf(double dx, double dy, double length) {
  dx = std::fabs(dx), dy = std::fabs(dy);
  return std::hypot(std::min(dx, length - dx), std::min(dy, length - dy));
}

// In order of id, 0 to n - 1; they are drawn cell by cell.
std::vector<PointInstance> drawnDisks(HardDisksMode& mode, const std::string& colouring = "plain") {
  const auto frame = mode.frame({{layers::kDisks}, colouring, -1});
  const auto drawn = drawnItems<PointInstance>(frame->layers.at(0));
  std::vector<PointInstance> points(drawn.size());
  const DiskCells cells = mode.cells();
  std::size_t next = 0;
  for (std::size_t c = 0; c < cells.grid.cellCount(); ++c)
    for (std::size_t i = 0; i < cells.count.data()[c]; ++i)
      points.at(cells.id.data()[i * cells.grid.cellCount() + c]) = drawn.at(next++);
  EXPECT_EQ(next, drawn.size());
  return points;
}

TEST(Picture, DisksLieWhereTheConfigurationSaysAndStandStillWhileTheGridMoves) {
  const auto mode = started("n=300 packing=0.6 d=0.001");
  auto before = drawnDisks(*mode);
  for (int sweep = 0; sweep < 12; ++sweep) {
    mode->advance(1);
    const auto now = drawnDisks(*mode);
    const Configuration c = mode->configuration();
    const double length = c.box.length[0];
    for (std::size_t k = 0; k < now.size(); ++k) {
      EXPECT_EQ(now[k].x, static_cast<float>(c.positions[3 * k]));
      EXPECT_EQ(now[k].y, static_cast<float>(c.positions[3 * k + 1]));
      EXPECT_TRUE(c.positions[3 * k] >= 0 && c.positions[3 * k] < length);
      // At most 4 moves of 0.001 per sweep, although the cells moved by up to w / 2.
      EXPECT_LT(distanceOf(now[k].x - before[k].x, now[k].y - before[k].y, length), 0.0041);
    }
    before = now;
  }
}

TEST(Picture, CellBoxesTileTheBoxAndCountTheDisks) {
  const auto mode = started("n=300 packing=0.6");
  mode->advance(7);
  const auto frame = mode->frame({{layers::kCells, layers::kSets, layers::kActive}, "", -1});
  const double length = frame->box.length[0];
  for (const LayerData& layer : frame->layers) {
    const std::vector<BoxInstance> boxes = boxesOf(layer, frame->box.length);
    double area = 0;
    for (const BoxInstance& b : boxes) {
      area += (b.hi[0] - b.lo[0]) * static_cast<double>(b.hi[1] - b.lo[1]);
      EXPECT_TRUE(b.lo[0] >= 0 && b.lo[1] >= 0 && b.hi[0] <= static_cast<float>(length) &&
                  b.hi[1] <= static_cast<float>(length));
    }
    EXPECT_NEAR(area / (length * length), 1, 1e-5) << layer.key;
  }
  // Disks drawn inside a box of the cell layer are as many as the box says, apart from boxes cut by
  // the edge of the picture. Beside the sets the cells have no colours of their own, nor counts.
  const auto grid = mode->frame({{layers::kCells}, "", -1});
  const std::vector<BoxInstance> boxes = boxesOf(grid->layers[0], grid->box.length);
  const auto disks = drawnDisks(*mode);
  const double w =
      length / std::round(length / (boxes[boxes.size() / 2].hi[0] - boxes[boxes.size() / 2].lo[0]));
  int compared = 0;
  for (const BoxInstance& b : boxes) {
    if (b.hi[0] - b.lo[0] < 0.999 * w || b.hi[1] - b.lo[1] < 0.999 * w) continue;
    int inside = 0;
    for (const PointInstance& d : disks)
      inside += d.x >= b.lo[0] && d.x < b.hi[0] && d.y >= b.lo[1] && d.y < b.hi[1];
    compared += inside == static_cast<int>(b.value);
    EXPECT_LE(std::abs(inside - static_cast<int>(b.value)), 1) << "rounding to float at most";
  }
  EXPECT_GT(compared, 200);
}

TEST(Picture, ActiveSetFollowsThePhase) {
  const auto mode = started("n=300 packing=0.6");
  for (int phase = 0; phase < 12; ++phase) {
    const auto before = drawnDisks(*mode, "set");
    const int upcoming = mode->nextPhase();
    const auto beforeActive = mode->frame({{layers::kActive}, "", -1});
    mode->advancePhase();
    if (upcoming == 0 || upcoming == 5) continue;
    const auto after = drawnDisks(*mode, "set");
    const auto frame = mode->frame({{layers::kActive}, "", -1});
    EXPECT_EQ(frame->phase, upcoming);
    const std::vector<BoxInstance> boxes = boxesOf(frame->layers[0], frame->box.length);
    float active = -1;
    for (const BoxInstance& b : boxes)
      if (b.level >= 0) active = b.value;
    int moved = 0;
    for (std::size_t k = 0; k < after.size(); ++k)
      if (after[k].x != before[k].x || after[k].y != before[k].y) {
        ++moved;
        EXPECT_EQ(after[k].value, active) << "only disks of the active set move";
      }
    EXPECT_GT(moved, 10);
  }
}

// The marks after a phase are those of the engine: where a disk is marked as moved it was elsewhere
// before, where it is marked as held it stands still, and unmarked disks do not move.
TEST(Picture, LastMovesTellWhatThePhaseDid) {
  const std::string settings = "n=300 packing=0.65";
  const auto mode = started(settings), unwatched = started(settings);
  ViewRequest view{{layers::kMoves}, "", -1};
  mode->frame(view);
  mode->advance(1);
  EXPECT_EQ(mode->frame(view)->layers.at(0).count, 0u) << "nothing flashes while playing";
  unwatched->advance(1);
  view.still = true;
  mode->frame(view);
  std::size_t moved = 0, held = 0;
  for (int phase = 0; phase < 12; ++phase) {
    const auto before = drawnDisks(*unwatched);
    mode->advancePhase(), unwatched->advancePhase();
    const auto after = drawnDisks(*unwatched);
    const auto frame = mode->frame(view);
    EXPECT_TRUE(frame->layers.at(0).events);
    EXPECT_EQ(lookOf(frame->layers.at(0).scale.marks.at(0)).shape, MarkShape::ring);
    const auto marks = drawnItems<PointInstance>(frame->layers.at(0));
    std::size_t movedNow = 0;
    for (const PointInstance& mark : marks) {
      std::size_t k = 0;
      while (k < after.size() && (after[k].x != mark.x || after[k].y != mark.y)) ++k;
      ASSERT_LT(k, after.size()) << "a mark where no disk is";
      const bool stayed = before[k].x == after[k].x && before[k].y == after[k].y;
      EXPECT_EQ(stayed, mark.value == static_cast<float>(layers::MovePart::rejected));
      (stayed ? held : movedNow)++;
    }
    std::size_t really = 0;
    for (std::size_t k = 0; k < after.size(); ++k)
      really += before[k].x != after[k].x || before[k].y != after[k].y;
    EXPECT_EQ(really, movedNow);
    EXPECT_EQ(frame->layers.at(1).count, movedNow) << "one path for each";
    moved += movedNow;
  }
  EXPECT_GT(moved, 100u);
  EXPECT_GT(held, 20u);
  mode->advance(1), unwatched->advance(1);  // a whole sweep made alone
  EXPECT_GT(mode->frame(view)->layers.at(0).count, 100u);
  mode->advance(5), unwatched->advance(5);
  EXPECT_EQ(saved(*mode), saved(*unwatched));
}

// Every disk nearer than a diameter to another is marked with a red ring, and no other is.
TEST(Picture, OverlappingDisksAreMarked) {
  const auto mode = started("n=300 packing=0.67 n_M=32 leave_cell=true");
  std::size_t marked = 0, single = 0;
  for (int sweep = 0; sweep < 40; ++sweep) {
    mode->advance(5);
    const auto frame = mode->frame({{layers::kDisks}, "plain", -1});
    const auto disks = drawnDisks(*mode);
    const double length = frame->box.length[0];
    std::set<std::pair<float, float>> expected;
    for (const PointInstance& a : disks)
      for (const PointInstance& b : disks) {
        const double r = distanceOf(a.x - b.x, a.y - b.y, length);
        // Pairs at contact to within single precision belong to neither.
        if (&a != &b && r < 1 - 1e-5) expected.insert({a.x, a.y});
        single += &a != &b && std::abs(r - 1) < 1e-5;
      }
    if (frame->layers.size() < 2) {
      EXPECT_TRUE(expected.empty());
      continue;
    }
    const LayerData& layer = frame->layers[1];
    EXPECT_EQ(layer.key, layers::kOverlaps);
    EXPECT_EQ(layer.scale.marks, std::vector<Mark>{Mark::overlapping});
    std::set<std::pair<float, float>> found;
    for (const PointInstance& m : drawnItems<PointInstance>(layer)) found.insert({m.x, m.y});
    for (const auto& disk : expected) EXPECT_TRUE(found.contains(disk));
    EXPECT_LE(found.size(), expected.size() + single);
    marked += found.size();
  }
  EXPECT_GT(marked, 20u);
}

TEST(Picture, NothingIsMarkedWithoutOverlaps) {
  const auto mode = started("n=300 packing=0.67 n_M=32");
  mode->advance(20);
  EXPECT_EQ(mode->frame({{layers::kDisks}, "plain", -1})->layers.size(), 1u);
}

TEST(Pick, FindsTheDiskThatCoversThePoint) {
  const auto mode = started("n=120 packing=0.05");
  mode->advance(20);
  const auto disks = drawnDisks(*mode);
  const double length = mode->configuration().box.length[0];
  for (std::size_t k = 0; k < disks.size(); ++k) {
    const double angle = static_cast<double>(k);
    double x = disks[k].x + 0.49 * std::cos(angle), y = disks[k].y + 0.49 * std::sin(angle);
    x = std::fmod(x + length, length), y = std::fmod(y + length, length);
    EXPECT_EQ(mode->pick({{x, y, 0}}), static_cast<std::int64_t>(k));
  }
  int empty = 0;
  for (int i = 0; i < 400; ++i) {
    const double x = length * (i % 20 + 0.5) / 20, y = length * (i / 20 + 0.5) / 20;
    bool covered = false;
    for (const PointInstance& d : disks)
      covered = covered || distanceOf(d.x - x, d.y - y, length) < 0.5;
    EXPECT_EQ(mode->pick({{x, y, 0}}) >= 0, covered);
    empty += !covered;
  }
  EXPECT_GT(empty, 100);
  // With a reach, the nearest disk that close; brute force knows it.
  for (const double reach : {0.3, 0.5, 2.0, 6.0})
    for (int i = 0; i < 100; ++i) {
      const double x = length * (i % 10 + 0.5) / 10, y = length * (i / 10 + 0.5) / 10;
      double least = 0.5 + reach;
      std::int64_t expected = -1;
      for (std::size_t k = 0; k < disks.size(); ++k)
        if (const double r = distanceOf(disks[k].x - x, disks[k].y - y, length); r < least)
          least = r, expected = static_cast<std::int64_t>(k);
      EXPECT_EQ(mode->pick({{x, y, 0}, {}, reach}), expected) << reach;
    }
  EXPECT_EQ(mode->pick({{-1, 2, 0}}), -1);
  EXPECT_EQ(mode->pick({{std::nan(""), 2, 0}}), -1);
}

// The grid before the shift and after it, and arrows as long as the shift from one to the other.
TEST(Picture, AShiftIsDrawnWithTheGridBeforeAndAfter) {
  const auto mode = started("n=300 packing=0.6");
  std::set<bool> axes;
  for (int sweep = 0; sweep < 12; ++sweep) {
    mode->advance(1);
    const auto frame = mode->frame({{layers::kDisks, layers::kShift, layers::kCells}, "", -1});
    const auto lines = [&](const std::string& key) {
      return drawnItems<LineInstance>(layerNamed(*frame, key));
    };
    const auto arrows = lines(layers::kShift), before = lines(layers::kShiftBefore),
               after = lines(layers::kShiftAfter);
    ASSERT_FALSE(arrows.empty());
    EXPECT_LE(arrows.size(), 256u);
    const float dx = arrows[0].b[0] - arrows[0].a[0], dy = arrows[0].b[1] - arrows[0].a[1];
    const auto length = static_cast<float>(frame->box.length[0]);
    const int axis = dx != 0 ? 0 : 1;
    const float d = axis == 0 ? dx : dy;
    axes.insert(axis == 0);
    // Boundaries across the shift, of the cells that are shown.
    const CellGridPlace& grid = *frame->grid;
    EXPECT_EQ(before.size(), static_cast<std::size_t>(grid.cells[0]));
    EXPECT_EQ(after.size(), 2 * before.size());
    for (const LineInstance& old : before) {
      EXPECT_EQ(old.a[axis], old.b[axis]);
      float now = old.a[axis] + d;
      now -= length * std::floor(now / length);
      const bool found = std::any_of(after.begin(), after.end(), [&](const LineInstance& l) {
        const float off = std::abs(l.a[axis] - now);
        return l.a[axis] == l.b[axis] && std::min(off, length - off) < 1e-4f;
      });
      EXPECT_TRUE(found) << old.a[axis] << " by " << d;
    }
    const double first =
        std::fmod(static_cast<double>(after[0].a[0]) - grid.origin[0], grid.width[0]);
    EXPECT_NEAR(std::min(std::abs(first), grid.width[0] - std::abs(first)), 0, 1e-4);
    for (const char* key : {layers::kShift, layers::kShiftBefore, layers::kShiftAfter})
      EXPECT_TRUE(layerNamed(*frame, key).explains) << key;
    EXPECT_TRUE(layerNamed(*frame, layers::kCells).explains);
    EXPECT_TRUE(layerNamed(*frame, layers::kCells).scale.whole);
    EXPECT_FALSE(layerNamed(*frame, layers::kDisks).explains);
  }
  EXPECT_EQ(axes.size(), 2u) << "both axes were tried";
}

// The replayed trial moves are those of the engine: without the shift, the disk ends where the
// trace says, and watching changes nothing.
TEST(Pick, TraceTellsWhatTheEngineDid) {
  const std::string settings = "n=200 packing=0.65 n_M=8";
  const auto mode = started(settings), unwatched = started(settings);
  const ViewRequest view{{layers::kTrials, layers::kTested, layers::kStencil}, "", 17};
  const auto first = mode->frame(view);  // nothing was followed yet, and that is said
  EXPECT_EQ(first->picked.rows.back().second, "recorded from the next sweep on");
  int accepted = 0, rejected = 0;
  for (int sweep = 0; sweep < 60; ++sweep) {
    mode->advance(3), unwatched->advance(2);
    const Configuration before = unwatched->configuration();
    unwatched->advance(1);
    const Configuration after = unwatched->configuration();
    const auto frame = mode->frame(view);
    EXPECT_EQ(frame->picked.id, 17);
    EXPECT_EQ(frame->layers[0].count, 9u) << "cell and its neighbours";
    const auto trials = drawnItems<LineInstance>(layerNamed(*frame, layers::kTrials));
    double dx = 0, dy = 0;
    for (const LineInstance& t : trials) {
      const bool taken = t.value == static_cast<float>(layers::TrialPart::accepted);
      (taken ? accepted : rejected)++;
      if (taken) dx += t.b[0] - t.a[0], dy += t.b[1] - t.a[1];
    }
    const double length = before.box.length[0];
    const auto moved = [&](std::size_t axis) {
      const double d = after.positions[3 * 17 + axis] - before.positions[3 * 17 + axis];
      return d - length * std::round(d / length);
    };
    EXPECT_NEAR(moved(0), dx, 1e-5);
    EXPECT_NEAR(moved(1), dy, 1e-5);
  }
  EXPECT_GT(accepted, 30);
  EXPECT_GT(rejected, 30);
  EXPECT_EQ(saved(*mode), saved(*unwatched));
}

// In the smallest box a disk often crosses the border after its update: the trace is drawn at the
// image beside the disk, not at the other end of the box.
TEST(Pick, TheTraceIsDrawnBesideThePickedDisk) {
  const auto mode = started("n=4 packing=0.178 d=0.4");
  const ViewRequest view{{layers::kTested, layers::kStencil}, "", 0};
  mode->frame(view);
  int outside = 0;
  for (int sweep = 0; sweep < 100; ++sweep) {
    mode->advance(1);
    const auto frame = mode->frame(view);
    const auto cells = drawnItems<BoxInstance>(layerNamed(*frame, layers::kStencil));
    ASSERT_EQ(cells.size(), 9u);
    for (int axis = 0; axis < 2; ++axis) {
      const double middle = 0.5 * (static_cast<double>(cells[4].lo[axis]) + cells[4].hi[axis]);
      const double side = frame->box.length[axis];
      EXPECT_LE(std::abs(middle - frame->picked.position[axis]), 0.5 * side + 1e-5) << sweep;
      outside += middle < 0 || middle > side;
    }
  }
  EXPECT_GT(outside, 5) << "some lie beyond the border, as the disk did";
}

// Disks are shown as tested only where a trial move came to a test of distances: those that would
// leave the cell are rejected before.
TEST(Pick, MovesThatLeaveTheCellTestNoDisk) {
  const auto mode = started("n=200 packing=0.65 n_M=4 d=0.5");
  const ViewRequest view{{layers::kTrials, layers::kTested}, "", 17};
  mode->frame(view);
  int allLeft = 0, tested = 0, none = 0;
  for (int sweep = 0; sweep < 300; ++sweep) {
    mode->advance(1);
    const auto frame = mode->frame(view);
    ASSERT_EQ(frame->layers[0].key, layers::kTested);
    const auto trials = drawnItems<LineInstance>(layerNamed(*frame, layers::kTrials));
    const auto inside = std::count_if(trials.begin(), trials.end(), [](const LineInstance& t) {
      return t.value != static_cast<float>(layers::TrialPart::leftCell);
    });
    if (inside > 0) {
      EXPECT_GT(frame->layers[0].count, 2u);
    } else {
      EXPECT_EQ(frame->layers[0].count, 0u);
    }
    ++(inside > 0 ? tested : trials.empty() ? none : allLeft);
  }
  EXPECT_GT(tested, 50);
  EXPECT_GT(allLeft, 10);
}

}  // namespace
}  // namespace cellscope::test
