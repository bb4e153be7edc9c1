"""Natural English where users read: no phrase of the list below in docs, pages, help, errors or docstrings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "singleout"
INSTEAD = {
    "in the mean": "on average",
    "by lot": "at random",
    "told": "reported, shown",
    "made-up": "synthetic",
    "whoever": "anyone who",
    "so many": "this many, N",
    "broken number": "decimal number",
    "broken numbers": "decimal numbers",
    "on the middle": "median",
    "if out": "if omitted",
    "picked out": "re-identified",
    "blind guessing": "guessing at random",
}
PHRASES = {phrase: re.compile(rf"\b{phrase}\b".replace(" ", r"\s+"), re.IGNORECASE) for phrase in INSTEAD}
JINJA = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
SQL = re.compile(r"\b(?:SELECT|FROM|WHERE|GROUP BY|ORDER BY|CASE WHEN|CREATE|OVER|CAST)\b")
CHANGELOG = ROOT / "CHANGELOG.md"
PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = sorted(path for path in SOURCE.rglob("templates/*") if path.is_file())
SCHEMAS = sorted(SOURCE.rglob("*.json"))
MODULES = sorted(SOURCE.rglob("*.py"))
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Text = tuple[int, str]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def found_in(texts: Iterator[Text], lines: list[str]) -> list[str]:
    """Where the phrases are: each text starts at a line of the file, or some lines before its phrase."""
    found = []
    for first, text in texts:
        for phrase, pattern in PHRASES.items():
            for hit in pattern.finditer(text):
                guess = first + text.count("\n", 0, hit.start())
                # strings joined over several lines have one number: look for the line with the phrase
                written = (line for line in range(guess, len(lines) + 1) if pattern.search(lines[line - 1]))
                at = next(written, guess) if hit.group() not in lines[guess - 1] else guess
                found.append(f"line {at}: {' '.join(hit.group().split())!r}, better: {INSTEAD[phrase]}")
    return found


def shown_strings(tree: ast.Module, private_module: bool) -> Iterator[Text]:
    """String constants that a user could meet: with a space in them, no SQL, no docstring of a private name."""
    hidden = set(private_docstrings(tree, private_module))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden.update(id(part) for part in ast.walk(node) if isinstance(part, ast.Constant))
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield from readable(node.lineno, "".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield from readable(node.lineno, node.value)


def readable(line: int, text: str) -> Iterator[Text]:
    if " " in text and not SQL.search(text):
        yield line, text


def private_docstrings(tree: ast.Module, private: bool) -> Iterator[int]:
    """The docstring nodes of names that begin with an underscore, and of all that is inside them."""
    definitions = [(tree, private)]
    while definitions:
        node, hidden = definitions.pop()
        first = node.body[0] if node.body else None
        if hidden and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            yield id(first.value)
        inner = [child for child in ast.walk(node) if isinstance(child, DEFINITIONS) and child is not node]
        definitions += [(child, hidden or child.name.startswith("_")) for child in inner if child in node.body]


def refused_in_module(source: str, private_module: bool = False) -> list[str]:
    return found_in(shown_strings(ast.parse(source), private_module), source.splitlines())


def without_names(template: str) -> str:
    """A template with the names inside its Jinja tags blanked out; quoted texts and line ends stay."""
    blank = re.compile(r"(\"[^\"]*\"|'[^']*'|\n)|.", re.DOTALL)
    return JINJA.sub(lambda tag: blank.sub(lambda each: each.group(1) or " ", tag.group()), template)


def refused_in_text(text: str, first_line: int = 1) -> list[str]:
    return found_in(iter([(first_line, text)]), [""] * (first_line - 1) + text.splitlines())


@pytest.mark.parametrize("path", [*PROSE, *PAGES, *SCHEMAS], ids=name_of)
def test_docs_pages_and_schemas_speak_plain_english(path):
    text = path.read_text(encoding="utf-8")
    found = refused_in_text(without_names(text) if path.suffix == ".j2" else text)
    assert not found, "\n".join([name_of(path), *found])


def test_the_changelog_of_what_is_not_released_speaks_plain_english():
    text = CHANGELOG.read_text(encoding="utf-8")
    unreleased = re.search(r"^## \[Unreleased\].*?(?=^## \[|\Z)", text, re.DOTALL | re.MULTILINE)
    assert unreleased is not None
    found = refused_in_text(unreleased.group(), text.count("\n", 0, unreleased.start()) + 1)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_messages_help_and_docstrings_speak_plain_english(path):
    private = any(part.startswith("_") and not part.startswith("__") for part in path.relative_to(SOURCE).parts)
    found = refused_in_module(path.read_text(encoding="utf-8"), private)
    assert not found, "\n".join([name_of(path), *found])


@pytest.mark.parametrize("path", PROSE, ids=name_of)
def test_lines_of_prose_are_at_most_120_characters(path):
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    wide = [number for number, line in lines if len(line) > 120 and not line.startswith("|")]
    assert not wide, f"{name_of(path)}: lines {wide}"


def test_the_readme_is_at_most_120_lines_long():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_a_phrase_is_found_over_the_end_of_a_line_and_named_with_its_line():
    assert refused_in_text("one\ntwo in the\nmean") == ["line 2: 'in the mean', better: on average"]
    assert refused_in_text("How many are retold, fine.") == []


def test_names_in_a_template_are_not_text_but_quoted_texts_are():
    assert refused_in_text(without_names("{{ figure.told }}\n{{ figure.title }} is fine.")) == []
    assert refused_in_text(without_names("{% if told %}\n{{ 'picked out' }}")) == [
        "line 2: 'picked out', better: re-identified"
    ]


def test_strings_of_a_module_are_checked_but_not_names_sql_or_private_docstrings():
    source = '''
def told():
    """Whoever asks."""
    return (
        "A sentence that goes on: "
        f"{1} picked out."
    )

def _private():
    """Whoever asks."""
    return "told", "SELECT told FROM so_many"
'''
    assert [line.split(",")[0] for line in refused_in_module(source)] == ["line 3: 'Whoever'", "line 6: 'picked out'"]
