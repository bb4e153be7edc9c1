"""Attacks on networks side by side, and what each choice is worth."""

import pytest

import singleout as so


@pytest.fixture(scope="module")
def sides(call_events):
    released, known = (so.networks(part) for part in so.split(call_events, by="point", seed=1))
    return released, known


def test_size_is_always_run_beside_the_kernels(attacked):
    assert [(row.kernel, row.top) for row in attacked.attacks.rows] == [
        ("size", 5),
        ("sp", 5),
        ("size", 20),
        ("sp", 20),
    ]


def test_the_first_ablation_is_the_attack_itself(sides):
    table = so.ablations(*sides, kernel="sp").to_arrow().to_pylist()
    own = so.ranking(so.graph_scores(*sides, kernel="sp"))
    assert table[0]["mean_rank"] == own.ranks.mean()
    assert len({row["choices"] for row in table}) == len(table)


def test_who_is_found_adds_up_to_the_share_that_is(attacked):
    for row in attacked.attacks.rows:
        for tried in row.by_matching():
            assert len(tried.right) == tried.people
            assert tried.right.sum() == pytest.approx(tried.share * tried.people)
