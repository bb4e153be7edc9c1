"""The variants of fieldsMatch and friendsMatch in R12 IV-D, as arguments of the two functions."""

from __future__ import annotations

from typing import Any

from singleout.ground.errors import unknown_name
from singleout.reading.spellings import NICKNAMES, STATES

PRESETS = ("nameMatch", "fieldsMatch1", "fieldsMatch2", "fieldsMatch3", "friendsMatch")


def presets(
    name: str, *, first: str = "first", last: str = "last", location: str = "location", nicknames: bool = False
) -> dict[str, Any]:
    """Blocking and comparison of one of R12's variants (IV-D), as keyword arguments to pass with ``**``.

    Parameters
    ----------
    name
        nameMatch: same first and last name, nothing compared. fieldsMatch1 and fieldsMatch2: same first name and
        initial of the last; the last name compared exactly, or by whether one contains the other. fieldsMatch3: same
        first name and one last name contained in the other; locations compared by whether one contains the other,
        with abbreviations of states written out if they are in capitals after a comma, or alone.
        friendsMatch: the blocking of fieldsMatch2, for ``match_friends``.
    first, last, location
        Names of the columns.
    nicknames
        Treat common English nicknames as the names they stand for.
    """
    if name not in PRESETS:
        raise unknown_name("presets", "name", str(name), PRESETS)
    loose = {first: "exact", last: "initial"}
    variants: dict[str, dict[str, Any]] = {
        "nameMatch": {"block": {first: "exact", last: "exact"}, "compare": {}},
        "fieldsMatch1": {"block": loose, "compare": {last: ("exact", 1.0)}},
        "fieldsMatch2": {"block": loose, "compare": {last: ("contains", 1.0)}},
        "fieldsMatch3": {"block": {first: "exact", last: "contains"}, "compare": {location: ("contains", 1.0)}},
        "friendsMatch": {"block": loose},
    }
    spellings: dict[str, dict[str, str]] = {first: NICKNAMES} if nicknames else {}
    if name == "fieldsMatch3":
        spellings = spellings | {location: STATES}
    return {**variants[name], "spellings": spellings}
