"""Losses among as many people as in the paper, and findings of the attack."""

import numpy as np
import pytest

import singleout as so
from singleout.papers.manousakas_2018_attack import loss_among
from singleout.papers.registry import experiment
from tests.wanderers import shelf_of, wanderers


def ranked(ahead, candidates):
    ahead = np.asarray(ahead)
    return so.Ranking(ahead, np.zeros(len(ahead), dtype=np.int64), np.zeros(len(ahead)), candidates)


def test_losses_are_given_as_if_among_the_papers_people():
    harmonic = (1 / np.arange(1, 1_501)).sum()
    same = loss_among(ranked(np.arange(1_500), 1_500))
    assert same == pytest.approx(1_500 / (np.arange(1, 1_501) * harmonic) - 1)
    # the first of 100 is one of the first 15 of 1,500, each equally likely
    first = loss_among(ranked([0], 100))[0]
    assert first == pytest.approx(np.mean([1_500 / (rank * harmonic) - 1 for rank in range(1, 16)]))
    assert loss_among(ranked(np.arange(100), 100)).mean() == pytest.approx(0), "a blind order loses nothing"


def test_direction_and_what_fewer_people_meet_more_easily_do_not_count(tmp_path):
    result = experiment("manousakas-fig5").run(shelf_of(tmp_path, wanderers(np.random.default_rng(3))))
    by_text = {finding.text: finding for finding in result.findings}
    assert not by_text["with direction, more people are unique"].counts
    assert by_text["the more places, the more people are unique"].counts
    assert any("equally many visits" in note for note in result.notes)


def test_figure_7_always_names_what_size_finds_with_a_paired_test(tmp_path):
    result = experiment("manousakas-fig7").run(shelf_of(tmp_path, wanderers(np.random.default_rng(3))))
    (note,) = [note for note in result.notes if note.startswith("Mean rank")]
    assert "size" in note
    assert "exact paired test: p =" in note
    assert "split by events" in note
