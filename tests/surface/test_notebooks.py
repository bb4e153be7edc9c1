"""A plain notebook, without ipywidgets: the first cell of the tutorial runs there."""

import nbformat
from nbclient import NotebookClient

CELL = """
import sys
sys.modules["ipywidgets"] = None  # as if it were not installed
import singleout as so
log = so.synthetic_calls(people=20, seed=1)
events = so.read_events(log.table, user="user", time="time", place="place")
print(len(so.histograms(events)))
"""


def test_a_notebook_without_ipywidgets_reads_events():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    assert [output.text for output in notebook.cells[0].outputs if output.output_type == "stream"][-1] == "20\n"
