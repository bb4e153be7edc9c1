"""Two synthetic sites that share some people, in the shape of R12's Twitter and Facebook (IV-C).

Names follow a heavy tail, friends form circles, and each site shows a part of them. Every result measured on these
sites must be called synthetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.arrays import Integers
from singleout.ground.errors import bad_argument, is_number, is_whole
from singleout.ground.notebooks import Described
from singleout.reading.spellings import NICKNAMES, STATES

Words = NDArray[Any]


def _words(text: str) -> list[str]:
    return text.split()


FIRST = _words(
    "james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph "
    "jessica thomas sarah christopher karen charles lisa daniel nancy matthew sandra anthony ashley donald margaret "
    "steven emily andrew kimberly kenneth deborah joshua carol benjamin rebecca samuel cynthia gregory katherine "
    "alexander catherine frederick pamela nicholas victoria timothy teresa raymond abigail lawrence albert edward peter"
)
CITIES = _words(
    "springfield:il chicago:il austin:tx houston:tx dallas:tx portland:or seattle:wa boston:ma cambridge:ma "
    "miami:fl tampa:fl orlando:fl denver:co boulder:co albany:ny brooklyn:ny buffalo:ny oakland:ca fresno:ca "
    "sacramento:ca pasadena:ca atlanta:ga savannah:ga columbus:oh dayton:oh cleveland:oh newark:nj trenton:nj "
    "richmond:va arlington:va baltimore:md annapolis:md phoenix:az tucson:az detroit:mi lansing:mi"
)
NOWHERE = ("earth", "here and there", "everywhere", "online", "behind you")
ONSETS = _words("b br c ch d f g gr h j k l m n p r s st t tr v w")
RIMES = _words("ack ain and arn art eal ell en erg ett ick ill in ing old on or ott ow un")
ENDINGS = _words("ed er ey ford ham land ley man son ton wood")
CIRCLE = 60
CUT_AT = 8
NAMESAKES = 0.5
"""Share of the other known people with someone's full name, not only the first name."""


@dataclass(frozen=True, eq=False)
class ProfileSites(Described):
    """Two synthetic sites: profiles (id, first, last, location, cut), friends by name (person, name), the true pairs.

    ``cut`` says whether the site shows at most eight friends in this person's block of names (Ramachandran 2012 IV-C).

    Examples
    --------
    >>> import singleout as so
    >>> sites = so.synthetic_profiles(people=40, known=100, seed=1)
    >>> sites.released.column_names
    ['id', 'first', 'last', 'location', 'cut']
    """

    released: pa.Table
    known: pa.Table
    released_edges: pa.Table
    known_edges: pa.Table
    truth: dict[str, str]
    label: str = "synthetic"

    def facts(self) -> dict[str, object]:
        """Sizes."""
        return {
            "released": self.released.num_rows,
            "known": self.known.num_rows,
            "on both": len(self.truth),
            "label": self.label,
        }

    def __repr__(self) -> str:
        people = f"{self.released.num_rows:,} released, {self.known.num_rows:,} known profiles"
        return f"ProfileSites({people}, {len(self.truth):,} people on both, synthetic)"


def synthetic_profiles(
    *, people: int = 1_600, known: int = 20_000, both: float = 0.6, cut: float = 0.69, seed: int = 0
) -> ProfileSites:
    """Two sites of profiles: names, nicknames, free-form locations, lists of friends.

    In the shape of the case study of Ramachandran 2012 (section IV-C).

    Parameters
    ----------
    people, known
        Profiles of the released and of the known site.
    both
        Share of the released people who also have a known profile.
    cut
        Share of blocks of names whose known profiles show at most eight friends (Ramachandran 2012: 1,100 of 1,600
        users).
    seed
        Seed for everything random; the same seed gives the same result.

    Returns
    -------
    ProfileSites
        Both sites, and the true pairs.

    Examples
    --------
    >>> import singleout as so
    >>> so.synthetic_profiles(people=40, known=100, seed=1)
    ProfileSites(40 released, 100 known profiles, 24 people on both, synthetic)
    """
    _check(people, known, both, cut)
    rng = np.random.default_rng(seed)
    on_both = min(round(both * people), known)
    persons = _persons(people, known - on_both, rng)
    # persons on both sites come first; each site lists its people in an order of its own
    released = rng.permutation(people)
    other = rng.permutation(np.concatenate([np.arange(on_both), np.arange(people, people + known - on_both)]))
    is_cut = rng.random(persons.block.max() + 1) < cut
    friends = _friendships(persons, rng)
    sides = [
        _site(persons, released, _visible_part(friends, 0.6, rng), "r", is_cut, rng, plain=False),
        _site(persons, other, _first_eight(_visible_part(friends, 0.6, rng), persons, is_cut, rng), "k", is_cut, rng),
    ]
    mine, theirs = ({person: row for row, person in enumerate(site.tolist())} for site in (released, other))
    truth = {f"r{mine[person]}": f"k{theirs[person]}" for person in range(on_both)}
    return ProfileSites(sides[0][0], sides[1][0], sides[0][1], sides[1][1], truth)


def _check(people: Any, known: Any, both: Any, cut: Any) -> None:
    for name, size in (("people", people), ("known", known)):
        if not is_whole(size) or size < 2:
            raise bad_argument("synthetic_profiles", name, "a whole number of at least 2", size)
    for name, share in (("both", both), ("cut", cut)):
        if not is_number(share) or not 0 <= share <= 1:
            raise bad_argument("synthetic_profiles", name, "between 0 and 1", share)


@dataclass(frozen=True, eq=False)
class _Persons:
    """Everyone on either site. ``block`` is the first name and the initial of the last name."""

    first: Words
    nickname: Words
    last: Words
    city: Integers
    block: Integers

    def __len__(self) -> int:
        return len(self.first)


def _persons(people: int, others: int, rng: np.random.Generator) -> _Persons:
    """The released people, and others whom a search for their names returns on the known site (R12 IV-C)."""
    number = people + others
    first_names, last_names = np.array(FIRST, dtype=object), _last_names(rng)
    first = rng.choice(len(first_names), number, p=_zipf(len(first_names), 0.6))
    last = rng.choice(len(last_names), number, p=_zipf(len(last_names), 0.8))
    searched = rng.integers(0, people, others)
    first[people:] = first[searched]
    last[people:] = np.where(rng.random(others) < NAMESAKES, last[searched], last[people:])
    full, family = first_names[first], last_names[last]
    city = rng.choice(len(CITIES), number, p=_zipf(len(CITIES), 0.5))
    initial = np.array([ord(name[0]) - ord("a") for name in family])
    return _Persons(full, _nicknames(full, rng), family, city, first * 26 + initial)


def _nicknames(first: Words, rng: np.random.Generator) -> Words:
    """One nickname for everyone; the name itself if there is none."""
    short: dict[str, list[str]] = {}
    for nickname, name in NICKNAMES.items():
        short.setdefault(name, []).append(nickname)
    chosen = rng.random(len(first))
    names = [short.get(name, [name]) for name in first]
    return np.array([some[int(draw * len(some))] for some, draw in zip(names, chosen, strict=True)], dtype=object)


def _last_names(rng: np.random.Generator, number: int = 600) -> Words:
    """Synthetic family names; some contain others, as Hartmann contains Mann."""
    made = {f"{a}{b}" for a in ONSETS for b in RIMES}
    made |= {f"{name}{ending}" for name in sorted(made) for ending in ENDINGS}
    names = np.array(sorted(name for name in made if len(name) > 3), dtype=object)
    return rng.choice(names, number, replace=False)


def _zipf(number: int, power: float) -> NDArray[np.float64]:
    share = 1 / np.arange(1, number + 1) ** power
    return np.asarray(share / share.sum())


def _friendships(persons: _Persons, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Who is whose friend: mostly people of the same circle, some from anywhere, popular people more often."""
    people = len(persons)
    # circles are made within a city
    ranked = np.lexsort((rng.random(people), persons.city))
    position = np.empty(people, dtype=np.int64)
    position[ranked] = np.arange(people)
    degree = np.minimum(2 + rng.lognormal(3.0, 0.8, people), 300).astype(np.int64)
    person = np.repeat(np.arange(people), degree)
    near = position[person] // CIRCLE * CIRCLE + rng.integers(0, CIRCLE, len(person))
    popular = rng.permutation(people)[(people * rng.random(len(person)) ** 3).astype(np.int64)]
    friend = np.where(rng.random(len(person)) < 0.7, ranked[np.minimum(near, people - 1)], popular)
    kept = friend != person
    pairs = np.unique(person[kept] * people + friend[kept])
    return pairs // people, pairs % people


def _visible_part(
    friends: tuple[Integers, Integers], share: float, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """The part of the friendships that one site has."""
    kept = rng.random(len(friends[0])) < share
    return friends[0][kept], friends[1][kept]


def _first_eight(
    friends: tuple[Integers, Integers], persons: _Persons, is_cut: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """At most eight random friends of the people in a block that is cut."""
    order = np.lexsort((rng.random(len(friends[0])), friends[0]))
    person = friends[0][order]
    place = np.arange(len(person)) - np.searchsorted(person, person)
    kept = ~is_cut[persons.block[person]] | (place < CUT_AT)
    return person[kept], friends[1][order][kept]


def _site(
    persons: _Persons,
    members: Integers,
    friends: tuple[Integers, Integers],
    letter: str,
    is_cut: NDArray[np.bool_],
    rng: np.random.Generator,
    *,
    plain: bool = True,
) -> tuple[pa.Table, pa.Table]:
    """Profiles of the members, and their friends by the names shown here; ``plain``: the site asks for real names."""
    short = rng.random(len(persons)) < (0.1 if plain else 0.3)
    first = np.where(short, persons.nickname, persons.first)
    # a second family name is one that the other is contained in
    double = rng.random(len(persons)) < 0.05
    last = np.where(double, persons.last + "-" + rng.permutation(persons.last), persons.last)
    table = {
        "id": [f"{letter}{row}" for row in range(len(members))],
        "first": [name.title() for name in first[members]],
        "last": [name.title() for name in last[members]],
        "location": _locations(persons.city[members], plain, rng),
        "cut": is_cut[persons.block[members]],
    }
    row = np.full(len(persons), -1, dtype=np.int64)
    row[members] = np.arange(len(members))
    person, friend = friends[0][row[friends[0]] >= 0], friends[1][row[friends[0]] >= 0]
    names = np.array([f"{a} {b}".title() for a, b in zip(first, last, strict=True)], dtype=object)
    edges = {"person": [f"{letter}{at}" for at in row[person]], "name": names[friend].tolist()}
    return pa.table(table), pa.table(edges)


def _locations(city: Integers, plain: bool, rng: np.random.Generator) -> list[str | None]:
    """What people write: city and state, either alone, abbreviated or not, a joke, or nothing."""
    written: list[str | None] = []
    for place, draw in zip(city.tolist(), rng.random(len(city)).tolist(), strict=True):
        town, state = CITIES[place].split(":")
        full = f"{town.title()}, {STATES[state].title()}"
        free = [full, f"{town.title()}, {state.upper()}", town.title(), state.upper(), STATES[state].title(), None]
        free += [NOWHERE[place % len(NOWHERE)]] * 2
        written.append((full if draw < 0.4 else None) if plain else free[int(draw * len(free))])
    return written
