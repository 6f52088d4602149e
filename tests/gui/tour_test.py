"""Tours of the window, by real input: tour_test.py PROGRAM SCENARIOS."""
from lecture_tools import ProgramTest, covered, inside, path_of
from window_driver import run_tests

# Scenario of the tour, its plot, its layer and the key of that layer.
TOURS = {"hard_disks": ("hexatic", "pressure", "sets", "3"),
         "md": ("lj_all_pairs", "energy", "velocities", "2"),
         "gcmc": ("gcmc_liquid", "particles", "cells", "2")}


class Tours(ProgramTest):
    def open(self, scenario, size, scale, *options):
        w = self.shown(path_of(scenario), "--paused", *options, size=size, scale=scale)
        wide, high = (int(v) for v in size.split("x"))
        self.screen = [0, 0, int(wide * scale), int(high * scale)]
        return w

    def points_at(self, w, name):
        """The card is in the window, what it points at is in view, and one does not hide the other."""
        w.works(0.7)
        card, target = w.settled("tour"), w.settled("tour-target")
        self.assertGreater(covered(card, self.screen), 0.99, (name, card))
        self.assertGreater(covered(target, self.screen), 0.99, (name, target))
        large = target[2] * target[3] > 0.2 * self.screen[2] * self.screen[3]
        self.assertLess(covered(target, card), 0.35 if large else 0.01, (name, card, target))
        widget = w.rect(name)
        self.assertLess(abs(target[0] - widget[0]), 3, (name, target, widget))
        return target

    def pick(self, w):
        x, y, wide, high = w.settled("viewport")
        card = w.rect("tour")
        for k in range(40):
            at = x + wide * (0.35 + 0.011 * k), y + high * (0.62 - 0.007 * k)
            if inside(at, card):
                continue
            w.click_at(*at)
            if w.seen("tour did 5", 1):
                return
        self.fail("no click hit a particle")

    def whole_tour(self, mode, size, scale):
        scenario, plot, layer, key = TOURS[mode]
        w = self.open(scenario, size, scale, *(["--set", "n=1024"] if mode == "hard_disks" else []))
        w.key("F1", then="help on")
        w.click("button:tour-help", then="tour step 1")
        self.points_at(w, "button:play")
        w.key("space", then="tour did 1")
        w.wait_for("tour step 2")
        promoted = [line.split()[1] for line in w.lines() if line.startswith("rect slider:promoted-")][0]
        self.points_at(w, "panel:play")
        w.drag_along(promoted, 0.3, 0.6)
        w.wait_for("tour did 2", 60)
        w.wait_for("tour step 3", 60)
        w.works(0.7)
        self.points_at(w, "plot:" + plot)
        w.click("enlarge:" + plot, then="tour did 3")
        w.wait_for("tour step 4")
        self.points_at(w, "chip:" + layer)
        w.key(key, then="tour did 4")
        w.wait_for("tour step 5")
        self.points_at(w, "viewport")
        self.pick(w)
        w.works(0.5)
        w.click("button:tour-next", then="tour done")

    def test_hard_disks_at_1280x720(self):
        self.whole_tour("hard_disks", "1280x720", 1)

    def test_molecular_dynamics_on_a_projector(self):
        self.whole_tour("md", "1024x768", 1)

    def test_grand_canonical_on_a_projector(self):
        self.whole_tour("gcmc", "1024x768", 1)

    def test_hard_disks_in_large_print(self):
        self.whole_tour("hard_disks", "960x540", 2)

    def test_each_can_be_skipped_at_any_step(self):
        for mode, way in (("md", "Escape"), ("gcmc", "button:tour-skip")):
            w = self.open(TOURS[mode][0], "1280x720", 1)
            w.click("button:tour", then="tour step 1")
            w.click("button:tour-next", then="tour step 2")
            w.key(way) if way == "Escape" else w.click(way)
            w.wait_for("tour skipped")
            w.close()

    def test_it_starts_from_the_gallery_and_ends_by_escape(self):
        w = self.open("dilute", "1280x720", 1)
        w.click("button:gallery")
        w.click("tour:hard_disks")
        w.wait_for("scenario hexatic", 60)
        w.wait_for("tour step 1")
        w.key("Escape", then="tour skipped")
        w.click("go:Scenario")  # the tour has scrolled on
        w.works(0.5)
        w.click("button:tour", then="tour step 1")
        w.click("button:tour-next")  # without doing what it asks
        w.wait_for("tour step 2")
        w.click("button:tour-skip", then="tour skipped")


if __name__ == "__main__":
    run_tests()
