"""How often the interval of joint matching (js) holds the rate it is about: Wilson's alone, and with half-sampling.

    SINGLEOUT_DATA=… python benchmarks/intervals.py [--part NAME …] [--draws N] [--write]

Every draw is another group of people, matched as a whole; the target is the average rate over all draws. Groups are
drawn from a group of people that is itself finite, so they vary less than groups of fresh people do; `fresh` is the
coverage with every deviation from the target enlarged to make up for that (by 1/sqrt(1 - share drawn)).
"""

import time

import numpy as np
import page

import singleout as so

DRAWS = 1_000
HEADING = (
    "part                        people  rate    sd | Wilson: covers  fresh  width"
    " | half-sampling: covers  fresh  below  above  width  effective"
)


def split_in_two(events):
    return [so.histograms(part, progress=False) for part in so.split(events, by="halves")]


def few(side, people):
    """The rows of these people, without the places that none of them visits."""
    chosen = side.only(people)
    used = np.unique(chosen.counts.indices)
    return so.Histograms(chosen.counts[:, used], chosen.people, chosen.places[used])


def disjoint_groups(people, size, draws):
    """Groups of ``size`` people without anybody in common; then everybody is dealt into groups again."""
    rng, made = np.random.default_rng(1), 0
    while made < draws:
        order = rng.permutation(people)
        for first in range(0, len(people) - size + 1, size):
            if made < draws:
                yield order[first : first + size]
                made += 1


def fresh_countries(draws):
    """Synthetic callers, another country each time."""
    for seed in range(draws):
        log = so.synthetic_calls(people=150, antennas=100, regions=20, preset="heavy-tail", seed=seed)
        yield *split_in_two(log.events), 0.0


def one_country(draws):
    """Groups of 200 out of one synthetic country."""
    released, known = split_in_two(so.synthetic_calls(preset="heavy-tail", seed=1).events)
    both = np.intersect1d(released.people, known.people)
    for group in disjoint_groups(both, 200, draws):
        yield few(released, group), few(known, group), 200 / len(both)


def on_one_side(draws):
    """The same country: 100 people on both sides, 100 released only and 100 known only."""
    released, known = split_in_two(so.synthetic_calls(preset="heavy-tail", seed=1).events)
    both = np.intersect1d(released.people, known.people)
    for group in disjoint_groups(both, 300, draws):
        yield few(released, group[:200]), few(known, np.r_[group[:100], group[200:]]), 300 / len(both)


def tenths(folder, file):
    def draw(draws):
        path = str(page.data() / folder / file)
        released, known = split_in_two(so.read_events(path, user="user", time="time", place="place"))
        both = np.intersect1d(released.people, known.people)
        for group in disjoint_groups(both, len(both) // 10, draws):
            yield few(released, group), few(known, group), 0.1

    return draw


PARTS = {
    "synthetic, fresh countries": fresh_countries,
    "synthetic, one country": one_country,
    "synthetic, some on one side": on_one_side,
    "purchases, tenths": tenths("completejourney", "purchases.parquet"),
    "Gowalla, tenths": tenths("gowalla_nyc", "checkins.parquet"),
}


def covers(rates, target, share):
    """Shares of intervals that hold the target (also as of fresh people), lie below, lie above; mean width."""
    low, high, value = (np.array([getattr(rate, end) for rate in rates]) for end in ("low", "high", "value"))
    stretched = value + (target - value) / np.sqrt(1 - share)
    holds = [((low <= wanted) & (wanted <= high)).mean() for wanted in (target, stretched)]
    return *holds, (high < target).mean(), (low > target).mean(), (high - low).mean()


def measure(name, draws):
    started, alone, halves, share = time.perf_counter(), [], [], 0.0
    for seed, (released, known, share) in enumerate(PARTS[name](draws)):  # noqa: B007
        matching = so.match(released, known, seed=seed, progress=False)
        alone.append(so.accuracy(matching).rate)
        halves.append(so.accuracy(matching, intervals="half-sampling", progress=False).rate)
    values = np.array([rate.value for rate in alone])
    wilson, sampled = (covers(rates, values.mean(), share) for rates in (alone, halves))
    effective = np.mean([rate.effective_share for rate in halves])
    print(
        f"{name:28}{alone[0].n:6} {values.mean():5.1%} {values.std(ddof=1):5.2%} |"
        f" {wilson[0]:14.1%} {wilson[1]:6.1%} {wilson[4]:6.1%} |"
        f" {sampled[0]:21.1%} {sampled[1]:6.1%} {sampled[2]:6.1%} {sampled[3]:6.1%} {sampled[4]:6.1%} {effective:10.2f}"
        f"   ({time.perf_counter() - started:.0f} s)",
        flush=True,
    )
    return {"n": alone[0].n, "rate": values.mean(), "wilson": wilson, "sampled": sampled, "effective": effective}


NAMES = {
    "synthetic, fresh countries": "{n} synthetic callers, new countries",
    "synthetic, one country": "{n} of one synthetic country",
    "synthetic, some on one side": "{n} on both sides, as many on each side only",
    "purchases, tenths": "{n} households, tenths of the purchases",
    "Gowalla, tenths": "{n} people, tenths of Gowalla",
}


def lay_out(found):
    """``found`` by part."""
    cells = []
    for name, part in found.items():
        wilson, sampled = part["wilson"], part["sampled"]
        shares = [part["rate"], wilson[0], wilson[4], sampled[0], *sampled[2:]]
        cells.append(
            [NAMES[name].format(n=part["n"]), *(f"{share:.1%}" for share in shares), f"{part['effective']:.2f}"]
        )
    columns = (
        "people | rate | Wilson alone covers | width | half-sampling covers | too low | too high | width | effective"
    )
    fresh = {name: f"{part['sampled'][1]:.1%}" for name, part in found.items()}
    told = f"""Tenths of a finite group vary slightly less than groups of new people would. Allowing for that, the
        coverage is {fresh["purchases, tenths"]} for purchases, {fresh["Gowalla, tenths"]} for Gowalla and
        {fresh["synthetic, one country"]} for the synthetic country."""
    return f"{page.table(columns, cells)}\n\n{page.prose(told)}"


SECTIONS = {"intervals": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one; may be given several times")
    parser.add_argument("--draws", type=int, default=DRAWS)
    asked, opening = parser.parse_args(), page.head()
    page.whole(asked, "part")
    print(f"{asked.draws:,} draws each, 95% intervals\n{HEADING}", flush=True)
    found = {name: measure(name, asked.draws) for name in asked.part or PARTS}
    page.write_sections(asked.write, f"{opening} {asked.draws:,} draws of people each.", SECTIONS, found)


if __name__ == "__main__":
    main()
