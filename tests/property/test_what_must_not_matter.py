"""Row order, column order, threads, tiles, file type, the order of ids: none of them may change a result."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config

import singleout as so

SIMILARITIES = ("js", "l1", "cosine", "dot", "glrt")


def sides(seed, people=(14, 11), places=7):
    """Sparse counts with many ties, some empty rows, half of the people on both sides."""
    rng = np.random.default_rng(seed)
    return tuple(
        so.Histograms(
            rng.poisson(0.5, (n, places)),
            [f"u{k}" for k in rng.permutation(n + 5)[:n]],
            [f"p{k}" for k in range(places)],
        )
        for n in people
    )


def shuffled(side, rng):
    rows, columns = rng.permutation(len(side.people)), rng.permutation(len(side.places))
    return so.Histograms(side.counts.toarray()[np.ix_(rows, columns)], side.people[rows], side.places[columns])


def pairs_by_id(matching):
    released, known = matching.released_side.people, matching.known_side.people
    return sorted(
        zip(released[matching.released].tolist(), known[matching.known].tolist(), matching.costs.tolist(), strict=True)
    )


@pytest.mark.parametrize("method", ["joint", "one-by-one"])
@pytest.mark.parametrize("similarity", SIMILARITIES)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_people_and_places_changes_nothing(method, similarity, seed):
    released, known = sides(seed)
    rng = np.random.default_rng(seed + 1)
    one = so.match(released, known, similarity=similarity, method=method, seed=seed)
    other = so.match(shuffled(released, rng), shuffled(known, rng), similarity=similarity, method=method, seed=seed)
    assert pairs_by_id(one) == pairs_by_id(other)
    a, b = so.accuracy(one), so.accuracy(other)
    assert (a.expected, a.correct, a.shuffled, a.rate) == (b.expected, b.correct, b.shuffled, b.rate)


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_the_number_of_threads_changes_no_byte(jobs):
    released, known = sides(3, people=(300, 280), places=40)
    expected = so.match(released, known).to_arrow(reveal=True)
    with parallel_config(n_jobs=jobs):
        assert so.match(released, known).to_arrow(reveal=True).equals(expected)


@pytest.mark.parametrize("tile", [1, 50, 10_000])
@pytest.mark.parametrize("similarity", ["js", "glrt"])
def test_the_size_of_tiles_changes_no_byte(tile, similarity, rows_per_tile):
    released, known = sides(5, people=(120, 140), places=40)
    expected = so.match(released, known, similarity=similarity).to_arrow(reveal=True)
    rows_per_tile(tile)
    assert so.match(released, known, similarity=similarity).to_arrow(reveal=True).equals(expected)


def test_the_order_of_events_and_the_kind_of_file_change_no_byte(tmp_path):
    log = so.synthetic_calls(people=120, seed=4).table
    mixed = log.take(np.random.default_rng(0).permutation(log.num_rows))
    pq.write_table(mixed, tmp_path / "log.parquet", row_group_size=500)
    mixed.to_pandas().to_csv(tmp_path / "log.csv", index=False)
    results = []
    for source in (log, mixed, tmp_path / "log.parquet", tmp_path / "log.csv"):
        events = so.read_events(source, user="user", time="time", place="place")
        ladder = so.ladder(*(so.histograms(part) for part in so.split(events)), seed=1)
        results.append(ladder.to_dict())
    assert results[0] == results[1] == results[2]
    # ids of a CSV are text and sort as text, so lots fall otherwise; what is expected stays
    for a, b in zip(results[0]["rows"], results[3]["rows"], strict=True):
        assert a["rate"]["value"] == pytest.approx(b["rate"]["value"], abs=0.02)


def test_another_seed_draws_other_lots_but_the_cost_stays():
    released, known = sides(8, people=(60, 60))
    matchings = [so.match(released, known, seed=seed) for seed in range(4)]
    assert len({tuple(matching.known.tolist()) for matching in matchings}) > 1
    assert len({round(matching.cost, 9) for matching in matchings}) == 1


@given(seed=st.integers(0, 1000))
def test_places_only_one_side_has_change_totals_and_nothing_else(seed):
    released, known = sides(seed)
    extra = so.Histograms(
        np.hstack([known.counts.toarray(), np.zeros((len(known), 2), int)]), known.people, [*known.places, "x", "y"]
    )
    assert pairs_by_id(so.match(released, extra)) == pairs_by_id(so.match(released, known))


def test_pyarrow_streams_and_tables_agree():
    log = so.synthetic_wifi(people=40, seed=1).table
    reader = pa.RecordBatchReader.from_batches(log.schema, log.to_batches(max_chunksize=100))
    found = [
        so.histograms(so.read_events(s, user="user", time="time", place="place"), measure="dwell")
        for s in (log, reader)
    ]
    assert (found[0].counts != found[1].counts).nnz == 0
