"""What the tests of the program's windows share: the windows themselves, rectangles, runs that go on
without them. Their scripts take the arguments PROGRAM SCENARIOS."""
import os
import re
import subprocess
import sys
import unittest

from window_driver import Window

SCENARIOS = sys.argv.pop(2) if len(sys.argv) > 2 else "assets/scenarios"
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "cellscope"
ASSETS = os.path.dirname(os.path.abspath(SCENARIOS))


def path_of(scenario):
    return os.path.join(SCENARIOS, scenario + ".toml")


class WindowTest(unittest.TestCase):
    """Every window is closed at the end of its test."""

    def started(self, *words, **keywords):
        w = Window(PROGRAM, *words, log_option="--log-events", **keywords)
        self.addCleanup(w.close)
        return w

    def lecture(self, width, height, scale, *options, scenario="hexatic"):
        """A small copy of the scenario: what is tested is the window."""
        return self.started("window", path_of(scenario), "--set", "n=1024", "--size",
                            f"{width}x{height}", "--scale", scale, *options)

    def shown(self, *words, size="1280x720", scale=1, until="rect viewport", **environment):
        """A scenario by its name, a file or a folder, and options, on the CPU; once this is logged."""
        w = self.started("window", *words, "--backend", "cpu", "--size", size, "--scale", scale,
                         CELLSCOPE_ASSETS=ASSETS, **environment)
        if until:
            w.wait_for(until, 60)
        return w


def set_d(w):
    """The value of d that a click on its slider has set."""
    w.click("slider:promoted-d", along=0.3)
    value = w.wait_for("set d").split()[2]
    w.wait_for(f"parameter d {value}")
    return value


def resumed(program, checkpoint):
    """The steps and values of all changes of d, and the mean acceptance of some sweeps that the
    program goes on for."""
    csv = checkpoint + ".csv"
    subprocess.run([program, "run", "--resume", checkpoint, "--steps", "500",
                    "--backend", "cpu", "--csv", csv], check=True, capture_output=True)
    with open(csv, encoding="utf-8") as file:
        lines = file.read().splitlines()
    changes = [re.match(r"# changed after step (\d+): d = (.*)", line) for line in lines]
    rows = [line.split(",") for line in lines if line and not line.startswith("#")]
    column = rows[0].index("acceptance")
    values = [float(row[column]) for row in rows[1:]]
    return [(int(c[1]), c[2]) for c in changes if c], sum(values) / len(values)


def inside(point, rect):
    return rect[0] <= point[0] <= rect[0] + rect[2] and rect[1] <= point[1] <= rect[1] + rect[3]


def covered(rect, by):
    """Share of a rectangle that another one covers."""
    w = min(rect[0] + rect[2], by[0] + by[2]) - max(rect[0], by[0])
    h = min(rect[1] + rect[3], by[1] + by[3]) - max(rect[1], by[1])
    return max(0, w) * max(0, h) / (rect[2] * rect[3])
