"""Every data set that the papers' experiments read can be converted from its publisher's files."""

import pytest

from singleout.papers import shelf
from singleout.papers.originals.all import ORIGINALS


def test_every_file_that_an_experiment_reads_is_written_by_some_conversion():
    read = {data.file for data in vars(shelf).values() if isinstance(data, shelf.Data) and data.file}
    written = {name for original in ORIGINALS.values() for name in original.files}
    assert {file.rpartition("/")[2] for file in read} <= written


@pytest.mark.parametrize("name", ORIGINALS)
def test_each_says_where_it_comes_from_and_under_which_terms(name):
    original = ORIGINALS[name]
    assert original.name == name
    assert all((original.title, original.public_source, original.terms, original.given, original.gives))
    assert all(file.endswith(".parquet") for file in original.files)
