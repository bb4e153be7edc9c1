"""Two logs as they are, or one in two parts; words with commas."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.options import SplitOptions
from singleout.cli.sides import input_paths, read_sides, words
from tests.small_logs import DAY, START, events
from tests.small_sources import as_parquet, read

LOG = [(user, START + 7 * DAY * week, place) for user in "ab" for week, place in enumerate(["bar", "gym"])]


def test_two_logs_are_released_and_known_as_they_are():
    first, second = events(LOG), events(LOG)
    sides = read_sides([first, second], SplitOptions(), seed=0)
    assert sides.released is first
    assert sides.known is second


def test_one_log_is_split_and_the_earlier_part_is_known():
    sides = read_sides([events(LOG)], SplitOptions(split="halves"), seed=0)
    assert so.histograms(sides.known).places.tolist() == ["bar"]
    assert so.histograms(sides.released).places.tolist() == ["gym"]


@pytest.mark.parametrize(
    ("logs", "split", "says"),
    [
        (1, None, r"give a second file, or split this one with split \(halves, weeks, dates or point\)\.$"),
        (2, "halves", r"give either a second file or split \(halves, weeks, dates or point\), not both\.$"),
    ],
)
def test_either_a_second_file_or_a_split_is_needed(logs, split, says):
    with pytest.raises(so.InputError, match=says):
        read_sides([events(LOG)] * logs, SplitOptions(split=split), seed=0)


@pytest.mark.parametrize("idle", [{"week_start": "sunday"}, {"longer_first": True}])
def test_options_of_a_split_without_one_are_refused(idle):
    with pytest.raises(so.InputError, match="week_start, longer_first and dates require split"):
        read_sides([events(LOG)] * 2, SplitOptions(**idle), seed=0)


def test_the_files_of_all_logs_are_inputs_and_frames_are_none(tmp_path):
    file = as_parquet(tmp_path)
    assert input_paths([read(file), read(file), events(LOG)]) == (file, file)
    assert input_paths([read(pa.parquet.read_table(file))]) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [("a,b", ("a", "b")), (" a , b,,a", ("a", "b")), ("", ()), (" , ", ()), ("two words", ("two words",))],
)
def test_words_are_separated_by_commas_each_once(text, found):
    assert words(text) == found
