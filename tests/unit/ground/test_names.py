"""Names that arguments take: each list is the one that errors show, and signatures of public functions use it."""

import inspect
import typing
from typing import Literal, get_args

import pytest

import singleout as so
from singleout.assessment.table_limits import RISKS
from singleout.ground import names
from singleout.reading.forms import DECIMALS, ENCODINGS
from singleout.reading.synthetic.calls import PRESETS as CALLS
from singleout.reading.times import UNITS
from singleout.similarity.networks.scores import SIMILARITIES as OF_KERNELS
from singleout.similarity.registry import BUILT_IN, STRONGER


@pytest.mark.parametrize(
    ("listed", "there"),
    [
        (names.SimilarityName, [*BUILT_IN, *STRONGER]),
        (names.CallPreset, CALLS),
        (names.TimeUnit, UNITS),
        (names.Encoding, ENCODINGS),
        (names.DecimalSign, DECIMALS),
        (names.TableRiskRule, RISKS),
        (names.KernelSimilarity, {name for each in OF_KERNELS.values() for name in each}),
    ],
)
def test_a_list_of_names_is_what_there_is(listed, there):
    assert set(get_args(listed)) == set(there)


def literals_of(hint):
    """All literal names in a type."""
    if typing.get_origin(hint) is Literal:
        return set(get_args(hint))
    return {name for part in get_args(hint) for name in literals_of(part)}


@pytest.mark.parametrize(
    ("function", "argument", "listed"),
    [
        (so.match, "similarity", names.SimilarityName),
        (so.ladder, "similarities", names.SimilarityName),
        (so.frontier, "similarities", names.SimilarityName),
        (so.match, "method", names.Method),
        (so.match, "by", names.Side),
        (so.accuracy, "intervals", names.IntervalMethod),
        (so.Matching.decide, "rule", names.DecisionRule),
        (so.split, "by", names.SplitRule),
        (so.split, "of", names.TraceShare),
        (so.split, "week_start", names.Weekday),
        (so.read_events, "time_unit", names.TimeUnit),
        (so.histograms, "measure", names.Measure),
        (so.networks, "edges", names.EdgeRule),
        (so.topology, "edges", names.EdgeRule),
        (so.graph_scores, "kernel", names.Kernel),
        (so.topology, "kernels", names.Kernel),
        (so.ablations, "kernel", names.Kernel),
        (so.defence_curve, "kernels", names.Kernel),
        (so.graph_scores, "similarity", names.KernelSimilarity),
        (so.graph_scores, "direction", names.Direction),
        (so.graph_scores, "ties", names.TieRule),
        (so.Scores.__init__, "absent", names.AbsentPairs),
        (so.markov_order, "test", names.MarkovTest),
        (so.vulnerability, "strategy", names.Strategy),
        (so.link_records, "missing", names.MissingInRecords),
        (so.table_risk, "missing", names.MissingInTable),
        (so.presets, "name", names.ProfilePreset),
        (so.synthetic_calls, "preset", names.CallPreset),
        (so.microaggregate, "method", names.ClusterMethod),
        (so.microaggregate, "norm", names.Norm),
        (so.add_noise, "unit", names.NoiseUnit),
        (so.suppress, "by", names.PopularityMeasure),
        (so.read_events, "encoding", names.Encoding),
        (so.read_table, "encoding", names.Encoding),
        (so.read_events, "decimal", names.DecimalSign),
        (so.read_table, "decimal", names.DecimalSign),
        (so.protect_table, "risk", names.TableRiskRule),
        (so.protect_table, "method", names.TableMethod),
        (so.protect_table, "loss", names.TableLoss),
    ],
)
def test_signatures_name_every_choice(function, argument, listed):
    assert literals_of(typing.get_type_hints(function)[argument]) == set(get_args(listed))
    default = inspect.signature(function).parameters[argument].default
    assert not isinstance(default, str) or default in get_args(listed)


def test_errors_list_the_same_names():
    with pytest.raises(so.InputError, match="by must be one of halves, weeks, dates, point"):
        so.split(so.synthetic_calls(people=5, seed=1).events, by="thirds")
