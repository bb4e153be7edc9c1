"""R12's linkage on real data (febrl4, Splink's, Foursquare and Twitter) and on made-up sites."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so


@pytest.fixture(scope="session")
def febrl4(real_data):
    folder = real_data("link_febrl")
    return [so.read_table(folder / f"febrl4{side}.parquet") for side in "ab"]


@pytest.mark.parametrize(
    ("fields", "pairs", "recall", "precision"),
    [
        (("given_name", "surname"), 2_574, 46.6, 90.6),
        (("given_name", "surname", "date_of_birth"), 2_079, 41.6, 100.0),
        (("date_of_birth",), 5_107, 89.4, 87.5),
        (("postcode", "date_of_birth"), 3_757, 75.1, 100.0),
    ],
)
def test_febrl4_exact_links(febrl4, fields, pairs, recall, precision):
    found = so.match_profiles(*febrl4, id="rec_id", block=dict.fromkeys(fields, "exact"), compare={})
    true = np.arange(5_000), true_rows(febrl4)
    right = found.pairs.blocks.allow(*true).sum()
    assert found.candidates.sum() == pairs
    assert 100 * right / 5_000 == pytest.approx(recall, abs=0.05)
    assert 100 * right / pairs == pytest.approx(precision, abs=0.05)


def true_rows(tables):
    released, known = (table.encode(["entity_id"])[0].decode().tolist() for table in tables)
    row = {entity: number for number, entity in enumerate(known)}
    return np.array([row[entity] for entity in released])


def test_febrl4_similar_fields_find_nearly_everyone(febrl4):
    compare = {"given_name": ("similar", 2.0), "surname": ("similar", 2.0), "date_of_birth": ("exact", 3.0)}
    compare |= {"postcode": ("exact", 1.0), "suburb": ("contains", 1.0)}
    found = so.match_profiles(*febrl4, id="rec_id", block={"date_of_birth": "initial"}, compare=compare)
    one_by_one = so.accuracy(found, "entity_id")
    assert one_by_one.rate.value > 0.95
    assert one_by_one.random == pytest.approx(1 / 5_000)
    assert one_by_one.shuffled < 0.01


def test_febrl4_link_records_is_right_about_nearly_all_it_links(febrl4):
    on = ["given_name", "surname", "suburb", "postcode", "date_of_birth"]
    links = so.link_records(*febrl4, on=on)
    assert len(links) == 1_304
    found = so.accuracy(links, "entity_id")
    assert found.precision.value > 0.99
    assert found.rate.value == pytest.approx(found.correct / 5_000)
    # names alone: unique among the released is not unique among the known, and not the same person
    names = so.link_records(*febrl4, on=["given_name", "surname"], missing="never")
    unique = names.uniques
    assert (unique.released, unique.known, unique.few, unique.few_known) == (4_528, 2_200, 2_188, 2_200)
    assert (len(names), so.accuracy(names, "entity_id").correct) == (2_324, 2_236), "as SQL says"
    assert 0.85 < so.accuracy(names, "entity_id").precision.value < 0.97


@pytest.fixture(scope="session")
def anchors(real_data):
    table = pq.read_table(real_data("net_foursquare_twitter") / "ground_truth.parquet")
    return dict(zip(table["foursquare"].to_pylist(), table["twitter"].to_pylist(), strict=True))


@pytest.mark.parametrize(
    ("everyone", "overlap", "selectivity", "percent"), [(False, 1_486, 0.579, 23.8), (True, 1_491, 0.521, 14.7)]
)
def test_foursquare_and_twitter_by_anchored_friends(real_data, anchors, everyone, overlap, selectivity, percent):
    folder = real_data("net_foursquare_twitter")
    known = range(5_120) if everyone else anchors.values()
    found = so.match_friends(
        pa.table({"id": list(anchors)}),
        pa.table({"id": list(known)}),
        released_edges=folder / "foursquare_edges.parquet",
        known_edges=folder / "twitter_edges.parquet",
        anchors=anchors,
        mutual=True,
    )
    some = found.best > 0
    assert some.sum() == overlap
    assert found.selectivity[some].mean() == pytest.approx(selectivity, abs=0.0005)
    measured = so.accuracy(found, anchors)
    assert 100 * measured.rate.value == pytest.approx(percent, abs=0.05)
    assert measured.random == pytest.approx(1 / len(found.known_side))
    if not everyone:
        joint = so.accuracy(so.assign(found.scores), anchors)
        assert joint.rate.low > measured.rate.high, "joint matching finds far more than the best friend count"


def test_historical_records_against_themselves(real_data):
    file = real_data("link_splink") / "historical_50k.parquet"
    compare = {"surname": ("similar", 2.0), "dob": ("exact", 3.0), "birth_place": ("contains", 1.0)}
    block = {"first_name": "exact", "surname": "initial"}
    found = so.match_profiles(file, file, id="unique_id", block=block, compare=compare)
    measured = so.accuracy(found, "cluster")
    assert len(found.best) == 50_578
    assert measured.rate.value > 0.6
    assert measured.random < 0.001


def test_fake_1000_against_itself_by_cluster(real_data):
    file = real_data("link_splink") / "fake_1000.parquet"
    found = so.match_profiles(
        file, file, id="unique_id", block={}, compare={"email": ("exact", 2.0), "dob": ("exact", 1.0)}
    )
    measured = so.accuracy(found, "cluster")
    assert measured.rate.value > 100 * measured.random


def test_made_up_sites_have_the_order_of_table_iii():
    """Names narrow people down to about a fifth, friends far more; R12 reports .20 to .23 and .50."""
    sites = so.synthetic_profiles(seed=0)
    names = {
        preset: so.match_profiles(sites.released, sites.known, id="id", **so.presets(preset))
        for preset in ("nameMatch", "fieldsMatch1", "fieldsMatch2", "fieldsMatch3")
    }
    edges = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    friends = so.match_friends(sites.released, sites.known, **edges, **so.presets("friendsMatch"))
    loose = [so.selectivity(names[preset], at_least=2) for preset in ("fieldsMatch1", "fieldsMatch2")]
    assert loose[0].candidates == loose[1].candidates > so.selectivity(names["nameMatch"], at_least=2).candidates
    best = max(so.selectivity(found, at_least=2).selectivity.value for found in names.values())
    assert so.selectivity(friends, at_least=2).selectivity.low > best
    assert so.accuracy(friends, sites.truth).rate.low > so.accuracy(names["nameMatch"], sites.truth).rate.high


def test_the_group_with_whole_friend_lists_is_told_apart_better():
    sites = so.synthetic_profiles(seed=0)
    edges = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    found = so.match_friends(sites.released, sites.known, **edges, **so.presets("friendsMatch"))
    cut = np.array(sites.released["cut"].to_pylist())
    assert found.selectivity[~cut].mean() > found.selectivity[cut].mean()
