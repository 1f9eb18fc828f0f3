"""What a command is doing, on stderr: one line that changes on a terminal, and silence in a log."""
import sys
import time


class Progress:
    """Called with a text; the line goes when the command ends."""

    def __init__(self, stream=None, interval=0.1):
        self._stream = stream or sys.stderr
        self._shown, self._interval, self._last = self._stream.isatty(), interval, 0.0

    def __call__(self, text):
        if self._shown and time.monotonic() - self._last >= self._interval:
            self._last = time.monotonic()
            print(f"\r\033[K{text}", end="", file=self._stream, flush=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._shown:
            print("\r\033[K", end="", file=self._stream, flush=True)
