"""Slow twins of measures on networks: isomorphism by all permutations, ranks, Markov orders (M18 3.1, 3.4, 4.2)."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import log

from scipy.stats import chi2

from tests.reference.topology import union


def canonical(nodes, edges):
    """The least set of edges under any numbering of the nodes."""
    nodes = list(nodes)
    ways = (dict(zip(nodes, order, strict=True)) for order in permutations(range(len(nodes))))
    return len(nodes), min(tuple(sorted((way[a], way[b]) for a, b in edges)) for way in ways)


def class_sizes(graphs, directed):
    """How many graphs are the same as each but for the names of nodes."""
    forms = [canonical(graph.visits, (graph if directed else union(graph)).edges) for graph in graphs]
    return [forms.count(form) for form in forms]


def count_graphs(nodes, directed):
    """Graphs up to isomorphism, by writing down all of them."""
    pairs = list(permutations(range(nodes), 2) if directed else combinations(range(nodes), 2))
    ways = [dict(enumerate(order)) for order in permutations(range(nodes))]

    def form(edges):
        named = ([(way[a], way[b]) for a, b in edges] for way in ways)
        return min(tuple(sorted(e if directed else sorted(e) for e in each)) for each in named)

    chosen = ([pair for k, pair in enumerate(pairs) if bits >> k & 1] for bits in range(2 ** len(pairs)))
    return len({str(form(edges)) for edges in chosen})


def rank(scores, true):
    """1 + #{K > K_true} + ties / 2, exactly."""
    ahead = sum(score > scores[true] for score in scores)
    level = sum(score == scores[true] for score in scores) - 1
    return 1 + ahead + Fraction(level, 2)


def privacy_loss(scores, true):
    """P(true) n - 1 with P proportional to 1 / rank (M18 eq. 5 to 7)."""
    inverse = [1 / rank(scores, k) for k in range(len(scores))]
    return inverse[true] / sum(inverse) * len(scores) - 1


def grams(paths, length):
    """Counts of contiguous stretches of so many places."""
    return Counter(tuple(path[k : k + length]) for path in paths for k in range(len(path) - length + 1))


def log_likelihood(paths, order):
    """LL_K: the first place, what follows shorter beginnings, then what follows the last K places."""
    counts = [grams(paths, length) for length in range(1, order + 2)]
    followed = [Counter() for _ in counts]
    for table, total in zip(counts, followed, strict=True):
        for gram, count in table.items():
            total[gram[:-1]] += count
    found = 0.0
    for path in paths:
        for t in range(len(path)):
            gram = tuple(path[max(t - order, 0) : t + 1])
            found += log(counts[len(gram) - 1][gram] / followed[len(gram) - 1][gram[:-1]])
    return found


def walks(paths, steps):
    """All walks of so many steps over transitions that were seen, whether taken in a row or not."""
    places, arcs = {place for path in paths for place in path}, set(grams(paths, 2))
    found = [(place,) for place in places]
    for _ in range(steps):
        found = [(*walk, b) for walk in found for a, b in arcs if walk[-1] == a]
    return found


def chain_freedom(paths, order):
    """D_k: walks of k steps less those of k - 1 steps that can go on; D_0 = places - 1."""
    if order == 0:
        return len(walks(paths, 0)) - 1
    leaves = {a for a, _ in grams(paths, 2)}
    return len(walks(paths, order)) - sum(walk[-1] in leaves for walk in walks(paths, order - 1))


def layer_freedom(paths, order):
    """Scholtes: walks of k steps less the places that a walk of k steps starts from."""
    found = walks(paths, order)
    return len(found) - len({walk[0] for walk in found})


def markov_order(paths, most, test):
    """At least 1; the highest order whose test passes at 1%, or the least criterion."""
    if test in ("bic", "aic"):
        steps = sum(grams(paths, 2).values())
        price = log(max(steps, 1)) if test == "bic" else 2
        return min(
            range(1, most + 1),
            key=lambda k: (round(-2 * log_likelihood(paths, k) + price * chain_freedom(paths, k), 9), k),
        )
    found = 1
    for order in range(2, most + 1):
        ratio = 2 * (log_likelihood(paths, order) - log_likelihood(paths, order - 1))
        freedom = layer_freedom(paths, order)
        if test == "classical":
            freedom = chain_freedom(paths, order) - chain_freedom(paths, order - 1)
        if freedom > 0 and chi2.sf(max(ratio, 0.0), freedom) < 0.01:
            found = order
    return found
