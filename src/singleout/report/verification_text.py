"""A verification as text for a terminal."""

from __future__ import annotations

from rich.console import Console

from singleout.assessment.audit_result import Audit
from singleout.assessment.verification_result import Verification
from singleout.report.terminal import show_audit


def show_verification(found: Audit, console: Console) -> None:
    """Print the attacks, the answer and the limit as of an audit; then what the file guarantees, and the estimate."""
    show_audit(found, console)
    if isinstance(found, Verification):
        if found.file.identities:
            said = f"{found.file.in_words()} {found.file.groups_in_words()}".rstrip()
            console.print(said, markup=False, highlight=False)
        console.print(found.file.estimate_in_words(), markup=False, highlight=False)
