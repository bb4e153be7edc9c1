"""How likely each match is to be right, as the publisher can know it and as an intruder can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from singleout.assessment.audit_attacks import Headline
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_sides import Progress
from singleout.ground.errors import DataError
from singleout.ground.numbers import percent
from singleout.ground.progress import stage
from singleout.matching.matching import match
from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy
from singleout.measures.intervals import Estimate, EstimateDict
from singleout.measures.probability import FARTHEST, Probabilities, ReliabilityDict, probabilities
from singleout.reading.events import Events
from singleout.reading.split import Sides, split, split_again
from singleout.statistics.histograms import histograms

NOBODY = "nobody who was matched is on both sides, so no estimate can be checked"


class ProbabilityDict(TypedDict):
    """How reliable the probabilities of matches are."""

    fitted: Annotated[ReliabilityDict | None, "Fitted on known identities."]
    estimated: Annotated[ReliabilityDict | None, "Estimated from the known side alone."]
    reference: Annotated[EstimateDict | None, "How many of the known side's two parts were matched correctly."]
    withheld: Annotated[str | None, "Why there is no estimate."]


@dataclass(frozen=True, eq=False)
class PairProbabilities:
    """Probabilities of the strongest joint matching, in the order of its pairs.

    ``fitted``: each pair scored by curves fitted to other people whose identity is known. ``estimated``: from two parts
    of what is known, without anybody's identity in the release; None where ``withheld`` says why. ``reference`` is how
    many of those parts were matched rightly.
    """

    fitted: Probabilities
    estimated: Probabilities | None
    reference: Estimate | None
    withheld: str

    @property
    def of_the_intruder(self) -> Probabilities:
        """What an intruder would act on: the estimate without known identities, where there is one to trust."""
        return self.fitted if self.estimated is None else self.estimated

    def to_dict(self) -> ProbabilityDict:
        """Plain data: how reliable both are."""
        fitted = self.fitted.reliability
        estimated = None if self.estimated is None else self.estimated.reliability
        return {
            "fitted": None if fitted is None else fitted.to_dict(),
            "estimated": None if estimated is None else estimated.to_dict(),
            "reference": None if self.reference is None else self.reference.to_dict(),
            "withheld": self.withheld or None,
        }


def measure_probabilities(
    headline: Headline, logs: Sequence[Events], sides: Sides, options: AuditOptions, progress: Progress
) -> PairProbabilities:
    """Turn the margins of the strongest joint matching into probabilities, both ways."""
    asked: dict[str, Any] = {"confidence_level": options.confidence_level, "seed": options.seed, "progress": progress}
    fitted = probabilities(headline.matching, **asked)
    with stage("what is known, in two parts"):
        reference = _match_known_parts(logs, sides, headline, options, progress)
    if reference is None:
        return PairProbabilities(fitted, None, None, "what is known cannot be split by time")
    rate = accuracy(reference, confidence_level=options.confidence_level).rate
    estimated = probabilities(headline.matching, reference=reference, **asked)
    if estimated.reliability is None:
        return PairProbabilities(fitted, None, rate, NOBODY)
    off = estimated.reliability.farthest
    if off > FARTHEST:
        return PairProbabilities(fitted, None, rate, f"it would be off by up to {percent(off)}")
    return PairProbabilities(fitted, estimated, rate, "")


def _match_known_parts(
    logs: Sequence[Events], sides: Sides, headline: Headline, options: AuditOptions, progress: Progress
) -> Matching | None:
    """The known side in two parts, matched like the two sides; None where time does not divide it."""
    if options.time is None:
        return None
    try:
        parts = split_again(sides.known) if len(logs) == 1 else split(logs[1], by="halves")
        counts = [histograms(part, progress=progress) for part in parts]
        return match(*counts, similarity=headline.similarity, seed=options.seed, progress=progress)
    except DataError:
        return None
