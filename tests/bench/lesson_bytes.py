#!/usr/bin/env python3
"""Bytes a second that each follower of a lesson receives, and whether all have equal states.

    xvfb-run -a tests/bench/lesson_bytes.py build-tests/bin/cellscope [FOLLOWERS [SECONDS]]

In a network namespace of its own, over its loopback interface: a lecturer's window whose slider is
dragged, a window that follows, and followers without a window, of which a sixth comes late. Needs
a display, xdotool and `unshare -rn`; ends with code 77 where it lacks one of them."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gui"))
PORT = "47810"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def enter_namespace():
    if not os.environ.get("DISPLAY") or not shutil.which("xdotool"):
        skip("no display, or no xdotool")
    if os.environ.get("LESSON_NAMESPACE"):
        return
    if subprocess.run(["unshare", "-rn", "ip", "link", "set", "lo", "up"], capture_output=True,
                      check=False).returncode != 0:
        skip("no network namespaces here (unshare -rn)")
    os.environ["LESSON_NAMESPACE"] = "1"
    command = " ".join(f"'{a}'" for a in [sys.executable, os.path.abspath(__file__), *sys.argv[1:]])
    os.execvp("unshare", ["unshare", "-rn", "sh", "-c", f"ip link set lo up && exec {command}"])


def loopback_bytes():
    """With the headers of TCP and IP, those of answers included."""
    with open("/proc/net/dev", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.strip().startswith("lo:"))


def slow_scenario(folder):
    """Slow enough for all followers on a few cores."""
    path = os.path.join(folder, "hexatic.toml")
    source = os.path.join(HERE, "..", "..", "assets", "scenarios", "hexatic.toml")
    with open(source, encoding="utf-8") as file:
        text = file.read().replace("[run]\n", "[run]\nspeed_limit = 20\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Follower:
    def __init__(self, program, folder, number, seconds):
        """One state is compared a second."""
        self.path = os.path.join(folder, f"follower-{number}")
        with open(self.path, "w", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [program, "follow", f"127.0.0.1:{PORT}", "--headless", "--backend", "cpu", "--threads",
                 "1", "--states", str(int(seconds))], stdout=out, stderr=subprocess.STDOUT)

    def rows(self):
        """(seconds, step, hash, standing, bytes)"""
        with open(self.path, encoding="utf-8") as file:
            return [(float(m[1]), int(m[2]), m[3], m[4], int(m[5])) for m in re.finditer(
                r"^([\d.]+) step (\d+) hash (\w+) ([a-z ]+), (\d+) bytes$", file.read(), re.M)]


def report(followers, wire, seconds):
    hashes = collections.defaultdict(set)
    print("| follower | states compared | out of step | bytes at first | bytes a second after that |")
    print("| --- | --- | --- | --- | --- |")
    rates = []
    for k, f in enumerate(followers):
        rows = f.rows()
        if len(rows) < 2:
            print(f"| {k + 1} | {len(rows)} | | | |")
            continue
        for row in rows:
            hashes[row[1]].add(row[2])
        # What came first is the state.
        rates.append((rows[-1][4] - rows[0][4]) / (rows[-1][0] - rows[0][0]))
        differ = sum(row[3] == "out of step" for row in rows)
        print(f"| {k + 1} | {len(rows)} | {differ} | {rows[0][4]} | {rates[-1]:.0f} |")
    several = {step for step, all_of in hashes.items() if len(all_of) > 1}
    print(f"\n{len(hashes)} steps compared by {len(followers)} followers, at {len(several)} of them "
          f"with different hashes; at most {max(rates):.0f} bytes a second for a follower. On the "
          f"wire, headers and answers included, {wire / seconds / (len(followers) + 1):.0f} bytes a "
          f"second for each of {len(followers) + 1}, states that they begin from included.")
    return not several and len(rates) == len(followers) and max(rates) < 1000


def main():
    enter_namespace()
    from window_driver import Window, xdotool  # pylint: disable=import-outside-toplevel
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 60
    folder = tempfile.mkdtemp(prefix="cellscope-lesson-")
    look = ["--size", "900x700", "--scale", "1", "--backend", "cpu", "--threads", "1"]
    lecturer = Window(program, "lesson", slow_scenario(folder), "--serve", "--port", PORT, *look)
    before, begun = loopback_bytes(), time.monotonic()
    window = Window(program, "follow", f"127.0.0.1:{PORT}", *look)
    early = count - 1 - count // 6
    followers = [Follower(program, folder, k, seconds) for k in range(early)]
    xdotool("windowraise", lecturer.id)
    x, y, wide, high = lecturer.settled("slider:promoted-packing")
    ends, late = (x + 0.2 * wide, x + 0.8 * wide), 0
    while time.monotonic() - begun < seconds:
        lecturer.drag(ends[0], y + high / 2, ends[1], y + high / 2, 20)
        ends = ends[::-1]
        if late < count // 6 and time.monotonic() - begun > seconds / 3:
            followers.append(Follower(program, folder, early + late, seconds / 2))
            late += 1
    for f in followers:
        f.process.wait()
    wire, passed = loopback_bytes() - before, time.monotonic() - begun
    changes = sum(line.startswith("set ") for line in lecturer.lines())
    print(f"{changes} changes in {passed:.0f} s. The window that follows: {window.state('lesson')}. The lecturer's: "
          f"{lecturer.state('lesson')}.\n")
    window.close()
    lecturer.close()
    good = report(followers, wire, passed) and changes > 0
    shutil.rmtree(folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
