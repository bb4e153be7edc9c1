"""Risk in the population, estimated from samples of census records whose truth is known.

    SINGLEOUT_DATA=… python benchmarks/population.py [--sets 80] [--write]

The census file is the population. Samples of 1, 5 and 10 % are drawn from it, on random sets of three to seven columns;
the truth is the mean over the sample of 1 / (records of the population with the same values). The interval allows for
an error of the model, the same in log-odds for every risk; how much would be enough is seen on one half of the sets and
judged on the other, and the other way round.
"""

import numpy as np
import page
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.special import logit

import singleout as so
from singleout.measures.tables import population as module
from singleout.measures.tables.population import class_sizes, population_risk

COLUMNS = (
    "STATE", "PUMA", "AGEP", "SEX", "RAC1P", "HISP", "MAR", "SCHL", "OCCP", "NP", "BLD", "HHT", "CIT", "ESR", "MIL",
    "TEN", "COW",
)  # fmt: skip
SHARES = (0.01, 0.05, 0.1)
Z = 1.959964
ALLOWED = module.MODEL_ERROR


def draw_sets(there, number):
    rng = np.random.default_rng(0)
    usable = [name for name in COLUMNS if name in there]
    for _ in range(number):
        yield tuple(rng.choice(usable, rng.integers(3, 8), replace=False).tolist())


def judge(census, columns, share, seed):
    """Truth, estimate with its interval, and the estimate of Benedetti and Franconi."""
    encoded = census.encode(columns)
    sizes = class_sizes(encoded, len(census))
    taken = np.random.default_rng(seed).random(len(census)) < share
    sample = pa.table({column.name: column.codes[taken] for column in encoded} | {"w": np.full(taken.sum(), 1 / share)})
    found = population_risk(so.read_table(sample, survey_weight="w"), columns=columns)
    return float((1 / sizes[taken]).mean()), found


def coverage(rows, allowed):
    """Share of the cases whose truth lies within the interval, if the model may be off by this much."""
    width = [Z * np.hypot(row["draw"], allowed) for row in rows]
    off = [abs(logit(row["estimate"]) - logit(row["truth"])) for row in rows]
    return float(np.mean(np.array(off) <= np.array(width)))


def smallest_that_covers(rows, wanted=0.95):
    """The least error to allow for so that this share of the intervals covers."""
    return next(allowed for allowed in np.arange(0.005, 0.5, 0.005) if coverage(rows, allowed) >= wanted)


def measure(root, sets):
    file = root / "acs2024_householder" / "acs2024_householder_49states.parquet"
    census = so.read_table(file)
    module.MODEL_ERROR = 0.0  # the width of the interval is then what the draw explains
    rows = []
    print("| columns | sample | truth | tree | Benedetti-Franconi |")
    print("|---|---|---|---|---|")
    for number, columns in enumerate(draw_sets(pq.read_schema(file).names, sets)):
        share = SHARES[number % len(SHARES)]
        truth, found = judge(census, columns, share, number)
        draw = (logit(found.rate.high) - logit(found.rate.low)) / (2 * Z)
        rows.append({"estimate": found.rate.value, "truth": truth, "draw": draw, "half": number % 2})
        cells = f"{truth:.2%} | {found.rate.value:.2%} ({found.rate.value / truth - 1:+.1%}) | {found.rows[1].mean:.2%}"
        print(f"| {', '.join(columns)} | {share:.0%} | {cells} |", flush=True)
    return rows


def chosen_on_halves(rows):
    """For each half of the sets: the error that it would allow for, and how much of the other half that covers."""
    for half in (0, 1):
        mine, others = ([row for row in rows if row["half"] == side] for side in (half, 1 - half))
        off = smallest_that_covers(mine)
        yield off, coverage(others, off)


def lay_out(rows):
    errors = np.quantile([row["estimate"] / row["truth"] - 1 for row in rows], (0, 0.1, 0.5, 0.9, 1))
    name = "error of `so.population_risk` (the tree), relative to the truth"
    cells = [[name, *(f"{error:+.1%}" for error in errors)]]
    (one, covered), (other, covered_too) = chosen_on_halves(rows)
    told = f"""An error of the model of {one:.3f} in log-odds would be chosen on one half of the {len(rows)} sets and
        covers {covered:.0%} of the other; {other:.3f} on the other half, which covers {covered_too:.0%}. {ALLOWED} is
        used, which covers {coverage(rows, ALLOWED):.0%} here."""
    columns = " | least | a tenth | median | nine tenths | most"
    return f"{page.table(columns, cells)}\n\n{page.prose(told)}"


SECTIONS = {"population": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--sets", type=int, default=80, help="how many random sets of columns")
    asked, opening = parser.parse_args(), page.head()
    rows = measure(page.data(), asked.sets)
    for half, (off, covered) in enumerate(chosen_on_halves(rows)):
        print(f"half {half} would allow {off:.3f}, which covers {covered:.0%} of the other half")
    print(f"{ALLOWED} covers {coverage(rows, ALLOWED):.0%} of all")
    page.write_sections(asked.write, opening, SECTIONS, rows)


if __name__ == "__main__":
    main()
