"""A sweep by the engines of one machine: Snakemake, GNU parallel, a loop of the shell. Workers are
killed at random, and the engine is started again until all points are done; what is collected has
the bytes of one worker that nobody disturbed, and Snakemake never goes on from an incomplete point.
signac opens the folder.

local_test.py PROGRAM [--points N] [--kills N of each engine]. An engine that is not installed is
left out, with that said.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

from workers import LOOP, SweepFolder, expect_same_tables, wait_for

# What must not see an incomplete point.
AFTER = """
rule after:
    input:
        expand("workspace/{{id}}/result.json", id=IDS),
    output:
        "after.json",
    shell:
        "'{program}' sweep status . --json > {{output}}"
"""
ENGINES = {
    "snakemake": ["snakemake", "all", "after", "--snakefile", "with_after", "--cores", "4", "--keep-going",
                  "--nolock", "--rerun-incomplete"],
    "parallel": ["sh", "-c", "parallel --will-cite -j 4 < jobs.txt"],
    "shell": LOOP,
}


def skipped(name):
    return name != "shell" and not shutil.which(name)


class Killed(SweepFolder):
    """Killed while an engine computes it."""

    def __init__(self, folder, wanted, chance):
        super().__init__(folder)
        self.wanted, self.chance = wanted, chance
        self.kills = {"KILL": 0, "TERM": 0}
        self.starts = 0

    def look(self):
        after = self.folder / "after.json"
        if after.exists() and self.incomplete():  # in this order: points become complete
            raise AssertionError(f"Snakemake went on although {self.incomplete()} are incomplete")
        for process in self.workers().values():
            if sum(self.kills.values()) == self.wanted or process in self.seen:
                continue
            how = self.chance.choice(("KILL", "KILL", "TERM"))
            if self.chance.random() < 0.1 and self.signal(how, process):
                self.seen.add(process)
                self.kills[how] += 1

    def compute(self, command):
        with open(self.folder / "engine.log", "w", encoding="utf-8") as log:
            while True:
                self.starts += 1
                engine = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)

                def ended():
                    self.look()
                    return engine.poll() is not None
                wait_for(ended, "the end of the engine")
                if engine.returncode == 0:
                    break
                if self.starts > self.wanted + 5:  # each of them had a worker that was killed
                    raise AssertionError(f"the engine fails by itself:\n{(self.folder / 'engine.log').read_text()}")
        assert not self.incomplete(), f"it ended with 0, and {self.incomplete()} are incomplete"
        states = json.loads(subprocess.run([OPTIONS.program, "sweep", "status", ".", "--json"], check=True,
                                           cwd=self.folder, capture_output=True, text=True).stdout)
        assert {p["state"] for p in states["points"]} == {"done"}


def check(place):
    seeds = OPTIONS.points // 6
    vary = ["--vary", "packing=0.08..0.18:6", "--vary", f"seed=1..{seeds}", "--until", "20000"]
    names = [n for n in ENGINES if not skipped(n)]
    for name in ("whole", *names):
        subprocess.run([OPTIONS.program, "sweep", "init", name, "four_disks", *vary], cwd=place, check=True,
                       stdout=subprocess.DEVNULL)
    subprocess.run([OPTIONS.program, "sweep", "work", "whole", "--backend", "cpu"], cwd=place, check=True,
                   stdout=subprocess.DEVNULL)
    for number, name in enumerate(names):
        sweep = Killed(place / name, OPTIONS.kills, random.Random(number))
        if name == "snakemake":
            rules = (sweep.folder / "Snakefile").read_text() + AFTER.format(program=OPTIONS.program)
            (sweep.folder / "with_after").write_text(rules)
        sweep.compute([*ENGINES[name], *([OPTIONS.program] if name == "shell" else [])])
        expect_same_tables(OPTIONS.program, sweep.folder, place / "whole")
        print(f"{name}: {len(sweep.ids)} points, kills {sweep.kills}, started {sweep.starts} times, "
              "tables as of one worker", flush=True)
    for name in ENGINES:
        if skipped(name):
            print(f"left out: {name} is not installed")
    signac(place / "whole", seeds)


def signac(folder, seeds):
    if not importlib.util.find_spec("signac"):
        return print("left out: signac is not installed")
    import signac as library
    project = library.get_project(str(folder))
    assert len(project) == OPTIONS.points
    found = list(project.find_jobs({"seed": 1, "packing": {"$lt": 0.11}}))
    assert sorted(round(job.sp.packing, 9) for job in found) == [0.08, 0.1], found
    assert all(job.isfile("result.json") for job in project)
    print(f"signac {library.__version__}: {len(project)} jobs, filtered by seed and packing")


parser = argparse.ArgumentParser()
parser.add_argument("program", type=os.path.realpath)
parser.add_argument("--points", type=int, default=6)
parser.add_argument("--kills", type=int, default=6)
OPTIONS = parser.parse_args()
with tempfile.TemporaryDirectory(prefix="cellscope-engines-", ignore_cleanup_errors=True) as NAME:
    check(pathlib.Path(NAME).resolve())
