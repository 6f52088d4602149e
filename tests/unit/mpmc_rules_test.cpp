// Rules of hard-disk Monte Carlo against an independent brute-force version: integer coordinates
// of the whole box, double-precision trial moves, all pairs.
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

constexpr std::int64_t kUnit = 1 << 22;  // quanta per diameter

struct Point {
  std::int64_t x, y;  // quanta, in [0, box)
};

// The whole box, disks by id, and per cell the ids in order.
struct BruteSweeps {
  std::int64_t width, box;
  int m;
  std::map<std::uint32_t, Point> disks;
  std::vector<std::vector<std::uint32_t>> cells;  // row-major
  MpmcCounters counters;

  explicit BruteSweeps(const DiskCells& start) : m(start.grid.m) {
    width = static_cast<std::int64_t>(static_cast<double>(start.grid.w) * kUnit);
    box = width * m;
    cells.resize(static_cast<std::size_t>(m * m));
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < m; ++x)
        for (int i = 0; i < start.count.data()[start.grid.cell(x, y)]; ++i) {
          const std::size_t slot = start.grid.slot(x, y, i);
          const std::uint32_t id = start.id.data()[slot];
          disks[id] = {
              x * width + std::llround(static_cast<double>(start.disk.data()[slot].x) * kUnit),
              y * width + std::llround(static_cast<double>(start.disk.data()[slot].y) * kUnit)};
          at(x, y).push_back(id);
        }
  }
  std::vector<std::uint32_t>& at(int x, int y) {
    return cells[static_cast<std::size_t>(((y + m) % m) * m + (x + m) % m)];
  }
  std::int64_t wrap(std::int64_t c) const { return ((c % box) + box) % box; }

  bool blocked(std::uint32_t self, Point p) const {
    for (const auto& [id, q] : disks) {
      if (id == self) continue;
      std::int64_t dx = wrap(p.x - q.x), dy = wrap(p.y - q.y);
      dx = std::min(dx, box - dx);
      dy = std::min(dy, box - dy);
      if (dx * dx + dy * dy < kUnit * kUnit) return true;
    }
    return false;
  }

  void updateCell(const MpmcParameters& p, std::uint64_t sweep, int x, int y) {
    const std::vector<std::uint32_t>& mine = at(x, y);
    const auto n = static_cast<std::uint32_t>(mine.size());
    if (n == 0) return;
    std::vector<std::uint32_t> words;
    for (std::uint32_t block = 0; block < 60; ++block) {
      const Random4 r = draw(hashSeed(p.seed), RngPurpose::cellUpdate, sweep,
                             static_cast<std::uint32_t>(y * m + x), block);
      words.insert(words.end(), r.w, r.w + 4);
    }
    std::vector<std::uint32_t> order = mine;
    if (!p.experiments.noParticleShuffle) {
      double fraction = words[0] / 4294967296.0;  // 32 bits: exact in double, as are the products
      for (std::uint32_t i = n - 1; i > 0; --i) {
        fraction *= i + 1;
        std::swap(order[i], order[static_cast<std::size_t>(fraction)]);
        fraction -= std::floor(fraction);
      }
    }
    std::size_t next = 1;
    for (int s = 0; s < p.nMoves; ++s) {
      double hx, hy;
      do {
        hx = static_cast<std::int16_t>(words.at(next) & 0xffff) + 0.5;
        hy = static_cast<std::int16_t>(words.at(next) >> 16) + 0.5;
        ++next;
      } while (hx * hx + hy * hy >= 32768.0 * 32768.0);
      moveDisk(p, order[static_cast<std::size_t>(s) % n], x, y, hx, hy);
    }
  }

  void moveDisk(const MpmcParameters& p, std::uint32_t id, int x, int y, double hx, double hy) {
    const int set = x % 2 + 2 * (y % 2);
    const auto step = [&](double h) {
      return std::llrint(static_cast<double>(static_cast<float>(h * (p.d / 32768.0))) * kUnit);
    };
    const Point to = {disks[id].x + step(hx), disks[id].y + step(hy)};
    counters.attempted[set] += 1;
    const bool inside =
        to.x >= x * width && to.x < (x + 1) * width && to.y >= y * width && to.y < (y + 1) * width;
    if (!inside) {
      counters.leftCell[set] += 1;
    } else if (blocked(id, to)) {
      counters.overlap[set] += 1;
    } else {
      counters.accepted[set] += 1;
      disks[id] = to;
    }
  }

  // Disks move against the direction; stayers keep their order, entrants follow in theirs.
  void shift(const CellShift& s) {
    const int fx[] = {1, -1, 0, 0}, fy[] = {0, 0, 1, -1};
    const std::int64_t d = std::llround(static_cast<double>(s.d) * kUnit);
    for (auto& [id, q] : disks)
      q = {wrap(q.x - fx[s.direction] * d), wrap(q.y - fy[s.direction] * d)};
    std::vector<std::vector<std::uint32_t>> after(cells.size());
    const auto gather = [&](int x, int y, const std::vector<std::uint32_t>& from) {
      for (const std::uint32_t id : from)
        if (disks[id].x / width == x && disks[id].y / width == y)
          after[static_cast<std::size_t>(y * m + x)].push_back(id);
    };
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < m; ++x) {
        gather(x, y, at(x, y));
        gather(x, y, at(x + fx[s.direction], y + fy[s.direction]));
      }
    cells = after;
  }

  void sweep(const MpmcParameters& p, std::uint64_t number, float w) {
    const SweepSchedule s = scheduleOfSweep(p, w, number);
    for (const int set : s.set)
      for (int y = set >> 1; y < m; y += 2)
        for (int x = set & 1; x < m; x += 2) updateCell(p, number, x, y);
    shift(s.shift);
  }

  DiskCells toCells(const GridInfo& grid) {
    DiskCells out = emptyCells(grid);
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < m; ++x) {
        const std::vector<std::uint32_t>& mine = at(x, y);
        out.count.data()[grid.cell(x, y)] = static_cast<std::uint8_t>(mine.size());
        for (std::size_t i = 0; i < mine.size(); ++i) {
          const std::size_t slot = grid.slot(x, y, static_cast<int>(i));
          out.id.data()[slot] = mine[i];
          out.disk.data()[slot] = {static_cast<float>(disks[mine[i]].x % width) / kUnit,
                                   static_cast<float>(disks[mine[i]].y % width) / kUnit};
        }
      }
    return out;
  }
};

void expectSameAsBruteForce(const MpmcCase& c) {
  const DiskCells start = someDisks(c.disks, c.packing, 7);
  const auto engine = engineWith(start, 1, "scalar");
  BruteSweeps oracle(start);
  for (std::uint64_t k = 0; k < c.sweeps; ++k) {
    engine->sweeps(c.p, k, 1);
    oracle.sweep(c.p, k, start.grid.w);
    ASSERT_TRUE(identical(engine->download(), oracle.toCells(start.grid))) << "sweep " << k;
  }
  expectEqualCounters(engine->counters(), oracle.counters);
}

TEST(MpmcRules, EqualBruteForce) {
  constexpr double kQuarterPi = 0.7853981634;
  const MpmcExperiments off{.noParticleShuffle = true, .noSetShuffle = true, .noCellShift = true};
  const MpmcCase cases[] = {
      {"sparse", 30, 0.2, parameters(11, 0.4f, 4), 60},
      {"dense", 100, 0.7, parameters(12, 0.16f, 4), 60},
      {"smallest box", 4, 4 * kQuarterPi / (4.2 * 4.2), parameters(3, 0.3f, 7), 200},
      {"five slots", 24, 24 * kQuarterPi / (5.8 * 5.8), parameters(4, 0.2f, 3), 100},
      {"shuffles off", 60, 0.5, parameters(5, 0.2f, 5, off), 50}};
  for (const MpmcCase& c : cases) {
    SCOPED_TRACE(c.name);
    expectSameAsBruteForce(c);
  }
}

// Places the only disk of a cell, at `along` the axis of a shift and `across` it.
void put(DiskCells& cells, std::size_t cell, int direction, float along, float across) {
  cells.disk.data()[cell] = direction < 2 ? Vec2{along, across} : Vec2{across, along};
  cells.id.data()[cell] = static_cast<std::uint32_t>(cell);
  cells.count.data()[cell] = 1;
}

// Disks on the faces and next to them: none is lost, each lands where integers put it.
TEST(MpmcRules, ShiftIsExactOnTheFaces) {
  const GridInfo grid = chooseGrid(50, 0.5).grid;
  const float q = kCoordinateQuantum, w = grid.w, most = std::floor((w / 2 - q) / q) * q;
  for (const float d : {0.0f, q, 2 * q, 0.125f, 0.3f, most}) {
    const float dq = std::round(d / q) * q;
    for (int direction = 0; direction < 4; ++direction)
      for (const float a : {0.0f, q, dq, dq - q, dq + q, w - dq, w - dq - q, w - dq + q, w - q})
        for (const float b : {0.0f, 0.5f, w - q}) {
          if (a < 0 || a >= w) continue;
          DiskCells cells = emptyCells(grid);
          for (const std::size_t c : {grid.cell(0, 0), grid.cell(grid.m - 1, grid.m - 1)})
            put(cells, c, direction, a, b);
          BruteSweeps oracle(cells);
          oracle.shift({direction, dq});
          const auto engine = engineWith(cells, 1, "scalar");
          engine->shift({direction, dq});
          ASSERT_TRUE(identical(engine->download(), oracle.toCells(grid)))
              << "direction " << direction << " d " << dq << " a " << a;
        }
  }
}

// The naive shift of S3, section 3.2: of the disks that a shift takes across the lower edge of
// their cell, those nearer to it than 2^-bits are lost, and no other; none is there twice.
TEST(MpmcRules, RoundedShiftLosesExactlyTheDisksNextToTheEdge) {
  const GridInfo grid = chooseGrid(50, 0.5).grid;
  const float q = kCoordinateQuantum, w = grid.w, d = 0.25f;
  const auto engine = makeMpmcEngineCpu(1, "scalar");
  for (const int bits : {12, 16, 21, 22}) {
    const MpmcExperiments e{.shiftBits = bits};
    for (int direction = 0; direction < 4; ++direction)
      for (const float beyond : {-2 * q, -q, 0.0f, q, 2 * q, 3 * q, 0x1p-16f, 0x1p-12f - q,
                                 0x1p-12f, 0x1p-12f + q, 0.125f}) {
        // `beyond` the edge that the shift moves towards the disk.
        const float a = direction % 2 == 0 ? d - beyond : w - d - q + beyond;
        DiskCells cells = emptyCells(grid);
        put(cells, grid.cell(1, 1), direction, a, 0.5f);
        engine->upload(cells);
        engine->shift({direction, d, e.shiftRounding()});
        const bool lost = direction % 2 == 0 && beyond > 0 && beyond < std::exp2(-bits);
        const auto report = engine->check();
        EXPECT_EQ(report.disks, lost ? 0u : 1u) << bits << " " << direction << " " << beyond / q;
        EXPECT_EQ(report.misplaced, 0u);
      }
  }
}

// As many disks as expected in many sweeps: those whose edge a shift moves past them by at least
// one quantum q and less than 2^-bits. 4.5 standard deviations of a Poisson
// number, a false alarm in 7e-6 of seeds. No id is there twice.
TEST(MpmcRules, RoundedShiftsLoseAsManyDisksAsExpected) {
  constexpr int kDisks = 1024, kSweeps = 1500;
  MpmcParameters p{.seed = 3};
  p.experiments.shiftBits = 12;
  const auto engine = engineWith(someDisks(kDisks, 0.6, 5));
  engine->sweeps(p, 0, kSweeps);
  const double w = static_cast<double>(engine->grid().w), share = (0x1p-12 - 0x1p-22) / w / 2;
  const double expected = kDisks * (1 - std::exp(-kSweeps * share));
  const DiskPositions left = positionsOf(engine->download());
  EXPECT_NEAR(kDisks - static_cast<double>(left.ids.size()), expected, 4.5 * std::sqrt(expected));
  EXPECT_TRUE(std::adjacent_find(left.ids.begin(), left.ids.end()) == left.ids.end());
}

// With and without leaving, whole sweeps and single phases: one trial of every disk in every sweep.
// Without marks a disk that moves on into a set that is yet to come would be tried again.
TEST(MpmcRules, EachDiskMovesOnceInASweep) {
  constexpr int kDisks = 300;
  for (const bool leave : {false, true}) {
    MpmcParameters p{.seed = 4, .d = 0.4f, .nMoves = 7};
    p.experiments.leaveCell = leave;
    p.experiments.moveOnce = true;
    const auto engine = engineWith(roomyCells(someDisks(kDisks, 0.5, 6)));
    for (std::uint64_t sweep = 0; sweep < 40; ++sweep) {
      engine->resetCounters();
      std::vector<int> tried(kDisks);
      const SweepSchedule s = scheduleOfSweep(p, engine->grid().w, sweep);
      for (const std::uint8_t set : s.set) {
        Recorder recorder(Backend::cpu, kDisks);
        recorder.reset();
        MpmcTrace trace{.disks = recorder.writer()};
        engine->setTrace(trace);
        engine->subSweep(p, sweep, set);
        engine->setTrace({});
        for (const Record& r : recorder.read().records)
          ++tried.at(static_cast<std::size_t>(r.subject));
      }
      engine->shift(s.shift);
      EXPECT_EQ(tried, std::vector<int>(kDisks, 1)) << leave << " " << sweep;
      std::uint64_t attempted = 0;
      for (const std::uint64_t n : engine->counters().attempted) attempted += n;
      EXPECT_EQ(attempted, static_cast<std::uint64_t>(kDisks));
    }
  }
}

// The rounding of a squared distance decides only about pairs within 6e-8 of contact, which are
// looked for here: for each dx, the three dy nearest to contact.
TEST(MpmcRules, RoundingDecidesOnlyWithin6e8OfContact) {
  const double q = 1.0 / kUnit;
  int near = 0;
  for (std::int64_t x = 0; x < kUnit; x += 97) {
    const double dx = static_cast<double>(x) * q;
    const auto edge = static_cast<std::int64_t>(std::sqrt(1 - dx * dx) / q);
    for (std::int64_t y = edge - 1; y <= edge + 1; ++y) {
      // 2 x 44 bits fit the 64 of an integer: exact.
      const bool closer = x * x + y * y < kUnit * kUnit;
      const double r = std::hypot(dx, static_cast<double>(y) * q);
      if (overlaps(static_cast<float>(dx), static_cast<float>(static_cast<double>(y) * q)) ==
          closer)
        continue;
      ++near;
      EXPECT_NEAR(r, 1, 6e-8) << x << " " << y;
    }
  }
  EXPECT_GT(near, 0) << "none was near enough to tell";
}

TEST(MpmcRules, ScheduleIsUniform) {
  MpmcParameters p{.seed = 99};
  const float w = 1.3f, wq = std::round(w / kCoordinateQuantum) * kCoordinateQuantum;
  std::map<std::array<std::uint8_t, 4>, int> orders;
  std::array<int, 4> directions{};
  double sum = 0;
  const int n = 24000;
  for (int k = 0; k < n; ++k) {
    const SweepSchedule s = scheduleOfSweep(p, wq, static_cast<std::uint64_t>(k));
    orders[{s.set[0], s.set[1], s.set[2], s.set[3]}] += 1;
    directions[static_cast<std::size_t>(s.shift.direction)] += 1;
    ASSERT_GE(s.shift.d, 0.0f);
    ASSERT_LT(s.shift.d, wq / 2);
    ASSERT_EQ(s.shift.d / kCoordinateQuantum, std::floor(s.shift.d / kCoordinateQuantum));
    sum += s.shift.d;
  }
  // Bounds of five standard deviations: false alarm below 1e-4 for all of them together.
  ASSERT_EQ(orders.size(), 24u);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0));
  for (const int count : directions) EXPECT_NEAR(count, n / 4, 5 * std::sqrt(n * 3.0 / 16));
  EXPECT_NEAR(sum / n, wq / 4, 5 * wq / 2 / std::sqrt(12.0 * n));
}

// Overlapping disks that are being separated stay in their cells, whatever experiment is on.
TEST(MpmcRules, RelaxingMovesKeepTheirCellAndDrawFromTheirOwnStream) {
  const MpmcParameters p{.experiments = {.leaveCell = true}};
  EXPECT_GT(cellRule(p, 1.25f, 5, false).margin, 0.0f);
  EXPECT_EQ(cellRule(p, 1.25f, 5, true).margin, 0.0f);
  EXPECT_NE(cellRule(p, 1.25f, 5, true).purpose, cellRule(p, 1.25f, 5, false).purpose);
  EXPECT_TRUE(cellRule(p, 1.25f, 5, true).shuffle);
}

}  // namespace
}  // namespace cellscope::test
