"""The command ``bench``: how long it takes on this machine."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from singleout.assessment.options import RUN
from singleout.cli.options import AsJson, Seed, parse_share, with_options
from singleout.ground.errors import InputError, bad_argument, unknown_name

BENCHES = ("matching", "topology", "tables")


@with_options
def bench(
    what: Annotated[str, typer.Argument(help="What to measure: matching, topology or tables.")],
    *,
    people: Annotated[
        list[int] | None,
        typer.Option(min=2, help="Number of synthetic people; repeat for several sizes.", rich_help_panel=RUN),
    ] = None,
    hard: Annotated[
        bool,
        typer.Option("--hard", help="For matching: a third of the people have one place only.", rich_help_panel=RUN),
    ] = False,
    tolerance: Annotated[
        float,
        typer.Option(
            parser=parse_share,
            help="For matching: stop once the matching is proven to be within this share of the optimum.",
            rich_help_panel=RUN,
        ),
    ] = 0.0,
    ours_only: Annotated[
        bool, typer.Option("--ours-only", help="Leave the other solvers out.", rich_help_panel=RUN)
    ] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Time singleout on this machine, next to SciPy, lapx, OR-tools, POT, GraKeL (extra 'bench') or DuckDB."""
    from singleout.bench.matching import machine

    if what not in BENCHES:
        raise unknown_name("bench", "what", what, BENCHES)
    if what != "matching" and (hard or tolerance):
        raise InputError("`hard` and `tolerance` are for matching.")
    if not 0 <= tolerance < 1:
        raise bad_argument("bench", "tolerance", "a share from 0 to below 1, such as 0.01", tolerance)
    rows, heading, missing = _time(what, people, hard, tolerance, others=not ours_only, seed=seed)
    if as_json:
        typer.echo(json.dumps({"machine": machine(), "rows": [row.to_dict() for row in rows]}, indent=2))
        return
    typer.echo(f"{machine()}\n{heading}")
    for row in rows:
        typer.echo(row)
    if not ours_only and missing:
        typer.echo(f"Not installed: {', '.join(missing)}. In a clone: pip install '.[bench]'", err=True)


def _time(
    what: str, people: list[int] | None, hard: bool, tolerance: float, *, others: bool, seed: int
) -> tuple[Any, str, list[str]]:
    from singleout.bench import matching, tables, topology

    if what == "topology":
        rows = topology.topology_timings(people or [600], others=others, seed=seed)
        return rows, topology.HEADING, [] if find_spec("grakel") else ["GraKeL"]
    if what == "tables":
        return tables.table_timings(people or [100_000], others=others, seed=seed), tables.HEADING, []
    sizes = people or [1_000, 4_000, 16_000]
    timed = matching.timings(sizes, hard=hard, tolerance=tolerance, others=others, seed=seed)
    return timed, matching.HEADING, matching.missing_solvers()
