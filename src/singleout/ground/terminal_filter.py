"""The one filter before a terminal: names out of data may hold codes that steer it, and none of them gets through."""

from __future__ import annotations

import errno
import os
import re
from typing import Any, TextIO

from singleout.ground.errors import OutputError

BOLD = re.compile("(\x1b\\[[01]m)")
"""What our own tables need of a terminal, bold on and off: harmless wherever it comes from."""
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control codes other than tab and end of line, and marks that turn the direction of writing."""
LINE_ENDS = "\u2028\u2029"
"""Ends of lines to a terminal; on a page they are space."""


def on_a_page(text: str) -> str:
    """The text with a question mark for every control code, as a page may show it."""
    return STEERING.sub(lambda code: code[0] if code[0] in LINE_ENDS else "?", text)


def visible(text: str) -> str:
    """The text with a question mark for every sign that would steer a terminal."""
    return STEERING.sub("?", text)


class VisibleText:
    """A stream of text that lets nothing through but text.

    A reader who leaves early (``| head``) ends the output, not the work. Any other fault of the stream is an error in
    words.
    """

    buffer = None
    """Nobody gets at the bytes past the filter."""

    def __init__(self, stream: TextIO) -> None:
        self.unfiltered = stream
        self.fault: OutputError | None = None

    def write(self, text: str) -> int:
        """Write the text, what would steer the terminal made visible."""
        if text and self.fault is not None:  # whoever got the first report may have kept it to themselves
            raise self.fault
        parts = BOLD.split(text)
        clean = "".join(part if number % 2 else visible(part) for number, part in enumerate(parts))
        self._keep_up(lambda: self.unfiltered.write(clean))
        return len(text)

    def flush(self) -> None:
        """Bring everything out."""
        self._keep_up(self.unfiltered.flush)

    def _keep_up(self, work: Any) -> None:
        try:
            work()
        except OSError as error:
            # whatever else is written goes nowhere, also at the end of the process
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.unfiltered.fileno())
            if error.errno not in (errno.EPIPE, errno.EINVAL):
                self.fault = OutputError(f"cannot write to the standard output: {error.strerror}.")
                raise self.fault from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unfiltered, name)
