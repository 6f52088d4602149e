#!/usr/bin/env python3
"""Neighbour lists of ase, matscipy and vesin, and of numpy alone, through `cellscope check-lists`.

usage: other_codes_test.py PROGRAM. Without numpy, or without any of these codes, it is skipped."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: there is no numpy")
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
CUBE = np.eye(3) * 6
BOXES = {  # cell, pbc, cutoff, particles
    "cubic": (CUBE, (1, 1, 1), 1.6, 150),
    "thin": (np.diag([9.0, 7.0, 1.1]), (1, 1, 1), 1.7, 80),
    "tilted": (np.array([[5.0, 0, 0], [2.1, 5, 0], [-1.7, 2.3, 5]]), (1, 1, 1), 2.0, 100),
    "tiny": (np.array([[1.1, 0, 0], [0.3, 1.2, 0], [0.2, 0.4, 1.3]]), (1, 1, 1), 2.4, 6),
    "slab": (CUBE, (1, 1, 0), 1.6, 120),
    "plane": (np.diag([8.0, 6.0, 1.0]), (1, 1, 0), 1.3, 90),
}


def by_ase(cell, pbc, r, cutoff):
    import ase
    from ase.neighborlist import neighbor_list
    atoms = ase.Atoms(numbers=[1] * len(r), positions=r, cell=cell, pbc=pbc)
    return neighbor_list("ijS", atoms, cutoff)


def by_matscipy(cell, pbc, r, cutoff):
    from matscipy.neighbours import neighbour_list
    return neighbour_list("ijS", positions=r, cell=cell, pbc=np.array(pbc, bool), cutoff=cutoff)


def by_vesin(cell, pbc, r, cutoff):
    import vesin
    return vesin.NeighborList(cutoff=cutoff, full_list=True).compute(
        points=r, box=cell, periodic=np.array(pbc, bool), quantities="ijS")


def by_numpy(cell, pbc, r, cutoff):
    n = [range(-4, 5) if p else (0,) for p in pbc]
    shifts = np.array([(a, b, c) for a in n[0] for b in n[1] for c in n[2]])
    found = []
    for s in shifts:
        d = np.linalg.norm(r[None] - r[:, None] + s @ cell, axis=2)
        if not s.any():
            np.fill_diagonal(d, np.inf)
        i, j = np.nonzero(d < cutoff)
        found.append((i, j, np.broadcast_to(s, (len(i), 3))))
    return [np.concatenate(part) for part in zip(*found)]


def check(path, *options):
    report = path + ".json"
    run = subprocess.run([PROGRAM, "check-lists", path, "--json", report, *options],
                         capture_output=True, text=True)
    if run.returncode == 2:
        sys.exit("refused: " + run.stderr)
    with open(report) as f:
        return run.returncode, json.load(f), run.stdout


def expect(condition, what, text=""):
    if not condition:
        sys.exit(f"wrong: {what}\n{text}")


def save(path, **arrays):
    if path.endswith(".npz"):
        np.savez(path, **arrays)
        return
    import h5py
    with h5py.File(path, "w") as f:
        for key, value in arrays.items():
            f[key] = value


def try_code(name, lists, folder, suffix=".npz"):
    random = np.random.default_rng(7)
    for box, (cell, pbc, cutoff, n) in BOXES.items():
        r = random.random((n, 3)) @ cell
        if box == "plane":
            r[:, 2] = 0
        i, j, S = lists(cell, pbc, r, cutoff)
        what = f"{name}, {box}"
        path = os.path.join(folder, "list" + suffix)
        common = dict(positions=r, cell=cell, pbc=np.array(pbc, bool), cutoff=cutoff)
        save(path, **common, i=i, j=j, S=S, half=False)
        code, report, text = check(path)
        expect(code == 0 and report["right"] and len(i) == report["entries"], what, text)
        save(path, **common, edge_index=np.array([i, j]))
        expect(check(path, "--full")[0] == 0, what + ", edge index")
        # Faults: 0.4 % dropped, one doubled, one moved to another image.
        keep = random.random(len(i)) > 0.004
        keep[3] = False
        save(path, **common, i=i[keep], j=j[keep], S=S[keep], half=False)
        code, report, text = check(path)
        dropped = {tuple(sorted((int(a), int(b)))) for a, b in zip(i[~keep], j[~keep])}
        told = {tuple(sorted((w["i"], w["j"]))) for w in report["wrong"]}
        expect(code == 1 and told == dropped, what + ", dropped", text)
        twice = np.concatenate([np.arange(len(i)), [5]])
        save(path, **common, i=i[twice], j=j[twice], S=S[twice], half=False)
        code, report, text = check(path)
        expect(code == 1 and report["counts"]["twice"] == 1, what + ", twice", text)
        S2 = np.array(S)
        S2[5, 0] += 9
        save(path, **common, i=i, j=j, S=S2, half=False)
        code, report, text = check(path)
        expect(code == 1 and report["counts"]["wrong image"] == 1 and len(report["wrong"]) == 1,
               what + ", image", text)
    print(f"{name}: right and damaged lists are told apart in {len(BOXES)} boxes ({suffix})")


def try_readme(folder):
    """The lines of README that write a list."""
    readme = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")
    with open(readme, encoding="utf-8") as f:
        lines = f.read().splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("    import numpy as np"))
    script = "\n".join(line[4:] for line in lines[first:lines.index("", first)])
    r = np.random.default_rng(7).random((150, 3)) @ CUBE
    i, j, S = by_numpy(CUBE, (1, 1, 1), r, 2.5)
    os.chdir(folder)
    exec(script, {"r": r, "cell": CUBE, "i": i, "j": j, "S": S})
    expect(check("list.npz")[0] == 0, "README")
    os.chdir("/")


def main():
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        try_readme(folder)
        for name, lists in (("numpy", by_numpy), ("ase", by_ase), ("matscipy", by_matscipy),
                            ("vesin", by_vesin)):
            try:
                lists(CUBE, (1, 1, 1), np.zeros((1, 3)), 1.0)
            except ImportError:
                missing.append(name)
                continue
            try_code(name, lists, folder)
        try:
            import h5py  # noqa: F401
        except ImportError:
            missing.append("h5py")
        else:
            try_code("h5py", by_numpy, folder, ".h5")
    if missing:
        print("not installed, not tried: " + ", ".join(missing))
    if len(missing) >= 3:
        sys.exit(77)


main()
