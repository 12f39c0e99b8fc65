"""What steps and epochs are called outside English, as parts of regexes, and what steps in vain are called."""

from __future__ import annotations

import re

from logtui.parsers.regex import regex

STEP_ABROAD = (
    r"(?<!总)(?<!每)步[骤数]?|迭代(?:次数)?|批次|ステップ|스텝"
    r"|(?<![a-zà-ÿ])(?:schritte?|[ée]tape|pas|pasos?|passos?|krok|adım|itération|iterazione|iteraci[oó]n|iteração)"
    r"|(?<![а-яё])(?:шаг|итераци[яи])"
)
"""Before the number of a step; not of all steps, nor of each."""
EPOCH_ABROAD = (
    r"轮次?|第|回合|エポック|에포크|에폭"
    r"|(?<![a-zà-ÿ])(?:[ée]poque|[ée]poca|epoche|epoka|devir|runde|ronde)|(?<![а-яё])эпох[аи]"
)
LEARNT_ABROAD = (
    r"步|轮|迭代|训练|损失|損失|学習|ステップ|エポック|스텝|에포크|에폭|학습|손실|verlust|perte|pérdida|perda|потер"
)
"""Words of a line that trains."""
EITHER_ABROAD = (
    "步", "轮", "迭代", "损失", "損失", "ステップ", "エポック", "스텝", "에포크", "에폭",
    "schritt", "tape", "pas ", "paso", "passo", "krok", "adım", "itera", "itéra", "шаг", "итерац", "poque", "poca",
    "эпох",
)  # fmt: skip
"""Some of which every line has that counts in one of these languages, in small letters."""
IN_VAIN = regex(
    r"\bno (?:\w{1,12} ){0,2}(?:update|improve|progress|change|gain)|stagnat|\bearly[ _-]?stop"
    r"|\b(?:not|without|non|since)[ -](?:\w{1,8} )?(?:improv|updat|progress)"
    r"|\bbest \w{1,12}\W[^|]{0,30}\bepochs?\W{0,4}$",
    re.I,
)
"""What counts steps at which nothing was learnt: `epochs without improvement: 5`."""
SKIPPED = regex(r"\W{0,4}(?:skip|reducing learning rate)", re.I)
"""Behind the number of a step that was not made, or of one of a few at which something else was done."""
INDEXED = regex(r"[A-Za-z]_\w{0,20}\[$")
"""Before the place of a value in a table of parameters: `mu_step[4]  -1.73`."""


def counts_nothing(label: str, before: str, behind: str) -> bool:
    """Whether a number is no step that was made, by what is said of it, and what stands right before and behind it."""
    return any((IN_VAIN.search(label), SKIPPED.match(behind), INDEXED.search(before)))
