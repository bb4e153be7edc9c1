"""Scores of groups of people, as a table of everyone."""

import numpy as np


def of_people(scores):
    """The scores of everyone with everyone."""
    return scores.between(*(np.arange(len(each.label)) for each in scores.groups))
