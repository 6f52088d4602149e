"""Going to what is named, two picked particles and conditions that pause the run, by real input on the
program itself: inspector_test.py PROGRAM SCENARIOS."""
import re

from lecture_tools import ProgramTest, path_of
from window_driver import keys, run_tests, xdotool


class Inspector(ProgramTest):
    def open(self, scenario, *options):
        return self.shown(path_of(scenario), "--paused", *options, until="rect timeline:track")

    def enter(self, w, key, text):
        """The text in the field of this key, without a wait for the field."""
        w.mark()
        keys(key)
        xdotool("type", "--delay", "5", "--", text)
        w.takes_text()
        w.works(0.3)  # what was typed ahead comes a frame later
        w.mark()
        keys("Return")

    def step(self, w):
        return int(w.until(lambda: w.state("timeline"), "no timeline is shown").split()[0])

    def test_refusals_say_what_may_stand_there(self):
        w = self.open("gcmc_near_critical")
        layers = [line for line in w.lines() if line.startswith("layer ")]
        self.enter(w, "b", "N > 1 000 000")
        w.wait_for('message .*"000" is not expected there; allowed: OBSERVABLE > NUMBER.*')
        self.enter(w, "b", "cell of 100000 changes")
        w.wait_for("message .*there is no particle 100000; there are .*")
        self.enter(w, "b", "cell of 3 changes")
        w.wait_for("breakpoints 1")
        # No digit was taken for the key of a layer.
        self.assertEqual([line for line in w.lines() if line.startswith("layer ")], layers)

    def test_a_red_lamp_pauses_and_the_step_before_is_one_key_away(self):
        w = self.open("stale_list")
        self.enter(w, "b", "lamp neighbour list red")
        w.wait_for("breakpoints 1")
        w.key("space")
        said = w.wait_for("message Paused after step .*", 60)
        at = int(re.match(r"message Paused after step (\d+): lamp neighbour list red "
                          r"\(neighbour list: \d+ missing", said).group(1))
        w.until(lambda: self.step(w) == at, "another step is shown")
        w.wait_for("playing off")
        w.key("BackSpace")
        w.until(lambda: self.step(w) == at - 1, "the step before is not shown")
        w.key("space")  # the same step again
        w.until(lambda: self.step(w) == at and w.state("playing") == "off", "it does not pause again")
        w.click("remove-breakpoint:0", then="breakpoints 0")
        w.key("space", then="playing on")
        w.works(1)  # several steps
        w.key("space")
        w.until(lambda: self.step(w) > at, "it still pauses")

    def test_goes_to_what_is_named(self):
        w = self.open("stale_list")
        self.enter(w, "slash", "109")
        w.wait_for("fly 109")
        w.wait_for("target particle 109")
        middle, at = w.centre("viewport"), w.settled("particle")
        self.assertLess(max(abs(at[0] - middle[0]), abs(at[1] - middle[1])), 3)
        self.enter(w, "slash", "109 138")
        w.wait_for("pair 109 138")
        w.rect("second")
        self.enter(w, "slash", "5000")
        w.wait_for("target there is no particle 5000; there are 1372, with ids from 0 to 1371")
        self.assertEqual(w.state("pair"), "109 138")
        self.enter(w, "slash", "(1, 2, 3)")
        w.wait_for(r"fly cell \(1, 2, 3\): .*")
        self.enter(w, "slash", "slot 7")
        w.wait_for(r"target particle \d+, in slot 7")

    def rows(self, w, table):
        """What the rows of a table in sight are, from the top."""
        found = []
        while w.state(f"{table}-row:{len(found)}"):
            found.append(w.state(f"{table}-row:{len(found)}"))
        return found

    def test_neighbours_are_listed_and_a_click_picks(self):
        w = self.open("argon")
        self.enter(w, "slash", "109")
        w.wait_for("fly 109")
        w.key("t")
        w.until(lambda: w.state("table").startswith("neighbours "), "no table is shown")
        count = int(w.state("table").split()[1])
        self.assertGreaterEqual(count, 12)  # the first shell of a dense fluid
        in_order = lambda column, falling: (lambda all: len(all) >= 12 and all == sorted(
            all, reverse=falling) and all)([float(r.split()[column]) for r in self.rows(w, "neighbours")])
        w.until(lambda: in_order(1, False), "the nearest do not come first")
        w.click("neighbours-by:id", then="sorted id")
        w.click("neighbours-by:id", then="sorted id, falling")
        second = int(w.until(lambda: in_order(0, True), "the largest id does not come first")[1])
        w.click("neighbours-row:1", then=f"row {second}")
        w.wait_for(f"picked {second}")

    def test_tables_of_cells_nodes_and_moves(self):
        w = self.open("gcmc_liquid")
        w.click("go:Tables")  # which opens it
        w.click("table:moves")
        w.until(lambda: w.state("table").startswith("moves "), "no table is shown")
        w.key("period")
        w.until(lambda: int(w.state("table").split()[1]) > 100, "no moves are listed")
        w.click("moves-by:energy", then="sorted energy")
        w.click("moves-row:0", then=r"row (\d+|move \d+)")
        w.click("table:cells")
        w.until(lambda: w.state("table").startswith("cells "), "no cells are listed")
        w.click("cells-row:2", then=r"row \(.*\)")
        w.wait_for(r"fly cell \(.*\): \d+ particles?.*")
        w.click("table:nodes")
        w.until(lambda: w.state("table") == "nodes 0", "nodes are listed where there is no tree")

    def test_what_differs_under_other_settings(self):
        w = self.open("argon", "--set", "n=500")
        w.click("go:Tables")  # which opens it
        w.click("table:against")
        w.click("field:against")
        w.takes_text()
        xdotool("type", "--delay", "5", "--", "method=tree")
        w.key("Return")
        w.until(lambda: w.state("table-note").startswith("pairs within the cutoff: none of"),
                "no pairs are compared")
        w.until(lambda: w.state("table") == "against 0", "methods that are right differ")

    def test_particles_are_selected_by_an_expression(self):
        w = self.open("hexatic", "--set", "n=1024")
        self.enter(w, "e", "id < 7 || id == 1000")
        w.wait_for(r"selected 8 id < 7 \|\| id == 1000")
        w.until(lambda: "selected: 8 of 1024" in "".join(w.lines()), "the legend does not count them")
        self.enter(w, "e", "speed > 2")
        w.wait_for('message .*"speed": the particles of this mode have no velocities.*')
        w.click("remove-selection", then="selected 0")

    def test_shift_and_a_click_pick_the_second_one(self):
        w = self.open("hexatic", "--set", "n=1024")
        self.enter(w, "slash", "7")
        w.wait_for("fly 7")
        at = w.settled("particle")
        unit = float(w.state("units-per-sigma"))
        w.mark()
        with w.held("shift"):
            w.click_at(at[0] + 1.1 * unit, at[1])
        second = w.wait_for(r"pair 7 \d+")
        self.assertNotEqual(second, "pair 7 7")
        w.click_at(at[0], at[1])
        w.until(lambda: w.state("pair") == "", "the pair is still there")
        self.assertEqual(w.state("picked"), "7")


if __name__ == "__main__":
    run_tests()
