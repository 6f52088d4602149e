"""The program itself in small windows, as in a lecture: lecture_test.py PROGRAM SCENARIOS."""
import re

from lecture_tools import ProgramTest, covered, inside, path_of
from window_driver import keys, run_tests, text_of

KEYS_OF_LAYERS = "2345"  # the others are on
EXPERIMENTS = ("--set", "no_particle_shuffle=true", "no_set_shuffle=true", "no_cell_shift=true")


class SmallWindows(ProgramTest):
    def pick(self, w):
        """A disk near the middle of the picture."""
        x, y = w.centre("viewport")
        w.pick_near(x, y - 30, 3, 2)

    def picked_with_layers(self, width, height, scale):
        w = self.lecture(width, height, scale, "--paused")  # the same disk in the same sweep every time
        self.pick(w)
        for key in KEYS_OF_LAYERS:
            w.key(key, then="layer")
        w.key("period", then="step")
        w.works(1)
        return w, w.settled("viewport")

    def test_card_and_legend_leave_the_picture_to_be_seen(self):
        w, viewport = self.picked_with_layers(1280, 720, 1)
        self.assertLess(covered(viewport, w.settled("legend")), 0.20)
        # Docked: the card takes nothing of the picture.
        self.assertFalse(w.drawn("card:particle"))
        self.assertGreater(w.rect("section:particle")[0], viewport[0] + viewport[2])
        # The picked disk is in view and under nothing.
        particle = w.rect("particle")
        self.assertTrue(inside(particle, viewport))
        self.assertFalse(inside(particle, w.rect("legend")))

    def test_the_picture_stays_where_it_is_while_legend_and_card_change(self):
        for width, height, pressed in ((1024, 768, ()), (1280, 720, ()), (1280, 720, ("p",))):
            w = self.lecture(width, height, 1, "--paused")
            for key in pressed:
                w.key(key)
                w.works(1)
            w.at_rest()
            viewport, scale = w.settled("viewport"), w.state("units-per-sigma")
            self.assertGreater(float(scale), 1)
            self.pick(w)
            for key in ("2", "3", "period", "comma", "comma"):
                w.key(key)
                w.works(0.5)
            w.at_rest()
            self.assertEqual((w.settled("viewport"), w.state("units-per-sigma")), (viewport, scale))
            w.close()

    def test_tools_stand_above_the_box_where_there_is_no_room_beside_it(self):
        for width, height in ((1024, 768), (1280, 720)):
            w = self.lecture(width, height, 1, "--paused")
            w.at_rest()
            box, chips = w.settled("box"), w.rect("chip:colouring")
            for tool in ("tool:fit", "tool:screenshot", "hand:select", "hand:delete"):
                x, y, wide, high = w.rect(tool)
                self.assertGreaterEqual(y, chips[1] + chips[3])
                self.assertLessEqual(y + high, box[1] + 1, tool)
            w.close()

    def test_card_on_the_picture_where_there_is_no_column(self):
        w, viewport = self.picked_with_layers(960, 540, 2)
        self.assertGreater(viewport[2], 0.5 * 1920)
        self.assertLess(covered(viewport, w.settled("legend")), 0.20)
        card = w.settled("card:particle")
        self.assertLess(covered(viewport, card), 0.25)
        self.assertFalse(inside(w.rect("particle"), card))
        w.click("section:particle")  # folded up, only the heading stays
        w.works(0.4)
        self.assertLess(w.settled("card:particle")[3], 110)
        w.click("legend-fold")
        w.works(0.4)
        self.assertLess(covered(viewport, w.settled("legend")), 0.02)

    def test_run_control_and_legend_stand_apart_in_presentation_mode(self):
        for width, height, scale in ((1280, 720, 1), (960, 540, 2)):
            w, _ = self.picked_with_layers(width, height, scale)
            w.key("p", then="presentation on")
            w.works(1)
            play, legend, viewport = w.settled("button:play"), w.settled("legend"), w.settled("viewport")
            # The picture has all that the column leaves, which is less than half.
            column = w.settled("presentation")
            self.assertEqual(viewport, [0, 0, column[0], height * scale])
            self.assertEqual(sum(column[0::2]), width * scale)
            self.assertGreater(viewport[2], column[2])
            self.assertEqual(covered(play, legend), 0)
            self.assertEqual(covered(play, viewport), 1)
            self.assertEqual(covered(legend, viewport), 1)
            w.close()

    def test_a_card_in_a_presentation_has_whole_rows(self):
        for width, height in ((1024, 768), (1280, 720), (1920, 1080)):
            w, _ = self.picked_with_layers(width, height, 1)
            w.key("p", then="presentation on")
            w.works(1)
            w.settled("presentation")
            shown, rows, bottom = (int(word) for word in w.state("card-rows").split())
            self.assertLessEqual(bottom, height)
            self.assertGreaterEqual(shown, min(rows, 3))
            if height == 1080:
                self.assertEqual(shown, rows)
            x, y, wide, high = w.settled("section:particle")
            self.assertLess(y + high, height)
            w.close()

    def test_a_slider_and_a_plot_stay_in_view_while_text_grows(self):
        w = self.lecture(1280, 720, 1)
        w.rect("plot:pressure")

        def in_view(name):
            place = w.settled(name)
            self.assertEqual(covered(place, [0, 0, 1280, 690]), 1, (name, place))
            self.assertGreater(place[2], 150, name)
            self.assertEqual(covered(place, w.settled("viewport")), 0, name)

        for _ in range(6):
            w.key("ctrl+plus", then="zoom")
            w.works(0.5)
            in_view("promoted:packing")
            in_view("plot:pressure")
        # The column that is folded can be had instead of the other one, with the slider.
        w.click("swap-plots", then="swap right")
        w.works(0.5)
        in_view("promoted:packing")
        x, y, wide, high = w.settled("plot:pressure")
        self.assertTrue(x > 640 and x + wide <= 1280 and y + 200 <= 690, (x, y, wide))
        w.click("swap-controls", then="swap left")
        w.works(0.5)
        in_view("plot:pressure")

    def test_play_drag_a_slider_and_take_a_picture(self):
        """By the mouse and a key, on the engine itself: it moves its disks less far and says so."""
        w = self.lecture(1280, 900, 1, "--paused")
        before = w.screenshot()
        self.assertEqual(before.text["step"], "0")
        w.click("button:play", then="playing on")
        w.click("go:Parameters")
        w.above("slider:d", 872)
        during = w.drag_along("slider:d", 0.75, 0.45)
        self.assertGreaterEqual(len([line for line in during if line.startswith("set d ")]), 3, during)
        wanted = w.since("set d")[-1].split()[2]
        w.wait_for(f"parameter d {wanted}")  # the engine's answer
        w.works(1)
        after = w.screenshot()
        self.assertEqual(after.text["d"], wanted)
        self.assertNotEqual(after.text["d"], before.text["d"])
        self.assertGreater(int(after.text["step"]), 0)
        self.assertEqual((after.text["scenario"], after.text["mode"]), ("hexatic", "hard_disks"))
        self.assertEqual((after.width, after.height), (1280, 900))
        x, y, wide, high = w.settled("viewport")
        middle = (x + wide // 4, y + high // 4, wide // 2, high // 2)
        self.assertGreater(len(after.colours(*middle)), 200)  # disks of many directions, shaded
        moved = sum(after.pixel(px, py) != before.pixel(px, py)
                    for px in range(middle[0], middle[0] + middle[2], 7)
                    for py in range(middle[1], middle[1] + middle[3], 7))
        self.assertGreater(moved, 500)
        w.click("go:Files")
        w.click("button:save-checkpoint")
        path = w.told("checkpoint")
        w.wait_for("message Checkpoint written")
        csv = path + ".csv"
        self.runs("run", "--resume", path, "--steps", "500", "--backend", "cpu", "--csv", csv)
        changes = re.findall(r"(?m)^# changed after step (\d+): d = (.*)$", text_of(csv))
        self.assertEqual(changes[-1][1], wanted)
        self.assertGreater(int(changes[-1][0]), 0)  # while it ran
        rows = [line.split(",") for line in text_of(csv).splitlines() if not line.startswith("#")]
        column = rows[0].index("acceptance")
        acceptance = sum(float(row[column]) for row in rows[1:]) / len(rows[1:])
        self.assertGreater(acceptance, 0.4)  # 0.28 with the 0.16 of the scenario

    def lists_the_kernels(self, w):
        x, first, wide, high = w.settled("kernels")
        rows = [w.rect("kernel:" + name) for name in ("trial moves", "cell shift", "contact histograms",
                                                      "bond order")]
        self.assertEqual([row[3] for row in rows], 4 * [high])
        last = w.settled("kernels:outside")
        self.assertTrue(all(first < row[1] < last[1] for row in rows))
        self.assertEqual((last[0], last[2]), (x, wide))
        self.assertGreaterEqual(x, 920)
        self.assertLessEqual(x + wide, 1280)

    def test_every_panel_is_a_click_away_and_whole(self):
        w = self.lecture(1280, 720, 1, "--backend", "cpu")
        w.works(2)
        for name in ("pressure", "eos", "psi6", "acceptance", "g_contact"):  # headings, all at once
            self.assertLessEqual(sum(w.settled("section:plot-" + name)[1::2]), 692, name)
        self.assertLessEqual(sum(w.settled("section:performance")[1::2]), 692)
        for name, section in (("Performance", "section:performance"), ("Parameters", "section:parameters"),
                              ("Files", "section:files"), ("Run", "section:run")):
            w.click("go:" + name)
            w.works(0.4)
            _, y, _, high = w.settled(section)
            self.assertGreaterEqual(y, 24, name)
            self.assertLessEqual(y + high, 692, name)
        w.click("go:Performance")
        w.works(1)
        self.lists_the_kernels(w)
        _, backend, _, _ = w.settled("backend")
        _, path, _, high = w.settled("sink")
        self.assertLess(backend, path)
        self.assertLessEqual(path + high, 692)
        w.mark()
        w.move(*w.centre("sink"))
        w.rect("tooltip", 3)

    def test_long_names_of_kernels_go_on_below(self):
        w = self.lecture(1280, 720, 1, "--set", "kernel=teams", scenario="lj_all_pairs")
        w.click("button:play")  # the crystal waits for it
        w.wait_for("playing on")
        w.click("go:Performance")
        w.wait_for("rect kernels", 60)
        _, _, _, high = w.settled("kernels")
        self.assertEqual(w.settled("kernel:half kick")[3], high)
        self.assertGreater(w.settled("kernel:all-pairs forces (teams)")[3], 1.5 * high)

    def test_plots_that_the_scenario_does_not_ask_for_can_be_opened(self):
        w = self.lecture(1280, 1000, 1, scenario="no_shuffle")
        others = ("eos", "g", "psi6", "acceptance by set")
        w.works(2)
        for name in ("acceptance", "pressure", "g_contact"):
            w.rect("plot:" + name)
        for name in others:
            self.assertNotIn("section:plot-" + name, w.drawn("section:plot-"))
        for name in ("g_contact", "pressure", "acceptance"):  # folded: then all headings are in view
            w.click("section:plot-" + name)
        w.click("section:more-plots")
        _, heading, _, _ = w.settled("section:more-plots")
        for name in others:
            self.assertGreater(w.settled("section:plot-" + name)[1], heading, name)
            self.assertNotIn("plot:" + name, w.drawn("plot:"))
        for name in ("eos", "acceptance by set"):
            w.click("section:plot-" + name)
            x, y, wide, high = w.settled("plot:" + name)
            self.assertGreaterEqual(wide, 300)
            self.assertGreaterEqual(high, 92)

    def test_a_narrow_window_changes_columns(self):
        w = self.lecture(960, 540, 1)
        x = w.settled("viewport")[0]
        self.assertEqual(x, 320)
        w.click("column:right")
        w.works(0.4)
        x, _, wide, _ = w.settled("viewport")
        self.assertEqual((x, x + wide), (28, 960 - 360))
        w.click("column:left")
        w.works(0.4)
        self.assertEqual(w.settled("viewport")[0], 320)

    def shows_the_self_checks(self, w, wide):
        """Each by name in the line as it is drawn now, whatever else had to leave it, and inside
        the window."""
        w.works(3)
        shown = [line for line in w.lines() if line.startswith("status ")][-1][7:].split(", ")
        for name in ("check-disks", "check-overlaps", "check-cell width"):
            self.assertIn(name, shown)
            x, _, width, _ = w.settled("status:" + name)
            self.assertTrue(0 <= x <= wide - width, name)
        return shown

    def test_experiments_leave_room_for_the_self_checks(self):
        w = self.lecture(1280, 720, 1, *EXPERIMENTS)
        w.rect("status:experiment")
        self.shows_the_self_checks(w, 1280)

    def test_self_checks_stay_beside_overlaps_of_an_experiment(self):
        w = self.lecture(1280, 720, 1, "--set", "packing=0.698", scenario="leave_cell")
        w.wait_for("status .*experiment.*")
        shown = self.shows_the_self_checks(w, 1280)
        self.assertIn("experiment", shown)

    def test_self_checks_stay_in_large_print(self):
        w = self.lecture(854, 480, 1.5)
        self.assertIn("rate", self.shows_the_self_checks(w, 1281))

    def test_the_step_and_an_experiment_are_the_last_to_leave_the_line(self):
        w = self.lecture(600, 480, 1, "--paused", *EXPERIMENTS)
        for name in ("step", "experiment"):
            x, _, wide, _ = w.settled("status:" + name)
            self.assertLessEqual(x + wide, 600, name)

    def test_without_typefaces_a_warning_names_them_and_long_phases_are_whole(self):
        w = self.started("window", path_of("argon"), "--set", "n=1024", "--size", "1024x768", "--scale",
                         1, "--paused", CELLSCOPE_FONTS="/nowhere")
        w.wait_for("message .*fonts-inter, fonts-jetbrains-mono")
        x, _, wide, high = w.settled("phase:check displacement, take slots in order")
        self.assertLessEqual(x + wide, w.rect("viewport")[0] - 8)
        self.assertGreater(high, w.rect("phase:forces")[3], "on two lines")

    def test_nothing_is_explained_where_somebody_has_just_clicked(self):
        w = self.lecture(1280, 720, 1)
        w.click("button:averages")
        w.works(1)
        self.assertFalse(w.since("rect tooltip"))
        w.move(640, 360)
        w.move(*w.centre("button:averages"))
        w.rect("tooltip", 3)

    def test_errors_leave_with_the_next_change_and_notes_with_escape(self):
        w = self.lecture(1280, 720, 1)
        w.click("go:Parameters")
        w.works(0.4)
        w.click("value:n", repeat=2)
        w.rect("edit:n")
        w.works(1)
        w.mark()
        for key in "10":  # too small a box
            keys(key)
            w.works(0.3)
        keys("Return")
        w.wait_for("message the box is too")
        w.works(3.5)  # it was read
        w.key("r", then="left 1")
        w.wait_for("message Started over")
        w.key("Escape", then="dismissed 1")

    def test_a_window_is_never_larger_than_the_screen(self):
        w = self.started("window", path_of("four_disks"), "--scale", 2)
        x, y, wide, high = w.settled("status:step")
        self.assertLessEqual(y + high, 1080)
        x, y, wide, high = w.settled("column:right")
        self.assertLessEqual(x + wide, 1920)

    def test_all_keys_are_in_view_at_once(self):
        for width, height, scale in ((1280, 720, 1), (1024, 768, 1), (960, 540, 2)):
            w = self.lecture(width, height, scale, "--paused")
            w.key("question", then="help on")
            self.assertEqual(covered(w.settled("help-sheet"), [0, 0, width * scale, height * scale]), 1)
            self.assertEqual(w.state("help-scrolls"), "off")
            w.close()

    def test_keys_in_a_small_window_are_explained_whole(self):
        w = self.lecture(800, 600, 1, "--paused")
        w.key("question", then="help on")
        w.settled("help-sheet")
        self.assertFalse(w.drawn("key:"), "shortened")
        for _ in range(3):
            w.key("ctrl+plus")
            w.works(0.5)
        w.settled("help-sheet")
        shortened = list(w.drawn("key:"))
        self.assertTrue(shortened)
        for name in shortened[:2]:
            w.move(640, 590)
            w.works(0.5)
            w.mark()
            w.move(*w.centre(name))
            w.wait_for("rect tooltip .*")

    def test_the_help_texts_are_in_the_window(self):
        for width, height, scale in ((1280, 720, 1), (960, 540, 2)):
            w = self.lecture(width, height, scale, "--paused")
            w.key("F1", then="help on")
            w.click("button:help-topics")
            w.click("button:help-formats", then="help-topic formats")
            self.assertEqual(covered(w.settled("help-sheet"), [0, 0, width * scale, height * scale]), 1)
            w.click("button:help-keys")
            w.settled("button:tour-help")
            w.close()

    def test_small_print_starts_too(self):
        w = self.lecture(1280, 720, 0.8)
        self.assertEqual(w.settled("viewport")[0], 256)
        w.rect("plot:pressure")


if __name__ == "__main__":
    run_tests()
