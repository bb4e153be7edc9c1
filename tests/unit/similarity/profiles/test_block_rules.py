"""Several blocking rules against their slow twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.similarity.profiles import block_rules
from singleout.similarity.profiles.block_rules import BlockRules, Rule, RulePart, choose_rules
from tests.reference import fellegi_sunter as twin
from tests.text_columns import column

records = st.lists(
    st.fixed_dictionaries({name: st.one_of(st.none(), st.text("ab", max_size=3)) for name in "xy"}),
    min_size=1,
    max_size=7,
)
rules_drawn = st.lists(
    st.lists(
        st.tuples(st.sampled_from("xy"), st.sampled_from([None, 1, 2])),
        min_size=1,
        max_size=2,
        unique_by=lambda p: p[0],
    ),
    min_size=1,
    max_size=3,
)


def open_rules(sides, rules, itself):
    texts = {name: column(*([record[name] for record in side] for side in sides)) for name in "xy"}
    return BlockRules.of([Rule(tuple(RulePart(*part) for part in rule)) for rule in rules], texts, itself=itself)


def as_set(pairs):
    return set(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True))


@given(sides=st.tuples(records, records), rules=rules_drawn, itself=st.booleans(), tile=st.sampled_from([1, 3, 1000]))
def test_candidates_are_the_twins_each_once_wherever_the_work_is_cut(sides, rules, itself, tile):
    if itself:
        sides = sides[0], sides[0]
    opened = open_rules(sides, rules, itself)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_rules, "PAIRS_A_TILE", tile)
        parts = [opened.pairs(*cut) for cut in opened.cuts()]
    found = [pair for part in parts for pair in zip(part[0].tolist(), part[1].tolist(), strict=True)]
    assert len(found) == len(set(found))
    assert set(found) == twin.candidates(*sides, rules, itself)
    for number, rule in enumerate(rules):
        alone = twin.candidates(*sides, [rule], itself)
        assert opened.sizes()[number] == len(alone)
        assert as_set(opened.draw(number, 1000, np.random.default_rng(0))) == alone
        some = as_set(opened.draw(number, 2, np.random.default_rng(0)))
        assert some <= alone | {(j, i) for i, j in alone if itself}
        rows, others = (np.array([pair[k] for pair in found], dtype=np.intp) for k in range(2))
        if found:
            assert (
                as_set((rows[opened.met(rows, others)[:, number]], others[opened.met(rows, others)[:, number]]))
                == alone
            )


def test_chosen_rules_leave_few_pairs_and_none_contains_another():
    rng = np.random.default_rng(0)
    texts = {
        "id": column([str(k) for k in range(300)], [str(k) for k in range(300)]),
        "sex": column(rng.choice(["f", "m"], 300).tolist(), rng.choice(["f", "m"], 300).tolist()),
        "age": column(*([str(k) for k in rng.integers(0, 5, 300)] for _ in range(2))),
        "town": column(*([str(k) for k in rng.integers(0, 9, 300)] for _ in range(2))),
    }
    chosen = choose_rules(texts, itself=False)
    sets = [rule.columns for rule in chosen.rules]
    assert not any(a < b for a in sets for b in sets)
    assert all(size <= block_rules.PAIRS_A_RECORD * 600 for size in chosen.sizes())
    assert {"id"} in sets


def test_a_part_is_written_with_its_letters():
    assert str(Rule((RulePart("first", 3), RulePart("born")))) == "first:3 + born"
