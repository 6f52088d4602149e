"""The window over the demo mode, driven by mouse and keyboard: window_test.py HARNESS."""
import sys

from window_driver import Png, Window, WindowTest, keys, run_tests, text_of, xdotool

HARNESS = sys.argv.pop(1) if len(sys.argv) > 1 else "window_harness"
PANEL, VIEWPORT = (0x16, 0x1B, 0x22), (0x0E, 0x11, 0x16)
BLUE = (0x4C, 0xC2, 0xFF)
HEIGHT = 1080  # so that every parameter is in view


class HarnessTest(WindowTest):
    def opened(self, width, height, scale, *options, **keywords):
        return self.started(HARNESS, "--size", f"{width}x{height}", "--scale", scale, *options, **keywords)


class SharedWindow(WindowTest):
    """One window of this height for all tests of a class, playing."""
    HEIGHT = HEIGHT
    OPTIONS = ("--set", "delay=10")
    READY = ("rect plot:pressure", "playing on")

    @classmethod
    def setUpClass(cls):
        cls.window = Window(HARNESS, "--size", f"1280x{cls.HEIGHT}", "--scale", 1, *cls.OPTIONS)
        cls.addClassCleanup(cls.window.close)
        for event in cls.READY:
            cls.window.wait_for(event, 60)


class Driven(SharedWindow):
    def setUp(self):
        """Playing, nothing open."""
        w = self.window
        if w.state("playing") == "off":
            w.key("space", then="playing on")

    def test_play_and_pause_by_key_and_button(self):
        w = self.window
        w.key("space", then="playing off")
        w.click("button:play", then="playing on")

    def test_single_steps_and_phases_pause_first(self):
        w = self.window
        w.key("period", then="step")
        w.wait_for("playing off")
        w.key("comma", then="phase")
        w.key("space", then="playing on")

    def test_live_slider_acts_while_dragged(self):
        w = self.window
        during = w.drag_along("slider:amplitude", 0.4, 0.7)
        sets = [line for line in during if line.startswith("set amplitude")]
        self.assertGreaterEqual(len(sets), 3, during)
        answered = float(w.wait_for("parameter amplitude").split()[2])
        w.works(0.3)
        last = float(w.since("set amplitude")[-1].split()[2])
        answered = float(w.since("parameter amplitude")[-1].split()[2])
        self.assertAlmostEqual(answered, last)
        self.assertGreater(answered, 0.25)

    def test_rebuilding_slider_acts_while_it_is_dragged(self):
        w = self.window
        during = w.drag_along("slider:packing", 0.66, 0.5)
        self.assertTrue([line for line in during if line.startswith("parameter packing")], during)
        w.works(0.5)
        value = float(w.wait_for("parameter packing").split()[2])
        self.assertTrue(0.3 < value < 0.45, value)

    def test_typed_value_is_judged(self):
        w = self.window
        w.click("value:packing", repeat=2)
        w.rect("edit:packing")
        w.works(0.3)
        w.mark()
        self.type_and_enter("7")
        refusal = w.wait_for("refused")
        self.assertIn("packing", refusal)
        self.assertIn("0.75", refusal)
        self.assertFalse(w.since("set packing"))
        w.works(0.3)
        w.mark()
        self.type_and_enter("0.55")
        w.wait_for("parameter packing 0.55")

    def type_and_enter(self, text):
        keys("ctrl+a")
        self.window.works(0.15)
        for c in text:
            keys("period" if c == "." else c)
            self.window.works(0.1)
        keys("Return")

    def test_layers_by_key_and_chip(self):
        w = self.window
        w.key("2", then="layer cells on")
        w.works(0.3)
        picture = w.screenshot()
        w.click("chip:cells", then="layer cells off")
        self.assertGreater(len(picture.colours(500, 200, 200, 200)), 100)

    def test_colouring_cycles(self):
        w = self.window
        for expected in ("order", "plain", "phase"):
            w.key("c", then=f"colouring {expected}")

    def test_click_picks_the_disk_under_the_cursor(self):
        w = self.window
        # Free of chips and legend; the disks are at 0.55 or less packing, so search around.
        w.pick_near(600, 320, 6, 3, clicks=10)
        w.click("button:unpick", then="picked -1")

    def test_screenshot_shows_panels_and_particles_and_says_how_it_was_made(self):
        picture = self.window.screenshot()
        self.assertEqual((picture.width, picture.height), (1280, HEIGHT))
        self.assertEqual(picture.pixel(4, 300), PANEL)
        self.assertEqual(picture.pixel(926, 640), PANEL)
        self.assertEqual(picture.pixel(330, 300), VIEWPORT)
        self.assertGreater(len(picture.colours(450, 150, 300, 300)), 200)
        self.assertIn(BLUE, picture.colours(16, 180, 280, 80))  # the play button
        self.assertIn("packing", picture.text)
        self.assertEqual(picture.text["scenario"], "demo")
        self.assertIn("step", picture.text)

    def test_presentation_hides_panels_and_enlarges_text(self):
        w = self.window
        w.key("p", then="presentation on")
        w.works(0.6)
        picture = w.screenshot()
        self.assertEqual(picture.pixel(4, 300), VIEWPORT)
        _, _, _, height = w.settled("button:play")
        self.assertAlmostEqual(height, 32 * max(1.5, 0.0202 * HEIGHT / 13), delta=1)
        w.key("Escape", then="presentation off")

    def test_an_experiment_is_said_without_the_status_bar(self):
        w = self.window
        w.mark()
        w.click("switch:leave_cell", then="set leave_cell")
        w.key("p", then="presentation on")
        w.works(0.6)
        x, y, width, height = w.rect("notice:experiment")
        inks = w.screenshot().colours(x, y, width, height)
        self.assertIn((0xFF, 0x6B, 0x61), inks)
        w.key("Escape", then="presentation off")
        w.click("switch:leave_cell", then="set leave_cell")

    def test_h_hides_panels(self):
        w = self.window
        w.key("h", then="panels off")
        w.works(0.4)
        self.assertEqual(w.screenshot().pixel(4, 300), VIEWPORT)
        w.key("h", then="panels on")

    def test_help_sheet(self):
        w = self.window
        before = w.screenshot()
        w.key("question", then="help on")
        w.works(0.4)
        after = w.screenshot()
        changed = sum(before.pixel(x, 330) != after.pixel(x, 330) for x in range(380, 900))
        self.assertGreater(changed, 200)
        w.key("Escape", then="help off")

    def test_light_theme(self):
        w = self.window
        w.key("l", then="theme light")
        w.works(0.4)
        self.assertTrue(all(v > 230 for v in w.screenshot().pixel(4, 300)))
        w.key("l", then="theme dark")

    def test_reset_can_be_undone(self):
        w = self.window
        w.key("r", then="reset")
        w.wait_for("step-back")
        w.key("ctrl+z", then="undo")

    def test_plot_saves_csv(self):
        w = self.window
        w.plot_menu("pressure", "csv")
        rows = text_of(w.told("csv")).split("\n")
        about = [row for row in rows if row.startswith("# ")]
        self.assertTrue(any(row.startswith("# delay: ") for row in about), about)
        self.assertIn("standard error", rows[len(about)])
        self.assertGreater(len(rows), 5)

    def test_the_axis_begins_at_the_last_change(self):
        w = self.window
        w.works(0.5)
        w.click("switch:shuffle", then="parameter shuffle")

        def begin(choice):
            w.plot_menu("pressure", "axis-" + choice)
            w.wait_for("axis-from " + choice)
            w.works(0.5)
            return int(w.state("axis:pressure").split()[0])

        changed = begin("change")
        self.assertGreater(changed, 0)
        self.assertGreaterEqual(begin("averages"), changed)
        self.assertEqual(begin("start"), 0)

    def test_picture_of_a_plot_shows_the_plot_alone(self):
        w = self.window
        w.key("space", then="playing off")
        w.works(0.5)
        x, y, width, height = w.settled("plot:pressure")
        w.plot_menu("pressure", "png")
        plot = Png(w.told("picture"))
        self.assertAlmostEqual(plot.width, width, delta=2)
        window = w.screenshot()
        differ = sum(plot.pixel(i, k) != window.pixel(x + i, y + k)
                     for i in range(0, width - 4, 2) for k in range(0, height - 4, 2))
        self.assertLess(differ, 0.01 * width * height / 4)

    def test_plot_zooms_by_dragging_and_fits_on_double_click(self):
        w = self.window
        x, y, width, _ = w.settled("plot:psi6")
        w.drag(x + width * 0.4, y + 60, x + width * 0.7, y + 60)
        w.wait_for("plot-zoom")
        w.rect("zoomed:psi6")
        w.click_at(x + width * 0.5, y + 60, repeat=2)
        w.wait_for("plot-fit")

    def test_resize(self):
        w = self.window
        w.mark()
        xdotool("windowsize", w.id, 1000, 640)
        w.wait_for("size 1000 640")
        w.works(0.5)
        picture = w.screenshot()
        self.assertEqual((picture.width, picture.height), (1000, 640))
        self.assertEqual(picture.pixel(976, 400), PANEL)
        self.assertEqual(picture.pixel(960, 400), VIEWPORT)  # one column only: room for the picture
        w.mark()
        xdotool("windowsize", w.id, 1280, HEIGHT)
        w.wait_for(f"size 1280 {HEIGHT}")
        w.works(0.3)


class Setup(HarnessTest):
    """A reset that takes a minute: the window shows how far it is, and lets one give it up."""

    def test_progress_and_cancel(self):
        w = self.opened(1280, 720, 1, "--slow-resets", 60000)
        w.wait_for("playing on")
        for give_up in (lambda: w.key("Escape"), lambda: w.click("button:cancel-setup")):
            w.key("r")
            w.rect("button:cancel-setup")
            w.works(0.7)
            picture = w.screenshot()
            x, y, width, height = w.settled("button:cancel-setup")
            bar = picture.colours(340, y + height, x + width - 340, 14)  # below the title and Cancel
            self.assertIn(BLUE, bar)
            self.assertTrue(w.state("setup-next").endswith("then the run is ready"))
            give_up()
            w.wait_for("cancel Reset")
            w.wait_for("message Reset was cancelled:")
            self.assertFalse(w.since("step-back"))

    def test_a_stage_that_reports_nothing_is_shown_too(self):
        w = self.opened(1280, 720, 1, "--slow-resets", 6000, "--silent")
        w.wait_for("playing on")
        w.key("r")
        w.rect("button:cancel-setup", 5)

    def test_a_long_step_is_said(self):
        w = self.opened(1280, 720, 1, "--paused", "--set", "delay=6000")
        w.key("period")
        w.rect("status:busy", 6)


class Fade(HarnessTest):
    """Marks of the last step flash and fade over 300 ms while the run plays. Every frame is 50 ms long
    for them, every step two seconds long."""

    def window(self, *options):
        return self.opened(800, 600, 1, "--frame-seconds", 0.05, "--set", "delay=2000", *options)

    def test_opacities_frame_by_frame(self):
        w = self.window()
        w.wait_for("fade 0.3")
        w.mark()
        w.wait_for("fade 1")
        w.wait_for("fade 0.3")
        opacities = [float(line.split()[1]) for line in w.since("fade")]
        expected = [1 - 0.7 * k / 6 for k in range(7)]
        self.assertEqual(len(opacities), len(expected), opacities)
        for got, wanted in zip(opacities, expected):
            self.assertAlmostEqual(got, wanted, delta=6e-4)

    def test_they_stay_while_the_run_rests(self):
        w = self.window("--paused")
        w.key("period")
        w.works(3)  # a step, and the time in which marks would fade
        self.assertFalse(w.since("fade"))


class Layout(HarnessTest):
    """At every scale the controls keep their size in proportion and stay inside the window."""

    def check(self, width, height, scale):
        w = self.opened(width, height, scale, "--exit-after-frames", 20, "--set", "delay=5", "--set",
                        "leave_cell=true", wait="")
        self.assertEqual(w.finish(), 0)
        _, _, _, button = w.rect("button:play")
        self.assertAlmostEqual(button, 32 * scale, delta=1)
        for line in w.lines():
            if not line.startswith(("rect status:", "rect chip:", "rect button:", "rect plot:")):
                continue
            x, _, wide, _ = (int(v) for v in line.split(" ")[-4:])
            self.assertGreaterEqual(x, 0, line)
            self.assertLessEqual(x + wide, width * scale, line)

    def test_small_laptop(self):
        self.check(1280, 720, 1)

    def test_two_fold_scale(self):
        self.check(1280, 720, 2)

    def test_narrow(self):
        self.check(900, 600, 1)


if __name__ == "__main__":
    run_tests()
