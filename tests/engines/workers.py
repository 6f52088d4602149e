"""What the tests of engines share: a sweep in a folder, its workers, and kills of them."""
import filecmp
import os
import pathlib
import signal
import subprocess
import time

SECONDS = 900  # ends only what hangs
LOOP = ["sh", "-c", 'for id in $(cat ids.txt); do "$0" sweep work . "$id" --threads 1 || exit; done']


def expect_same_tables(program, folder, other):
    """What is collected has the same bytes."""
    for name in ("table.csv", "table.jsonl"):
        for place in (folder, other):
            subprocess.run([program, "sweep", "collect", ".", "--output", name], cwd=place, check=True)
        assert filecmp.cmp(folder / name, other / name, shallow=False), (folder, name)


def wait_for(condition, what):
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {SECONDS} s")
        time.sleep(0.02)


class SweepFolder:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.ids = (self.folder / "ids.txt").read_text().split()
        self.seen = set()  # processes that were killed

    def incomplete(self):
        return [i for i in self.ids if not (self.folder / "workspace" / i / "result.json").exists()]

    def workers(self):
        """Of the points that are being computed, once they handle signals: process by id."""
        found = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().decode().split("\0")
                if words[1:3] != ["sweep", "work"] or os.readlink(process / "cwd") != str(self.folder):
                    continue
                status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines())
                if int(status["SigCgt"], 16) >> (signal.SIGTERM - 1) & 1:
                    found[words[4]] = int(process.name)
            except (OSError, UnicodeDecodeError, ValueError, KeyError, IndexError):
                pass  # it has ended
        return found

    def signal(self, how, process):
        """False: it was done just before."""
        try:
            os.kill(process, getattr(signal, "SIG" + how))
        except ProcessLookupError:
            return False
        return True
