"""Without a display, interop or new enough an OpenGL the window says why and what to do:
no_window_test.py HARNESS PROGRAM SCENARIOS."""
import os
import subprocess
import sys
import unittest

SCENARIO = os.path.join(sys.argv.pop(3) if len(sys.argv) > 3 else "assets/scenarios", "four_disks.toml")
PROGRAM = sys.argv.pop(2) if len(sys.argv) > 2 else "cellscope"
HARNESS = sys.argv.pop(1) if len(sys.argv) > 1 else "window_harness"
WAY_OUT = "--sink auto uses interop if available, --sink copy never"


def run(command, environment):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(environment)
    return subprocess.run(command, env=env, capture_output=True, text=True)


def start(**environment):
    return run([HARNESS, "--frames", "2"], environment)


def window(sink, **environment):
    """The program itself, on the CPU: OpenGL is Mesa's under the virtual display."""
    return run([PROGRAM, "window", SCENARIO, "--exit-after-frames", "2", "--sink", sink], environment)


class NoWindow(unittest.TestCase):
    def test_no_display(self):
        result = start()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("cellscope run", result.stderr)
        self.assertIn("DISPLAY", result.stderr)

    def test_display_that_is_not_there(self):
        result = start(DISPLAY=":4711")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("cellscope run", result.stderr)

    @unittest.skipUnless(os.environ.get("DISPLAY"), "needs a display")
    def test_old_opengl(self):
        result = start(DISPLAY=os.environ["DISPLAY"], MESA_GL_VERSION_OVERRIDE="3.3",
                       LIBGL_ALWAYS_SOFTWARE="1")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("OpenGL 4.5", result.stderr)
        self.assertIn("cellscope run", result.stderr)

    @unittest.skipUnless(os.environ.get("DISPLAY"), "needs a display")
    def test_interop_that_was_demanded_and_cannot_be(self):
        display = {"DISPLAY": os.environ["DISPLAY"], "LIBGL_ALWAYS_SOFTWARE": "1"}
        refused = window("interop", **display)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("CUDA-OpenGL interop is not possible: ", refused.stderr)
        self.assertIn(WAY_OUT, refused.stderr)
        for sink in ("auto", "copy"):  # the way out is one
            result = window(sink, **display)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_only_interop_is_told_of_other_sinks(self):
        result = window("interop")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("DISPLAY", result.stderr)
        self.assertNotIn("--sink", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
