"""Every table and figure runs on small made-up data in the format of the real one, and tells what it must."""

import json

import pytest

import singleout as so
from singleout.papers.data_sets import (
    CALLS,
    GEOLIFE,
    WEB,
    Shelf,
)
from singleout.papers.pictures import vega_lite
from singleout.papers.registry import experiment, experiments
from singleout.papers.result import LABELS


@pytest.mark.parametrize("name", [each.id for each in experiments()])
def test_each_table_and_figure_runs_and_tells_what_it_must(shelf, name):
    result = experiment(name).run(shelf)
    assert (result.id, result.title) == (name, experiment(name).title)
    assert result.rows
    assert set(result.labels) <= set(LABELS)
    for row in result.rows:
        if isinstance(row.ours, so.Estimate):
            assert 0 <= row.ours.low <= row.ours.value <= row.ours.high <= 1
            assert row.random is None or 0 <= row.random <= 1
        if row.choices and row.series != "active weeks":
            assert min(row.choices) - 1e-9 <= row.value <= max(row.choices) + 1e-9, "the row is one of the choices"
    json.dumps([result.to_dict(), vega_lite(result)], allow_nan=False)
    assert result.to_arrow().num_rows == len(result.rows)
    assert max(map(len, str(result).split("Note")[0].splitlines())) <= 120


@pytest.mark.parametrize("name", ["naini-table3", "naini-fig5", "naini-fig6", "naini-fig12a", "unnikrishnan-table1"])
def test_same_seed_same_numbers(name):
    first, second = (experiment(name).run(Shelf(None, quick=True, synthetic_people=120, seed=3)) for _ in range(2))
    assert first.to_dict() == second.to_dict()


def test_without_a_folder_only_made_up_data_is_at_hand():
    bare = Shelf()
    assert bare.has(CALLS)
    assert not bare.has(GEOLIFE)
    assert experiment("naini-table2").runs(bare)
    assert experiment("naini-table2").missing(bare) == [WEB, GEOLIFE]
    assert not experiment("naini-fig11").runs(bare)


def test_an_unknown_id_is_told_with_those_there_are():
    with pytest.raises(
        so.InputError,
        match="reproduce: unknown id 'naini-fig55'. Did you mean 'naini-fig5'.*list the ids",
    ):
        experiment("naini-fig55")


def test_figure_12_ends_with_everyone_alike(shelf):
    result = experiment("naini-fig12c").run(shelf)
    people = len(shelf.geolife()[0])
    ends = [result.of(series)[-1] for series in ("person", "cluster", "loss L", "clusters g/N")]
    assert ends == pytest.approx([1 / people, 1, 1, 1 / people])
    assert [result.of(series)[0] for series in ("loss L", "clusters g/N")] == pytest.approx([0, 1])
