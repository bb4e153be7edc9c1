"""The check that the website fetches nothing from other hosts finds what would, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "find_requests.py"


def found_in(folder, name, text):
    (folder / "_static").mkdir()
    (folder / "_static" / name).write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, str(SCRIPT), str(folder)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script defer src="https://cdn.example/a.js"></script>'),
        ("a.html", "<link rel=stylesheet href=//cdn.example/a.css>"),
        ("a.html", '<img alt="" src="http://cdn.example/a.png">'),
        ("a.html", "<style>@font-face {src: url(https://cdn.example/a.woff2)}</style>"),
        ("a.html", "<script>fetch('https://cdn.example/a.json')</script>"),
        ("a.html", '<script>request.open("GET", "https://cdn.example/a.json")</script>'),
        ("a.css", 'body { background: URL( "//cdn.example/a.png" ) }'),
        ("a.css", '@import "https://cdn.example/a.css";'),
        ("a.css", "@import url(https://cdn.example/a.css);"),
        ("a.js", 'const a=b.replace(/\\//g,"*/*");c("https://cdn.example/a.json")'),
        ("a.js", "const socket = `wss://cdn.example/`"),
        ("a.svg", '<svg><image href="https://cdn.example/a.png"/></svg>'),
    ],
)
def test_what_another_host_would_be_asked_for_is_found(tmp_path, name, text):
    done = found_in(tmp_path, name, text)
    assert done.returncode == 1
    assert name in done.stderr
    assert "cdn.example" in done.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<p>See <a href="https://example.org/">there</a>, <code>url(…)</code> and //example.org.</p>'),
        ("a.html", '<script src="_static/a.js"></script><img src="data:image/png;base64,//8A">'),
        ("a.css", "/* https://example.org/licence */ body { background: url(a.png) }"),
        ("a.js", "/*!\n * From 'https://example.org'\n */\n// see \"https://example.org\"\nfetch(address + '//')"),
        ("a.js", 'const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")'),
        ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>'),
        ("a.txt", "fetch('https://example.org')"),
    ],
)
def test_links_comments_and_namespaces_are_not_requests(tmp_path, name, text):
    done = found_in(tmp_path, name, text)
    assert (done.returncode, done.stderr) == (0, "")
