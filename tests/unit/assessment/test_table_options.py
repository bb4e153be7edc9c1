"""Options of tables: what is read, what is refused, and that commands of tables share them."""

from dataclasses import fields

import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.release_options import ReleaseOptions
from singleout.assessment.table_options import OF_TABLES, TableChangeOptions, TableOptions
from singleout.assessment.verify_options import VerifyOptions


@pytest.mark.parametrize("group", [AuditOptions, ReleaseOptions, VerifyOptions])
def test_every_command_of_tables_takes_what_reads_them(group):
    assert {each.name for each in fields(TableOptions)} <= {each.name for each in fields(group)}


def test_how_files_are_written_and_what_is_allowed_is_not_for_tables_only():
    assert not {"encoding", "delimiter", "decimal", "columns_are", "allow"} & set(OF_TABLES)
    assert "one_row_per_person" in OF_TABLES


def test_recodings_are_given_by_column():
    assert TableChangeOptions(recode=["age=0,18,65", "sex=keep"]).recodings == {"age": "0,18,65", "sex": "keep"}


def test_every_row_may_be_said_to_be_a_person():
    log = so.read_table(pa.table({"card_id": [n % 12 for n in range(60)], "at": list(range(60))}))
    with pytest.raises(so.DataError, match="looks like an event log"):
        TableOptions().doubt_rows(log, (), "suda")
    assert TableOptions(one_row_per_person=True).doubt_rows(log, (), "suda") == ""
