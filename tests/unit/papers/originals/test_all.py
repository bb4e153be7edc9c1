"""Every data set that the papers' experiments read is converted from its publisher's files, or as published."""

import pytest

from singleout.papers import data_sets
from singleout.papers.originals.all import ORIGINALS

READ = [data for data in vars(data_sets).values() if isinstance(data, data_sets.Data) and data.file]


AS_PUBLISHED = [data for data in READ if "as published" in data.get]


@pytest.mark.parametrize("data", [data for data in READ if data not in AS_PUBLISHED], ids=lambda data: data.name)
def test_every_file_that_an_experiment_reads_is_made_by_the_conversion_it_names(data):
    named = data.get.rpartition("singleout convert ")[2]
    assert data.file.rpartition("/")[2] in ORIGINALS[named].files


@pytest.mark.parametrize("name", ORIGINALS)
def test_each_says_where_it_comes_from_and_under_which_terms(name):
    original = ORIGINALS[name]
    assert original.name == name
    assert all((original.title, original.public_source, original.terms, original.given, original.gives))
    assert all(file.endswith(".parquet") for file in original.files)
