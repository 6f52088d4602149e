"""Slow steps slow neither the frames nor the answers: window_speed_test.py HARNESS."""
import os
import shutil
import statistics
import sys
import time
import unittest

from window_driver import Keys, Window

HARNESS = sys.argv.pop(1) if len(sys.argv) > 1 else "window_harness"


def frames(window):
    """The numbers of the line written at exit."""
    words = [line for line in window.lines() if line.startswith("frames ")][-1].split()
    return {words[i]: float(words[i + 1]) for i in range(2, len(words), 2)}


class Speed(unittest.TestCase):
    def measured(self, *options):
        w = Window(HARNESS, "--width", 1280, "--height", 720, "--scale", 1, *options, wait="")
        try:
            self.assertEqual(w.finish(), 0)
            return frames(w)
        finally:
            w.close()

    def test_slow_steps_leave_the_frame_rate_alone(self):
        """Steps of a second against steps of 10 ms, in turn, so that a busy machine slows both. A
        window that waited for steps now and then would show it in its longest frame."""
        median, longest, tried = False, False, []
        for _ in range(3):
            fast = self.measured("--frames", 120, "--set", "delay=10")
            slow = self.measured("--frames", 240, "--set", "delay=1000")
            tried.append((fast, slow))
            median |= slow["interval-median"] < max(20, 1.25 * fast["interval-median"])
            longest |= slow["interval-max"] < 500
            if median and longest:
                break
        print("".join(f"\nsteps of 10 ms {f}\nsteps of 1 s   {s}" for f, s in tried), file=sys.stderr)
        self.assertTrue(median, tried)
        self.assertTrue(longest, tried)

    def test_input_is_answered_at_once(self):
        """While a step takes 500 ms, by 21 keys at all phases of a step."""
        self.answers([0.1 + 0.013 * k for k in range(21)], 500)

    def test_input_after_a_rest_is_answered_at_once(self):
        """Panels that are drawn less often than the picture wait for nobody."""
        self.answers([0.7 + 0.017 * k for k in range(9)], 10)

    def test_a_run_changes_panels_less_often_than_the_picture(self):
        """Where the processor draws, as it does here: 15 times a second without input, and in every
        frame at the beginning."""
        w = self.measured("--frames", 300, "--set", "delay=10")
        seconds = 300 / w["rate"]
        print(f"\n{w['panels']:.0f} frames with panels in {seconds:.1f} s: {w}", file=sys.stderr)
        self.assertLess(w["panels"], 16 * seconds + 0.7 * w["rate"] + 10)
        self.assertGreater(w["panels"], min(5 * seconds, 100))

    def agrees(self, own, delays):
        """What the statistics of the window say: each key was measured, and not as longer than by
        the clock of this test, which starts before the key and ends after the picture."""
        said = {own[i]: float(own[i + 1]) for i in range(0, len(own), 2)}
        self.assertGreaterEqual(said["answers"], len(delays) // 2)
        self.assertEqual(said["stamped"], 1)
        self.assertGreater(said["median"], 0)
        self.assertLessEqual(said["median"], statistics.median(delays) + 2)

    def answers(self, pauses, step):
        """From the key to the end of the frame that shows its effect: 50 ms,
        or three frames where frames take longer than they should; never as long as waiting for
        steps would take, 250 ms at the median, and not now and then either."""
        for _ in range(3):
            delays, interval = self.delays(pauses, step)
            bound = min(max(50, 3 * interval), 200)
            print(f"\nkey to picture (ms): {[round(d) for d in delays]}; allowed {bound:.0f}",
                  file=sys.stderr)
            if statistics.median(delays) < bound and sorted(delays)[-3] < 300:
                return
        self.fail("input is answered late")

    def delays(self, pauses, step):
        """Of a key before each of these pauses, and the median time between frames."""
        w = Window(HARNESS, "--width", 1280, "--height", 720, "--scale", 1, "--set", f"delay={step}")
        try:
            time.sleep(1)
            delays = []
            with Keys() as keys:
                for pause in pauses:
                    w.mark()
                    start = time.monotonic()
                    keys.press("2")
                    w.wait_for("layer cells")
                    w.wait_for("shown")
                    delays.append(1e3 * (w.time_of("shown") - start))
                    time.sleep(pause)
            w.process.terminate()
            self.assertEqual(w.finish(), 0)
            print("the window's own measure (ms): " + w.state("input"), file=sys.stderr)
            self.agrees(w.state("input").split(), delays)
            return delays, frames(w)["interval-median"]
        finally:
            w.close()


if __name__ == "__main__":
    if not os.environ.get("DISPLAY") or not shutil.which("xdotool"):
        print("skipped: needs a display (xvfb-run) and xdotool")
        sys.exit(77)
    unittest.main(verbosity=2)
