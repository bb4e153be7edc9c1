"""M18 run again on logs so small or so plain that every number is known beforehand."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.papers import data_sets as shelves
from singleout.papers.data_sets import BROWSING, CHECKINS, GOWALLA, WEB, Shelf
from singleout.papers.manousakas_2018 import _heavy, _on_strong_edges, _returning, of_as_many
from singleout.papers.registry import experiment
from singleout.papers.traces import Traces, Way
from tests.wanderers import log_of, shelf_of, wanderers


def test_quick_takes_some_people_of_a_large_log_at_random(tmp_path, monkeypatch):
    monkeypatch.setattr(shelves, "QUICK_WALKERS", 5)
    shelf = shelf_of(tmp_path, wanderers(np.random.default_rng(3)))
    few, all_of_them = (Shelf(tmp_path, quick=quick).traces(CHECKINS).whole() for quick in (True, False))
    assert (len(few), len(all_of_them)) == (5, 12)
    assert shelf.traces(CHECKINS).whole().people.tolist() == few.people.tolist()
    number = np.searchsorted(all_of_them.people, few.people)
    assert few.trace_lengths.tolist() == all_of_them.trace_lengths[number].tolist()


def test_only_the_people_with_most_records_where_that_is_asked_for(tmp_path):
    people = [[1, 2] * (5 + person) for person in range(12)]
    shelf_of(tmp_path, people)
    few = Shelf(tmp_path, richest=4).traces(CHECKINS).whole()
    assert few.people.tolist() == [8, 9, 10, 11]
    assert (
        "8 people left out: only the 4 people with the most records are kept"
        in experiment("manousakas-fig4").run(Shelf(tmp_path, richest=4)).notes[0]
    )


def test_gowalla_is_a_third_log_of_its_hundred_people_with_most_records(tmp_path):
    user = np.repeat(np.arange(130), 20 + np.arange(130))
    time = np.concatenate([3_600 * np.arange(20 + person) for person in range(130)])
    file = tmp_path / GOWALLA.file
    file.parent.mkdir(parents=True)
    pq.write_table(pa.table({"user": user, "time": time, "place": time // 3_600 % 7}), file)
    assert Shelf(tmp_path).traces(GOWALLA).whole().people.tolist() == list(range(30, 130))
    assert len(Shelf(tmp_path, richest=20).traces(GOWALLA).whole()) == 20
    assert len(Shelf(tmp_path, richest=120).traces(GOWALLA).whole()) == 100
    assert experiment("manousakas-fig7-gowalla").data == (GOWALLA,)


def test_the_largest_degree_ends_figure_4(tmp_path):
    star = [place for spoke in range(1, 12) for place in (0, spoke)]
    result = experiment("manousakas-fig4").run(shelf_of(tmp_path, [star]))
    counted = [(row.at, row.ours) for row in result.rows if not isinstance(row.at, str)]
    # the middle goes out eleven times and comes in ten times; the last spoke is only reached, the others left too
    assert counted == [(1, 12), (2, 11), (4, 1), (8, 1), (16, 1), (21, 1)]


def test_people_who_never_move_have_no_degrees_in_figure_4(tmp_path):
    result = experiment("manousakas-fig4").run(shelf_of(tmp_path, [[1] * 9]))
    assert [row.at for row in result.rows if not isinstance(row.at, str)] == [1]
    assert not result.holds


def test_table_2_has_one_misprint_and_its_findings_hold():
    result = experiment("manousakas-table2").run(Shelf())
    assert result.holds
    assert [(row.at, row.printed, row.ours) for row in result.rows if row.ours != row.printed] == [(4, 2_128, 218)]
    assert result.labels == ("same data",)


def test_all_logs_stand_in_for_the_phones_and_have_ids_of_their_own():
    assert experiment("manousakas-fig7").data == (CHECKINS,)
    assert experiment("manousakas-fig7-web").data == (BROWSING,)
    assert BROWSING.file == WEB.file
    assert BROWSING.original == CHECKINS.original != WEB.original


def test_who_always_walks_the_same_round_is_found_again_and_who_moves_house_is_not():
    faithful = [1, 2, 1, 2, 3] * 20
    # wherever between 30 and 70% the trace is split, the move lies there
    moved = [4, 5] * 15 + [6] * 40 + [7, 8] * 15
    found, chance = _returning(Traces(log_of(faithful, moved)), Way(cut="events"))
    assert found == 0.5, "one of one transition, and none of one"
    assert chance == pytest.approx(1 / 6), "one transition kept of the six between three places"


def test_a_claim_about_1500_people_cannot_be_borne_out_by_fewer():
    easy = of_as_many("all are alone", [True, False], 150)
    assert not easy.counts
    assert "150 people satisfy more easily" in easy.aside
    assert of_as_many("all are alone", [False, True], 150).counts, "but it can fail"
    assert of_as_many("all are alone", [True], 1_500).counts


def test_shuffling_keeps_who_visits_what_how_often_but_for_repeats(traces):
    whole, dealt = traces.whole(), traces._shuffle()
    assert dealt.people.tolist() == whole.people.tolist()
    assert dealt.sizes.tolist() == whole.sizes.tolist()
    assert (dealt.trace_lengths <= whole.trace_lengths).all()
    assert not np.array_equal(dealt.graphs.edges, whole.graphs.edges)


def test_heavy_tails():
    rng = np.random.default_rng(0)
    assert _heavy(1 + rng.zipf(2.0, 400))
    assert not _heavy(np.full(400, 3))


def test_transitions_over_strong_edges():
    # 1-2 four times there and back, then 2-3 once: nine transitions over three edges, three each on average
    assert _on_strong_edges(so.networks(log_of([1, 2] * 4 + [1, 2, 3]), max_gap=None)) == pytest.approx(9 / 10)


def test_people_who_repeat_themselves_are_found_sooner_than_blindly(tmp_path):
    rounds = [list(range(1, 3 + person)) for person in range(20)]
    people = [(round_ * 200)[:200] for round_ in rounds]
    shelf = shelf_of(tmp_path, people)
    ranks = experiment("manousakas-fig8").run(shelf)
    assert ranks.of("dsp")[0] < 500, "as if among 1,500; pruning breaks the rounds, so that some look alike"
    assert ranks.of("random order")[:2] == pytest.approx([750.5, 433.0], abs=0.1)
    losses = experiment("manousakas-fig9").run(shelf)
    assert losses.of("dsp")[1] > 0.5
    assert losses.of("random order")[1] == 0
    alone = experiment("manousakas-fig5").run(shelf)
    assert alone.of("directed")[-1] > alone.of("directed")[0]


@pytest.mark.parametrize("name", ["manousakas-fig2", "manousakas-fig5", "manousakas-fig7", "manousakas-ablations"])
def test_same_seed_same_numbers(tmp_path, name):
    folders = tmp_path / "a", tmp_path / "b"
    people = wanderers(np.random.default_rng(2))
    first, second = (experiment(name).run(shelf_of(folder, people)) for folder in folders)
    assert first.to_dict() == second.to_dict()
