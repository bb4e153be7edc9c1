"""A step that signals wait for."""

import signal
import threading

import pytest

from singleout.ground.delayed_signals import unbroken


@pytest.fixture
def heard():
    """Numbers of the signals that reached the process, which would end it otherwise."""
    numbers = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda number, frame: numbers.append(number))
    yield numbers
    for number, handler in before.items():
        signal.signal(number, handler)


def test_signals_wait_for_the_end_of_the_step_and_come_in_their_order(heard):
    with unbroken():
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        assert heard == []
    assert heard == [signal.SIGTERM, signal.SIGINT]


def test_ctrl_c_during_the_step_is_an_interruption_after_it(heard):
    # a process in the background may have been started with Ctrl-C ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    done = []
    with pytest.raises(KeyboardInterrupt, match="^$"), unbroken():
        signal.raise_signal(signal.SIGINT)
        done.append("the whole step")
    assert done == ["the whole step"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_comes_after_a_step_that_failed_too(heard):
    with pytest.raises(OSError, match="disk full"), unbroken():
        signal.raise_signal(signal.SIGINT)
        raise OSError("disk full")
    assert heard == [signal.SIGINT]


def test_steps_within_steps_wait_for_the_outermost(heard):
    with unbroken():
        with unbroken():
            signal.raise_signal(signal.SIGINT)
        assert heard == []
    assert heard == [signal.SIGINT]


def test_a_signal_that_is_ignored_stays_ignored(heard):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with unbroken():
        signal.raise_signal(signal.SIGTERM)
    assert heard == []
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_other_threads_cannot_change_what_signals_do(heard):
    seen = []

    def work():
        with unbroken():
            seen.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
