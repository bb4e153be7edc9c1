"""Protected tables: loss and seconds on ARX's own example and on a million census records.

    SINGLEOUT_DATA=… python benchmarks/protected_tables.py

The first table has ARX's figures alongside, as its README states them: entropy loss with a value for suppressed
records, eight columns with ARX's own hierarchies, up to 4% of the records left out. The second uses the default levels.
"""

import csv
import os
import time
from pathlib import Path

import numpy as np

import singleout as so

ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
THEIRS = (({"max_risk": 0.2}, 28.4), ({"max_risk": 0.05}, 39.9), ({"k": 5}, 54.6))
CENSUS = (
    (["STATE", "AGEP", "SEX", "RAC1P", "MAR", "SCHL"], {"k": 5}),
    (["STATE", "AGEP", "SEX", "RAC1P", "MAR", "SCHL"], {"max_risk": 0.05, "max_suppressed": 0.02}),
    (["STATE", "PUMA", "SEX", "AGEP"], {"k": 5, "max_suppressed": 0.01}),
    (["STATE", "AGEP", "SEX", "RAC1P", "MAR", "SCHL", "HISP", "NP"], {"k": 5, "max_suppressed": 0.02}),
)


def entropy(values):
    shares = np.unique(values, return_counts=True)[1] / len(values)
    return float(-(shares * np.log2(shares)).sum())


def their_loss(found, folder):
    """As ARX counts: a record that is left out has the value * in every column."""
    with (folder / "adult.csv").open(newline="") as file:
        head, *rows = csv.reader(file, delimiter=";")
    before = after = 0.0
    for change in found.change.columns:
        values = np.array([row[head.index(change.column.name)] for row in rows])
        before += entropy(values)
        after += entropy(np.where(found.change.kept, change.after, -1))
    return 1 - after / before


def main():
    data = Path(os.environ["SINGLEOUT_DATA"])
    folder = data / "arx_adult"
    hierarchies = {name: folder / f"adult_hierarchy_{name}.csv" for name in ADULT}
    print("| limit | ARX's loss | ours, counted the same way | records left out | seconds |\n|---|---|---|---|---|")
    for asked, theirs in THEIRS:
        since = time.perf_counter()
        found = so.protect_table(
            folder / "adult.csv", known_columns=ADULT, hierarchies=hierarchies, max_suppressed=0.04, **asked
        )
        seconds = time.perf_counter() - since
        ours = their_loss(found, folder)
        assert 100 * ours <= theirs + 0.05
        name = ", ".join(f"{key} = {value}" for key, value in asked.items())
        print(f"| {name} | {theirs}% | {ours:.1%} | {found.change.left_out:,} | {seconds:.1f} |")
    (census,) = (data / "acs2024_householder").glob("*.parquet")
    print("\n| columns | limits | loss | left out | k | average risk | seconds in all |\n|---|---|---|---|---|---|---|")
    for columns, asked in CENSUS:
        since = time.perf_counter()
        found = so.protect_table(census, known_columns=columns, **asked)
        seconds = time.perf_counter() - since
        name = ", ".join(f"{key} = {value}" for key, value in asked.items())
        risk = found.risk
        cells = f"{found.loss:.1%} | {found.change.left_out:,} | {risk.k} | {risk.average:.2%} | {seconds:.1f}"
        print(f"| {' '.join(columns)} | {name} | {cells} |")


if __name__ == "__main__":
    main()
