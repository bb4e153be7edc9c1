"""Verifying a protected file: what is measured is what attacks by hand find, and the key only counts."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.file_to_verify import read_key, read_protected
from tests.commands import run
from tests.schemas import faults
from tests.small_releases import COLUMNS, small_log, small_release

UNNAMED = {"command": "", "command_folder": ""}
"""Without the names of the files."""


def verify(made, *, key=True, **more):
    return so.verify(made.protected, made.log, key=made.key if key else None, **COLUMNS, **more, progress=False)


def rate_by_hand(made, similarity, method, by="released"):
    """Match the file and the log, and look into the key."""
    rows, _ = read_protected(made.protected, None)
    known = so.histograms(so.read_events(made.log, **COLUMNS))
    found = so.match(rows, known, similarity=similarity, method=method, by=by, progress=False)
    return so.accuracy(found, read_key(made.key, rows.people)).rate.value


@pytest.mark.parametrize("protection", [{"keep": 6}, {"noise": 0.3}, {"microaggregate": 5}], ids=str)
def test_no_attack_by_hand_finds_more_and_some_find_as_much(protection):
    made = small_release(**protection)
    found = verify(made)
    by_hand = [
        rate_by_hand(made, name, *way)
        for name in ("js", "dot", "evidence")
        for way in (("joint",), ("one-by-one", "released"), ("one-by-one", "known"))
    ]
    assert found.risk.value >= max(by_hand) - 1e-9
    for name in ("js", "dot", "evidence"):
        listed = max(each.rate.value for each in found.attacks if each.by == name)
        assert listed >= rate_by_hand(made, name, "joint") - 1e-9
    assert found.risk.value <= found.file.guarantee + 1e-9
    assert faults(found.to_dict()) == []


def groups_in(file):
    """People by identical rows, counted in the text of the file."""
    rows = {}
    for row in csv.read_csv(file).to_pylist():
        rows.setdefault(row["person"], set()).add((row["place"], row["share"]))
    return np.unique([sorted(map(str, each)).__repr__() for each in rows.values()], return_counts=True)[1]


@pytest.mark.parametrize("protection", [{"keep": 2}, {"microaggregate": 5}], ids=str)
@pytest.mark.parametrize("key", [True, False])
def test_guarantees_are_counted_in_the_file(protection, key):
    made = small_release(**protection)
    found, sizes = verify(made, key=key), groups_in(made.protected)
    assert (found.file.smallest, found.file.unique) == (sizes.min(), (sizes == 1).sum())
    assert found.file.people == sizes.sum()
    assert found.file.guarantee == pytest.approx(len(sizes) / sizes.sum())
    assert found.file.identities is key


def test_without_the_key_the_risk_is_the_bound_and_nothing_is_scored():
    found = verify(small_release(microaggregate=5), key=False, max_risk=0.3)
    assert [each.kind for each in found.attacks] == [AttackKind.CHANCE, AttackKind.IDENTICAL_ROWS]
    assert found.risk.value == found.file.guarantee
    assert found.risk.is_exact
    assert found.passed
    assert found.people_at_risk.found == 0
    assert found.probability is None
    assert not verify(small_release(keep=6), key=False, max_risk=0.3).passed
    assert faults(found.to_dict()) == []


@pytest.mark.parametrize("protection", [{"keep": 2}, {"microaggregate": 5}], ids=str)
def test_the_tests_of_regulators_hold_what_was_counted_against_the_limit(protection):
    made = small_release(**protection)
    found, sizes = verify(made, max_risk=0.25), groups_in(made.protected)
    shares = {each.name: each.share for each in found.tests}
    assert list(shares) == ["singling out", "linkability", "inference", "motivated intruder"]
    assert shares["singling out"] == pytest.approx((sizes == 1).sum() / sizes.sum())
    assert shares["linkability"] == found.upper
    ways = ("released", "known")
    alone = max(rate_by_hand(made, name, "one-by-one", by) for name in ("js", "dot", "evidence") for by in ways)
    assert alone <= shares["motivated intruder"] <= found.file.guarantee + 1e-9
    assert shares["inference"] >= found.file.groups
    assert found.tests[0].verdict(0.05).startswith("Not met" if 1 in sizes else "Met")


def test_without_the_key_only_what_was_counted_is_tested():
    found = verify(small_release(microaggregate=5), key=False)
    shares = {each.name: each.share for each in found.tests}
    assert (shares["singling out"], shares["inference"]) == (0.0, None)
    assert shares["linkability"] == shares["motivated intruder"] == found.file.guarantee


def test_the_limit_is_met_by_the_guarantee_where_people_are_few():
    found = verify(small_release(microaggregate=10), max_risk=0.1)
    assert found.risk.high > 0.1 >= found.file.guarantee
    assert (found.meets_limit, found.passed) == (True, True)
    assert not verify(small_release(keep=6), max_risk=0.1).passed


def test_neither_the_order_of_rows_nor_the_type_of_the_file_matters(tmp_path):
    made = small_release(keep=6)
    table = csv.read_csv(made.protected)
    order = np.random.default_rng(0).permutation(table.num_rows)
    pa.parquet.write_table(table.take(pa.array(order)), tmp_path / "p.parquet")
    other = so.verify(tmp_path / "p.parquet", made.log, key=made.key, **COLUMNS, label="x", progress=False)
    same = verify(made, label="x")
    assert replace(other, **UNNAMED).to_dict() == replace(same, **UNNAMED).to_dict()


def test_pseudonyms_do_not_matter(tmp_path):
    made = small_release(keep=6)
    table, key = csv.read_csv(made.protected), csv.read_csv(made.key)
    for name, each in (("p.csv", table), ("k.csv", key)):
        fresh = pa.array([1_000 - person for person in each["person"].to_pylist()])
        csv.write_csv(each.set_column(0, "person", fresh), tmp_path / name)
    other = so.verify(tmp_path / "p.csv", made.log, key=tmp_path / "k.csv", **COLUMNS, label="x", progress=False)
    same = verify(made, label="x")
    assert [each.rate.value for each in other.attacks] == pytest.approx([each.rate.value for each in same.attacks])


def test_a_wrong_key_finds_no_more_than_chance():
    made = small_release(noise=1.0)
    key = csv.read_csv(made.key)
    ids = np.random.default_rng(1).permutation(key["id"].to_pylist()).tolist()
    wrong = dict(zip(key["person"].to_pylist(), ids, strict=True))
    found = so.verify(made.protected, made.log, key=wrong, **COLUMNS, progress=False)
    assert verify(made).risk.value > 0.9
    assert found.risk.value < 0.3


def test_steps_that_an_intruder_can_take_are_taken(tmp_path):
    hierarchy = tmp_path / "areas.csv"
    hierarchy.write_text("place,area\n" + "".join(f"clinic {k},area {k % 6}\n" for k in range(25)))
    steps = ("--hierarchy", hierarchy, "--hierarchy-level", "area", "--out", tmp_path / "out")
    columns = ("--user", "who", "--time", "when", "--place", "where")
    assert run("protect", small_log(), *columns, *steps).exit_code == 0
    file, key = tmp_path / "out" / "protected.csv", tmp_path / "out" / "key.csv"
    with pytest.raises(so.DataError, match="no place in common. If protect made places coarser, give the same coarsen"):
        so.verify(file, small_log(), key=key, **COLUMNS, progress=False)
    asked = {"hierarchy": str(hierarchy), "hierarchy_level": ["area"]}
    found = so.verify(file, small_log(), key=key, **COLUMNS, **asked, progress=False)
    assert found.risk.value > 0.5
    assert "hierarchy" in " ".join(found.assumptions)


def test_people_on_one_side_only_are_noted():
    made = small_release(keep=2)
    found = verify(made)
    left_out = 40 - found.file.people
    assert left_out > 0
    assert f"{left_out} people whom the intruder knows: they are not in the file" in [str(note) for note in found.notes]
    assert found.risk.n == found.file.people
    few = pa.table({"who": [f"anna{k:02}" for k in range(10)], "where": csv.read_csv(made.protected)["place"][:10]})
    some = so.verify(made.protected, few, key=made.key, user="who", place="where", progress=False)
    assert 0 < some.risk.n <= 10
    assert "the intruder does not know them" in " ".join(map(str, some.notes))
    assert some.file.withheld == "what is known cannot be split by time"


def test_ids_are_there_only_if_revealed():
    made = small_release(noise=1.0)
    hidden, shown = verify(made), verify(made, reveal=True, list_people=3)
    text = json.dumps(hidden.to_dict())
    assert "anna" not in text
    assert "clinic" not in text
    assert hidden.people_at_risk.found == shown.people_at_risk.found > 0
    assert hidden.people_at_risk.clearest == ()
    assert all(each.id.startswith("anna") for each in shown.people_at_risk.clearest)


def test_a_table_is_measured_again(tmp_path):
    csv.write_csv(so.synthetic_records(seed=1).table, tmp_path / "people.csv")
    made = so.protect_table(tmp_path / "people.csv", known_columns=["region", "home", "sex"], k=5)
    made.write(tmp_path / "protected.csv")
    known = [column.column.name for column in made.change.columns if not column.level.is_left_out]
    found = so.verify(tmp_path / "protected.csv", known_columns=known, k=5, progress=False)
    assert found.worst_off.risk.to_dict()["below"] == made.risk.to_dict()["below"]
    assert found.worst_off.risk.k == made.risk.k >= 5
    assert (found.passed, found.protections) == (True, ())
    assert not so.verify(tmp_path / "protected.csv", known_columns=known, k=made.risk.k + 1, progress=False).passed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"user": "who", "place": "where"}, "verify: known is missing: the event log that the intruder has"),
        ({"known_columns": ["a"], "key": {1: "a"}}, "verify: a table has no second file and no key; leave them out"),
        ({"user": "who", "place": "where", "usr": 1}, "verify: there is no option usr"),
        ({"options": 3}, r"verify: options must be so.VerifyOptions\(…\)"),
    ],
)
def test_what_is_missing_is_named(arguments, message):
    with pytest.raises(so.InputError, match=message):
        so.verify(small_release(keep=6).protected, **arguments)


def test_a_key_of_other_people_is_refused():
    made = small_release(keep=6)
    key = {person: f"stranger {person}" for person in csv.read_csv(made.key)["person"].to_pylist()}
    with pytest.raises(so.DataError, match="nobody of the key is in what is known. Is user the column of ids"):
        so.verify(made.protected, made.log, key=key, **COLUMNS)
