"""Options of links and profiles: what lacks its other half is refused."""

import pytest

import singleout as so
from singleout.assessment.linking_options import ProfileOptions


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "last=exact:1"}, "score requires block"),
        ({"preset": "nameMatch", "block": "last=exact"}, "give either preset or block"),
        ({"known_edges": "a.csv"}, "released_edges, known_edges and friend_name are needed together"),
        ({"released_edges": "a.csv", "known_edges": "b.csv"}, "are needed together"),
    ],
)
def test_options_of_profiles_that_lack_their_other_half_are_refused(options, message):
    with pytest.raises(so.InputError, match=message):
        ProfileOptions(**options)
    edges = {"released_edges": "a.csv", "known_edges": "b.csv", "friend_name": "name"}
    assert ProfileOptions(**edges).non_defaults() == edges
