"""Limits at a node: what is left out, and whether that is enough, against a count class by class."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from singleout.measures.tables.diversity import Sensitive
from singleout.protection.lattice import Lattice
from singleout.protection.lattice_limits import FileLimits
from singleout.protection.lattice_losses import EntropyLoss
from tests.reference import diversity as twin
from tests.small_lattices import LEVELS, combinations

records = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=40
)


def meets(rows, node, limits, left_out):
    """Whether the records that are left, counted one by one, meet the limits."""
    coarse = [tuple(int(LEVELS[c][node[c]][row[c]]) for c in range(3)) for row in rows]
    classes = {}
    for key, row in zip(coarse, rows, strict=True):
        if key not in left_out:
            classes.setdefault(key, []).append(row[3])
    everyone = [value for each in classes.values() for value in each]
    return (
        len(everyone) > 0
        and len(rows) - len(everyone) <= limits.most_left_out
        and all(len(each) >= limits.k for each in classes.values())
        and len(classes) <= limits.mean_risk * len(everyone) + 1e-9
        and all(twin.of_class(each)[0] >= limits.l for each in classes.values())
        and all(twin.distance(each, everyone, 3, False) <= limits.t + 1e-9 for each in classes.values())
    )


@given(
    rows=records,
    k=st.integers(1, 4),
    l=st.integers(1, 2),
    t=st.sampled_from([0.3, 0.6, 1.0]),
    share=st.sampled_from([0.0, 0.3]),
    mean=st.sampled_from([0.2, 0.5, 1.0]),
)
def test_what_is_found_meets_every_limit_counted_by_hand(rows, k, l, t, share, mean):  # noqa: E741
    table = combinations(np.array(rows).T)
    whole = Lattice(table, LEVELS)
    sensitive = Sensitive("s", table.codes[:, 3].astype(np.intp), 3, False)
    limits = FileLimits(k, mean, l, t, (sensitive,), int(share * len(rows)))
    found = whole.search(limits, EntropyLoss((1.0, 1.0, 1.0)))
    if found is None:
        assert share > 0 or not meets(rows, (3, 2, 1), limits, ())
        return
    classes = whole.classes(found.levels)
    gone = limits.leave_out(whole, found.levels, classes)
    first = np.unique(classes.label, return_index=True)[1]
    keys = {
        tuple(int(LEVELS[c][found.levels[c]][table.codes[place, c]]) for c in range(3))
        for place in first[gone].tolist()
    }
    assert meets(rows, found.levels, limits, keys)
    assert int(classes.sizes[gone].sum()) == found.left_out


@given(rows=records, k=st.integers(1, 4), share=st.sampled_from([0.0, 0.2]), mean=st.sampled_from([0.1, 0.4, 1.0]))
def test_counts_by_size_rule_out_only_what_fails(rows, k, share, mean):
    whole = Lattice(combinations(np.array(rows).T), LEVELS)
    limits = FileLimits(k=k, mean_risk=mean, most_left_out=int(share * len(rows)))
    for node in whole.nodes.tolist():
        possible = limits.is_possible(*whole.by_size(tuple(node)))
        assert possible == (limits.leave_out(whole, node, whole.classes(node)) is not None)


def test_leaving_out_for_t_is_not_monotone_and_said_to_be_so():
    sensitive = (Sensitive("s", np.zeros(1, dtype=np.intp), 1, False),)
    assert FileLimits(t=0.5, sensitive=sensitive).monotone
    assert not FileLimits(t=0.5, sensitive=sensitive, most_left_out=3).monotone
    assert FileLimits(k=5, most_left_out=3).monotone


def test_everything_left_out_is_no_answer():
    whole = Lattice(combinations(np.array([[0, 0, 0, 0], [1, 1, 1, 0]]).T), LEVELS)
    assert FileLimits(k=3, most_left_out=2).leave_out(whole, (0, 0, 0), whole.classes((0, 0, 0))) is None
