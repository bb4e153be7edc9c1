"""The protected file itself is attacked, with whatever part of it is known."""

import numpy as np

import singleout as so
from tests.small_logs import noisy_sides
from tests.small_protections import MICRO_10, POPULAR


def test_whichever_half_is_known_the_strongest_counts():
    # a file of first days is all within the first half of the weeks, and outside the second
    log = so.synthetic_calls(people=80, antennas=60, regions=6, seed=3).events
    second, first = so.split(log, by="weeks")
    first_days = so.Protection(
        "shorten", [2], lambda x, days, trial: so.shorten(x, days=days), known_too=True, on_events=True
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
    keep = so.Protection("keep", [2], lambda x, n, trial: so.suppress(x, keep=n), known_too=True)
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
