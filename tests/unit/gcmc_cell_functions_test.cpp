// Energies and virials of a point with the particles of cells, by every instruction set of this
// processor: the bits of the sums of single pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/algo/gcmc/chain_simd.h"
#include "sim/core/rng.h"
#include "sim/exec/machine.h"

namespace cellscope {
namespace {

// Cells with 0 to `most` particles each, at random within `part` of the box; blocks: those of 16
// entries lie apart, else a cell is one piece.
struct RandomCells {
  std::size_t cells;
  std::uint32_t capacity;
  std::vector<std::uint32_t> filled, word;
  GcmcCellWords words;
  std::vector<GcmcPoint> points;
  std::vector<std::uint32_t> all;  // numbers of the cells

  RandomCells(std::size_t count, std::uint32_t most, double part, bool blocks)
      : cells(count), capacity((most + 15) / 16 * 16) {
    word.assign(3 * cells * capacity, 0xdeadbeef);  // what lies between is never looked at
    filled.resize(cells);
    words = blocks ? GcmcCellWords{word.data(), filled.data(), 48, 48 * cells, 16}
                   : gcmcCellsInRow(word.data(), filled.data(), capacity);
    for (std::uint32_t c = 0; c < cells; ++c) {
      all.push_back(c);
      filled[c] = (c * 7 + 3) % (most + 1);
      for (std::uint32_t k = 0; k < filled[c]; ++k) {
        const Random4 r = draw(hashSeed(5), RngPurpose::test, c, k, 0);
        const auto scaled = [&](std::uint32_t w) { return static_cast<std::uint32_t>(w * part); };
        const GcmcPoint p{scaled(r.w[0]), scaled(r.w[1]), scaled(r.w[2])};
        std::uint32_t* const x = &word[c * words.cellStride + k / 16 * words.blockStride + k % 16];
        x[0] = p.x, x[words.axisStride] = p.y, x[2 * words.axisStride] = p.z;
        points.push_back(p);
      }
    }
  }
};

GcmcEnergyVirial sumOfPairs(const GcmcPair& pair, const std::vector<GcmcPoint>& points,
                            GcmcPoint at) {
  GcmcEnergyVirial sum{0, 0};
  for (const GcmcPoint& p : points) {
    const GcmcReduced d = gcmcReduced(pair, at, p);
    if (!(d.r2 < pair.cutoffSquared)) continue;
    sum.energy += gcmcPairEnergy(pair, d.r2, d.epsilon);
    sum.virial += gcmcPairVirial(pair, d.r2, d.epsilon);
  }
  return sum;
}

constexpr double kSigma[3] = {1, 0.9, 0.8}, kEpsilon[3] = {1, 0.7, 0.5};
constexpr double kExact = 4294967296.0;  // sums of virials below -4 (gcmc_pair.h)

// Few and many neighbours, more than are kept at a time among them, and none.
TEST(GcmcCellFunctions, AreSumsOfPairs) {
  const double length[3] = {9, 9, 9};
  for (const std::string& set : exec::instructionSets()) {
    const GcmcCellFunctions functions = gcmcCellFunctionsFor(set);
    for (const GcmcPair& pair :
         {makeGcmcPair(lennardJones(Truncation::plain), {.cutoff = 2.5}, 3, length),
          makeGcmcPair(lennardJones(Truncation::energy), {.cutoff = 2.5}, 3, length),
          makeGcmcPair(lennardJones(Truncation::force), {.cutoff = 2.5}, 3, length),
          makeGcmcPair(potentialNumber<ScaledAttractionEntry>(), {.ownA = {0.3, 1}}, 3, length),
          makeGcmcPair(potentialNumber<MieEntry>(), {.whole = {14, 7}}, 3, length),
          makeGcmcPair(potentialNumber<MieEntry>(),
                       {.whole = {50, 6}, .truncation = Truncation::force}, 3, length),
          hardSpherePair(3, length),
          mixedGcmcPair(makeGcmcPair(lennardJones(Truncation::force), {.cutoff = 2.5}, 3, length),
                        kSigma, kEpsilon),
          mixedGcmcPair(makeGcmcPair(lennardJones(Truncation::energy), {.cutoff = 2.5}, 3, length),
                        kSigma, kEpsilon),
          mixedGcmcPair(hardSpherePair(3, length), kSigma, kEpsilon)})
      for (const double part : {1.0, 0.4})
        for (const bool blocks : {false, true}) {
          SCOPED_TRACE(set + (blocks ? ", blocks" : ", in a row"));
          const RandomCells c(27, 41, part, blocks);
          for (std::uint32_t k = 0; k < 20; ++k) {
            const GcmcPoint at{k * 0x0a000001u, 0x20000000u, k * 0x03000000u};
            const GcmcEnergyVirial right = sumOfPairs(pair, c.points, at);
            const GcmcEnergyVirial both = functions.both(pair, c.words, c.all.data(), 27, at);
            EXPECT_EQ(both.energy, right.energy);
            if (right.virial < kExact) {
              EXPECT_EQ(both.virial, right.virial);
            }
            EXPECT_EQ(functions.energy(pair, c.words, c.all.data(), 27, at), right.energy);
          }
          EXPECT_EQ(functions.energy(pair, c.words, c.all.data(), 0, {1, 2, 3}), 0);
        }
  }
}

// The energies of the particles themselves: what comes is added, and what goes leaves no trace.
TEST(GcmcCellFunctions, SpreadEachPairToItsParticle) {
  const double length[3] = {9, 9, 9};
  for (const std::string& set : exec::instructionSets())
    for (int k = 0; k < 4; ++k) {
      const bool blocks = k % 2 == 1;
      SCOPED_TRACE(set + (blocks ? ", blocks" : ", in a row"));
      GcmcPair pair = makeGcmcPair(lennardJones(Truncation::force), {.cutoff = 2.5}, 3, length);
      if (k >= 2) pair = mixedGcmcPair(pair, kSigma, kEpsilon);
      const RandomCells c(27, 41, 0.6, blocks);
      const GcmcSpreadFunction spread = gcmcCellFunctionsFor(set).spread;
      std::vector<double> energy(c.cells * c.capacity, 0.0);
      const GcmcCellEnergies to{energy.data(), c.words.cellStride / 3,
                                blocks ? c.words.blockStride / 3 : 16};
      const GcmcPoint a{0x30000000u, 0x20000000u, 0x10000000u}, b{0x50000000u, 0x50000000u, 0u};
      EXPECT_EQ(spread(pair, c.words, to, c.all.data(), 27, a, 1),
                sumOfPairs(pair, c.points, a).energy);
      spread(pair, c.words, to, c.all.data(), 27, b, 1);
      spread(pair, c.words, to, c.all.data(), 27, a, -1);
      std::size_t i = 0, within = 0;
      for (std::size_t cell = 0; cell < c.cells; ++cell)
        for (std::uint32_t slot = 0; slot < c.capacity; ++slot) {
          const double found =
              energy[cell * to.cellStride + slot / 16 * to.blockStride + slot % 16];
          const bool there = slot < c.filled[cell];
          const double right = there ? gcmcPairAt(pair, b, c.points[i]) : 0.0;
          EXPECT_EQ(found, right) << cell << " " << slot;
          within += right != 0;
          i += there;
        }
      EXPECT_GT(within, 20u);
    }
}

}  // namespace
}  // namespace cellscope
