"""The tutorial as a plain notebook, without ipywidgets: every cell runs, and its export shows tables and drawings."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

pytestmark = pytest.mark.heavy

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
WITHOUT_WIDGETS = "import sys; sys.modules['ipywidgets'] = None  # as if it were not installed"


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    parts = re.split(r"```python\n(.*?)```\n", TUTORIAL.read_text(), flags=re.DOTALL)
    cells = [
        (nbformat.v4.new_code_cell if number % 2 else nbformat.v4.new_markdown_cell)(part)
        for number, part in enumerate(parts)
    ]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(WITHOUT_WIDGETS), *cells])
    folder = str(tmp_path_factory.mktemp("notebook"))
    NotebookClient(made, kernel_name="python3", timeout=300, resources={"metadata": {"path": folder}}).execute()
    return made


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_every_cell_runs_and_nothing_goes_to_the_error_stream(notebook):
    assert [output.text for output in outputs(notebook) if output.get("name") == "stderr"] == []


def test_every_chart_has_its_specification_and_a_drawing(notebook):
    charts = [output.data for output in outputs(notebook) if "image/svg+xml" in output.get("data", {})]
    assert len(charts) == 3
    assert all(chart["application/vnd.vegalite.v5+json"]["$schema"] for chart in charts)


def test_the_exported_page_shows_tables_and_drawings_in_place_of_words(notebook):
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert len(re.findall(r'<img[^>]* src="data:image/svg\+xml;base64,', page)) == 3
    assert page.count("<table>") >= 4
    assert "Picture:" not in page
    assert "object at 0x" not in page
