"""Slow twin of exposure: entries of a public list are counted one by one, and lists are thinned at random."""

from math import comb


def entries(record, public, columns):
    """Public entries that have a record's values on these columns; missing values match nothing."""
    return [
        row for row, other in enumerate(public) if all(record[c] is not None and record[c] == other[c] for c in columns)
    ]


def led(released, public, columns, most, survives):
    """Expected records that meet 1 to ``most`` entries if each entry survives with a probability, and those right."""
    total = right = 0.0
    for record in released:
        n = len(entries(record, public, columns))
        few = sum(comb(n, k) * survives**k * (1 - survives) ** (n - k) for k in range(1, min(n, most) + 1))
        total += few
        right += few / n if n else 0.0
    return total, right


def led_at_random(released, public, columns, most, survives, rng, times):
    """The same by drawing which entries survive; the first of a record's entries is taken to be its own."""
    total = right = 0.0
    for _ in range(times):
        for record in released:
            there = entries(record, public, columns)
            left = [row for row in there if rng.random() < survives]
            if 1 <= len(left) <= most:
                total += 1
                right += (there[0] in left) / len(left)
    return total / times, right / times
