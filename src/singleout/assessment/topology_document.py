"""What the result file of ``topology`` holds."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from singleout.assessment.network_attacks import AttackRow
from singleout.assessment.network_defences import DefenceRow
from singleout.assessment.strongest import StrongestRow
from singleout.ground.notes import NoteDict
from singleout.ground.plain_data import Count, NotNegative, Positive, Share
from singleout.measures.intervals import EstimateDict
from singleout.measures.networks.summary import FigureRow
from singleout.measures.paired import PairedDict


class LogDict(TypedDict):
    """What was looked at."""

    label: str
    people: Positive
    tied_neighbours: Annotated[Share, "The share of neighbouring events with the same time."]
    edges: str


class NetworkFigures(TypedDict):
    """Figures of networks of one size; ``top`` null: all places."""

    top: int | None
    figures: list[FigureRow]


class OrderShare(TypedDict):
    """The share of people whose movements have this Markov order."""

    order: Positive
    share: Share


class OrdersDict(TypedDict):
    """Markov orders in networks of one size."""

    top: int | None
    shares: list[OrderShare]


class AnonymityDict(TypedDict):
    """How many people share their network, except for the names of places."""

    top: int | None
    directed: bool
    unique: EstimateDict
    bound: Annotated[Share, "The largest possible share of people with a unique network."]
    k: Positive
    median: NotNegative
    within_10: EstimateDict
    median_visits: NotNegative


class StrongestDict(StrongestRow):
    """The strongest attack, and what the size of networks alone finds."""

    size: Share
    against_size: PairedDict | None


class ControlsDict(TypedDict):
    """The same places under their true names, and people paired at random."""

    place_names_mean_loss: float
    place_names_mean_rank: NotNegative
    shuffled_mean_loss: float


class TopologyDocument(TypedDict):
    """The result file of ``topology``."""

    schema: Literal["singleout/topology/2"]
    data: LogDict
    seed: Count
    networks: list[NetworkFigures]
    markov_order: list[OrdersDict]
    anonymity: list[AnonymityDict]
    attacks: list[AttackRow]
    strongest: StrongestDict
    controls: ControlsDict
    ablations: list[AttackRow] | None
    defences: list[DefenceRow] | None
    notes: list[NoteDict]
