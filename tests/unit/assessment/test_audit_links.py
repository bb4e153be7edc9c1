"""An audit of two tables: linked by the strongest attack, with and without the truth."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind


@pytest.fixture(scope="module")
def tables():
    """Four hundred people; of the known ones a tenth of the values is wrong or missing."""
    rng = np.random.default_rng(4)
    columns = {
        "born": rng.integers(1940, 2005, 400).astype(str),
        "town": rng.choice([f"town{number}" for number in range(25)], 400),
        "job": rng.choice([f"job{number}" for number in range(15)], 400),
        "car": rng.choice([f"car{number}" for number in range(12)], 400),
    }
    released = pa.table(columns | {"income": rng.integers(0, 9_000, 400), "person": np.arange(400)})
    known = {}
    for name, values in columns.items():
        noise = rng.random(400)
        wrong = np.where(noise < 0.08, rng.permutation(values), values)
        known[name] = pa.array(wrong, mask=noise > 0.95)
    order = rng.permutation(400)
    return released, pa.table(known | {"person": np.arange(400)}).take(pa.array(order))


ON = ["born", "town", "job", "car"]


def test_the_strongest_way_to_link_is_the_answer(tables):
    found = so.audit(*tables, on=ON, truth="person", max_risk=0.05, protect=False, progress=False)
    rates = {each.kind: each.rate for each in found.attacks if each.within_reach}
    links = so.link_records(*map(so.read_table, tables), on=ON, missing="any")
    assert rates[AttackKind.COMPLETE_LINKS] == so.accuracy(links, "person").rate
    assert found.strongest.kind is max(rates, key=lambda kind: rates[kind].value)
    assert rates[AttackKind.PROBABLE_LINKS].value > rates[AttackKind.COMPLETE_LINKS].value > 0.02
    assert found.strongest.random == 1 / 400
    assert not found.passed
    assert "of the links are right" in found.strongest.detail
    assert found.known.people == 400
    assert "person" not in str(found.to_dict()["table"]["columns"])


def test_rates_are_shares_of_the_people_who_are_in_both_tables(tables):
    """Everyone whom the intruder has is found; that others are released as well makes nobody safer."""
    released, known = tables
    few = known.filter(pc.less(known["person"], 100))
    found = so.audit(released, few, on=ON, truth="person", max_risk=0.3, protect=False, progress=False)
    links = so.probable_links(*map(so.read_table, (released, few)), on=ON, precision=0.5)
    right = so.accuracy(links, "person").rate
    linked = next(each for each in found.attacks if each.kind is AttackKind.PROBABLE_LINKS)
    assert (linked.rate.n, linked.rate.value) == (100, pytest.approx(right.value * 400 / 100))
    chance = next(each for each in found.attacks if each.kind is AttackKind.CHANCE)
    assert chance.rate.value == pytest.approx(1 / 100)
    assert found.risk.value > 0.5
    assert not found.passed
    linkability = next(test for test in found.tests if "linkab" in test.name.lower())
    assert "of 100 records are linked to the right person" in " ".join(linkability.statements)
    assert any("300 released records" in str(note) for note in found.notes)


def test_two_tables_without_anyone_in_both_cannot_be_measured(tables):
    released, known = tables
    others = known.set_column(known.column_names.index("person"), "person", pc.add(known["person"], 1_000))
    with pytest.raises(so.DataError, match="no value of 'person' is in both tables"):
        so.audit(released, others, on=ON, truth="person", protect=False, progress=False)


def test_what_assumes_more_than_the_second_table_is_for_comparison(tables):
    found = so.audit(*tables, on=ON, truth="person", protect=False, progress=False)
    beyond = [each.kind for each in found.attacks if not each.within_reach]
    assert AttackKind.KNOWN_COLUMNS in beyond
    assert [each.kind for each in found.attacks].count(AttackKind.CHANCE) == 1
    assert "The intruder has a table with names of 400 people" in found.intruder()


def test_without_the_truth_it_is_estimated(tables):
    measured = so.audit(*tables, on=ON, truth="person", protect=False, progress=False)
    found = so.audit(*(table.drop_columns(["person"]) for table in tables), on=ON, protect=False, progress=False)
    assert [each.kind for each in found.attacks if each.within_reach] == [
        AttackKind.CHANCE,
        AttackKind.EQUAL_RECORDS,
        AttackKind.PROBABLE_LINKS,
    ]
    assert found.risk.value == pytest.approx(measured.risk.value, abs=0.1)
    assert "as estimated without knowing who is who" in found.strongest.detail


def test_identical_tables_are_linked_by_guessing_among_equal_records(tables):
    """The intruder's own file is never better protection than assuming that they know everything."""
    table = tables[0].select(["born", "town", "person"])
    alone = so.audit(table, known_columns=["born", "town"], allow=["person"], protect=False, progress=False)
    for asked in ({"allow": ["person"]}, {"truth": "person"}):
        found = so.audit(table, table, on=["born", "town"], **asked, protect=False, progress=False)
        assert found.risk.value >= alone.risk.value - 1e-9
        guessed = next(each for each in found.attacks if each.kind is AttackKind.EQUAL_RECORDS)
        assert guessed.rate.value == pytest.approx(alone.risk.value)


def test_one_common_column_is_enough(tables):
    found = so.audit(*tables, on=["born"], truth="person", protect=False, progress=False)
    rows = {name: tables[0][name].to_pylist() for name in ("born", "person")}
    known = dict(zip(tables[1]["person"].to_pylist(), tables[1]["born"].to_pylist(), strict=True))
    counts = tables[1]["born"].to_pylist()
    expected = sum(
        1 / counts.count(born) for born, who in zip(rows["born"], rows["person"], strict=True) if known[who] == born
    )
    guessed = next(each for each in found.attacks if each.kind is AttackKind.EQUAL_RECORDS)
    assert guessed.rate.value == pytest.approx(expected / 400)


def test_protections_keep_the_truth_out_of_the_file(tables):
    found = so.audit(*tables, on=ON, truth="person", max_risk=0.05, progress=False)
    assert found.recommended is not None
    assert all("--drop person" in each.command for each in found.protections)


@pytest.mark.parametrize(
    ("second", "asked", "message"),
    [
        (True, {"known_columns": ON}, "two tables require `?on"),
        (False, {"on": ON}, "requires a second table"),
        (False, {"known_columns": ON, "truth": "person"}, "truth`? requires"),
        (True, {"on": ["nope"]}, "is not a column"),
        (True, {"on": ["income"]}, "is not a column"),
    ],
)
def test_what_does_not_fit_two_tables_is_refused(tables, second, asked, message):
    with pytest.raises(so.InputError, match=message):
        so.audit(tables[0], tables[1] if second else None, **asked, progress=False)


def test_tables_that_write_a_column_differently_are_refused(tables):
    released, known = tables
    coded = [f"code {town}" for town in known["town"].to_pylist()]
    other = known.set_column(known.column_names.index("town"), "town", [coded])
    with pytest.raises(so.DataError, match="no value of 'town' in common.*leave it out of on"):
        so.audit(released, other, on=ON, truth="person", max_risk=0.05, progress=False)
