"""How long a test of the window waits on a busy machine."""
import contextlib
import glob
import time


class Patience:
    """Ends a wait: not by seconds, of which a busy machine may give the window few, but once the
    window has had its chance for `seconds` (half a minute at least): time in which its threads could
    have worked counts by the share of it that they got."""

    def __init__(self, process, seconds):
        self.process, self.seconds = process, max(seconds, 30)
        self.begun, self.before = time.time(), self.times()

    def times(self):
        """In which all threads ran, and waited for a processor."""
        ran = waited = 0
        for file in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            # Of a thread that has ended there is none.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(file) as times:
                run, wait = map(int, times.read().split()[:2])
                ran, waited = ran + run, waited + wait
        return ran, waited

    def over(self):
        ran, waited = (max(now - then, 0) for now, then in zip(self.times(), self.before))
        passed = 1e9 * (time.time() - self.begun)
        lost = waited * min(1, passed / (ran + waited)) if waited else 0
        return passed - lost > 1e9 * self.seconds
