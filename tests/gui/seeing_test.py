"""Seeing structures: ranges of colours, what is selected, layers by key, a particle flown to, its
card. By real input on the program itself: seeing_test.py PROGRAM SCENARIOS."""
from lecture_tools import ProgramTest, path_of
from window_driver import run_tests

VIEWPORT = (0x0E, 0x11, 0x16)


class Seeing(ProgramTest):
    def open(self, scenario, *options):
        w = self.shown(path_of(scenario), "--paused", *options)
        w.at_rest()
        return w

    def picture(self, w):
        w.at_rest()
        return w.screenshot()

    def middle(self, w):
        """Part of the picture that is free of chips, legend, card and notes."""
        x, y, wide, high = w.settled("viewport")
        return [(i, k) for i in range(x + wide // 3, x + 2 * wide // 3, 3)
                for k in range(y + high // 4, y + 2 * high // 3, 3)]

    def seen(self, w, picture):
        """Share of the middle of the picture that is not background."""
        points = self.middle(w)
        return sum(picture.pixel(*p) != VIEWPORT for p in points) / len(points)

    def coloured(self, w, picture):
        """Share that is neither background nor grey."""
        points = self.middle(w)
        return sum(max(c) - min(c) > 60 for c in (picture.pixel(*p) for p in points)) / len(points)

    def differing(self, w, one, other):
        points = self.middle(w)
        return sum(one.pixel(*p) != other.pixel(*p) for p in points) / len(points)

    def typed(self, w, field, text):
        """The text of a field of the range, replaced."""
        at = 0 if field == "smallest" else 1

        def stands():
            said = w.state("range-typed").split(" ")
            return len(said) == 2 and said[at].replace("\N{MINUS SIGN}", "-") == text

        def click():
            x, y, _, high = w.settled("range:" + field)
            w.click_at(x + 12, y + high / 2)

        w.retype(click, text, stands)

    def test_a_range_of_colours_is_set_by_hand_and_given_back(self):
        w = self.open("argon", "--set", "n=500")
        before = self.picture(w)
        w.click("range:particles")
        self.typed(w, "smallest", "-2")
        self.typed(w, "largest", "-4")
        w.click("range:set")  # refused: the smallest must be below the largest
        w.at_rest()
        self.assertFalse(w.since("colour-range"))
        self.typed(w, "largest", "-1.5")
        w.click("range:set", then="colour-range particles -2 -1.5")
        ranged = self.picture(w)
        self.assertGreater(self.differing(w, before, ranged), 0.2)
        self.assertIn('colour_ranges = ["-2..-1.5 particles/potential energy"]',
                      ranged.text["Experiment"].replace("-2.0", "-2"))
        w.click("range:particles")
        w.click("range:automatic", then="colour-range particles automatic")
        after = self.picture(w)
        self.assertEqual(self.differing(w, before, after), 0)
        self.assertNotIn("colour_ranges", after.text["Experiment"])

    def test_particles_keep_their_colours_beside_cells_only_when_asked(self):
        w = self.open("argon", "--set", "n=500")
        w.key("4")  # the box, which needs no grey
        w.wait_for("layer box off")
        before = self.coloured(w, self.picture(w))
        w.key("9", then="layer cells on")
        quiet = self.coloured(w, self.picture(w))
        w.go_to("Layers", "switch:keep-colours")
        w.click("switch:keep-colours", then="keep-colours on")
        kept = self.picture(w)
        self.assertGreater(before, 0.3)
        self.assertLess(quiet, 0.5 * before)
        self.assertGreater(self.coloured(w, kept), quiet + 0.15)
        self.assertIn("keep_colours = true", kept.text["Experiment"])
        w.click("switch:keep-colours", then="keep-colours off")

    def selected(self, w, number, words, panel="Inside"):
        """The others are hidden; the picture before and after."""
        before = self.picture(w)
        w.go_to(panel, f"select:{number}")
        w.click(f"select:{number}", then="selection " + words)
        w.at_rest()
        w.go_to(panel, "switch:hide-rest")  # it has become longer
        w.click("switch:hide-rest", then="hide-rest on")
        return before, self.picture(w)

    def test_one_type_is_shown_alone(self):
        w = self.open("binary_mixture")
        before, small = self.selected(w, 2, "One type")
        w.click("choice:type:1", then="selection-type")
        large = self.picture(w)
        for one in (small, large):
            self.assertGreater(self.differing(w, before, one), 0.05)
        self.assertGreater(self.differing(w, small, large), 0.05)

    def test_one_layer_of_cells_is_shown_alone(self):
        w = self.open("argon", "--set", "n=2000")
        before, one = self.selected(w, 3, "Layer of cells")
        self.assertTrue(any(line == "layer cells on" for line in w.lines()))
        self.assertLess(self.seen(w, one), 0.9 * self.seen(w, before))
        w.click("option:selection-layer", along=0.8, then="selection-layer")
        self.assertGreater(self.differing(w, one, self.picture(w)), 0.03)

    def test_levels_of_the_tree_are_chosen(self):
        w = self.open("tree_walk")
        _, few = self.selected(w, 5, "Tree levels", "Select")
        self.assertTrue(any(line == "layer tree on" for line in w.lines()))
        w.click("option:selection-highest", along=0.7)
        lowest, highest = (int(v) for v in w.wait_for("selection-levels").split()[1:])
        self.assertEqual(lowest, 0)
        self.assertGreater(highest, 3)
        self.assertLess(highest, 10, "the slider ends at the deepest leaf, not at what is allowed")
        self.assertGreater(self.differing(w, few, self.picture(w)), 0.05)

    def test_clusters_and_the_list_that_the_picked_one_shares(self):
        """Boxes of all clusters, the rings of one list; without clusters the layer says why."""
        w = self.open("cluster_lists")
        both = self.picture(w)
        self.assertGreater(self.coloured(w, both), 0.02)
        w.click("go:Layers")
        for layer, least in (("clusters", 0.01), ("cluster_list", 0.005)):
            w.above("layer:" + layer, 690)
            w.click("layer:" + layer, then=f"layer {layer} off")
            self.assertGreater(self.differing(w, both, self.picture(w)), least)
            w.click("layer:" + layer, then=f"layer {layer} on")
        self.assertEqual(self.differing(w, both, self.picture(w)), 0)
        x, y, wide, high = w.settled("viewport")
        w.click_at(x + 0.4 * wide, y + 0.4 * high)
        self.assertNotEqual(w.wait_for("picked"), "picked 273")
        self.assertGreater(self.differing(w, both, self.picture(w)), 0.005)

    def test_without_clusters_the_layer_says_why(self):
        w = self.open("cluster_lists", "--set", "method=cells")
        w.go_to("Layers", "layer:clusters")
        w.wait_for("rect layer-reason:clusters")

    def test_cells_of_one_thread_block_are_shown_alone(self):
        w = self.open("gcmc_microscope")
        w.key("period")
        w.wait_for("timeline 1 1 now", 60)
        w.at_rest()
        before, one = self.selected(w, 4, "Thread block", "Select")
        self.assertLess(self.seen(w, one), 0.9 * self.seen(w, before))
        w.click("option:selection-block", along=0.7, then="selection-block")

    def test_the_first_nine_layers_have_keys(self):
        w = self.open("tree_walk")
        chips = w.drawn("chip:")
        order = sorted(chips.keys() - {"chip:more", "chip:colouring"},
                       key=lambda name: (chips[name][1], chips[name][0]))
        self.assertEqual(len(order), 9)
        for number, name in enumerate(order, 1):
            w.key(str(number), then=f"layer {name[5:]} (on|off)")

    def click_a_particle(self, w, k):
        x, y, wide, high = w.settled("viewport")
        for near in range(12):
            w.click_at(x + wide * (0.42 + 0.05 * k) + 4 * near, y + high * (0.55 - 0.04 * k) + 3 * near)
            w.at_rest()
            picked = w.since("picked")
            if picked and int(picked[-1].split()[1]) >= 0:
                return int(picked[-1].split()[1])
        self.fail("no click hit a particle")

    def test_a_particle_flown_to_is_seen_and_the_eye_is_in_no_sphere(self):
        """In a dense liquid, with all others shown: what the middle of the picture shows, and so
        what a click there picks, is that particle and no other one."""
        w = self.open("argon", "--set", "n=864")
        for k in range(3):
            picked = self.click_a_particle(w, k)
            w.key("g", then=f"fly {picked}")
            picture = self.picture(w)
            x, y, wide, high = w.settled("viewport")
            self.assertNotEqual(picture.pixel(x + wide // 2, y + high // 2), VIEWPORT)
            w.click_at(x + wide / 2 + 1, y + high / 2 + 1)
            w.wait_for("click")
            w.at_rest()
            self.assertFalse(w.since("picked"), "another particle stands before it")
            w.key("f")
            w.click("button:unpick", then="picked -1")
            w.at_rest()

    def test_the_picture_makes_room_for_the_first_data_and_then_stays(self):
        w = self.open("gcmc_board")
        before = float(w.state("units-per-sigma"))
        w.key("space")
        w.until(lambda: float(w.state("units-per-sigma")) < before, "no room for the legend")
        w.key("space")
        w.at_rest()
        made = w.state("units-per-sigma")
        w.key("space")
        w.key("2", then="layer")
        w.works(2)
        w.key("space")
        w.at_rest()
        self.assertEqual(w.state("units-per-sigma"), made)

    def test_the_card_changes_ten_times_a_second(self):
        w = self.open("hexatic", "--set", "n=1024")
        self.click_a_particle(w, 0)
        def shown():
            """When the frame began that changed it: it is logged while that is built."""
            return [float(line.split()[1]) for line in w.lines() if line.startswith("card ")]

        begun = len(shown())
        w.key("space", then="playing on")
        w.until(lambda: len(shown()) >= begun + 12, "the card stands still", 60)
        times = shown()[begun + 1:]
        apart = [b - a for a, b in zip(times, times[1:])]
        self.assertGreaterEqual(min(apart), 0.098, apart)

    def test_a_note_about_what_was_undone_goes_with_it(self):
        w = self.open("hexatic", "--set", "n=1024")
        w.key("r", then="message Started over.*")
        w.at_rest()
        w.key("ctrl+z", then="dismissed 1")
        w.wait_for("undo")

    def test_a_presentation_keeps_card_and_lesson(self):
        w = self.open("hexatic", "--set", "n=1024")
        self.click_a_particle(w, 0)
        w.key("p", then="presentation on")
        w.at_rest()
        x, y, wide, high = w.settled("presentation")

        def below_each_other(*names):
            places = [w.settled(name) for name in names]
            for place in places:
                self.assertGreaterEqual(place[0], x)
                self.assertLessEqual(place[0] + place[2], x + wide)
                self.assertLessEqual(place[1] + place[3], y + high)
            for above, below in zip(places, places[1:]):
                self.assertLessEqual(above[1] + above[3], below[1] + 1)
            return places

        # A plot without samples gives its place to the card.
        below_each_other("lesson", "slider:promoted-packing", "watched:pressure", "section:particle")
        self.assertFalse(w.drawn("curve:large:pressure"))
        w.click("button:unpick")
        curve = below_each_other("lesson", "slider:promoted-packing", "watched:pressure",
                                 "curve:large:pressure")[-1]
        self.assertGreaterEqual(curve[3], 120)  # however long the legend is


if __name__ == "__main__":
    run_tests()
