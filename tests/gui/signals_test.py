"""The window ended from outside keeps its state and says where: signals_test.py PROGRAM SCENARIOS."""
import os
import re
import shutil
import signal
import subprocess

from lecture_tools import ProgramTest
from window_driver import Png, run_tests, text_of, xdotool

STOPPED = 85  # in order, and can be resumed


class Ended(ProgramTest):
    def opened(self, *options, **keywords):
        return self.started("window", *options, "--backend", "cpu", **keywords)

    def stop(self, w, sent=signal.SIGTERM, code=STOPPED):
        """By a signal, after which the window ends with this exit code."""
        w.process.send_signal(sent)
        self.assertEqual(w.finish(30), code, w.errors)

    def hexatic(self, *options, **keywords):
        w = self.opened("hexatic", "--set", "n=1024", *options, **keywords)
        w.wait_for("rect viewport", 60)
        return w

    def kept(self, w):
        """Path and step that the window named."""
        found = re.search(r"after step (\d+)\. The state was saved in (\S+); "
                          r"continue with: cellscope window --resume (\S+)\n$", w.errors)
        self.assertTrue(found, w.errors)
        self.assertEqual(found[2], found[3])
        return os.path.join(w.folder, found[2]), int(found[1])

    @staticmethod
    def bytes_of(path):
        with open(path, "rb") as file:
            return file.read()

    def goes_on(self, path, step):
        """The batch run reads the state, at that very step where one is given."""
        csv = path + ".csv"
        self.runs("run", "--resume", path, "--steps", "100", "--csv", csv, "--backend", "cpu")
        rows = [line for line in text_of(csv).splitlines() if line[:1].isdigit()]
        if step is not None:
            first = int(rows[0].split(",")[0])
            # A series from the start of a run begins with the state of step 0.
            self.assertTrue(first == step == 0 or step < first <= step + 100, (step, rows[0]))

    def test_every_signal_keeps_the_state_in_the_working_folder(self):
        for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"),
                             (signal.SIGHUP, "SIGHUP")):
            w = self.hexatic(output=False)
            self.stop(w, number)
            self.assertIn(f"Stopped by {name} after step ", w.errors)
            path, step = self.kept(w)
            self.assertEqual(os.listdir(w.folder).count("hexatic.checkpoint"), 1)
            self.assertEqual(os.path.basename(path), "hexatic.checkpoint")
            self.goes_on(path, step)

    def test_the_window_goes_on_and_overwrites_nothing(self):
        w = self.hexatic("--paused")
        w.key("period", then="step")
        w.works(1)  # idle: nothing is drawn any more
        self.stop(w)
        first, step = self.kept(w)
        before = self.bytes_of(first)
        again = self.opened("--resume", first, "--paused")
        again.wait_for("rect viewport", 60)
        self.stop(again)
        self.assertEqual(self.kept(again)[1], step)
        # Once more where the first lies.
        third = self.opened("--resume", first, "--paused", "--output", w.folder, output=False)
        self.stop(third)
        self.assertEqual(self.kept(third)[0], os.path.join(w.folder, "hexatic-2.checkpoint"))
        self.assertEqual(self.bytes_of(first), before)

    def test_a_terminal_that_closes_sends_more_than_one_signal(self):
        w = self.hexatic()
        for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGCONT, signal.SIGTERM):
            w.process.send_signal(number)
            w.works(0.002)
        w.process.stderr.close()  # nobody reads what it says
        self.assertEqual(w.process.wait(), STOPPED)
        self.goes_on(os.path.join(w.folder, "hexatic.checkpoint"), None)

    def test_the_picture_at_its_end_is_drawn_all_the_same(self):
        w = self.hexatic("--screenshot-at-exit", "end.png", "--size", "800x600", output=False)
        self.stop(w)
        self.assertEqual(Png(os.path.join(w.folder, "end.png")).width, 800)

    def test_what_cannot_be_written_at_the_end_is_said(self):
        for option in ("--screenshot-at-exit", "--log-events"):
            ended = self.runs("window", "hexatic", "--set", "n=200", "--backend", "cpu",
                              "--exit-after-frames", "30", option, "/dev/full", code=1)
            self.assertIn("/dev/full", ended.stderr)
        w = self.hexatic("--screenshot-at-exit", "/dev/full")
        self.stop(w, code=1)
        self.assertRegex(w.errors, r"The state was saved in .*\n.*cannot write.*/dev/full")

    def test_a_display_that_goes_away_keeps_the_state(self):
        """As at logout; its own server, found free by the server itself."""
        read_end, tell = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(tell), "-screen", "0", "1280x800x24"],
                                  pass_fds=[tell], stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        os.close(tell)
        with os.fdopen(read_end) as pipe:
            display = ":" + pipe.readline().strip()
        w = self.hexatic(wait="", DISPLAY=display)
        server.kill()
        self.assertEqual(w.finish(30), 1, w.errors)
        self.assertIn("Stopped by the loss of the display after step ", w.errors)
        self.goes_on(*self.kept(w))

    def test_a_window_that_another_program_destroys_keeps_the_state(self):
        """xdotool windowclose destroys it, windowkill breaks its connection."""
        for how, cause in (("windowclose", "another program, which destroyed the window,"),
                           ("windowkill", "the loss of the display")):
            for option in ("--paused", "--hide-panels"):
                w = self.hexatic(option)
                w.works(1)  # paused: nothing is drawn any more
                xdotool(how, w.id)
                self.assertEqual(w.finish(30), 1, w.errors)
                self.assertTrue(w.errors.startswith(f"Stopped by {cause} after step "), w.errors)
                self.goes_on(*self.kept(w))

    def test_where_the_folder_takes_no_file_any_more(self):
        temporary = self.folder()
        w = self.hexatic(TMPDIR=temporary)
        shutil.rmtree(w.folder)
        self.stop(w)
        path, step = self.kept(w)
        self.assertEqual(path, os.path.join(temporary, "hexatic.checkpoint"))
        self.assertIn("cannot write", w.errors)
        self.goes_on(path, step)

    def test_before_anything_is_open_nothing_is_lost(self):
        w = self.opened("million", wait="graphics")
        self.stop(w, code=1)
        self.assertIn("stopped by SIGTERM before a state existed", w.errors)
        self.assertEqual(os.listdir(w.folder), ["events.log"])

    def test_a_set_up_in_hand_is_given_up(self):
        """The state before it is kept."""
        w = self.hexatic("--paused")
        w.click("button:gallery")
        w.click("scenario:million", then="open million")
        w.works(0.3)
        self.stop(w)
        self.assertEqual(os.path.basename(self.kept(w)[0]), "hexatic.checkpoint")


if __name__ == "__main__":
    run_tests()
