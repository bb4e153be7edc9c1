"""What an audit says in words: the tests regulators speak of, what is assumed, causes and remedies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from singleout.ground.errors import is_number
from singleout.measures.anonymity import Anonymity
from singleout.measures.homogeneity import Agreement
from singleout.measures.intervals import HALVES, Estimate
from singleout.measures.isolation import Vulnerability
from singleout.measures.reasons import Group, Learnt
from singleout.measures.uniqueness import Uniqueness
from singleout.report.audit import Attempt, Cause, Remedy, Section
from singleout.report.frontier import Point
from singleout.report.model import share

QUESTIONS = {
    "singling out": "Can a person be isolated in the data?",
    "linkability": "Can records of the same person be linked?",
    "inference": "Can something new be learnt about a person?",
    "motivated intruder": "Would somebody who tries, with what is at hand, succeed?",
}
"""The first three are those of the Article 29 Working Party (opinion 05/2014), the last that of the UK's ICO."""
CLASS = 5
MOST_TOLD = 3
REMEDIES = {
    "shorten": "only the first {} days of each person",
    "coarsen": "larger places ({})",
    "keep": "only the {} most popular places",
    "min-people": "only places where at least {} people are",
    "noise": "noise on every count (epsilon {})",
    "microaggregate": "everyone the mean of a group of {} people",
}
"""What each protection does, in words."""
SPLITS = {
    "halves": "the second half of the weeks in which each person is active; the first half is released",
    "weeks": "the second of the two busiest weeks; the first is released",
    "dates": "what happened between the second date and the third; what happened before is released",
    "point": "what each person did after a point in time; what they did before is released",
}


def interval(rate: Estimate) -> str:
    """A share with its interval."""
    return f"{share(rate.value)} ({rate.level:.0%} interval {share(rate.low)} to {share(rate.high)})"


def section(name: str, statements: Sequence[str]) -> Section:
    """What one of the tests comes to."""
    return Section(name, QUESTIONS[name], tuple(statements))


def tests_of_events(
    attempts: Sequence[Attempt], alone: Mapping[int, Estimate], alike: Anonymity | None, learnt: Learnt | None
) -> tuple[Section, ...]:
    """The four tests, from what the attacks found."""
    points = [f"{interval(rate)} are alone with {_places(number)}" for number, rate in alone.items()]
    isolated = [f"Of a person somebody knows a few places, drawn by lot: {'; '.join(points)}."]
    if alike is not None:
        isolated.append(f"{interval(alike.identifiability)} are alone with the shape of their ten most visited places.")
    gained = "Nobody was found, so nothing is learnt by it."
    if learnt is not None:
        gained = (
            f"Whoever finds a person learns {learnt.places:,.1f} places of theirs that they did not know, in the mean, "
            f"which hold {share(learnt.events)} of the person's released events."
        )
    return (
        section("singling out", isolated),
        section("linkability", [_linked(attempts)]),
        section("inference", [gained]),
        section("motivated intruder", _tried(attempts)),
    )


def _places(number: int) -> str:
    return "one place" if number == 1 else f"{number} places"


def _linked(attempts: Sequence[Attempt]) -> str:
    best = max(attempts, key=lambda each: each.rate.value)
    return (
        f"What is released was linked to what is known of the same person for {interval(best.rate)} of them, by "
        f"{best.attack} ({best.by}); by chance it would be {share(best.random)}."
    )


def _tried(attempts: Sequence[Attempt]) -> list[str]:
    easy = max((each for each in attempts if each.attack.startswith("one")), key=lambda each: each.rate.value)
    lines = [f"Comparing person by person, which takes no more than a spreadsheet, finds {interval(easy.rate)}."]
    careful = [each for each in attempts if each.attack.endswith("rejection")]
    sure = [f"An intruder who must be sure {each.detail}: {interval(each.rate)} of all people." for each in careful]
    return lines + sure


def assumptions_of_events(split: str | None, weights: Sequence[str], joint: Estimate) -> tuple[str, ...]:
    """What the intruder is assumed to have, and what the numbers rest on; ``joint``: rate of the strongest matching."""
    has = "the second file" if split is None else SPLITS[split]
    return (
        f"The intruder knows of everybody: {has}.",
        "Who is who is told by equal ids on the two sides; the attacks never look at them.",
        "The intruder knows that everybody released is among the people known. Where that is not so, fewer are found.",
        "People who are exactly alike count as a draw of lots.",
        "Names of places are the same on both sides; only the shape of movements does without them.",
        "Each protection is judged by the file it writes, read back and attacked: everybody at once and person by "
        f"person, by {', '.join(weights)}, with what is known as it is and with the same protection applied to it; the "
        "strongest counts. The recommended one is attacked by all similarities.",
        "Knowledge from inside is what the intruder knows of the very period that the file covers.",
        _interval_in_words(joint),
    )


def _interval_in_words(rate: Estimate) -> str:
    """How the intervals of attacks were made, from that of the strongest joint matching."""
    if rate.effective is None or rate.effective == rate.n:
        found = "their rates varied no more than those of independent people would"
    else:
        found = f"their rates varied as much as those of about {rate.effective:,.0f} independent people would"
    return (
        f"People matched jointly are not independent of each other. To allow for that, {HALVES} random halves of the "
        f"people were matched again: {found} (there are {rate.n:,}). The intervals of all attacks and "
        "curves are Wilson's with that share of the people (half-sampling); the recommended protection has its own."
    )


def causes_in_words(groups: Sequence[Group]) -> tuple[Cause, ...]:
    """Places by popularity: what part they have in giving people away."""
    least = [None, *(group.below for group in groups[:-1])]
    named = []
    for low, group in zip(least, groups, strict=True):
        who = f"fewer than {group.below}" if low is None else f"{low} or more" if group.below is None else ""
        who = who or f"{low} to {int(group.below or 0) - 1}"
        named.append(Cause(f"places of {who} people", group.share, f"{share(group.of_events)} of their events"))
    return tuple(named)


def remedy_in_words(point: Point, people: int, hierarchy: str | None = None) -> Remedy:
    """A point of the frontier, with what it costs and how to apply it."""
    lost = point.utility
    strength = f"{point.strength:g}" if is_number(point.strength) else str(point.strength or "")
    done = REMEDIES.get(point.protection, point.protection).format(strength)
    kept = f"{lost.top_kept:.0%} of the ten most popular places kept"
    detail = f"{done}; loss {lost.loss:.2f} (1: everyone alike), {kept}"
    if lost.emptied:
        detail += f", {lost.emptied_people()} people emptied"
    if point.cluster_level.value > point.risk.value:
        detail += f"; for {share(point.cluster_level.value)} the group they are in is still found"
    how = f"singleout protect … --{point.protection} {strength}".rstrip()
    if point.protection == "coarsen" and not is_number(point.strength):
        how = f"singleout protect … --coarsen {hierarchy or 'FILE'}" + (f" --level {strength}" if strength else "")
    if point.strength is None and point.protection == "none":
        detail, how = "the file as it is, under pseudonyms", ""
    return Remedy(
        point.protection,
        strength,
        point.risk,
        lost.loss,
        point.on_frontier,
        how,
        detail,
        point.outside,
        point.inside,
        point.guarantee,
        lost.emptied / max(people, 1),
    )


def tests_of_tables(
    attempts: Sequence[Attempt], classes: Uniqueness, added: Vulnerability | None, agreeing: Sequence[Agreement]
) -> tuple[Section, ...]:
    """The four tests, from what the known columns and one more single out."""
    records, (alone, known) = classes.records, attempts[1:3]
    links = (
        f"Whoever has the known columns of everybody and guesses among those alike is right for {interval(known.rate)} "
        f"of the records, and sure for {interval(alone.rate)}; by chance it would be {share(known.random)}."
    )
    small = int(classes.sizes[classes.sizes < CLASS].sum())
    isolated = [
        f"The known columns make {len(classes.sizes):,} classes; {interval(alone.rate)} of the records are alone in "
        f"theirs, {share(small / records)} are in classes of fewer than {CLASS}."
    ]
    if added is not None:
        best = sorted(added.rows, key=lambda row: -row.isolated)[:MOST_TOLD]
        more = "; ".join(f"{' and '.join(row.columns)} {share(row.isolated / records)}" for row in best)
        isolated.append(f"With one more column known, these single out most: {more}.")
    return (
        section("singling out", isolated),
        section("linkability", [links]),
        section("inference", _inferred(agreeing)),
        section("motivated intruder", _looked_up(alone)),
    )


def _inferred(agreeing: Sequence[Agreement]) -> list[str]:
    telling = [each for each in agreeing if each.share > each.guessed][:MOST_TOLD]
    if not telling:
        return ["No column can be told of records that are not alone better than by guessing its commonest value."]
    columns = "; ".join(f"{each.column} for {share(each.share)} (guessing: {share(each.guessed)})" for each in telling)
    return [f"Of records that are not alone, all alike agree on: {columns}. It is learnt without singling them out."]


def _looked_up(alone: Attempt) -> list[str]:
    return [
        f"Anyone who looks up the known columns of a person in the file finds one record for {interval(alone.rate)}.",
        "Whether that record is the right one depends on whether everybody is in the file; it is assumed.",
    ]


def assumptions_of_tables(known: Sequence[str], columns: int) -> tuple[str, ...]:
    """What the intruder is assumed to have, and what the numbers rest on."""
    return (
        f"The intruder knows of everybody, exactly: {', '.join(known)}.",
        f"All {columns} columns are released; the others are what the intruder would learn.",
        "Records with the same values in the known columns are alike: one of them is guessed rightly.",
        "Everybody the intruder looks for is in the file. Where it is a sample, fewer are found.",
        "A missing value is a value like any other.",
    )
