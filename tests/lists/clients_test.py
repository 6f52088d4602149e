#!/usr/bin/env python3
"""Files of `cellscope` through the programs that read and write them, and back: positions and
velocities are equal, to the precision of the format.

usage: clients_test.py PROGRAM. A client that is not installed is named and not tried."""
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: there is no numpy")
    sys.exit(77)

PROGRAM = sys.argv[1]
# Doubles are written so that they are read back; GSD and MDAnalysis have floats.
EXACT, SINGLE = 0.0, 2.0 ** -23
RUNS = {
    "space": ["glass_mixture", "--set", "n=300"],  # species A and B, velocities
    "plane": ["dilute", "--set", "n=64"],          # 2D
    "boxes": ["argon", "--set", "n=500", "aspect_y=1.25", "aspect_z=0.8"],  # three sides
}


def cellscope(*arguments):
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{arguments}: {run.stderr}")


def parsed(path):
    """The last frame of an extended XYZ file of cellscope, by its columns: sorted by id."""
    lines = open(path).read().splitlines()
    start = 0
    while start + int(lines[start]) + 2 < len(lines):
        start += int(lines[start]) + 2
    n, comment = int(lines[start]), lines[start + 1]
    columns, at = {}, 0
    fields = comment.split("Properties=")[1].split()[0].split(":")
    for name, _, width in zip(fields[::3], fields[1::3], map(int, fields[2::3])):
        columns[name] = slice(at, at + width)
        at += width
    rows = [line.split() for line in lines[start + 2:start + 2 + n]]
    cell = [float(v) for v in comment.split('Lattice="')[1].split('"')[0].split()]
    take = lambda name: np.array([[float(v) for v in row[columns[name]]] for row in rows])
    order = np.argsort(take("id")[:, 0])
    frame = {"pos": take("pos")[order], "cell": np.array(cell)[[0, 4, 8]]}
    if "velo" in columns:
        frame["velo"] = take("velo")[order]
    return frame


def equal(frame, pos, velo, precision, what):
    pos = np.asarray(pos, float)
    if not frame["pos"][:, 2].any():
        pos = pos[:, :2]  # a plane, at any height
    flat = frame["pos"][:, :pos.shape[1]]
    most = precision * frame["cell"].max()
    off = abs(pos - flat).max()
    if not (pos.shape == flat.shape and off <= most):
        sys.exit(f"wrong: {what}: positions differ by {off}")
    if velo is None or "velo" not in frame:
        return
    velo = np.asarray(velo, float)
    most = precision * abs(frame["velo"]).max()
    off = abs(velo - frame["velo"][:, :velo.shape[1]]).max()
    if not off <= most:
        sys.exit(f"wrong: {what}: velocities differ by {off} of {most}")


def by_ase(path, back):
    import ase.io
    atoms = ase.io.read(path, index=-1, **({"format": "lammps-dump-text"} if path.endswith(".dump") else {}))
    # ASE's own velocities are momenta over masses of elements; the column keeps its name.
    velo = atoms.arrays.get("velo")
    if back:
        ase.io.write(back, atoms, format="extxyz")
    order = np.argsort(atoms.arrays["id"]) if "id" in atoms.arrays else slice(None)
    return atoms.positions[order], None if velo is None else velo[order], EXACT


def by_extxyz(path, back):
    import extxyz
    frame = list(extxyz.iread_dicts(path))[-1]
    if back:
        extxyz.write_dicts(back, [frame])
    order, velo = np.argsort(frame.arrays["id"]), frame.arrays.get("velo")
    return frame.arrays["pos"][order], None if velo is None else velo[order], EXACT


def by_ovito(path, back):
    from ovito.io import export_file, import_file
    pipeline = import_file(path, **({} if path.endswith((".gsd", ".data")) else {"multiple_frames": True}))
    data = pipeline.compute(pipeline.source.num_frames - 1)
    particles = data.particles
    order = np.argsort(particles["Particle Identifier"][...]) if "Particle Identifier" in particles else slice(None)
    velo = particles["Velocity"][...][order] if "Velocity" in particles else None
    if back:
        columns = ["Particle Identifier", "Particle Type", "Position.X", "Position.Y", "Position.Z"]
        columns += ["Velocity.X", "Velocity.Y", "Velocity.Z"] if velo is not None else []
        export_file(data, back, "xyz", columns=columns, precision=17)
    # Its own reader of numbers rounds the last bit otherwise.
    place = particles.positions[...][order] - data.cell[:, 3]  # from the corner of its cell
    return place, velo, 2 * SINGLE if path.endswith(".gsd") else 2.0 ** -51


def by_h5py(path, back):
    import h5py
    if back:
        shutil.copy(path, back)
    with h5py.File(back or path, "r+" if back else "r") as f:
        p = f["particles/all"]
        if back:  # another order of the particles
            for name in ("position", "velocity", "id", "species"):
                if name in p:
                    p[name]["value"][-1] = p[name]["value"][-1][::-1]
        order = np.argsort(p["id/value"][-1])
        velo = p["velocity/value"][-1][order] if "velocity" in p else None
        return p["position/value"][-1][order], velo, EXACT


def by_mdanalysis(path, back):
    import MDAnalysis
    if path.endswith(".h5"):
        import h5py
        with h5py.File(path) as f:
            n, order = f["particles/all/id/value"].shape[1], np.argsort(f["particles/all/id/value"][-1])
        u = MDAnalysis.Universe.empty(n, trajectory=True)
        u.load_new(path, format="H5MD", convert_units=False)
    else:
        u, order = MDAnalysis.Universe(path), slice(None)
    u.trajectory[-1]
    if back:
        u.atoms.write(back)
    # Of GSD the middle of the box is the origin.
    middle = u.dimensions[:3] / 2 if path.endswith(".gsd") else 0
    velo = u.atoms.velocities[order] if path.endswith(".h5") and u.trajectory.ts.has_velocities else None
    return u.atoms.positions[order] + middle, velo, 2 * SINGLE


def by_gsd(path, back):
    import gsd.hoomd
    with gsd.hoomd.open(path) as f:
        frame = f[len(f) - 1]
    if back:
        mode = "w" if hasattr(gsd.hoomd, "Frame") and not hasattr(gsd.hoomd, "Snapshot") else "wb"
        with gsd.hoomd.open(back, mode) as f:  # named otherwise before gsd 3
            f.append(frame)
    flat = frame.configuration.dimensions == 2
    box = np.array(frame.configuration.box[:3]) * [1, 1, 0 if flat else 1]
    return frame.particles.position + box / 2, frame.particles.velocity, 2 * SINGLE


def by_freud(path, back):
    """Its neighbour list of a frame is checked as a list of any program."""
    import freud
    import gsd.hoomd
    with gsd.hoomd.open(path) as f:
        frame = f[len(f) - 1]
    box = freud.box.Box.from_box(frame.configuration.box)
    r, cutoff = frame.particles.position, 1.6
    pairs = freud.locality.AABBQuery(box, r).query(r, {"r_max": cutoff, "exclude_ii": True}).toNeighborList()
    flat = box.is2D
    np.savez(path + ".npz", positions=r[:, :2] if flat else r, cell=np.array([box.Lx, box.Ly, box.Lz][:2 if flat else 3]),
             cutoff=cutoff, pairs=pairs[:], half=False)
    cellscope("check-lists", path + ".npz")
    return r + np.array(frame.configuration.box[:3]) / 2 * [1, 1, 0 if flat else 1], None, 2 * SINGLE


EIGHT = 1e-8  # digits behind the point
CLIENTS = (  # and what each writes back, with its precision
    ("ase", by_ase, ("xyz", "xyz.gz", "dump", "pdb"), "xyz", EIGHT),
    ("extxyz", by_extxyz, ("xyz",), "xyz", EIGHT),
    ("ovito", by_ovito, ("xyz", "gsd", "dump", "data"), "xyz", 1e-15),
    ("h5py", by_h5py, ("h5",), "h5", EXACT), ("MDAnalysis", by_mdanalysis, ("h5", "gsd"), None, 0),
    ("gsd", by_gsd, ("gsd",), "gsd", 2 * SINGLE), ("freud", by_freud, ("gsd",), None, 0))


def try_client(name, reads, formats, writes, kept, folder):
    done = []
    for run in RUNS:
        source = os.path.join(folder, run)
        frame = parsed(source + ".xyz")
        for suffix in formats:
            if (name, run, suffix) == ("MDAnalysis", "plane", "h5"):
                continue  # it takes H5MD in three dimensions only
            path, what = f"{source}.{suffix}", f"{name}, {run}.{suffix}"
            back = f"{source}.{name}.{writes}" if writes and suffix == formats[0] else None
            pos, velo, precision = reads(path, back)
            equal(frame, pos, velo, 1e-3 if suffix == "pdb" else precision, what)
            done.append(f"{run}.{suffix}")
            if back:
                cellscope("convert", back, back + ".again.xyz", "--overwrite")
                again = parsed(back + ".again.xyz")
                equal(frame, again["pos"], again.get("velo"), kept, what + ", written back")
    print(f"{name}: {', '.join(done)}" + (f"; written back as {writes}" if writes else ""))


def main():
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        for run, scenario in RUNS.items():
            path = os.path.join(folder, run)
            cellscope("run", *scenario, "--steps", "4", "--backend", "cpu", "--threads", "1", "--quiet",
                      "--trajectory", path + ".xyz", "--trajectory-every", "2")
            for suffix in ("xyz.gz", "h5", "gsd", "dump", "pdb"):
                cellscope("convert", path + ".xyz", f"{path}.{suffix}", "--all")
            cellscope("convert", path + ".xyz", path + ".data")
        for name, reads, formats, writes, kept in CLIENTS:
            try:
                __import__(name)
            except ImportError:
                missing.append(name)
                continue
            try_client(name, reads, formats, writes, kept, folder)
    if missing:
        print("not installed, not tried: " + ", ".join(missing))
    if len(missing) == len(CLIENTS):
        sys.exit(77)


main()
