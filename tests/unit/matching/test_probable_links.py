"""Records linked although they have errors: found, measured, independent of order, and refused in words."""

import json
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.matching import probable_links as module
from tests.reference import fellegi_sunter as twin
from tests.small_people import PEOPLE, people_with_errors


@pytest.fixture(scope="module")
def sides():
    return people_with_errors(1000, seed=11)


@pytest.fixture(scope="module")
def links(sides):
    return so.probable_links(*sides, on=PEOPLE)


def test_most_people_are_found_despite_errors_and_links_are_as_right_as_estimated(sides, links):
    found = so.accuracy(links, "person")
    assert found.recall.value > 0.9
    assert found.precision.value == pytest.approx(links.estimated_precision, abs=0.03)
    assert found.recall.value == pytest.approx(links.estimated_recall, abs=0.05)
    assert links.matches == pytest.approx(500, rel=0.05)
    assert found.random == pytest.approx(500 / 1000**2)
    complete = so.accuracy(so.link_records(*sides, on=PEOPLE), "person")
    assert complete.rate.value < found.rate.value - 0.2


def test_nobody_has_two_partners_unless_allowed(sides, links):
    assert len(set(links.released)) == len(set(links.known)) == len(links)
    twice = pa.concat_tables([sides[1], sides[1]])
    several = so.probable_links(sides[0], twice, on=PEOPLE, one_to_one=False)
    assert len(several) > 1.8 * len(set(several.released))
    assert several.share_linked == len(set(several.released)) / 1000


def test_a_pair_is_less_probable_the_better_its_rivals_are_as_in_the_twin():
    odds = {(0, 0): 8.0, (0, 1): 2.0, (1, 1): 5.0, (2, 2): 1.0}
    pairs = tuple(np.array([pair[k] for pair in odds]) for k in range(2))
    found = module._among_rivals(pairs, np.log(list(odds.values())), [3, 3])
    assert found.tolist() == pytest.approx(list(twin.among_rivals(odds).values()))
    assert found[3] == 0.5


def test_joint_matching_takes_the_greatest_total():
    pairs = (np.array([0, 0, 1]), np.array([0, 1, 0]))
    kept, odds, _ = module._match_jointly(pairs, np.array([3.0, 2.5, 2.9]), [2, 2], 0)
    assert list(zip(*kept, strict=True)) == [(0, 1), (1, 0)], "2.5 + 2.9 is more than 3"
    assert odds.tolist() == [2.5, 2.9]


def test_the_order_of_rows_does_not_matter(sides, links):
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(side)) for side in sides]
    again = so.probable_links(*(side.take(order) for side, order in zip(sides, orders, strict=True)), on=PEOPLE)
    assert again.probability.tolist() == links.probability.tolist()
    rows = zip(orders[0][again.released].tolist(), orders[1][again.known].tolist(), strict=True)
    assert set(rows) == set(zip(links.released.tolist(), links.known.tolist(), strict=True))


def test_a_table_with_itself_gives_each_pair_once(sides):
    both = pa.concat_tables(sides)
    found = so.probable_links(both, both, on=PEOPLE)
    assert found.itself
    assert (found.released < found.known).all()
    measured = so.accuracy(found, "person")
    assert measured.recall.n == 500
    assert measured.recall.value > 0.9
    assert measured.precision.value > 0.9
    assert measured.rate.value == pytest.approx(2 * measured.correct / 2000)


def test_missing_values_count_neither_for_nor_against(sides):
    full = so.probable_links(*sides, on=PEOPLE, block=["born"], one_to_one=False)
    gaps = sides[1].set_column(3, "town", pa.array([None] * len(sides[1]), pa.string()))
    without = so.probable_links(sides[0], gaps, on=PEOPLE, block=["born"], one_to_one=False)
    three = so.probable_links(sides[0], gaps, on=PEOPLE[:3], block=["born"], one_to_one=False)
    assert without.probability == pytest.approx(three.probability, abs=1e-3)
    assert len(full) > 0


def test_rules_and_comparators_of_ones_own_are_used(sides):
    found = so.probable_links(
        *sides, on=PEOPLE, block=[["last:3", "born:4"], "town"], compare={"first": ["exact", "initial"]}
    )
    assert found.rules == ("last:3 + born:4", "town")
    assert [row["level"] for row in found.weights().to_pylist()][:3] == ["exact", "initial", "different"]


def test_without_the_extra_values_are_equal_or_different_and_a_note_names_the_install_line(sides, monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    monkeypatch.setattr(module, "has_rapidfuzz", lambda: False)
    found = so.probable_links(*sides, on=PEOPLE)
    assert "pip install rapidfuzz" in " ".join(str(note) for note in found.notes)
    assert {row["level"] for row in found.weights().to_pylist()} == {"exact", "different"}
    with pytest.raises(so.SingleoutError, match="requires rapidfuzz"):
        so.probable_links(*sides, on=PEOPLE, compare={"first": ["exact", "similar"]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 1}, r"precision must be above 0 and below 1 \(got 1\)"),
        ({"one_to_one": "yes"}, "one_to_one must be True or False"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"block": "last"}, r"block must be a list of rules.*\(got 'last'\)"),
        ({"block": [[]]}, "block must be a list of rules"),
        ({"block": ["lst"]}, "block='lst' is not a column of released.*Did you mean 'last'"),
        ({"compare": ["first"]}, "compare must be a mapping"),
        ({"compare": {"frist": ["exact"]}}, "Did you mean 'first'"),
        ({"compare": {"first": "exact"}}, "compare must be a mapping"),
        ({"compare": {"first": ["exakt"]}}, "Did you mean 'exact'"),
        ({"on": ["frist"]}, "on='frist' is not a column"),
    ],
)
def test_wrong_input_is_refused_in_words(sides, options, message):
    with pytest.raises(so.InputError, match=message):
        so.probable_links(*sides, **{"on": PEOPLE, **options})


def test_columns_too_coarse_to_block_by_are_refused_with_what_to_do():
    coarse = pa.table({"sex": ["f", "m"] * 500, "hand": ["l", "r"] * 500})
    with pytest.raises(so.InputError, match="too coarse to choose blocking rules.*give rules with block"):
        so.probable_links(coarse, coarse.slice(0))


def test_nobody_on_both_sides_gives_hardly_a_link():
    found = so.probable_links(*people_with_errors(1000, seed=5, common=0.0), on=PEOPLE)
    assert len(found) <= 10


def test_records_that_agree_on_nothing_are_not_linked():
    released, known = pa.table({"a": ["x", "y"], "b": ["p", None]}), pa.table({"a": ["u", "v"], "b": [None, "q"]})
    found = so.probable_links(released, known)
    assert (len(found), found.candidates, found.threshold, found.estimated_precision) == (0, 0, None, None)
    assert found.to_arrow().num_rows == 0
    assert "0 links" in repr(found)


@given(
    sides=st.tuples(
        *[st.lists(st.tuples(*[st.sampled_from(["ab", "ba", "abc", None])] * 2), min_size=1, max_size=8)] * 2
    ),
    itself=st.booleans(),
    one_to_one=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_the_smallest_tables_give_probabilities_and_no_error(sides, itself, one_to_one):
    tables = [
        pa.table({n: pa.array([row[k] for row in side], pa.string()) for k, n in enumerate("xy")}) for side in sides
    ]
    found = so.probable_links(tables[0], tables[0] if itself else tables[1], one_to_one=one_to_one, progress=False)
    assert ((found.ranked.probability > 0) & (found.ranked.probability <= 1)).all()
    assert np.isfinite(found.ranked.log_odds).all()
    assert 0 <= found.estimated_recall <= 1 + 1e-9
    json.dumps(found.to_dict(), allow_nan=False)


def test_an_empty_known_record_hides_nobody(sides, links):
    empty = pa.concat_tables([sides[1], pa.table({n: pa.nulls(5, sides[1][n].type) for n in sides[1].column_names})])
    again = so.probable_links(sides[0], empty, on=PEOPLE)
    assert set(zip(again.released.tolist(), again.known.tolist(), strict=True)) == set(
        zip(links.released.tolist(), links.known.tolist(), strict=True)
    )


def test_febrl4_is_linked_and_estimated(real_data):
    sides = [so.read_table(real_data("link_febrl") / f"febrl4{side}.parquet") for side in "ab"]
    on = ["given_name", "surname", "date_of_birth", "soc_sec_id", "street_number", "postcode"]
    found = so.probable_links(*sides, on=on)
    measured = so.accuracy(found, "entity_id")
    assert measured.precision.value > 0.999
    assert measured.recall.value > 0.999
    assert found.matches == pytest.approx(5000, rel=0.01)


def test_a_file_of_persons_has_about_the_precision_that_is_estimated(real_data):
    persons = so.read_table(real_data("link_splink") / "fake_1000.parquet")
    found = so.probable_links(persons, persons, on=["first_name", "surname", "dob", "city", "email"])
    measured = so.accuracy(found, "cluster")
    assert measured.precision.value == pytest.approx(found.estimated_precision, abs=0.02)
    assert measured.recall.value == pytest.approx(found.estimated_recall, abs=0.03)
