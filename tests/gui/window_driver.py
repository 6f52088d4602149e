"""Starts the window under the current display, sends real input with xdotool, reads its event log.

Event lines: "<seconds> <event> <details>"; widget places: "<seconds> rect <name> <x> <y> <w> <h>".
The seconds count from the start; the first event, "clock", says when that was by the clock of
time.monotonic().
"""
import contextlib
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from drop_file import drop
from patience import Patience
from png_picture import Png


def run_tests():
    """Those of the script that was started; skipped where there is no display."""
    if not os.environ.get("DISPLAY") or not shutil.which("xdotool") or not shutil.which("convert"):
        print("skipped: needs a display (xvfb-run), xdotool and ImageMagick")
        sys.exit(77)
    unittest.main(verbosity=2)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def xdotool(*arguments):
    subprocess.run(["xdotool", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def keys(*names):
    """Presses keys ("a", "Tab", "ctrl+a", "question"), each down and up in one message to the server:
    between two messages a busy machine may pause so long that the key counts as held and repeats."""
    x, test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
    x.XOpenDisplay.restype, x.XStringToKeysym.restype = ctypes.c_void_p, ctypes.c_ulong
    x.XkbKeycodeToKeysym.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    aliases = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L"}
    for name in names:
        codes = []
        for part in name.split("+"):
            symbol = x.XStringToKeysym(aliases.get(part, part).encode())
            code = x.XKeysymToKeycode(display, ctypes.c_ulong(symbol)) if symbol else 0
            if not code:
                raise ValueError(f"no key '{name}'")
            if x.XkbKeycodeToKeysym(display, code, 0, 0) != symbol:
                codes.append(x.XKeysymToKeycode(display, ctypes.c_ulong(x.XStringToKeysym(b"Shift_L"))))
            codes.append(code)
        for code in codes:
            test.XTestFakeKeyEvent(display, code, True, ctypes.c_ulong(0))
        for code in reversed(codes):
            test.XTestFakeKeyEvent(display, code, False, ctypes.c_ulong(0))
        x.XFlush(display)
    x.XCloseDisplay(display)


class Window:
    def __init__(self, program, *options, wait="scenario", output=True, **environment):
        """Without `output` files go where the window puts them: it works in its folder."""
        self.folder = tempfile.mkdtemp(prefix="cellscope-gui-")
        self.log_path = os.path.join(self.folder, "events.log")
        places = ["--log-events", self.log_path] + (["--output", self.folder] if output else [])
        self.process = subprocess.Popen(
            [program, *map(str, options), *places],
            stderr=subprocess.PIPE, text=True, cwd=None if output else self.folder,
            env={**os.environ, "XDG_STATE_HOME": self.folder, **environment})
        self.errors = ""
        self.read_to = self.bytes_read = 0
        self.log, self.places = [], {}  # as far as it has been read; the last places of widgets
        if wait:
            self.wait_for(wait, 60)
            self.focus()

    def close(self):
        """May be called again."""
        if self.process.poll() is None:
            self.process.terminate()
        if not self.process.stderr.closed:
            self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)

    def finish(self, timeout=120):
        """Wait until it ends by itself; the exit code."""
        patience = Patience(self.process, timeout)
        while True:
            try:
                self.errors = self.process.communicate(timeout=0.1)[1]
                return self.process.returncode
            except subprocess.TimeoutExpired:
                if patience.over():
                    raise

    # Log -----------------------------------------------------------------------------------------
    def lines(self):
        """All that has been logged, without the seconds."""
        with contextlib.suppress(FileNotFoundError), open(self.log_path, "rb") as file:
            file.seek(self.bytes_read)
            whole = file.read().rpartition(b"\n")[0]
            self.bytes_read += len(whole) + 1 if whole else 0
            for line in whole.decode().split("\n"):
                words = line.partition(" ")[2]
                if not words:
                    continue
                self.log.append(words)
                if words.startswith("rect "):
                    name, *place = words[5:].rsplit(" ", 4)
                    self.places.pop(name, None)  # the latest is the last one
                    self.places[name] = [int(v) for v in place]
        return list(self.log)

    def mark(self):
        """Later waits look only at what is logged from now on."""
        self.read_to = len(self.lines())

    def since(self, pattern):
        return [line for line in self.lines()[self.read_to:] if re.match(pattern + r"( |$)", line)]

    def wait_for(self, pattern, timeout=20):
        def found():
            return (self.since(pattern) or [""])[-1]
        return self.until(found, f"no '{pattern}'", timeout, 0.005)

    def told(self, event, timeout=20):
        """What is logged with it, once it is."""
        return self.wait_for(event, timeout).split(" ", 1)[1]

    def seen(self, pattern, seconds=0.7):
        """What has been logged of it once the window has worked for so long; "" if nothing."""
        self.works(seconds)
        return (self.since(pattern) or [""])[-1]

    def time_of(self, event):
        """When it was last logged, by time.monotonic()."""
        return float(self.state("clock")) + self.seconds_of(event)[-1]

    def seconds_of(self, event):
        """When it was logged, each time, by the window's own clock."""
        lines = [line.split() for line in text_of(self.log_path).split("\n")[:-1]]
        return [float(words[0]) for words in lines if words[1] == event]

    def state(self, name):
        """What was logged of it last, without the name; "" before."""
        said = (line for line in reversed(self.lines()) if line.startswith(name + " "))
        return next(said, name + " ")[len(name) + 1:]

    def until(self, condition, what, timeout=30, pause=0.02):
        """What the condition is once it is anything; see Patience for how long that may take."""
        patience = Patience(self.process, timeout)
        while True:
            over, value = patience.over(), condition()
            if value:
                return value
            if self.process.poll() is not None:
                raise AssertionError(f"the window ended: {self.process.stderr.read()}")
            if over:
                break
            time.sleep(pause)
        tail = [line for line in self.lines()[self.read_to:] if not line.startswith("rect")]
        raise AssertionError(f"{what}, and the window had time for it; logged: {tail[-12:]}")

    def works(self, seconds):
        """So much time for the window, without that in which it waits for a processor."""
        patience = Patience(self.process, 0)
        patience.seconds = seconds
        while self.process.poll() is None and not patience.over():
            time.sleep(0.02)

    def at_rest(self, timeout=60):
        """Until a paused window draws nothing any more: everything asked for is on the screen."""
        def rests():
            lines = self.lines()
            states = [line for line in lines if line.startswith(("asleep", "awake"))]
            if not states or states[-1].startswith("awake"):
                return False
            self.works(0.6)  # what was sent may still be on its way
            return len(self.lines()) == len(lines)
        self.until(rests, "the window does not come to rest", timeout, 0.05)

    def takes_text(self):
        """Until a field has the keyboard."""
        self.until(lambda: self.state("keyboard") == "text", "no field has the keyboard")

    def drawn(self, begin):
        """The last places of all widgets whose names begin like this, the latest at the end."""
        self.lines()
        return {name: place for name, place in self.places.items() if name.startswith(begin)}

    def rect(self, name, timeout=10):
        def found():
            self.lines()
            return self.places.get(name)
        return list(self.until(found, f"never showed '{name}'", timeout))

    # Input ---------------------------------------------------------------------------------------
    def focus(self):
        def found():
            result = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid",
                                     str(self.process.pid), "--name", "cellscope"],
                                    capture_output=True, text=True)
            return result.stdout.split("\n")[0]
        self.id = self.until(found, "no window on the display")
        xdotool("windowfocus", "--sync", self.id)

    def key(self, name, then=""):
        """Presses it; `then`: and waits until this is logged."""
        self.mark()
        keys(name)
        self.answers(then)

    def answers(self, pattern, timeout=20):
        if pattern:
            self.wait_for(pattern, timeout)

    def pointer(self, seen):
        """Until the window has seen the mouse: `seen` of x, y and the buttons that are down."""
        def there():
            words = (self.state("pointer") + " ").split(" ")
            return self.process.poll() is not None or len(words) > 2 and seen(*words[:3])
        self.until(there, "the mouse is not seen", pause=0.005)

    @contextlib.contextmanager
    def held(self, key):
        xdotool("keydown", key)
        try:
            yield
        finally:
            xdotool("keyup", key)

    def move(self, x, y):
        x, y = int(x), int(y)
        xdotool("mousemove", x, y)
        width, height = map(int, (self.state("size") or "0 0").split()[:2])
        if 0 <= x < width and 0 <= y < height:
            self.pointer(lambda at_x, at_y, _: (at_x, at_y) == (str(x), str(y)))

    def press(self, button=1):
        xdotool("mousedown", button)
        self.pointer(lambda x, y, down: str(button) in down)

    def release(self, button=1):
        xdotool("mouseup", button)
        self.pointer(lambda x, y, down: str(button) not in down)

    def settled(self, name):
        """Place of a widget once it has stopped moving."""
        place = self.rect(name)
        while True:
            self.works(0.2)
            again = self.rect(name)
            if again == place:
                return place
            place = again

    def brought(self, name, within):
        """Place of a widget once the wheel has brought it inside of another one."""
        x, y, wide, high = self.settled(within)
        for _ in range(100):
            place = self.settled(name)
            if place[1] >= y and place[1] + place[3] <= y + high:
                return place
            self.move(x + wide / 2, y + high / 2)
            xdotool("click", 5 if place[1] > y else 4)
        raise AssertionError(f"the wheel does not bring '{name}' into '{within}'")

    def above(self, name, bottom, timeout=20):
        """Place of a widget once a link has brought it above this line."""
        def place():
            at = self.settled(name)
            return at if 0 <= at[1] and at[1] + at[3] <= bottom else None
        return self.until(place, f"'{name}' is not above {bottom}", timeout)

    def centre(self, name):
        x, y, w, h = self.settled(name)
        return x + w / 2, y + h / 2

    def click(self, name, button=1, repeat=1, along=0.5, then=""):
        """At this share of its width; `then`: and waits until this is logged."""
        x, y, wide, high = self.settled(name)
        self.click_at(x + along * wide, y + high / 2, button=button, repeat=repeat)
        self.answers(then)

    def go_to(self, panel, name, bottom=690):
        """Brings a widget of this panel above this line."""
        self.click("go:" + panel)
        self.works(1)
        self.above(name, bottom)

    def plot_menu(self, plot, entry):
        """Chooses from the menu of a plot."""
        x, y, wide, _ = self.settled("plot:" + plot)
        self.click_at(x + 0.6 * wide, y + 60, button=3)
        self.works(0.3)
        self.click("menu:" + entry)

    def click_at(self, x, y, button=1, repeat=1):
        self.move(x, y)
        self.mark()
        if repeat > 1:  # so close together that it counts as one
            xdotool("click", "--repeat", repeat, "--delay", 130, button)
            self.works(0.1)
            return
        self.press(button)
        self.release(button)

    def pick_near(self, x, y, dx, dy, clicks=20):
        """Clicks from this place on until one hits a particle; its id."""
        for k in range(clicks):
            self.click_at(x + k * dx, y + k * dy)
            self.wait_for("click")
            picked = int((self.seen("picked") or "picked -1").split()[1])
            if picked >= 0:
                return picked
        raise AssertionError("no click hit a particle")

    def drop(self, path, then="", timeout=60):
        """Drops a file or a folder on it; `then`: and waits until this is logged."""
        self.mark()
        drop(int(self.id), path, 640, 360)
        self.answers(then, timeout)

    def retype(self, click, text, stands):
        """Replaces the text of the field that gets the keyboard by `click`, until it stands there."""
        for _ in range(10):
            click()
            self.takes_text()
            for key in ("ctrl+a", "Delete"):
                keys(key)
                self.works(0.5)  # one shortcut a frame
            if text:
                xdotool("type", "--delay", "40", "--", text)
                self.works(0.4)
            if stands():
                return
        raise AssertionError(f"'{text}' cannot be typed")

    def drag(self, x0, y0, x1, y1, steps=8):
        self.move(x0, y0)
        self.mark()
        self.press()
        for i in range(1, steps + 1):
            self.move(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps)
        before_release = self.lines()[self.read_to:]
        self.release()
        self.works(0.2)
        return before_release

    def drag_along(self, name, begin, end):
        """From one share of its width to another."""
        x, y, wide, high = self.settled(name)
        return self.drag(x + begin * wide, y + high / 2, x + end * wide, y + high / 2)

    def screenshot(self):
        self.move(2, 2)
        self.key("s")
        return Png(self.told("screenshot"))


class WindowTest(unittest.TestCase):
    """Every window is closed at the end of its test, and every folder removed."""

    def started(self, program, *options, **keywords):
        w = Window(program, *options, **keywords)
        self.addCleanup(w.close)
        return w

    def folder(self):
        folder = tempfile.TemporaryDirectory(prefix="cellscope-test-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        return folder.name
