"""What the result file of ``topology`` holds: the fields that its type names, in that order."""

from typing import get_type_hints

import singleout as so
from singleout.assessment.topology_document import TopologyDocument


def test_a_topology_writes_the_fields_of_its_type_in_their_order():
    log = so.synthetic_wifi(people=20, access_points=30, seed=1)
    found = so.topology(log.events, top=[4], kernels=["size"])
    assert list(found.to_dict()) == list(get_type_hints(TopologyDocument))
    assert list(found.to_dict()["strongest"])[-2:] == ["size", "against_size"]
