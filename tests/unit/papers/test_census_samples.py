"""Surveys and lists drawn from one census file: who is in both, what is wrong in the list, who is linked."""

from dataclasses import replace

import numpy as np
import pytest

from singleout.papers import census_samples as samples
from singleout.papers.census_samples import COMMON, FIELDS, STATES, Way
from tests.reference import linking as slow
from tests.small_census import write_census


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    return samples.read_people(write_census(tmp_path_factory.mktemp("households")))


def test_only_the_three_states_count_and_income_is_in_brackets(people):
    assert set(people["STATE"]) == set(STATES.values())
    assert list(people) == [*(name for name in FIELDS if name != "income"), "income"]
    assert (people["income"].min(), people["income"].max()) == (0, 8)
    assert people["AGEP"].min() == 18, "ages are ages, so that one can be a year off"


def test_a_twentieth_is_surveyed_and_a_third_of_it_is_on_the_list(people):
    rng, number = np.random.default_rng(1), 100_000
    surveyed, listed = samples.draw_rows(number, Way(), rng)
    assert (len(set(surveyed)), len(set(listed))) == (5_000, 35_000)
    assert np.isin(surveyed, listed).mean() == pytest.approx(0.35, abs=0.03)
    surveyed, listed = samples.draw_rows(number, Way(all_listed=True), rng)
    assert len(set(listed)) == 35_000
    assert np.isin(surveyed, listed).all()


def test_errors_are_as_many_as_asked_for_and_leave_the_state_alone(people):
    drawn = samples.draw_samples(people, Way(listed=1.0, errors=0.4), 3)
    state = people["STATE"][drawn.listed]
    assert drawn.public["STATE"].to_pylist() == state.tolist()
    for name in FIELDS[1:]:
        true, shown = people[name][drawn.listed], drawn.public[name].to_pylist()
        missing = np.array([value is None for value in shown])
        wrong = np.array([value not in (None, own) for value, own in zip(shown, true.tolist(), strict=True)])
        assert missing.mean() == pytest.approx(0.2, abs=0.04)
        assert 0 < wrong.mean() < 0.24, "someone else's value may be one's own"
        if name == "AGEP":
            assert wrong.mean() == pytest.approx(0.2, abs=0.04)
            off = [abs(value - own) for value, own in zip(shown, true.tolist(), strict=True) if value is not None]
            assert set(off) == {0, 1}


def test_without_errors_the_list_is_a_copy(people):
    drawn = samples.draw_samples(people, Way(errors=0.0), 3)
    assert all(drawn.public[name].to_pylist() == people[name][drawn.listed].tolist() for name in FIELDS)


@pytest.mark.parametrize(
    ("columns", "missing"), [(COMMON, "value"), (samples.CLASSES, "value"), (samples.CLASSES, "any")]
)
def test_who_is_linked_and_who_correctly_is_the_slow_twins(people, columns, missing):
    way = Way(columns, surveyed=0.03, listed=0.04, errors=0.2)
    drawn = samples.draw_samples(people, way, 7)
    linking = drawn.link(columns, missing)
    survey, public = (side.select(columns).to_pylist() for side in (drawn.survey, drawn.public))
    links = slow.link_records(survey, public, columns, 7, 10, 5, missing)
    assert dict(zip(linking.links.released.tolist(), linking.links.known.tolist(), strict=True)) == {
        mine: theirs for mine, (theirs, *_) in links.items()
    }
    right = [mine for mine, (theirs, *_) in links.items() if drawn.surveyed[mine] == drawn.listed[theirs]]
    for name, code in STATES.items():
        inside = [row for row, record in enumerate(survey) if record["STATE"] == code]
        counts = len(inside), len(set(inside) & set(links)), len(set(inside) & set(right))
        assert linking.tally(name) == samples.Tally(*counts)
    assert linking.tally().right == len(right) > 0


def test_the_same_seed_draws_the_same_and_another_draw_does_not(people):
    first, again, other = (samples.draw_samples(people, replace(Way(), draw=draw), 0) for draw in (0, 0, 1))
    assert first.public.equals(again.public)
    assert np.array_equal(first.surveyed, again.surveyed)
    assert not np.array_equal(first.surveyed, other.surveyed)
