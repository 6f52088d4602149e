"""Opening and saving in the window, its columns, and videos: files_test.py PROGRAM SCENARIOS."""
import os
import shutil
import subprocess

from lecture_tools import SCENARIOS, ProgramTest, copied_line, covered, set_d
from lists_test import SIDE, lattice
from window_driver import Png, keys, run_tests, text_of, write, xdotool


class Files(ProgramTest):
    def open(self, scenario="four_disks", size="1280x720", **environment):
        return self.shown(scenario, "--paused", size=size, **environment)

    def typed(self, w, ends, timeout=20):
        """Waits until what stands in the field ends like this; "": until it is empty."""
        def there():
            text = self.text(w)
            return text is not None and (text.endswith(ends) if ends else not text)
        w.until(there, f"the field never ended with '{ends}'", timeout)

    def text(self, w):
        """What stands in the field; None before anything was logged of it."""
        return ([None] + [line[6:] for line in w.lines() if line.startswith("typed ")])[-1]

    def type(self, w, text):
        xdotool("type", "--delay", "12", text)
        self.typed(w, text)

    def dialog(self, w, key):
        w.key(key, then="files (open|save)")
        w.takes_text()

    def clear(self, w):
        w.retype(lambda: None, "", lambda: self.text(w) == "")

    def save(self, w, name, then):
        """By the dialog, under this name."""
        self.dialog(w, "ctrl+s")
        self.clear(w)
        self.type(w, name)
        w.click("button:save-file", then=then)

    def test_a_path_is_completed_and_opened_and_remembered(self):
        state = self.folder()
        w = self.open(XDG_STATE_HOME=state)
        place = os.path.join(state, "mine")
        os.makedirs(place)
        for name in ("dilute.toml", "solid.toml"):
            shutil.copy(os.path.join(SCENARIOS, name), place)
        self.dialog(w, "ctrl+o")
        self.type(w, place + "/nothing.toml")
        keys("Return")
        self.assertIn("no such file", w.wait_for("file-error"))
        w.rect("file-error")  # beside the field, which stays open
        w.takes_text()
        self.clear(w)
        self.type(w, state + "/mi")
        keys("Tab")
        self.typed(w, "/mine/")
        self.type(w, "dil")
        keys("Tab")
        self.typed(w, "/mine/dilute.toml")
        keys("Return")
        w.wait_for("scenario dilute", 60)
        # The other one by a double click in the list.
        self.dialog(w, "ctrl+o")
        self.type(w, place + "/")
        w.works(0.5)
        w.click("entry:solid.toml", repeat=2)
        w.wait_for("open solid", 60)
        w.close()
        os.remove(os.path.join(place, "dilute.toml"))
        w = self.open(XDG_STATE_HOME=state)
        self.dialog(w, "ctrl+o")
        w.wait_for(f"recent-state:{place}/dilute.toml no such file")
        w.wait_for(f"recent-state:{place}/solid.toml there")
        w.click(f"recent:{place}/solid.toml")
        w.wait_for("open solid", 60)

    def test_saving_asks_before_it_replaces(self):
        w = self.open()
        self.save(w, "mine", then="scenario-saved")
        path = os.path.join(w.folder, "mine.toml")
        write(path, text_of(path) + "# mine\n")
        self.save(w, "mine", then="asks overwrite")
        w.click("button:cancel-files", then="files closed")
        self.assertIn("# mine", text_of(path))
        self.save(w, "mine", then="asks overwrite")
        w.click("button:overwrite", then="scenario-saved")
        self.assertNotIn("# mine", text_of(path))
        # Particles, where no such folder is: said beside the field.
        self.dialog(w, "ctrl+s")
        w.click("choice:save-kind:2")
        w.works(1.5)
        self.clear(w)
        self.type(w, "nowhere/a.h5")
        w.click("button:save-file")
        self.assertIn("nowhere", w.wait_for("file-error"))
        w.takes_text()
        self.clear(w)
        self.type(w, "a.h5")
        w.click("button:save-file", then="message Configuration written")
        self.assertGreater(os.path.getsize(os.path.join(w.folder, "a.h5")), 1000)
        # And opened: its last configuration is where the run begins.
        self.dialog(w, "ctrl+o")
        self.type(w, "a.h5")
        keys("Return")
        w.wait_for("open four_disks", 20)
        w.wait_for('message "a.h5" is open;.*', 60)
        # The line of such an experiment names the configuration.
        w.wait_for("scenario four_disks", 60)
        line = copied_line(w)
        self.assertIn("--load-configuration a.h5", " ".join(line))
        self.assertNotIn("/", "".join(line))  # no folder of this computer
        self.runs("run", *line, "--backend", "cpu", "--steps", "2", cwd=w.folder)

    def test_the_ending_that_is_typed_chooses_what_is_saved(self):
        w = self.open()
        self.save(w, "state.checkpoint", then="message Checkpoint written")
        self.runs("run", "--resume", os.path.join(w.folder, "state.checkpoint"), "--steps", "1",
                  "--backend", "cpu", cwd=w.folder)

    def test_no_key_is_lost_within_a_frame(self):
        w = self.open()
        w.mark()
        xdotool("key", "--delay", "0", "ctrl+o", "a", "b", "1", "r")  # typed ahead of the field
        self.typed(w, "ab1r")
        for event in ("layer", "reset"):
            self.assertEqual(w.seen(event, 0.2), "", event)
        # Within 20 ms they would be repeats of a key that is held.
        xdotool("key", "--delay", "40", "BackSpace", "BackSpace", "BackSpace")
        self.typed(w, "a")
        self.assertEqual(self.text(w), "a")
        w.key("Escape", then="files closed")
        playing = w.state("playing") or "off"
        w.mark()
        xdotool("key", "--delay", "40", "space", "space")
        w.until(lambda: len(w.since("play")) == 2, "a space was lost")
        first, second = (line.split()[1] for line in w.since("play"))
        self.assertEqual((first == "on", second), (playing == "off", playing))

    def test_a_column_that_appears_leaves_the_field_the_keyboard(self):
        w = self.open()
        w.key("d", then="plots detached")
        self.dialog(w, "ctrl+o")
        w.mark()
        for width in (600, 1280):
            xdotool("windowsize", w.id, width, 720)
            w.wait_for(f"size {width} 720.*")
        self.type(w, "ab")
        self.assertEqual(w.since("keyboard"), [])

    def test_a_dropped_picture_brings_its_experiment_back(self):
        w = self.open()
        value = set_d(w)
        w.move(2, 2)
        w.key("s")
        kept = shutil.copy(w.told("screenshot"), self.folder())
        w.close()
        other = self.open("dilute")
        other.drop(kept, then="scenario four_disks")
        other.wait_for("message Read back from the picture.*")
        other.key("s")
        self.runs("run", other.told("screenshot"), "--steps", "2", "--backend", "cpu", "--csv", "a.csv",
                  cwd=other.folder)
        self.assertIn(f"# parameter d = {value}\n", text_of(os.path.join(other.folder, "a.csv")))
        other.drop(os.path.join(SCENARIOS, "dilute.png"), then="message .*carries no experiment.*")

    def test_a_copied_experiment_is_pasted_into_another_window(self):
        w = self.open()
        value = set_d(w)
        self.assertRegex(" ".join(copied_line(w)), rf"^four_disks --set .*\bd={value}\b.* --made-with ")
        other = self.open("dilute")  # the first one stays: it owns the clipboard
        other.id = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Dilute fluid"],
                                  capture_output=True, text=True).stdout.split("\n")[0]
        xdotool("windowfocus", "--sync", other.id)
        other.key("ctrl+v")
        other.wait_for("scenario four_disks", 60)
        other.key("s")
        self.assertEqual(Png(other.told("screenshot")).text["d"], value)
        # The Open dialog takes the line as well, here with what another version wrote.
        self.dialog(other, "ctrl+o")
        self.type(other, "solid --set n=400 --made-with 0.0.1")
        keys("Return")
        other.wait_for("scenario solid", 60)
        other.wait_for("message .*copied from cellscope 0.0.1.*")

    def test_the_time_series_is_saved_in_the_form_of_a_run(self):
        w = self.open()
        w.key("space", then="playing on")
        w.works(1.5)
        w.key("space", then="playing off")
        w.go_to("Files", "button:save-series")
        w.click("button:save-series")
        path = w.told("series")
        w.wait_for("message Time series written.*")
        lines = text_of(path).splitlines()
        rows = [line.split(",") for line in lines if not line.startswith("#")]
        self.assertEqual(rows[0][:2], ["step", "pressure"])
        self.assertGreater(len(rows), 3)
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))
        self.assertTrue(any(line.startswith("# average ") for line in lines))

    def test_plots_get_a_column_of_their_own(self):
        state = self.folder()
        for size in ("1280x720", "1024x768"):
            w = self.open("hexatic", size, XDG_STATE_HOME=state)
            if size == "1280x720":
                w.click("detach", then="plots detached")
            w.works(0.7)
            viewport, plot = w.settled("viewport"), w.settled("plot:pressure")
            right, handle = w.settled("column:right"), w.settled("column:plots")
            self.assertGreaterEqual(viewport[2], 380)
            self.assertGreaterEqual(plot[0], viewport[0] + viewport[2])
            self.assertLessEqual(plot[0] + plot[2], right[0])
            self.assertEqual(covered(handle, right), 0)
            slider = w.settled("slider:promoted-packing")
            self.assertLessEqual(slider[0] + slider[2], viewport[0])
            self.assertGreaterEqual(w.settled("curve:pressure")[3], 115)
            w.close()
        w = self.open("hexatic", "1280x720", XDG_STATE_HOME=state)
        before = w.settled("plot:pressure")
        x, y, wide, high = w.settled("widen:plots")
        w.drag(x + wide / 2, y + 300, x + wide / 2 - 60, y + 300)  # by its edge
        w.works(0.5)
        self.assertGreater(w.settled("plot:pressure")[2], before[2] + 40)
        w.key("d", then="plots docked")
        w.works(0.5)
        w.close()
        w = self.open("hexatic", "1280x720", XDG_STATE_HOME=state)
        w.rect("detach")

    def recorded(self, path, every, count, act=None):
        """The log of a recording with this PATH; `act` is done while it goes on."""
        w = self.open(PATH=path)
        w.click("go:Files")
        w.click("button:record", then="video dialog")
        for name, share in (("video-every", every), ("video-count", count)):
            x, y, wide, high = w.settled("option:" + name)
            w.click_at(x + 8 + share * (wide - 16), y + high / 2)
        w.click("button:video-start", then="video begin")
        if act:
            w.works(1.5)  # the card stands in its place
            act(w)
        return w

    def test_without_ffmpeg_a_series_has_a_fixed_number_of_steps_per_picture(self):
        w = self.recorded("/nonexistent", 0.2, 0.25)
        done = w.wait_for("video done", 120).split(" ", 3)
        steps = [int(line.split()[-1]) for line in w.lines() if line.startswith("video picture")]
        apart = {b - a for a, b in zip(steps, steps[1:])}
        self.assertEqual(len(apart), 1, steps)
        self.assertEqual(len(steps), int(done[2]))
        self.assertEqual(len(os.listdir(done[3])), len(steps))

    def ffmpeg(self, script):
        """A PATH with a program of this name that does this."""
        tools = self.folder()
        os.chmod(write(os.path.join(tools, "ffmpeg"), "#!/bin/sh\n" + script), 0o755)
        return tools

    def test_ffmpeg_gets_the_pictures_and_a_cancelled_video_is_gone(self):
        tools = self.ffmpeg('for last; do :; done\n/bin/cat > "$last"\n')
        w = self.recorded(tools, 0.2, 0.25)
        done = w.wait_for("video done", 120).split(" ", 3)
        size = os.path.getsize(done[3])
        viewport = w.rect("viewport")
        self.assertEqual(size, int(done[2]) * (viewport[2] & ~1) * (viewport[3] & ~1) * 3)
        w.close()
        w = self.recorded(tools, 0.2, 0.75, lambda v: v.settled("button:video-cancel"))
        w.click("button:video-cancel", then="video cancelled")
        w.works(0.5)
        self.assertFalse([name for name in os.listdir(w.folder) if ".mp4" in name])

    def test_an_ffmpeg_that_fails_says_why(self):
        fails = self.ffmpeg("/bin/cat > /dev/null\necho 'No space left on device' >&2\nexit 1\n")
        w = self.recorded(fails, 0.2, 0.25)
        w.wait_for("message .*No space left on device.*", 120)

    def test_a_file_of_each_format_is_dropped(self):
        place = self.folder()

        def xyz(name, n, lattice="10 0 0 0 10 0 0 0 10"):
            rows = [f"Ar {2 * (k % 4) + 1} {2 * (k // 4 % 4) + 1} {2 * (k // 16) + 1}\n" for k in range(n)]
            return write(os.path.join(place, name),
                         f'{n}\nLattice="{lattice}" Properties=species:S:1:pos:R:3 pbc="T T T"\n'
                         + "".join(rows))

        drops = []  # file, and what the window tells of it
        for k, suffix in enumerate(("xyz", "xyz.gz", "h5", "gsd", "data", "dump", "pdb", "npz")):
            path = os.path.join(place, "dropped." + suffix)
            self.runs("convert", xyz("from.xyz", 21 + k), path, "--quiet")
            drops.append((path, f"particles {21 + k}"))
        with open(drops[3][0], "rb") as file:
            head = file.read()[:300]
        cut = os.path.join(place, "cut.gsd")
        with open(cut, "wb") as file:
            file.write(head)
        drops += [
            (cut, "message .*cut.gsd.*"),
            (xyz("tilted.xyz", 20, "10 0 0 3 10 0 0 0 10"), "message .*tilted.xyz.*"),
            (write(os.path.join(place, "note.txt"), "no particles\n"), "message .*note.txt.*"),
            (lattice(os.path.join(place, "list.npz"), True), "verdict Wrong: 2 missing, 3 twice")]
        w = self.open("argon")
        for path, told in drops:
            w.drop(path, then=told)
        w.wait_for(f"particles {SIDE * SIDE}")


if __name__ == "__main__":
    run_tests()
