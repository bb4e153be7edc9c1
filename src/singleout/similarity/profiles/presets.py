"""The variants of fieldsMatch and friendsMatch in R12 IV-D, as arguments of the two functions."""

from __future__ import annotations

from typing import Any, get_args

from singleout.ground.errors import unknown_name
from singleout.ground.names import ProfilePreset
from singleout.reading.spellings import NICKNAMES, STATES

PRESETS: tuple[ProfilePreset, ...] = get_args(ProfilePreset)


def presets(
    name: ProfilePreset,
    *,
    first: str = "first",
    last: str = "last",
    location: str = "location",
    nicknames: bool = False,
) -> dict[str, Any]:
    """Blocking and comparison of one of the variants of Ramachandran 2012 (IV-D), to pass with ``**``.

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

    Returns
    -------
    dict[str, Any]
        Arguments ``block`` and ``compare`` of ``match_profiles``.

    Examples
    --------
    >>> import singleout as so
    >>> so.presets("nameMatch")["block"]
    {'first': 'exact', 'last': 'exact'}
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
