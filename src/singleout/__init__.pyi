# The public surface, in the order of the path; __init__.py loads each name when it is first used.
from .assessment.audit import audit
from .assessment.audit_options import AuditOptions
from .assessment.audit_result import Audit
from .assessment.comparison import AuditComparison, compare_audits
from .assessment.frontier import Frontier, frontier
from .assessment.ladder import Ladder, ladder
from .assessment.network_attacks import Attacks, ablations
from .assessment.network_defences import DefenceCurve, defence_curve
from .assessment.protected_file import ProtectedTable
from .assessment.protected_table import protect_table
from .assessment.protections import Protection, Trial
from .assessment.table_frontier import TableFrontier, table_frontier
from .assessment.topology import Topology, topology
from .assessment.verification import verify
from .assessment.verification_result import Verification
from .assessment.verify_options import VerifyOptions
from .ground.errors import DataError, InputError, OutputError, ResourceError, SingleoutError, SourceError
from .ground.notes import Note
from .matching.by_scores import assign
from .matching.candidates import Profiles
from .matching.margins import Margins
from .matching.matching import match
from .matching.probable_links import probable_links
from .matching.profiles import match_friends, match_profiles
from .matching.ranked_links import ProbableLinks
from .matching.records import Links, link_records
from .matching.rejection import Decision
from .matching.result import Matching, MatchingInterrupted
from .measures.accuracy import Accuracy, accuracy
from .measures.intervals import Estimate
from .measures.links import LinkAccuracy
from .measures.networks.anonymity import Anonymity, anonymity, graph_counts
from .measures.networks.markov import markov_order
from .measures.networks.ranking import Ranking, posterior, privacy_loss, ranking, ranks
from .measures.networks.summary import NetworkSummary, network_summary
from .measures.paired import Comparison, compare_attacks
from .measures.precision import PrecisionByMargin, precision_by_margin
from .measures.probability import Probabilities, Reliability, probabilities
from .measures.selectivity import Selectivity, selectivity
from .measures.tables.exposure import Exposure, exposure
from .measures.tables.isolation import KnownSets, Vulnerability
from .measures.tables.population import PopulationRisk, population_risk
from .measures.tables.suda import Suda, suda
from .measures.tables.table_risk import TableRisk, table_risk
from .measures.tables.uniqueness import Uniqueness, uniqueness
from .measures.tables.vulnerability import vulnerability
from .measures.utility import Utility, utility
from .protection.coarsening import coarsen
from .protection.microaggregation import Clusters, microaggregate
from .protection.noise import add_noise
from .protection.perturbation import perturb
from .protection.suppression import shorten, suppress
from .reading.events import Events, read_events
from .reading.split import Sides, split
from .reading.synthetic.calls import SyntheticLog, synthetic_calls
from .reading.synthetic.profiles import ProfileSites, synthetic_profiles
from .reading.synthetic.records import SyntheticRecords, synthetic_records
from .reading.synthetic.wifi import synthetic_wifi
from .reading.tables import Table, read_table
from .report.charts.registry import chart
from .similarity.explain import Explanation
from .similarity.networks.scores import graph_scores
from .similarity.profiles.presets import presets
from .similarity.registry import SimilarityList, register_attack, register_similarity, similarities
from .similarity.scores import Scores
from .statistics.histograms import Histograms, histograms
from .statistics.networks import Networks, networks

__version__: str

__all__ = [  # noqa: RUF022 - in the order of the path
    "Events", "read_events", "Sides", "split", "SyntheticLog", "synthetic_calls", "synthetic_wifi",
    "Table", "read_table", "SyntheticRecords", "synthetic_records", "ProfileSites", "synthetic_profiles",
    "Histograms", "histograms", "Networks", "networks",
    "SimilarityList", "similarities", "register_similarity", "register_attack",
    "presets", "Scores", "graph_scores", "Explanation",
    "Margins", "Decision", "Matching", "MatchingInterrupted", "match", "assign",
    "Accuracy", "accuracy", "Estimate", "PrecisionByMargin", "precision_by_margin",
    "Probabilities", "probabilities", "Reliability", "Comparison", "compare_attacks",
    "Ranking", "ranking", "ranks", "posterior", "privacy_loss",
    "Anonymity", "anonymity", "graph_counts", "markov_order",
    "NetworkSummary", "network_summary",
    "Profiles", "Selectivity", "selectivity", "LinkAccuracy",
    "match_profiles", "match_friends", "Links", "link_records", "ProbableLinks", "probable_links",
    "Uniqueness", "uniqueness", "PopulationRisk", "population_risk",
    "Vulnerability", "KnownSets", "vulnerability", "Exposure", "exposure", "Suda", "suda", "TableRisk", "table_risk",
    "Clusters", "microaggregate", "coarsen", "suppress", "shorten", "add_noise", "perturb",
    "Utility", "utility", "Trial", "Protection", "Frontier", "frontier", "ProtectedTable", "protect_table",
    "TableFrontier", "table_frontier",
    "Ladder", "ladder", "Topology", "topology", "Attacks", "ablations", "DefenceCurve", "defence_curve",
    "AuditOptions", "Audit", "audit", "VerifyOptions", "Verification", "verify",
    "AuditComparison", "compare_audits", "chart",
    "Note", "SingleoutError", "InputError", "SourceError", "DataError",
    "OutputError", "ResourceError",
]  # fmt: skip
