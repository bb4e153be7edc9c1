"""Records of a text file with quotes, counted and checked byte by byte: a check on whatever reads them."""

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


SOUND, BAD_QUOTE, TOO_FEW, TOO_MANY, TOO_LONG = 0, 1, 2, 3, 4
"""What is wrong with a record: nothing, a quote out of place, its number of fields, its length."""
START = (FIELD, 1, True, False, False, 0, 1, 1, 0)
"""The state at the beginning of a file: where a byte stands, fields of the record so far, whether the last is empty,
whether the record had a byte yet, whether a carriage return came last, records so far (the header is one), the line,
the line at which the record began, and its bytes so far."""


@kernel
def find_fault(text, separator, width, longest, state):
    """Go on to the first record that is not sound; what is wrong with it, and the state there or at the end.

    A quoted field begins and ends next to a separator or the end of its line. A record has ``width`` fields, and one
    separator more at its end does not matter. Blank lines are records only where there is one column.
    """
    where, fields, empty, filled, after_return, records, line, begun, length = state
    fault = SOUND
    for byte in text:
        if byte in (LINE_FEED, RETURN):
            if byte == RETURN or not after_return:
                line += 1
                if where != QUOTED:
                    if filled and fields < width:
                        fault = TOO_FEW
                        break
                    records += filled or (width == 1 and records > 0)
                    where, fields, empty, filled, length = FIELD, 1, True, False, 0
            if where != QUOTED:
                begun = line
        elif where == QUOTED:
            if byte == QUOTE:
                where = CLOSED
        elif byte == separator:
            fields += 1
            where, empty, filled = FIELD, True, True
        else:
            if byte == QUOTE and where in (FIELD, CLOSED):
                if where == FIELD and not empty:  # after blanks
                    fault = BAD_QUOTE
                where = QUOTED
            elif where == CLOSED:
                fault = BAD_QUOTE
            elif byte != SPACE:
                where = INSIDE
            empty, filled = False, True
        after_return = byte == RETURN
        length += 1
        if fault == SOUND and fields > width and (fields > width + 1 or not empty):
            fault = TOO_MANY
        if fault == SOUND and length > longest:
            fault = TOO_LONG
        if fault != SOUND:
            break
    return fault, (where, fields, empty, filled, after_return, records, line, begun, length)
