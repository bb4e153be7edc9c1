"""All singles and all pairs beside four known columns, beside one DuckDB GROUP BY per combination over a loaded table.

SINGLEOUT_DATA=… python benchmarks/variables.py [--pairs N] [--write]

DuckDB is given every N-th pair (35 by default) and its time is scaled up; with --pairs 1 it does them all. Both run in
processes of their own; DuckDB's loading of the table is not counted, our reading and coding is shown apart.
"""

import time
from itertools import combinations

import page
from measured import measured

CORE = ["STATE", "REGION", "PUMA", "BLD"]
NOT_RELEASED = ["SERIALNO", "WGTP", "PWGTP", "TYPEHUGQ"]


def ours(file):
    import singleout as so

    started = time.perf_counter()
    table = so.read_table(file, drop=NOT_RELEASED)
    table.encode(table.columns, progress=False)
    read = time.perf_counter()
    # kernels are compiled, or read from disk, by now
    so.vulnerability(so.read_table(so.synthetic_records().table), known_columns=["area"], add=2, strategy="all")
    warm = time.perf_counter()
    found = so.vulnerability(table, known_columns=CORE, add=2, strategy="all", progress=False)
    seconds = time.perf_counter() - warm
    counts = {row.columns: row.isolated for row in found.rows} | {(n,): c for n, c in found.with_known.items()}
    return counts, read - started, seconds


def group_by(file, step):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar_print = false")
    connection.execute(f"CREATE TABLE t AS SELECT * EXCLUDE ({', '.join(NOT_RELEASED)}) FROM '{file}'")
    names = [row[0] for row in connection.execute("DESCRIBE t").fetchall() if row[0] not in CORE]
    wanted = [(name,) for name in names][:: min(step, 5)], list(combinations(names, 2))[::step]
    counts, seconds = {}, []
    for sets in wanted:
        started = time.perf_counter()
        for added in sets:
            grouped = f"SELECT count(*) AS n FROM t GROUP BY {', '.join([*CORE, *added])} HAVING n = 1"
            counts[added] = connection.execute(f"SELECT count(*) FROM ({grouped})").fetchall()[0][0]
        seconds.append((time.perf_counter() - started) / len(sets))
    total = seconds[0] * len(names) + seconds[1] * len(names) * (len(names) - 1) / 2
    return counts, seconds, total


def measure(step):
    file = str(page.data() / "acs2024_householder" / "acs2024_householder_49states.parquet")
    runs = []
    for _ in range(2):
        (counts, read, seconds), _, peak = measured(ours, file)
        (theirs, each, total), _, their_peak = measured(group_by, file, step)
        wrong = [added for added, count in theirs.items() if counts[added] != count]
        print(
            f"singleout: reading and codes {read:.1f} s, singles and pairs {seconds:.1f} s, peak {peak:,.0f} MB\n"
            f"DuckDB: {each[0]:.3f} s a single, {each[1]:.3f} s a pair, all {total:.0f} s, peak {their_peak:,.0f} MB\n"
            f"ratio {total / seconds:.1f}; with our reading {total / (read + seconds):.1f}; "
            f"{len(theirs)} counts compared, {len(wrong)} differ"
        )
        runs.append((read, seconds, peak, total, each[1], their_peak, len(theirs), len(wrong)))
    return runs


def lay_out(runs):
    read, seconds, peak, total, pair, their_peak, compared, wrong = zip(*runs, strict=True)

    def span(values, digits):
        return " to ".join(dict.fromkeys(f"{value:,.{digits}f}" for value in (min(values), max(values))))

    rows = [
        ["singleout", f"{span(read, 1)} s", f"{span(seconds, 1)} s", f"{max(peak):,.0f} MB"],
        ["DuckDB", "not counted", f"{span(total, 0)} s ({span(pair, 2)} s per pair)", f"{max(their_peak):,.0f} MB"],
    ]
    ratios = span([theirs / mine for theirs, mine in zip(total, seconds, strict=True)], 0)
    agree = "All agree." if not any(wrong) else f"{max(wrong)} of them differ."
    told = f"The ratio is {ratios}. {compared[0]} counts were compared in each of {len(runs)} runs. {agree}"
    return f"{page.table(' | reading and codes | singles and pairs | peak', rows)}\n\n{page.prose(told)}"


SECTIONS = {"variables": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--pairs", type=int, default=35, help="give DuckDB every so many-th pair")
    asked, opening = parser.parse_args(), page.head(timed=True)
    page.write_sections(asked.write, opening, SECTIONS, measure(asked.pairs))


if __name__ == "__main__":
    main()
