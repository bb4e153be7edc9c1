"""The JSON Schemas of all files that commands write. ``python -m singleout.cli.schemas`` writes them anew."""

from __future__ import annotations

import inspect
from importlib import resources
from pathlib import Path
from typing import Any

from singleout.assessment.audit_document import AuditDocument
from singleout.assessment.comparison_document import ComparisonDocument
from singleout.assessment.exposure import ExposureDocument
from singleout.assessment.frontier import FrontierDocument
from singleout.assessment.ladder import LadderDocument
from singleout.assessment.linking import LinkDocument, ProbableLinkDocument, ProfileDocument
from singleout.assessment.protected_file import ProtectedTableDocument
from singleout.assessment.release import ReleaseDocument
from singleout.assessment.table_frontier import TableFrontierDocument
from singleout.assessment.topology_document import TopologyDocument
from singleout.assessment.variables import VariablesDocument
from singleout.ground.files import write_json
from singleout.measures.tables.suda import SudaDict
from singleout.papers.result import ReproductionDocument
from singleout.report.folder import ManifestDocument
from singleout.report.json_schema import document_schema

DOCUMENTS: dict[str, type] = {
    "audit": AuditDocument,
    "comparison": ComparisonDocument,
    "exposure": ExposureDocument,
    "frontier": FrontierDocument,
    "links": LinkDocument,
    "manifest": ManifestDocument,
    "probable-links": ProbableLinkDocument,
    "profiles": ProfileDocument,
    "protected-table": ProtectedTableDocument,
    "release": ReleaseDocument,
    "reproduction": ReproductionDocument,
    "result": LadderDocument,
    "suda": SudaDict,
    "table-frontier": TableFrontierDocument,
    "topology": TopologyDocument,
    "variables": VariablesDocument,
}


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by the name of its file."""
    return {
        f"{name}.schema.json": document_schema(document, inspect.getdoc(document) or "")
        for name, document in DOCUMENTS.items()
    }


def write_schemas(folder: Path) -> None:
    """Write all of them."""
    for name, schema in schemas().items():
        write_json(folder / name, schema)


if __name__ == "__main__":
    write_schemas(Path(str(resources.files("singleout") / "report" / "schemas")))
