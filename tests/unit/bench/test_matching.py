"""The benchmark of matching runs on the data it was measured on."""

import numpy as np

import singleout as so


def test_benchmarks_run_on_the_preset_they_were_measured_on():
    from singleout.bench.matching import sides

    parts = so.split(so.synthetic_calls(people=40, preset="heavy-tail", seed=5).events, by="weeks")
    for mine, part in zip(sides(40, False, 5), parts, strict=True):
        assert np.array_equal(mine.counts.toarray(), so.histograms(part).counts.toarray())
