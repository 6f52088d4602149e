"""Sliders, plots and presentation of the window: window_controls_test.py HARNESS."""
from window_driver import Png, keys, run_tests, xdotool
from window_test import HarnessTest, SharedWindow


class Controls(SharedWindow):
    HEIGHT = 960

    def key(self, name):
        keys(name)
        self.window.works(0.15)

    def acting(self):
        return float(self.window.state("parameter amplitude"))

    def value(self):
        """Once it changes no more."""
        value = None
        while value != self.acting():
            value = self.acting()
            self.window.works(0.4)
        return value

    def becomes(self, value):
        self.window.until(lambda: abs(self.acting() - value) < 0.0003, f"the amplitude is never {value}")

    def start(self):
        """The slider clicked in its middle."""
        self.window.click("slider:amplitude")
        self.window.works(0.5)

    def test_shift_drags_a_tenth_as_far(self):
        w = self.window
        self.start()
        middle = self.value()
        w.drag_along("slider:amplitude", 0.5, 0.8)
        coarse = self.value() - middle
        self.start()
        with w.held("shift"):
            w.drag_along("slider:amplitude", 0.5, 0.8)
        fine = self.value() - middle
        self.assertAlmostEqual(fine, coarse / 10, delta=0.03 * coarse)

    def test_arrow_keys_and_wheel_step_the_slider_clicked_last(self):
        w = self.window
        self.start()
        place = w.rect("slider:amplitude")
        middle, step = self.value(), 0.0049  # a hundredth of 0.01 to 0.5
        self.key("Right")
        self.becomes(middle + step)
        self.key("Right")
        self.becomes(middle + 2 * step)
        self.key("Left")
        self.becomes(middle + step)
        self.key("shift+Right")
        self.becomes(middle + 1.1 * step)
        w.move(*w.centre("slider:amplitude"))
        xdotool("click", 5)
        self.becomes(middle + 0.1 * step)
        self.assertEqual(w.rect("slider:amplitude"), place, "the column scrolled")

    def test_a_live_slider_can_be_undone(self):
        w = self.window
        self.start()
        before = self.value()
        w.works(1)  # what follows is another change
        w.drag_along("slider:amplitude", 0.5, 0.9)
        self.assertGreater(self.value(), before + 0.1)
        w.key("ctrl+z")
        self.assertAlmostEqual(float(w.wait_for("undo amplitude").split()[2]), before)
        self.assertAlmostEqual(float(w.wait_for("parameter amplitude").split()[2]), before)

    def test_escape_closes_the_list_of_a_choice(self):
        w = self.window
        w.click("choice:engine")
        w.works(0.3)
        w.key("Escape", then="popup closed")
        w.works(0.3)
        w.key("Escape")
        w.works(0.3)
        self.assertFalse(w.since("popup closed"))

    def test_control_plus_and_minus_scale_everything(self):
        w = self.window
        before = w.settled("button:play")[3]
        w.key("ctrl+plus", then="zoom 1.1")
        w.works(0.5)
        self.assertAlmostEqual(w.settled("button:play")[3], 1.1 * before, delta=1)
        w.key("ctrl+minus", then="zoom 1")
        w.works(0.5)
        self.assertEqual(w.settled("button:play")[3], before)

    def test_a_legend_folds_and_its_entries_switch_series(self):
        w = self.window
        x, y, width, height = list(w.drawn("entry:pressure:").values())[-1]
        w.click_at(x + 4, y + height / 2)
        self.assertTrue(w.wait_for("series pressure/.*").endswith(" off"))
        w.click_at(x + 4, y + height / 2)
        self.assertTrue(w.wait_for("series pressure/.*").endswith(" on"))
        if w.drawn("fold:pressure"):
            before = w.settled("plot:pressure")[3]
            w.click("fold:pressure")
            w.works(0.4)
            self.assertGreater(w.settled("plot:pressure")[3], before)
            w.click("fold:pressure")

    def test_a_plot_is_enlarged_over_the_picture_until_escape(self):
        w = self.window
        w.click("enlarge:pressure", then="enlarge pressure")
        _, _, _, height = w.settled("curve:large:pressure")
        self.assertGreater(height, 400)
        w.key("Escape", then="enlarge")
        w.works(0.3)

    def test_a_plot_is_saved_four_times_as_large_with_what_it_shows(self):
        w = self.window
        for scale, pixels in ((2, (1280, 960)), (4, (2560, 1920))):
            w.plot_menu("pressure", f"png{scale}")
            picture = Png(w.told("plot-picture"))
            self.assertEqual((picture.width, picture.height), pixels)
            self.assertGreater(len(picture.colours(100, 100, 900, 600)), 8)
            self.assertIn("packing", picture.text)
            # Title, source and parameters stand on the page.
            self.assertGreater(len(picture.colours(20 * scale, 10 * scale, 300 * scale, 30 * scale)), 8)
            self.assertGreater(len(picture.colours(20 * scale, pixels[1] - 30 * scale, 450 * scale, 20 * scale)), 8)

    def test_a_column_is_widened_by_its_edge(self):
        w = self.window
        before = w.settled("plot:pressure")
        x, y, width, height = w.settled("widen:right")
        w.drag(x + width / 2, y + 400, x - 120, y + 400)
        after = w.settled("plot:pressure")
        self.assertAlmostEqual(after[2], before[2] + 120, delta=12)
        x, y, width, height = w.settled("widen:right")
        w.drag(x + width / 2, y + 400, x + width / 2 + 122, y + 400)

    def test_averages_are_grey_until_they_settle(self):
        self.window.rect("status:equilibration")


class Projector(HarnessTest):
    """1024x768: a slider and a plot are in view together; and 1280x720: curves of 120 px."""

    def settled(self, width, height, *options):
        w = self.opened(width, height, 1, "--set", "delay=5", *options)
        w.wait_for("rect viewport", 60)
        w.works(1)
        return w

    def test_a_slider_and_a_plot_together(self):
        w = self.settled(1024, 768)
        x, _, width, _ = w.settled("slider:amplitude")
        self.assertLess(x + width, 300)
        x, _, width, height = w.settled("curve:pressure")
        self.assertLessEqual(x + width, 1024)
        self.assertGreater(width, 200)

    def test_every_open_plot_has_120_pixels_of_curve(self):
        w = self.settled(1280, 720)
        curves = w.drawn("curve:")
        self.assertGreaterEqual(len(curves), 2)
        for name, place in curves.items():
            self.assertGreaterEqual(place[3], 120, name)

    def test_a_presentation_keeps_slider_number_plot_and_control(self):
        for size in ((1024, 768), (1280, 720)):
            w = self.settled(*size, "--presentation")
            x, _, width, _ = w.settled("presentation")
            self.assertLessEqual(x + width, size[0])
            self.assertGreaterEqual(w.settled("curve:large:pressure")[3], 120)
            for name in ("button:play", "button:step", "button:phase"):
                bx, by, bw, bh = w.settled(name)
                self.assertLessEqual(bx + bw, x, name)
                self.assertLessEqual(by + bh, size[1], name)
            w.close()


if __name__ == "__main__":
    run_tests()
