"""Seeing inside a scene in space, and the panel of layers: window_inside_test.py HARNESS."""
from window_driver import run_tests, xdotool
from window_test import HarnessTest, SharedWindow

VIEWPORT = (0x0E, 0x11, 0x16)
AREA = (500, 200, 240, 320)  # of the picture, free of chips and legend


def covered(picture):
    """Pixels of the middle of the picture that are not background."""
    x, y, width, height = AREA
    return sum(picture.pixel(i, k) != VIEWPORT
               for i in range(x, x + width, 3) for k in range(y, y + height, 3))


class Inside(SharedWindow):
    HEIGHT = 960
    OPTIONS = ("--mode", "md", "--paused", "--set", "n=600", "--set", "density=0.0028")
    READY = ("rect go:Inside",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.window.works(1)
        cls.window.click("go:Inside")
        cls.window.wait_for("rect select:0")

    def picture(self):
        self.window.works(0.5)
        return self.window.screenshot()

    def test_a_slice_leaves_out_what_lies_before_it_and_moves(self):
        w = self.window
        before = covered(self.picture())
        w.click("button:slice-X", then="slice X on")
        w.click("option:slice-X.thickness", along=0.08, then="slice-thickness X")
        thin = covered(self.picture())
        self.assertLess(thin, 0.6 * before)
        x, y, width, height = w.settled("slice-handle:X")
        w.drag(x + width / 2, y + height / 2, x + width / 2 - 60, y + height / 2 - 20)
        moved = float(w.wait_for("slice-at X").split()[2])
        self.assertNotAlmostEqual(moved, 0.5, places=2)
        w.move(620, 300)
        w.mark()
        with w.held("shift"):
            xdotool("click", 4)
        again = float(w.wait_for("slice-at X").split()[2])
        self.assertNotEqual(again, moved)
        w.click("button:slice-X", then="slice X off")
        self.assertAlmostEqual(covered(self.picture()), before, delta=0.1 * before)

    def test_the_slice_across_the_view_has_a_handle(self):
        w = self.window
        before = covered(self.picture())
        w.mark()
        w.click("button:slice-View", then="slice View on")
        half = covered(self.picture())
        x, y, width, height = w.settled("slice-handle:View")
        w.drag(x + width / 2, y + height / 2, x + width / 2, y + height / 2 - 70)  # farther
        moved = float(w.wait_for("slice-at View").split()[2])
        self.assertLess(moved, 0.3)
        self.assertLess(covered(self.picture()), 0.8 * half)
        _, after, _, _ = w.settled("slice-handle:View")
        self.assertAlmostEqual(after, y - 70, delta=6)  # it stays under the mouse
        w.click("button:slice-View", then="slice View off")
        self.assertAlmostEqual(covered(self.picture()), before, delta=0.1 * before)

    def test_projection_by_key_and_in_the_panel(self):
        w = self.window
        before = self.picture()
        w.key("o", then="projection orthographic")
        after = self.picture()
        x, y, width, height = AREA
        self.assertTrue(any(before.pixel(i, k) != after.pixel(i, k)
                            for i in range(x, x + width, 5) for k in range(y, y + height, 5)))
        w.click("choice:projection:0", then="projection perspective")

    def pick_any(self):
        return self.window.pick_near(520, 300, 10, 10)

    def test_what_is_hidden_is_not_picked(self):
        w = self.window
        w.click("go:Inside")
        self.pick_any()
        w.click("select:1", then="selection Near the picked")
        before = self.picture()
        w.click("switch:hide-rest", then="hide-rest on")
        after = self.picture()
        x, y, width, height = AREA
        margin = 60  # beyond the reach of a click

        def empty(i, k):
            return all(after.pixel(a, b) == VIEWPORT for a in range(i - margin, i + margin + 1, 4)
                       for b in range(k - margin, k + margin + 1, 4))

        place = next(((i, k) for k in range(y, y + height, 5) for i in range(x, x + width, 5)
                      if before.pixel(i, k) != VIEWPORT and empty(i, k)), None)
        self.assertIsNotNone(place, "no particle is hidden")
        w.click_at(*place)
        self.assertEqual(w.wait_for("picked"), "picked -1")
        w.click("switch:hide-rest")
        w.click("select:0", then="selection All")

    def test_going_to_a_particle_shows_it_and_hides_what_stands_before_it(self):
        w = self.window
        picked = self.pick_any()
        w.click("select:1", then="selection Near the picked")
        w.click("switch:hide-rest", then="hide-rest on")
        w.key("g")
        self.assertEqual(int(w.wait_for("fly").split()[1]), picked)
        w.works(1)
        picture = self.picture()
        x, y, width, height = w.rect("viewport")
        # In the middle, as large as a hand: no other sphere hides it, nor is the eye inside one.
        self.assertNotEqual(picture.pixel(x + width // 2, y + height // 2), VIEWPORT)
        px, py, _, _ = w.rect("particle")
        self.assertAlmostEqual(px, x + width / 2, delta=8)
        w.key("f")
        w.works(0.5)
        w.click("switch:hide-rest")
        w.click("select:0", then="selection All")
        w.click("button:unpick", then="picked -1")

    def test_layers_have_three_states_and_say_why_they_are_empty(self):
        w = self.window
        w.click("go:Layers")
        w.until(lambda: len(w.drawn("layer:")) > 4, "too few layers")
        names = sorted(name[6:] for name in w.drawn("layer:"))
        empty = None
        for name in names:  # layers of the picked particle are empty without one
            if "layer-reason:" + name not in w.drawn("layer-reason:"):
                w.click("layer:" + name)
                state = w.told("layer").split()
                w.works(0.4)
                if state[1] == "on" and "layer-reason:" + name in w.drawn("layer-reason:"):
                    empty = name
                    break
        self.assertIsNotNone(empty, names)
        w.click("layer-options:" + empty)
        w.click("layer:" + empty, then=f"layer {empty} off")


class Deleted(HarnessTest):
    def test_the_followed_particle_is_deleted(self):
        w = self.opened(1280, 960, 1, "--mode", "gcmc", "--paused", "--set", "length=6", "--set",
                        "temperature=2", "--set", "moves_per_step=50")
        w.wait_for("rect go:Inside", 60)
        w.click_at(620, 420)  # the box is full
        picked = int(w.wait_for("picked").split()[1])
        self.assertGreaterEqual(picked, 0)
        w.click("button:follow", then="follow on")
        w.key("space")
        self.assertEqual(int(w.wait_for("deleted", 60).split()[1]), picked)
        w.key("space", then="playing off")
        w.click("button:unpick", then="picked -1")


if __name__ == "__main__":
    run_tests()
