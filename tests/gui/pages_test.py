"""Lessons in the window: pages by key and from the gallery, pages of one's own, two runs side by
side, walking, the pointer, and the keyboard alone: pages_test.py PROGRAM SCENARIOS."""
import os
import re

from lecture_tools import ProgramTest, covered, path_of
from lesson_test import free_port
from window_driver import keys, run_tests, text_of, write, xdotool

HEXATIC = ("hexatic", "--set", "n=256")


class Case(ProgramTest):
    def window(self, *arguments, size="1280x720", **environment):
        return self.started(*arguments, "--size", size, "--scale", "1", "--backend", "cpu", **environment)


class Pages(Case):
    def test_keys_of_a_presenter_turn_the_pages(self):
        w = self.window("lesson", "order", "--paused")
        w.until(lambda: w.state("pages") == "1 of 5 Order without attraction", "no page")
        for page, name in (("2 of 5", "below_transition"), ("3 of 5", "hexatic")):
            w.key("Next", then=f"page {page}")
            w.wait_for(f"scenario {name}")
        w.key("Prior", then="page 2 of 5")
        w.key("p", then="presentation on")
        w.click("page:previous", then="page 1 of 5")
        w.wait_for("scenario four_disks")
        self.assertEqual(w.state("pages").split(" O")[0], "1 of 5")
        w.key("Prior", then="message This is the first scenario")

    def test_a_lesson_opens_from_the_gallery_and_as_a_file(self):
        w = self.window("window", *HEXATIC, "--paused")
        w.click("button:gallery")
        w.click("lesson:wrong", then="lesson-open wrong 1 of 6")
        w.wait_for("scenario leave_cell")
        own = self.folder()
        write(own + "/mine.toml", text_of(path_of("four_disks")))
        lesson = write(own + "/lesson.toml", 'scenarios = ["mine.toml", "hexatic"]\n')
        keys("ctrl+o")
        w.takes_text()
        xdotool("type", lesson)
        keys("Return")
        w.wait_for("lesson-open lesson 1 of 2")
        w.wait_for("scenario mine")
        w.click("page:close", then="lesson-closed")

    def test_what_is_wrong_with_a_lesson_names_file_key_and_way_out(self):
        own = self.folder()
        for text, words in (('scenarios = ["hexatik"]', "scenarios: no scenario 'hexatik'"),
                            ("scenarios = []", "scenarios: is empty"),
                            ('scenarios = ["hexatic"]\ntitel = "x"', "titel: unknown key"),
                            ("scenarios = 5", "scenarios: 5 is not a list")):
            path = write(own + "/bad.toml", text)
            said = self.runs("lesson", path, code=2).stderr
            self.assertIn("bad.toml", said)
            self.assertIn(words, said)

    def test_a_class_follows_from_page_to_page_and_sees_the_pointer(self):
        port = free_port()
        lecturer = self.window("lesson", "order", "--serve", "--port", port, "--paused", size="700x560")
        follower = self.window("follow", f"127.0.0.1:{port}", size="700x560")
        follower.until(lambda: follower.state("lesson-caption").startswith("1 of 5"), "no caption")
        xdotool("windowraise", lecturer.id)
        xdotool("windowfocus", "--sync", lecturer.id)
        lecturer.key("Next", then="page 2 of 5")
        follower.wait_for("scenario below_transition", 60)
        follower.until(lambda: follower.state("lesson-caption").startswith("2 of 5"), "no caption")
        lecturer.move(*lecturer.centre("viewport"))
        follower.mark()
        with lecturer.held("x"):
            lecturer.wait_for("pointing on")
            follower.wait_for("rect pointer-mark")
            here, there = lecturer.rect("pointer-mark"), follower.rect("pointer-mark")
            # Both windows are equally large and show the whole box.
            self.assertLess(max(abs(a - b) for a, b in zip(here, there)), 40)
        lecturer.wait_for("pointing off")


class OwnPages(Case):
    def types(self, w, text):
        """Instead of what stands in the field."""
        keys("ctrl+a")
        w.works(0.3)  # Ctrl is up again
        xdotool("type", text)
        w.works(0.3)

    def test_a_page_is_made_and_found_again(self):
        config = self.folder()
        w = self.window("window", *HEXATIC, "--paused", XDG_CONFIG_HOME=config)
        w.key("i", then="page-window open")
        w.takes_text()
        self.types(w, "Order by hand")
        w.click("page-slider:d")  # beside the packing fraction, which is the scenario's
        w.click("button:page-save", then="scenario-saved")
        path = config + "/cellscope/scenarios/my-hexatic.toml"
        text = text_of(path)
        for line in ('title = "Order by hand"', "n = 256", 'beside = ["d"]', 'panels = "play"',
                     'promote = { key = "packing", from = 0.69, to = 0.73 }'):
            self.assertIn(line, text)
        # Under its own heading in the gallery, and there it opens alone with its slider.
        w.click("button:gallery")
        w.settled("heading:own")
        w.click("scenario:my-hexatic", then="scenario my-hexatic")
        w.settled("presentation")
        w.settled("slider:promoted-packing")
        self.assertEqual(w.settled("viewport")[0], 0)
        # By name on the command line as well; a page that shows all takes the panels back.
        again = self.window("window", "my-hexatic", "--paused", XDG_CONFIG_HOME=config)
        again.settled("presentation")

    def test_a_wrong_page_names_what_is_allowed(self):
        config = self.folder()
        w = self.window("window", *HEXATIC, "--paused", XDG_CONFIG_HOME=config)
        w.key("i", then="page-window open")
        w.click("page-to")
        w.takes_text()
        self.types(w, "7")
        w.click("button:page-save")
        error = w.wait_for("page-error")
        self.assertRegex(error, r"my-hexatic\.toml.*run\.promote\.to: 7 is not allowed; allowed: number")
        self.assertFalse(os.path.exists(config + "/cellscope/scenarios/my-hexatic.toml"))


class SideBySide(Case):
    def test_wrong_and_right_go_step_for_step(self):
        w = self.window("window", "leave_cell", "--set", "n=256", "--paused")
        first, second = w.settled("beside:first"), w.settled("beside:second")
        self.assertEqual(covered(first, second), 0)
        self.assertEqual(first[2:], second[2:])
        for _ in range(3):
            w.key("period", then="step")
        w.key("space", then="playing on")
        w.until(lambda: "overlap" in w.state("beside:first-checks"), "the wrong run looks right", 60)
        self.assertEqual(w.state("beside:second-checks"), "pass")
        w.key("space", then="playing off")
        # Without the mistake from the same start both are the same.
        w.click("switch:promoted-leave_cell", then="parameter leave_cell false")
        w.key("r", then="reset")
        w.key("space", then="playing on")
        w.works(1)
        w.key("space", then="playing off")
        w.at_rest()
        self.assertEqual(w.state("beside:first"), w.state("beside:second"))

    def test_another_scenario_of_the_same_mode(self):
        refused = self.runs("window", "hexatic", "--against", "argon", code=2)
        self.assertIn("only runs of the same mode", refused.stderr)
        w = self.window("window", *HEXATIC, "--against", "packing=0.6", "--paused")
        w.settled("beside:second")


class Walk(Case):
    def test_a_phase_a_second_and_nothing_that_is_empty(self):
        w = self.window("window", *HEXATIC, "--paused")
        w.key("w", then="walk on")
        seen = []
        for _ in range(8):
            w.mark()
            seen.append(w.wait_for("walked", 30).split()[1:4:2])
        # Of shuffle, four sets and shift (0 to 5) the first one draws nothing: after the shift comes
        # the first set.
        after = seen[seen.index(["4", "0"]):]
        self.assertEqual(after[:4], [["4", "0"], ["5", "0"], ["1", "1"], ["2", "0"]])
        times = w.seconds_of("walked")
        self.assertGreater(min(b - a for a, b in zip(times, times[1:])), 0.9)
        w.key("space")  # playing ends it
        w.wait_for("walk off")

    def test_the_run_goes_on_without_pictures(self):
        w = self.window("window", *HEXATIC)
        w.key("q", then="drawing off")
        w.until(lambda: re.match(r".* sweeps/s", w.state("undrawn-rate")), "no rate")
        w.key("q", then="drawing on")


class Keyboard(Case):
    def focus_on(self, w, name):
        """By Tab, from wherever it is."""
        w.until(lambda: w.state("keyboard") == "shortcuts", "a field has the keyboard")
        self.go_to(w, name)

    def go_to(self, w, name, key="Tab"):
        for _ in range(80):
            w.key(key, then="shown")
            place, ring = w.rect(name), w.rect("focus")
            if covered(place, ring) == 1 and ring[3] < 60:
                return
        self.fail(f"Tab does not come to {name}")

    def test_sliders_buttons_and_choices_by_keyboard_alone(self):
        w = self.window("window", *HEXATIC, "--paused")
        self.focus_on(w, "slider:promoted-packing")

        def value():
            return float(w.wait_for("set packing").split()[2])
        w.key("Right")
        one = value()
        w.key("shift+Right")
        fine = value() - one
        w.key("ctrl+Right")
        coarse = value() - one - fine
        self.assertGreater(fine, 0)
        self.assertGreater(coarse, 20 * fine)
        w.key("Return")  # types a value
        w.takes_text()
        xdotool("type", "0.7")
        keys("Return")
        w.wait_for("set packing 0.7")
        self.focus_on(w, "button:play")
        w.key("Return", then="play on")
        w.key("shift+Tab", then="rect focus")
        w.key("h", then="panels off")

    def test_a_lesson_opens_by_keyboard_alone(self):
        w = self.window("window", *HEXATIC, "--paused")
        self.focus_on(w, "slider:promoted-packing")  # where it begins
        self.go_to(w, "button:gallery", "shift+Tab")
        w.key("Return", then="gallery open")
        w.takes_text()
        self.go_to(w, "lesson:wrong")
        w.key("Return", then="lesson-open wrong")

    def test_the_crosshair_is_in_all_plots(self):
        w = self.window("window", *HEXATIC)
        w.until(lambda: w.since("rect curve:psi6"), "no plot")
        w.works(3)
        w.key("space", then="playing off")
        w.move(*w.centre("curve:pressure"))
        w.until(lambda: w.state("linked:psi6"), "no linked crosshair")


class Plots(Case):
    def test_three_plots_are_whole_in_a_low_window(self):
        w = self.window("window", "workbench")
        _, y, _, high = w.settled("entry:pressure:Pressure, mean")
        self.assertLessEqual(y + high, 692)  # above the status bar
        for name in ("density", "energy", "pressure"):
            self.assertGreaterEqual(w.settled("curve:" + name)[3], 115)

    def test_what_is_open_beside_a_picked_particle_is_whole(self):
        for scenario, plot in (("tree_walk", "checks"), ("four_disks", "pressure")):
            w = self.window("window", scenario, "--paused")
            _, y, _, high = w.settled("plot:" + plot)
            self.assertLessEqual(y + high, 692, scenario)  # with its axis and its legend
            w.close()


if __name__ == "__main__":
    run_tests()
