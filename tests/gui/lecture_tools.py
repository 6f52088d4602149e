"""What the tests of the program's windows share: the windows themselves, rectangles, runs that go on
without them. Their scripts take the arguments PROGRAM SCENARIOS."""
import os
import shlex
import subprocess
import sys

from window_driver import WindowTest

SCENARIOS = sys.argv.pop(2) if len(sys.argv) > 2 else "assets/scenarios"
PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellscope"
ASSETS = os.path.dirname(os.path.abspath(SCENARIOS))


def path_of(scenario):
    return os.path.join(SCENARIOS, scenario + ".toml")


class ProgramTest(WindowTest):
    def started(self, *words, **keywords):
        return super().started(PROGRAM, *words, **keywords)

    def runs(self, *words, code=0, **keywords):
        """The program without a window, which ends with this exit code."""
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, **keywords)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def lecture(self, width, height, scale, *options, scenario="hexatic"):
        """A small copy of the scenario on one thread: what is tested is the window."""
        return self.started("window", path_of(scenario), "--set", "n=1024", "--threads", 1, "--size",
                            f"{width}x{height}", "--scale", scale, *options)

    def shown(self, *words, size="1280x720", scale=1, until="rect viewport", **environment):
        """A scenario by its name, a file or a folder, and options, on a CPU thread; once this is logged."""
        w = self.started("window", *words, "--backend", "cpu", "--threads", 1, "--size", size,
                         "--scale", scale, CELLSCOPE_ASSETS=ASSETS, **environment)
        if until:
            w.wait_for(until, 60)
        return w


def set_d(w):
    """The value of d that a click on its slider has set."""
    w.click("slider:promoted-d", along=0.3)
    value = w.wait_for("set d").split()[2]
    w.wait_for(f"parameter d {value}")
    return value


def copied_line(w):
    """The words of the line that starts this experiment again."""
    w.go_to("Files", "button:copy-experiment")
    w.click("button:copy-experiment")
    return shlex.split(w.told("copied"))


def inside(point, rect):
    return rect[0] <= point[0] <= rect[0] + rect[2] and rect[1] <= point[1] <= rect[1] + rect[3]


def covered(rect, by):
    """Share of a rectangle that another one covers."""
    w = min(rect[0] + rect[2], by[0] + by[2]) - max(rect[0], by[0])
    h = min(rect[1] + rect[3], by[1] + by[3]) - max(rect[1], by[1])
    return max(0, w) * max(0, h) / (rect[2] * rect[3])
