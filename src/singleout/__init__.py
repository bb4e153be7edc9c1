"""singleout: how many people in your data could be picked out, who, why, and what would protect them.

The one rule: *an attack is a statistic, a weight and a matching; the rest measures it, blunts it, or tells it.*
"""

# The public surface, in the order of the path.
from singleout.reading.events import Events, read_events
from singleout.reading.split import split
from singleout.statistics.histograms import Histograms, histograms
from singleout.weights.registry import register_weight
from singleout.matching.result import Matching, match
from singleout.measures.accuracy import Accuracy, accuracy
from singleout.measures.intervals import Estimate
