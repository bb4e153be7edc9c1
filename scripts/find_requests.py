"""Fail if a page of a website would ask another host for something.

    python scripts/find_requests.py FOLDER

Links may lead anywhere; what a page loads by itself may not: scripts, styles, pictures, fonts, and what scripts fetch.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

HOST = r"(?:https?:|wss?:)?//\w"
LOADED = {
    "an element": rf"<(?:script|link|img|iframe|source|video|audio|embed|object|image|use)\b[^>]*"
    rf"\b(?:src|srcset|href|data|poster)=[\"']?\s*{HOST}[^\"'>]*",
    "a style": rf"(?:\burl\(|@import)\s*(?:url\()?\s*[\"']?\s*{HOST}[^\"')]*",
    "a call": rf"\b(?:fetch|import|importScripts|open|sendBeacon|Worker|WebSocket|EventSource)\s*\(\s*"
    rf"(?:[\"'`]\w+[\"'`]\s*,\s*)?[\"'`]{HOST}[^\"'`]*",
}
QUOTED = re.compile(rf"[\"'`]({HOST}[^\"'`\s]*)")
COMMENT = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
"""Lines that are nothing but a comment; elsewhere two slashes may be part of an expression or a text."""
NAMES = ("http://www.w3.org/",)
"""Names of XML, which nobody asks for."""


def requests(text: str, kind: str) -> Iterator[str]:
    """What a file of some kind (html, css, js, svg) would load from a host."""
    for what, pattern in LOADED.items():
        yield from (f"{what}: {found.group()}" for found in re.finditer(pattern, text, re.IGNORECASE))
    if kind == "js":
        addresses = QUOTED.findall(COMMENT.sub("", text))
        yield from (f"an address: {each}" for each in addresses if not each.startswith(NAMES))


def main(folder: Path) -> int:
    """List what would be loaded; 1 if there is anything."""
    bad = 0
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".html", ".css", ".js", ".svg"):
            for found in requests(path.read_text(encoding="utf-8"), path.suffix[1:]):
                print(f"{path}: {found[:200]}", file=sys.stderr)
                bad += 1
    if bad:
        print("the site must fetch nothing from other hosts", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
