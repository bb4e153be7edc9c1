"""III-D on a small census: one column in common, two, and so on."""

import pytest

from singleout.papers import ramachandran_2012_fields as fields
from singleout.papers.census_samples import FIELDS, Way, draw_samples, read_people
from singleout.papers.data_sets import Shelf
from singleout.papers.registry import experiment
from tests.small_census import write_census


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    return Shelf(write_census(tmp_path_factory.mktemp("households")).folder, quick=True)


def test_each_step_counts_complete_agreement_by_its_columns(shelf):
    drawn = draw_samples(read_people(shelf), Way(), shelf.seed)
    steps = fields.add_columns(drawn, FIELDS)
    assert [step.columns for step in steps] == [*range(1, 11)]
    survey, public = (list(zip(*(side[name].to_pylist() for name in FIELDS), strict=True))
                      for side in (drawn.survey, drawn.public))  # fmt: skip
    for step in (steps[3], steps[6]):
        agree = [[at for at, other in enumerate(public) if other[: step.columns] == mine[: step.columns]]
                 for mine in survey]  # fmt: skip
        unique = [row for row, mine in enumerate(survey)
                  if sum(other[: step.columns] == mine[: step.columns] for other in survey) == 1]  # fmt: skip
        linked = {row: known[0] for row, known in enumerate(agree) if len(known) == 1}
        right = sum(drawn.surveyed[row] == drawn.listed[at] for row, at in linked.items())
        assert (step.released, step.known) == (len(survey), len(public))
        assert (step.linked, step.right) == (len(linked), right)
        assert step.agreeing == pytest.approx(sum(len(agree[row]) for row in unique) / len(unique))


def test_the_curve_is_drawn_with_its_choices_and_what_follows_anyway_is_not_counted(shelf):
    result = experiment("ramachandran-iii-d").run(shelf)
    accuracy = [row for row in result.rows if row.series == "accuracy"]
    assert [row.at for row in accuracy] == sorted(row.at for row in accuracy)
    assert all(row.random == pytest.approx(1 / (0.35 * 2_991), rel=0.01) for row in accuracy)
    assert accuracy[-1].value > accuracy[0].value
    linked = [row for row in result.rows if row.series == "linked"]
    assert all(len(row.choices) == 1 + fields.QUICK_ORDERS for row in linked)
    assert [finding.counts for finding in result.findings] == [True, False]


@pytest.mark.parametrize(
    ("linked", "right", "improves"),
    [
        ([40, 40], [10, 20], True),
        ([40, 40, 40], [10, 20, 19], False),
        ([5, 40, 40], [5, 10, 20], True),
        ([9], [9], False),
    ],
)
def test_every_step_counts_that_has_enough_links(linked, right, improves):
    curve = [fields.Step(n, 100, 100, *counts, 0.0) for n, counts in enumerate(zip(linked, right, strict=True), 1)]
    assert fields._improves(curve) is improves
