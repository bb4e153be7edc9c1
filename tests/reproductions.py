"""Results of papers made by hand: small curves on data of each label."""

import singleout as so
from singleout.papers.registry import experiment
from singleout.papers.result import SYNTHETIC, Data, Finding, Reproduction, Row


def row(label, at, series="js", name=None, **more):
    ours = more.pop("ours", so.Estimate(0.5 / at, 0.4 / at, 0.6 / at, 0.9, 20))
    return Row(Data(name or f"set of {label}", label, "the original"), series, at, ours, **more)


def curve(*labels, **changes):
    rows = [row(label, at, printed=0.45 / at, random=0.05) for label in labels or (SYNTHETIC,) for at in (1, 2, 4)]
    rows.append(row(labels[0] if labels else SYNTHETIC, 8, ours=0.25))
    findings = (Finding("it <falls>", True), Finding("it rises", False))
    about = {"axis": "people", "logarithmic": "x", "id": "naini-fig1", "title": "A <title> & more"} | changes
    return Reproduction(tuple(rows), findings, "which way", ("& so",), **about)


def values_of_series(name, shelf, series):
    return {str(row.at): row.value for row in experiment(name).run(shelf).rows if row.series == series}
