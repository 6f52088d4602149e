"""Time from input to the picture that answers it, while the engine runs: input_to_picture.py PROGRAM
SCENARIO [options of `cellscope window`]. Needs a display (xvfb-run -s "-screen 0 1280x960x24") and
xdotool. Prints what the window measured itself: from when the X server took a key, click or move of
the mouse to when the picture that answers it was complete, and the frames per second meanwhile."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gui"))
from window_driver import Window, xdotool  # noqa: E402

ANSWERS = 100


def act(w, k):
    """A layer by key, a move over the picture, a turn of the wheel, a drag of a slider."""
    x, y, wide, high = w.rect("viewport")
    kind = k % 4
    if kind == 0:
        xdotool("key", "2")
    elif kind == 1:
        xdotool("mousemove", int(x + wide * (0.3 + 0.004 * k)), int(y + high / 2))
    elif kind == 2:
        xdotool("mousemove", int(x + wide / 2), int(y + high / 2), "click", 4 + (k // 4) % 2)
    else:
        xdotool("mousemove", int(x + wide / 2), int(y + high * 0.6), "mousedown", 3, "mousemove_relative",
                "--", 5 - 10 * ((k // 4) % 2), 0, "mouseup", 3)


def main():
    program, scenario, *options = sys.argv[1:]
    w = Window(program, "window", scenario, "--size", "1280x720", "--scale", 1, *options,
               log_option="--log-events")
    try:
        w.wait_for("playing on", 120)
        time.sleep(3)
        for k in range(ANSWERS):
            act(w, k)
            time.sleep(0.13 + 0.0013 * k)  # at all phases of a frame and of a step
        meter = w.state("meter")
        w.process.terminate()
        w.finish()
        print("graphics:", w.state("graphics"))
        print("last half second:", meter)
        print("input to picture (ms):", w.state("input"))
        print("frames:", w.state("frames"))
    finally:
        w.close()


if __name__ == "__main__":
    main()
