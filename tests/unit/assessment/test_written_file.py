"""The protected file itself is attacked, with whatever part of it is known."""

from dataclasses import replace

import numpy as np
import pytest

import singleout as so
from singleout.assessment.file_attempts import Attack
from singleout.assessment.inside_knowledge import known_half
from singleout.assessment.written_file import attack_each, attack_with_any, written_file
from singleout.similarity.registry import find_similarity, similarities_to_try
from tests.small_logs import noisy_sides
from tests.small_protections import MICRO_10, POPULAR


def test_whichever_half_is_known_the_strongest_counts():
    # a file of first days is all within the first half of the weeks, and outside the second
    log = so.synthetic_calls(people=80, antennas=60, regions=6, seed=3).events
    second, first = so.split(log, by="weeks")
    first_days = so.Protection(
        "shorten", [2], lambda x, days, trial: so.shorten(x, days=days), intruder_applies_it=True, on_events=True
    )

    def inside(*parts):
        return so.frontier(first, second, [first_days], inside=(log, parts)).rows[1].inside.value

    assert inside(first) > inside(second) + 0.2
    assert inside(first, second, None) == max(inside(first), inside(second), inside(None))


def test_people_left_with_nothing_do_not_dilute_the_risk():
    counts = np.zeros((40, 22), dtype=int)
    counts[:20, 0], counts[:20, 1] = np.arange(1, 21), 21 - np.arange(1, 21)
    counts[np.arange(20, 40), np.arange(2, 22)] = 5
    sides = [so.Histograms(counts, range(40), [f"p{k}" for k in range(22)]) for _ in "ab"]
    keep = so.Protection("keep", [2], lambda x, n, trial: so.suppress(x, keep=n), intruder_applies_it=True)
    (kept,) = so.frontier(*sides, [keep]).rows[1:]
    assert kept.utility.emptied == 20
    assert (kept.outside.value, kept.outside.n) == (1.0, 20)


def test_without_a_part_that_is_known_half_of_the_events_are():
    released, known = noisy_sides(people=60)
    (whole,) = so.frontier(released, known, [MICRO_10], inside=(released, [None])).rows[:1]
    assert whole.inside.value > whole.outside.value
    again = so.frontier(released, known, [MICRO_10], inside=(released, [None])).rows[:1]
    assert (whole,) == again


def test_a_part_of_which_nothing_is_left_does_not_end_the_attack():
    released, known = noisy_sides(people=40)
    elsewhere = so.Histograms(np.ones((40, 1), int), known.people, ["nowhere"])
    stranger = so.Histograms(np.ones((1, 1), int), ["stranger"], ["p0"])
    (kept,) = so.frontier(released, known, [POPULAR], inside=(released, [elsewhere, stranger, known])).rows[1:]
    (alone,) = so.frontier(released, known, [POPULAR], inside=(released, [known])).rows[1:]
    assert kept.inside == alone.inside


def test_a_file_read_back_holds_the_shares_under_pseudonyms(tmp_path):
    original = noisy_sides(people=9, places=5)[0]
    for ending in (".csv", ".parquet", ".jsonl"):
        file = written_file(original, ending, seed=4)
        assert sorted(file.key.values()) == sorted(original.people.tolist())
        order = [original.people.tolist().index(file.key[name]) for name in file.rows.people.tolist()]
        columns = [file.rows.places.tolist().index(place) for place in original.places.tolist()]
        np.testing.assert_allclose(file.rows.counts.toarray()[:, columns], original.shares().toarray()[order])
        assert {int(name) for name in file.key} == set(range(1, 10))


def test_people_with_identical_rows_are_one_class_of_the_file():
    same = so.Histograms([[1, 2], [2, 4], [3, 0]], list("abc"), ["x", "y"])
    assert sorted(written_file(same, ".csv", seed=0).classes.size.tolist()) == [1, 2]


def test_a_file_of_nobody_who_is_known_is_refused():
    original = noisy_sides(people=5)[0]
    file = written_file(original, ".csv", seed=0)
    with pytest.raises(so.DataError, match="nobody who is known is left in the file"):
        attack_with_any(file, [((original,), {"stranger": "u0"})], similarities=("js",), seed=0, progress=False)


def test_no_attack_is_right_more_often_than_identical_rows_allow():
    same = so.Histograms([[1, 2], [2, 4], [3, 0]], list("abc"), ["x", "y"])
    file, truth = written_file(same, ".csv", seed=0), {person: person for person in "abc"}
    file = replace(file, counts=None)
    (found,) = attack_each(file, [same], truth=truth, similarities=[find_similarity("js")], seed=0, progress=False)
    assert (found.people, found.most) == (3, pytest.approx(2 / 3))
    assert found.share <= found.most + 1e-9
    assert found.rate(0.95).value == pytest.approx(found.share)


def attack(file, known, truth, **more):
    similarities = [find_similarity(name) for name in ("js", "dot", "evidence")]
    return attack_with_any(file, [((known,), truth)], similarities=similarities, seed=0, progress=False, **more)


def test_an_attack_chosen_on_some_people_is_carried_out_on_everyone():
    released, known = noisy_sides(people=160)
    file, truth = written_file(released, ".parquet", seed=0), dict(zip(released.people, known.people, strict=True))
    everything, chosen = attack(file, known, truth), attack(file, known, truth, scouts=60, finalists=1)
    assert chosen.people == everything.people == 160
    assert chosen.most == everything.most
    assert everything.share - 0.05 <= chosen.share <= everything.share
    assert chosen == attack(file, known, truth, scouts=60, finalists=1), "the same people are drawn again"


def test_with_as_many_finalists_as_attacks_nothing_is_missed(monkeypatch):
    monkeypatch.setattr("singleout.assessment.written_file.CLOSE", 1.0)
    released, known = noisy_sides(people=160)
    file, truth = written_file(released, ".parquet", seed=0), dict(zip(released.people, known.people, strict=True))
    assert attack(file, known, truth, scouts=60, finalists=99).expected == attack(file, known, truth).expected


def test_few_people_are_attacked_by_everything():
    released, known = noisy_sides(people=60)
    file, truth = written_file(released, ".parquet", seed=0), dict(zip(released.people, known.people, strict=True))
    assert attack(file, known, truth, scouts=31, finalists=1) == attack(file, known, truth)


def test_where_enough_attacks_find_everyone_of_some_people_the_others_are_not_tried(monkeypatch):
    released, known = noisy_sides(people=160)
    file, same = written_file(released, ".parquet", seed=0), {person: person for person in released.people}
    file = replace(file, counts=None)
    tried = []

    def note(attempt):
        tried.append(attempt.similarity.name)
        return Attack.carry_out(attempt)

    monkeypatch.setattr(Attack, "try_out", note)
    parts = [((released,), same), ((known,), dict(zip(released.people, known.people, strict=True)))]
    similarities = [find_similarity(name) for name in ("js", "evidence")]
    asked = {"similarities": similarities, "seed": 0, "progress": False, "scouts": 60}
    assert attack_with_any(file, parts, **asked).share == 1.0
    assert tried == ["js", "evidence"]
    tried.clear()
    assert attack_with_any(file, parts, **asked, finalists=3).share == 1.0
    assert len(tried) == 4


@pytest.mark.parametrize("kind", ["merged", "kept"])
def test_exact_shares_are_attacked_by_the_counts_behind_them(kind):
    """Someone who knows half of the events finds many more people by counts than by shares."""
    rng = np.random.default_rng(2)
    rows = so.Histograms(
        rng.poisson(rng.gamma(0.3, 10, size=(300, 20))) + np.eye(300, 20, dtype=int), range(300), range(20)
    )
    merged = so.Histograms(rows.counts @ np.eye(4, dtype=int)[np.arange(20) % 4], rows.people, range(4))
    few = merged if kind == "merged" else so.suppress(rows, keep=5)
    file = written_file(few, ".csv", 1)
    parts = [((known_half(few),), {person: person for person in few.people.tolist()})]
    asked = {"similarities": similarities_to_try(few), "seed": 0, "progress": False}
    found = attack_with_any(file, parts, **asked)
    by_shares = attack_with_any(replace(file, counts=None, attempts={}), parts, **asked)
    assert "half the counts" in found.in_words()
    assert found.share > 1.2 * by_shares.share
