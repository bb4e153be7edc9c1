"""What the audit of a log says in words: the tests that regulators use, what is assumed, causes and protections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_context import ICO, WP29
from singleout.assessment.audit_parts import AttackResult, Cause, ProtectionResult, RegulatorTest, TestName
from singleout.assessment.file_attack import Point
from singleout.assessment.protection_words import protection_does
from singleout.ground.errors import is_number
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.numbers import percent, plural
from singleout.measures.intervals import HALVES, Estimate
from singleout.measures.reasons import Group, InferenceGain
from singleout.measures.unicity import TIMED_POINTS
from singleout.similarity.registry import similarity_name

if TYPE_CHECKING:
    from singleout.assessment.audit_events import Unique

QUESTIONS = {
    "singling out": "Can a person be singled out in the data?",
    "linkability": "Can records of the same person be linked?",
    "inference": "Can something new be learnt about a person?",
    "motivated intruder": "Would a motivated person with ordinary resources succeed?",
}
"""The first three are those of the Article 29 Working Party (opinion 05/2014), the last that of the UK's ICO."""
SPLITS = {
    "halves": "the first half of the weeks in which that person was active; the second half is released",
    "weeks": "the first of the two busiest weeks; the second is released",
    "dates": "what they did between the first date and the second; what they did from then on is released",
    "point": "what they did before a point in time; what they did afterwards is released",
}


def make_test(name: TestName, statements: Sequence[str], share: float | None, about: str) -> RegulatorTest:
    """One of the tests, with its question and the document that names it."""
    source = ICO if name == "motivated intruder" else WP29
    return RegulatorTest(name, QUESTIONS[name], tuple(statements), share, about, source)


def tests_of_events(
    attacks: Sequence[AttackResult],
    unique: Unique,
    gain: InferenceGain | None,
    place: str,
    inside: Estimate | None,
) -> tuple[RegulatorTest, ...]:
    """The four tests, from what the attacks found; ``inside``: with data from the released period."""
    linked = max(rate.high for rate in (strongest_within_reach(attacks).rate, inside) if rate is not None)
    return (
        make_test(
            "singling out",
            _singling_out(unique, place),
            unique.highest,
            f"the share of people whom a few {plural(place)}, their {unique.times}s or their order single out is up to",
        ),
        make_test(
            "linkability",
            [_linkability(attacks), *_linked_from_inside(inside)],
            linked,
            "the share of people whose released data is linked to them is up to",
        ),
        make_test(
            "inference",
            [_inference_from_events(gain, place), *_learnt_from_singled_out(unique, place)],
            max(linked if gain is not None or (inside is not None and inside.value) else 0.0, _singled_out(unique)),
            "the share of people about whom something new is learnt, because their data is linked or they are singled "
            "out, is up to",
        ),
        make_test(
            "motivated intruder",
            _list_attacks(attacks),
            _easiest(attacks).rate.high,
            "the share of people re-identified by comparing one person at a time is up to",
        ),
    )


def strongest_within_reach(attacks: Sequence[AttackResult]) -> AttackResult:
    """The attack within the intruder's reach that re-identifies most."""
    return max((each for each in attacks if each.within_reach), key=lambda each: each.rate.value)


def _easiest(attacks: Sequence[AttackResult]) -> AttackResult:
    return max((each for each in attacks if each.kind is AttackKind.ONE_BY_ONE), key=lambda each: each.rate.value)


def few_places(by_places: Mapping[int, Estimate], place: str, whose: str = "that someone visited") -> str:
    """Whom a few of their places single out, in a sentence."""
    single = [
        f"{number_of(number, plural(place))} {'singles' if number == 1 else 'single'} out "
        + (f"{rate.in_words()} of people" if rate.value else f"nobody ({rate.interval_in_words()})")
        for number, rate in by_places.items()
    ]
    return f"If an intruder knows a few random {plural(place)} {whose}: {'; '.join(single)}."


def _singling_out(unique: Unique, place: str) -> list[str]:
    found = [few_places(unique.by_places, place)]
    if unique.by_times is not None:
        found.append(
            f"The matching does not use times. To an intruder who knows the {unique.times} as well, {TIMED_POINTS} "
            f"random {plural(place)} with their {unique.times}s single out {unique.by_times.in_words()} of people."
        )
    if unique.by_shape is not None:
        shape = unique.by_shape.identifiability.in_words()
        found.append(
            f"For {shape} of people, the shape of movements between their ten most visited {plural(place)} is unique."
        )
    return found


def _linkability(attacks: Sequence[AttackResult]) -> str:
    best = strongest_within_reach(attacks)
    return (
        f"Released data was linked to what is known about the same person for {best.rate.in_words()} of people, "
        f"{best.kind.in_words(best.by)}; guessing at random would link {percent(best.random)}."
    )


def _linked_from_inside(inside: Estimate | None) -> list[str]:
    if inside is None:
        return []
    return [f"With data from the released period it is linked for {inside.in_words()} of people."]


def _inference_from_events(gain: InferenceGain | None, place: str) -> str:
    if gain is None:
        return "Nobody was re-identified, so nothing is learnt that way."
    return (
        f"On average, re-identifying someone reveals {gain.places:,.1f} {plural(place)} that the intruder did not "
        f"know, which account for {percent(gain.events)} of that person's released events."
    )


def _singled_out(unique: Unique) -> float:
    """The upper end of the share of people who are singled out; nothing where nobody was."""
    anyone = any(rate.value for rate in unique.rates)
    return unique.highest if anyone else 0.0


def _learnt_from_singled_out(unique: Unique, place: str) -> list[str]:
    share = _singled_out(unique)
    if not share:
        return []
    by, reveals = f"a few {plural(place)}", "all the others"
    if share > max(rate.high for rate in unique.by_places.values()):
        by, reveals = f"the shape of their movements between {plural(place)}", f"the {plural(place)} themselves"
        if unique.by_times is not None and unique.by_times.high == share:
            by, reveals = f"a few {plural(place)} with their {unique.times}s", "everything else in their data"
    return [f"Someone who is singled out by {by} reveals {reveals}: that is up to {percent(share)} of people."]


def _list_attacks(attacks: Sequence[AttackResult]) -> list[str]:
    easy = _easiest(attacks)
    lines = [
        "Comparing one person at a time, which needs no more than a short script, re-identifies "
        f"{easy.rate.in_words()} of people."
    ]
    selective = [each for each in attacks if each.kind is AttackKind.SELECTIVE]
    return lines + [
        f"An intruder who acts only on near-certain pairs {each.detail}"
        + (f", so {each.rate.in_words()} of all people would be re-identified." if each.rate.value else ".")
        for each in selective
    ]


def assumptions_of_events(
    split: str | None,
    similarities: Sequence[str],
    joint: Estimate,
    place: str,
    *,
    recommends: bool,
    protects: bool = True,
) -> tuple[str, ...]:
    """What the intruder is assumed to have, and what the numbers rest on; ``joint``: rate of the strongest matching.

    ``recommends``: a protection is recommended; ``protects``: some were tried.
    """
    has = "the second file" if split is None else SPLITS[split]
    return (
        f"For each person the intruder knows {has}.",
        "A shared id marks the same person on both sides. Attacks never see ids, which only score the result; an "
        "intruder who already knows some of the people also knows who these are.",
        "Everyone in the release is also in the intruder's data, and the intruder knows this. Otherwise fewer people "
        "would be re-identified.",
        "Among indistinguishable people an intruder can only guess.",
        f"The names of {plural(place)} are the same on both sides; only the shape-of-movements attack does not use "
        "them.",
        *(_judged_by_file(similarities, recommends=recommends) if protects else ()),
        _interval_assumption(joint) + ("; the recommended protection has its own." if recommends else "."),
    )


def _judged_by_file(similarities: Sequence[str], *, recommends: bool) -> tuple[str, str]:
    """How protections were tried."""
    best = " The recommended protection is attacked with all similarities." if recommends else ""
    by = in_a_row([similarity_name(each) for each in similarities])
    return (
        "Each protection is judged by the file it writes. The file is read back and attacked jointly and one by one, "
        f"with {by}, by an intruder who applies the same protection to their own data and by one who does not. The "
        f"strongest attack counts.{best}",
        "'Data from this period' means what the intruder has about the period that the file covers.",
    )


def _interval_assumption(rate: Estimate) -> str:
    """How the intervals of attacks were made, from that of the strongest joint matching; without the full stop."""
    found, as_if = "their rates varied no more than those of independent people would", "as for independent people"
    if rate.effective is not None and rate.effective != rate.n:
        found = f"their rates varied as much as those of about {rate.effective:,.0f} independent people would"
        as_if = "computed as if there were only that share of the people"
    return (
        f"People matched jointly are not independent of each other. To allow for that, {HALVES} random halves of the "
        f"people were matched again: {found} (there are {rate.n:,}). The intervals of all attacks and curves are "
        f"Wilson's, {as_if} (half-sampling)"
    )


def causes_in_words(groups: Sequence[Group], places: str) -> tuple[Cause, ...]:
    """Places by how many people are there: their part in what identifies people."""
    least = [None, *(group.below for group in groups[:-1])]
    named = []
    for low, group in zip(least, groups, strict=True):
        who = f"fewer than {group.below}" if low is None else f"{low} or more" if group.below is None else ""
        who = who or f"{low} to {int(group.below or 0) - 1}"
        detail = f"{percent(group.of_events)} of people's events"
        named.append(Cause(f"{places} with {who} people", group.share, detail))
    return tuple(named)


def strength_in_words(point: Point) -> str:
    """The strength of a protection as an option takes it."""
    return f"{point.strength:g}" if is_number(point.strength) else str(point.strength or "")


def protection_in_words(point: Point, people: int, place: str) -> ProtectionResult:
    """A point of the frontier, with what it destroys; ``place`` is what the user calls one."""
    lost, strength = point.utility, strength_in_words(point)
    detail = lost.top_in_words(place)
    if lost.emptied:
        left = "1 person is" if lost.emptied == 1 else f"{lost.emptied_people()} people are"
        detail += f"; {left} left without data"
    if point.cluster_level.value > point.risk.value:
        told_apart = percent(point.cluster_level.value)
        detail += f"; for {told_apart} of people an intruder can still tell which group of identical rows is theirs"
    detail += f"; the file has no times any more: one row per person and {place}"
    return ProtectionResult(
        protection=point.protection,
        strength=strength,
        does=protection_does(point.protection, strength, plural(place)),
        rate=point.risk,
        loss=lost.loss,
        on_frontier=point.on_frontier,
        command="",
        detail="" if point.protection == "none" else detail,
        outside=point.outside,
        inside=point.inside,
        guarantee=point.guarantee,
        emptied=lost.emptied / max(people, 1),
    )
