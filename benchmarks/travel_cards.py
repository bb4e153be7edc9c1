"""Synthetic travel cards: an event log of the size of a town's bus company, and how long its audit takes.

    python benchmarks/travel_cards.py FILE.parquet [cards]

20,000 cards, 91 days and about two million taps by default: commuters, occasional travellers and visitors on 900 stops.
Stops are popular to very different degrees, and people live near some of them. Everything follows from a seed.
"""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

DAYS, STOPS, SEED = 91, 900, 20
FIRST_DAY = np.datetime64("2025-09-01T00:00:00", "s")
WEEKEND = 0.35
"""How often people travel on Saturdays and Sundays, compared with other days."""
ELSEWHERE = 0.05
"""Share of the taps at a stop where the person otherwise never is."""


def draw_cards(cards, rng):
    """Trips a day, a few stops of each card and how often each is used."""
    popularity = rng.dirichlet(np.full(STOPS, 0.6))
    rate = np.minimum(rng.lognormal(-0.7, 0.85, cards), 4.0)
    number = 2 + rng.poisson(4.0, cards)
    most = int(number.max())
    stops = rng.choice(STOPS, (cards, most), p=popularity)
    use = rng.dirichlet(np.full(most, 0.5), cards) + 1e-9
    use[np.arange(most)[None, :] >= number[:, None]] = 0.0
    # home and work: every second trip ends there
    use[:, :2] += use[:, 2:].sum(axis=1, keepdims=True) / 2
    return popularity, rate, stops, use / use.sum(axis=1, keepdims=True)


def travel_cards(cards=20_000, seed=SEED):
    """The log as an Arrow table: card, time and stop, in order of time."""
    rng = np.random.default_rng(seed)
    popularity, rate, stops, use = draw_cards(cards, rng)
    weekday = (np.arange(DAYS) + FIRST_DAY.astype("datetime64[D]").astype(int) + 3) % 7
    daily = np.where(weekday < 5, 1.0, WEEKEND)
    taps = 2 * rng.poisson(rate[:, None] * daily[None, :])
    card, day = (np.repeat(each.ravel(), taps.ravel()) for each in np.indices(taps.shape))
    which = (rng.random(len(card))[:, None] > np.cumsum(use, axis=1)[card]).sum(axis=1)
    stop = stops[card, np.minimum(which, stops.shape[1] - 1)]
    away = rng.random(len(card)) < ELSEWHERE
    stop[away] = rng.choice(STOPS, int(away.sum()), p=popularity)
    second = (rng.normal(13.5, 4.0, len(card)).clip(5, 23.9) * 3600).astype(int)
    time = FIRST_DAY + (day * 86_400 + second).astype("timedelta64[s]")
    order = np.lexsort((card, time))
    return pa.table({"card": card[order], "time": time[order], "stop": stop[order]})


def main():
    target, cards = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    log = travel_cards(cards)
    write = pyarrow.csv.write_csv if target.endswith(".csv") else pyarrow.parquet.write_table
    write(log, target)
    print(f"{target}: {log.num_rows:,} taps of {cards:,} cards")


if __name__ == "__main__":
    main()
