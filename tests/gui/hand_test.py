"""Tools of a hand, by real drags of the mouse on the program itself: hand_test.py PROGRAM SCENARIOS."""
from lecture_tools import ProgramTest, path_of
from window_driver import run_tests, xdotool


class Hand(ProgramTest):
    def open(self, scenario):
        return self.shown(path_of(scenario), "--paused", until="rect hand:select")

    def particles(self, w):
        return int(w.state("particles"))

    def test_a_particle_is_pulled_through_a_crystal(self):
        w = self.open("hands")
        w.click("play-hand:grab")  # the tool that the scenario is about
        w.wait_for("hand-tool Grab")
        x, y = w.centre("viewport")
        w.move(x, y)
        w.press()
        w.until(lambda: w.state("hand-held").startswith("1 "), "nothing is held")
        w.move(x + 60, y)
        w.wait_for("hand pull")
        w.key("space")
        w.until(lambda: abs(float(w.state("hand-held").split()[1])) > 1, "the spring does no work", 60)
        w.move(x + 90, y + 20)
        w.release()
        w.wait_for("message Let go of 1 particle: the work of the springs is .* epsilon.*")
        w.until(lambda: w.state("hand-held") == "none", "it is still held")
        w.key("space")
        self.assertEqual(w.state("hand-touched"), "0")
        w.key("ctrl+z")
        w.until(lambda: w.state("hand-touched") == "no", "the mark is still there")

    def test_the_brush_adds_and_deletes_and_its_stroke_is_undone(self):
        for scenario in ("workbench", "hexatic", "argon"):
            with self.subTest(scenario):
                self.add_and_delete(self.open(scenario))

    def add_and_delete(self, w):
        before = self.particles(w)
        w.click("hand:delete")
        x, y = w.centre("viewport")
        w.drag(x, y, x + 80, y + 40, 6)
        w.until(lambda: self.particles(w) < before - 4, "too few are deleted")
        w.at_rest()
        left = self.particles(w)
        w.click("hand:add")
        w.click_at(x, y)  # where the stroke began, however fast the mouse went on
        w.until(lambda: self.particles(w) > left, "none is added")
        w.key("ctrl+z")
        w.until(lambda: self.particles(w) == left, "they are still there")
        w.key("ctrl+z")
        w.until(lambda: self.particles(w) == before, "the stroke is not undone whole")
        w.close()

    def test_disks_go_with_the_mouse_as_far_as_there_is_room(self):
        w = self.open("hexatic")
        w.click("hand:grab")
        x, y = w.centre("viewport")
        w.move(x, y)
        w.press()
        w.until(lambda: w.state("hand-held").startswith("1 "), "nothing is held")
        w.move(x + 40, y)
        w.until(lambda: w.state("hand-done").startswith("moved by "), "it did not move")
        w.release()
        w.wait_for("message Let go of 1 disk")
        self.assertEqual(w.state("hand-touched"), "0")

    def test_ctrl_and_the_wheel_size_the_brush_and_tools_are_those_of_the_mode(self):
        w = self.open("gcmc_liquid")
        self.assertFalse(w.drawn("hand:grab"))
        w.click("hand:add", then="hand-tool Add")
        w.move(*w.centre("viewport"))
        w.mark()
        with w.held("ctrl"):
            xdotool("click", "4")
        w.wait_for("brush 1.7.*")
        w.click("hand:smaller", then="brush 1.38")
        w.key("u", then="hand-tool Delete")
        before = self.particles(w)
        w.click_at(*w.centre("viewport"))
        w.until(lambda: self.particles(w) < before, "none is deleted")
        w.key("u", then="hand-tool Select")


if __name__ == "__main__":
    run_tests()
