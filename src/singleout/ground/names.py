"""Names that arguments take, each list in one place: type checkers and editors know them, errors list them."""

from __future__ import annotations

from typing import Literal

SimilarityName = Literal[
    "js", "l1", "cosine", "dot", "glrt", "js_roots", "js_popularity", "js_reliability", "evidence", "evidence_levels",
    "evidence_mild",
]  # fmt: skip
"""Those of the library; arguments also take the name of one that was registered, which is any text."""
Method = Literal["joint", "one-by-one"]
Side = Literal["released", "known"]
IntervalMethod = Literal["wilson", "half-sampling"]
DecisionRule = Literal["bound", "paper"]

SplitRule = Literal["halves", "weeks", "dates", "point"]
TraceShare = Literal["events", "time"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
TimeUnit = Literal["s", "ms", "us", "ns", "min", "h", "d"]
Encoding = Literal["utf-8", "latin-1", "windows-1252", "utf-16"]
DecimalSign = Literal["point", "comma"]
Measure = Literal["events", "dwell"]

EdgeRule = Literal["induced", "contract"]
Kernel = Literal["summary", "dd", "wd", "sp", "wl", "dsp", "dwl", "size"]
KernelSimilarity = Literal["rbf", "inner", "edit", "ppmi"]
Direction = Literal["in+out", "out", "undirected"]
TieRule = Literal["visits", "drop_ties", "random"]
AbsentPairs = Literal["zero", "forbidden"]
MarkovTest = Literal["classical", "scholtes", "bic", "aic", "bootstrap"]
Noise = Literal["labels", "add", "remove", "rewire", "nodes", "weights"]

Strategy = Literal["core-av", "core-at", "naive", "all"]
MissingInRecords = Literal["value", "never", "any"]
MissingInTable = Literal["value", "any"]
ProfilePreset = Literal["nameMatch", "fieldsMatch1", "fieldsMatch2", "fieldsMatch3", "friendsMatch"]
CallPreset = Literal["calibrated", "heavy-tail"]

ClusterMethod = Literal["gsms", "mdav"]
Norm = Literal["l1", "l2"]
NoiseUnit = Literal["event", "person"]
PopularityMeasure = Literal["people", "visits"]
TableMethod = Literal["recode", "cells", "microaggregate"]
TableRiskRule = Literal["average", "maximum"]
TableLoss = Literal["entropy", "per-column", "discernibility", "class-size"]
