"""Presets are the paper's variants, in one's own columns."""

import pytest

import singleout as so


def test_presets_are_the_papers_variants_in_ones_own_columns():
    assert so.presets("nameMatch", first="f", last="l")["block"] == {"f": "exact", "l": "exact"}
    assert so.presets("fieldsMatch1")["compare"] == {"last": ("exact", 1.0)}
    assert so.presets("fieldsMatch2")["compare"] == {"last": ("contains", 1.0)}
    assert so.presets("fieldsMatch3")["block"] == {"first": "exact", "last": "contains"}
    assert so.presets("friendsMatch")["block"] == so.presets("fieldsMatch2")["block"]
    with pytest.raises(so.InputError, match="Did you mean 'fieldsMatch2'"):
        so.presets("fieldMatch2")
