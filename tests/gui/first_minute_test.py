"""What a scenario says of the first minute: first_minute_test.py PROGRAM SCENARIOS."""
import os

from lecture_tools import ProgramTest, copied_line, covered, set_d
from window_driver import run_tests, text_of, xdotool


class FirstMinute(ProgramTest):
    def open(self, scenario, *options):
        return self.shown(scenario, *options, until="")

    def test_the_crystal_is_at_rest_until_play_is_pressed(self):
        w = self.open("lj_all_pairs")
        w.wait_for("rect button:play", 60)
        w.works(2)
        self.assertFalse(any(line == "playing on" for line in w.lines()))
        w.settled("promoted:dt")
        w.settled("watched:temperature")
        w.click("button:play", then="playing on")
        w.key("space", then="playing off")

    def test_the_promoted_slider_acts_within_its_interesting_range(self):
        w = self.open("hexatic", "--paused")
        x, y, width, height = w.settled("slider:promoted-packing")
        w.click_at(x + width - 8, y + height / 2)
        value = float(w.wait_for("set packing").split()[2])
        self.assertAlmostEqual(value, 0.73, delta=0.0015)
        w.wait_for("parameter packing", 60)

    def test_a_packing_that_is_dragged_acts_at_once_and_is_one_step_to_undo(self):
        w = self.open("hexatic", "--paused", "--set", "n=256")
        x, y, wide, high = w.settled("slider:promoted-packing")
        w.move(x + 0.55 * wide, y + high / 2)
        w.mark()
        w.press()
        w.move(x + 0.35 * wide, y + high / 2)
        w.wait_for("parameter packing", 60)  # while it is held
        w.move(x + 0.15 * wide, y + high / 2)
        w.release()
        w.at_rest()
        w.key("ctrl+z", then="undo")
        w.wait_for("parameter packing 0.712", 30)

    def test_a_value_is_typed_in_the_row_that_was_clicked(self):
        w = self.open("hexatic", "--paused", "--set", "n=256")
        w.go_to("Parameters", "value:packing")  # shown large as well, out of sight now
        w.click("value:packing", repeat=2)
        w.rect("edit:packing")
        w.takes_text()
        w.retype(lambda: None, "0.705", lambda: True)
        w.key("Return", then="set packing 0.705")
        w.go_to("Play", "promoted:packing")
        w.click("promoted:packing", button=3)
        w.click("edit-value:packing")
        w.takes_text()
        w.rect("edit:packing")

    def test_an_experiment_is_switched_where_it_is_shown_large(self):
        w = self.open("leave_cell", "--paused", "--set", "n=256")
        w.settled("promoted:leave_cell")
        w.settled("watched:overlapping_pairs")
        w.click("switch:promoted-leave_cell", then="set leave_cell false")
        w.wait_for("parameter leave_cell false")
        w.close()
        w = self.open("gcmc_board_wrong", "--paused")
        w.at_rest()
        w.click("choice:promoted-checkerboard_condition")
        w.click("choose:checkerboard_condition:none", then="parameter checkerboard_condition none")

    def test_the_number_to_watch_settles(self):
        w = self.open("dilute")
        w.wait_for("rect watched:pressure", 60)
        w.wait_for("watched equilibrating", 60)
        w.wait_for("watched equilibrated", 240)

    def test_the_window_opens_with_a_number_that_settles(self):
        w = self.shown(until="scenario workbench")
        for name in ("chip:method", "chip:mapping", "panel:play", "plot:density", "plot:energy",
                     "plot:pressure"):  # on one screen
            self.assertEqual(covered(w.settled(name), [0, 0, 1280, 720]), 1, name)
        cutoff = [list(map(int, line.split()[2:])) for line in w.lines()
                  if line.startswith("rect slider:cutoff ")]
        x, y, wide, high = w.rect("panel:play")
        self.assertTrue(any(y < place[1] < y + high for place in cutoff), cutoff)
        for layer in ("cells", "sets"):
            w.rect("chip:" + layer)
        w.wait_for("watched equilibrated", 240)

    def test_choices_are_chips_with_keys(self):
        w = self.open("workbench", "--paused", "--set", "method=serial_cells")
        w.rect("chip:mapping")
        w.key("m")
        w.wait_for("parameter method all_particles", 60)
        w.click("chip:method")
        w.click("choose:method:cells")
        w.wait_for("parameter method cells", 60)
        w.key("n")
        w.wait_for("parameter mapping 9x3", 60)

    def test_what_does_nothing_now_is_hidden_until_it_is_asked_for(self):
        w = self.open("argon", "--paused", "--set", "n=500")
        w.click("go:Parameters")
        w.wait_for("rect choice:thermostat", 60)
        self.assertFalse(w.drawn("value:friction"))
        w.key("a", then="all-parameters on")
        w.rect("value:friction")
        w.key("a", then="all-parameters off")
        w.click("go:Parameters")
        w.click("all-parameters", then="all-parameters on")
        w.close()
        w = self.open("argon", "--paused", "--set", "n=500", "thermostat=langevin")
        w.click("go:Parameters")
        w.rect("value:friction")

    def test_five_icons_do_what_their_keys_do(self):
        w = self.open("argon", "--paused", "--set", "n=500")
        for tool, event in (("theme", "theme light"), ("present", "presentation on"),
                            ("present", "presentation off"), ("screenshot", "screenshot .*"),
                            ("help", "help on")):
            w.click("tool:" + tool)
            w.wait_for(event)
        w.key("Escape", then="help off")
        w.close()
        w = self.open("hexatic", "--paused", "--set", "n=1024")
        w.at_rest()
        before = w.state("units-per-sigma")
        w.move(*w.centre("viewport"))
        for _ in range(5):
            xdotool("click", 4)
        w.until(lambda: w.state("units-per-sigma") != before, "the wheel does not zoom")
        w.click("tool:fit")
        w.until(lambda: w.state("units-per-sigma") == before, "the box is not fitted again")

    def test_a_number_is_there_before_the_first_sample(self):
        w = self.open("museum_cell_zero")
        w.until(lambda: w.state("watched-value") == "28", "the number to watch has no value")
        self.assertEqual(w.state("watched"), "equilibrated", "a count waits for no mean")

    def test_what_is_on_the_screen_is_saved_and_opened_again(self):
        w = self.open("argon", "--paused", "--set", "n=500")
        w.wait_for("rect button:play", 60)
        w.key("o", then="projection orthographic")
        w.click("go:Files")
        w.click("button:save-scenario")
        path = w.told("scenario-saved")
        for words in ('projection = "orthographic"', "n = 500"):
            self.assertIn(words, text_of(path))
        steps = ("--steps", "2", "--backend", "cpu", "--csv", "line.csv")
        self.runs("run", path, *steps, cwd=w.folder)
        line = copied_line(w)
        self.assertIn("seed=", " ".join(line))
        self.assertIn("--made-with", line)
        self.runs("run", *line, *steps, cwd=w.folder)
        self.assertIn("# parameter n = 500\n", text_of(os.path.join(w.folder, "line.csv")))

    def test_a_copied_line_goes_on_from_a_checkpoint(self):
        folder = self.folder()
        saved = os.path.join(folder, "a state")  # not every checkpoint is named so
        self.runs("run", "four_disks", "--steps", "20", "--backend", "cpu", "--checkpoint", saved)
        w = self.shown("--resume", saved, "--paused", until="message .*loaded at step 20.*")
        value = set_d(w)
        line = copied_line(w)
        self.assertEqual(line[:2], ["--resume", "a state"])  # no folder of this computer
        line[1] = saved
        w.close()
        other = self.started("window", *line, "--backend", "cpu", "--scale", 1, "--paused")
        other.wait_for("message .*loaded at step 20.*", 60)
        other.wait_for(f"parameter d {value}")  # set once the checkpoint is loaded
        other.at_rest()
        other.key("s")
        csv = os.path.join(folder, "a.csv")
        steps = ("--backend", "cpu", "--steps", "2")
        self.runs("run", other.told("screenshot"), *steps, "--csv", csv)
        self.assertIn(f"# parameter d = {value}\n", text_of(csv))
        self.runs("run", *line, *steps)
        self.assertIn("2 sweeps in", self.runs("run", saved, *steps).stdout)

    def test_the_gallery_shows_a_large_picture(self):
        w = self.open("argon", "--paused", "--set", "n=500")
        w.click("button:gallery")
        w.takes_text()
        w.key("Right")
        name = w.wait_for("chosen").split()[1]
        w.until(lambda: w.state("preview") == name, "no preview of what keys have chosen")
        w.works(1)  # the card under the mouse says nothing after a click
        w.move(*w.centre("scenario:spinodal_2d"))
        w.until(lambda: w.state("preview") == "spinodal_2d", "no preview under the mouse")
        preview = w.rect("preview")
        self.assertGreaterEqual(preview[2], 300)
        self.assertEqual(covered(preview, [0, 0, 1280, 720]), 1)

    def test_the_gallery_is_searched(self):
        w = self.open("dilute", "--paused")
        w.wait_for("rect button:gallery", 60)
        w.click("button:gallery")
        everything = int(w.wait_for("found").split()[-1])
        w.click("gallery-search")
        w.takes_text()
        xdotool("type", "--delay", "60", "poisson")
        w.until(lambda: 1 <= int(w.state("found")) < everything, "all scenarios are found")
        w.rect("scenario:gcmc_ideal")


if __name__ == "__main__":
    run_tests()
