"""Sweeps in the window: sweep_test.py PROGRAM SCENARIOS."""
import glob
import json
import os

from lecture_tools import ASSETS, ProgramTest
from window_driver import run_tests, text_of


class Sweeps(ProgramTest):
    def setUp(self):
        self.place = os.path.join(self.folder(), "a sweep")

    def command(self, *words):
        self.runs("sweep", *words, env={**os.environ, "CELLSCOPE_ASSETS": ASSETS})

    def sweep(self, *ids):
        """Three packings and two seeds; some of the points are done."""
        self.command("init", self.place, "four_disks", "--vary", "packing=0.08..0.16:3", "--vary",
                     "seed=1..2", "--until", "3000")
        all_ids = text_of(os.path.join(self.place, "ids.txt")).split()
        if ids:
            self.command("work", self.place, "--backend", "cpu", *[all_ids[k] for k in ids])
        return all_ids

    def result(self, point):
        return json.loads(text_of(os.path.join(self.place, "workspace", point, "result.json")))

    def type(self, w, field, text):
        w.retype(lambda: w.click("sweep-" + field), text,
                 lambda: w.state("sweep-typed:" + field) == text)

    def plan(self, w, key, *fields):
        """Plans a sweep of this slider."""
        w.go_to("Parameters", "value:" + key)
        w.click("value:" + key, button=3)
        w.click("sweep:" + key, then="sweep-plan " + key)
        for field, text in fields:
            self.type(w, field, text)

    def test_points_are_charted_while_others_finish_and_opened(self):
        ids = self.sweep(0, 1)
        w = self.shown(self.place)
        w.wait_for("sweep 2 done, 4 not begun")
        # Another worker finishes a point; its mark comes without input.
        w.until(lambda: len(w.drawn("mark:")) == 2, "not two marks are drawn")
        self.command("work", self.place, "--backend", "cpu", ids[4])
        w.wait_for("sweep 3 done, 3 not begun")
        w.rect("mark:2")
        # A click on its mark chooses the point at packing 0.16.
        w.click("mark:2", then=f"sweep-point {ids[4]}")
        # The other axes: series by seed, another average.
        w.click("choice:sweep-series")
        w.click("choose:sweep-series:seed", then="sweep-series seed")
        # Its final state goes on in the window, from the step at which it ended.
        w.click("button:open-here")
        w.wait_for("scenario scenario", 60)
        picture = w.screenshot()
        self.assertGreaterEqual(int(picture.text["step"]), 3000)
        self.assertEqual(float(picture.text["packing"]), 0.16)

    def test_points_that_differ_only_in_the_seed_become_one(self):
        ids = self.sweep(0, 1)
        w = self.shown(self.place)
        w.wait_for("sweep 2 done, 4 not begun")
        w.click("switch:sweep-means", then="sweep-means on")
        w.click("mark:0")  # of both: the first of them
        w.wait_for(f"sweep-point {ids[0]}")

    def test_a_dropped_folder_is_computed_here(self):
        ids = self.sweep()
        w = self.shown("four_disks")
        w.drop(self.place, then="sweep-opened")
        w.wait_for("sweep 6 not begun")
        w.click("button:sweep-work")
        w.wait_for("sweep 6 done", 120)
        for point in ids:
            self.assertEqual(self.result(point)["step"], 3000)
        w.key("Escape", then="files closed")

    def test_a_slider_is_swept(self):
        w = self.shown("four_disks")
        self.plan(w, "packing", ("from", "0.1"), ("to", "2"), ("points", "3"), ("steps", "1000"))
        # Each refusal names the field; what is typed next puts it right.
        for refusal, field, text in (("To: .*Packing fraction.* value 2 ", "to", "0.1"),
                                     ("From 0.1 to 0.1: the first must be smaller", "to", "0.16"),
                                     ("", "points", "1"),
                                     ("Values '1': .* from 2 to 1000000", "points", "3")):
            if refusal:
                w.mark()
                w.click("button:sweep-begin")
                self.assertRegex(w.wait_for("sweep-refused"), refusal)
            self.type(w, field, text)
        w.click("button:sweep-begin")
        folder = w.told("sweep-opened")
        self.assertEqual(os.path.basename(folder), "four_disks-sweep-packing")
        w.wait_for("sweep 3 done", 120)
        self.assertEqual(len(glob.glob(os.path.join(folder, "workspace", "*", "result.json"))), 3)
        w.key("Escape", then="files closed")

    def test_whole_numbers_are_swept_as_such(self):
        w = self.shown("four_disks")
        self.plan(w, "n", ("from", "4"), ("to", "9"), ("points", "7"), ("steps", "1"))
        w.click("button:sweep-begin")
        self.assertRegex(w.wait_for("sweep-refused"), "Values '7': .* from 2 to 6")
        self.type(w, "points", "3")
        w.click("button:sweep-begin")
        folder = w.told("sweep-opened")
        points = glob.glob(os.path.join(folder, "workspace", "*", "signac_statepoint.json"))
        self.assertEqual(sorted(json.loads(text_of(path))["n"] for path in points), [4, 7, 9])


if __name__ == "__main__":
    run_tests()
