"""Neighbour lists of files in the window: lists_test.py PROGRAM SCENARIOS."""
import os
import struct
import zipfile

from lecture_tools import ProgramTest, covered
from window_driver import run_tests

SIDE = 8  # of a square lattice of particles one apart


def array(values, shape, kind):
    """A .npy file; kind: f8 or i8."""
    head = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    body = struct.pack(f"<{len(values)}{'d' if kind == 'f8' else 'q'}", *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + body


def lattice(path, wrong):
    """All pairs one apart, in both directions; or without two pairs that cross the lower x face, and
    three entries twice."""
    place = [(x + 0.5, y + 0.5) for y in range(SIDE) for x in range(SIDE)]
    pairs = []
    for k in range(SIDE * SIDE):
        x, y = k % SIDE, k // SIDE
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            pairs.append((k, (x + dx) % SIDE + SIDE * ((y + dy) % SIDE), (x + dx) // SIDE,
                          (y + dy) // SIDE))
    if wrong:
        for left, right in ((0, 7), (16, 23)):
            pairs.remove((left, right, -1, 0))
            pairs.remove((right, left, 1, 0))
        pairs += [p for p in pairs if p[0] in (27, 36, 45) and p[1] == p[0] + 1]
    n, count = len(place), len(pairs)
    with zipfile.ZipFile(path, "w") as file:
        for name, values, shape, kind in (
                ("positions", [v for r in place for v in r], (n, 2), "f8"),
                ("cell", [SIDE, SIDE], (2,), "f8"), ("cutoff", [1.2], (1,), "f8"),
                ("i", [p[0] for p in pairs], (count,), "i8"),
                ("j", [p[1] for p in pairs], (count,), "i8"),
                ("S", [v for p in pairs for v in p[2:]], (count, 2), "i8"),
                ("half", [0], (1,), "i8"), ("cell_dims", [4, 4], (2,), "i8"),
                ("cell_of", [int(x / 2) + 4 * int(y / 2) for x, y in place], (n,), "i8")):
            file.writestr(name + ".npy", array(values, shape, kind))
    return path


class Lists(ProgramTest):
    def setUp(self):
        self.place = self.folder()

    def file(self, name, wrong):
        return lattice(os.path.join(self.place, name), wrong)

    def test_a_bug_of_the_museum_is_mended_by_one_click(self):
        w = self.shown("museum_rope")
        w.wait_for("scenario museum_rope")
        w.wait_for("failed .*neighbour list.*", 60)
        w.wait_for(r"verdict Wrong: \d+ missing$")
        w.click("switch:promoted-mistake", then="parameter mistake false")
        w.wait_for("verdict Right:", 60)
        w.until(lambda: "neighbour list" not in w.state("failed"), "the lamp stays red", 60)

    def test_wrong_pairs_are_counted_listed_and_gone_to(self):
        w = self.shown(self.file("wrong.npz", True))
        w.wait_for("scenario wrong")
        self.assertEqual(w.wait_for("verdict"), "verdict Wrong: 2 missing, 3 twice")
        entries = w.wait_for("legend-entries:wrong pairs").split(" ", 2)[2]
        self.assertEqual(entries, "missing: 2; twice: 3")
        # The rows of the first kind come first; by falling i and j the others do.
        self.assertTrue(w.state("pair-row:0").startswith("Missing 0 7 "), w.state("pair-row:0"))
        w.click("pair-by:i, j", then="sorted i, j")
        w.click("pair-by:i, j", then="sorted i, j, falling")
        w.wait_for("pair-row:0 Twice 45 46 .*")
        # A click picks the pair, marks both particles and goes there.
        w.click("pair-row:0", then="pair 45 46")
        picked = w.wait_for("picked").split()[1]
        self.assertGreaterEqual(int(picked), SIDE * SIDE)
        w.wait_for(f"fly {picked}")
        x, y, wide, high = w.rect("viewport")
        w.at_rest()
        at = w.rect("particle")  # the middle of the pair, in the middle of the picture
        self.assertLess(abs(at[0] - x - wide / 2), 0.1 * wide)
        self.assertLess(abs(at[1] - y - high / 2), 0.25 * high)
        # A kind is switched off with its layer: in the legend and in the table.
        w.go_to("Layers", "layer:twice")
        w.click("layer:twice", then="layer twice off")
        w.wait_for("legend-entries:wrong pairs missing: 2")
        w.wait_for("pair-row:0 Missing 16 23 .*")
        # Nothing moves, and the window tells why.
        w.key("space", then="message A neighbour list of a file is shown as it is.*")
        w.key("period")
        self.assertEqual(w.seen("step", 0.5), "")

    def test_a_second_list_is_compared_with_the_first(self):
        w = self.shown(self.file("right.npz", False))
        w.wait_for("scenario right")
        self.assertRegex(w.wait_for("scale-bar"), r"scale-bar [0-9.]+$")  # in no unit
        w.drop(self.file("other.npz", True), then="question")
        w.click("button:answer:0")
        verdict = w.wait_for("verdict [0-9]+ pairs only.*")
        self.assertRegex(verdict, "2 pairs only in the first list, 3 only in the second, 0 with another image")
        entries = w.wait_for("legend-entries:changed pairs").split(" ", 2)[2]
        self.assertEqual(entries, "only in first: 2; only in second: 3")
        self.assertTrue(w.state("pair-row:0").startswith("Only in first 0 7 "), w.state("pair-row:0"))
        w.click("pair-row:0", then="pair 0 7")
        # The other file alone.
        w.drop(self.file("third.npz", True), then="question")
        w.click("button:answer:1", then="verdict Wrong: 2 missing, 3 twice")

    def test_two_files_of_the_command_line_at_twice_the_size(self):
        w = self.shown(self.file("right.npz", False), "--compare", self.file("other.npz", True),
                      "--theme", "light", scale=2)
        w.wait_for("verdict 2 pairs only in the first list, 3 only in the second.*")
        w.at_rest()
        for name in ("pair-row:0", "viewport"):
            self.assertEqual(covered(w.rect(name), [0, 0, 2560, 1440]), 1, name)

    def test_a_right_list_is_dropped_and_read_again(self):
        w = self.shown("four_disks")
        w.drop(self.file("right.npz", False), then="scenario right")
        self.assertRegex(w.wait_for("verdict"), "verdict Right: every pair within the cutoff is listed")
        self.assertEqual([l for l in w.lines() if l.startswith("legend-entries:wrong pairs")], [])
        # Another build wrote the file; its list is wrong.
        self.file("right.npz", True)
        w.click("button:reset", then="verdict Wrong: 2 missing, 3 twice")
        # Back to what was open before.
        w.key("ctrl+z", then="undo")
        w.at_rest()
        w.key("ctrl+z")
        w.wait_for("scenario four_disks", 60)


if __name__ == "__main__":
    run_tests()
