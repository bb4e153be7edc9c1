"""Linking: a million released against 700,000 public records, and profiles of febrl4 and of historical persons.

    SINGLEOUT_DATA=… python benchmarks/linking.py [--write]

Beside link_records stands what a user would write: one DuckDB query per combination of columns, over loaded tables,
that keeps the released records whose values are rare on both sides. Both run in this process, one after the other, and
must find the same records.
"""

import time

import page

import singleout as so
from singleout.bench.tables import ON, linked_by_duckdb, survey

RELEASED = 1_000_000


def records():
    released, known = survey(RELEASED, 0)
    so.link_records(released.slice(0, 100), known.slice(0, 100), on=list(ON))  # compile
    started = time.perf_counter()
    links = so.link_records(released, known, on=list(ON))
    ours = time.perf_counter() - started
    started = time.perf_counter()
    theirs = linked_by_duckdb(released, known)
    duck = time.perf_counter() - started
    assert theirs == set(links.released.tolist())
    print(f"{RELEASED:,} against {len(known):,} records, {len(ON)} columns: singleout {ours:.1f} s, ", end="")
    print(f"a DuckDB query per combination {duck:.1f} s, ratio {duck / ours:.1f}; the same {len(links):,} records")
    found = so.accuracy(links, "person")
    print(f"{links}\naccuracy {found.precision}, at random {found.random:.1e}; overall {found.rate}")
    against = f"{RELEASED:,} released against {len(known):,} known synthetic records"
    sets = f"{len(ON)} columns, {2 ** len(ON) - 1} sets"
    yield f"`link_records`, {against}, {sets}", f"{ours:.1f}"
    same = f"one DuckDB query per set over loaded tables, the same {len(links):,} records found"
    yield same, f"{duck:.1f} ({duck / ours:.1f} times as long)"


def profiles(root):
    first, second = (str(root / "link_febrl" / f"febrl4{side}.parquet") for side in "ab")
    compare = {"given_name": ("similar", 2.0), "surname": ("similar", 2.0), "date_of_birth": ("exact", 3.0)}
    compare |= {"postcode": ("exact", 1.0), "suburb": ("contains", 1.0)}
    yield _timed(
        "febrl4, all pairs, five fields, two of them by similarity", first, second, "rec_id", "entity_id", {}, compare
    )
    history = str(root / "link_splink" / "historical_50k.parquet")
    block = {"first_name": "exact", "surname": "initial"}
    compare = {"surname": ("similar", 2.0), "dob": ("exact", 3.0), "birth_place": ("contains", 1.0)}
    yield _timed(
        "50,578 historical records against themselves", history, history, "unique_id", "cluster", block, compare
    )


def _timed(what, released, known, column, truth, block, compare):
    started = time.perf_counter()
    found = so.match_profiles(released, known, id=column, block=block, compare=compare)
    seconds = time.perf_counter() - started
    print(f"{what}: {seconds:.1f} s, {found.candidates.sum():,} candidate pairs, {so.accuracy(found, truth)}")
    return f"`match_profiles`, {what}, {found.candidates.sum():,} candidate pairs", f"{seconds:.1f}"


def lay_out(rows):
    return page.table("what | seconds", rows)


SECTIONS = {"linking": lay_out}


def main():
    asked, opening = page.parser(__doc__).parse_args(), page.head(timed=True)
    rows = [*records(), *profiles(page.data())]
    page.write_sections(asked.write, opening, SECTIONS, rows)


if __name__ == "__main__":
    main()
