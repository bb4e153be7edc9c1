"""What the tests that regulators use come to for the very file of people and places that goes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from singleout.assessment.audit_parts import RegulatorTest
from singleout.assessment.audit_words import few_places, make_test
from singleout.assessment.file_figures import FileFigures
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent
from singleout.measures.intervals import Estimate

UNMEASURED = "(not measured without the key)"


@dataclass(frozen=True)
class FoundByTests:
    """What is held against the limit: rates of the strongest attack, of matching one by one, and of recognised groups.

    None without the key: then only what was counted in the file is known.
    """

    linked: Estimate | None
    one_by_one: Estimate | None
    groups: Estimate | None
    by_places: Mapping[int, Estimate]
    """People who are unique in the file by a few of its places."""


def tests_of_file(file: FileFigures, found: FoundByTests, place: str) -> tuple[RegulatorTest, ...]:
    """The four tests, in a file that is already protected."""
    return (
        _singling_out(file, found, place),
        _linkability(file, found),
        _inference(file, found),
        _motivated(file, found),
    )


def _singling_out(file: FileFigures, found: FoundByTests, place: str) -> RegulatorTest:
    alone = f"{file.unique:,} of {number_of(file.people, 'people')} share their rows with nobody."
    if not file.unique:
        alone = (
            f"Nobody's rows are unique: everyone shares theirs with at least {number_of(file.smallest - 1, 'others')}."
        )
    return make_test(
        "singling out",
        [alone, few_places(found.by_places, place, "in someone's rows")],
        file.unique / file.people,
        "the share of people in the file whose rows are unique is",
    )


def _linkability(file: FileFigures, found: FoundByTests) -> RegulatorTest:
    which = "everyone's rows are identical to those of others" if file.smallest > 1 else "some rows are identical"
    bound = f"No attack can link more than {percent(file.guarantee)} on average, since {which}."
    lines = [bound] if file.guarantee < 1 else []
    about = "the share of people whose rows are linked to them is up to"
    if found.linked is None:
        about = f"the share of people whose rows can be linked to them {UNMEASURED} is at most"
        lines.append("How many the strongest attack links was not measured: that needs the key.")
    else:
        lines.insert(
            0, f"The strongest attack linked rows of the file to the right person for {found.linked.in_words()}."
        )
    return make_test(
        "linkability",
        lines,
        _within(found.linked, file),
        about,
    )


def _inference(file: FileFigures, found: FoundByTests) -> RegulatorTest:
    about = "the share of people whose own rows, or whose group of identical rows, can be recognised is up to"
    if found.groups is None:
        return make_test("inference", ["Not measured: that needs the key."], None, about)
    line = "Someone whose rows are linked to them reveals all that these say."
    if file.smallest > 1:
        line = (
            f"For {found.groups.in_words()} of people an intruder can say which group of identical rows is theirs, "
            "and learns what the group has in common."
        )
    shares = [found.groups.high if found.groups.value else 0.0, _within(found.linked, file)]
    return make_test("inference", [line], max(shares), about)


def _motivated(file: FileFigures, found: FoundByTests) -> RegulatorTest:
    about = f"whatever the attack, the share of people who can be re-identified {UNMEASURED} is at most"
    lines = [
        "How many comparing one person at a time re-identifies was not measured: that needs the key. What is held "
        "against a limit is the most that any attack can reach."
    ]
    if found.one_by_one is not None:
        about = "the share of people re-identified by comparing one person at a time is up to"
        lines = [
            "Comparing one person at a time, which needs no more than a short script, re-identifies "
            f"{found.one_by_one.in_words()} of people."
        ]
    return make_test("motivated intruder", lines, _within(found.one_by_one, file), about)


def _within(rate: Estimate | None, file: FileFigures) -> float:
    """What a rate is within: the upper end of its interval, or what identical rows guarantee where that is less."""
    return file.guarantee if rate is None else min(rate.high, file.guarantee)
