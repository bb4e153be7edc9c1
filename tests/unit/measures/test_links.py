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
    assert so.accuracy(links, {0: 0, 2: 1, 3: 2}) == found, "rows by rows say the same"
