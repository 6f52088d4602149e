// H5MD files: written and read back, by h5py too; frames of different sizes; files of kills, and of
// runs in parts.
#include "sim/base/error.h"
#include "sim/io/formats/format.h"
#include "tests/support/message_of.h"
#include "tests/support/mixture.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

class H5md : public Program {
 protected:
  // h5py in the interpreter of the distribution.
  Result python(const std::string& code) const {
    std::ofstream(file("t.py")) << "import h5py, numpy as np, sys\n" << code;
    return shell("/usr/bin/python3 " + file("t.py"));
  }
  // Nothing that it asserts fails.
  void expectGood(const std::string& code) const {
    EXPECT_EQ(python(code + "print('good')\n").output, "good\n");
  }
  // Every group, dataset and attribute: values, types, extents, how they may grow.
  void expectSameFiles(const std::string& a, const std::string& b) const {
    expectGood("files = ['" + a + "', '" + b + R"(']
def parts(path):
    found = {}
    def add(name, o):
        attributes = {k: np.array(v).tolist() for k, v in o.attrs.items()}
        found[name] = attributes if isinstance(o, h5py.Group) else (
            attributes, o.shape, o.maxshape, o.chunks, o.dtype.str, str(o.fillvalue), o[()].tobytes())
    h5py.File(path, 'r').visititems(add)
    return found
a, b = [parts(f) for f in files]
assert a.keys() == b.keys(), a.keys() ^ b.keys()
for k in a:
    assert a[k] == b[k], (k, a[k][:-1], b[k][:-1])
)");
  }
};

// The number of particles grows and shrinks: what a frame does not have, has the id -1.
TEST_F(H5md, IsReadByH5pyWithFramesOfDifferentSizes) {
  const std::string path = file("grow.h5");
  {
    const auto w = io::createH5md(path, "test 1.0", false);
    for (const std::size_t n : {50u, 80u, 0u, 60u})
      w->append(mixture(3, n, n + 1), {n, 0, "r", false, {}});
    w->close();
  }
  EXPECT_EQ(io::readConfiguration(path).configuration.size(), 60u);
  expectGood("f = h5py.File('" + path + R"(', 'r')
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
)");
}

// The frames of a run with its times, positions and velocities, by another reader.
TEST_F(H5md, OfARunIsReadByMDAnalysis) {
  const std::string path = file("run.h5");
  ASSERT_TRUE(completes(
      "run argon --backend cpu --set n=500 dt=0.004 --steps 30 --trajectory-every 10 --quiet "
      "--trajectory " +
      path));
  expectGood(R"(import warnings
warnings.showwarning = lambda *a: None
import MDAnalysis
u = MDAnalysis.Universe.empty(500, trajectory=True)
u.load_new(')" +
             path + R"(', format='H5MD', convert_units=False)
f = h5py.File(')" +
             path + R"(', 'r')
p = f['particles/all']
assert len(u.trajectory) == 4
assert np.allclose(u.dimensions, [*np.diag(p['box/edges/value'][0]), 90, 90, 90])
for k, frame in enumerate(u.trajectory):
    assert frame.data['step'] == 10 * k
    assert np.isclose(frame.time, 0.04 * k), frame.time
    assert np.allclose(frame.positions, p['position/value'][k], atol=1e-5)
    assert np.allclose(frame.velocities, p['velocity/value'][k], atol=1e-5)
)");
}

// Frame k, of step k, has sizes[k] particles; the file ends as that of a kill.
void writeFrames(const std::string& path, const std::vector<std::size_t>& sizes) {
  const auto w = io::createH5md(path, "test 1.0", false);
  for (std::size_t k = 0; k < sizes.size(); ++k)
    w->append(mixture(3, sizes[k], k), {k, 0, "r", false, {}});
}

// What is cut off leaves nothing behind, not even a wider array, and the file is continued.
TEST_F(H5md, ACutFileIsThatOfTheFramesThatStay) {
  const std::string path = file("a.h5");
  writeFrames(path, {40, 55, 30, 82, 60});
  io::cutH5md(path, 3);
  writeFrames(file("b.h5"), {40, 55, 30});
  expectSameFiles(path, file("b.h5"));
  {
    const auto w = io::createH5md(path, "test 1.0", true);
    w->append(mixture(3, 70, 9), {9, 0, "r", false, {}});
    w->close();
  }
  const std::vector<io::FrameNotes> frames = io::h5mdFrames(path);
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[2].step, 2u);
  EXPECT_EQ(frames[3].step, 9u);
  EXPECT_EQ(io::readConfiguration(path).configuration.positions, mixture(3, 70, 9).positions);
}

TEST_F(H5md, RefusesWhatIsNoH5mdFileWithAWayOut) {
  const std::string path = file("no.h5");
  const auto refused = [&] { return messageOf<InputError>([&] { io::readConfiguration(path); }); };
  expectWords(refused(), {"No such file"});
  std::ofstream(path) << "text\n";
  expectWords(refused(), {"not a readable HDF5 file"});
  expectGood("f = h5py.File('" + path + "', 'w'); f['x'] = 1\nf.close()\n");
  expectWords(refused(), {"no group 'particles'"});
  expectGood("f = h5py.File('" + path + R"(', 'w')
f['particles/all/position/value'] = np.array([[[1., 2, np.nan]]])
f['particles/all/box/edges'] = [5., 5, 5]
)");
  expectWords(refused(), {"no.h5", "particle 0"});
}

// Four particles in a box of 6; each file differs from one that is read in one thing.
constexpr const char* kFiles = R"(
R = np.array([[1, 1, 1], [3, 1, 1], [1, 3, 1], [1, 1, 3]], float)
V = np.array([[0.5, 0, 0], [-0.5, 0, 0], [0, 0.25, 0], [0, -0.25, 0]])
def start(name, positions=True, boundary='periodic'):
    f = h5py.File(folder + '/' + name + '.h5', 'w')
    g = f.create_group('particles/all')
    b = g.create_group('box')
    b.attrs['dimension'] = 3
    b.attrs['boundary'] = np.array([boundary] * 3, dtype='S8')
    b['edges'] = [6., 6, 6]
    p = g.create_group('position')
    if positions: p['value'] = R[None]
    return f, g, p
names = 'parameters/species/name'
f, g, p = start('good'); f.close()
f, g, p = start('fixed'); g['velocity'] = V; f.close()
f, g, p = start('all_fixed', False); del g['position']; g['position'] = R; f.close()
f, g, p = start('packed', False); p.create_dataset('value', data=R[None], compression='gzip'); f.close()
f, g, p = start('linked', False); f['x'] = R[None]; p['value'] = h5py.SoftLink('/x'); f.close()
f, g, p = start('short'); g['velocity/value'] = np.zeros((1, 1, 3)); f.close()
f, g, p = start('three'); g['velocity/value'] = V[None, :3]; f.close()
f, g, p = start('flat'); g['velocity/value'] = V[None, :, :2]; f.close()
f, g, p = start('rows'); g['velocity/value'] = np.zeros((2, 4, 3)); f.close()
f, g, p = start('species'); g['species/value'] = np.zeros((1, 3), 'i4'); f.close()
f, g, p = start('reals'); g['species/value'] = np.array([[0., 2, 0, 1]]); f.close()
f, g, p = start('halves'); g['species/value'] = np.array([[0., 2, 0, 0.5]]); f.close()
f, g, p = start('ids'); g['id/value'] = np.zeros((1, 2), 'i8'); f.close()
f, g, p = start('names'); f[names] = np.full((2, 1000), b'abcdefgh', dtype='S8'); f.close()
f, g, p = start('many'); f[names] = np.array(['n%d' % k for k in range(100000)], dtype='S8'); f.close()
f, g, p = start('masses'); f[names] = np.array([b'A']); f['parameters/species/mass'] = np.ones(9); f.close()
f, g, p = start('unwritten', False); p.create_dataset('value', (1, 10**8, 3), 'f8', chunks=(1, 10**5, 3)); f.close()
f, g, p = start('zeros', False); d = p.create_dataset('value', (1, 10**8, 3), 'f8', chunks=(1, 10**5, 3), compression='gzip'); d[0, :9] = 1; f.close()
f, g, p = start('chunk', False); p.create_dataset('value', (1, 4, 3), 'f8', chunks=(1, 10**8, 3), maxshape=(1, None, 3), compression='gzip'); f.close()
f, g, p = start('group', False); p.create_group('value'); f.close()
f, g, p = start('texts', False); p['value'] = np.full((1, 4, 3), b'1'); f.close()
f, g, p = start('none', boundary='none'); f.close()
f, g, p = start('plane'); g['box'].attrs['dimension'] = 2; f.close()
f, g, p = start('unit'); p['value'].attrs['unit'] = 'nm'; f.close()
f, g, p = start('link', False); p['value'] = h5py.ExternalLink('good.h5', '/particles/all/position/value'); f.close()
f, g, p = start('soft', False); f['x'] = h5py.ExternalLink('good.h5', '/particles/all/position/value'); p['value'] = h5py.SoftLink('/x'); f.close()
R.tofile(folder + '/raw')
f, g, p = start('outside', False); p.create_dataset('value', (1, 4, 3), 'f8', external=[('raw', 0, h5py.h5f.UNLIMITED)]); f.close()
f, g, p = start('virtual', False); l = h5py.VirtualLayout((1, 4, 3), 'f8'); l[:] = h5py.VirtualSource('good.h5', 'particles/all/position/value', (1, 4, 3)); p.create_virtual_dataset('value', l); f.close()
)";

// Type and extent of each dataset, against the others and against what the file holds; memory for
// 10^8 particles is not taken, and nothing is read from other files.
TEST_F(H5md, EveryDatasetIsCheckedBeforeItIsRead) {
  expectGood("folder = '" + folder_.string() + "'" + kFiles);
  for (const char* name : {"good", "fixed", "all_fixed", "packed", "linked"}) {
    const Configuration c = io::readConfiguration(file(std::string(name) + ".h5")).configuration;
    EXPECT_EQ(c.positions, (std::vector<double>{1, 1, 1, 3, 1, 1, 1, 3, 1, 1, 1, 3})) << name;
  }
  EXPECT_EQ(io::readConfiguration(file("reals.h5")).configuration.types,
            (std::vector<std::uint32_t>{0, 2, 0, 1}));
  EXPECT_EQ(io::readConfiguration(file("unit.h5")).notes.at(0).substr(0, 40),
            "Units: particles/all/position in nm; num");
  EXPECT_EQ(io::readConfiguration(file("fixed.h5")).configuration.velocities,
            (std::vector<double>{0.5, 0, 0, -0.5, 0, 0, 0, 0.25, 0, 0, -0.25, 0}));
  const std::string position = "'particles/all/position/value'";
  const std::string velocity = "'particles/all/velocity/value'";
  const std::pair<const char*, std::string> cases[] = {
      {"short", velocity + " has 1 x 1 x 3 values, and 1 x 4 x 3 were expected for 4 particles"},
      {"three", velocity + " has 1 x 3 x 3 values"},
      {"flat", velocity + " has 1 x 4 x 2 values"},
      {"rows", velocity + " has 2 x 4 x 3 values"},
      {"species", "'particles/all/species/value' has 1 x 3 values"},
      {"halves", "particle 3 is of species 0.5; allowed: 0 to "},
      {"ids", "'particles/all/id/value' has 1 x 2 values"},
      {"names", "'parameters/species/name' has 2 x 1000 entries; allowed: a list of at most 256"},
      {"many", "'parameters/species/name' has 100000 entries"},
      {"masses", "'parameters/species/mass' has 9 entries"},
      {"unwritten", position + " declares 1 x 100000000 x 3 values of 8 bytes"},
      {"zeros", position + " declares"},
      {"chunk", position + " declares"},
      {"group", position + " is a group, a dataset was expected"},
      {"texts", position + " is not of numbers"},
      {"none", "the boundary of 'particles/all/box' is 'none'"},
      {"plane", "'particles/all/box' has 2 dimensions"},
      {"link", position + " is a link to another file"},
      {"soft", position + " leads to nothing in this file"},
      {"outside", "the values of " + position + " lie in other files"},
      {"virtual", "the values of " + position + " lie in other files"}};
  for (const auto& [name, cause] : cases) {
    const std::string path = file(std::string(name) + ".h5");
    SCOPED_TRACE(name);
    expectRefusal([&] { io::readConfiguration(path); }, {path, cause});
  }
  EXPECT_TRUE(refuses("run lj_all_pairs --steps 1 --load-configuration " + file("group.h5")));
}

// A file of another program: unwrapped positions, fixed box, one species.
TEST_F(H5md, ReadsFilesOfOtherPrograms) {
  const std::string path = file("other.h5");
  expectGood("f = h5py.File('" + path + R"(', 'w')
f['particles/atoms/position/value'] = np.array([[[0., 0, 0], [1, 2, 3]], [[-1., 0, 6], [1, 2, 3]]])
f['particles/atoms/box/edges'] = [5., 5, 5]
)");
  const Configuration c = io::readConfiguration(path).configuration;
  EXPECT_EQ(c.positions, (std::vector<double>{4, 0, 1, 1, 2, 3}));
  EXPECT_EQ(c.ids, (std::vector<ParticleId>{0, 1}));
  EXPECT_TRUE(c.velocities.empty());
}

TEST_F(H5md, OfARunThatWasKilledHoldsAllItsFramesAndIsLoaded) {
  const std::string path = file("run.h5");
  const std::string run = "argon --backend cpu --threads 1 --set n=256 --overwrite ";
  shell("timeout -s KILL 4 env -u DISPLAY " CELLSCOPE_PROGRAM " run " + run +
        "--steps 100000000 --trajectory-every 5 --trajectory " + path);
  expectGood("f = h5py.File('" + path + R"(', 'r')
s = f['particles/all/position/step'][:]
n = len(f['cellscope/end'])
assert n > 3, n
assert list(s)[:n] == [5 * k for k in range(n)], s
assert f['particles/all/position/value'].shape[0] in (n, n + 1)
last = f['particles/all/velocity/value'][n - 1]
assert abs((last ** 2).sum(axis=1).mean() / 3 - 1) < 1
)");
  EXPECT_TRUE(completes("run " + run + "--steps 10 --load-configuration " + path));
}

// As a kill within a flush may leave it: some arrays have a frame more, without its values.
TEST_F(H5md, AFrameThatWasCutOffDoesNotCount) {
  const std::string path = file("cut_off.h5");
  writeFrames(path, {40, 40, 40});
  const Configuration whole = io::readConfiguration(path).configuration;
  expectGood("f = h5py.File('" + path + R"(', 'r+')
for name in 'position/value', 'id/value', 'box/edges/value', 'position/step':
    d = f['particles/all/' + name]
    d.resize(len(d) + 1, axis=0)
)");
  const Configuration read = io::readConfiguration(path).configuration;
  EXPECT_EQ(read.positions, whole.positions);
  EXPECT_EQ(read.ids, whole.ids);
  EXPECT_EQ(read.box, whole.box);
}

// A kill before the first frame: nothing, a part of the header, or a file without datasets.
TEST_F(H5md, AFileWithoutAFrameIsBegunAnew) {
  const std::string path = file("begun.h5"), state = file("s.checkpoint");
  { const auto w = io::createH5md(path, "test 1.0", false); }
  const std::string begun = io::readFile(path);
  EXPECT_TRUE(io::h5mdFrames(path).empty());
  ASSERT_TRUE(completes("run dilute --set n=64 --steps 5 --quiet --checkpoint " + state));
  const std::string resumed =
      "run --until 20 --backend cpu --threads 1 --quiet --trajectory-every 10 --resume " + state +
      " --trajectory " + path;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{96}, begun.size()}) {
    std::ofstream(path, std::ios::binary) << begun.substr(0, bytes);
    EXPECT_TRUE(completes(resumed)) << bytes << " bytes";
    EXPECT_EQ(io::h5mdFrames(path).size(), 2u);
  }
  std::ofstream(path, std::ios::binary) << std::string(96, 'x');
  EXPECT_TRUE(refuses(resumed)) << "that may be something else";
}

// Another program opens the file without a lock while the run writes it: amid a frame that may
// fail, and then it is tried again, but nothing that is read differs from the whole file.
TEST_F(H5md, CanBeReadWhileItIsWritten) {
  const std::string path = file("live.h5");
  const Result r = python(
      R"(
import signal, subprocess
path = ')" +
      path +
      R"('
run = subprocess.Popen([')" CELLSCOPE_PROGRAM
      R"(', 'run', 'argon', '--set', 'n=256', '--until', '1e9', '--backend',
                        'cpu', '--threads', '1', '--quiet', '--trajectory', path, '--trajectory-every', '50'])
seen, steps = [], set()
while len(steps) < 20:
    assert run.poll() is None, 'the run ended'
    try:
        with h5py.File(path, 'r', locking=False) as f:
            p = f['particles/all']
            k = len(p['position/step']) - 1
            if k < 0: continue
            seen.append((k, [p[x][k] for x in ('position/step', 'position/value', 'velocity/value', 'id/value')]))
            steps.add(k)
    except (OSError, KeyError):
        pass
for _ in range(1000):  # cellscope itself
    if subprocess.run([')" CELLSCOPE_PROGRAM
      R"(', 'convert', path, path + '.xyz', '--overwrite'], capture_output=True).returncode == 0: break
else: sys.exit('convert never read it')
run.send_signal(signal.SIGINT)
run.wait()
with h5py.File(path, 'r') as f:
    p = f['particles/all']
    for k, values in seen:
        for x, v in zip(('position/step', 'position/value', 'velocity/value', 'id/value'), values):
            assert np.array_equal(p[x][k], v), (k, x)
print('right')
)");
  EXPECT_EQ(r.output, "right\n");
}

// The frame that has no room is not begun, the file stays whole, and the library is silent.
TEST_F(H5md, AFullDiskLeavesTheFramesBefore) {
  const std::string path = file("full.h5"), state = file("s.checkpoint");
  const std::string run = "--backend cpu --threads 1 --quiet --trajectory-every 1 --trajectory " +
                          path + " --checkpoint " + state;
  const Result r =
      shell("ulimit -f 800; " CELLSCOPE_PROGRAM " run argon --set n=256 --steps 300 " + run);
  EXPECT_TRUE(ended(r, 1, {"File too large; raise the limit", "was saved in " + state}));
  EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 2) << r.output;
  const std::vector<io::FrameNotes> frames = io::h5mdFrames(path);
  ASSERT_GT(frames.size(), 3u);
  for (std::size_t k = 0; k < frames.size(); ++k) EXPECT_EQ(frames[k].step, k);
  EXPECT_EQ(io::readConfiguration(path).configuration.size(), 256u);
}

// Each way to compute writes the same file in one part and in parts, the first of which ends before
// a frame is due.
class H5mdInParts : public H5md, public testing::WithParamInterface<const char*> {};

TEST_P(H5mdInParts, IsTheFileOfOneRun) {
  const std::string base = "--backend cpu --threads 1 --quiet --trajectory-every 10 ";
  const std::string one = file("one.h5"), parts = file("parts.h5"), state = file("s.checkpoint");
  const std::string start = std::string("run ") + GetParam() + " " + base;
  ASSERT_TRUE(completes(start + "--steps 40 --trajectory " + one));
  const std::string kept = " --trajectory " + parts + " --checkpoint " + state;
  ASSERT_TRUE(completes(start + "--steps 5" + kept));
  for (const char* until : {"27", "40"})
    ASSERT_TRUE(completes("run --resume " + state + " " + base + "--until " + until + kept));
  expectSameFiles(one, parts);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, H5mdInParts,
    testing::Values("dilute --set n=64", "argon --set n=256", "argon --set n=500 method=cells",
                    "argon --set n=500 method=stencils", "argon --set n=500 method=tree",
                    "argon --set n=500 method=clusters",
                    "argon --set n=500 method=placeholder_cells",
                    "gcmc_dilute --set moves_per_step=100 method=serial",
                    "gcmc_dilute --set moves_per_step=100 method=serial_cells",
                    "gcmc_dilute --set moves_per_step=100 method=all_particles",
                    "gcmc_dilute --set moves_per_step=100 method=cells",
                    "gcmc_dilute --set moves_per_step=100 method=microcells",
                    "gcmc_dilute --set moves_per_step=100 method=microcells_many",
                    "gcmc_dilute --set moves_per_step=100 method=speculative",
                    "gcmc_dilute --set moves_per_step=100 method=in_order",
                    "gcmc_dilute --set moves_per_step=100 length=12 method=checkerboard",
                    "gcmc_isotherm"));

}  // namespace
}  // namespace cellscope::test
