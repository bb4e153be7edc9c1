"""How often the test with rejection accepts a wrong matching: UN13's own rule, and the rule with an error bound.

    python benchmarks/rejection.py [--write]

Two people, two places, strings of equal length drawn anew each time; thresholds are those of ``Matching.decide``. With
two people there are two hypotheses, so that many draws can be decided at once.
"""

import math

import numpy as np
import page

import singleout as so

DRAWS = 200_000
SETTINGS = (  # length, the two people's shares of the first place, exponent in bits
    (1_000, (0.50, 0.53), 0.0817),
    (1_000, (0.50, 0.60), 0.0817),
    (1_000, (0.30, 0.70), 0.0817),
    (100, (0.50, 0.60), 0.04),
    (100, (0.10, 0.90), 0.04),
)


def costs(a, b, length):
    """UN13 eq. 7 in bits, of pairs of strings given by how often the first place occurs."""
    total = np.zeros(len(a))
    for first, second in ((a, b), (length - a, length - b)):
        p, q = first / length, second / length
        for share in (p, q):
            total += np.where(share > 0, share * np.log2(2 * np.maximum(share, 1e-300) / np.maximum(p + q, 1e-300)), 0)
    return total


def thresholds(length, exponent):
    counts = np.array([[length // 2, length - length // 2], [length, 0]])
    side = so.Histograms(counts, ["a", "b"], [0, 1])
    return {rule: so.match(side, side).decide(exponent, length, rule=rule).threshold for rule in ("paper", "bound")}


def measure():
    rng = np.random.default_rng(0)
    rows = []
    print(f"{DRAWS:,} draws each; shares of draws")
    print(" length  shares       rule   threshold  wrong accepted  right accepted  model fails  bound on wrong")
    for length, shares, exponent in SETTINGS:
        x0, y0, x1, y1 = (rng.binomial(length, share, DRAWS) for share in np.repeat(shares, 2))
        truth = costs(x0, y0, length) + costs(x1, y1, length)
        other = costs(x0, y1, length) + costs(x1, y0, length)
        best, second = np.minimum(truth, other), np.maximum(truth, other)
        for rule, threshold in thresholds(length, exponent).items():
            accepted = (second >= threshold) & ((rule == "paper") | (best < threshold))
            wrong, right = (accepted & (other < truth)).mean(), (accepted & (truth < other)).mean()
            rows.append((length, shares, exponent, rule, wrong, right))
            fails = f"{(best >= threshold).mean():11.5f}" if rule == "bound" else f"{'-':>11}"
            bound = f"2^-{exponent * length:.4g} = {math.exp2(-exponent * length):.2g}" if rule == "bound" else "none"
            print(f"{length:7,}  {shares[0]:.2f}, {shares[1]:.2f}   {rule:5} {threshold:10.4f}", end="")
            print(f" {wrong:15.5f} {right:15.5f}  {fails}  {bound}")
    return rows


def percent(share):
    """As many digits as the draws bear."""
    if share in (0, 1):
        return f"{share:.0%}"
    return f"{share:.1%}" if 0.01 <= share <= 0.99 else f"{100 * share:.3f}".rstrip("0") + "%"


def lay_out(rows):
    cells = []
    for (length, shares, exponent, _, wrong, right), (*_, bound_wrong, bound_right) in zip(
        rows[::2], rows[1::2], strict=True
    ):
        bits = exponent * length
        bound = f"2^−{bits:.4g}" if bits > 20 else f"{math.exp2(-bits):.2%}"
        shown = [percent(share) for share in (wrong, bound_wrong)], [percent(share) for share in (right, bound_right)]
        cells.append([f"{length:,}", f"{shares[0]:.2f}, {shares[1]:.2f}", exponent, *shown[0], bound, *shown[1]])
    columns = "length | shares | exponent | paper: wrong | bound: wrong | at most | paper: right | bound: right"
    return f"{DRAWS:,} draws of two strings each.\n\n{page.table(columns, cells)}"


SECTIONS = {"rejection": lay_out}


def main():
    asked, opening = page.parser(__doc__).parse_args(), page.head()
    page.write_sections(asked.write, opening, SECTIONS, measure())


if __name__ == "__main__":
    main()
