"""Without a display or with too old an OpenGL the window says why and what to do: PROGRAM."""
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "window_harness"


def start(**environment):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(environment)
    return subprocess.run([PROGRAM, "--frames", "2"], env=env, capture_output=True, text=True, timeout=60)


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


if __name__ == "__main__":
    unittest.main(verbosity=2)
