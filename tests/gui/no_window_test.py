"""Without a display, interop or new enough an OpenGL the window says why and what to do:
no_window_test.py PROGRAM SCENARIOS."""
import os
import unittest

from lecture_tools import ProgramTest, path_of

WAY_OUT = "--sink auto uses interop if available, --sink copy never"


class NoWindow(ProgramTest):
    def window(self, sink, code=1, **environment):
        """What it says; OpenGL is Mesa's under the virtual display."""
        env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return self.runs("window", path_of("four_disks"), "--exit-after-frames", "2", "--sink", sink,
                         code=code, env={**env, **environment}).stderr

    def test_no_display(self):
        said = self.window("auto")
        self.assertIn("cellscope run", said)
        self.assertIn("DISPLAY", said)

    def test_display_that_is_not_there(self):
        self.assertIn("cellscope run", self.window("auto", DISPLAY=":4711"))

    @unittest.skipUnless(os.environ.get("DISPLAY"), "needs a display")
    def test_old_opengl(self):
        said = self.window("auto", DISPLAY=os.environ["DISPLAY"], MESA_GL_VERSION_OVERRIDE="3.3",
                           LIBGL_ALWAYS_SOFTWARE="1")
        self.assertIn("OpenGL 4.5", said)
        self.assertIn("cellscope run", said)

    @unittest.skipUnless(os.environ.get("DISPLAY"), "needs a display")
    def test_interop_that_was_demanded_and_cannot_be(self):
        display = {"DISPLAY": os.environ["DISPLAY"], "LIBGL_ALWAYS_SOFTWARE": "1"}
        refused = self.window("interop", **display)
        self.assertIn("CUDA-OpenGL interop is not possible: ", refused)
        self.assertIn(WAY_OUT, refused)
        for sink in ("auto", "copy"):  # the way out is one
            self.window(sink, code=0, **display)

    def test_only_interop_is_told_of_other_sinks(self):
        said = self.window("interop")
        self.assertIn("DISPLAY", said)
        self.assertNotIn("--sink", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
