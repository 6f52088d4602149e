"""The gallery, and files that are opened, in small windows: gallery_test.py PROGRAM SCENARIOS."""
import os

from lecture_tools import SCENARIOS, ProgramTest, path_of
from window_driver import Png, keys, run_tests, write, xdotool

NAMES = sorted(f[:-5] for f in os.listdir(SCENARIOS) if f.endswith(".toml"))
MODES = ("gcmc", "gibbs", "hard_disks", "md", "museum")


def open_by_gallery(w, scenario="dilute"):
    w.click("button:gallery")
    w.works(0.5)
    w.click("scenario:" + scenario)
    w.wait_for("scenario " + scenario, 60)


class Gallery(ProgramTest):
    def test_gallery_shows_a_picture_of_every_scenario_and_opens_it(self):
        end = os.path.join(self.folder(), "end.png")  # keys, the one for screenshots too, are searched for
        w = self.lecture(1280, 720, 1, "--screenshot-at-exit", end)
        w.click("button:gallery")
        w.works(0.5)
        for name in ("button:close-gallery", "gallery-search"):  # do not scroll away
            self.assertLessEqual(sum(w.settled(name)[1::2]), w.settled("gallery-cards")[1], name)
        w.click("button:close-gallery")
        w.works(0.4)
        w.click("button:gallery")  # it was closed: now it opens again
        w.works(1)
        w.click("scenario:dilute", then="scenario dilute")
        w.click("button:gallery")
        w.works(0.5)
        w.settled("picture:hexatic")
        place = w.settled("gallery-cards")
        w.move(2, 2)
        w.works(0.5)
        places = {name: w.rect("picture:" + name) for name in NAMES}
        w.process.terminate()
        w.finish()
        picture = Png(end)
        for name, (x, y, wide, high) in places.items():  # all at once
            self.assertGreaterEqual(wide, 44)
            self.assertGreaterEqual(y, place[1], name)
            self.assertLessEqual(y + high, place[1] + place[3], name)
            self.assertGreater(len(picture.colours(x + 8, y + 8, wide - 16, high - 16)), 12, name)

    def test_headings_are_engines_levels_or_topics(self):
        w = self.lecture(1280, 720, 1)
        w.click("button:gallery")
        for grouping, heading in (("level", "first look"), ("topic", "phases in contact"),
                                  ("engine", "md")):
            w.click("group:" + grouping, then="grouped " + grouping)
            w.works(0.5)
            w.settled("heading:" + heading)
            place = w.settled("gallery-cards")
            for name in NAMES:
                x, y, wide, high = w.rect("scenario:" + name)
                self.assertGreaterEqual(y, place[1], (grouping, name))
                self.assertLessEqual(y + high, place[1] + place[3], (grouping, name))
        # None is printed over the next one.
        headings = sorted((w.rect("heading:" + mode) for mode in MODES), key=lambda rect: rect[1])
        for above, below in zip(headings, headings[1:]):
            self.assertLessEqual(above[1] + above[3], below[1])

    def test_a_double_click_opens_the_gallery_and_nothing_else(self):
        w = self.lecture(1280, 720, 1)
        w.click("button:gallery", repeat=2)  # a card comes to lie under the mouse
        w.works(1)
        self.assertFalse(w.since("open"))
        self.assertFalse(w.since("gallery closed"))
        w.click("scenario:dilute", then="open dilute")

    def test_a_scenario_opens_as_many_plots_as_have_room_and_is_undone(self):
        w = self.lecture(1280, 720, 1)
        w.rect("plot:psi6")
        self.assertFalse(w.drawn("plot:eos"))
        open_by_gallery(w)
        w.rect("plot:g")
        w.key("ctrl+z", then="undo")
        w.wait_for("parameter n 1024")
        w.wait_for("scenario hexatic")

    def test_files_open_when_they_are_dropped_on_the_window(self):
        w = self.lecture(1280, 720, 1)
        broken = os.path.join(w.folder, "broken")
        for ending, words in ((".toml", "broken.toml"), (".checkpoint", "is not a checkpoint")):
            w.drop(write(broken + ending, "mode = ["), then=f"message .*{words}.*")
        w.click("go:Files")
        w.click("button:save-checkpoint")
        path = w.told("checkpoint")
        self.assertTrue(path.endswith("hexatic.checkpoint"), path)
        w.click("button:save-checkpoint")
        self.assertIn("hexatic-2.checkpoint", w.wait_for("checkpoint"))
        w.wait_for("message Checkpoint written")
        w.drop(path_of("dilute"), then="scenario dilute")
        w.drop(path, then="scenario hexatic")
        w.wait_for("parameter n 1024")

    def test_every_scenario_opens_and_is_drawn(self):
        w = self.lecture(1280, 720, 1)
        for name in [n for n in NAMES if "million" not in n]:  # minutes without a GPU
            w.drop(path_of(name), then="scenario " + name, timeout=120)
            w.works(0.1)

    def test_a_scenario_opened_again_shows_its_own_view(self):
        w = self.lecture(1280, 720, 1)
        w.key("2")  # a layer that this scenario does not show
        w.wait_for("layer cells on")
        open_by_gallery(w, "hexatic")
        w.key("2", then="layer cells on")

    def test_a_scenario_that_begins_paused_does_so_while_another_one_plays(self):
        w = self.lecture(1280, 720, 1)
        w.wait_for("playing on")
        open_by_gallery(w, "tree_walk")
        self.assertEqual(w.seen("playing", 1), "playing off")
        w.key("space", then="playing on")
        open_by_gallery(w)
        self.assertEqual(w.seen("playing"), "")  # it plays on

    def test_a_stale_list_is_red_while_it_misses_pairs(self):
        w = self.lecture(1280, 720, 1, scenario="stale_list")
        w.wait_for("failed .*neighbour list.*", 120)
        w.click("switch:promoted-stale_lists", then="parameter stale_lists false")
        w.until(lambda: "neighbour list" not in w.state("failed"), "the lamp stays red", 60)

    def test_a_dialog_takes_all_keys(self):
        w = self.lecture(1280, 720, 1, "--paused")
        w.click("button:gallery")
        w.takes_text()
        x, y, wide, _ = w.settled("gallery-cards")
        w.click_at(x + wide / 2, y - 12)  # the search loses the keyboard
        w.until(lambda: w.state("keyboard") == "shortcuts", "the search keeps the keyboard")
        w.mark()
        for key in ("r", "period", "2", "d", "space"):  # they are searched for
            keys(key)
        for event in ("reset", "step", "layer", "play", "detach"):
            self.assertEqual(w.seen(event, 0.2), "", event)
        w.takes_text()
        w.key("Escape")
        w.until(lambda: w.state("keyboard") == "shortcuts", "the search keeps the keyboard")
        w.key("F1", then="help on")
        w.key("r")
        self.assertEqual(w.seen("reset"), "")
        w.key("question", then="help off")
        w.key("r", then="reset")

    def test_the_gallery_is_used_by_keys_alone(self):
        w = self.lecture(1280, 720, 1, "--paused")
        w.click("button:gallery")
        w.takes_text()
        w.key("Right")
        first = w.wait_for("chosen")
        w.key("Down")
        below = w.wait_for("chosen")
        self.assertNotEqual(first, below)
        (x, y), (x2, y2) = (w.centre("scenario:" + line.split()[1]) for line in (first, below))
        self.assertEqual(x, x2)
        self.assertGreater(y2, y)
        w.key("Up")
        self.assertEqual(w.wait_for("chosen"), first)
        xdotool("type", "tree_walk")
        w.until(lambda: w.state("found") == "1", "the search finds other scenarios")
        w.key("Return", then="open tree_walk")

    def test_another_choice_gives_up_the_one_being_set_up(self):
        w = self.lecture(1280, 720, 1)
        for name in ("million", "dilute"):
            w.click("button:gallery")
            w.works(0.5)
            w.click("scenario:" + name, then="open " + name)
            if name == "million":
                w.rect("button:cancel-setup")  # it takes a while
        w.wait_for("cancel Opening")
        w.wait_for("scenario dilute", 60)


if __name__ == "__main__":
    run_tests()
