"""Values that are computed when they are first asked for."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - it stands in for the one of functools
        """The same without a lock.

        Before Python 3.12 the lock is one for all objects of a class: a thread that computes the value of one object
        makes those wait that compute the value of another. Two threads that ask the same object may both compute it.
        """

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            kept = instance.__dict__
            if self.attrname not in kept:
                kept[self.attrname] = self.func(instance)
            return kept[self.attrname]
