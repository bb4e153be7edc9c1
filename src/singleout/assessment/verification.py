"""The file that goes out, attacked as it is on the disk; the key to its pseudonyms only counts what is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit import audit
from singleout.assessment.audit_options import names_of
from singleout.assessment.audit_parts import AttackResult, Size, chance_result
from singleout.assessment.audit_result import Audit
from singleout.assessment.command_lines import Command, command_line, flags_of, name_all_files
from singleout.assessment.file_attempts import FoundInFile
from singleout.assessment.file_figures import FileFigures
from singleout.assessment.file_names import NO_FILE, Namer
from singleout.assessment.file_tests import FoundByTests, tests_of_file
from singleout.assessment.file_to_verify import (
    FUNCTION,
    OpenedFile,
    check_key_belongs,
    read_key,
    read_protected,
    without_added_quotes,
)
from singleout.assessment.noise_attack import BY_LIKELIHOOD, may_have_noise, note_drawn
from singleout.assessment.release import COARSER, forms_of_knowledge
from singleout.assessment.verification_estimate import estimate_without_key, measure_with_key
from singleout.assessment.verification_result import Verification
from singleout.assessment.verify_options import VerifyOptions
from singleout.assessment.written_file import (
    WrittenFile,
    attack_each,
    counts_of_shares,
    do_places_meet,
    sides_by_likelihood,
)
from singleout.ground.errors import DataError, InputError, SourceError, bad_argument
from singleout.ground.notes import Note, in_a_row, nonzero, of_two_sides
from singleout.ground.numbers import plural
from singleout.ground.progress import stage
from singleout.measures.intervals import HALVES, counted, with_effective_share
from singleout.measures.unicity import unicity
from singleout.similarity.registry import Compared, similarity_name

IDENTICAL = "identical rows"
UNTOLD = (
    "Every place has many people, as if noise had been added to counts, but the shares in the file are not those of "
    "whole counts; they may have been rounded. So the attack on noise could not be carried out."
)


def verify(
    protected: Any,
    known: Any = None,
    *,
    key: Any = None,
    options: VerifyOptions | None = None,
    progress: bool | None = None,
    **options_by_name: Any,
) -> Audit:
    """Attack a protected file as it is, with what an intruder knows, and measure how many people are re-identified.

    ``protected`` is a file that ``singleout protect`` wrote: of an event log, one row per person and place, or a table.
    ``known`` is the event log, or histogram (``count=…``), that the intruder has; its columns are named as in
    ``audit``. ``key`` is the private file of pseudonyms that ``protect`` writes next to it (or a mapping of pseudonyms
    to ids): it is used only to count which matches are right. Without it the result holds what the file guarantees by
    itself, and estimated probabilities, no measured rate. ``shorten``, ``coarsen`` and ``hierarchy``, if the protection
    had such steps, are applied to what is known too, and the stronger attack counts. A table (``known_columns=…``)
    needs neither ``known`` nor ``key``: it is measured again.

    Parameters
    ----------
    protected
        The file that goes out.
    known
        What the intruder has: an event log, or a histogram.
    key
        The file of pseudonyms that ``protect`` wrote, or a mapping of pseudonyms to ids.
    options
        What to ask, as ``so.VerifyOptions(…)``; or by name, as ``options_by_name``.
    progress
        Whether to show progress; None: if it goes to a terminal.
    options_by_name
        The options of ``so.VerifyOptions``.

    Returns
    -------
    Audit
        A ``Verification`` for an event log, and a plain ``Audit`` for a table.

    Examples
    --------
    >>> import singleout as so
    >>> people = so.protect_table(so.synthetic_records(seed=1).table, known_columns=["area"], k=5)
    >>> found = so.verify(people.table, known_columns=["area"], max_risk=0.9, progress=False)
    >>> found.passed
    True
    """
    asked = _check_options(options, options_by_name)
    if asked.is_table:
        if known is not None or key is not None:
            raise InputError("a table has no second file and no `key`; leave them out.", function=FUNCTION)
        return replace(_verify_table(protected, asked, progress), **_commands(asked, protected), verified=True)
    if known is None:
        raise InputError("`known` is missing: the event log that the intruder has.", function=FUNCTION)
    label = asked.label or names_of(protected, known)
    found = _verify_file(_read(protected, known, key, asked), asked, label, progress)
    return replace(found, **_commands(asked, protected, known, key=key), about=asked.about())


def _commands(options: VerifyOptions, *sources: Any, key: Any = None) -> dict[str, Any]:
    """The command that verifies the file again, and its folder; empty where something came from no file."""
    given = [each for each in (*sources, key) if each is not None]
    files = name_all_files(options, *given)

    def build(name: Namer) -> str:
        secret = [] if key is None else ["--key", name(key)]
        return command_line(FUNCTION, [*map(name, sources)], *secret, *flags_of(options, name_file=name))

    again = "" if NO_FILE in map(files.name, given) else Command.build(build, files)
    return {"command": again, "command_folder": files.folder}


def _check_options(options: VerifyOptions | None, by_name: dict[str, Any]) -> VerifyOptions:
    if options is None:
        unknown = [name for name in by_name if name not in VerifyOptions.__dataclass_fields__]
        if unknown:
            raise InputError(f"there is no option `{unknown[0]}`.", function=FUNCTION)
        return VerifyOptions(**by_name)
    if not isinstance(options, VerifyOptions):
        raise bad_argument(FUNCTION, "options", "so.VerifyOptions(…)", type(options).__name__)
    return replace(options, **by_name) if by_name else options


def _verify_table(protected: Any, asked: VerifyOptions, progress: bool | None) -> Audit:
    try:
        return audit(protected, options=asked.as_audit(), progress=progress)
    except SourceError as error:
        if "`known_columns=" in error.problem:
            error.problem += "\n  If protect left it out of the file, leave it out here too: nobody can use it."
        raise error.within(function=FUNCTION) from None
    except DataError as error:
        raise error.within(function=FUNCTION) from None


# READ


def _read(protected: Any, known: Any, key: Any, options: VerifyOptions) -> OpenedFile:
    log = options.read(known)
    options.refuse_distinct(log, {"place": options.place}, FUNCTION)
    plain, coarser = forms_of_knowledge(log, options)
    rows, number = read_protected(protected, coarser.grid)
    rows = without_added_quotes(rows, coarser)
    if not do_places_meet(rows, coarser):
        raise DataError(
            "the file and what is known have no place in common.",
            function=FUNCTION,
            hint="If protect made places coarser, give the same `coarsen` or `hierarchy` and `hierarchy_level`.",
        )
    file = WrittenFile(rows, {} if key is None else read_key(key, rows.people))
    # where similarities are named only these are tried
    if options.similarities is not None:
        file = replace(file, by_likelihood=False)
    else:
        file = replace(file, noisy=may_have_noise(rows, file.classes))
        file = replace(file, counts=counts_of_shares(file))
    notes = () if key is None else check_key_belongs(key, protected)
    knowledge = (plain,) if coarser is plain else (plain, coarser)
    opened = OpenedFile(file, number, log, knowledge, notes, UNTOLD if file.noisy and file.counts is None else "")
    if key is not None and not opened.truth:
        hint = "Is `user` the column of ids that protect was given?"
        raise DataError("nobody of the `key` is in what is known.", function=FUNCTION, hint=hint)
    return opened


# ATTACK and MEASURE


def _verify_file(opened: OpenedFile, options: VerifyOptions, label: str, progress: bool | None) -> Verification:
    similarities = options.choose(opened.file.rows)
    found = _attack(opened, similarities, options, progress) if opened.file.key else None
    best = None if found is None else found[-1]
    with stage("how likely matches are"):
        likely = (
            estimate_without_key(opened, options, progress)
            if found is None
            else measure_with_key(opened, _strongest_of_shares(found), options, progress)
        )
    rows, known = opened.file.rows, opened.known
    figures = _count_file(opened, found)
    people, causes = likely.people(options, progress)
    drawn = note_drawn(min(filter(None, (each.drawn for each in found or ())), default=None))
    attacks = tuple(_list_attacks(opened, found or [], figures, options))
    return Verification(
        kind="events",
        label=label,
        synthetic=False,
        released=Size(len(rows), places=rows.number_of_places, rows=opened.rows),
        known=Size(len(known), places=known.number_of_places),
        attacks=attacks,
        curves=(),
        people_at_risk=people,
        causes=causes,
        protections=(),
        tests=tests_of_file(figures, _found_by_tests(opened, found, options), options.place_name),
        assumptions=_assumptions(opened, similarities, best, options),
        notes=of_two_sides(rows.notes, known.notes) + opened.notes + _notes(opened) + drawn,
        options=options.non_defaults(),
        risk_limit=options.max_risk,
        reveal=options.reveal,
        seed=options.seed,
        place_name=options.place_name,
        probability=likely.to_dict(),
        doubt=opened.doubt if found is not None else "",
        file=replace(figures, estimated=likely.estimate, withheld=likely.withheld),
    )


def _attack(
    opened: OpenedFile, similarities: Sequence[Compared], options: VerifyOptions, progress: bool | None
) -> list[FoundInFile]:
    """The strongest attack by each similarity; that of all comes last, with halves of the people for its interval."""
    tried = attack_each(
        opened.file, opened.knowledge, truth=opened.truth, similarities=similarities, seed=options.seed,
        progress=progress,
    )  # fmt: skip
    strongest: dict[str, FoundInFile] = {}
    for each in sorted(tried, key=lambda each: each.expected):
        strongest[each.similarity] = each
    *others, best = sorted(strongest.values(), key=lambda each: each.expected)
    return [*others, best.with_halves(progress)]


def _strongest_of_shares(found: Sequence[FoundInFile]) -> str:
    """The similarity by which pairs are described: one of shares, in which each place has a part."""
    counted = [each.name for each in BY_LIKELIHOOD]
    return next(each.similarity for each in reversed(found) if each.similarity not in counted)


def _count_file(opened: OpenedFile, found: Sequence[FoundInFile] | None) -> FileFigures:
    classes, rows = opened.file.classes, opened.file.rows
    best = None if found is None else found[-1]
    return FileFigures(
        people=len(rows),
        places=rows.number_of_places,
        rows=opened.rows,
        smallest=int(classes.size.min()),
        unique=int((classes.size == 1).sum()),
        guarantee=len(classes.size) / len(rows) if best is None else best.most,
        identities=best is not None,
        groups=None if found is None else min(1.0, max(each.groups / each.people for each in found)),
    )


def _found_by_tests(opened: OpenedFile, found: Sequence[FoundInFile] | None, options: VerifyOptions) -> FoundByTests:
    level = options.confidence_level
    by_places = unicity(opened.file.rows, confidence_level=level, seed=options.seed)
    if found is None:
        return FoundByTests(None, None, None, by_places)
    independent = found[-1].independent or 1.0
    alone, groups = (
        with_effective_share(best.count(getattr(best, name), level), independent)
        for name in ("one_by_one", "groups")
        for best in [max(found, key=attrgetter(name))]
    )
    return FoundByTests(found[-1].rate(level), alone, groups, by_places)


def _list_attacks(
    opened: OpenedFile, found: Sequence[FoundInFile], file: FileFigures, options: VerifyOptions
) -> Iterator[AttackResult]:
    """Chance, every similarity, and the bound: for comparison, or all there is without the key."""
    people = found[-1].people if found else file.people
    random = 1 / max(len(opened.file.rows), len(opened.known))
    yield chance_result(random, people, options.confidence_level)
    independent = found[-1].independent if found else None
    for each in found:
        if each.similarity:
            rate = each.rate(options.confidence_level, independent or 1.0)
            yield AttackResult(AttackKind.FILE, each.similarity, rate, random, f"strongest as {each.attack}")
    bound = counted(file.guarantee * people, people, options.confidence_level)
    detail = "people with identical rows cannot be distinguished; no attack can be right more often on average"
    yield AttackResult(AttackKind.IDENTICAL_ROWS, IDENTICAL, bound, random, detail, within_reach=not found)


# WORDS


def _notes(opened: OpenedFile) -> tuple[Note, ...]:
    """People who are on one side only."""
    if not opened.file.key:
        return ()
    both = len(opened.truth)
    return nonzero(
        Note(
            len(opened.file.rows) - both, "people in the file", "the intruder does not know them; they are not counted"
        ),
        Note(len(opened.known) - both, "people whom the intruder knows", "they are not in the file"),
    )


def _assumptions(
    opened: OpenedFile, similarities: Sequence[Compared], best: FoundInFile | None, options: VerifyOptions
) -> tuple[str, ...]:
    """What the intruder is assumed to have, and what the numbers rest on."""
    likely = dict.fromkeys(each for _, each in sides_by_likelihood(opened.file, opened.knowledge[-1], options.seed))
    tried = [*similarities, *likely]
    names = in_a_row([similarity_name(each.name) for each in tried])
    steps = in_a_row([name for name in COARSER if getattr(options, name) is not None])
    places = plural(options.place_name)
    has = "The intruder has the second file, with names, and this file, under pseudonyms."
    identical = "Among people with identical rows an intruder can only guess."
    if best is None:
        return (has, identical, "Everyone in the file is someone whom the intruder knows.")
    also = f" with the steps of the protection applied to it ({steps}), and" if steps else ""
    found = [
        has,
        "The key says who is who. Attacks never see it; it only scores the result.",
        f"The file was attacked jointly and one by one in both directions, with {names}, using what is known as it is,"
        f"{also} at the {places} of the file only. The strongest counts.",
        identical,
    ]
    if best.independent is not None:
        worth = best.independent * best.people
        found.append(
            f"People matched jointly are not independent of each other: {HALVES} random halves of them were matched "
            f"again, and the intervals are those of about {worth:,.0f} independent people (there are {best.people:,})."
        )
    return tuple(found)
