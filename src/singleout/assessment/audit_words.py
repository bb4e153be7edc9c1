"""What an audit says in words: the tests that regulators use, what is assumed, causes and protections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_context import ICO, WP29
from singleout.assessment.audit_parts import AttackResult, Cause, ProtectionResult, RegulatorTest, TestName
from singleout.assessment.file_attack import Point
from singleout.assessment.protection_words import protection_does
from singleout.ground.errors import is_number
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.numbers import percent, plural
from singleout.measures.disclosure import FEWEST_PEOPLE
from singleout.measures.intervals import HALVES, Estimate
from singleout.measures.reasons import Group, InferenceGain
from singleout.measures.tables.agreement import Agreement
from singleout.measures.tables.isolation import Vulnerability
from singleout.measures.tables.table_risk import TableRisk
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
MOST_SHOWN = 3
SPLITS = {
    "halves": "the first half of the weeks in which that person was active; the second half is released",
    "weeks": "the first of the two busiest weeks; the second is released",
    "dates": "what they did between the first date and the second; what they did from then on is released",
    "point": "what they did before a point in time; what they did afterwards is released",
}


def _test(name: TestName, statements: Sequence[str], share: float | None, about: str) -> RegulatorTest:
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
    linked = max(rate.high for rate in (_strongest(attacks).rate, inside) if rate is not None)
    return (
        _test(
            "singling out",
            _singling_out(unique, place),
            unique.highest,
            f"the share of people whom a few {plural(place)}, their hours or their order single out is up to",
        ),
        _test(
            "linkability",
            [_linkability(attacks), *_linked_from_inside(inside)],
            linked,
            "the share of people whose released data is linked to them is up to",
        ),
        _test(
            "inference",
            [_inference_from_events(gain, place)],
            0.0 if gain is None else linked,
            "the share of people about whom something new is learnt is up to",
        ),
        _test(
            "motivated intruder",
            _list_attacks(attacks),
            _easiest(attacks).rate.high,
            "the share of people re-identified by comparing one person at a time is up to",
        ),
    )


def _strongest(attacks: Sequence[AttackResult]) -> AttackResult:
    return max((each for each in attacks if each.within_reach), key=lambda each: each.rate.value)


def _easiest(attacks: Sequence[AttackResult]) -> AttackResult:
    return max((each for each in attacks if each.kind is AttackKind.ONE_BY_ONE), key=lambda each: each.rate.value)


def _singling_out(unique: Unique, place: str) -> list[str]:
    single = [
        f"{number_of(number, plural(place))} {'singles' if number == 1 else 'single'} out "
        + (f"{rate.in_words()} of people" if rate.value else f"nobody ({rate.interval_in_words()})")
        for number, rate in unique.by_places.items()
    ]
    found = [f"If an intruder knows a few random {plural(place)} that someone visited: {'; '.join(single)}."]
    if unique.by_times is not None:
        found.append(
            f"The attacks do not use times. To an intruder who knows the hour as well, {TIMED_POINTS} random "
            f"{plural(place)} with their hours single out {unique.by_times.in_words()} of people."
        )
    if unique.by_shape is not None:
        shape = unique.by_shape.identifiability.in_words()
        found.append(
            f"For {shape} of people, the shape of movements between their ten most visited {plural(place)} is unique."
        )
    return found


def _linkability(attacks: Sequence[AttackResult]) -> str:
    best = _strongest(attacks)
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


def _list_attacks(attacks: Sequence[AttackResult]) -> list[str]:
    easy = _easiest(attacks)
    lines = [
        "Comparing one person at a time, which needs no more than a short script, re-identifies "
        f"{easy.rate.in_words()} of people."
    ]
    selective = [each for each in attacks if each.kind is AttackKind.SELECTIVE]
    return lines + [
        f"An intruder who acts only on near-certain pairs {each.detail}, so {each.rate.in_words()} of all people would "
        "be re-identified."
        for each in selective
    ]


def assumptions_of_events(
    split: str | None, similarities: Sequence[str], joint: Estimate, place: str, *, recommends: bool
) -> tuple[str, ...]:
    """What the intruder is assumed to have, and what the numbers rest on; ``joint``: rate of the strongest matching.

    ``recommends``: a protection is recommended.
    """
    best = " The recommended protection is attacked with all similarities." if recommends else ""
    has = "the second file" if split is None else SPLITS[split]
    by = in_a_row([similarity_name(each) for each in similarities])
    return (
        f"For each person the intruder knows {has}.",
        "A shared id marks the same person on both sides. Attacks never see ids, which only score the result; an "
        "intruder who already knows some of the people also knows who these are.",
        "Everyone in the release is also in the intruder's data, and the intruder knows this. Otherwise fewer people "
        "would be re-identified.",
        "Among indistinguishable people an intruder can only guess.",
        f"The names of {plural(place)} are the same on both sides; only the shape-of-movements attack does not use "
        "them.",
        "Each protection is judged by the file it writes. The file is read back and attacked jointly and one by one, "
        f"with {by}, by an intruder who applies the same protection to their own data and by one who does not. The "
        f"strongest attack counts.{best}",
        "'Data from this period' means what the intruder has about the period that the file covers.",
        _interval_assumption(joint) + ("; the recommended protection has its own." if recommends else "."),
    )


def _interval_assumption(rate: Estimate) -> str:
    """How the intervals of attacks were made, from that of the strongest joint matching; without the full stop."""
    if rate.effective is None or rate.effective == rate.n:
        found = "their rates varied no more than those of independent people would"
    else:
        found = f"their rates varied as much as those of about {rate.effective:,.0f} independent people would"
    return (
        f"People matched jointly are not independent of each other. To allow for that, {HALVES} random halves of the "
        f"people were matched again: {found} (there are {rate.n:,}). The intervals of all attacks and curves are "
        "Wilson's, computed as if there were only that share of the people (half-sampling)"
    )


def causes_in_words(groups: Sequence[Group], places: str) -> tuple[Cause, ...]:
    """Places by popularity: their part in what identifies people."""
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


def protection_in_words(point: Point, people: int, places: str) -> ProtectionResult:
    """A point of the frontier, with what it destroys."""
    lost, strength = point.utility, strength_in_words(point)
    detail = lost.popular_in_words(places)
    if lost.emptied:
        left = "1 person is" if lost.emptied == 1 else f"{lost.emptied_people()} people are"
        detail += f"; {left} left without data"
    if point.cluster_level.value > point.risk.value:
        told_apart = percent(point.cluster_level.value)
        detail += f"; for {told_apart} of people an intruder can still tell which group of identical rows is theirs"
    detail += "; the file has no times any more: one row per person and place"
    return ProtectionResult(
        protection=point.protection,
        strength=strength,
        does=protection_does(point.protection, strength, places),
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


def tests_of_tables(
    attacks: Sequence[AttackResult],
    risk: TableRisk,
    added: Vulnerability | None,
    agreeing: Sequence[Agreement],
) -> tuple[RegulatorTest, ...]:
    """The four tests, from what the known columns and one more single out."""
    records, sensitive = risk.records, [each.column for each in risk.diversity]
    unique, known = (
        next(each for each in attacks if each.kind is kind) for kind in (AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS)
    )
    links = (
        "Someone who has the known columns of everyone and guesses among indistinguishable records re-identifies "
        f"{known.rate.in_words()} of the records; {unique.rate.in_words()} of all records are re-identified for "
        f"certain. Guessing at random would re-identify {percent(known.random)}."
    )
    small = risk.below(FEWEST_PEOPLE)
    singled_out = [
        f"The known columns form {risk.classes:,} combinations of values; {unique.rate.in_words()} of the "
        f"records are unique; {percent(small / records)}, including these, belong to a group of fewer than "
        f"{FEWEST_PEOPLE} records."
    ]
    if added is not None:
        best = sorted((row for row in added.rows if row.isolated), key=lambda row: -row.isolated)[:MOST_SHOWN]
        more = "; ".join(f"{' and '.join(row.columns)} (to {percent(row.isolated / records)})" for row in best)
        singled_out.append(
            f"With one more column known, the share of records singled out would rise most with: {more}."
            if best
            else "No single further column would single anyone out."
        )
    return (
        _test("singling out", singled_out, unique.rate.high, "the share of unique records is"),
        _test(
            "linkability",
            [links, *_in_population(risk)],
            _strongest(attacks).rate.high,
            "the share of records linked to a person is",
        ),
        _test(
            "inference",
            [*_inference(agreeing), *_diversity(risk)],
            max((each.revealed(sensitive) for each in agreeing), default=0.0),
            "the largest share of records that reveal a value without being unique is",
        ),
        _test(
            "motivated intruder",
            _look_up(unique, risk),
            unique.rate.high,
            "the share of people whose known columns lead to a single record is",
        ),
    )


def _inference(agreeing: Sequence[Agreement]) -> list[str]:
    revealing = [each for each in agreeing if each.share > each.guessed][:MOST_SHOWN]
    unusual = sorted((each for each in agreeing if each.unusual), key=lambda each: -each.unusual)[:MOST_SHOWN]
    rare = "; ".join(f"{each.column} for {percent(each.unusual)}" for each in unusual)
    found = [f"A value other than the most common one is revealed in that way: {rare} of the records."] if rare else []
    if not revealing:
        return [
            "No column is revealed for more of the records that are not unique than guessing its most common value "
            "would get right.",
            *found,
        ]
    columns = "; ".join(
        f"{each.column} for {percent(each.share)} (guessing: {percent(each.guessed)})" for each in revealing
    )
    return [
        "Records that are not unique can still reveal a value on which all indistinguishable ones agree, without "
        f"singling anyone out: {columns}.",
        *found,
    ]


def _in_population(risk: TableRisk) -> list[str]:
    """What an intruder finds who does not know who is in the file."""
    among = risk.population
    if among is None:
        return []
    tree = among.rows[0]
    return [
        f"The file is a sample of about {among.population:,.0f} people. Someone who does not know who is in it would "
        f"re-identify {among.rate.in_words()} of the records; of the {risk.unique:,} unique records about "
        f"{tree.unique_right or 0:,.0f} would be re-identified, and {tree.population_unique or 0:,.0f} are unique in "
        "the population."
    ]


def _diversity(risk: TableRisk) -> list[str]:
    """What indistinguishable records reveal about sensitive columns."""
    return [
        f"Indistinguishable records have at least {number_of(each.distinct, 'values')} of {each.column} (l; by entropy "
        f"{each.entropy:.2f}), and their distribution is at most {each.t:.3f} from that of all records (t); "
        f"{number_of(each.revealed, 'records')} belong to a group with a single value."
        for each in risk.diversity
    ]


def _look_up(unique: AttackResult, risk: TableRisk) -> list[str]:
    depends = (
        "Whether it is the right one depends on whether the person is in the file; that is assumed."
        if risk.population is None
        else "Whether it is the right one depends on how many others in the population have the same values."
    )
    return [
        f"For {unique.rate.in_words()} of people, looking up their known columns in the file leads to a single record.",
        depends,
    ]


def assumptions_of_tables(
    known: Sequence[str], columns: int, risk: TableRisk, *, linked: bool = False
) -> tuple[str, ...]:
    """What the intruder is assumed to have, and what the numbers rest on."""
    released = f"All {number_of(columns, 'columns')} are released; the columns that are not known are what the intruder"
    released += " would learn."
    among = risk.population
    who = (
        "Everyone the intruder looks for is in the file, and the intruder knows this: the file is treated as the whole "
        "population. The maximum risk is that of a prosecutor, who looks for one person; the average risk that of a "
        "marketer, who looks for many. If the file is only a sample, a journalist who looks for anyone in the "
        "population re-identifies fewer people; give a survey weight or the size of the population to estimate that."
        if among is None
        else "The intruder does not know who is in the file (a journalist's risk). How many people in the population "
        "share a record's values is estimated by a model in which pairs of columns depend on each other, not counted. "
        + f"Other models: {in_a_row([f'{row.method} {percent(row.mean)}' for row in among.rows[1:]])}."
    )
    if linked:
        return (
            f"The intruder links the two tables by {in_a_row(known)}, in which values may be wrong or missing.",
            released,
            "The strongest way to link counts. What someone would find who knew the exact values of everyone is shown "
            "for comparison, and protections are judged by that: no way to link the tables can do better on average.",
            "A missing value agrees with everything where records are linked, and counts as a value elsewhere.",
        )
    return (
        f"The intruder knows the exact {in_a_row(known)} of everyone.",
        released,
        "Records with the same values in the known columns are indistinguishable: one of them is guessed correctly.",
        who,
        "A missing value counts as a value.",
        "Shares of the file are counted, not estimated: they are exact.",
    )
