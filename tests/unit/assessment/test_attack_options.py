"""Options of attacks on event logs: what is counted, and by which similarities people are compared."""

from pathlib import Path

import pytest

import singleout as so
from singleout.assessment.attack_options import CountOptions, SimilarityOptions
from tests.small_logs import DAY, START, events

LOG = [("a", START, "bar"), ("a", START + DAY, "gym"), ("b", START, "bar")]


def test_what_is_counted_is_what_the_library_counts():
    log = events(LOG)
    assert CountOptions().count(log).counts.sum() == 3
    by_day = CountOptions(channel="weekday").count(log)
    assert by_day.number_of_places == so.histograms(log, channel="weekday").number_of_places
    assert CountOptions(weekdays="monday").count(log).counts.sum() == so.histograms(log, days=["monday"]).counts.sum()


def test_only_a_column_is_a_column():
    assert CountOptions(channel="daypart").channel_column is None
    assert CountOptions(channel="product").channel_column == "product"


def test_the_similarities_named_are_tried_or_all_that_apply():
    side = so.histograms(events(LOG))
    assert [each.name for each in SimilarityOptions(similarities="js,dot").choose(side)] == ["js", "dot"]
    assert {"js", "evidence"} < {each.name for each in SimilarityOptions().choose(side)}


def test_levels_that_nothing_compares_or_that_places_do_not_have_are_refused():
    with pytest.raises(so.InputError, match="levels requires similarities to include evidence_levels"):
        SimilarityOptions(levels="1,4", similarities="js")
    with pytest.raises(so.SingleoutError, match="levels"):
        SimilarityOptions(levels="1,4").choose(so.histograms(events(LOG)))


def test_files_are_inputs_and_only_their_names_are_kept(tmp_path):
    asked = SimilarityOptions(levels=str(tmp_path / "areas.csv"))
    assert asked.attack_files == (Path(tmp_path / "areas.csv"),)
    assert asked.non_defaults() == {"levels": ["areas.csv"]}
    assert SimilarityOptions(levels="1,4").attack_files == ()
