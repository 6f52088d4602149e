"""Time from input to the picture that answers it, while the engine runs: input_to_picture.py PROGRAM
SCENARIO [--acts keys,moves,wheel,drags,none] [options of `cellscope window`]. Needs a display
(xvfb-run -s "-screen 0 1280x960x24") and xdotool. Prints what the window measured itself: from when
the X server took a key, click or move of the mouse to when the picture that answers it was complete,
and the frames per second and the rate of the engine meanwhile."""
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gui"))
from window_driver import Window  # noqa: E402

ANSWERS = 100


class Hand:
    """One xdotool that reads its commands: starting a program for each input would take the processors
    from the window while it answers."""

    def __init__(self):
        self.process = subprocess.Popen(["xdotool", "-"], stdin=subprocess.PIPE, text=True)

    def __call__(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def act(w, xdotool, kind, k):
    """A layer by key, a move over the picture, a turn of the wheel, a drag of the picture."""
    x, y, wide, high = w.rect("viewport")
    if kind == "keys":
        xdotool("key", "2")
    elif kind == "moves":
        xdotool("mousemove", int(x + wide * (0.3 + 0.004 * k)), int(y + high / 2))
    elif kind == "wheel":
        xdotool("mousemove", int(x + wide / 2), int(y + high / 2), "click", 4 + (k // 4) % 2)
    elif kind == "drags":
        xdotool("mousemove", int(x + wide / 2), int(y + high * 0.6), "mousedown", 3, "mousemove_relative",
                "--", 5 - 10 * ((k // 4) % 2), 0, "mouseup", 3)


def median_of(meters, unit):
    """Of what the window said every half second, of the number before this unit."""
    values = [float(part.split()[0]) for line in meters for part in line.split(", ")
              if part.split(" ", 1)[-1] == unit]
    return f"{statistics.median(values):.3g} {unit}" if values else ""


def main():
    program, scenario, *options = sys.argv[1:]
    acts = ["keys", "moves", "wheel", "drags"]
    if "--acts" in options:
        at = options.index("--acts")
        acts = options[at + 1].split(",")
        del options[at:at + 2]
    w = Window(program, "window", scenario, "--size", "1280x720", "--scale", 1, *options)
    hand = Hand()
    try:
        w.wait_for("playing on", 120)
        time.sleep(3)
        w.mark()
        for k in range(ANSWERS):
            act(w, hand, acts[k % len(acts)], k)
            time.sleep(0.13 + 0.0013 * k)  # at all phases of a frame and of a step
        meters = w.since("meter")[2:]
        w.process.terminate()
        w.finish()
        print("graphics:", w.state("graphics"))
        unit = meters[-1].split(", ")[-1].split(" ", 1)[-1]
        print("medians:", median_of([m[6:] for m in meters], "frames/s") + ",",
              median_of([m[6:] for m in meters], unit))
        print("input to picture (ms):", w.state("input"))
        print("frames:", w.state("frames"))
        for line in [line for line in w.lines() if line.startswith(("long-frame ", "late-answer "))][:40]:
            print(line)
    finally:
        hand.end()
        w.close()


if __name__ == "__main__":
    main()
