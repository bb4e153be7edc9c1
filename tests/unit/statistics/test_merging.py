"""Merging places into coarser ones."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.statistics.merging import hierarchy_levels, merge_columns, places_of_hierarchy, read_mapping

TABLE = pa.table({"place": [1, 2, 3], "street": ["x", "x", "y"], "town": ["t", "t", "t"]})


def test_a_hierarchy_has_places_and_levels():
    assert hierarchy_levels(TABLE) == ("street", "town")
    assert places_of_hierarchy(TABLE).tolist() == [1, 2, 3]
    fine, coarse = read_mapping(TABLE, "town")
    assert (fine.tolist(), coarse.tolist()) == ([1, 2, 3], ["t", "t", "t"])
    assert read_mapping(TABLE, None)[1].tolist() == ["x", "x", "y"]


def test_counts_of_merged_places_are_added_in_each_channel():
    counts = so.Histograms(np.array([[1, 2, 4, 8]]), ["p"], [1, 2, 1, 3], channels=["u", "u", "v", "v"])
    merged = merge_columns(counts, *read_mapping(TABLE, "street"))
    found = dict(zip(zip(merged.channels, merged.places, strict=True), merged.counts.toarray()[0], strict=True))
    assert found == {("u", "x"): 3, ("v", "x"): 4, ("v", "y"): 8}


def test_a_place_without_a_coarser_one_is_never_dropped_silently():
    counts = so.Histograms(np.array([[1, 2]]), ["p"], [1, 9])
    with pytest.raises(so.DataError, match="1 place has no coarser place in the mapping"):
        merge_columns(counts, *read_mapping(TABLE, None))


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({}, "a mapping that is not empty"),
        ({"a": None}, "1 place or coarser place is missing"),
        (pa.table({"place": ["a", "a"], "town": ["t", "u"]}), "contains a place twice"),
        (pa.table({"place": ["a"]}), "at least one column of coarser places"),
        (pa.table({"place": ["a", "b"], "town": ["t", None]}), "1 place or coarser place is missing"),
    ],
)
def test_a_mapping_with_faults_is_refused(mapping, words):
    with pytest.raises(so.SingleoutError, match=words):
        read_mapping(mapping, None)
