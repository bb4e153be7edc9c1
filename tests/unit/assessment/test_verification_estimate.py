"""What an intruder could expect of their matches: withheld where it would mislead, confirmed where the key can."""

import numpy as np
import pyarrow.csv as csv
import pytest
from scipy.stats import ks_2samp

import singleout as so
from singleout.assessment.verification_estimate import NO_HALVES, SAME_PERIOD, SHARED_ROWS, how_much_larger
from tests.commands import run
from tests.small_releases import COLUMNS, small_release


@pytest.mark.parametrize("seed", range(4))
def test_how_far_numbers_lie_above_others_is_the_one_sided_distance(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 9, 50) + seed, rng.integers(0, 12, 80)
    expected = ks_2samp(first, second, alternative="less").statistic
    assert how_much_larger(first.astype(float), second.astype(float)) == pytest.approx(expected)
    assert how_much_larger(first.astype(float), first.astype(float)) == 0.0


def withheld(made, log=None, **more):
    columns = {**COLUMNS, **more}
    found = so.verify(made.protected, log or made.log, **columns, progress=False)
    return found.file.estimated, found.file.withheld


def test_it_is_withheld_where_it_would_mislead():
    assert withheld(small_release(noise=3.0)) == (None, SAME_PERIOD)
    assert withheld(small_release(microaggregate=5)) == (None, SHARED_ROWS)
    assert withheld(small_release(keep=6), time=None) == (None, NO_HALVES)


@pytest.fixture(scope="module")
def two_periods(tmp_path_factory):
    """A file of the second half of everyone's weeks, and a log of the first."""
    folder = tmp_path_factory.mktemp("periods")
    table = so.synthetic_calls(people=200, antennas=80, seed=2).table
    middle = np.median(table["time"].to_numpy())
    late = table["time"].to_numpy() >= middle
    for name, part in (("known.csv", ~late), ("released.csv", late)):
        csv.write_csv(table.filter(part), folder / name)
    return folder


@pytest.mark.parametrize("with_key", [True, False])
def test_of_another_period_it_is_given_or_the_key_says_why_not(two_periods, with_key, tmp_path):
    columns = ("--user", "user", "--time", "time", "--place", "place")
    out = tmp_path / "out"
    assert run("protect", two_periods / "released.csv", *columns, "--keep", 60, "--out", out).exit_code == 0
    key = out / "key.csv" if with_key else None
    asked = {"user": "user", "time": "time", "place": "place", "progress": False}
    found = so.verify(out / "protected.csv", two_periods / "known.csv", key=key, **asked)
    if with_key:
        assert found.probability["fitted"] is not None
        assert (found.file.estimated is None) == bool(found.probability["withheld"])
    elif found.file.estimated is not None:
        assert 0 < found.file.estimated.share <= 1
        assert "Nothing here confirms it" in found.file.estimate_in_words()
    else:
        assert found.file.withheld
