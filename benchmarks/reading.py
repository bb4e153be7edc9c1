"""GeoLife's 24.6 million points to histograms of both halves, beside a bare DuckDB grouping of the same file.

SINGLEOUT_DATA=… python benchmarks/reading.py
"""

import os
import sys
from pathlib import Path

from measured import measured

BOX = (39.906, 116.391, 39_000)


def bare_grouping(file):
    import duckdb

    cells = "SELECT user, lat_e5 // 900, lon_e5 // 1170, count(*) FROM"
    return len(duckdb.sql(f"{cells} '{file}' GROUP BY ALL").to_arrow_table())


def both_halves(file):
    import singleout as so

    events = so.read_events(
        file, user="user", time="time", lat="lat_e5", lng="lon_e5", coordinate_scale=1e-5, grid=1000, box=BOX
    )
    sides = [so.histograms(part) for part in so.split(events, week_start="tuesday")]
    return sum(side.counts.nnz for side in sides)


def imports_only():
    import singleout

    return len(singleout.__all__)


def main():
    root = os.environ.get("SINGLEOUT_DATA")
    if not root:
        sys.exit("set SINGLEOUT_DATA to the folder that holds geolife/")
    file = str(Path(root) / "geolife" / "points_full_e5.parquet")
    _, imports, _ = measured(imports_only)
    print(f"import singleout {imports:6.2f} s (in the figures below)")
    for _ in range(3):
        groups, bare, _ = measured(bare_grouping, file)
        entries, ours, peak = measured(both_halves, file)
        print(
            f"bare grouping {bare:6.2f} s ({groups:,} groups)   checks, weeks and both halves {ours:6.2f} s "
            f"({entries:,} entries, peak {peak:,.0f} MB)   ratio {ours / bare:.1f}"
        )


if __name__ == "__main__":
    main()
