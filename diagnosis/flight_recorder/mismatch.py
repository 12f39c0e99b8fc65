"""Ranks that called something else than the others under the same number, found by majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.flight_recorder.evidence import EntryRef
from logtui.diagnosis.flight_recorder.group_log import GroupLog, Position
from logtui.diagnosis.flight_recorder.joined import Group, Joined
from logtui.diagnosis.flight_recorder.signature import Signature, numel, own_fault, signature

MAX_PER_GROUP = 8
"""After the first mismatch in a group the following ones repeat it."""
LEVELS = ("type", "size", "dtype")
"""What is compared, in this order; a difference in one makes the next meaningless."""
