"""Protections that are tried elsewhere: the same points, and a user's own functions stay here."""

import os
from functools import partial

import joblib
import pytest

import singleout as so

pytestmark = pytest.mark.heavy

SIDES = [so.histograms(side) for side in so.split(so.synthetic_calls(people=60, seed=1).events, by="weeks")]
HERE = os.getpid()


def keep_popular(data, strength, trial, only_in=None):
    assert only_in in (None, os.getpid())
    return so.suppress(data, keep=strength)


def points(protections, **options):
    found = so.frontier(*SIDES, protections, progress=False, **options)
    return [row.as_row() for row in found.rows], found.left_out, found.notes


@pytest.mark.parametrize("limit", [None, 0.5])
@pytest.mark.parametrize(
    "tried",
    [
        lambda: [so.Protection.keep([20, 5]), so.Protection.noise([1.0])],
        lambda: [so.Protection("own", [20, 5], partial(keep_popular, only_in=HERE), thread_safe=True)],
        lambda: [so.Protection("unnamed", [20, 5], lambda data, n, trial: keep_popular(data, n, trial))],
    ],
    ids=["ready-made", "own", "unnamed"],
)
def test_points_are_the_same_in_other_processes(tried, limit):
    here = points(tried(), limit=limit)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert points(tried(), limit=limit) == here


def empty(data, strength, trial):
    if strength == "all":
        raise so.DataError("nothing is left.")
    return data


def test_strengths_that_leave_nothing_are_noted_wherever_they_are_tried():
    protections = [so.Protection("own", ["none", "all"], empty)]
    here = points(protections, skip=True)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert points(protections, skip=True) == here
        with pytest.raises(so.DataError, match="protection 'own' at strength all"):
            points(protections)


def test_a_users_own_attack_that_cannot_travel_is_tried_here():
    so.register_attack("own", lambda released, known: -abs(released.totals[:, None] - known.totals))
    protections = [so.Protection.keep([200, 100])]
    here = points(protections, similarities=["js", "own"])
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert points(protections, similarities=["js", "own"]) == here
