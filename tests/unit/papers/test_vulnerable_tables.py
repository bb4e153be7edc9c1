"""The tables on which heuristics are tried: which records, which columns, what is known."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from singleout.papers import vulnerable_tables as tables
from singleout.papers.data_sets import ADULT, CENSUS, CORE, HISTORICAL, PERSONS, Shelf


def households(rng, people):
    columns = {name: rng.integers(0, 4, people) for name in {*CORE, *sum(tables.CENSUS_KNOWN.values(), ())}}
    columns |= {name: rng.integers(0, 9_000, people) for name in ("HINCP", "VALP")}
    return columns | {"SERIALNO": np.arange(people), "WGTP": np.ones(people), "PWGTP": np.ones(people),
                      "TYPEHUGQ": np.ones(people), "MAR": rng.integers(0, 3, people)}  # fmt: skip


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("tables"), np.random.default_rng(0)
    adult = ["sex", "age", "race", "native-country", "education", "occupation", "marital-status"]
    persons = ["given_name", "surname", "suburb", "state", *tables.NOT_OF_PERSONS]
    historical = ["first_name", "surname", "dob", "gender", "occupation", *tables.NOT_OF_HISTORICAL]
    written = {CENSUS: households(rng, 1_500)}
    written |= {data: {name: rng.integers(0, 9, 40) for name in names}
                for data, names in ((ADULT, adult), (PERSONS, persons), (HISTORICAL, historical))}  # fmt: skip
    written[HISTORICAL]["cluster"] = np.repeat([f"Q{number}" for number in range(8)], 5)
    for data, columns in written.items():
        file = folder / data.file
        file.parent.mkdir(exist_ok=True)
        table = pa.table(columns)
        pyarrow.csv.write_csv(table, file) if file.suffix == ".csv" else pq.write_table(table, file)
    return Shelf(folder)


def test_every_table_is_read_with_what_may_be_known_of_it(shelf):
    found = list(tables.read_tables(shelf))
    assert [known.label for known in found] == [
        "ACS 1,000: R12's CORE", "ACS 1,000: person", "ACS 1,000: job", "ACS 1,000: home", "ACS 1,500: R12's CORE",
        "ACS 1,000, no amounts: R12's CORE", "ACS 1,000, no amounts: person", "ACS 1,000, no amounts: job",
        "ACS 1,000, no amounts: home", "ACS 1,500, no amounts: R12's CORE",
        "adult: sex, age", "adult: race, country", "adult: education, job", "febrl4: state", "febrl4: given name",
        "historical: gender", "historical: first name", "synthetic: Table IV's",
    ]  # fmt: skip
    assert [len(known.table) for known in found] == [*(1_000,) * 4, 1_500] * 2 + [40] * 5 + [8] * 2 + [500]
    for known in found:
        assert set(known.columns) < set(known.table.columns)
        left_out = {"SERIALNO", "WGTP", "rec_id", "soc_sec_id", "cluster", "full_name"}
        assert not left_out & set(known.table.columns), "what identifies people is not released"
        assert known.amounts is None or ("HINCP" in known.table.columns) is known.amounts


def test_a_sample_has_the_same_records_whatever_its_columns(shelf):
    few, more = (tables._sample(shelf, columns, 50) for columns in (["MAR"], ["MAR", "HINCP"]))
    assert few["MAR"].equals(more["MAR"])


def test_a_quick_run_leaves_out_the_whole_file_and_without_files_one_table_is_left(shelf):
    labels = [known.label for known in tables.read_tables(Shelf(shelf.folder, quick=True))]
    assert "ACS 1,000: R12's CORE" in labels
    assert "ACS 1,500: R12's CORE" not in labels
    assert [known.label for known in tables.read_tables(Shelf())] == ["synthetic: Table IV's"]
