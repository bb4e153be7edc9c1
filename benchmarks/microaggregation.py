"""Micro-aggregation: the three standard sets, made-up callers, and what the short cut in GSMS with l1 costs.

    SINGLEOUT_DATA=… python benchmarks/microaggregation.py [sets] [callers] [criterion] [--write]

``sets``: time and loss (100 SSE/SST) beside the listed figures, a plain NumPy MDAV, and whatever of anonypyx and
k-means-constrained is installed. ``callers``: 46,986 histograms at k = 10, time and peak memory. ``criterion``: 5,000
histograms, our GSMS (loss about the mean of all) against working out the loss of the rest for every proposal.
"""

import time
from importlib.util import find_spec

import numpy as np
import page
import pyarrow.parquet as pq
from measured import measured
from numba import njit

import singleout as so
from singleout.protection.record_distances import SparseSpace

KS = (3, 4, 5, 10)
LISTED = {
    "tarragona": {"mdav": (16.9326, 19.5460, 22.4619, 33.1929), "gsms": (16.6097, 19.0495, 21.9476, 33.2350)},
    "census": {"mdav": (5.6922, 7.4947, 9.0884, 14.1559), "gsms": (5.5636, 7.2538, 8.6856, 13.5485)},
    "eia": {"mdav": (0.4829, 0.6713, 1.6667, 3.8397), "gsms": (0.4695, 0.6694, 1.7126, 3.3130)},
}
REFINED = {
    "tarragona": (16.3635, 18.9260, 21.7206, 33.2271),
    "census": (5.5329, 7.2362, 8.5835, 13.4210),
    "eia": (0.4063, 0.6002, 0.9468, 2.5985),
}


def records(name):
    table = pq.read_table(page.data() / "microagg_benchmarks" / f"{name}.parquet")
    names = table.column_names
    if name == "eia":
        names = ["UTILITYID", *(column for column in names if column.endswith(("REVENUE", "SALES")))]
    columns = np.column_stack([table[column].to_numpy().astype(float) for column in names])
    return (columns - columns.mean(axis=0)) / columns.std(axis=0)


def percent(data, labels):
    """100 SSE/SST of a partition, whoever made it."""
    sums = np.zeros((labels.max() + 1, data.shape[1]))
    np.add.at(sums, labels, data)
    means = sums / np.bincount(labels)[:, None]
    return 100 * ((data - means[labels]) ** 2).sum() / ((data - data.mean(axis=0)) ** 2).sum()


def numpy_mdav(data, k):
    """What one writes oneself: every distance anew, in whole arrays."""
    labels, left, number = np.full(len(data), -1), np.arange(len(data)), 0

    def take(start):
        nonlocal left, number
        near = np.argsort(((data[left] - data[start]) ** 2).sum(axis=1), kind="stable")[:k]
        labels[left[near]], number = number, number + 1
        left = np.delete(left, near)

    def farthest(point):
        return left[np.argmax(((data[left] - point) ** 2).sum(axis=1))]

    while len(left) >= 3 * k:
        first = farthest(data[left].mean(axis=0))
        take(first)
        take(farthest(data[first]))
    if len(left) >= 2 * k:
        take(farthest(data[left].mean(axis=0)))
    labels[left] = number
    return labels


def anonypyx_mdav(data, k):
    import pandas
    from anonypyx.microaggregation import MDAVGeneric

    frame = pandas.DataFrame(data, columns=[f"c{j}" for j in range(data.shape[1])])
    labels = np.empty(len(data), dtype=int)
    for number, group in enumerate(MDAVGeneric(frame, list(frame.columns)).partition(k)):
        labels[np.asarray(group)] = number
    return labels


def sized_k_means(data, k):
    from k_means_constrained import KMeansConstrained

    return KMeansConstrained(len(data) // k, size_min=k, n_init=1, random_state=0).fit_predict(data)


OTHERS = {"anonypyx": anonypyx_mdav, "k_means_constrained": sized_k_means}


def ours(method, refine):
    return lambda data, k: so.microaggregate(data, k, method=method, norm="l2", refine=refine).labels


def sets():
    ways = {"mdav": ours("mdav", False), "gsms": ours("gsms", False), "gsms refined": ours("gsms", True)}
    ways |= {"NumPy mdav": numpy_mdav} | {name: way for name, way in OTHERS.items() if find_spec(name)}
    for way in list(ways.values())[:3]:
        way(np.random.default_rng(0).normal(size=(40, 3)), 3)  # compile
    found = {}
    print(f"{'set':10} {'k':>2} {'way':20} {'seconds':>8} {'ratio':>7} {'loss %':>8} {'listed':>8}")
    for name, listed in LISTED.items():
        data = records(name)
        for j, k in enumerate(KS):
            first = None
            for way, partition in ways.items():
                started = time.perf_counter()
                labels = partition(data, k)
                seconds = time.perf_counter() - started
                first = first or seconds
                figures = {**listed, "gsms refined": REFINED[name]}.get(way)
                beside = "" if figures is None else f"{figures[j]:8.4f}"
                loss = percent(data, labels)
                found[name, k, way] = seconds, loss
                row = f"{name:10} {k:2} {way:20} {seconds:8.2f} {seconds / first:7.1f} {loss:8.4f}"
                print(f"{row} {beside}", flush=True)
    return found


WAYS = {
    "mdav": "mdav",
    "gsms": "gsms",
    "gsms refined": "refined",
    "NumPy mdav": "NumPy mdav",
    "anonypyx": "anonypyx",
    "k_means_constrained": "sized k-means",
}
TITLES = {"tarragona": "Tarragona (834)", "census": "Census (1,080)", "eia": "EIA (4,092)"}


def lay_out_sets(found):
    ways = [way for way in WAYS if ("eia", KS[0], way) in found]
    losses, seconds = [], []
    for name, listed in LISTED.items():
        figures = {**listed, "gsms refined": REFINED[name]}
        for j, k in enumerate(KS):
            cells = []
            for way in ways:
                cells.append(f"{found[name, k, way][1]:.4f}")
                cells += [f"{figures[way][j]:.4f}"] if way in figures else []
            losses.append([TITLES[name] if j == 0 else "", k, *cells])
        times = [found[name, KS[0], way][0] for way in ways]
        ratios = [f"{each:.{2 if each < 10 else 0}f} ({each / times[0]:.1f})" for each in times[1:]]
        seconds.append([TITLES[name], f"{times[0]:.2f}", *ratios])
    heads = " | ".join(f"{WAYS[way]}{' | listed' if way in ('mdav', 'gsms', 'gsms refined') else ''}" for way in ways)
    of_times = f"seconds (and ratio to mdav), k = {KS[0]} | {' | '.join(WAYS[way] for way in ways)}"
    missing = [WAYS[way] for way in WAYS if way not in ways]
    told = f"{least_loss(found)} None of ours takes more than {longest(found):.1f} s."
    told += f" Not installed, and left out: {', '.join(missing)}." if missing else ""
    return f"{page.table(f'set | k | {heads}', losses)}\n\n{page.table(of_times, seconds)}\n\n{page.prose(told)}"


def longest(found):
    return max(seconds for (_, _, way), (seconds, _) in found.items() if way in list(WAYS)[:3])


def least_loss(found):
    """Where another way loses less than GSMS with refinement, by how much and in how much more time."""
    better = []
    for name in LISTED:
        for k in KS:
            seconds, ours = found[name, k, "gsms refined"]
            way = min((way for way in WAYS if (name, k, way) in found), key=lambda way: found[name, k, way][1])
            longer, least = found[name, k, way]
            if way != "gsms refined":
                times = f"{1 - least / ours:.1%} less in {longer / seconds:.1f} times the time"
                better.append(f"{TITLES[name].split()[0]} with k = {k} ({WAYS[way]}: {times})")
    return f"GSMS with refinement loses least{' except on ' + ', '.join(better) if better else ' everywhere'}."


def week(people):
    """A week of made-up callers, as released in N16's experiment."""
    return so.histograms(so.split(so.synthetic_calls(people=people, preset="heavy-tail", seed=0).events, by="weeks")[0])


def callers(people, method, refine):
    side = week(people)
    so.microaggregate(side.only(side.people[:60]), 10, method=method, refine=refine)  # compile
    started = time.perf_counter()
    clusters = so.microaggregate(side, 10, method=method, refine=refine)
    return time.perf_counter() - started, clusters.number, clusters.loss


def many_callers():
    rows = []
    print(f"{'people':>7} {'way':14} {'seconds':>8} {'peak MB':>8} {'clusters':>9} {'L':>7}")
    for people in (5_000, 46_986):
        for method, refine in (("mdav", False), ("gsms", False), ("gsms", True)):
            (seconds, number, loss), _, peak = measured(callers, people, method, refine)
            way = f"{method} refined" if refine else method
            print(f"{people:7,} {way:14} {seconds:8.1f} {peak:8,.0f} {number:9,} {loss:7.4f}", flush=True)
            rows.append((f"{people:,}", way, f"{seconds:.1f}", f"{peak:,.0f}", f"{number:,}", f"{loss:.4f}"))
    return rows


def lay_out_callers(rows):
    return page.table("people | method | seconds | peak MB | clusters | L", rows)


@njit
def about(point, values, sums, first, last, people):
    """Sum of |x - point| of these ascending values and of zeros for all others; ``sums`` are of the values before."""
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if values[middle] < point:
            low = middle + 1
        else:
            high = middle
    below, above = low - first, last - low
    of_values = below * point - (sums[low] - sums[first]) + (sums[last] - sums[low]) - above * point
    return of_values + (people - below - above) * point


@njit
def living(alive, by_column, owner, values, column_starts):
    """Values of the living in each column, ascending, with the sums before each, and where each column starts."""
    left = np.empty(values.size)
    sums, starts, number = np.zeros(values.size + 1), np.zeros(column_starts.size, np.intp), 0
    for column in range(column_starts.size - 1):
        starts[column] = number
        for position in range(column_starts[column], column_starts[column + 1]):
            entry = by_column[position]
            if alive[owner[entry]]:
                left[number] = values[entry]
                sums[number + 1] = sums[number] + values[entry]
                number += 1
    starts[-1] = number
    return left, sums, starts


@njit
def proposal(start, k, order, alive):
    group, size, position = np.empty(k, np.intp), 1, 0
    group[0] = start
    while size < k:
        other = order[start, position]
        if alive[other] and other != start:
            group[size] = other
            size += 1
        position += 1
    return group


@njit
def left_by(group, left, starts, columns, values, sorted_values, sums, places):
    """Loss of a group about its mean plus that of the rest about theirs."""
    k, width = group.size, places.size - 1
    mine, value, whole = np.zeros(width), 0.0, 0.0
    for person in group:
        for entry in range(starts[person], starts[person + 1]):
            mine[columns[entry]] += values[entry]
    rest = np.empty(width)
    for c in range(width):
        rest[c] = (sums[places[c + 1]] - sums[places[c]] - mine[c]) / (left - k)
        mine[c] /= k
        whole += mine[c] - rest[c]
        value += about(rest[c], sorted_values, sums, places[c], places[c + 1], left)
    value += k * whole
    for person in group:
        for entry in range(starts[person], starts[person + 1]):
            x, m, r = values[entry], mine[columns[entry]], rest[columns[entry]]
            value += abs(x - m) - m - abs(x - r) + r
    return value


@njit
def whole_criterion(k, order, starts, columns, values, by_column, owner, column_starts):
    """GSMS with l1, taken at its word: of all proposals the one whose loss and that of all it leaves are least."""
    people, number = starts.size - 1, 0
    labels, alive, left = np.full(people, -1), np.ones(people, np.bool_), people
    while left >= 2 * k:
        sorted_values, sums, places = living(alive, by_column, owner, values, column_starts)
        best, chosen = np.inf, order[0, :k]
        for start in range(people):
            if alive[start]:
                group = proposal(start, k, order, alive)
                value = left_by(group, left, starts, columns, values, sorted_values, sums, places)
                if value < best - 1e-12:
                    best, chosen = value, group
        for person in chosen:
            alive[person], labels[person] = False, number
        left, number = left - k, number + 1
    for person in range(people):
        if alive[person]:
            labels[person] = number
    return labels


def by_whole_criterion(shares, k):
    space, people = SparseSpace(shares, "l1"), shares.shape[0]
    order = np.array([np.argsort(space.from_record(row), kind="stable") for row in range(people)])
    starts, columns = shares.indptr.astype(np.intp), shares.indices.astype(np.intp)
    owner = np.repeat(np.arange(people), np.diff(starts))
    column_starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=shares.shape[1]))])
    by_column = np.lexsort((shares.data, columns))
    return whole_criterion(k, order, starts, columns, shares.data, by_column, owner, column_starts)


def l1_loss(shares, labels):
    space, people = SparseSpace(shares, "l1"), shares.shape[0]
    starts = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    whole = space.losses(np.array([0, people]), np.arange(people))[0]
    return float(space.losses(starts, np.argsort(labels, kind="stable")).sum() / whole)


def criterion(people=5_000, k=10):
    few = week(60)
    so.microaggregate(few, k, refine=False), by_whole_criterion(few.shares(), k)  # compile
    side = week(people)
    started = time.perf_counter()
    exact = l1_loss(side.shares(), by_whole_criterion(side.shares(), k))
    slow = time.perf_counter() - started
    started = time.perf_counter()
    fast = so.microaggregate(side, k, refine=False)
    quick = time.perf_counter() - started
    print(
        f"{people:,} people, k = {k}: L {fast.loss:.4f} in {quick:.1f} s; loss of the rest for every proposal: ", end=""
    )
    print(f"L {exact:.4f} in {slow:.0f} s (compiled too); {fast.loss / exact - 1:+.2%}", flush=True)
    return people, exact, slow, fast.loss, quick


def lay_out_criterion(found):
    people, exact, slow, fast, quick = found
    return page.prose(
        f"""On {people:,} of these people the full criterion gives L = {exact:.4f} in {slow:.0f} s (compiled), the
        shortcut L = {fast:.4f} in {quick:.1f} s: {abs(fast / exact - 1):.2%} apart."""
    )


SECTIONS = {
    "microaggregation-sets": lay_out_sets,
    "microaggregation-callers": lay_out_callers,
    "microaggregation-criterion": lay_out_criterion,
}


def main():
    parts = {"sets": sets, "callers": many_callers, "criterion": criterion}
    parser = page.parser(__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    asked, opening = parser.parse_args(), page.head(timed=True)
    print(opening, flush=True)
    for part in asked.parts or parts:
        name = f"microaggregation-{part}"
        page.write_sections(asked.write, opening, {name: SECTIONS[name]}, parts[part]())


if __name__ == "__main__":
    main()
