"""The tree of errors, what each of them carries as fields, and the frame of every message.

A message says which argument of which function, what it must be, what it got, and what to do instead. It never
carries a value out of the data: rows are named by number.
"""

from __future__ import annotations

import difflib
import math
import re
import traceback
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from pathlib import Path

from singleout.ground.notes import cut_middle

LONGEST = 200
"""Characters of a value that a message repeats."""
LONGEST_LIST = 20
"""Names that a message lists where it has a guess."""
LIKE = 0.65
"""How much of a name must be the same for a guess."""
ARGUMENT = re.compile(r"`(?P<name>[a-z_]+)(?:=(?P<value>[^`]*))?`")
"""An argument named in a text, with or without a value: `time`, `tolerance=0`."""
Naming = Callable[[str, str | None], str]


class SingleoutError(Exception):
    """Any error that singleout raises on purpose.

    ``problem`` and ``hint`` are sentences; they mark arguments as `time` or `tolerance=0`, and the command line shows
    its options in their place. ``function`` and ``argument`` say what was called with what; ``must`` and ``got``, where
    an argument was wrong, what it must be and what it was. ``context`` is the step that the error ended, if any.
    """

    function: str
    argument: str
    must: str
    got: str
    hint: str
    context: str

    def __init__(
        self, problem: str, *, function: str = "", argument: str = "", must: str = "", got: str = "", hint: str = ""
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.function, self.argument, self.must, self.got, self.hint = function, argument, must, got, hint
        self.context = ""

    def within(self, *, function: str = "", context: str = "") -> SingleoutError:
        """The same error, known to come from a function, or from one step of it."""
        self.function = function or self.function
        self.context = context or self.context
        return self

    def in_words(self, name: Naming | None = None) -> str:
        """The message without the function that raised it; ``name`` says what an argument is called."""
        text = self.sentences(name or as_argument)
        return f"{self.context}: {text}" if self.context else text

    def sentences(self, called: Naming) -> str:
        """The same without the step that the error ended."""
        if self.must:
            sentences = must_in_words(self.argument, self.must, self.got, self.hint)
        elif self.argument:
            sentences = f"`{self.argument}`: {self.problem} {self.hint}"
        else:
            sentences = f"{self.problem} {self.hint}"
        return ARGUMENT.sub(lambda found: called(found["name"], found["value"]), sentences.strip())

    def __str__(self) -> str:
        return ": ".join(part for part in (self.context, self.function, self.sentences(as_argument)) if part)


class InputError(SingleoutError, ValueError):
    """An argument that cannot be used as given."""


class SourceError(InputError):
    """A file or frame that cannot be read, or lacks a column."""


class DataError(InputError):
    """A source that can be read but holds values that cannot be used."""


class ResourceError(SingleoutError):
    """Too little memory or disk; it says how much was needed."""


class OutputError(SingleoutError, OSError):
    """A result that could not be written; nothing half-written is left."""


def bad_argument(function: str, argument: str, must: str, got: object, instead: str = "") -> InputError:
    """Fill the template: which argument of which function, must be what, got what, what to do instead."""
    return InputError("", function=function, argument=argument, must=must, got=got_in_words(got), hint=instead)


def must_in_words(argument: str, must: str, got: str, hint: str = "") -> str:
    """What an argument must be, what it was where that helps, and what to do instead."""
    shown = f" (got {got})" if got else ""
    return f"`{argument}` must be {must}{shown}. {hint}".rstrip()


def got_in_words(value: object) -> str:
    """A value as a message repeats it; empty for an option that was not given, or is only on or off."""
    return "" if value is None or isinstance(value, bool) else cut_middle(repr(value), LONGEST)


def as_argument(name: str, value: str | None) -> str:
    """An argument as Python spells it."""
    return name if value is None else f"{name}={value}"


def is_number(value: object) -> bool:
    """Whether a value is a finite number (true and false are none)."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of more than 300 digits
        return False


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of Python's or NumPy's."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_seed(function: str, seed: object) -> None:
    """Refuse what would not give the same numbers again."""
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise bad_argument(function, "seed", "a whole number, 0 or more", seed)


def check_level(function: str, confidence_level: object) -> None:
    """Refuse what cannot be the confidence level of an interval."""
    if (
        not isinstance(confidence_level, Real)
        or isinstance(confidence_level, bool)
        or not 0 < float(confidence_level) < 1
    ):
        raise bad_argument(function, "confidence_level", "between 0 and 1", confidence_level)


def unknown_name(function: str, argument: str, got: str, names: Iterable[str]) -> InputError:
    """Say which names there are, and which of them is near to the one given."""
    choices = list(names)
    guess = near(got, choices)
    # a long list hides the guess
    must = "a name that exists" if guess and len(choices) > LONGEST_LIST else f"one of {', '.join(choices)}"
    return bad_argument(function, argument, must, got, guess)


def near(got: str, names: Iterable[str], likeness: float = LIKE) -> str:
    """'Did you mean …?' for a name that nearly exists, else nothing."""
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(str(got).lower(), list(by_lower), n=1, cutoff=likeness)
    return f"Did you mean {by_lower[close[0]]!r}?" if close else ""


def where_it_failed(error: BaseException, file: Path | None = None) -> str:
    """The kind of an error that a user's code raised, and the last line (of a file) that led to it.

    Not its message, which may quote the data.
    """
    kind, frames = type(error).__name__, traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError):
        return f"{kind} in line {error.lineno}" if error.lineno else f"{kind}: not Python text"
    own = [frame for frame in frames if file is None or Path(frame.filename) == file]
    where = [f"{Path(frame.filename).name}, line {frame.lineno}" for frame in own]
    return f"{kind} in {where[-1]}" if where else kind
