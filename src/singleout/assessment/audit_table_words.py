"""What the audit of a table says in words: the tests that regulators use, and what is assumed."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_parts import AttackResult, RegulatorTest
from singleout.assessment.audit_words import make_test, strongest_within_reach
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.numbers import percent
from singleout.measures.disclosure import FEWEST_PEOPLE
from singleout.measures.tables.agreement import Agreement
from singleout.measures.tables.isolation import Vulnerability
from singleout.measures.tables.population import PopulationRisk
from singleout.measures.tables.table_risk import TableRisk

MOST_SHOWN = 3


def tests_of_tables(
    attacks: Sequence[AttackResult],
    risk: TableRisk,
    added: Vulnerability | None,
    agreeing: Sequence[Agreement],
) -> tuple[RegulatorTest, ...]:
    """The four tests, from what the known columns and one more single out."""
    records, (learnt, about) = risk.records, _learnt(agreeing, risk, added is not None or bool(risk.diversity))
    unique, known = (
        next(each for each in attacks if each.kind is kind) for kind in (AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS)
    )
    strongest = strongest_within_reach(attacks)
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
        make_test("singling out", singled_out, unique.rate.high, "the share of unique records is"),
        make_test(
            "linkability",
            [*_by_linking(strongest), links, *_in_population(risk)],
            strongest.rate.high,
            "the share of records linked to a person is",
        ),
        make_test(
            "inference",
            [*_learnt_from_unique(risk, learnt), *_inference(agreeing, risk), *_diversity(risk)],
            learnt,
            about,
        ),
        make_test(
            "motivated intruder",
            _look_up(unique, risk),
            unique.rate.high,
            "the share of people whose known columns lead to a single record is",
        ),
    )


def _by_linking(strongest: AttackResult) -> list[str]:
    """What was found with the intruder's own table, where there is one."""
    if strongest.kind in (AttackKind.CHANCE, AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS, AttackKind.POPULATION):
        return []
    return [
        f"With the second table {strongest.rate.in_words()} of {strongest.rate.n:,} records are linked to the right "
        f"person; guessing at random would link {percent(strongest.random)}."
    ]


def _learnt(agreeing: Sequence[Agreement], risk: TableRisk, any_left: bool) -> tuple[float, str]:
    """The largest share of records of which a value is learnt for certain, and in words whose share it is.

    Someone who singles out a record learns every value of it; where several records agree, it need not be singled out.
    ``any_left``: there are columns that are not known.
    """
    sensitive, unique = [each.column for each in risk.diversity], risk.unique / risk.records
    best = max(agreeing, key=lambda each: (each.revealed(sensitive), each.column in sensitive), default=None)
    column = next(iter(sensitive), None) if best is None else best.column
    what = "of which an intruder learns a value" if column is None else f"whose {column} an intruder learns"
    about = f"the share of records {what} for certain, unique ones included, is"
    if best is not None:
        return min(1.0, unique + best.revealed(sensitive)), about
    # where all records are unique no others agree; where they are not, no column differs
    return float(any_left and unique == 1), about


def _learnt_from_unique(risk: TableRisk, learnt: float) -> list[str]:
    if not risk.unique or not learnt:
        return []
    are = f"({percent(risk.unique / risk.records)}) {'is' if risk.unique == 1 else 'are'} unique"
    found = f"{number_of(risk.unique, 'records')} {are}"
    return [f"An intruder who singles out a record learns everything else in it: {found}."]


def _inference(agreeing: Sequence[Agreement], risk: TableRisk) -> list[str]:
    if risk.unique == risk.records:
        return []
    revealing = [each for each in agreeing if each.share > each.guessed][:MOST_SHOWN]
    unusual = sorted((each for each in agreeing if each.unusual), key=lambda each: -each.unusual)[:MOST_SHOWN]
    rare = "; ".join(f"{each.column} for {percent(each.unusual)}" for each in unusual)
    found = (
        [f"Of all {risk.records:,} records, a value other than the most common one is revealed: {rare}."]
        if rare
        else []
    )
    if not revealing:
        return [
            "Where indistinguishable records agree on the value of a further column, an intruder gains nothing over "
            "guessing its most common value.",
            *found,
        ]
    columns = "; ".join(
        f"{each.column} for {percent(each.share)} (guessing: {percent(each.guessed)})" for each in revealing
    )
    shared = risk.records - risk.unique
    return [
        "Records that are not unique can still reveal a value on which all indistinguishable ones agree, without "
        f"singling anyone out. Of {number_of(shared, 'such records')}: {columns}.",
        *found,
    ]


def _in_population(risk: TableRisk) -> list[str]:
    """What an intruder finds who does not know who is in the file."""
    among = risk.population
    if among is None:
        return []
    tree = among.rows[0]
    unique = (
        f"; of {number_of(risk.unique, 'unique records')} about {tree.unique_right or 0:,.0f} would be re-identified, "
        f"and {tree.population_unique or 0:,.0f} are unique in the population"
        if risk.unique
        else ""
    )
    return [
        f"The file is a sample of about {among.population:,.0f} people. Someone who does not know who is in it would "
        f"re-identify {among.rate.in_words()} of the records{unique}."
    ]


def _other_models(among: PopulationRisk) -> str:
    """What other models say, and whether that is outside the interval, which is that of the first model."""
    others = among.rows[1:]
    outside = [row.method for row in others if not among.rate.low <= row.mean <= among.rate.high]
    said = f"Other models: {in_a_row([f'{row.method} {percent(row.mean)}' for row in others])}."
    if not outside:
        return said
    return f"{said} The interval is that of the first model alone; {in_a_row(outside)} {_are(outside)} outside it."


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _diversity(risk: TableRisk) -> list[str]:
    """What indistinguishable records reveal about sensitive columns."""
    return [
        f"Indistinguishable records have at least {number_of(each.distinct, 'values')} of {each.column} (l; by entropy "
        f"{each.entropy:.2f}), and their distribution is at most {each.t:.3f} from that of all records (t); "
        f"{number_of(each.revealed, 'records')} belong to a group with a single value, unique records included."
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
        + _other_models(among)
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
