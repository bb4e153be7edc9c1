"""Made-up profile sites: seeded, labelled, in the shape they promise."""

from collections import Counter

import pytest

import singleout as so
from singleout.reading.synthetic.profiles import CUT_AT


@pytest.fixture(scope="module")
def sites():
    return so.synthetic_profiles(people=400, known=3_000, seed=1)


def test_the_same_seed_gives_the_same_sites_and_another_seed_others(sites):
    again = so.synthetic_profiles(people=400, known=3_000, seed=1)
    assert again.released.equals(sites.released)
    assert again.known_edges.equals(sites.known_edges)
    assert again.truth == sites.truth
    assert not so.synthetic_profiles(people=400, known=3_000, seed=2).released.equals(sites.released)


def test_sizes_overlap_and_label_are_as_asked(sites):
    assert (sites.released.num_rows, sites.known.num_rows, len(sites.truth)) == (400, 3_000, 240)
    assert sites.label == "synthetic"
    assert "synthetic" in repr(sites)
    assert set(sites.truth) <= set(sites.released["id"].to_pylist())
    assert len(set(sites.truth.values())) == 240
    everyone = so.synthetic_profiles(people=50, known=20, both=1.0)
    assert len(everyone.truth) == 20


def test_people_on_both_sites_have_the_same_family_name_or_one_within_the_other(sites):
    names = [
        dict(zip(side["id"].to_pylist(), side["last"].to_pylist(), strict=True))
        for side in (sites.released, sites.known)
    ]
    alike = [
        any(part in names[1][theirs].lower().split("-") for part in names[0][mine].lower().split("-"))
        for mine, theirs in sites.truth.items()
    ]
    assert sum(alike) > 0.95 * len(alike)


def test_nicknames_states_and_missing_places_occur(sites):
    first = set(sites.released["first"].to_pylist())
    assert first & {"Bob", "Jim", "Mike", "Bill", "Liz"}
    places = sites.released["location"].to_pylist()
    assert None in places
    assert any(place and place.endswith(", IL") for place in places)
    assert any(place and place.endswith(", Illinois") for place in places)


def test_friend_lists_are_cut_at_eight_for_one_group_only(sites):
    cut = dict(zip(sites.known["id"].to_pylist(), sites.known["cut"].to_pylist(), strict=True))
    number = Counter(sites.known_edges["person"].to_pylist())
    assert max(count for person, count in number.items() if cut[person]) == CUT_AT
    assert max(count for person, count in number.items() if not cut[person]) > CUT_AT


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"people": 1}, "people must be a whole number of at least 2"),
        ({"known": 2.5}, "known must be a whole number"),
        ({"both": 1.5}, "both must be between 0 and 1"),
        ({"cut": "x"}, "cut must be between 0 and 1"),
    ],
)
def test_impossible_sites_are_refused(options, message):
    with pytest.raises(so.InputError, match=message):
        so.synthetic_profiles(**options)
