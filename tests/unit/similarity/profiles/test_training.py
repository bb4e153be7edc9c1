"""Training without truth: what people were distorted with is found again, and how many there are on both sides."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity.profiles.block_rules import BlockRules, Rule, RulePart
from singleout.similarity.profiles.comparators import Texts, find_comparator
from singleout.similarity.profiles.levels import LevelField
from singleout.similarity.profiles.training import draw_random, train
from tests.small_people import PEOPLE, people_with_errors

NAMES = ("exact", "similar:0.92", "similar:0.8")


@pytest.fixture(scope="module")
def trained():
    return train_on(people_with_errors(1500, seed=3), [["first", "last"], ["born"], ["last", "town"]])


def train_on(sides, block, seed=0):
    tables = tuple(so.read_table(side) for side in sides)
    texts = {name: Texts.read("probable_links", "on", tables, name, {}) for name in PEOPLE}
    comparators = dict.fromkeys(PEOPLE, NAMES) | {"born": ("exact", "edits:1", "edits:2")}
    fields = [
        LevelField(name, tuple(find_comparator("probable_links", "compare", each) for each in given), texts[name])
        for name, given in comparators.items()
    ]
    rules = [Rule(tuple(RulePart(name) for name in names)) for names in block]
    return train(fields, BlockRules.of(rules, texts, itself=False), np.random.default_rng(seed))


def test_what_was_distorted_is_found_again(trained):
    """85 of 100 values were left as they were, on one side; others have an error."""
    for field, m in zip(trained.model.fields, trained.model.m, strict=True):
        assert m[1] == pytest.approx(0.85, abs=0.05), field.name
        assert m[1:].sum() == pytest.approx(1)


def test_the_number_of_people_on_both_sides_is_estimated(trained):
    assert trained.matches == pytest.approx(750, rel=0.05)
    assert trained.blocked <= trained.matches
    assert trained.blocked == pytest.approx(750 * 0.95, rel=0.1)
    assert trained.prior == pytest.approx(np.log(trained.matches / 1500**2), rel=1e-3)


def test_agreement_is_rarer_among_different_people_than_among_random_pairs(trained):
    for m, u in zip(trained.model.m, trained.model.u, strict=True):
        assert u[1] < 0.05 < m[1]
        assert u[1:].sum() == pytest.approx(1)


def test_the_same_seed_trains_the_same_and_another_nearly_the_same(trained):
    sides = people_with_errors(1500, seed=3)
    block = [["first", "last"], ["born"], ["last", "town"]]
    assert train_on(sides, block).model.to_rows() == trained.model.to_rows()
    other = train_on(sides, block, seed=9)
    assert [row["m"] for row in other.model.to_rows()] == pytest.approx(
        [row["m"] for row in trained.model.to_rows()], abs=0.02
    )


def test_a_column_of_every_rule_is_not_trained_and_noted():
    found = train_on(people_with_errors(300, seed=1), [["born"], ["born", "last"]])
    assert "column not trained (born)" in str(found.notes[0])
    assert found.model.m[PEOPLE.index("born")][1] == 0.9


def test_people_who_are_on_one_side_only_are_hardly_ever_matched():
    sides = people_with_errors(1500, seed=4, common=0.0)
    found = train_on(sides, [["first", "last"], ["born"], ["last", "town"]])
    assert found.matches < 15


def test_random_pairs_of_a_table_with_itself_are_of_different_records():
    rows, others = draw_random((5, 5), 1000, np.random.default_rng(0), itself=True)
    assert len(rows) > 700
    assert (rows != others).all()
