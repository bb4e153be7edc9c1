"""Householders of the census are joined to their homes."""

import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.papers.originals.census import HOUSEHOLD, KINDS, PERSON
from tests.conversions import converted


def census(folder, homes, persons):
    """The two kinds of files, columns in an order of their own and one more than needed."""
    folder.mkdir(exist_ok=True)
    for letter, columns, rows in (("h", HOUSEHOLD, homes), ("p", ("SERIALNO", "SPORDER", *PERSON), persons)):
        names = ["RT", *reversed(columns)]
        lines = [",".join(str(row.get(name, "")) for name in names) for row in rows]
        (folder / f"psam_{letter}us.csv").write_text("\n".join([",".join(names), *lines]) + "\n")


def home(number, **values):
    return {"SERIALNO": f"2024HU{number}", "STATE": "01", "PUMA": "00100", "REGION": 3, "WGTP": 10, "NP": 2,
            "TYPEHUGQ": 1, "BLD": "02", "HINCP": -500} | values  # fmt: skip


def person(number, order=1, **values):
    return {"SERIALNO": f"2024HU{number}", "SPORDER": order, "PWGTP": 12, "AGEP": 40, "OCCP": "0010"} | values


def test_householders_are_joined_to_their_homes(tmp_path):
    homes = [home(3), home(1, STATE="9", PUMA="100"), home(2, NP=0), home(4, TYPEHUGQ=3), home(5, STATE="06"),
             home(6, STATE="48"), home(7)]  # fmt: skip
    persons = [person(3, 2, AGEP=38), person(3), person(1, order="01", AGEP=71), *map(person, (4, 5, 6))]
    census(tmp_path / "pums", homes, persons)
    found, result = converted("census", tmp_path / "pums", tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "acs2024_householder_49states.parquet")
    assert (found.folder, table.num_rows, list(result.rows.values())) == ("acs2024_householder", 2, [2])
    assert dict(zip(table.schema.names, table.schema.types, strict=True)) == KINDS
    first, second = table.to_pylist()
    assert (first["SERIALNO"], first["STATE"], first["PUMA"], first["AGEP"]) == ("2024HU1", "09", "00100", 71)
    assert (second["BLD"], second["HINCP"], second["AGEP"], second["OCCP"], second["TEN"]) == (2, -500, 40, 10, None)
    assert [note.count for note in result.notes] == [2, 2, 1]


def test_the_columns_are_those_of_the_reference_file(real_data):
    file = real_data("acs2024_householder") / "acs2024_householder_49states.parquet"
    schema = pq.read_schema(file)
    assert dict(zip(schema.names, schema.types, strict=True)) == KINDS


def test_a_broken_line_of_the_census_is_named(tmp_path):
    census(tmp_path, [home(1), home(2)], [person(1), person(2, 2, AGEP="old"), person(2), person(3, AGEP="forty")])
    with pytest.raises(so.InputError, match=r"psam_pus\.csv, line 5: must have a number or nothing") as told:
        converted("census", tmp_path, tmp_path / "out")
    assert "forty" not in str(told.value)


def test_a_ragged_line_of_the_census_is_an_error(tmp_path):
    census(tmp_path, [home(1)], [person(1)])
    with (tmp_path / "psam_hus.csv").open("a") as file:
        file.write("H,1,2\n")
    with pytest.raises(so.InputError, match=r"psam_hus\.csv"):
        converted("census", tmp_path, tmp_path / "out")


def test_files_of_another_year_lack_columns(tmp_path):
    census(tmp_path, [home(1)], [person(1)])
    file = tmp_path / "psam_hus.csv"
    file.write_text(file.read_text().replace("STATE", "ST"))
    with pytest.raises(so.InputError, match="lacks the column STATE. Only the 1-year files of 2024"):
        converted("census", tmp_path, tmp_path / "out")


def test_homes_that_come_twice_are_refused(tmp_path):
    census(tmp_path, [home(1), home(1)], [person(1)])
    with pytest.raises(so.InputError, match="SERIALNO is repeated 1 times in psam_hus.csv and similar files"):
        converted("census", tmp_path, tmp_path / "out")


def test_homes_and_persons_that_do_not_belong_together_are_refused(tmp_path):
    census(tmp_path, [home(1)], [person(2)])
    with pytest.raises(so.InputError, match="no home has a reference person"):
        converted("census", tmp_path, tmp_path / "out")
