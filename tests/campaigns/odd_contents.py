"""Odd contents of files that only some commands read: attacks of a user's own, earlier results, publishers' files."""

import hashlib
import json

from tests.campaigns.odd_words import ESCAPES

PLUGIN = "import singleout as so\nso.register_similarity('own', lambda p, q: min(p, q), 1.0, description='own')\n"
PLUGINS = {
    "good.py": PLUGIN,
    "empty.py": "",
    "syntax.py": "def (",
    "zeros.py": b"\x00\x01\x02",
    "latin.py": b"name = '\xe9'\n",
    "nothing.py": "import singleout\n",
    "leaves.py": "import sys\nsys.exit(0)\n",
    "leaves-twice.py": "raise SystemExit('x' * 70_000)\n",
    "raises.py": f"raise ValueError({ESCAPES!r})\n",
    "raises-much.py": "raise ValueError('x\\n' * 70_000)\n",
    "raises-oddly.py": "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd\n",
    "bytes.py": "raise OSError(2, 'no', b'\\xff')\n",
    "memory.py": "raise MemoryError\n",
    "lacks.py": "import nosuch_module\n",
    "endless.py": "def f():\n    f()\nf()\n",
    "prints.py": f"print({ESCAPES!r})\n{PLUGIN}",
    "number.py": "import singleout as so\nso.register_similarity('own', 3, 1.0)\n",
    "usual.py": "import singleout as so\nso.register_similarity('js', min, 1.0)\n",
    "name.py": f"import singleout as so\nso.register_similarity({ESCAPES!r}, min, 1.0)\n",
    "long.py": "import singleout as so\nso.register_similarity('own' * 9_000, min, 1.0, description='x' * 90_000)\n",
    "text.py": "import singleout as so\nso.register_similarity('own', lambda p, q: 'x', 1.0)\n",
    "nan.py": "import singleout as so\nso.register_similarity('own', lambda p, q: float('nan'), 1.0)\n",
    "infinite.py": "import singleout as so\nso.register_similarity('own', lambda p, q: float('inf'), 1.0)\n",
    "negative.py": "import singleout as so\nso.register_similarity('own', lambda p, q: -p, 1.0)\n",
    "divides.py": "import singleout as so\nso.register_similarity('own', lambda p, q: p / 0, 1.0)\n",
    "nowhere.py": "import singleout as so\nso.register_attack('own', lambda *_: 3)\n",
    "no-python.txt": PLUGIN,
}
ODD = (
    None,
    True,
    -1,
    0,
    2,
    0.5,
    2**70,
    float("nan"),
    float("inf"),
    -1e308,
    "",
    "x" * 70_000,
    ESCAPES,
    "1",
    [],
    {},
    [{}],
)
"""What may stand in a JSON file where something else is meant."""


def broken_results(good, rng, number=200):
    """Texts of an earlier result of which one value is gone or another one, by name."""
    yield from {
        "half": good[: len(good) // 2],
        "twice": good + good,
        "marked": "\ufeff" + good,
        "wide": good.encode("utf-16"),
        "lines": good.replace("\n", "\r\n"),
        "other version": good.replace("singleout/audit/", "singleout/audit/9"),
        "no version": good.replace("singleout/audit/", "x"),
    }.items()
    for each in range(number):
        document = json.loads(good)
        paths = list(_paths(document))
        *way, last = paths[rng.integers(len(paths))]
        inside = document
        for step in way:
            inside = inside[step]
        odd = rng.integers(len(ODD) + 1)
        if odd == len(ODD):
            del inside[last]
        else:
            inside[last] = ODD[odd]
        yield f"{each}, {'/'.join(map(str, (*way, last)))}", json.dumps(document)


def _paths(document):
    """The way to every value inside."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for name, value in items:
        yield (name,)
        if isinstance(value, dict | list):
            yield from ((name, *rest) for rest in _paths(value))


def manifest_of(result):
    """A manifest that lists a result."""
    listed = [{"name": "audit.json", "sha256": hashlib.sha256(result.encode()).hexdigest()}]
    return json.dumps({"files": listed, "inputs": listed, "versions": {"singleout": "1"}})


POINT = "39.906631,116.385564,0,492,39745.1,2009-10-11,14:04:30\n"
VENUE = (
    "9bbd6c0\t4bf58d\tArts & Crafts Store\t40.719810375488535\t-74.00258103213994\t-240\tTue Apr 03 18:00:09 +0000 2012"
)
GOWALLA_FILE, GOWALLA_TEXT = "loc-gowalla_totalCheckins.txt", "7\t2010-10-17T01:48:53Z\t40.75\t-73.99\t420315\n" * 20
HOME = "SERIALNO,STATE,REGION,PUMA,WGTP,TEN,NP,TYPEHUGQ\n2024HU0000001,01,3,00100,12,1,2,1\n" * 2
PERSON = "SERIALNO,SPORDER,PWGTP,AGEP,SEX\n2024HU0000001,1,12,33,2\n" * 2
ORIGINALS = {
    "geolife": {"Data/007/Trajectory/a.plt": "Geolife trajectory\n" * 6 + POINT * 20},
    "web": {"user0001.csv": "timestamp,site\n" + "2013-11-15 08:01:09,a.com\n" * 20},
    "snap-checkins": {GOWALLA_FILE: GOWALLA_TEXT},
    "foursquare": {"dataset_TSMC2014_NYC.txt": f"470\t{VENUE}\n" * 20},
    "census": {"psam_h01.csv": HOME, "psam_p01.csv": PERSON},
}
"""A few lines of every data set as its publisher writes them, by the names of files."""


def changed(text, rng):
    """A text in which a few bytes are other ones, gone or repeated."""
    content = bytearray(text.encode())
    for _ in range(rng.integers(1, 6)):
        place = int(rng.integers(len(content)))
        length = int(rng.integers(1, 30))
        put = [rng.bytes(length), b"", bytes(content[place : place + length]) * 9, b"\t,\n\"'\x00"[: length % 7]]
        content[place : place + length * int(rng.integers(2))] = put[rng.integers(len(put))]
    return bytes(content)
