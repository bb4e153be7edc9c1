"""The documentation as a website: scripts/site builds it, with every warning an error."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_site"))

from singleout import __version__  # noqa: E402

project = "singleout"
author = "The singleout authors"
project_copyright = author
release = version = __version__

extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "surface"]
exclude_patterns = ["_site", "**/.ipynb_checkpoints"]
nitpicky = False

smartquotes = False  # options begin with two hyphens
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
suppress_warnings = ["mystnb.unknown_mime_type"]  # Vega-Lite, beside the picture that is shown
nb_mime_priority_overrides = [("html", "image/svg+xml", 1), ("html", "text/html", 2)]

autosummary_generate = ["reference/python.rst"]
autodoc_typehints = "none"  # numpydoc shows them from the signature
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "singleout"
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
html_sidebars = {"*": []}  # pages without pages below them
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "show_version_warning_banner": False,
}
