// Binary file formats of others, as their own programs write them; files of particles that the
// program writes: read again, and by the programs of others.
#include "tests/support/formats.h"
#include "tests/support/message_of.h"
#include "tests/support/mixture.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

// As gsd 5 writes it: schema 2.0. The version stands at byte 40.
TEST_F(Formats, GsdOfSchemaTwoIsRead) {
  put("a.xyz", "1\nLattice=\"6 0 0 0 5 0 0 0 4\" Properties=species:S:1:pos:R:3\nX 1 1 1\n");
  ASSERT_TRUE(completes("convert " + file("a.xyz") + " " + file("a.gsd")));
  const std::string whole = io::readFile(file("a.gsd"));
  for (const char major : {'\1', '\2', '\3'}) {
    std::string text = whole;
    text[40] = 0, text[41] = 0, text[42] = major, text[43] = 0;
    put("b.gsd", text);
    const Result r = cellscope("convert " + file("b.gsd") + " " + file("b.xyz") + " --overwrite");
    EXPECT_EQ(r.code, major == '\3' ? 2 : 0) << r.output;
    EXPECT_EQ(has(r, "'hoomd' 3.0; allowed: 'hoomd' 1.x and 2.x"), major == '\3') << r.output;
  }
}

TEST_F(Formats, GsdOfHoomdIsRead) {
  if (!hasPython("gsd.hoomd")) GTEST_SKIP() << "python3-gsd is not installed";
  python("gsd.hoomd", R"(
Frame = getattr(gsd.hoomd, 'Frame', None) or gsd.hoomd.Snapshot
def write(name, *changes):
    f = gsd.hoomd.open(folder + name, 'wb')
    for change in changes:
        s = Frame()
        s.particles.N = 2
        s.particles.position = [[-1, -1, -1], [0, 0, 0]]
        s.configuration.box = [4, 4, 4, 0, 0, 0]
        s.configuration.step = 7
        change(s)
        f.append(s)
    f.close()
def moving(s): s.particles.velocity = [[1, 2, 3], [4, 5, 6]]
def mixed(s): s.particles.types, s.particles.typeid = ['Ar', 'Kr'], [1, 0]
def plane(s): s.configuration.dimensions, s.particles.position = 2, [[-1, -1, 0], [0, 0, 0]]
def thin(s): s.configuration.box, s.particles.position = [4, 4, 0, 0, 0, 0], [[-1, -1, 0], [0, 0, 0]]
def tilted(s): s.configuration.box = [4, 4, 4, 0.5, 0, 0]
def charged(s): s.particles.charge = [1, -1]
def sized(s): s.particles.diameter, s.particles.mass = [2, 2], [3, 3]
write('default', lambda s: None)
write('moving', lambda s: None, moving)
write('mixed', mixed)
write('plane', plane)
write('thin', thin)
write('tilted', tilted)
write('charged', charged)
write('sized', sized)
)");
  const std::pair<const char*, std::string> cases[] = {
      {"default", "3D 4 4 4 | 0 A 1 1 1 | 1 A 2 2 2"},
      {"moving", "| 0 A 1 1 1 v 1 2 3 | 1 A 2 2 2 v 4 5 6"},
      {"mixed", "| 0 Kr 1 1 1 | 1 Ar 2 2 2"},
      {"plane", "2D 4 4 | 0 A 1 1 0 | 1 A 2 2 0"},
      {"thin", "2D 4 4 | 0 A 1 1 0 | 1 A 2 2 0"},
      {"charged", "# Not used: particles/charge."},
      {"sized", "3D 4 4 4 | 0 A 1 1 1 | 1 A 2 2 2"}};
  for (const auto& [name, expected] : cases)
    EXPECT_THAT(textOf(io::readConfiguration(file(name))), HasSubstr(expected)) << name;
  expectRefusal([&] { io::readConfiguration(file("tilted")); },
                {"tilted': the box is tilted: its vector b has x = 2"});
  const io::LoadedFrame sized = io::readConfiguration(file("sized"));
  EXPECT_EQ(sized.configuration.species[0], (Species{"A", 2, 3}));
  EXPECT_EQ(sized.step, 7u);
}

TEST_F(Formats, NumpyArchivesAreRead) {
  if (!hasPython("numpy")) GTEST_SKIP() << "python3-numpy is not installed";
  python("numpy", R"(
r = np.array([[1., 1, 1], [2, 2, 2]])
c = 4 * np.eye(3)
np.savez(folder + 'usual', positions=r, cell=c, pbc=[True] * 3)
np.savez_compressed(folder + 'packed', pos=r.astype('f4'), box=[4., 4, 4], vel=r[::-1])
np.savez(folder + 'fortran', positions=np.asfortranarray(r), cell=c)
np.savez(folder + 'names', positions=r, cell=c, species=np.array(['Ar', 'Kr']), ids=[5, 3])
np.savez(folder + 'numbers', R=r, cell=c, numbers=[18, 36], masses=[1., 2.], forces=r)
np.savez(folder + 'plane', positions=r[:, :2], box=[4., 4.])
np.savez(folder + 'sixth', positions=r, box=[4., 4, 4, 0, 0, 0])
np.savez(folder + 'tilted', positions=r, box=[4., 4, 4, 0.25, 0, 0])
np.savez(folder + 'open', positions=r, cell=c, pbc=[True, False, True])
np.savez(folder + 'none', cell=c)
np.savez(folder + 'short', positions=r, cell=c, velocities=r[:1])
np.savez(folder + 'shape', positions=np.zeros((2, 4)), cell=c)
np.savez(folder + 'complex', positions=r + 1j, cell=c)
np.savez(folder + 'objects', positions=np.array([r, None], dtype=object), cell=c)
np.savez(folder + 'boxless', positions=r)
)");
  const std::string read2 = "3D 4 4 4 | 0 X 1 1 1 | 1 X 2 2 2";
  const std::pair<const char*, std::string> cases[] = {
      {"usual", read2},
      {"packed", "3D 4 4 4 | 0 X 1 1 1 v 2 2 2 | 1 X 2 2 2 v 1 1 1"},
      {"fortran", read2},
      {"names", "| 5 Ar 1 1 1 | 3 Kr 2 2 2"},
      {"numbers", "| 0 Ar 1 1 1 | 1 Kr 2 2 2 # Not used: forces."},
      {"plane", "2D 4 4 | 0 X 1 1 0 | 1 X 2 2 0"},
      {"sixth", read2},
      {"tilted", "the box is tilted: its vector b has x = 1"},
      {"open", "not periodic along all axes (T F T)"},
      {"none", "there is no array 'positions'"},
      {"short", "3 values of the velocity for 2 particles; allowed: 6"},
      {"shape", "'positions' has the shape (2, 4); allowed: (N, 3)"},
      {"complex", "'positions' is of type '<c16'"},
      {"objects", "'positions' is of type '|O'"},
      {"boxless", "give its sides with --box"}};
  for (const auto& [name, expected] : cases) {
    EXPECT_THAT(readOrRefusal(file(std::string(name) + ".npz")), HasSubstr(expected)) << name;
  }
}

// Elements of H5MD with steps of their own, and what is not read.
TEST_F(Formats, ElementsOfH5mdAreFoundByTheirSteps) {
  if (!hasPython("h5py")) GTEST_SKIP() << "python3-h5py is not installed";
  python("h5py", R"(
def start(name):
    f = h5py.File(folder + name, 'w')
    g = f.create_group('particles/all')
    g['box/edges'] = [4., 4, 4]
    g['position/value'] = [[[1., 1, 1]], [[2, 2, 2]], [[3, 3, 3]]]
    g['position/step'] = [0, 10, 20]
    g['position/time'] = [0, 0.5, 1]
    return f, g
f, g = start('rare'); g['velocity/value'] = [[[1., 0, 0]], [[2, 0, 0]]]; g['velocity/step'] = [0, 20]; f.close()
f, g = start('late'); g['velocity/value'] = [[[1., 0, 0]], [[2, 0, 0]]]; g['velocity/step'] = [0, 10]; f.close()
f, g = start('steady'); g['velocity/value'] = [[[1., 0, 0]], [[2, 0, 0]]]; g['velocity/step'] = 20; f.close()
f, g = start('force'); g['force/value'] = np.zeros((3, 1, 3)); g['image'] = np.zeros((1, 3), int); f.close()
f, g = start('momenta'); g['momentum/value'] = np.full((3, 1, 3), 6.); g['momentum/step'] = [0, 10, 20]; g['mass'] = [3.]; f.close()
f, g = start('mass'); g['mass'] = [3.]; f.close()
f, g = start('steps'); del g['position/step']; g['position/step'] = [0, 10]; f.close()
f, g = start('box'); del g['box/edges']; g['box/edges/value'] = np.full((3, 3), 4.); g['box/edges/step'] = [0, 10, 15]; f.close()
)");
  const std::pair<const char*, std::string> cases[] = {
      {"rare", "| 0 X 3 3 3 v 2 0 0"},
      {"late", "'particles/all/velocity/value' has no frame of step 20."},
      {"steady", "| 0 X 3 3 3 v 2 0 0"},
      {"force", "# Not used: particles/all/force, particles/all/image."},
      {"momenta", "| 0 X 3 3 3 v 2 2 2 # Velocities are momenta divided by the masses."},
      {"steps", "'particles/all/position/step' has 2 values, and 3 were expected"},
      {"box", "'particles/all/box/edges/value' has no frame of step 20"}};
  for (const auto& [name, expected] : cases)
    EXPECT_THAT(readOrRefusal(file(name)), HasSubstr(expected)) << name;
  const io::LoadedFrame mass = io::readConfiguration(file("mass"));
  EXPECT_EQ(mass.configuration.species[0].mass, 3);
  EXPECT_EQ(mass.step, 20u);
  EXPECT_EQ(mass.time, 1);
}

// Positions to what a format can hold: GSD has 24 bits, PDB three digits.
struct RoundTrip {
  const char* suffix;
  double position, velocity;  // largest differences; below 0: the format has no velocities
  bool ids, sizes;
};

TEST_F(Formats, WhatIsWrittenIsReadAgain) {
  const RoundTrip cases[] = {
      {".xyz", 0, 0, true, true},          {".xyz.gz", 0, 0, true, true},
      {".h5", 0, 0, true, true},           {".gsd", 50 * 0x1p-24, 0x1p-25, true, true},
      {".dump", 0, 0, true, true},         {".data", 0, 0, true, false},
      {".pdb", 5.01e-4, -1, false, false}, {".npz", 0, 0, true, true}};
  for (const RoundTrip& t : cases)
    for (const int dimension : {2, 3}) {
      const Configuration c = mixture(dimension, 40, 7);
      const std::string path = file(std::string("a") + t.suffix);
      const io::Format& format = io::formatToWrite(path);
      const auto sink = format.create(path, "test 1.0", false);
      if (format.manyFrames) sink->append(mixture(dimension, 7, 3), {1, 0.5, "", false, {}});
      sink->append(c, {10, 1.5, "", false, {}});
      sink->close();
      const std::string box = t.sizes || dimension == 3 ? "" : "30 40";  // data has no plane
      std::vector<io::LoadedFrame> frames;
      io::readFrames(path, box, [&](io::LoadedFrame f) { frames.push_back(std::move(f)); });
      ASSERT_EQ(frames.size(), format.manyFrames ? 2u : 1u) << path;
      EXPECT_EQ(io::readConfiguration(path, box).configuration.positions,
                frames.back().configuration.positions);
      const Configuration d = frames.back().configuration;
      ASSERT_EQ(d.size(), c.size()) << path;
      EXPECT_EQ(d.box.dimension, dimension) << path;
      for (std::size_t i = 0; i < c.size(); ++i) {
        std::size_t j = i;
        if (t.ids) j = static_cast<std::size_t>(std::ranges::find(d.ids, c.ids[i]) - d.ids.begin());
        ASSERT_LT(j, d.size()) << path;
        for (std::size_t a = 0; a < 3; ++a) {
          const double apart = std::abs(d.positions[3 * j + a] - c.positions[3 * i + a]);
          EXPECT_LE(std::min(apart, c.box.length[a] - apart), t.position) << path;
          if (t.velocity >= 0) {
            EXPECT_NEAR(d.velocities[3 * j + a], c.velocities[3 * i + a], t.velocity) << path;
          }
        }
        if (t.sizes) {
          EXPECT_EQ(d.speciesOf(j), c.speciesOf(i)) << path;
        }
      }
    }
}

TEST_F(Formats, NamesOfNoFormatAreRefused) {
  for (const char* name : {"t.gz", "t.foo", "t", "t.xyz.bak"})
    EXPECT_THAT(messageOf<InputError>([&] { io::formatToWrite(name); }),
                HasSubstr("allowed: .xyz,"))
        << name;
  EXPECT_STREQ(io::formatToWrite("t.hdf5").key, "h5md");
  EXPECT_STREQ(io::formatToWrite("t.foo", "gsd").key, "gsd");
  EXPECT_STREQ(io::formatToWrite("/dev/null").key, "xyz");
  expectRefusal([&] { io::formatToWrite("t.xyz", "foo"); },
                {"allowed: xyz, xyz.gz, h5md, gsd, dump, data, pdb, npz"});
  EXPECT_TRUE(refuses("run four_disks --steps 1 --backend cpu --trajectory " + file("t.foo")));
  EXPECT_FALSE(fs::exists(file("t.foo")));
}

// What the programs of others make of trajectories of a mixture.
TEST_F(Formats, ClientsReadMixtures) {
  ASSERT_TRUE(
      completes("run glass_mixture --backend cpu --set n=100 --steps 4 --trajectory-every 2 "
                "--quiet --trajectory " +
                file("m.h5")));
  for (const char* name : {"m.xyz", "m.gsd", "m.dump"})
    ASSERT_TRUE(completes("convert --all --quiet " + file("m.h5") + " " + file(name)));
  if (!hasPython("ase, gsd.hoomd, h5py, MDAnalysis"))
    GTEST_SKIP() << "python3-ase, -gsd, -h5py or -mdanalysis is not installed";
  python("ase.io, gsd.hoomd, h5py, MDAnalysis", R"(
p = h5py.File(folder + 'm.h5', 'r')['particles/all']
steps = list(p['position/step'])
assert steps == [0, 2, 4], steps
x, v, ids, kind = [p[k + '/value'] for k in ('position', 'velocity', 'id', 'species')]
L = p['box/edges/value'][2].diagonal()
order = np.argsort(ids[2])
a = ase.io.read(folder + 'm.xyz', index=':')
assert [f.info['Step'] for f in a] == steps
assert (a[2].positions == x[2]).all() and (a[2].arrays['velo'] == v[2]).all()
assert [t == 'B' for t in a[2].arrays['type']] == list(kind[2] == 1)
g = gsd.hoomd.open(folder + 'm.gsd', 'rb')
assert [f.configuration.step for f in g] == steps
assert g[2].particles.types == ['A', 'B'] and (g[2].particles.typeid == kind[2][order]).all()
assert np.allclose(g[2].particles.position + L / 2, x[2][order], atol=1e-6)
assert np.allclose(g[2].particles.velocity, v[2][order], atol=1e-6)
assert (abs(g[2].particles.position) <= L.astype('f4') / 2).all()
d = ase.io.read(folder + 'm.dump', index=':', format='lammps-dump-text', order=False)
assert np.allclose(d[2].positions, x[2]) and len(d) == 3
u = MDAnalysis.Universe(folder + 'm.gsd')
assert u.atoms.n_atoms == 100 and len(u.trajectory) == 3
)");
}

TEST_F(Formats, ConvertNamesWhatItCannotDo) {
  put("a.xyz",
      "1\nLattice=\"4 0 0 0 4 0 0 0 4\"\nX 1 1 5\n1\nLattice=\"4 0 0 0 4 0 0 0 4\"\nX 2 2 2\n");
  put("plain.xyz", "1\n\nX 1 1 1\n");
  const auto convert = [&](const std::string& arguments) {
    return shell("cd " + folder_.string() + " && " CELLSCOPE_PROGRAM " convert " + arguments);
  };
  const std::tuple<const char*, int, const char*> cases[] = {
      {"a.xyz a.gsd", 0, "a.xyz (extended XYZ) -> a.gsd (GSD): 1 frame, 1 particles"},
      {"--all a.xyz b.gsd", 0, "2 frames"},
      {"a.xyz a.pdb", 0, "a.pdb: PDB has no place for velocities, masses, diameters, ids,"},
      {"a.xyz a.data", 0, "a.data: LAMMPS data has no place for diameters"},
      {"--all a.xyz b.h5", 0, "1 of 1 particles were outside the box"},
      {"--all a.xyz b.npz", 2, "the format npz holds one frame, and 'a.xyz' has several"},
      {"a.xyz a.xyz", 2, "OUT would overwrite 'a.xyz'"},
      {"a.xyz a.foo", 2, "the suffix '.foo' names no format"},
      {"a.xyz a.foo --format gsd", 0, "(GSD)"},
      {"plain.xyz c.gsd", 2, "plain.xyz:2: the file has no box"},
      {"plain.xyz c.gsd --box 4", 0, "(GSD)"},
      {"none.xyz c.gsd", 2, "none.xyz"},
      {"a.xyz no/c.gsd", 2, "no/c.gsd"}};
  for (const auto& [arguments, code, expected] : cases) {
    EXPECT_TRUE(ended(convert(arguments), code, {expected})) << arguments;
  }
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".new-")) << entry.path();
}

// ASE knows nothing of this program: it must find the plane, positions, ids and radii of disks.
TEST_F(Formats, AnIndependentReaderOpensTheTrajectory) {
  if (!hasPython("ase")) GTEST_SKIP() << "python3-ase is not installed";
  ASSERT_TRUE(
      completes("run dilute --set n=16 --set packing=0.2 --backend cpu --steps 20 "
                "--trajectory-every 10 --trajectory " +
                file("ase.xyz")));
  python("ase.io", R"(
frames = ase.io.read(folder + 'ase.xyz', index=':')
a = frames[-1]
L = a.cell.lengths()
d = a.get_all_distances(mic=True) + 10 * np.eye(len(a))
assert len(a) == 16 and (a.arrays['radius'] == 0.5).all()
assert sorted(a.arrays['id']) == list(range(16))
assert [f.info['Step'] for f in frames] == [0, 10, 20], [f.info for f in frames]
assert abs(16 * np.pi / 4 / (L[0] * L[1]) - 0.2) < 1e-6, L
assert list(a.pbc) == [True, True, False]
assert (a.positions[:, :2] >= 0).all() and (a.positions[:, :2] < L[:2]).all()
assert (a.positions[:, 2] == 0).all()
assert d.min() >= 1, d.min()
)");
}

}  // namespace
}  // namespace cellscope::test
