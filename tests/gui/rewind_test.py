"""Going back in a run, by real input on the program itself, and the paused window:
rewind_test.py PROGRAM SCENARIOS."""
import os
import re
import sys

from lecture_tools import ProgramTest, path_of
from window_driver import run_tests, text_of


class Rewind(ProgramTest):
    def open(self, *options, scenario="hexatic", n="1024"):
        return self.shown(path_of(scenario), "--set", "n=" + n, *options, until="rect timeline:track")

    def timeline(self, w):
        """The step that is shown, the one at the end, and whether the first is behind it."""
        return w.until(lambda: w.state("timeline"), "no timeline is shown").split()

    def reaches(self, w, condition):
        def there():
            step, last, word = self.timeline(w)
            return condition(int(step), int(last), word)
        w.until(there, "the timeline stays where it is")

    def run_on(self, w, moments=4):
        """Until this number of further moments are kept, which takes a share of the time: longer where the
        machine is loaded. The step at its end."""
        before, kept = int(self.timeline(w)[0]), self.kept(w)
        w.key("space", then="playing on")
        w.until(lambda: self.kept(w) >= kept + moments, "no moments are kept", 120)
        w.works(0.5)  # some steps beyond the last of them
        w.key("space", then="playing off")
        w.at_rest()
        step, _, word = self.timeline(w)
        self.assertEqual(word, "now")
        self.assertGreater(int(step), before)
        return int(step)

    def kept(self, w):
        return int(w.state("kept-moments") or 0)

    def gone(self, w):
        """The step it has gone back to, once it stays there; it is behind the end."""
        self.reaches(w, lambda step, last, word: word == "behind")
        w.at_rest()
        return int(self.timeline(w)[0])

    def test_back_by_key_and_by_dragging_and_forward_to_now(self):
        w = self.open("--paused")
        end = self.run_on(w)
        w.key("BackSpace")
        self.reaches(w, lambda step, last, word: (step, last, word) == (end - 1, end, "behind"))
        w.key("BackSpace")
        self.reaches(w, lambda step, last, word: (step, last, word) == (end - 2, end, "behind"))
        x, y, wide, high = w.rect("timeline:track")
        w.drag(x + wide - 3, y + high / 2, x + 0.5 * wide, y + high / 2)
        half = self.gone(w)
        self.assertTrue(0 < half < 0.9 * end, (half, end))
        knob = w.settled("timeline:knob")
        self.assertLess(abs(knob[0] + knob[2] / 2 - (x + wide * half / end)), 8)
        w.key("Prior")
        self.reaches(w, lambda step, last, word: step < half)
        w.key("Next")
        self.reaches(w, lambda step, last, word: step == half)
        w.key("End")
        self.reaches(w, lambda step, last, word: (step, word) == (end, "now"))
        w.click("timeline:back")
        self.reaches(w, lambda step, last, word: (step, word) == (end - 1, "behind"))
        w.click("timeline:now")
        self.reaches(w, lambda step, last, word: (step, word) == (end, "now"))

    def test_a_change_begins_a_branch_that_the_plots_show(self):
        w = self.open("--paused")
        self.run_on(w)
        w.click("timeline:track", along=0.4)
        at = self.gone(w)
        self.assertFalse(w.drawn("branch:"))
        w.go_to("Parameters", "slider:d", 660)
        w.drag_along("slider:d", 0.75, 0.45)
        w.wait_for(f"message A new branch of the run begins at sweep {at}.*")
        self.reaches(w, lambda step, last, word: (step, last, word) == (at, at, "now"))
        self.run_on(w)
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
        self.run_on(w, 2)
        w.go_to("Parameters", "slider:d", 660)
        w.drag_along("slider:d", 0.75, 0.45)
        w.wait_for("parameter d .*")
        self.run_on(w, 2)
        x, y, wide, high = w.rect("timeline:track")
        w.click_at(x + 2, y + high / 2)  # before the change
        w.wait_for("parameter d 0.16")
        self.gone(w)
        w.key("ctrl+z", then="message Nothing to undo.*")
        self.assertEqual(self.timeline(w)[2], "behind")

    def test_one_switch_frees_the_memory_and_takes_the_strip_away(self):
        w = self.open("--paused", "--rewind-memory", 64)
        self.run_on(w, 1)
        _, _, _, high = w.settled("viewport")
        w.click("switch:rewind", then="moments none")
        self.assertEqual(w.settled("viewport")[3], high + 26)
        w.click("switch:rewind", then="moments kept")
        self.assertEqual(w.settled("viewport")[3], high)

    def test_a_state_too_large_is_said(self):
        w = self.open("--paused", "--rewind-memory", 1, n="65536")
        w.wait_for("message rewind is off in this run: a snapshot takes .*", 60)

    def test_the_number_of_particles_goes_back_too(self):
        w = self.shown(path_of("gcmc_near_critical"), "--paused", until="rect timeline:track")
        end = self.run_on(w, 2)
        for back in (1, 2, 3):
            w.key("BackSpace")
            self.reaches(w, lambda step, last, word: (step, last) == (end - back, end))
        w.key("space")  # the same run again, and beyond
        w.wait_for("playing on")
        w.wait_for("behind off")
        self.assertFalse([line for line in w.lines() if line.startswith("branches 2")])


class AtRest(ProgramTest):
    def test_it_uses_no_processor_time(self):
        """Of all threads: those of the engine, of the Runner and of the software renderer."""
        def seconds(pid):
            words = text_of(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

        for scenario, options in (("hexatic", ("--set", "n=1024")), ("argon", ("--set", "n=500")),
                                  ("gcmc_liquid", ())):
            w = self.shown(path_of(scenario), *options, "--paused", until="")
            w.at_rest(120)
            before = seconds(w.process.pid)
            w.works(5)
            used = seconds(w.process.pid) - before
            print(f"\n{scenario} at rest: {used:.2f} s of processor time in 5 s", file=sys.stderr)
            self.assertLess(used, 0.05, scenario)  # a redraw takes about as long
            w.close()

    def asleep(self, w, timeout=20):
        """The number of frames after which the window sleeps."""
        return int(w.wait_for("asleep", timeout).split()[1])

    def test_a_paused_window_draws_nothing_until_something_happens(self):
        w = self.shown(path_of("hexatic"), "--set", "n=1024", "--paused", until="")
        w.at_rest()
        frames = self.asleep(w)
        w.mark()
        w.works(3)
        self.assertFalse(w.since("awake"))
        w.key("period")
        woken = int(w.wait_for("awake").split()[1])
        self.assertLessEqual(woken - frames, 2)  # the last one before, and the answer
        w.wait_for("timeline 1 1 now")  # it shows what it was woken for
        self.asleep(w)

    def test_an_answer_that_takes_long_wakes_it(self):
        """The Runner's publication, with no input for longer than the window stays awake."""
        w = self.shown(path_of("million"), "--paused", "--set", "n=262144", until="")
        self.asleep(w, 120)
        w.key("period")
        w.wait_for("timeline 1 1 now", 60)

    def test_a_signal_wakes_it(self):
        w = self.shown(path_of("hexatic"), "--set", "n=1024", "--paused", until="")
        self.asleep(w)
        w.process.terminate()
        self.assertEqual(w.finish(30), 85, w.errors)
        self.assertIn("Stopped by SIGTERM after step 0", w.errors)


if __name__ == "__main__":
    run_tests()
