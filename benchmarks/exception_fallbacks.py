"""How exceptions are classified, step by step: declared kinds, the chain, the structure, a learnt model.

Run `python benchmarks/exception_fallbacks.py [FOLDER ...]`. The laboratory is ours: exceptions written by format, real
ones raised here, and the samples of the declared kinds, each judged as if its kind were not declared. A FOLDER holds
cases, each with logs and a `truth.json`; of each case the first traceback is judged. The model is a logistic regression
on hashed words, trained here on the laboratory alone, in folds where the laboratory itself is judged; it is no part of
the program. Takes two minutes. What came of it: docs/exceptions.md.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / ".src")]

from raised import RAISED, lines_of  # noqa: E402
from unseen import SITE, UNSEEN  # noqa: E402

from logtui.parsers.exceptions.declaration import Raised  # noqa: E402
from logtui.parsers.exceptions.table import KINDS, kind_of, kind_of_traceback, words_of  # noqa: E402
from logtui.parsers.structure.classification import classify  # noqa: E402
from logtui.parsers.structure.clues import members, structure_of  # noqa: E402
from logtui.parsers.tracebacks.traceback import HEADER, Traceback, assemble  # noqa: E402

BUCKETS = 4096
FOLDS = 5
SOFTWARE = "software"
Guess = Callable[[Traceback], str]


@dataclass(frozen=True, slots=True)
class Example:
    """A traceback and the classes that are right for it."""

    raised: Traceback
    accepted: frozenset[str]
    declared: bool = True
    """Whether the declared kinds may be asked: not where it is one of their own samples."""


def _assembled(lines: Sequence[str]) -> Traceback | None:
    begin = next((i for i, line in enumerate(lines) if HEADER in line), None)
    return None if begin is None else assemble(lines, begin)


def laboratory() -> Iterator[Example]:
    """Everything of ours."""
    for unseen in UNSEEN:
        yield from _example(unseen.lines(), unseen.accepted.split("|"))
    for fault, accepted in RAISED.items():
        with tempfile.TemporaryDirectory() as folder:
            yield from _example(list(lines_of(fault, Path(folder))), accepted.split())


def samples() -> Iterator[Example]:
    """The samples of the declared kinds, by which the kinds themselves are not judged."""
    for kind in KINDS:
        for sample in kind.samples if kind.cls is not None else ():
            if sample.text and not sample.bare:
                yield from _example(_printed(sample), [str(kind.cls)], declared=False)


def _printed(sample: Raised) -> list[str]:
    lines = [f"{HEADER}:"]
    for frame in sample.frames or ("/opt/job/train.py main",):
        path, _, function = frame.partition(" ")
        lines += [f'  File "{path if path[0] in "/<" else SITE + path}", line 57, in {function}', "    run()"]
    return [*lines, *sample.text.split("\n")]


def _example(lines: Sequence[str], accepted: Iterable[str], declared: bool = True) -> Iterator[Example]:
    raised = _assembled([f"[rank3]: {line}" if line else "" for line in lines])
    if raised is not None:
        yield Example(raised, frozenset(accepted), declared)


def cases(folder: Path) -> Iterator[Example]:
    """The first traceback of each case below a folder."""
    for truth in sorted(folder.rglob("truth.json")):
        known = json.loads(truth.read_text())
        for log in sorted(truth.parent.glob("*.log")):
            raised = _assembled(log.read_text(errors="replace").splitlines())
            if raised is not None and known["class"] not in ("healthy", "unknown"):
                yield Example(raised, frozenset({known["class"], *(known.get("class_accept") or ())}))
                break


# -- The steps


def declared_only(raised: Traceback) -> str:
    """The kind of what it began with."""
    return str(kind_of_traceback(raised).cls)


def with_chain(raised: Traceback) -> str:
    """The most specific kind of any exception of the chain, where the first is vague."""
    own = kind_of_traceback(raised)
    kinds = [kind_of(*words_of(replace(m, chain=(), original=None, members=()))) for m in members(raised)]
    better = [k for k in kinds if k.cls is not None and not k.vague and k.weight > own.weight]
    return str(max(better, key=lambda k: k.weight, default=own).cls) if own.vague else str(own.cls)


def with_structure(raised: Traceback) -> str:
    """As the program does it."""
    return str(classify(raised).kind.cls)


def structure_alone(raised: Traceback) -> str:
    """Without any declared kind."""
    found = structure_of(raised)
    return str(found.cls) if found is not None else SOFTWARE


# -- The model


def _words(raised: Traceback) -> Iterator[str]:
    for one in members(raised):
        package, name = one.exception.split(".")[0], one.exception.rpartition(".")[2]
        frames = " ".join(f"{f.file[-60:]} {f.function}" for f in one.frames[-6:])
        yield from (f"of:{package}", f"type:{name}")
        yield from (f"type~{w}" for w in re.findall(r"[A-Z][a-z]+", name))
        yield from (f"say:{w}" for w in re.findall(r"[a-z]{3,}", one.message[:500].lower()))
        yield from (f"frame:{w.lower()}" for w in re.findall(r"[A-Za-z]{3,}", frames))


def _vector(raised: Traceback) -> np.ndarray:
    found = np.zeros(BUCKETS)
    for word in set(_words(raised)):
        found[zlib.crc32(word.encode()) % BUCKETS] = 1.0
    return found / max(1.0, float(np.linalg.norm(found)))


class Model:
    """Multinomial logistic regression; the same examples give the same model."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._classes = sorted({cls for e in examples for cls in e.accepted})
        given = np.stack([_vector(e.raised) for e in examples])
        wanted = np.array([[cls in e.accepted for cls in self._classes] for e in examples], dtype=float)
        wanted /= wanted.sum(axis=1, keepdims=True)
        self._weights = np.zeros((BUCKETS, len(self._classes)))
        for _ in range(400):
            told = np.exp(given @ self._weights)
            told /= told.sum(axis=1, keepdims=True)
            self._weights += 8.0 * (given.T @ (wanted - told) / len(examples) - 2e-4 * self._weights)

    def __call__(self, raised: Traceback) -> str:
        """The likeliest class."""
        return self._classes[int(np.argmax(_vector(raised) @ self._weights))]


def _then_learnt(model: Model, declared: bool) -> Guess:
    """The program's answer; where it is the vague kind's own, the model's."""

    def guess(raised: Traceback) -> str:
        if declared:
            found = classify(raised).kind
            return model(raised) if found.vague and found.name != "exception.by_structure" else str(found.cls)
        structure = structure_of(raised)
        return model(raised) if structure is None else str(structure.cls)

    return guess


def _right(examples: Sequence[Example], guess: Guess) -> int:
    return sum(guess(e.raised) in e.accepted for e in examples)


def _learnt_right(examples: Sequence[Example], others: Sequence[Example], alone: bool) -> int:
    """Right ones in folds: no example is judged by a model that has seen it."""
    right = 0
    for fold in range(FOLDS):
        held = examples[fold::FOLDS]
        seen = [e for i, e in enumerate(examples) if i % FOLDS != fold]
        model = Model([*seen, *others])
        right += sum((model if alone else _then_learnt(model, e.declared))(e.raised) in e.accepted for e in held)
    return right


def main(folders: Sequence[str]) -> None:
    """Print the table."""
    ours, kinds = list(laboratory()), list(samples())
    rows = [("laboratory", ours, kinds), ("declared samples, without their kinds", kinds, ours)]
    _print("", "n", ["declared", "+ chain", "+ structure", "+ learnt", "learnt alone"])
    for name, examples, others in rows:
        known = examples[0].declared
        steps = [declared_only, with_chain, with_structure] if known else [structure_alone]
        counts = ["-"] * (3 - len(steps)) + [str(_right(examples, step)) for step in steps]
        counts += [str(_learnt_right(examples, others, alone)) for alone in (False, True)]
        _print(name, len(examples), counts)
    for folder in folders:
        found, model = list(cases(Path(folder))), Model([*ours, *kinds])
        guesses: list[Guess] = [declared_only, with_chain, with_structure, _then_learnt(model, True), model]
        _print(Path(folder).name, len(found), [str(_right(found, guess)) for guess in guesses])


def _print(name: str, count: object, counts: Sequence[str]) -> None:
    first, chain, structure, learnt, alone = counts
    print(f"{name:40s} {count!s:>4s} {first:>9s} {chain:>8s} {structure:>12s} {learnt:>9s} {alone:>13s}")


if __name__ == "__main__":
    main(sys.argv[1:])
