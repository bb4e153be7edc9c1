"""Options of attacks on event logs: what is counted, and how people are compared; declared as in ``options``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout.assessment.options import ATTACK, DATA, OptionGroup, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from singleout.reading.events import Events
    from singleout.similarity.registry import Compared
    from singleout.statistics.histograms import Histograms
    from singleout.statistics.levels import Levels

PLUGIN_HELP = "Python file that registers attacks of your own; they are tried as well, unless --similarities is given."
KNOWN_PAIRS_HELP = "Also attack as an intruder who already knows this share of the people, and learns from them."


@dataclass(frozen=True, kw_only=True)
class CountOptions(OptionGroup):
    """What of a log is counted, and when."""

    channel: str | None = option(
        "Count separately by weekday, daypart, or the values of a column.",
        panel=DATA,
        metavar="weekday|daypart|COLUMN",
    )
    measure: str = option(
        "What to count: events, or dwell (seconds until the next record).", "events", panel=DATA, metavar="events|dwell"
    )
    window: str | None = option("Daily window, such as 09:00-17:00.", panel=DATA)
    weekdays: tuple[str, ...] | None = option("Only these weekdays, such as monday,tuesday.", panel=DATA)
    whole_window: bool = option("Only people seen at both ends of the window.", default=False, panel=DATA)

    @property
    def channel_column(self) -> str | None:
        """The column that was named as the channel."""
        return None if self.channel in ("weekday", "daypart") else self.channel

    def count(self, log: Events) -> Histograms:
        """How often each person was at each place."""
        from singleout.statistics.histograms import histograms

        hours: Any = None if self.window is None else tuple(self.window.split("-"))
        what: dict[str, Any] = {"measure": self.measure, "channel": self.channel, "whole_window": self.whole_window}
        return histograms(log, **what, window=hours, days=self.weekdays)


@dataclass(frozen=True, kw_only=True)
class SimilarityOptions(OptionGroup):
    """By which similarities people are compared."""

    similarities: tuple[str, ...] | None = option(
        "Use only these similarities: evidence, js and others (see docs/methods/similarities.md; default: all, or the "
        "five of the papers for match).",
        panel=ATTACK,
    )
    levels: tuple[str, ...] | None = option(
        "Compare places at several levels: multiples of the side of a cell, or a file of places and levels.",
        panel=ATTACK,
        metavar="1,4,16 or FILE",
    )
    plugin: str | None = option(PLUGIN_HELP, panel=ATTACK, metavar="FILE")

    @property
    def file_of_levels(self) -> str | None:
        """The file of levels, where a file and not multiples of a cell were given."""
        own = self.levels is not None and len(self.levels) == 1 and not self.levels[0].isdecimal()
        return self.levels[0] if self.levels is not None and own else None

    @property
    def coarser_levels(self) -> Levels | None:
        """The levels of places that were asked for."""
        if self.levels is None:
            return None
        from singleout.statistics.levels import Levels

        return Levels.parse(self.levels)

    def choose(self, side: Histograms) -> tuple[Compared, ...]:
        """The similarities named; otherwise all that an intruder would try on a side like this one."""
        from singleout.similarity.registry import at_levels, similarities_to_try

        levels = self.coarser_levels
        if levels is not None:
            levels.coarser(side)  # what was asked for and cannot be done is an error, not left out
        named = tuple(at_levels(name, levels) for name in self.similarities or ())
        return named or similarities_to_try(side, levels)

    @property
    def attack_files(self) -> tuple[Path, ...]:
        """Files besides the data that the result depends on."""
        return tuple(Path(each) for each in (self.file_of_levels, self.plugin) if each is not None)

    def non_defaults(self) -> dict[str, Any]:
        """Everything that differs from its default; files by name, never by path."""
        plain = super().non_defaults()
        if self.levels:
            plain["levels"] = [Path(each).name for each in self.levels]
        if self.plugin:
            plain["plugin"] = Path(self.plugin).name
        return plain

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """Levels that nothing compares."""
        if values["levels"] is not None and "evidence_levels" not in (values["similarities"] or ("evidence_levels",)):
            return ["`levels` requires `similarities` to include evidence_levels, which compares them."]
        return []


OF_SIMILARITIES = tuple(each.name for each in fields(SimilarityOptions))
