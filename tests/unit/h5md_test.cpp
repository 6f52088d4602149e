// H5MD files: written and read back, by h5py too; frames of different sizes; files of kills.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/base/error.h"
#include "sim/io/h5md.h"
#include "tests/support/message_of.h"
#include "tests/support/mixture.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using test::messageOf;
using test::mixture;

class H5md : public test::Program {
 protected:
  // h5py in the interpreter of the distribution.
  test::Result python(const std::string& code) const {
    std::ofstream(file("t.py")) << "import h5py, numpy as np, sys\n" << code;
    return test::shell("/usr/bin/python3 " + file("t.py"));
  }
};

TEST_F(H5md, ComesBackAsItWasInTwoAndThreeDimensions) {
  for (const int dimension : {2, 3}) {
    const Configuration c = mixture(dimension, 100, 5);
    const std::string path = file("a.h5");
    io::H5mdWriter w(path, "test 1.0", false);
    w.write(mixture(dimension, 70, 6), 10, {"abc", false});
    w.write(c, 20, {"abc", true});
    w.close();
    const Configuration d = io::readH5md(path);
    EXPECT_EQ(d.box, c.box);
    EXPECT_EQ(d.ids, c.ids);
    EXPECT_EQ(d.types, c.types);
    EXPECT_EQ(d.species, c.species);
    EXPECT_EQ(d.positions, c.positions);
    EXPECT_EQ(d.velocities, c.velocities);
    const std::vector<io::H5mdFrame> frames = io::h5mdFrames(path);
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0].step, 10u);
    EXPECT_TRUE(frames[1].notes.end);
    EXPECT_EQ(frames[1].notes.run, "abc");
  }
}

// The number of particles grows and shrinks: what a frame does not have, has the id -1.
TEST_F(H5md, IsReadByH5pyWithFramesOfDifferentSizes) {
  const std::string path = file("grow.h5");
  {
    io::H5mdWriter w(path, "test 1.0", false);
    for (const std::size_t n : {50u, 80u, 0u, 60u}) w.write(mixture(3, n, n + 1), n, {"r", false});
    w.close();
  }
  EXPECT_EQ(io::readH5md(path).size(), 60u);
  const test::Result r = python("f = h5py.File('" + path + R"(', 'r')
p = f['particles/all']
assert list(f['h5md'].attrs['version']) == [1, 1]
assert p['position/value'].shape == (4, 80, 3), p['position/value'].shape
assert list(p['position/step']) == [50, 80, 0, 60]
assert list(p['velocity/step']) == [50, 80, 0, 60]
assert [int((row >= 0).sum()) for row in p['id/value']] == [50, 80, 0, 60]
assert np.allclose(p['box/edges/value'][3], np.diag([30, 40, 50]))
assert p['box'].attrs['dimension'] == 3
assert [b.decode() for b in p['box'].attrs['boundary']] == ['periodic'] * 3
assert [b.decode() for b in f['parameters/species/name']] == ['Ar', 'Xe']
assert list(f['parameters/species/mass']) == [1, 7.5]
x = p['position/value'][3][:60]
assert (x >= 0).all() and (x < [30, 40, 50]).all() and x.std() > 5
print('good')
)");
  EXPECT_EQ(r.output, "good\n");
}

// The frames of a run with its times, positions and velocities, by another reader.
TEST_F(H5md, OfARunIsReadByMDAnalysis) {
  const std::string path = file("run.h5");
  const test::Result run = test::cellscope(
      "run argon --backend cpu --set n=500 dt=0.004 --steps 30 --trajectory-every 10 --quiet "
      "--trajectory " +
      path);
  ASSERT_EQ(run.code, 0) << run.output;
  const test::Result r = python(R"(import warnings
warnings.showwarning = lambda *a: None
import MDAnalysis
u = MDAnalysis.Universe.empty(500, trajectory=True)
u.load_new(')" + path + R"(', format='H5MD', convert_units=False)
f = h5py.File(')" + path + R"(', 'r')
p = f['particles/all']
assert len(u.trajectory) == 3
assert np.allclose(u.dimensions, [*np.diag(p['box/edges/value'][0]), 90, 90, 90])
for k, frame in enumerate(u.trajectory):
    assert frame.data['step'] == 10 * (k + 1)
    assert np.isclose(frame.time, 0.04 * (k + 1)), frame.time
    assert np.allclose(frame.positions, p['position/value'][k], atol=1e-5)
    assert np.allclose(frame.velocities, p['velocity/value'][k], atol=1e-5)
print('good')
)");
  EXPECT_EQ(r.output, "good\n");
}

TEST_F(H5md, IsCutAndContinued) {
  const std::string path = file("cut.h5");
  {
    io::H5mdWriter w(path, "test 1.0", false);
    for (std::uint64_t k = 1; k <= 5; ++k) w.write(mixture(3, 40, k), k, {"r", false});
  }
  io::cutH5md(path, 3);
  {
    io::H5mdWriter w(path, "test 1.0", true);
    w.write(mixture(3, 55, 9), 9, {"r", false});
    w.close();
  }
  const std::vector<io::H5mdFrame> frames = io::h5mdFrames(path);
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[2].step, 3u);
  EXPECT_EQ(frames[3].step, 9u);
  EXPECT_EQ(io::readH5md(path).positions, mixture(3, 55, 9).positions);
}

TEST_F(H5md, RefusesWhatIsNoH5mdFileWithAWayOut) {
  const std::string path = file("no.h5");
  const auto refused = [&] { return messageOf<InputError>([&] { io::readH5md(path); }); };
  EXPECT_NE(refused().find("no such file"), std::string::npos);
  std::ofstream(path) << "text\n";
  EXPECT_NE(refused().find("not a readable HDF5 file"), std::string::npos) << refused();
  ASSERT_EQ(python("f = h5py.File('" + path + "', 'w'); f['x'] = 1").code, 0);
  EXPECT_NE(refused().find("no group 'particles'"), std::string::npos) << refused();
  ASSERT_EQ(python("f = h5py.File('" + path + R"(', 'w')
f['particles/all/position/value'] = np.array([[[1., 2, np.nan]]])
f['particles/all/box/edges'] = [5., 5, 5]
)")
                .code,
            0);
  EXPECT_NE(refused().find("no.h5"), std::string::npos) << refused();
  EXPECT_NE(refused().find("particle 0"), std::string::npos) << refused();
}

// A file of another program: unwrapped positions, fixed box, one species.
TEST_F(H5md, ReadsFilesOfOtherPrograms) {
  const std::string path = file("other.h5");
  ASSERT_EQ(python("f = h5py.File('" + path + R"(', 'w')
f['particles/atoms/position/value'] = np.array([[[0., 0, 0], [1, 2, 3]], [[-1., 0, 6], [1, 2, 3]]])
f['particles/atoms/box/edges'] = [5., 5, 5]
)")
                .code,
            0);
  const Configuration c = io::readH5md(path);
  EXPECT_EQ(c.positions, (std::vector<double>{4, 0, 1, 1, 2, 3}));
  EXPECT_EQ(c.ids, (std::vector<ParticleId>{0, 1}));
  EXPECT_TRUE(c.velocities.empty());
}

TEST_F(H5md, OfARunThatWasKilledHoldsAllItsFramesAndIsLoaded) {
  const std::string path = file("run.h5");
  const std::string run = "argon --backend cpu --threads 1 --set n=256 --overwrite ";
  test::shell("timeout -s KILL 4 env -u DISPLAY " CELLSCOPE_PROGRAM " run " + run +
              "--steps 100000000 --trajectory-every 5 --trajectory " + path);
  const test::Result r = python("f = h5py.File('" + path + R"(', 'r')
s = f['particles/all/position/step'][:]
n = len(s)
assert n > 3, n
assert list(s) == [5 * (k + 1) for k in range(n)], s
assert f['particles/all/position/value'].shape == (n, 256, 3)
last = f['particles/all/velocity/value'][n - 1]
assert abs((last ** 2).sum(axis=1).mean() / 3 - 1) < 1
print('good')
)");
  EXPECT_EQ(r.output, "good\n");
  const test::Result loaded =
      test::cellscope("run " + run + "--steps 10 --load-configuration " + path);
  EXPECT_EQ(loaded.code, 0) << loaded.output;
}

// A run in parts leaves the file of one run.
TEST_F(H5md, IsContinuedByAResumedRun) {
  const std::string base = "--backend cpu --threads 1 --quiet ";
  const std::string one = file("one.h5"), parts = file("parts.h5"), state = file("s.checkpoint");
  const std::string start = "run argon --set n=256 " + base + "--trajectory-every 10 ";
  ASSERT_EQ(test::cellscope(start + "--steps 60 --trajectory " + one).code, 0);
  ASSERT_EQ(
      test::cellscope(start + "--steps 35 --trajectory " + parts + " --checkpoint " + state).code,
      0);
  const test::Result r = test::cellscope("run --resume " + state + " " + base +
                                         "--until 60 --trajectory-every 10 --trajectory " + parts);
  ASSERT_EQ(r.code, 0) << r.output;
  const std::vector<io::H5mdFrame> a = io::h5mdFrames(one), b = io::h5mdFrames(parts);
  ASSERT_EQ(a.size(), 6u);
  ASSERT_EQ(b.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(a[k].step, b[k].step);
  EXPECT_EQ(io::readH5md(one).positions, io::readH5md(parts).positions);
}

}  // namespace
}  // namespace cellscope
