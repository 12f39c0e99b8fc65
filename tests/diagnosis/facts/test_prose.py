"""Sentences of texts that a program prints, and levels that say more than their records."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts.prose import is_prose, without_loud_level

STORY = " The old lighthouse keeper and seven other sailors were killed in the storm, which had come up from the south in the night. "


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        (STORY, True),
        (STORY.replace("sailors", "worker processes"), False),
        ("The harbour was closed and two ships were killed.", False),
        ("ERROR: " + STORY.strip(), False),
        (STORY.replace("storm,", "storm [57],"), False),
        (STORY.strip().rstrip("."), False),
    ],
    ids=["a story", "of machines", "short", "a record", "with a mark", "no end"],
)
def test_what_is_a_sentence_of_a_text(text: str, prose: bool) -> None:
    assert is_prose(text) is prose


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("CRITICAL:__main__:Starting the fit", ":__main__:Starting the fit"),
        ("ERROR:root:Epoch 57 loss 2.5", ":root:Epoch 57 loss 2.5"),
        ("ERROR:root:no room left", "ERROR:root:no room left"),
        ("ERROR: Finished with error 57", "ERROR: Finished with error 57"),
    ],
    ids=["begins", "counts", "complains", "ended badly"],
)
def test_levels_that_are_louder_than_their_records(text: str, left: str) -> None:
    assert without_loud_level(text) == left
