"""Records of a text file with quotes, counted byte by byte: a check on whatever reads them."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel

FIELD, INSIDE, QUOTED, CLOSED = 0, 1, 2, 3
"""Where a byte stands: at the start of a field, in a plain one, between quotes, after a closing quote."""
QUOTE, SPACE, LINE_FEED, RETURN = 34, 32, 10, 13


@kernel
def count_lines(text, separator, where, filled, after_return):
    """Go on counting records and blank lines in a piece of text.

    The last three arguments are the state in which the piece before ended: where it stood, whether the record had a
    byte yet, and whether a carriage return came last. Returns both counts and the new state.
    """
    records = np.int64(0)
    blank = np.int64(0)
    for byte in text:
        if where == QUOTED:
            if byte == QUOTE:
                where = CLOSED
        elif byte in (LINE_FEED, RETURN):
            if byte == RETURN or not after_return:
                if filled:
                    records += 1
                else:
                    blank += 1
            where = FIELD
            filled = False
        else:
            filled = True
            if byte == separator:
                where = FIELD
            elif byte == QUOTE and where in (FIELD, CLOSED):
                where = QUOTED
            elif byte != SPACE or where == INSIDE:
                where = INSIDE
        after_return = byte == RETURN
    return records, blank, where, filled, after_return
