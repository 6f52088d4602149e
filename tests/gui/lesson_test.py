"""A lecturer's window and one that follows: lesson_test.py PROGRAM SCENARIOS. Both are on one
display, and the one that gets input is named each time."""
import socket

from lecture_tools import ProgramTest, path_of
from window_driver import run_tests


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Lesson(ProgramTest):
    def window(self, *arguments):
        return self.started(*arguments, "--size", "900x700", "--scale", "1", "--backend", "cpu")

    def test_a_window_follows_leaves_and_comes_back(self):
        port = free_port()
        lecturer = self.window("lesson", path_of("four_disks"), "--serve", "--port", port, "--paused")
        lecturer.until(lambda: lecturer.state("lesson") == "no one follows", "no chip")
        follower = self.window("follow", f"127.0.0.1:{port}")
        follower.until(lambda: follower.state("lesson").endswith(": in step"), "not in step")
        lecturer.until(lambda: lecturer.state("lesson") == "1 follow, 1 in step", "nobody follows")
        for w in (lecturer, follower):  # once a second they hear of each other, and nothing is drawn
            w.at_rest()
        # The follower's window is on top: it plays nothing, and says why.
        follower.key("space", then="message The lecturer leads")
        follower.click("slider:promoted-d")  # disabled: nothing is said
        self.assertFalse(follower.seen("message") or follower.seen("set"))
        # Leaving makes the run one's own.
        follower.click("button:lesson", then="follow off")
        follower.until(lambda: follower.state("lesson").startswith("left the lesson"), "not left")
        lecturer.until(lambda: lecturer.state("lesson") == "no one follows", "still followed")
        follower.key("period", then="step")
        self.assertFalse(follower.seen("message The lecturer"))
        follower.click("button:lesson", then="follow on")
        follower.until(lambda: follower.state("lesson").endswith(": in step"), "not back in step")
        # The lecturer closes the window.
        lecturer.close()
        follower.until(lambda: follower.state("lesson").startswith("no lecturer"), "not noticed")


if __name__ == "__main__":
    run_tests()
