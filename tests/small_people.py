"""People in two files with typing errors and gaps, generated: how they differ is known, who is who as well."""

import numpy as np
import pyarrow as pa

SYLLABLES = ["ba", "den", "ker", "lo", "mi", "nor", "ru", "sa", "ton", "vi", "wes", "yar"]


def names(rng, number, length):
    """Names of which few are common and many are rare."""
    stock = ["".join(rng.choice(SYLLABLES, length)) for _ in range(number // 4 + 5)]
    return [stock[min(int(rng.exponential(len(stock) / 4)), len(stock) - 1)] for _ in range(number)]


def misspell(rng, text):
    """One letter is changed, left out, or swapped with the next."""
    at = int(rng.integers(0, len(text) - 1))
    changed = text[:at] + str(rng.choice(list("aeinrst"))) + text[at + 1 :]
    swapped = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return [changed, text[:at] + text[at + 1 :], swapped][int(rng.integers(0, 3))]


def distort(rng, values, errors, gaps):
    return [
        None if rng.random() < gaps else misspell(rng, value) if rng.random() < errors else value for value in values
    ]


def people_with_errors(number, *, seed, common=0.5, errors=0.15, gaps=0.05):
    """Two tables: ``common`` of the released people are known too, in another order, with errors and gaps."""
    rng = np.random.default_rng(seed)
    total = int(number * (2 - common))
    born = [f"{rng.integers(1930, 2005)}{rng.integers(1, 13):02}{rng.integers(1, 29):02}" for _ in range(total)]
    everyone = {"first": names(rng, total, 2), "last": names(rng, total, 3), "born": born}
    everyone["town"] = names(rng, total, 2)
    sides = []
    for rows in (np.arange(number), rng.permutation(np.arange(total - number, total))):
        columns = {name: [values[row] for row in rows] for name, values in everyone.items()}
        if sides:
            columns = {name: distort(rng, values, errors, gaps) for name, values in columns.items()}
        sides.append(pa.table(columns | {"person": rows}))
    return sides


PEOPLE = ["first", "last", "born", "town"]
