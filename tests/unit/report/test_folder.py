"""A result as a folder: all files or none, and who may read them."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.report.folder import MATCH_FILES, RELEASE_FILES, write_documents, write_release, write_result
from tests.result_folders import ABOUT, names
from tests.small_logs import noisy_sides

SECRET = "u3"


@pytest.fixture(scope="module")
def ladder():
    return so.ladder(*noisy_sides(people=12), similarities=["js"])


@pytest.mark.parametrize("reveal", [False, True])
def test_pairs_hold_ids_only_if_revealed(ladder, tmp_path, reveal):
    write_result(tmp_path / "out", ladder, ABOUT, reveal=reveal)
    assert set(names(tmp_path / "out")) == {*MATCH_FILES, "manifest.json"}
    pairs = pq.read_table(tmp_path / "out" / "matches.parquet")
    assert pairs.equals(ladder.matching.to_arrow(reveal=reveal))
    assert (SECRET in str(pairs.to_pydict())) == reveal
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == ladder.to_dict()


def test_documents_are_written_by_name_and_no_other_file(tmp_path):
    write_documents(tmp_path / "out", {"a.json": {"x": 1}}, ABOUT, ("a.json", "b.json"))
    assert set(names(tmp_path / "out")) == {"a.json", "manifest.json"}
    assert json.loads((tmp_path / "out" / "a.json").read_text()) == {"x": 1}


def test_a_document_that_is_no_json_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_documents(tmp_path / "out", {"a.json": {"x": 1}, "b.json": float("nan")}, ABOUT, ("a.json", "b.json"))
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_may_read_who_is_who(tmp_path):
    tables = {"protected.csv": pa.table({"person": [1], "place": ["x"]}), "key.csv": pa.table({"person": [1]})}
    write_release(tmp_path / "out", tables, {"people": 1}, ABOUT)
    assert set(names(tmp_path / "out")) == {"protected.csv", "key.csv", "result.json", "manifest.json"}
    assert set(names(tmp_path / "out")) <= {*RELEASE_FILES, "manifest.json"}
    closed = {file.name for file in (tmp_path / "out").iterdir() if file.stat().st_mode & 0o077 == 0}
    assert closed == {"key.csv", "manifest.json"}
