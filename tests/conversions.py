"""Converts publishers' files as the command does."""

from singleout.papers.originals.all import ORIGINALS


def converted(name, source, out):
    chosen = ORIGINALS[name]
    found = chosen.find(source)
    out.mkdir(exist_ok=True)
    return found, chosen.convert(found, out)
