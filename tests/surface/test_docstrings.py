"""Every public function and class says what it takes and returns, and shows an example that runs as printed."""

import doctest
import inspect
import re

import pytest

import singleout as so
from singleout.similarity import registry

PUBLIC = [name for name in so.__all__ if not name.startswith("_")]
FUNCTIONS = [name for name in PUBLIC if inspect.isfunction(getattr(so, name))]
ERRORS = [
    name for name in PUBLIC if inspect.isclass(getattr(so, name)) and issubclass(getattr(so, name), BaseException)
]
WITH_EXAMPLES = [name for name in PUBLIC if name not in ERRORS]
ABBREVIATED = re.compile(r"\b(?:N16|UN13|R12|M18)\b")


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Examples may register similarities: others must not see them."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def section(text, name):
    """The lines of a section of a docstring."""
    found = re.search(rf"^{name}\n-+\n(.*?)(?=^\w[^\n]*\n---|\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def documented(text):
    heads = [line for line in section(text, "Parameters").splitlines() if line and not line.startswith(" ")]
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_of_a_function_is_described(name):
    function = getattr(so, name)
    assert documented(inspect.getdoc(function)) == set(inspect.signature(function).parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_a_function_returns_is_described(name):
    function = getattr(so, name)
    returns = inspect.signature(function).return_annotation not in ("None", None)
    assert bool(section(inspect.getdoc(function), "Returns")) == returns


def test_every_option_of_an_audit_is_described():
    assert documented(inspect.getdoc(so.AuditOptions)) == set(inspect.signature(so.AuditOptions).parameters)


@pytest.mark.parametrize("name", PUBLIC)
def test_papers_are_cited_by_name(name):
    thing = getattr(so, name)
    methods = (
        [each for each in vars(thing).values() if inspect.isfunction(each) or isinstance(each, property)]
        if inspect.isclass(thing)
        else []
    )
    for each in (thing, *methods):
        assert not ABBREVIATED.search(each.__doc__ or ""), each


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_print_what_they_show(name):
    text = inspect.getdoc(getattr(so, name))
    test = doctest.DocTestParser().get_doctest(section(text, "Examples"), {}, name, None, 0)
    assert any(example.want for example in test.examples), "an example shows something"
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)
