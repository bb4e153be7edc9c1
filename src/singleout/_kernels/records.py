"""Records: how many of one file have the same key as each of some records of another."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel

LOW, HIGH = 0x5E3779B1, 0x45EBCA77
"""Odd and below 2^31: halves of a key times these stay below 2^63, so that nothing overflows without compilation."""


@kernel
def slot_of(key, slots):
    """Where a key stands in an open table of 2^n slots, or the empty slot (-1) where it would."""
    mixed = ((key & 0xFFFFFFFF) * LOW) ^ ((key >> 32) * HIGH)
    mixed ^= mixed >> 32
    at = (mixed ^ (mixed >> 15)) & (slots.size - 1)
    while slots[at] != -1 and slots[at] != key:
        at = (at + 1) & (slots.size - 1)
    return at


@kernel
def count_keys(wanted, keys):
    """For each wanted key how many ``keys`` equal it, and the row of the last that does; keys of -1 equal nothing."""
    size = 2
    while size < 2 * wanted.size:
        size *= 2
    slots = np.full(size, -1, np.int64)
    number = np.zeros(slots.size, np.intp)
    last = np.full(slots.size, -1, np.intp)
    for k in range(wanted.size):
        if wanted[k] >= 0:
            slots[slot_of(wanted[k], slots)] = wanted[k]
    for row in range(keys.size):
        if keys[row] >= 0:
            at = slot_of(keys[row], slots)
            if slots[at] != -1:
                number[at] += 1
                last[at] = row
    count = np.zeros(wanted.size, np.intp)
    found = np.full(wanted.size, -1, np.intp)
    for k in range(wanted.size):
        if wanted[k] >= 0:
            at = slot_of(wanted[k], slots)
            count[k], found[k] = number[at], last[at]
    return count, found
