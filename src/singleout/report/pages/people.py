"""Those most at risk, as the page lists them: equal reasons together, and people with the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from singleout.assessment.audit_parts import PersonAtRisk, Reason
from singleout.ground.notes import in_a_row
from singleout.measures.disclosure import FEWEST_PEOPLE, SHARE_STEPS
from singleout.report.charts.audit import clarity


@dataclass(frozen=True)
class SharedReason:
    """One or several equal reasons, with the ``share`` they have together, of everyone in a group.

    ``people`` says how many others have the same, in words: in this data, at least.
    """

    kind: str
    name: str | None
    number: int
    people: str
    share: str


@dataclass(frozen=True)
class GroupAtRisk:
    """People whom the same reasons identify, the clearest first."""

    people: tuple[PersonAtRisk, ...]
    reasons: tuple[SharedReason, ...]

    @property
    def details(self) -> list[tuple[str, str]]:
        """What else is said of them, with the rows it is said of; without these where it is the same for all."""
        said: dict[str, list[str]] = {}
        for each in self.people:
            said.setdefault(each.detail, []).append(f"{each.row:,}")
        return [("" if len(said) == 1 else _rows(rows), detail) for detail, rows in said.items() if detail]


def _rows(rows: Sequence[str]) -> str:
    return f"{'row' if len(rows) == 1 else 'rows'} {in_a_row(rows)}"


_Key = tuple[str, str | None, int, int | None]


@dataclass(frozen=True)
class _Sum:
    """Reasons of one person that cannot be distinguished, and their share together."""

    kind: str
    name: str | None
    number: int
    people: int | None
    share: float

    @property
    def key(self) -> _Key:
        """What is the same for people of a group: how many share a value of a column differs from value to value."""
        return self.kind, self.name, self.number, self.people if self.kind == "place" else None


def group_people(people: Sequence[PersonAtRisk], who: str, *, reveal: bool) -> list[GroupAtRisk]:
    """Groups in the order of their clearest, each of people who are identified equally clearly.

    ``who`` is people or records, and numbers are exact where revealed.
    """
    groups: dict[object, list[tuple[PersonAtRisk, dict[_Key, _Sum]]]] = {}
    for each in people:
        sums = {one.key: one for one in _add_up(each.reasons)}
        groups.setdefault((frozenset(sums), each.id, clarity(each)), []).append((each, sums))
    return [_group(members, who, reveal) for members in groups.values()]


def _add_up(reasons: Sequence[Reason]) -> Iterator[_Sum]:
    """Equal ones once, with their number and the sum of their shares, in the order of their first."""
    equal: dict[object, list[Reason]] = {}
    for each in reasons:
        equal.setdefault((each.kind, each.name, each.people), []).append(each)
    for group in equal.values():
        first = group[0]
        # a place with a name is one place, at several times of the day or week
        number = len(group) if first.name is None else 1
        # shares are rounded one by one, so that several may seem to be more than all
        yield _Sum(first.kind, first.name, number, first.people, min(1.0, sum(each.share for each in group)))


def _group(members: Sequence[tuple[PersonAtRisk, dict[_Key, _Sum]]], who: str, reveal: bool) -> GroupAtRisk:
    together = [[sums[key] for _, sums in members] for key in members[0][1]]
    together.sort(key=lambda same: -sum(each.share for each in same))
    reasons = [
        SharedReason(
            same[0].kind,
            same[0].name,
            same[0].number,
            _people_in_words([each.people for each in same], who, reveal),
            _share_in_words([each.share for each in same], reveal),
        )
        for same in together
    ]
    return GroupAtRisk(tuple(person for person, _ in members), tuple(reasons))


def _people_in_words(bands: Sequence[int | None], who: str, reveal: bool) -> str:
    """How many have the same; the least number, which holds for all of a group."""
    least = [band for band in bands if band is not None]
    if not least:
        return f"fewer than {FEWEST_PEOPLE} {who}"
    if len(least) < len(bands):
        return f"fewer than {FEWEST_PEOPLE} {who} in some cases"
    if reveal:
        low, high = min(least), max(least)
        one = {"people": "person", "records": "record"}[who] if high == 1 else who
        return f"{low:,} {one}" if low == high else f"{low:,} to {high:,} {who}"
    return f"at least {min(least):,} {who}"


def _share_in_words(shares: Sequence[float], reveal: bool) -> str:
    """The share of a reason, or from the least to the most where it differs in a group."""
    low, high = f"{min(shares):.0%}", f"{max(shares):.0%}"
    if not reveal and not max(shares):
        return f"less than {1 / SHARE_STEPS:.0%}"
    words = low if low == high else f"{low} to {high}" if reveal or min(shares) else f"up to {high}"
    return words if reveal or words.startswith("up to") else f"about {words}"
