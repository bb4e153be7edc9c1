"""Tiles and jobs come back in order from threads."""

import threading
import time

import joblib
import numpy as np
import pytest
import threadpoolctl

import singleout as so
from singleout.ground import parallel
from singleout.ground.parallel import JOBS, Stopped, end_if_stopped, map_jobs, map_tiles, meanwhile, send_jobs


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_tiles_come_back_in_order_whatever_the_threads(jobs):
    with joblib.parallel_config(backend="threading", n_jobs=jobs):
        assert map_tiles(lambda first, last: (first, last), 10, label="t", tile=4) == [(0, 4), (4, 8), (8, 10)]
        assert map_tiles(lambda first, last: first, 0, label="t") == []


def numbers_of_tile(first, last):
    return list(range(first, last))


def tile_that_divides_again(first, last):
    return sum(map(sum, map_tiles(numbers_of_tile, 6, label="inner", progress=False, tile=2)))


def test_work_inside_a_thread_of_ours_is_not_divided_again():
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert map_tiles(tile_that_divides_again, 8, label="outer", progress=False, tile=1) == [15] * 8


def test_as_many_threads_as_asked_for_and_none_for_one():
    seen = set()

    def tile_by_name(first, last):
        seen.add(threading.current_thread().name)

    with joblib.parallel_config(backend="threading", n_jobs=1):
        map_tiles(tile_by_name, 8, label="alone", progress=False, tile=1)
    assert seen == {threading.current_thread().name}
    seen.clear()
    with joblib.parallel_config(backend="threading", n_jobs=3):
        map_tiles(tile_by_name, 60, label="three", progress=False, tile=1)
    assert all(name.startswith(parallel.OURS) for name in seen)
    assert len(seen) <= 3


def test_an_error_stops_the_tiles_that_have_not_begun():
    begun = []

    def failing(first, last):
        begun.append(first)
        if first == 0:
            raise ValueError("the first tile")
        time.sleep(0.01)

    with joblib.parallel_config(backend="threading", n_jobs=2), pytest.raises(ValueError, match="the first tile"):
        map_tiles(failing, 200, label="failing", progress=False, tile=1)
    assert len(begun) < 200


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_jobs_come_back_in_order_whatever_the_threads(threads):
    with joblib.parallel_config(backend="threading", n_jobs=threads):
        assert map_jobs(lambda n: (time.sleep(0.01 * (5 - n)), n)[1], range(5), label="t") == [0, 1, 2, 3, 4]
        assert map_jobs(lambda n: n, [], label="t") == []


def test_jobs_run_side_by_side_and_jobs_inside_them_do_not():
    meeting = threading.Barrier(2)

    def outer(n):
        meeting.wait(timeout=20)
        inner = map_jobs(lambda m: threading.current_thread().name, range(3), label="t")
        return threading.current_thread().name, set(inner)

    with joblib.parallel_config(backend="threading", n_jobs=2):
        found = map_jobs(outer, range(2), label="t")
    assert all(name.startswith(JOBS) and inner == {name} for name, inner in found)


def test_tiles_inside_a_job_are_divided():
    def job(_):
        return set(map_tiles(lambda first, last: threading.current_thread().name, 4, label="t", tile=1))

    with joblib.parallel_config(backend="threading", n_jobs=2):
        found = map_jobs(job, range(2), label="t")
    assert all(not name.startswith(JOBS) for names in found for name in names)


def test_an_error_of_a_job_ends_those_that_go_on():
    ended, begun = threading.Event(), threading.Event()

    def job(n):
        if n == 0:
            begun.wait(timeout=20)
            raise so.DataError("this is the job's own fault")
        begun.set()
        try:
            for _ in range(2_000):
                end_if_stopped()
                time.sleep(0.01)
        except Stopped:
            ended.set()
            raise

    with joblib.parallel_config(backend="threading", n_jobs=2), pytest.raises(so.DataError, match="own fault"):
        map_jobs(job, range(2), label="t")
    assert ended.wait(timeout=20), "the other job saw that nobody waits for it"
    end_if_stopped()  # outside a job nothing is ever stopped


def test_work_goes_on_beside_a_block():
    began = threading.Event()

    def wait_for_the_block():
        assert began.wait(10)
        return threading.current_thread().name

    with joblib.parallel_config(n_jobs=2), meanwhile(wait_for_the_block) as result:
        began.set()
        assert result().startswith(JOBS)


def test_with_one_core_it_waits_until_it_is_asked_for():
    done = []
    with joblib.parallel_config(n_jobs=1), meanwhile(lambda: done.append(1)) as result:
        assert not done
        result()
        assert done == [1]


def test_its_error_is_raised_where_its_result_is_asked_for():
    wrong = pytest.raises(ZeroDivisionError, match="division")
    with joblib.parallel_config(n_jobs=2), meanwhile(lambda: 1 / 0) as result, wrong:
        result()


def test_an_error_of_the_block_ends_it():
    stopped = threading.Event()

    def go_on():
        while True:
            try:
                end_if_stopped()
            except Stopped:
                stopped.set()
                return
            time.sleep(0.01)

    with pytest.raises(KeyError, match="x"), joblib.parallel_config(n_jobs=2), meanwhile(go_on):
        raise KeyError("x")
    assert stopped.wait(10)


def test_jobs_that_stay_here_are_carried_out_one_after_the_other_while_tiles_go_elsewhere():
    with joblib.parallel_config(backend="loky", n_jobs=2):
        names = map_jobs(lambda n: threading.current_thread().name, range(3), label="t")
    assert names == [threading.current_thread().name] * 3


@pytest.mark.parametrize("threads", [1, 2])
def test_jobs_that_may_go_elsewhere_stay_where_there_is_no_cluster(threads):
    with joblib.parallel_config(backend="threading", n_jobs=threads):
        found = send_jobs(lambda n: n + 1, range(5), prepare=lambda n: 10 * n, label="t")
    assert found == [1, 11, 21, 31, 41]


def test_tiles_that_stay_here_do_so_while_others_go_elsewhere():
    seen = []  # another process could not append to it
    with joblib.parallel_config(backend="loky", n_jobs=2):
        map_tiles(lambda first, last: seen.append((first, last)), 10, label="tiles", tile=4, here=True)
    assert seen == [(0, 4), (4, 8), (8, 10)]


def test_blas_has_one_thread_until_the_last_one_is_out():
    before = _blas_threads()
    with parallel.one_blas_thread:
        with parallel.one_blas_thread:
            assert set(_blas_threads()) == {1}
        assert set(_blas_threads()) == {1}
    assert _blas_threads() == before


def _blas_threads():
    np.ones((2, 2)) @ np.ones((2, 2))
    return [each["num_threads"] for each in threadpoolctl.threadpool_info() if each["user_api"] == "blas"]
