"""How often links of records are right."""

import singleout as so
from tests.small_records import linked


def test_precision_and_rate_are_table_i_with_intervals_and_a_baseline():
    links = linked()
    found = so.accuracy(links, "person")
    assert found.correct == 2
    assert (found.precision.value, found.precision.n) == (2 / 3, 3)
    assert (found.rate.value, found.rate.n) == (2 / 5, 5)
    assert found.rate.low < found.rate.value < found.rate.high
    assert found.random == links.random == 1 / 6
    assert so.accuracy(links, {0: 0, 1: 1, 3: 2, 4: 3}) == found, "rows by rows say the same"


def test_recall_is_of_the_true_pairs():
    found = so.accuracy(linked(), "person")
    assert (found.recall.value, found.recall.n) == (2 / 4, 4), "people 1, 2, 4 and 5 are on both sides"
    nobody = so.accuracy(linked(), {})
    assert nobody.recall is None
