"""How likely the matches of a protected file are to be right: by the key, or as an intruder could estimate it.

An intruder who knows nobody in the file can match two parts of what they know, see which margins are right there, and
take the file's margins for the same. That holds roughly where the file is from another period than what is known. Where
it covers the same period, margins in the file are larger than between two parts, and the estimate would be too low: it
is withheld then. Where people share their rows, the guarantee says more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.assessment.audit_attacks import FIRST, TARGET_PROBABILITY
from singleout.assessment.audit_events import describe_people, explain_causes
from singleout.assessment.audit_parts import Cause, PeopleAtRisk
from singleout.assessment.audit_probability import NOBODY, PairProbabilities, ProbabilityDict
from singleout.assessment.file_figures import EstimatedMatches
from singleout.assessment.file_to_verify import OpenedFile
from singleout.assessment.release import forms_of_knowledge
from singleout.assessment.verify_options import VerifyOptions
from singleout.ground.arrays import Floats
from singleout.ground.errors import DataError
from singleout.ground.numbers import percent
from singleout.matching.matching import match
from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy
from singleout.measures.probability import FARTHEST, Probabilities, finite_margins, probabilities
from singleout.measures.reasons import find_identified
from singleout.protection.suppression import suppress
from singleout.reading.split import split

MOST_LARGER = 0.3
"""How far the margins in a file may lie above those between two parts of what is known (one-sided Kolmogorov-Smirnov
distance) for an estimate to be given. On three logs, those from another period were within it, and most from the same
period beyond."""
NO_HALVES = "what is known cannot be split by time"
SHARED_ROWS = "people share their rows, so the guarantee says more"
COUNTED = "its counts may have noise, and where they do an intruder finds more by them than by shares"
SAME_PERIOD = "the file is more like what is known than two parts of that are like each other; it would be too low"


@dataclass(frozen=True, eq=False)
class LikelyMatches:
    """A joint matching of the file with what is known, and how likely its pairs are to be right.

    ``pairs`` is None without the key; ``withheld`` says why there is no ``estimate``.
    """

    matching: Matching
    pairs: PairProbabilities | None
    estimate: EstimatedMatches | None
    withheld: str

    def to_dict(self) -> ProbabilityDict | None:
        """How reliable the probabilities are, where the key is there to say."""
        return None if self.pairs is None else self.pairs.to_dict()

    def people(self, options: VerifyOptions, progress: bool | None) -> tuple[PeopleAtRisk, tuple[Cause, ...]]:
        """How many people are re-identified, and by what; who they are only if revealed.

        A row number would point at a pseudonym, and the file with it is public.
        """
        if self.pairs is None:
            return PeopleAtRisk(0, ()), ()
        asked = options.as_audit()
        found = find_identified(self.matching, self.matching.margins(progress=progress).values)
        causes = explain_causes(found, asked)
        if not options.reveal:
            return PeopleAtRisk(len(found), ()), causes
        return describe_people(found, self.pairs.fitted, None, None, asked, progress), causes


def estimate_without_key(opened: OpenedFile, options: VerifyOptions, progress: bool | None) -> LikelyMatches:
    """What an intruder would expect; nothing can be checked."""
    matching = _match(opened, FIRST, options, progress)
    reference, withheld = _match_halves(opened, matching, options, progress)
    if reference is None:
        return LikelyMatches(matching, None, None, withheld)
    estimated = probabilities(matching, reference=reference, seed=options.seed, progress=progress)
    return LikelyMatches(matching, None, _expect(opened, matching, estimated), "")


def measure_with_key(
    opened: OpenedFile, similarity: str, options: VerifyOptions, progress: bool | None
) -> LikelyMatches:
    """Probabilities fitted to other people, and the intruder's estimate where it is not far from what is right."""
    matching = _match(opened, similarity or FIRST, options, progress)
    asked: dict[str, Any] = {"confidence_level": options.confidence_level, "seed": options.seed, "progress": progress}
    fitted = probabilities(matching, **asked)
    reference, withheld = _match_halves(opened, matching, options, progress)
    if reference is None:
        return LikelyMatches(matching, PairProbabilities(fitted, None, None, withheld), None, withheld)
    rate = accuracy(reference, confidence_level=options.confidence_level).rate
    estimated = probabilities(matching, reference=reference, **asked)
    if estimated.reliability is None:
        return LikelyMatches(matching, PairProbabilities(fitted, None, rate, NOBODY), None, NOBODY)
    off = estimated.reliability.farthest
    if off > FARTHEST:
        withheld = f"it would be off by up to {percent(off)}"
        return LikelyMatches(matching, PairProbabilities(fitted, None, rate, withheld), None, withheld)
    expected, measured = _expect(opened, matching, estimated), accuracy(matching).rate
    right = expected.share * len(opened.known) / measured.n
    if not measured.low <= right <= measured.high:
        withheld = f"it would be {percent(right)}, where {measured.in_words()} was measured"
        return LikelyMatches(matching, PairProbabilities(fitted, None, rate, withheld), None, withheld)
    return LikelyMatches(matching, PairProbabilities(fitted, estimated, rate, ""), expected, "")


def _match(opened: OpenedFile, similarity: str, options: VerifyOptions, progress: bool | None) -> Matching:
    released = opened.with_ids() if opened.file.key else opened.file.rows
    return match(released, opened.known, similarity=similarity, seed=options.seed, progress=progress)


def _match_halves(
    opened: OpenedFile, matching: Matching, options: VerifyOptions, progress: bool | None
) -> tuple[Matching | None, str]:
    """What is known in two parts, at the places of the file, matched like the file; or None, and why."""
    if int(opened.file.classes.size.min()) > 1:
        return None, SHARED_ROWS
    if options.time is None:
        return None, NO_HALVES
    rows = opened.file.rows
    try:
        parts = [forms_of_knowledge(part, options)[1] for part in split(opened.log, by="halves")]
        few = [suppress(part, keep=rows.number_of_places, popularity=[rows]) for part in parts]
        reference = match(*few, similarity=matching.similarity, seed=options.seed, progress=progress)
    except DataError:
        return None, NO_HALVES
    margins = [finite_margins(each, progress) for each in (matching, reference)]
    if how_much_larger(*margins) > MOST_LARGER:
        return None, SAME_PERIOD
    return (None, COUNTED) if opened.file.noisy else (reference, "")


def how_much_larger(first: Floats, second: Floats) -> float:
    """How far the first numbers lie above the second: the largest difference of their distribution functions."""
    at = np.concatenate([first, second])
    below = [np.searchsorted(np.sort(each), at, side="right") / len(each) for each in (first, second)]
    return float((below[1] - below[0]).max(initial=0.0))


def _expect(opened: OpenedFile, matching: Matching, estimated: Probabilities) -> EstimatedMatches:
    """What an intruder would expect: no pair is more likely than identical rows allow."""
    classes = opened.file.classes
    at_most = 1.0 / classes.size[classes.label[matching.released]]
    values = np.minimum(estimated.values, at_most)
    share = float(np.sort(values).sum()) / len(opened.known)
    return EstimatedMatches(share, int((values >= TARGET_PROBABILITY).sum()), len(values))
