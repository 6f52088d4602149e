"""The window ended from outside keeps its state and says where: signals_test.py PROGRAM."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from window_driver import Png, Window, run_tests, xdotool

STOPPED = 85  # in order, and can be resumed
PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "cellscope"


class Ended(unittest.TestCase):
    def opened(self, *options, **keywords):
        w = Window(PROGRAM, "window", *options, "--backend", "cpu", log_option="--log-events", **keywords)
        self.addCleanup(w.close)
        return w

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
        run = subprocess.run([PROGRAM, "run", "--resume", path, "--steps", "100", "--csv", csv,
                              "--backend", "cpu"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(csv, encoding="utf-8") as file:
            rows = [line for line in file if line[0].isdigit()]
        if step is not None:
            first = int(rows[0].split(",")[0])
            # A series from the start of a run begins with the state of step 0.
            self.assertTrue(first == step == 0 or step < first <= step + 100, (step, rows[0]))

    def test_every_signal_keeps_the_state_in_the_working_folder(self):
        for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"),
                             (signal.SIGHUP, "SIGHUP")):
            w = self.hexatic(output_option=None)
            w.process.send_signal(number)
            self.assertEqual(w.finish(30), STOPPED, w.errors)
            self.assertIn(f"Stopped by {name} after step ", w.errors)
            path, step = self.kept(w)
            self.assertEqual(os.listdir(w.folder).count("hexatic.checkpoint"), 1)
            self.assertEqual(os.path.basename(path), "hexatic.checkpoint")
            self.goes_on(path, step)

    def test_the_window_goes_on_and_overwrites_nothing(self):
        w = self.hexatic("--paused")
        w.key("period", then="step")
        w.works(1)  # idle: nothing is drawn any more
        w.process.terminate()
        self.assertEqual(w.finish(30), STOPPED, w.errors)
        first, step = self.kept(w)
        before = self.bytes_of(first)
        again = self.opened("--resume", first, "--paused")
        again.wait_for("rect viewport", 60)
        again.process.terminate()
        self.assertEqual(again.finish(30), STOPPED, again.errors)
        self.assertEqual(self.kept(again)[1], step)
        # Once more where the first lies.
        third = Window(PROGRAM, "window", "--resume", first, "--backend", "cpu", "--paused", "--output",
                       w.folder, log_option="--log-events", output_option=None)
        self.addCleanup(third.close)
        third.process.terminate()
        self.assertEqual(third.finish(30), STOPPED, third.errors)
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
        w = self.hexatic("--screenshot-at-exit", "end.png", "--size", "800x600", output_option=None)
        w.process.terminate()
        self.assertEqual(w.finish(30), STOPPED, w.errors)
        self.assertEqual(Png(os.path.join(w.folder, "end.png")).width, 800)

    def test_what_cannot_be_written_at_the_end_is_said(self):
        for option in ("--screenshot-at-exit", "--log-events"):
            command = [PROGRAM, "window", "hexatic", "--set", "n=200", "--backend", "cpu",
                       "--exit-after-frames", "30", option, "/dev/full"]
            w = subprocess.run(command, stderr=subprocess.PIPE, text=True)
            self.assertEqual(w.returncode, 1, w.stderr)
            self.assertIn("/dev/full", w.stderr)
        w = self.hexatic("--screenshot-at-exit", "/dev/full")
        w.process.terminate()
        self.assertEqual(w.finish(30), 1)
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
        w = Window(PROGRAM, "window", "hexatic", "--set", "n=1024", "--backend", "cpu", wait="",
                   log_option="--log-events", DISPLAY=display)
        self.addCleanup(w.close)
        w.wait_for("rect viewport", 60)
        server.kill()
        self.assertEqual(w.finish(30), 1, w.errors)
        self.assertIn("Stopped by the loss of the display after step ", w.errors)
        path, step = self.kept(w)
        self.goes_on(path, step)

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
        temporary = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, temporary)
        w = self.hexatic(TMPDIR=temporary)
        shutil.rmtree(w.folder)
        w.process.terminate()
        self.assertEqual(w.finish(30), STOPPED, w.errors)
        path, step = self.kept(w)
        self.assertEqual(path, os.path.join(temporary, "hexatic.checkpoint"))
        self.assertIn("cannot write", w.errors)
        self.goes_on(path, step)

    def test_before_anything_is_open_nothing_is_lost(self):
        w = self.opened("million", wait="graphics")
        w.process.terminate()
        self.assertEqual(w.finish(30), 1, w.errors)
        self.assertIn("stopped by SIGTERM before a state existed", w.errors)
        self.assertEqual(os.listdir(w.folder), ["events.log"])

    def test_a_set_up_in_hand_is_given_up(self):
        """The state before it is kept."""
        w = self.hexatic("--paused")
        w.click("button:gallery")
        w.click("scenario:million", then="open million")
        w.works(0.3)
        w.process.terminate()
        self.assertEqual(w.finish(30), STOPPED, w.errors)
        self.assertEqual(os.path.basename(self.kept(w)[0]), "hexatic.checkpoint")


if __name__ == "__main__":
    run_tests()
