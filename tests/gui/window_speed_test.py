"""Frames and answers to input wait for no step: window_speed_test.py HARNESS."""
import statistics
import time

from window_driver import keys, run_tests
from window_test import HarnessTest

LONG = 10000  # ms a step


def frames(window):
    """The numbers of the line written at exit."""
    words = [line for line in window.lines() if line.startswith("frames ")][-1].split()
    return {words[i]: float(words[i + 1]) for i in range(2, len(words), 2)}


class Speed(HarnessTest):
    def measured(self, *options):
        w = self.opened(1280, 720, 1, *options, wait="")
        self.assertEqual(w.finish(), 0)
        return frames(w)

    def test_frames_wait_for_no_step(self):
        """One that did would take as long as the rest of the step: none takes half of one."""
        w = self.measured("--exit-after-frames", 120, "--set", f"delay={LONG}")
        self.assertLess(w["interval-max"], LONG / 2, w)

    def test_input_waits_for_no_step(self):
        """Keys at all phases of a step are answered before it ends: the first would wait for most of it."""
        self.assertLess(max(self.answers([0.1 + 0.013 * k for k in range(21)], LONG)), LONG / 2)

    def test_input_after_a_rest_is_answered(self):
        """The first key after a pause is answered as the others are."""
        self.answers([0.7 + 0.017 * k for k in range(9)], 10)

    def agrees(self, own, delays):
        """What the statistics of the window say: each key was measured, and not as longer than by
        the clock of this test, which starts before the key and ends after the picture."""
        said = {own[i]: float(own[i + 1]) for i in range(0, len(own), 2)}
        self.assertGreaterEqual(said["answers"], len(delays) // 2)
        self.assertEqual(said["stamped"], 1)
        self.assertGreater(said["median"], 0)
        self.assertLessEqual(said["median"], statistics.median(delays) + 2)

    def answers(self, pauses, step):
        """From a key before each of these pauses to the end of the frame that shows its effect, in ms. What
        is usual is a benchmark: tests/bench/input_to_picture.py."""
        w = self.opened(1280, 720, 1, "--set", f"delay={step}")
        w.works(1)
        delays = []
        for pause in pauses:
            w.mark()
            start = time.monotonic()
            keys("2")
            w.wait_for("layer cells")
            w.wait_for("shown")
            delays.append(1e3 * (w.time_of("shown") - start))
            time.sleep(pause)  # where in a step the next one comes
        w.process.terminate()
        self.assertEqual(w.finish(), 85)
        self.agrees(w.state("input").split(), delays)
        return delays


if __name__ == "__main__":
    run_tests()
