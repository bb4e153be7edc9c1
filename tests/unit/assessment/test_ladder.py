"""A ladder is a table and a sentence."""

import pytest

import singleout as so


@pytest.fixture(scope="module")
def sides():
    events = so.synthetic_calls(people=40, seed=0).events
    return tuple(so.histograms(part) for part in so.split(events, by="weeks"))


def test_a_ladder_is_a_table_and_a_sentence(sides):
    ladder = so.ladder(*sides)
    assert ladder.to_arrow().num_rows == 10
    assert "would re-identify" in repr(ladder)


def test_all_attacks_are_printed_and_shown_in_a_notebook_with_percentages(sides):
    ladder = so.ladder(*sides, similarities=["js", "cosine"])
    printed = str(ladder).splitlines()
    assert [line.split("  ")[0] for line in printed[:3]] == ["attack", "chance", "one-by-one matching"]
    assert max(map(len, printed)) <= 80
    shown = ladder._repr_html_()
    assert shown.count("<tr>") == 1 + 1 + 4
    assert str(ladder.strongest.rate).partition(" ")[0] in shown
    assert ladder.sentence() in shown


def test_similarities_are_a_list(sides):
    with pytest.raises(so.InputError, match="similarities must be a list of similarities"):
        so.ladder(*sides, similarities="js")


def test_the_last_rung_is_an_intruder_who_knows_some_people_and_never_the_strongest(sides):
    ladder = so.ladder(*sides, similarities=["js"], known_pairs=0.2)
    last = ladder.rows[-1]
    assert (last.kind, last.similarity) == ("taught", "20%")
    assert ladder.taught is not None
    assert last.accuracy == ladder.taught.accuracy
    assert ladder.strongest in ladder.rows[:-1]
    assert ladder.to_dict()["taught"]["known_pairs"] == 0.2
    assert so.ladder(*sides, similarities=["js"]).to_dict()["taught"] is None


def test_where_nothing_can_be_learnt_a_note_says_why(sides):
    few = [side.only(side.people[:10]) for side in sides]
    notes = [str(note) for note in so.ladder(*few, similarities=["js"], known_pairs=0.2).notes]
    assert any("fewer than 5 would be known" in note for note in notes)
    strangers = so.Histograms(few[0].counts, [f"x{k}" for k in range(10)], few[0].places.tolist())
    notes = [str(note) for note in so.ladder(strangers, few[1], similarities=["js"], known_pairs=0.2).notes]
    assert any("it is not known who is who" in note for note in notes)


def test_a_share_of_known_people_is_checked_first(sides):
    with pytest.raises(so.InputError, match="known_pairs must be above 0 and at most 0.5"):
        so.ladder(*sides, known_pairs=0.7)
