"""EM and weights against their slow twins, and what u is estimated from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.similarity.profiles import fellegi_sunter
from singleout.similarity.profiles.comparators import find_comparator
from singleout.similarity.profiles.fellegi_sunter import (
    LinkageModel,
    as_probability,
    fit_matches,
    random_levels,
    start_levels,
    without_matches,
)
from singleout.similarity.profiles.levels import LevelField, count_patterns
from tests.reference import fellegi_sunter as twin
from tests.text_columns import all_pairs, column, columns, plain

FIELDS = {"x": ("exact", "similar:0.92", "similar:0.8"), "y": ("exact",)}


def probabilities(*values):
    return np.array([1.0, *values])


def by_level(array):
    return {level: float(array[level]) for level in range(1, len(array))}


@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=12))
def test_em_is_the_twins_step_by_step(pairs):
    u = [probabilities(0.1, 0.1, 0.2, 0.6), probabilities(0.2, 0.8), probabilities(0.3, 0.7)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fellegi_sunter, "STEPS", 3)
        patch.setattr(fellegi_sunter, "CLOSE", 0.0)
        fit = fit_matches(*count_patterns(np.array(pairs, dtype=np.int8)), u)
    share, m = twin.em(pairs, [by_level(each) for each in u], 0.2, 3)
    assert fit.share == pytest.approx(share)
    for mine, theirs in zip(fit.m, m, strict=True):
        assert by_level(mine) == pytest.approx(theirs)


@pytest.mark.parametrize("length", [2, 3, 5])
def test_em_starts_where_the_twin_does(length):
    assert by_level(start_levels(length)) == pytest.approx(twin.start_levels(length - 1) if length > 2 else {1: 1.0})


def test_em_finds_what_pairs_were_drawn_with():
    rng = np.random.default_rng(5)
    m = [probabilities(0.7, 0.2, 0.1), probabilities(0.8, 0.2), probabilities(0.9, 0.1)]
    u = [probabilities(0.01, 0.04, 0.95), probabilities(0.05, 0.95), probabilities(0.02, 0.98)]
    matches = rng.random(40_000) < 0.3
    levels = np.stack(
        [
            np.where(matches, rng.choice(len(a) - 1, 40_000, p=a[1:]) + 1, rng.choice(len(a) - 1, 40_000, p=b[1:]) + 1)
            for a, b in zip(m, u, strict=True)
        ],
        axis=1,
    ).astype(np.int8)
    levels[rng.random(levels.shape) < 0.1] = 0  # missing at random
    fit = fit_matches(*count_patterns(levels), u)
    assert fit.share == pytest.approx(0.3, abs=0.01)
    for found, true in zip(fit.m, m, strict=True):
        assert found == pytest.approx(true, abs=0.02)


@given(sides=st.tuples(columns, columns))
def test_the_weight_of_a_pair_is_the_twins(sides):
    length = [min(len(a), len(b)) for a, b in zip(*sides, strict=True)]
    tables = [
        [{"x": plain(x), "y": plain(y)} for x, y in zip(sides[0][k][:n], sides[1][k][:n], strict=True)]
        for k, n in enumerate(length)
    ]
    m = {"x": probabilities(0.7, 0.1, 0.1, 0.1), "y": probabilities(0.8, 0.2)}
    u = {"x": probabilities(0.1, 0.1, 0.1, 0.7), "y": probabilities(0.3, 0.7)}
    fields = tuple(
        LevelField(
            name,
            tuple(find_comparator("probable_links", "compare", each) for each in comparators),
            column(*([record[name] for record in table] for table in tables)),
        )
        for name, comparators in FIELDS.items()
    )
    model = LinkageModel(fields, tuple(m.values()), tuple(u.values()))
    rows, others = all_pairs(*tables)
    both = {name: [record[name] for table in tables for record in table] for name in FIELDS}
    tables_of = {name: by_level(m[name]) for name in m}, {name: by_level(u[name]) for name in u}
    expected = [
        twin.weight(tables[0][i], tables[1][j], FIELDS, both, *tables_of) for i, j in zip(rows, others, strict=True)
    ]
    assert model.weigh(rows, others).tolist() == pytest.approx(expected)
    for least in (-20.0, 0.0, 1.5):
        place, evidence = model.find_evidence(rows, others, least)
        enough = np.flatnonzero(model.weigh(rows, others) >= least)
        assert place.tolist() == enough.tolist(), "none is lost by looking at equality first"
        assert evidence.tolist() == model.weigh(rows, others)[enough].tolist()


def test_u_of_equal_values_is_counted_over_all_pairs():
    values = [str(k) for k in range(100)]
    field = LevelField("id", (find_comparator("probable_links", "compare", "exact"),), column(values, values))
    never = np.full(50, 2, dtype=np.int8)  # none of 50 random pairs agreed
    assert random_levels(field, never, itself=False)[1] == pytest.approx(0.01, rel=0.01)
    assert random_levels(field, never, itself=True)[1] == pytest.approx(0.5 / 9901), "nobody agrees with another"


def test_u_leaves_out_the_matches_among_random_pairs():
    random, m = probabilities(0.001, 0.999), probabilities(0.9, 0.1)
    corrected = without_matches(random, m, 0.001)
    assert corrected[1] == pytest.approx(0.0001, rel=0.01)
    assert corrected.sum() == pytest.approx(2), "shares, and 1 for missing"
    assert without_matches(random, m, 0.01)[1] == pytest.approx(1e-5, rel=0.02), "never less than a hundredth"


def test_odds_of_any_size_are_probabilities():
    assert as_probability(np.array([-5000.0, 0.0, 5000.0])).tolist() == pytest.approx([0, 0.5, 1])
