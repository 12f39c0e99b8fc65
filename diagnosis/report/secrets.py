"""Tokens and passwords that programs print: no report and no case file holds them.

Known by their shape, or by the word before them. What was masked is counted by kind; which it was is kept nowhere.
"""

from __future__ import annotations

from collections import Counter

from logtui.parsers.regex import regex

_KINDS = (
    ("aws-key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("hugging-face", ("hf_",), r"\bhf_[A-Za-z0-9]{16,128}"),
    ("github", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
     r"\bgh[pousr]_\w{20,255}|\bgithub_pat_\w{20,255}"),
    ("gitlab", ("glpat-",), r"\bglpat-[\w-]{16,128}"),
    ("openai", ("sk-",), r"\bsk-[\w-]{16,255}"),
    ("slack", ("xox",), r"\bxox[a-z]-[\w-]{10,255}"),
    ("wandb", ("wandb", "WANDB"), r"(?i)(?<=wandb)[\w .:='\"-]{0,40}?\b[0-9a-f]{40}\b"),
    ("jwt", ("eyJ",), r"(?<![\w-])eyJ[\w-]{8,4096}+\.[\w-]{4,4096}(?:\.[\w-]{0,4096})?"),
    ("authorization", ("uthorization", "Bearer "),
     r"(?i)(?<=authorization)['\"]?[:=] ?['\"]?(?:bearer |basic |token )?[^\s'\",;\\]{6,4096}"
     r"|(?<=Bearer )[^\s'\",;\\]{6,4096}"),
    ("password", ("://",), r"(?<=://)[^\s/@:'\"]{1,128}:[^\s/@'\"\\]{1,256}(?=@)"),
)  # fmt: skip
"""Kind, what every text with such a secret holds, and how it looks."""
_COMPILED = tuple((kind, cues, regex(words)) for kind, cues, words in _KINDS)


def mask(text: str) -> tuple[str, Counter[str]]:
    """A text with every secret replaced by its kind, and how many of each kind there were."""
    found: Counter[str] = Counter()
    for kind, cues, secret in _COMPILED:
        if any(cue in text for cue in cues):
            text, count = secret.subn(f"<{kind}>", text)
            found[kind] += count
    return text, +found


def masked(text: str) -> str:
    """A text with every secret replaced by its kind."""
    return mask(text)[0]


class Masks:
    """Replaces secrets and nothing else, where a case file is written without pseudonyms."""

    def replace(self, text: str) -> str:
        """The text with every secret replaced."""
        return masked(text)
