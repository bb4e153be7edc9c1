"""singleout: how many people in your data could be picked out, who, why, and what would protect them.

The one rule: *an attack is a statistic, a weight and a matching; the rest measures it, blunts it, or tells it.*
"""

from singleout import _start  # noqa: F401 - first, so that Ctrl-C is heard while the rest loads

# The public surface, in the order of the path.
from singleout.reading.events import Events, read_events
from singleout.reading.split import split
from singleout.reading.tables import Table, read_table
from singleout.reading.synthetic import SyntheticLog, synthetic_calls
from singleout.reading.synthetic_wifi import synthetic_wifi
from singleout.reading.synthetic_profiles import ProfileSites, synthetic_profiles
from singleout.reading.synthetic_records import SyntheticRecords, synthetic_records
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.networks import Networks, networks
from singleout.weights.explain import Explanation
from singleout.weights.graph_scores import graph_scores
from singleout.weights.presets import presets
from singleout.weights.registry import register_weight
from singleout.weights.scores import Scores
from singleout.matching.decisions import Margins
from singleout.matching.rejection import Decision
from singleout.matching.result import Matching, MatchingInterrupted, assign, match
from singleout.measures.accuracy import Accuracy, accuracy
from singleout.measures.anonymity import Anonymity, anonymity, graph_counts
from singleout.measures.intervals import Estimate
from singleout.measures.markov import markov_order
from singleout.measures.network_summary import NetworkSummary, network_summary
from singleout.measures.ranking import Ranking, posterior, privacy_loss, ranking, ranks
from singleout.measures.selection import PrecisionByMargin, precision_by_margin
from singleout.measures.selectivity import Profiles
from singleout.measures.profiles import match_friends, match_profiles
from singleout.measures.links import Links, link_records
from singleout.measures.uniqueness import Uniqueness, uniqueness
from singleout.measures.isolation import KnownSets, Vulnerability
from singleout.measures.vulnerability import vulnerability
from singleout.measures.suda import Suda, suda
from singleout.measures.utility import Utility, utility
from singleout.protection.microaggregation import Clusters, microaggregate
from singleout.protection.coarsening import coarsen
from singleout.protection.suppression import shorten, suppress
from singleout.protection.noise import add_noise
from singleout.protection.perturbation import perturb
from singleout.report.model import Ladder
from singleout.report.frontier import Frontier
from singleout.report.defences import DefenceCurve
from singleout.report.topology import Attacks, Topology
from singleout.report.audit import Audit
from singleout.report.charts import chart
from singleout._frontier import Protection, Trial, frontier
from singleout._ladder import ladder
from singleout._audit_options import AuditOptions
from singleout._audit import audit
from singleout._defences import defence_curve
from singleout._topology import ablations, topology
from singleout.ground.errors import (
    DataError,
    InputError,
    OutputError,
    ResourceError,
    SingleoutError,
    SourceError,
)
from singleout.ground.notes import Note

__all__ = [  # noqa: RUF022 - in the order of the path
    "Events", "read_events", "split", "SyntheticLog", "synthetic_calls", "synthetic_wifi",
    "Table", "read_table", "SyntheticRecords", "synthetic_records", "ProfileSites", "synthetic_profiles",
    "Histograms", "histograms", "Networks", "networks",
    "register_weight", "presets", "Scores", "graph_scores", "Explanation",
    "Margins", "Decision", "Matching", "MatchingInterrupted", "match", "assign",
    "Accuracy", "accuracy", "Estimate", "PrecisionByMargin", "precision_by_margin",
    "Ranking", "ranking", "ranks", "posterior", "privacy_loss",
    "Anonymity", "anonymity", "graph_counts", "markov_order",
    "NetworkSummary", "network_summary",
    "Profiles", "match_profiles", "match_friends", "Links", "link_records",
    "Uniqueness", "uniqueness", "Vulnerability", "KnownSets", "vulnerability", "Suda", "suda",
    "Clusters", "microaggregate", "coarsen", "suppress", "shorten", "add_noise", "perturb",
    "Utility", "utility", "Trial", "Protection", "Frontier", "frontier",
    "Ladder", "ladder", "Topology", "topology", "Attacks", "ablations", "DefenceCurve", "defence_curve",
    "AuditOptions", "Audit", "audit", "chart",
    "Note", "SingleoutError", "InputError", "SourceError", "DataError",
    "OutputError", "ResourceError",
]  # fmt: skip
