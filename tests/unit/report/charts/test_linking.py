"""Charts of linked records."""

import singleout as so
from tests.small_people import PEOPLE, people_with_errors


def test_estimated_precision_and_recall_are_drawn_with_what_is_kept():
    links = so.probable_links(*people_with_errors(300, seed=2), on=PEOPLE)
    drawn = so.chart(links)
    rows = drawn["data"]["values"]
    assert [row["links"] for row in rows] == [row["links"] for row in links.curve().to_pylist() if row["links"]]
    assert drawn["layer"][1]["encoding"]["x"]["datum"] == links.estimated_recall


def test_exposure_is_drawn_by_coverage():
    released, known = people_with_errors(200, seed=3)
    found = so.exposure(released, known, on=PEOPLE, known_columns=["town"])
    drawn = so.chart(found)
    assert {row["columns"] for row in drawn["data"]["values"]} == {"town, first", "town, last", "town, born"}
    assert {row["rate"] for row in drawn["data"]["values"]} == {"coverage"}
