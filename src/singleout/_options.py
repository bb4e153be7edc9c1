"""What the commands share: options that all of them have, and mistakes told in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from singleout.ground.errors import SingleoutError

BAD_INPUT = 2
INTERRUPTED = 130

Out = Annotated[Path, typer.Option(help="Folder for the result; it appears whole or not at all.")]
Seed = Annotated[int, typer.Option(min=0, help="Draws lots for ties. Same seed, same result.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]
Reveal = Annotated[bool, typer.Option("--reveal", help="Write ids beside the row numbers.")]
Encoding = Annotated[str, typer.Option(help="Of text files: utf-8 or latin-1.")]


@contextmanager
def errors_in_words() -> Iterator[None]:
    """A user's mistake is one or two lines and exit code 2, never a traceback."""
    try:
        yield
    except SingleoutError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error
    except KeyboardInterrupt:
        typer.echo("interrupted; nothing was written.", err=True)
        raise typer.Exit(INTERRUPTED) from None


def words(text: str | None) -> list[str] | None:
    """Words with commas between them."""
    return None if text is None else [word.strip() for word in text.split(",")]
