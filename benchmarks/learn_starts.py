"""Learn where runs begin, from labelled logs outside the project.

    uv run --with scikit-learn python benchmarks/learn_starts.py FOLDER [--check]

FOLDER holds a folder for each log: the log, and `truth.json` with `started`, the time of the newest run's first stamp,
and `starts`, the lines at which its runs begin (the last 30), or null where only the newest is known; `owner` keeps
logs of one project together. Writes `diagnosis/facts/start_table.json`; with --check it writes nothing, but says
in how many logs of owners that were left out of the learning the newest run's start is right.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-not-found]

from logtui.diagnosis.facts.openings import MOST_BYTES
from logtui.diagnosis.facts.start_lines import Lines
from logtui.diagnosis.facts.start_places import BEGINS, NEAR_S
from logtui.diagnosis.facts.start_signs import Signs

TABLE = Path(__file__).parents[1] / "diagnosis/facts/start_table.json"
RIGHT_S = 60.0
"""So near a start is right."""
BEFORE, BEHIND, AT_ONCE = 2, 25, 3
"""Lines above and below a labelled one in which the place of its run stands; places right behind one say nothing."""
PARTS, FULL = 5, 30
"""Parts of which each is left out once; runs that a label lists at most."""


@dataclass
class Log:
    """A labelled log, as far as it is learnt from."""

    owner: str
    started: float
    starts: list[int] | None
    clocks: list[float]
    lines: list[int]
    places: list[int]
    signs: list[list[float]]

    @property
    def is_single(self) -> bool:
        """Whether the first run is the newest."""
        return abs(self.clocks[0] - self.started) <= NEAR_S


def read(folder: Path) -> Log | None:
    """A labelled log; None where its label is of no line of it."""
    truth = json.loads((folder / "truth.json").read_text())
    log = next(path for path in folder.iterdir() if path.name != "truth.json")
    lines = Lines(log.read_bytes()[:MOST_BYTES])
    started = _epoch(truth["started"])
    if min((abs(clock - started) for clock in lines.clocks), default=NEAR_S + 1) > NEAR_S:
        return None
    signs = Signs(lines)
    owner = truth.get("owner") or folder.name
    told = [signs.of(at) for at in signs.places]
    return Log(owner, started, truth.get("starts"), lines.clocks, lines.stamped, signs.places, told)


def _epoch(text: str) -> float:
    text = re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", re.sub(r"(\.\d{6})\d+", r"\1", text))
    time = datetime.fromisoformat(text)
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def begins(log: Log) -> tuple[set[int], int]:
    """Places at which runs begin, and the first place of which that is known."""
    if log.is_single:
        return set(), 0
    newest = next((at for at in log.places if abs(log.clocks[at] - log.started) <= NEAR_S), None)
    if newest is None:
        return set(), len(log.clocks)
    older = (log.starts or [])[1:-1]
    places = {newest} | {at for line in older if (at := _place_of(log, line)) is not None}
    whole = log.starts is not None and 1 < len(log.starts) < FULL
    return places, 0 if whole else min(places)


def _place_of(log: Log, line: int) -> int | None:
    near = range(line - BEFORE, line + BEHIND + 1)
    return next((at for at in log.places if log.lines[at] + 1 in near), None)


def rows(logs: list[Log]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Signs, whether a run begins, and the weight of each place that is known: a log of many counts little more."""
    signs, begun, weights = [], [], []
    for log in logs:
        places, known = begins(log)
        told = [
            (sign, at in places) for at, sign in zip(log.places, log.signs, strict=True) if _tells(at, places, known)
        ]
        signs += [sign for sign, _ in told]
        begun += [is_start for _, is_start in told]
        weights += [1 / np.sqrt(len(told))] * len(told) if told else []
    return np.array(signs), np.array(begun), np.array(weights) / np.mean(weights)


def _tells(at: int, places: set[int], known: int) -> bool:
    return at in places or (at >= known and not any(0 < at - place < AT_ONCE for place in places))


def learnt(logs: list[Log]) -> HistGradientBoostingClassifier:
    """Small trees, many of them, each of which sees a third of the signs."""
    model = HistGradientBoostingClassifier(
        max_iter=250, learning_rate=0.05, max_leaf_nodes=6, min_samples_leaf=8, l2_regularization=3.0, max_features=0.3,
        random_state=0,
    )  # fmt: skip
    signs, begun, weights = rows(logs)
    return model.fit(signs, begun, sample_weight=weights)


def as_table(model: HistGradientBoostingClassifier) -> dict[str, object]:
    """The trees in columns, as `start_forest` reads them."""
    trees = []
    for (tree,) in model._predictors:
        nodes = tree.nodes
        leaf = nodes["is_leaf"].astype(bool)
        limit = np.where(leaf, nodes["value"], nodes["num_threshold"])
        sign = np.where(leaf, -1, nodes["feature_idx"])
        trees.append(
            [sign.tolist(), [float(f"{v:.6g}") for v in limit], nodes["left"].tolist(), nodes["right"].tolist()]
        )
    return {"signs": model.n_features_in_, "base": float(model._baseline_prediction[0, 0]), "trees": trees}


def check(logs: list[Log]) -> None:
    """Print in how many logs the newest start is right that were left out, by whether they hold one run or several."""
    owners = sorted({log.owner for log in logs})
    random.Random(0).shuffle(owners)
    part = {owner: n % PARTS for n, owner in enumerate(owners)}
    right: dict[bool, list[bool]] = {True: [], False: []}
    for out in range(PARTS):
        model = learnt([log for log in logs if part[log.owner] != out])
        for log in (log for log in logs if part[log.owner] == out):
            right[log.is_single].append(abs(_newest(model, log) - log.started) <= RIGHT_S)
    for single, told in right.items():
        print("one run" if single else "several runs", f"{sum(told)}/{len(told)}", f"{np.mean(told):.1%}")


def _newest(model: HistGradientBoostingClassifier, log: Log) -> float:
    if not log.places:
        return log.clocks[0]
    chances = model.predict_proba(np.array(log.signs))[:, 1]
    later = [log.clocks[at] for at, chance in zip(log.places, chances, strict=True) if chance >= BEGINS]
    return later[-1] if later else log.clocks[0]


def main() -> None:
    """Learn, or check what was learnt."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--check", action="store_true")
    asked = options.parse_args()
    with ProcessPoolExecutor() as pool:
        logs = [log for log in pool.map(read, sorted(asked.folder.iterdir()), chunksize=4) if log is not None]
    print(len(logs), "logs of", len({log.owner for log in logs}), "owners")
    if asked.check:
        check(logs)
    else:
        TABLE.write_text(json.dumps(as_table(learnt(logs)), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
