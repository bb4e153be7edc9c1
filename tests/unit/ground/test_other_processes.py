"""Tiles and jobs come back in order from the workers of real clusters, whatever happens to one of them."""

import json
import os
import signal
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import joblib
import numpy as np
import pytest

import singleout as so
from singleout.ground import other_processes
from singleout.ground.other_processes import _job, _tile
from singleout.ground.parallel import map_tiles, send_jobs
from singleout.matching import candidates
from tests.clusters import CLUSTERS
from tests.small_networks import random_sides, scored

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module", params=CLUSTERS)
def pool(request):
    with CLUSTERS[request.param]() as ready:
        yield ready


@pytest.fixture
def elsewhere(pool):
    pool()


def sum_of(first, last, values):
    return float(values[first:last].sum())


def dying_once(first, last, values, marker):
    if first == 40 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return sum_of(first, last, values)


def hanging_once(first, last, values, folder):
    hung, released, ended = (Path(folder) / name for name in ("hung", "released", "ended"))
    if first == 40 and not hung.exists():
        hung.touch()
        for _ in range(1_200):
            if released.exists():
                break
            time.sleep(0.1)
        ended.touch()
    return sum_of(first, last, values)


def dying_always(first, last, values, here):
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return sum_of(first, last, values)


def refusing(first, last):
    raise so.DataError("this is the work's own fault")


VALUES = np.arange(100.0)
SUMS = [float(VALUES[first : first + 10].sum()) for first in range(0, 100, 10)]


def test_results_come_in_order_of_the_tiles(elsewhere):
    assert map_tiles(sum_of, 100, VALUES, label="t", tile=10) == SUMS


def test_a_worker_killed_in_the_middle_costs_time_not_the_result(elsewhere, tmp_path):
    marker = tmp_path / "died"
    assert map_tiles(dying_once, 100, VALUES, str(marker), label="t", tile=10) == SUMS
    assert marker.exists()


def test_a_worker_that_hangs_loses_its_tile_to_another(request, elsewhere, tmp_path, monkeypatch):
    if request.node.callspec.params["pool"] in ("ray", "spark"):
        pytest.skip("these wait for a worker that hangs")
    monkeypatch.setattr(other_processes, "SILENCE", 2.0)
    assert map_tiles(hanging_once, 100, VALUES, str(tmp_path), label="t", tile=10) == SUMS
    assert (tmp_path / "hung").exists()
    assert not (tmp_path / "ended").exists(), "nobody waited for the worker that hangs"
    (tmp_path / "released").touch()


def test_where_every_worker_dies_the_work_is_done_here(elsewhere, monkeypatch):
    monkeypatch.setattr(other_processes, "ATTEMPTS", 1)
    monkeypatch.setattr(other_processes, "SILENCE", 5.0)
    assert map_tiles(dying_always, 20, VALUES, os.getpid(), label="t", tile=10) == SUMS[:2]


def test_an_error_of_the_work_is_raised_at_once(elsewhere):
    with pytest.raises(so.DataError, match="own fault"):
        map_tiles(refusing, 100, label="t", tile=10)


def noisy_sides(people=400):
    rng = np.random.default_rng(0)
    taste = rng.gamma(0.2, size=(people, 40))
    ids, places = list(range(people)), list(range(40))
    return [so.Histograms(rng.poisson(3 * taste), ids, places) for _ in "ab"]


@pytest.mark.parametrize("similarity", ["js", "glrt"])
def test_a_matching_has_the_same_bytes_as_with_threads(elsewhere, similarity, rows_per_tile):
    sides = noisy_sides()
    with joblib.parallel_config(backend="threading"):
        here = so.match(*sides, similarity=similarity)
        margins = here.margins().values
    rows_per_tile(100)
    there = so.match(*sides, similarity=similarity)
    assert (here.cost, here.bound) == (there.cost, there.bound)
    np.testing.assert_array_equal(here.known, there.known)
    np.testing.assert_array_equal(margins, there.margins().values)


def test_a_users_own_weight_travels(elsewhere):
    so.register_similarity("shared_minimum", lambda p, q: min(p, q), 1.0)
    sides = noisy_sides(300)
    there = so.match(*sides, similarity="shared_minimum")
    assert there.cost == pytest.approx(so.match(*sides, similarity="l1").cost / 2)


def tile_that_kills_its_worker_once(marker, here, *arguments):
    kill_once(marker, here)
    return _tile(*arguments)


def test_a_worker_killed_during_a_matching_leaves_it_as_it_is(elsewhere, monkeypatch, rows_per_tile, tmp_path):
    sides = noisy_sides(600)
    with joblib.parallel_config(backend="threading"):
        here = so.match(*sides)
    rows_per_tile(100)
    dying = partial(tile_that_kills_its_worker_once, str(tmp_path / "died"), os.getpid())
    monkeypatch.setattr(other_processes, "_tile", dying)
    there = so.match(*sides)
    assert (tmp_path / "died").exists(), "a worker was at work when it was killed"
    np.testing.assert_array_equal(here.known, there.known)
    assert here.bound == there.bound


@pytest.fixture
def a_tile_kills_its_worker(monkeypatch, tmp_path):
    """The first worker that is given a tile is killed; the marker is there afterwards."""
    marker = tmp_path / "died"
    dying = partial(tile_that_kills_its_worker_once, str(marker), os.getpid())
    monkeypatch.setattr(other_processes, "_tile", dying)
    return marker


def test_profiles_are_scored_the_same(elsewhere, a_tile_kills_its_worker, monkeypatch):
    monkeypatch.setattr(candidates, "MOST_ROWS_A_TILE", 10)
    sites = so.synthetic_profiles(people=60, known=300, seed=5)

    def found():
        return so.match_profiles(sites.released, sites.known, id="id", **so.presets("fieldsMatch2"))

    with joblib.parallel_config(backend="threading"):
        here = found()
    there = found()
    assert a_tile_kills_its_worker.exists()
    assert there.candidates.tolist() == here.candidates.tolist()
    assert (there.scores.matrix != here.scores.matrix).nnz == 0


@pytest.mark.parametrize("kernel", ["wl", "dsp"])
def test_networks_are_compared_the_same(elsewhere, a_tile_kills_its_worker, kernel, rows_per_tile):
    def found():  # of new networks each time, which keep what was counted; paths are counted for 64 at a time
        return scored(*random_sides(7, people=(70, 70), places=8, visits=30), kernel=kernel)

    with joblib.parallel_config(backend="threading"):
        here = found()
    rows_per_tile(10)
    there = found()
    assert a_tile_kills_its_worker.exists()
    np.testing.assert_array_equal(there, here)


def kill_once(marker, here):
    """End the first worker that comes here."""
    if os.getpid() != here:
        with suppress(FileExistsError):
            Path(marker).touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)


def square(n):
    return n * n


def test_jobs_come_back_in_order(elsewhere):
    assert send_jobs(square, range(7), label="t") == [0, 1, 4, 9, 16, 25, 36]


def square_or_die(marker, here, n):
    if n == 3:
        kill_once(marker, here)
    return n * n


def test_a_job_lost_with_its_worker_is_carried_out_again(elsewhere, tmp_path):
    work = partial(square_or_die, str(tmp_path / "died"), os.getpid())
    assert send_jobs(work, range(7), label="t") == [0, 1, 4, 9, 16, 25, 36]
    assert (tmp_path / "died").exists()


def square_or_freeze(folder, n):
    frozen = Path(folder) / "frozen"
    if n == 3 and not frozen.exists():
        frozen.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGSTOP)
    return n * n


def test_a_worker_that_gives_no_sign_of_life_loses_its_job(request, elsewhere, tmp_path, monkeypatch):
    if request.node.callspec.params["pool"] in ("ray", "spark"):
        pytest.skip("these wait for a worker that hangs")
    monkeypatch.setattr(other_processes, "SILENCE", 2.0)
    try:
        assert send_jobs(partial(square_or_freeze, str(tmp_path)), range(7), label="t") == [0, 1, 4, 9, 16, 25, 36]
    finally:
        with suppress(ProcessLookupError):  # loky ends such workers
            os.kill(int((tmp_path / "frozen").read_text()), signal.SIGCONT)


def long_job(folder, n):
    (Path(folder) / f"{n}-{os.getpid()}-{time.monotonic_ns()}").touch()
    time.sleep(5)
    return n


def test_a_job_may_take_longer_than_the_silence_that_means_lost(elsewhere, tmp_path, monkeypatch):
    send_jobs(square, range(4), label="both workers are there")
    monkeypatch.setattr(other_processes, "SILENCE", 2.5)
    assert send_jobs(partial(long_job, str(tmp_path)), range(2), label="t") == [0, 1]
    assert len(list(tmp_path.iterdir())) == 2, "none was carried out twice"


def who_divides(_, n):
    tiles = map_tiles(who_am_i, 8, label="inner", progress=False, tile=2)
    return {(os.getpid(), threading.get_ident()), *tiles}


def who_am_i(first, last):
    return os.getpid(), threading.get_ident()


def test_tiles_of_a_job_are_computed_by_its_worker(elsewhere):
    for of_job in send_jobs(partial(who_divides, None), range(3), label="t"):
        ((process, _),) = of_job
        assert process != os.getpid()


class OnlyHere:
    """Can be pickled, and read again in the process where it was."""

    def __init__(self, process):
        if process != os.getpid():
            raise AttributeError("not here")
        self.process = process

    def __reduce__(self):
        return OnlyHere, (self.process,)

    def __call__(self, n):
        return n, os.getpid()


@pytest.mark.parametrize("work", [lambda n: (n, os.getpid()), OnlyHere(os.getpid())], ids=["unnamed", "unreadable"])
def test_work_that_cannot_travel_is_done_here(elsewhere, work):
    assert send_jobs(work, range(3), label="t") == [(n, os.getpid()) for n in range(3)]


def called(function):
    return function()


def test_a_job_that_cannot_travel_is_done_here_and_the_others_are_not(elsewhere):
    first, *others = send_jobs(called, [lambda: os.getpid(), os.getpid, os.getpid], label="t")
    assert first == os.getpid()
    assert os.getpid() not in others


def pid_of_both(prepared):
    return prepared, os.getpid()


def test_jobs_are_prepared_here(elsewhere):
    found = send_jobs(pid_of_both, range(3), prepare=lambda _: os.getpid(), label="t")
    assert {first for first, _ in found} == {os.getpid()}
    assert os.getpid() not in {second for _, second in found}


def refusing_job(n):
    raise so.DataError("this is the job's own fault")


def test_an_error_of_a_job_is_raised_at_once(elsewhere):
    with pytest.raises(so.DataError, match="own fault"):
        send_jobs(refusing_job, range(3), label="t")


def job_that_kills_its_worker_once(marker, here, *arguments):
    kill_once(marker, here)
    return _job(*arguments)


@pytest.fixture
def a_worker_dies(monkeypatch, tmp_path):
    """The first worker that is given a job is killed; the marker is there afterwards."""
    marker = tmp_path / "died"
    monkeypatch.setattr(other_processes, "_job", partial(job_that_kills_its_worker_once, str(marker), os.getpid()))
    return marker


def test_halves_of_the_people_have_the_same_interval(elsewhere, a_worker_dies):
    matching = so.match(*noisy_sides(300))
    with joblib.parallel_config(backend="threading"):
        here = so.accuracy(matching, intervals="half-sampling")
    assert so.accuracy(matching, intervals="half-sampling") == here
    assert a_worker_dies.exists()


def test_an_audit_with_protections_has_the_same_bytes_whatever_happens_to_a_worker(elsewhere, a_worker_dies):
    log = so.synthetic_calls(people=100, seed=1).table
    columns = {"user": "user", "time": "time", "place": "place", "split": "weeks", "label": "log"}

    def audited():
        return json.dumps(so.audit(log, **columns, max_risk=0.2, progress=False).to_dict())

    with joblib.parallel_config(backend="threading"):
        here = audited()
    assert audited() == here
    assert a_worker_dies.exists()
