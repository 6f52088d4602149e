"""The window over a crowd, whose particles come and go, on both backends: window_crowd_test.py
HARNESS. The CUDA half is skipped without a GPU."""
import os
import shutil
import subprocess
import sys
import unittest

from window_driver import Window

HARNESS = sys.argv.pop(1) if len(sys.argv) > 1 else "window_harness"


class CrowdOnCpu(unittest.TestCase):
    backend = "cpu"

    def open(self, *settings):
        options = [word for setting in settings for word in ("--set", setting)]
        self.window = Window(HARNESS, "--mode", "crowd", "--backend", self.backend, "--width", 1280,
                             "--height", 960, "--scale", 1, "--paused", 1, *options)
        self.addCleanup(self.window.close)
        self.window.wait_for("rect plot:number", 60)
        return self.window

    def test_the_followed_walker_is_deleted(self):
        w = self.open("large=1", "births=4", "death=0", "lifetime=200", "size=0.05", "n=150")
        w.click_at(620, 420)  # the box is full of large walkers
        picked = int(w.wait_for("picked").split()[1])
        self.assertGreaterEqual(picked, 0)
        w.click("button:follow")
        w.wait_for("follow on")
        w.key("space")
        self.assertEqual(int(w.wait_for("deleted", 60).split()[1]), picked)
        w.key("space")
        w.wait_for("playing off")
        w.click("button:unpick")
        w.wait_for("picked -1")

    def test_walkers_in_space_are_drawn_phase_by_phase(self):
        w = self.open("space=space", "sorted=true", "n=400")
        for _ in range(4):
            w.key("comma")
            w.wait_for("phase")
        for key in "2356":
            w.key(key)
            w.wait_for("layer")
        picture = w.screenshot()
        self.assertGreater(len(picture.colours(450, 150, 300, 300)), 100)
        self.assertIn("sorted", picture.text)
        self.assertEqual(picture.text["backend"], self.backend)


class CrowdOnCuda(CrowdOnCpu):
    backend = "cuda"

    def setUp(self):
        probe = subprocess.run([HARNESS, "--backend", self.backend, "--probe", "1"],
                               stderr=subprocess.PIPE, text=True)
        if probe.returncode == 77:
            self.skipTest(probe.stderr.strip())
        self.assertEqual(probe.returncode, 0, probe.stderr)


if __name__ == "__main__":
    if not os.environ.get("DISPLAY") or not shutil.which("xdotool"):
        print("skipped: needs a display (xvfb-run) and xdotool")
        sys.exit(77)
    unittest.main(verbosity=2)
