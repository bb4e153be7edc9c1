"""Several levels of places at once."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.reading.grid import Grid
from singleout.similarity.registry import at_levels
from singleout.statistics.levels import Levels, expand_sides
from tests.reference.costs import js, js_popularity, rarity_by_people

LEVELS = pa.table({"place": ["a", "b", "c", "d"], "street": ["x", "x", "y", "z"], "town": ["t", "t", "t", "u"]})
STREET = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
TOWN = np.array([[1, 0], [1, 0], [1, 0], [0, 1]])


def histograms(counts, **options):
    return so.Histograms(counts, range(len(counts)), ["a", "b", "c", "d"], **options)


def log(rows):
    return so.read_events(
        pa.table({"who": [row[0] for row in rows], "where": [row[1] for row in rows]}), user="who", place="where"
    )


def test_every_level_counts_the_same_events_at_its_own_places():
    counts = np.array([[1, 2, 0, 3], [0, 0, 4, 0]])
    found = Levels.parse(LEVELS).expand(histograms(counts))
    for label, merge in (("(finest)", np.eye(4)), ("street", STREET), ("town", TOWN)):
        assert (found.counts.toarray()[:, found.channels == label] == counts @ merge).all()
    assert found.events.tolist() == [6, 4]
    assert found.number_of_places == 4
    assert (found.finest().counts.toarray() == counts).all()
    assert found.finest().channels is None


def test_levels_are_counted_from_events_too():
    rows = [(0, "a"), (0, "b"), (0, "b"), (1, "d")]
    found = so.histograms(log(rows), levels=LEVELS)
    assert set(found.channels.tolist()) == {"(finest)", "street", "town"}
    assert found.events.tolist() == [3, 1]


def test_gains_of_levels_add_up_and_events_count_once():
    rng = np.random.default_rng(1)
    released, known = (rng.poisson(1.2, (7, 4)) for _ in range(2))
    costs = sum(
        np.array(
            [[js_popularity(x @ merge, y @ merge, rarity_by_people(known @ merge)) for y in known] for x in released]
        )
        for merge in (np.eye(4), STREET, TOWN)
    )
    totals = [side.sum(axis=1) for side in (released, known)]
    costs *= np.outer(*(n / (n + 5) for n in totals))
    sides = (Levels.parse(LEVELS).expand(histograms(side)) for side in (released, known))
    found = so.match(*sides, similarity="evidence")
    assert found.cost == pytest.approx(costs[linear_sum_assignment(costs)].sum())


def test_a_similarity_that_compares_levels_makes_them_itself():
    rng = np.random.default_rng(2)
    sides = [histograms(rng.poisson(1.2, (7, 4))) for _ in range(2)]
    levels = Levels.parse(LEVELS)
    by_name = so.match(*sides, similarity=at_levels("evidence_levels", levels))
    by_hand = so.match(*(levels.expand(side) for side in sides), similarity="evidence_mild")
    assert by_name.cost == pytest.approx(by_hand.cost)
    why = by_name.explain(0)
    assert why.terms.sum() == pytest.approx(-by_name.costs[0])
    assert "town" in why.channels.tolist()


def test_without_anything_coarser_it_is_the_same_as_one_level():
    rng = np.random.default_rng(3)
    sides = [histograms(rng.poisson(1.2, (7, 4))) for _ in range(2)]
    one = so.match(*sides, similarity="evidence_mild")
    assert so.match(*sides, similarity="evidence_levels").cost == one.cost


def test_larger_cells_contain_smaller_ones():
    grid = Grid(100.0, (40.0, 116.0, 10_000.0))
    cells = np.array([row * 2**32 + column for row in range(8) for column in range(8)])
    counts = np.random.default_rng(4).poisson(0.5, (5, 64))
    found = Levels.parse([1, 4]).expand(so.Histograms(counts, range(5), cells, grid=grid))
    coarse = found.counts.toarray()[:, found.channels == "400 m"]
    quarters = counts.reshape(5, 2, 4, 2, 4).sum(axis=(2, 4)).reshape(5, 4)
    assert sorted(map(tuple, coarse.T)) == sorted(map(tuple, quarters[:, quarters.any(axis=0)].T))


def test_a_level_where_nearly_everyone_meets_everyone_is_left_out_unless_asked_for():
    sides = [so.Histograms(np.eye(40, dtype=int), range(40), range(40)) for _ in range(2)]
    everyone = dict.fromkeys(range(40), "here")
    *few, notes = expand_sides(*sides, Levels(hierarchy=everyone, asked=False))
    assert [side.counts.shape[1] for side in few] == [40, 40]
    assert [str(note) for note in notes] == [
        "1 level of places left out: at this level nearly everyone has the same places"
    ]
    *all_levels, notes = expand_sides(*sides, Levels(hierarchy=everyone))
    assert [side.counts.shape[1] for side in all_levels] == [41, 41]
    assert notes == ()


def test_places_that_a_hierarchy_lacks_are_compared_at_the_finest_level_only():
    found = Levels.parse(LEVELS.slice(0, 3)).expand(histograms(np.array([[1, 1, 1, 5]])))
    assert found.counts.toarray()[0, found.channels == "town"].tolist() == [3]
    with pytest.raises(so.DataError, match="no place is in the hierarchy"):
        Levels.parse({"q": "r"}).expand(histograms(np.array([[1, 1, 1, 5]])))


def test_numbers_and_names_of_places_may_be_mixed_over_levels():
    counts = so.Histograms(np.array([[1, 2]]), ["p"], [7, 8])
    found = Levels.parse({7: "left", 8: "right"}).expand(counts)
    assert found.places.tolist() == ["7", "8", "left", "right"]


@pytest.mark.parametrize("levels", [[], [0, 4], ["a", "b"], [1.5]])
def test_levels_are_whole_multiples_or_one_hierarchy(levels):
    with pytest.raises(so.InputError, match="levels must be whole numbers, such as 1,4,16"):
        Levels.parse(levels)


def test_multiples_need_a_grid_and_channels_exclude_levels():
    with pytest.raises(
        so.InputError, match=r"levels requires a grid\. Give lat, lng and grid, or a file of places and levels"
    ):
        so.histograms(log([(0, "a")]), levels=[1, 4])
    channels = histograms(np.array([[1, 1, 1, 5]]), channels=["u", "u", "v", "v"])
    with pytest.raises(so.InputError, match="levels must be omitted if there are channels"):
        Levels.parse(LEVELS).expand(channels)


def test_protections_work_on_one_level():
    leveled = Levels.parse(LEVELS).expand(histograms(np.array([[1, 2, 0, 3], [0, 0, 4, 0]])))
    with pytest.raises(so.InputError, match="x must be counted without levels"):
        so.coarsen(leveled, {"a": "b"})
    with pytest.raises(so.InputError, match="x must be counted without levels"):
        so.suppress(leveled, keep=1)


def test_js_at_several_levels_is_the_sum_of_distances():
    released, known = np.array([[1, 2, 0, 3]]), np.array([[0, 2, 2, 1]])
    sides = (Levels.parse(LEVELS).expand(histograms(side)) for side in (released, known))
    total = sum(js(released[0] @ merge, known[0] @ merge) for merge in (np.eye(4), STREET, TOWN))
    assert so.match(*sides).cost == pytest.approx(total)
