"""Protected tables: loss and seconds on ARX's own example and on a million census records.

    SINGLEOUT_DATA=… python benchmarks/protected_tables.py [--write]

The first table has ARX's figures alongside, as its README states them: entropy loss with a value for suppressed
records, eight columns with ARX's own hierarchies, up to 4% of the records left out. The second uses the default levels.
"""

import csv
import time

import numpy as np
import page

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


NAMES = {"k": "k = {:g}", "max_risk": "average risk {:g}", "max_suppressed": "{:.0%} left out"}


def in_words(asked):
    return ", ".join(NAMES[key].format(value) for key, value in asked.items())


def beside_arx(folder):
    hierarchies = {name: folder / f"adult_hierarchy_{name}.csv" for name in ADULT}
    for asked, theirs in THEIRS:
        since = time.perf_counter()
        found = so.protect_table(
            folder / "adult.csv", known_columns=ADULT, hierarchies=hierarchies, max_suppressed=0.04, **asked
        )
        seconds = time.perf_counter() - since
        ours = their_loss(found, folder)
        assert 100 * ours <= theirs + 0.05
        yield in_words(asked), f"{theirs}%", f"{ours:.1%}", f"{found.change.left_out:,}", f"{seconds:.1f}"


def of_census(file):
    for columns, asked in CENSUS:
        since = time.perf_counter()
        found = so.protect_table(so.read_table(file, drop=["SERIALNO"]), known_columns=columns, **asked)
        seconds = time.perf_counter() - since
        risk = found.risk
        cells = f"{found.loss:.1%}", f"{found.change.left_out:,}", risk.k, f"{risk.average:.2%}", f"{seconds:.1f}"
        yield " ".join(columns), in_words(asked), *cells


def lay_out(both):
    about = """1,096,766 census records of 58 columns (Parquet), default levels; seconds include reading, the search,
        writing the file and measuring it again."""
    arx = page.table("limit | ARX's loss | ours, counted the same way | records left out | seconds", both[0])
    census = page.table("columns | limits | loss | left out | k | average risk | seconds in all", both[1])
    return f"{arx}\n\n{page.prose(about)}\n\n{census}"


SECTIONS = {"protected-tables": lay_out}


def main():
    asked, opening = page.parser(__doc__).parse_args(), page.head(timed=True)
    (census,) = (page.data() / "acs2024_householder").glob("*.parquet")
    both = list(beside_arx(page.data() / "arx_adult")), list(of_census(census))
    print(lay_out(both))
    page.write_sections(asked.write, opening, SECTIONS, both)


if __name__ == "__main__":
    main()
