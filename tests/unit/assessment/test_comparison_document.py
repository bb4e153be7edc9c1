"""What compare.json holds: the fields that its types name, in that order."""

from typing import get_args, get_type_hints

from singleout.assessment.comparison import Verdict, compare_audits
from singleout.assessment.comparison_document import ComparisonDocument
from tests.audits import of_events


def test_a_comparison_writes_the_fields_of_its_type_in_their_order():
    assert list(compare_audits(of_events(300), of_events(400)).to_dict()) == list(get_type_hints(ComparisonDocument))


def test_the_file_may_say_every_verdict_and_no_other():
    assert list(get_args(get_type_hints(ComparisonDocument)["verdict"])) == [each.value for each in Verdict]
