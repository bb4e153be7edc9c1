"""Tables III and IV and Figure 2 on made-up sites."""

from collections import Counter

import numpy as np
import pytest

import singleout as so
from singleout.papers import ramachandran_2012_profiles as cases
from singleout.papers.data_sets import RECORDS, Shelf
from singleout.papers.registry import experiment
from tests.reference import linking as twin


@pytest.fixture(scope="module")
def made_up():
    return Shelf(None, quick=True, synthetic_people=400)


def test_table_3_takes_only_people_whose_candidates_show_all_their_friends(made_up):
    sites = cases._group(made_up.sites(0), cut=False)
    assert not any(sites.released["cut"].to_pylist())
    assert 0 < sites.released.num_rows < 400
    assert set(sites.truth) <= set(sites.released["id"].to_pylist())
    result = experiment("ramachandran-table3").run(made_up)
    profiles = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    found = so.selectivity(profiles, at_least=2)
    row = next(row for row in result.rows if row.series == "nameMatch")
    assert (row.ours, row.printed, row.random) == (found.selectivity, 0.233, found.random)
    blocked = [next(row.value for row in result.rows if (row.series, row.at) == (name, "candidates"))
               for name in ("fieldsMatch2", "friendsMatch")]  # fmt: skip
    assert blocked[0] == blocked[1], "the same blocking has the same candidates, unlike the paper's print"
    assert result.findings[0].holds


def test_whom_friends_single_out_are_counted_once_for_every_setup(made_up):
    compared = cases._compare(cases._group(made_up.sites(0), cut=False))
    friends = compared.by_method["friendsMatch"]
    alone = {
        person
        for person, chance, number in zip(
            friends.released_side.people.tolist(), friends.selectivity, friends.candidates, strict=True
        )
        if chance == 1 and number >= 2 and person in compared.sites.truth
    }
    sure = {method: cases._sure_and_right(compared, method) for method in cases.CHECKED}
    assert {number for number, _ in sure.values()} == {len(alone)}
    assert all(0 <= right <= number for number, right in sure.values())


def test_figure_2_ascends_from_the_least_to_the_most_selective(made_up):
    result = experiment("ramachandran-fig2").run(made_up)
    for method in cases.PRESETS:
        curve = [row.value for row in result.rows if row.series == method and not isinstance(row.at, str)]
        assert curve == sorted(curve)
        assert len(curve) == 11


def slow_selectivity(sites, method):
    """Selectivity of those with at least two candidates, by comparing everyone with everyone."""
    released, known = sites.released.to_pylist(), sites.known.to_pylist()
    chosen = so.presets(method)
    scores = twin.fields_match(released, known, chosen["block"], chosen.get("compare", {}))
    if method == "friendsMatch":
        friends = {}
        for edge in [*sites.released_edges.to_pylist(), *sites.known_edges.to_pylist()]:
            friends.setdefault(edge["person"], set()).add(edge["name"])
        mine, theirs = ([friends.get(person["id"], set()) for person in side] for side in (released, known))
        scores = twin.friends_match(mine, theirs, scores)
    return [twin.selectivity(each) for each in scores if len(each) >= 2]


@pytest.fixture(scope="module")
def few():
    return Shelf(None, quick=True, synthetic_people=40)


@pytest.fixture(scope="module")
def groups(few):
    return experiment("ramachandran-iv-c").run(few)


@pytest.mark.parametrize("method", ["nameMatch", "fieldsMatch2", "friendsMatch"])
def test_the_second_group_is_matched_as_the_slow_twin_does(few, groups, method):
    for group, cut in cases.GROUPS.items():
        sites = cases._group(few.sites(0), cut=cut)
        assert set(sites.released["cut"].to_pylist()) == {cut}
        expected = slow_selectivity(sites, method)
        found = {row.at: row.value for row in groups.rows if row.series == method}
        assert found[f"selectivity, {group}"] == pytest.approx(np.mean(expected))
        assert found[f"singled out, {group}"] == pytest.approx(np.mean(np.array(expected) == 1))


def test_the_groups_are_everyone_and_those_cut_show_eight_friends(few):
    sites = few.sites(0)
    parts = [cases._group(sites, cut=cut) for cut in cases.GROUPS.values()]
    assert sum(part.released.num_rows for part in parts) == sites.released.num_rows
    assert sum(len(part.truth) for part in parts) == len(sites.truth)
    cut = {row["id"] for row in sites.known.to_pylist() if row["cut"]}
    shown = Counter(sites.known_edges["person"].to_pylist())
    assert max(shown[person] for person in cut) == 8 < max(shown.values())


def test_what_only_chance_could_change_between_the_groups_is_not_counted(groups):
    assert [finding.counts for finding in groups.findings] == [True, True, False]
    assert all(len(finding.choices) == 2 for finding in groups.findings), "with and without nicknames"
    better, worse = [0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.1, 0.3, 0.4, 0.39]
    assert [cases._last_is_most(values) for values in (better, worse)] == [True, False]
    assert cases._order_of_fields(better) != cases._order_of_fields(worse)


def test_table_4_has_the_printed_percentages_and_names_the_one_that_cannot_be(made_up):
    result = experiment("ramachandran-table4").run(made_up)
    assert {row.data for row in result.rows} == {RECORDS}
    printed = [row for row in result.rows if row.printed is not None and row.at != "the three pairs"]
    assert len(printed) == 14
    for row in printed:
        assert row.value == pytest.approx(row.printed)
        assert row.choices == pytest.approx([row.printed] * 5)
    assert [finding.holds for finding in result.findings] == [True, False, True, True]
    assert not any(finding.counts for finding in result.findings), "the file was made so"
    assert any("Claim 1" in note for note in result.notes)


def test_synthetic_sites_are_made_once(made_up):
    assert made_up.sites(0) is made_up.sites(0)
    assert made_up.sites(0) is not made_up.sites(1)
    assert np.all(np.array(made_up.sites(0).released.column_names) == ["id", "first", "last", "location", "cut"])
