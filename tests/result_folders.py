"""A small result, as a command would write it."""

from singleout.ground.earlier_results import SCHEMA, ResultOf
from singleout.ground.files import whole_folder

ABOUT = {"schema": SCHEMA, "command": "try"}
FILES = ("result.txt", "other.txt")
RESULT = ResultOf("try", frozenset(FILES))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def write_result(target, text):
    with whole_folder(target, ABOUT, FILES) as folder:
        (folder / "result.txt").write_text(text)
