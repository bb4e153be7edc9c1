"""Networks equal their twins; top places and edges follow the rules; odd traces work or are refused."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from tests.reference import topology
from tests.reference.traces import START, events_of, network_bytes, networks_of, random_people, same_graph, unpacked

HOUR = 3_600
DAY = 24 * HOUR


def twins(log, min_dwell=None, max_gap=DAY, **options):
    people = sorted({person for person, _, _ in log})
    traces = [[(time, place) for who, time, place in log if who == person] for person in people]
    return [topology.graph_of(topology.visits(trace, min_dwell, max_gap), **options) for trace in traces]


def assert_equal_to_twins(log, min_dwell=None, max_gap=DAY, **options):
    found = unpacked(so.networks(events_of(log), min_dwell=min_dwell, max_gap=max_gap, **options))
    expected = twins(log, min_dwell, max_gap, **options)
    assert len(found) == len(expected)
    assert all(same_graph(one, other) for one, other in zip(found, expected, strict=True))


# times in steps of ten minutes over two days, few of them equal
logs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 10**6), st.sampled_from("abcde")),
    min_size=1,
    max_size=40,
    unique_by=lambda event: event[:2],
).map(lambda log: [(who, START + 600 * (time % 299), place) for who, time, place in log])


def mostly_apart(log):
    """Whether the rule on shared times lets the log pass."""
    tied = neighbours = 0
    for person in {who for who, _, _ in log}:
        trace = sorted(((t, p) for who, t, p in log if who == person), key=lambda record: record[0])
        for (before, place), (time, other) in pairwise(trace):
            neighbours += (before, place) != (time, other)
            tied += before == time and place != other
    return tied <= neighbours / 2


@settings(max_examples=25)
@given(
    log=logs.filter(mostly_apart),
    dwell=st.sampled_from([None, 600, 1_800, 2 * HOUR]),
    gap=st.sampled_from([None, HOUR, 6 * HOUR]),
    top=st.sampled_from([None, 1, 2, 3, 50]),
    edges=st.sampled_from(["induced", "contract"]),
    order=st.sampled_from([1, 2, 3]),
)
def test_networks_equal_their_twins(log, dwell, gap, top, edges, order):
    assert_equal_to_twins(log, dwell, gap, top=top, edges=edges, order=order)


@pytest.mark.kernels
@pytest.mark.parametrize("edges", ["induced", "contract"])
@pytest.mark.parametrize("order", [1, 2])
def test_long_traces_equal_their_twins_and_can_be_asked_again(edges, order):
    people = random_people(0, people=3)
    whole = networks_of(people, order=order)
    for top in (1, 4, 8):
        again, direct = whole.at(top=top, edges=edges), networks_of(people, top=top, edges=edges, order=order)
        assert network_bytes(again) == network_bytes(direct)
        expected = [topology.graph_of(paths, top, edges, order) for paths in people.values()]
        assert all(same_graph(a, b) for a, b in zip(unpacked(again), expected, strict=True))
    assert network_bytes(whole.at(top=4).at(top=None)) == network_bytes(whole)


def test_induced_drops_what_contract_links_across():
    people = {1: [list("abxbaxabab")]}
    induced, contract = (unpacked(networks_of(people, top=2, edges=edges))[0] for edges in ("induced", "contract"))
    assert induced.edges == {(0, 1): 3, (1, 0): 2}
    assert contract.edges == {(0, 1): 3, (1, 0): 2}
    (linked,) = unpacked(networks_of({1: [list("axbaxbab")]}, top=2, edges="contract"))
    assert linked.edges == {(0, 1): 3, (1, 0): 2}
    assert unpacked(networks_of({1: [list("axbaxbab")]}, top=2))[0].edges == {(1, 0): 2, (0, 1): 1}


@settings(max_examples=8)
@given(seed=st.integers(0, 1_000))
def test_the_order_of_rows_with_distinct_times_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    log = [(int(rng.integers(3)), START + 600 * k, int(rng.integers(5))) for k in range(40)]
    shuffled = [log[k] for k in rng.permutation(len(log))]
    assert network_bytes(so.networks(events_of(log))) == network_bytes(so.networks(events_of(shuffled)))


def test_text_and_numeric_ids_give_the_same_networks():
    people = random_people(1, people=5)
    text = {f"person {person}": [[f"é{place}" for place in path] for path in paths] for person, paths in people.items()}
    assert network_bytes(networks_of(people))[1:] == network_bytes(networks_of(text))[1:]
    assert networks_of(text).people.tolist() == list(text)


def test_ids_do_not_leak():
    secret = {"alice-4711": [["clinic-99", "bar-77", "clinic-99"]], "bob-0815": [["church-5", "clinic-99"]]}
    found = networks_of(secret, top=1)
    shown = repr(found) + "".join(map(str, found.notes)) + repr(found.sequences.notes)
    assert not any(word in shown for word in ("alice", "bob", "4711", "clinic", "99", "bar", "church"))


def test_the_same_place_of_two_people_cannot_be_told_to_be_the_same():
    one = networks_of({1: [list("aba")], 2: [list("bab")]})
    other = networks_of({1: [list("aba")], 2: [list("xyx")]})
    assert network_bytes(one) == network_bytes(other)


def test_a_person_with_one_place_and_one_without_a_long_visit_keep_their_rows():
    people = {1: [list("abab")], 2: [["a"]]}
    found = networks_of(people)
    assert found.sizes.tolist() == [2, 1]
    assert found.graphs.edges.tolist() == [2, 0]
    assert any(note.count == 1 and note.what == "people without a transition" for note in found.notes)
    strict = networks_of(people, min_dwell="15min")
    assert strict.sizes.tolist() == [0, 0]
    assert any(note.count == 2 and note.what == "people without a visit" for note in strict.notes)


def test_ten_thousand_places_and_a_top_larger_than_what_exists():
    people = {1: [list(range(10_000)), list(range(0, 10_000, 7))], 2: [[1, 2, 1]]}
    found = networks_of(people, top=20_000)
    assert found.sizes.tolist() == [10_000, 2]
    assert found.graphs.edges.tolist() == [9_999 + 1_428, 2]
    assert any(note.count == 2 and note.what == "people with fewer than 20,000 places" for note in found.notes)
    assert network_bytes(found) == network_bytes(networks_of(people))


def test_fewer_places_are_counted_in_places_whatever_the_order():
    people = {1: [list("abc")], 2: [list("ab")]}
    notes = networks_of(people, top=3, order=2).notes
    assert [note.count for note in notes if note.what == "people with fewer than 3 places"] == [1]


def test_recurrence_is_the_share_of_transitions_over_an_edge_already_taken():
    found = networks_of({1: [list("abababa")], 2: [list("abc")], 3: [["a"]]})
    assert found.recurrence.tolist() == [pytest.approx(4 / 6), 0.0, 0.0]


def test_both_parts_of_a_split_equal_networks_of_the_parts_alone():
    log = [(person, START + 600 * k, (k * k + person) % 7) for person in range(3) for k in range(60)]
    parts = so.split(events_of(log), by="point", seed=4)
    built = [so.networks(part) for part in (parts.known, parts.released)]
    assert (built[0].trace_lengths + built[1].trace_lengths).min() > 0
    for person in range(3):
        trace = [(time, place) for who, time, place in log if who == person]
        graphs = [unpacked(part)[person] for part in built]
        assert any(
            all(
                same_graph(graph, topology.graph_of(topology.visits(piece, None, DAY)))
                for graph, piece in zip(graphs, (trace[:cut], trace[cut:]), strict=True)
            )
            for cut in range(1, 60)
        )


@pytest.mark.parametrize("tile", [1, 2, 256])
def test_tiles_do_not_matter(tile, rows_per_tile):
    people = random_people(5)
    expected = network_bytes(networks_of(people))
    rows_per_tile(tile)
    assert network_bytes(networks_of(people)) == expected


def test_the_repr_says_what_was_built():
    people = random_people(2)
    assert repr(networks_of(people, top=3, order=2)).startswith(
        "Networks(6 people, top 3 places, edges induced, order 2"
    )
    assert repr(networks_of(people)).startswith("Networks(6 people, all places")


def test_bad_arguments_are_refused():
    events = events_of([(1, START, "a"), (1, START + 60, "b")])
    for options, match in (
        ({"top": 0}, "networks: top must be a whole number of places from 1 to"),
        ({"top": 2.5}, "top must be a whole number"),
        ({"top": True}, "top must be a whole number"),
        ({"edges": "inducd"}, "edges must be one of induced, contract.*Did you mean 'induced'"),
        ({"order": 0}, "order must be a whole number from 1 to 100"),
        ({"top": 10**20}, "top must be a whole number of places from 1 to"),
        ({"min_dwell": "15 parsecs"}, "min_dwell must be a length of time"),
        ({"min_dwell": -1}, "min_dwell must be .*above zero"),
        ({"max_gap": []}, "max_gap must be a length of time"),
    ):
        with pytest.raises(so.InputError, match=match):
            so.networks(events, **options)
    with pytest.raises(so.InputError, match=r"networks: events must be Events \(got 'list'\)"):
        so.networks([1, 2])
    with pytest.raises(so.InputError, match="at: top must be a whole number"):
        so.networks(events).at(top=-1)
    with pytest.raises(so.InputError, match="at: edges must be one of"):
        so.networks(events).at(top=1, edges="none")
