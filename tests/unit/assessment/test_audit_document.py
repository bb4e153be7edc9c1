"""What audit.json holds: the fields that its type names, in that order, for an event log and for a table."""

from typing import get_type_hints

import pytest

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_document import AuditDocument
from singleout.report.json_schema import document_schema
from tests.audits import events_audit, table_audit


@pytest.mark.parametrize("audit", [events_audit, table_audit])
def test_an_audit_writes_the_fields_of_its_type_in_their_order(audit):
    assert list(audit().to_dict()) == [name for name in get_type_hints(AuditDocument) if name != "file"]


def test_result_files_may_name_every_kind_of_attack_and_no_other():
    parts = document_schema(AuditDocument, "")["$defs"]
    kinds = parts["Attack"]["properties"]["kind"]["enum"]
    assert sorted(kinds) == sorted(map(str, AttackKind))
    headline = parts["Risk"]["properties"]["kind"]["enum"]
    assert set(headline) == set(kinds) - {AttackKind.TAUGHT}, "nobody needs to know anyone for the headline"
