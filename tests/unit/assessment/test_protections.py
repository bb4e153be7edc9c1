"""A protection to try: what it must be, and the ready-made ones."""

import pytest

import singleout as so
from singleout.assessment.protections import Trial, use_hierarchy
from tests.small_logs import LOG, counts_of, events, side
from tests.small_protections import MICRO


def made(**changes):
    return so.Protection(
        **{"name": "m", "strengths": [2], "apply": MICRO.apply, "intruder_applies_it": False} | changes
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": 3}, r"Protection: name must be a word \(got 'int'\)"),
        ({"strengths": []}, "strengths must be a list of at least one strength"),
        ({"strengths": 2}, r"strengths must be a list of at least one strength \(got 'int'\)"),
        ({"strengths": "23"}, r"strengths must be a list of at least one strength \(got 'str'\)"),
        ({"apply": "x"}, r"apply must be a function of data, strength and trial \(got 'str'\)"),
        ({"apply": lambda x, k: x}, "apply must be a function of data, strength and trial"),
        ({"intruder_applies_it": "no"}, "intruder_applies_it must be True or False"),
        ({"on_events": 1}, "on_events must be True or False"),
    ],
)
def test_a_protection_that_cannot_be_is_refused(changes, message):
    with pytest.raises(so.InputError, match=message):
        made(**changes)


def applied(protection, data, seed=0):
    return protection.apply(data, protection.strengths[0], Trial(data, None, seed))


COUNTS = side([[5, 0, 1, 0], [1, 1, 0, 0], [0, 2, 0, 7], [3, 3, 0, 0]])


@pytest.mark.parametrize(
    ("protection", "by_hand"),
    [
        (so.Protection.keep([2]), lambda counts: so.suppress(counts, keep=2)),
        (so.Protection.min_people([2]), lambda counts: so.suppress(counts, min_people=2)),
        (so.Protection.noise([0.5]), lambda counts: so.add_noise(counts, epsilon=0.5, seed=3)),
        (
            so.Protection.noise([0.5], max_total=4),
            lambda counts: so.add_noise(counts, epsilon=0.5, unit="person", max_total=4, seed=3),
        ),
    ],
    ids=["keep", "min-people", "noise", "noise on people"],
)
def test_ready_made_protections_of_counts_are_those_of_the_library(protection, by_hand):
    done, expected = applied(protection, COUNTS, seed=3), by_hand(COUNTS)
    assert done.places.tolist() == expected.places.tolist()
    assert done.counts.toarray().tolist() == expected.counts.toarray().tolist()
    assert not protection.on_events


def test_places_are_kept_by_their_popularity_in_what_is_released():
    known = side([[0, 0, 0, 9], [0, 0, 1, 9], [0, 0, 0, 9], [1, 0, 0, 9]])
    for protection, strength in ((so.Protection.keep([1]), 1), (so.Protection.min_people([3]), 3)):
        left = protection.apply(known, strength, Trial(COUNTS, known, 0))
        assert "home" not in left.places.tolist(), "only one of those released was there"


def test_ready_made_protections_of_events_are_those_of_the_library():
    log = events(LOG)
    short = applied(so.Protection.shorten([2]), log)
    assert counts_of(so.histograms(short)) == counts_of(so.histograms(so.shorten(log, days=2)))
    assert so.Protection.shorten([2]).on_events
    assert so.Protection.coarsen([500.0]).on_events


def test_groups_are_those_of_the_library():
    clusters = applied(so.Protection.microaggregate([2]), COUNTS)
    assert clusters.labels.tolist() == so.microaggregate(COUNTS, 2).labels.tolist()


def test_a_hierarchy_has_all_its_levels_unless_some_are_named(tmp_path):
    file = tmp_path / "areas.csv"
    file.write_text("place,area,all\nbar,out,x\ncafé,out,x\ngym,out,x\nhome,in,x\n")
    assert list(so.Protection.hierarchy(file).strengths) == ["area", "all"]
    named = so.Protection.hierarchy(file, ["all"])
    assert applied(named, COUNTS).places.tolist() == ["x"]


def test_errors_of_a_hierarchy_name_the_hierarchy(tmp_path):
    file = tmp_path / "areas.csv"
    file.write_text("place,area\nbar,out\n")
    with pytest.raises(so.SingleoutError, match="hierarchy: .*no coarser place"):
        use_hierarchy(COUNTS, file, "area")


def test_an_intruder_may_repeat_what_draws_nothing_at_random():
    repeated = {"shorten": [1], "coarsen": [1.0], "keep": [1], "min_people": [1]}
    assert all(getattr(so.Protection, name)(strengths).intruder_applies_it for name, strengths in repeated.items())
    assert not so.Protection.noise([1.0]).intruder_applies_it
    assert not so.Protection.microaggregate([2]).intruder_applies_it


def test_a_function_that_does_not_say_what_it_takes_is_believed():
    assert so.Protection("m", [2], max, intruder_applies_it=False).apply is max
