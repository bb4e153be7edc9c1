"""A value is computed once for each object, and threads at work on different objects do not wait for each other."""

import threading

from singleout.ground.lazy import cached_property


class Slow:
    def __init__(self, others):
        self.others, self.times = others, 0

    @cached_property
    def value(self):
        self.times += 1
        self.others.wait(timeout=20)  # both must be inside at the same time
        return self.times


def test_threads_compute_the_values_of_different_objects_at_the_same_time():
    meeting = threading.Barrier(2)
    objects = [Slow(meeting), Slow(meeting)]
    threads = [threading.Thread(target=lambda one=each: one.value) for each in objects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not meeting.broken
    assert [each.value for each in objects] == [1, 1]
    assert [each.times for each in objects] == [1, 1]


def test_it_is_the_property_on_the_class():
    assert isinstance(Slow.value, cached_property)
