"""Going back in a run, by real input on the program itself, and the window at rest:
rewind_test.py PROGRAM SCENARIOS."""
import os
import re
import shutil
import sys
import time
import unittest

from window_driver import Window, xdotool

SCENARIOS = sys.argv.pop(2) if len(sys.argv) > 2 else "assets/scenarios"
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "cellscope"


class Rewind(unittest.TestCase):
    def open(self, *options, scenario="hexatic", n="1024"):
        w = Window(PROGRAM, "window", os.path.join(SCENARIOS, scenario + ".toml"), "--set", "n=" + n,
                   "--size", "1280x720", "--scale", 1, "--backend", "cpu", *options,
                   log_option="--log-events")
        self.addCleanup(w.close)
        w.wait_for("rect timeline:track", 60)
        return w

    def timeline(self, w):
        """The step that is shown, the one at the end, and whether the first is behind it."""
        return [line.split() for line in w.lines() if line.startswith("timeline ")][-1][1:]

    def reaches(self, w, condition, timeout=20):
        end = time.time() + timeout
        while time.time() < end:
            step, last, word = self.timeline(w)
            if condition(int(step), int(last), word):
                return int(step), int(last)
            time.sleep(0.02)
        self.fail(f"the timeline stays at {self.timeline(w)}")

    def run_for(self, w, seconds):
        w.key("space")
        w.wait_for("playing on")
        time.sleep(seconds)
        w.key("space")
        w.wait_for("playing off")
        time.sleep(0.5)
        return self.reaches(w, lambda step, end, word: word == "now" and step > 0)[0]

    def test_back_by_key_and_by_dragging_and_forward_to_now(self):
        w = self.open("--paused")
        end = self.run_for(w, 3)
        w.key("BackSpace")
        self.reaches(w, lambda step, last, word: (step, last, word) == (end - 1, end, "behind"))
        w.key("BackSpace")
        self.reaches(w, lambda step, last, word: (step, last, word) == (end - 2, end, "behind"))
        x, y, wide, high = w.rect("timeline:track")
        w.drag(x + wide - 3, y + high / 2, x + 0.5 * wide, y + high / 2)
        half, _ = self.reaches(w, lambda step, last, word: 0 < step < 0.8 * end and last == end)
        knob = w.settled("timeline:knob")
        self.assertLess(abs(knob[0] + knob[2] / 2 - (x + wide * half / end)), 8)
        w.key("Prior")
        earlier, _ = self.reaches(w, lambda step, last, word: step < half)
        w.key("Next")
        self.reaches(w, lambda step, last, word: step == half and earlier < half)
        w.key("End")
        self.reaches(w, lambda step, last, word: (step, word) == (end, "now"))
        w.click("timeline:back")
        self.reaches(w, lambda step, last, word: (step, word) == (end - 1, "behind"))
        w.click("timeline:now")
        self.reaches(w, lambda step, last, word: (step, word) == (end, "now"))

    def test_a_change_begins_a_branch_that_the_plots_show(self):
        w = self.open("--paused")
        end = self.run_for(w, 3)
        x, y, wide, high = w.rect("timeline:track")
        w.click_at(x + 0.4 * wide, y + high / 2)
        at, _ = self.reaches(w, lambda step, last, word: word == "behind")
        self.assertFalse([line for line in w.lines() if line.startswith("rect branch:")])
        w.click("go:Parameters")
        x, y, wide, high = w.above("slider:d", 660)
        w.drag(x + 0.75 * wide, y + high / 2, x + 0.45 * wide, y + high / 2)
        w.wait_for(f"message A new branch of the run begins at sweep {at}.*")
        self.reaches(w, lambda step, last, word: (step, last, word) == (at, at, "now"))
        self.run_for(w, 2)
        x, y, wide, high = w.rect("curve:pressure")
        mark = w.rect("branch:pressure")
        self.assertTrue(x < mark[0] < x + wide)
        w.click("fold:pressure")
        w.rect("entry:pressure:left at " + re.sub(r"(?<=\d)(?=(\d{3})+$)", " ", str(at)))
        # Ctrl+Z takes the change back, and no change of before.
        w.key("ctrl+z")
        self.assertTrue(w.wait_for("undo").startswith("undo d "))

    def test_undo_stays_true_after_going_back(self):
        w = self.open("--paused")
        self.run_for(w, 1.5)
        w.click("go:Parameters")
        x, y, wide, high = w.above("slider:d", 660)
        w.drag(x + 0.75 * wide, y + high / 2, x + 0.45 * wide, y + high / 2)
        w.wait_for("parameter d .*")
        self.run_for(w, 1.5)
        x, y, wide, high = w.rect("timeline:track")
        w.click_at(x + 2, y + high / 2)  # before the change
        self.reaches(w, lambda step, last, word: word == "behind")
        w.wait_for("parameter d 0.16")
        w.key("ctrl+z")
        w.wait_for("message Nothing to undo.*")
        self.assertEqual(self.timeline(w)[2], "behind")

    def test_one_switch_frees_the_memory_and_takes_the_strip_away(self):
        w = self.open("--paused", "--rewind-memory", 64)
        self.run_for(w, 1)
        _, _, _, high = w.settled("viewport")
        w.click("switch:rewind")
        w.wait_for("moments none")
        self.assertEqual(w.settled("viewport")[3], high + 26)
        w.click("switch:rewind")
        w.wait_for("moments kept")
        self.assertEqual(w.settled("viewport")[3], high)

    def test_a_state_too_large_is_said(self):
        w = self.open("--paused", "--rewind-memory", 1, n="65536")
        w.wait_for("message one cannot go back in this run: a state takes .*", 60)

    def test_the_number_of_particles_goes_back_too(self):
        w = Window(PROGRAM, "window", os.path.join(SCENARIOS, "gcmc_near_critical.toml"), "--paused",
                   "--size", "1280x720", "--scale", 1, "--backend", "cpu", log_option="--log-events")
        self.addCleanup(w.close)
        w.wait_for("rect timeline:track", 60)
        end = self.run_for(w, 3)
        for back in (1, 2, 3):
            w.key("BackSpace")
            self.reaches(w, lambda step, last, word: (step, last) == (end - back, end))
        w.key("space")  # the same run again, and beyond
        w.wait_for("playing on")
        w.wait_for("behind off")
        self.assertFalse([line for line in w.lines() if line.startswith("branches 2")])


class AtRest(unittest.TestCase):
    def asleep(self, w, timeout=20):
        """The number of frames after which the window sleeps."""
        frames = int(w.wait_for("asleep", timeout).split()[1])
        return frames

    def test_a_paused_window_draws_nothing_until_something_happens(self):
        w = Window(PROGRAM, "window", os.path.join(SCENARIOS, "hexatic.toml"), "--set", "n=1024",
                   "--paused", "--size", "1280x720", "--scale", 1, "--backend", "cpu",
                   log_option="--log-events")
        self.addCleanup(w.close)
        frames = self.asleep(w)
        w.mark()
        time.sleep(3)
        self.assertFalse(w.since("awake"))
        w.key("period")
        woken = int(w.wait_for("awake").split()[1])
        self.assertLessEqual(woken - frames, 2)  # the last one before, and the answer
        w.wait_for("timeline 1 1 now")  # it shows what it was woken for
        self.asleep(w)

    def test_an_answer_that_takes_long_wakes_it(self):
        """The Runner's publication, with no input for longer than the window stays awake."""
        w = Window(PROGRAM, "window", os.path.join(SCENARIOS, "million.toml"), "--paused",
                   "--set", "n=262144", "--size", "1280x720", "--scale", 1, "--backend", "cpu",
                   log_option="--log-events")
        self.addCleanup(w.close)
        self.asleep(w, 120)
        w.key("period")
        w.wait_for("timeline 1 1 now", 60)

    def test_a_signal_wakes_it(self):
        w = Window(PROGRAM, "window", os.path.join(SCENARIOS, "hexatic.toml"), "--set", "n=1024",
                   "--paused", "--size", "1280x720", "--scale", 1, "--backend", "cpu",
                   log_option="--log-events")
        self.addCleanup(w.close)
        self.asleep(w)
        w.process.terminate()
        self.assertEqual(w.finish(30), 0, w.errors)
        self.assertIn("Stopped by SIGTERM after step 0", w.errors)


if __name__ == "__main__":
    if not os.environ.get("DISPLAY") or not shutil.which("xdotool"):
        print("skipped: needs a display (xvfb-run) and xdotool")
        sys.exit(77)
    unittest.main(verbosity=2)
