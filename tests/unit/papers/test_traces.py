"""Traces are cut, built and attacked in every way that the paper leaves open, each once."""

import pyarrow as pa

import singleout as so
from singleout.papers.traces import ATTACKED, BUILT, PLAIN, Traces, Way, latest_first
from tests.wanderers import log_of


def test_things_are_computed_once(traces):
    assert traces.whole() is traces.whole(Way(ties="random"))
    assert traces.parts() is traces.parts(Way(gap="24h"))
    assert traces.ranking("dsp") is traces.ranking("dsp")
    assert traces.ranking("dwl", rounds=1) is not traces.ranking("dwl")
    assert traces.anonymity(5, directed=True) is traces.anonymity(5, directed=True)
    assert traces.summary(None) is traces.summary(None, Way(edges="contract"))
    assert traces.summary(3) is not traces.summary(3, Way(edges="contract"))


def test_each_way_does_what_it_says(traces):
    assert traces.whole(Way(edges="contract")).edges == "contract"
    gone = log_of([1, 2, 3], [1, 2])
    assert Traces(gone).whole(Way(gap="10min")).graphs.edges.tolist() == [0, 0]
    draws = [traces.sides(Way(draw=draw))[0].trace_lengths.tolist() for draw in (0, 1)]
    assert draws[0] != draws[1]
    assert (BUILT[0], ATTACKED[0]) == (PLAIN, PLAIN), "the way shown comes first"
    assert traces.draws == (PLAIN, Way(draw=1), Way(draw=2))
    assert traces.cuts == (*traces.draws, Way(cut="events"))
    assert Traces(traces.events, quick=True).draws == (PLAIN,)


def test_traces_are_cut_by_time_as_the_paper_writes_and_by_events_as_the_other_choice():
    # all but the last visit lie in the first hours: by time they all come before the point
    times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9_000]
    table = pa.table({"user": [1] * 10, "time": [3_600 * time for time in times], "place": list(range(10))})
    bursts = Traces(so.read_events(table, user="user", time="time", place="place"))
    by_time, by_events = (bursts.sides(way)[1].trace_lengths.tolist() for way in (PLAIN, Way(cut="events")))
    assert by_time == [9]
    assert 3 <= by_events[0] <= 7
    assert PLAIN.cut == "time"
    assert Way(cut="events") in ATTACKED


def test_what_the_paper_leaves_open_is_varied():
    assert {way.bins for way in ATTACKED} == {"common", "own"}
    assert {way.likeness for way in ATTACKED} == {(), (("gamma", 0.5),), (("gamma", 2.0),), (("similarity", "ppmi"),)}
    assert {way.late for way in ATTACKED} == {way.late for way in BUILT} == {False, True}


def test_each_kernel_is_run_once_for_what_does_not_concern_it(traces):
    assert traces.ranking("sp") is traces.ranking("sp", Way(bins="own"))
    assert traces.ranking("dd", Way(likeness=(("gamma", 2.0),))) is traces.ranking("dd")
    assert traces.ranking("dd", Way(bins="own")) is not traces.ranking("dd")
    assert traces.ranking("dsp", Way(likeness=(("gamma", 2.0),))).loss.tolist() != traces.ranking("dsp").loss.tolist()


def test_of_places_visited_equally_often_the_one_first_visited_last_may_come_first():
    visited = so.networks(log_of([5, 1, 5, 2, 5, 3, 1, 2], [4, 4]), max_gap=None).sequences
    assert visited.state.tolist() == [0, 1, 0, 2, 0, 3, 1, 2, 0]
    turned = latest_first(visited)
    # 5 has three visits; 1 and 2 have two and change places; 3 has one
    assert turned.state.tolist() == [0, 2, 0, 1, 0, 3, 2, 1, 0]
    assert latest_first(turned).state.tolist() == visited.state.tolist()
    assert Traces(log_of([5, 1, 5, 2, 5, 3])).whole(Way(late=True)).at(top=2).graphs.edges.tolist() == [1]
