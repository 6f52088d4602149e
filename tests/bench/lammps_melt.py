#!/usr/bin/env python3
"""Molecular dynamics on the CPU beside LAMMPS, in turn on the same machine:

    tests/bench/lammps_melt.py build-start/bin/cellscope

runs the melt of LAMMPS' own benchmark (bench/in.lj: 32,000 particles from a crystal at density
0.8442 and T = 1.44, cutoff 2.5, dt 0.005) with two MPI processes and with two threads, and prints
the seconds of each run and the ratio of the medians. LAMMPS builds its lists every 20 steps without
a check, as its benchmark does; cellscope whenever some particle has moved half the buffer. Needs the
Debian packages lammps and openmpi-bin; without them it says so and ends with 0. Exit code 1: slower
than LAMMPS.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run {steps}
"""
UNITS = {"ms": 1e-3, "s": 1.0, "min": 60.0}


def output(command, folder, **environment):
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}")
    return done.stdout


def lammps(cores, steps, folder):
    """Seconds of its loop over the steps."""
    (folder / "in.melt").write_text(MELT.format(steps=steps))
    said = output(["mpirun", "-np", str(cores), "--allow-run-as-root", "--oversubscribe", "lmp",
                   "-in", "in.melt", "-log", "none"], folder, OMP_NUM_THREADS="1")
    found = re.search(rf"Loop time of (\S+) on {cores} procs for {steps} steps with 32000 atoms", said)
    if not found:
        sys.exit(f"LAMMPS did not run on {cores} processes:\n{said[-2000:]}")
    return float(found.group(1))


def cellscope(program, cores, steps, buffer, folder):
    """Seconds of its steps, without a sample among them."""
    values = ["n=32000", "density=0.8442", "temperature=1.44", "potential=truncated", "cutoff=2.5",
              "dt=0.005", "method=cells", f"buffer={buffer}"]
    said = output([program, "run", "lj_all_pairs", "--backend", "cpu", "--threads", str(cores),
                   "--steps", str(steps), "--sample-every", str(10 * steps), "--set", *values], folder)
    found = re.search(rf"^{steps} steps in ([\d.]+) (ms|s|min)\b", said, re.MULTILINE)
    if not found:
        sys.exit(f"no time in what cellscope printed:\n{said[-2000:]}")
    return float(found.group(1)) * UNITS[found.group(2)]


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().split("\n"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="cellscope")
    parser.add_argument("--steps", type=int, default=400, help="of a run (default: 400)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, in turn (default: 3)")
    parser.add_argument("--cores", type=int, default=2, help="processes and threads (default: 2)")
    asked = parser.parse_args()
    if not shutil.which("lmp") or not shutil.which("mpirun"):
        print("skipped: LAMMPS is not installed (apt-get install lammps openmpi-bin)")
        return 0
    program = asked.program.resolve()
    rows = {"LAMMPS, buffer 0.3": [], "cellscope, buffer 0.3": [], "cellscope, buffer 0.4": []}
    with tempfile.TemporaryDirectory(prefix="lammps-melt-") as name:
        folder = pathlib.Path(name)
        for _ in range(asked.rounds):
            rows["LAMMPS, buffer 0.3"].append(lammps(asked.cores, asked.steps, folder))
            for buffer in (0.3, 0.4):
                rows[f"cellscope, buffer {buffer}"].append(
                    cellscope(program, asked.cores, asked.steps, buffer, folder))
    load = os.getloadavg()[0]
    print(f"{processor()}, {asked.cores} processes or threads, {asked.steps} steps, load {load:.1f}\n")
    print("| 32,000 particles | seconds | steps/s | times LAMMPS |\n| --- | --- | --- | --- |")
    base = statistics.median(rows["LAMMPS, buffer 0.3"])
    best = 0
    for name, seconds in rows.items():
        median = statistics.median(seconds)
        print(f"| {name} | {', '.join(f'{s:.2f}' for s in seconds)} | {asked.steps / median:.0f} | "
              f"{base / median:.2f} |")
        if name.startswith("cellscope"):
            best = max(best, base / median)
    return 0 if best >= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
