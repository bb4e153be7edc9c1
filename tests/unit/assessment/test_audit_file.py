"""Results read back from files: figures as they were written, and one line about anything else."""

import json

import pytest

import singleout as so
from singleout.assessment.audit_file import find_evidence, read_audit_file
from singleout.ground.files import manifest, whole_folder
from tests.audits import events_audit, hostile_audit, table_audit


def read(source):
    return read_audit_file(source, "compare_audits", "old")


def changed(path, *keys, value):
    """The same file with one value changed."""
    document = events_audit().to_dict()
    inside = document
    for key in keys[:-1]:
        inside = inside[key]
    inside[keys[-1]] = value
    path.write_text(json.dumps(document))
    return path


def test_figures_are_those_of_the_audit(tmp_path):
    audit = events_audit()
    audit.to_json(tmp_path / "audit.json")
    for found in (read(audit), read(tmp_path / "audit.json"), read(str(tmp_path))):
        assert found.risk == audit.risk
        assert [each.rate for each in found.attacks] == [each.rate for each in audit.attacks]
        assert (found.kind, found.label, found.smallest) == ("events", "calls.csv", None)
        assert found.inside == audit.from_inside
        assert found.counts["people released"] == audit.released.people
        assert found.recommended == audit.recommended.does
        assert (found.inputs, found.version) == (None, None)
    table = read(table_audit())
    assert table.smallest == table_audit().worst_off.risk.k
    assert table.counts["unique records"] == table_audit().worst_off.risk.unique
    assert table.counts["records released"] == 2_000


def test_names_of_attacks_are_those_of_tables_and_of_unknown_kinds_their_own(tmp_path):
    names = [each.label for each in read(events_audit()).attacks]
    assert "joint matching: rarity and activity weights" in names
    assert "joint matching, near-certain pairs only" in names
    found = read(changed(tmp_path / "a.json", "attacks", 1, "kind", value="telepathy"))
    assert found.attacks[1].label == f"telepathy: {found.attacks[1].by}"


def test_the_manifest_next_to_a_file_counts_only_for_the_file_it_lists(tmp_path):
    data = tmp_path / "log.csv"
    data.write_text("x")
    about = manifest(command="audit", parameters={}, inputs=[data], seed=0, reveal=False)
    with whole_folder(tmp_path / "out", about, ["audit.json"]) as folder:
        events_audit().to_json(folder / "audit.json")
    found = read(tmp_path / "out")
    assert (len(found.inputs), found.version) == (1, so.__version__)
    (tmp_path / "out" / "audit.json").write_text(json.dumps(events_audit().to_dict()))
    assert read(tmp_path / "out").inputs is None


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "it is not JSON"),
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is not a result of audit or verify"),
        ('{"schema": "singleout/result/1"}', "it is not a result of audit or verify"),
        ('{"schema": ["singleout/audit/2"]}', "it is not a result of audit or verify"),
        ('{"schema": "singleout/audit/1"}', "it was written by another version of singleout"),
        ('{"schema": "singleout/audit/3"}', "it is incomplete or was changed by hand"),
    ],
)
def test_what_is_no_result_is_refused_in_one_line(tmp_path, content, problem):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(so.SourceError, match=f"compare_audits: old: x.json: {problem}") as error:
        read(tmp_path / "x.json")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("risk", "value"), 7),
        (("risk", "value"), "0.5"),
        (("risk", "low"), True),
        (("risk", "n"), 0),
        (("risk", "n"), 1.5),
        (("risk", "confidence_level"), 1.0),
        (("risk", "high"), 0.0),
        (("kind",), "people"),
        (("kind",), ["events"]),
        (("attacks",), None),
        (("attacks",), [1]),
        (("notes",), [{"count": "many", "what": "x", "why": "y"}]),
        (("data",), []),
        (("data", "label"), 3),
        (("meets_limit",), "yes"),
        (("options",), 4),
        (("seed",), None),
        (("protections", 0, "rate"), None),
    ],
)
def test_what_was_changed_by_hand_is_no_fault_of_ours(tmp_path, keys, value):
    with pytest.raises(so.SourceError, match="it is incomplete or was changed by hand. Run the audit again"):
        read(changed(tmp_path / "audit.json", *keys, value=value))


def test_numbers_that_are_none_are_refused(tmp_path):
    text = json.dumps(events_audit().to_dict() | {"random": float("nan")})
    (tmp_path / "audit.json").write_text(text)
    with pytest.raises(so.SourceError, match="audit.json: it is not JSON"):
        read(tmp_path)


def test_a_folder_without_a_result_and_a_name_without_a_file_are_refused(tmp_path):
    with pytest.raises(so.SourceError, match=r"holds no audit.json or verify.json. Name a result of audit or verify"):
        find_evidence(tmp_path, "compare_audits", "old")
    with pytest.raises(so.SourceError, match=r"nosuch.json does not exist"):
        read(tmp_path / "nosuch.json")
    with pytest.raises(so.InputError, match="old must be an Audit, or the path of a result of audit or verify"):
        read(7)


def test_ids_and_names_of_a_revealing_result_are_not_kept():
    found = read(hostile_audit())
    assert not hasattr(found, "people_at_risk")
