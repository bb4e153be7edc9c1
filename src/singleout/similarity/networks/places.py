"""People compared by their places under true names, which pseudonyms per person prevent."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from singleout.similarity.networks.features import SparseCosine
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids


def place_scores(released: Histograms, known: Histograms) -> Scores:
    """Cosine similarity of people's counts at places under true names, which pseudonyms per person prevent."""
    places = np.unique(np.concatenate([released.places, known.places]))
    rows = [_over(places, side) for side in (released, known)]
    lengths = [np.sqrt(np.asarray(side.multiply(side).sum(axis=1)).ravel()) for side in rows]
    return Scores.streamed(SparseCosine(*rows, *lengths).block, released.people, known.people)


def _over(places: Ids, side: Histograms) -> sparse.csr_array:
    """Counts with a column for each of the places."""
    counts = side.counts.tocoo()
    row, column = counts.coords
    ends = row, np.searchsorted(places, side.places)[column]
    return sparse.csr_array((counts.data.astype(np.float64), ends), shape=(len(side), len(places)))
