"""Different spellings of the same word: nicknames of first names, abbreviations of states."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+")
AFTER_A_COMMA = re.compile(r"(?<=,)( ?)([A-Z]{2})\b")


class Words(dict[str, str]):
    """Case-folded words and what they stand for."""

    def fold(self, text: str) -> str:
        """A text as it is compared: case folded, every word in its standard spelling."""
        return WORD.sub(lambda word: self.get(word.group(), word.group()), text.casefold())


class States(Words):
    """Abbreviations that are words too: they count in capitals after a comma, or as the whole value."""

    def fold(self, text: str) -> str:
        """A text as it is compared: La Jolla, CA lies in California and not in Louisiana."""
        written_out = AFTER_A_COMMA.sub(lambda found: found[1] + self.get(found[2].casefold(), found[2]), text)
        return self.get(text.casefold(), written_out.casefold())


NICKNAMES = {
    "abby": "abigail", "al": "albert", "alex": "alexander", "andy": "andrew", "barb": "barbara", "becky": "rebecca",
    "ben": "benjamin", "beth": "elizabeth", "betty": "elizabeth", "bill": "william", "bob": "robert",
    "bobby": "robert", "cathy": "catherine", "charlie": "charles", "chris": "christopher", "chuck": "charles",
    "cindy": "cynthia", "dan": "daniel", "danny": "daniel", "dave": "david", "deb": "deborah", "debbie": "deborah",
    "dick": "richard", "don": "donald", "ed": "edward", "fred": "frederick", "greg": "gregory", "jen": "jennifer",
    "jenny": "jennifer", "jess": "jessica", "jim": "james", "jimmy": "james", "joe": "joseph", "johnny": "john",
    "josh": "joshua", "kate": "katherine", "kathy": "katherine", "katie": "katherine", "ken": "kenneth",
    "larry": "lawrence", "liz": "elizabeth", "maggie": "margaret", "matt": "matthew", "mike": "michael",
    "nick": "nicholas", "pam": "pamela", "pat": "patricia", "peggy": "margaret", "pete": "peter", "ray": "raymond",
    "rich": "richard", "rick": "richard", "rob": "robert", "ron": "ronald", "sam": "samuel", "sandy": "sandra",
    "steve": "steven", "sue": "susan", "ted": "edward", "terry": "teresa", "tim": "timothy", "tom": "thomas",
    "tony": "anthony", "vicky": "victoria", "will": "william",
}  # fmt: skip

STATES = States({
    "al": "alabama", "ak": "alaska", "az": "arizona", "ar": "arkansas", "ca": "california", "co": "colorado",
    "ct": "connecticut", "de": "delaware", "dc": "district of columbia", "fl": "florida", "ga": "georgia",
    "hi": "hawaii", "id": "idaho", "il": "illinois", "in": "indiana", "ia": "iowa", "ks": "kansas", "ky": "kentucky",
    "la": "louisiana", "me": "maine", "md": "maryland", "ma": "massachusetts", "mi": "michigan", "mn": "minnesota",
    "ms": "mississippi", "mo": "missouri", "mt": "montana", "ne": "nebraska", "nv": "nevada", "nh": "new hampshire",
    "nj": "new jersey", "nm": "new mexico", "ny": "new york", "nc": "north carolina", "nd": "north dakota",
    "oh": "ohio", "ok": "oklahoma", "or": "oregon", "pa": "pennsylvania", "ri": "rhode island",
    "sc": "south carolina", "sd": "south dakota", "tn": "tennessee", "tx": "texas", "ut": "utah", "vt": "vermont",
    "va": "virginia", "wa": "washington", "wv": "west virginia", "wi": "wisconsin", "wy": "wyoming",
})  # fmt: skip
