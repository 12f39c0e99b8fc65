"""No report and no case file holds a token, a password, or who ran the job."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_job import write_tiny_job

from logtui.diagnosis.report.case_file.pseudonyms import Pseudonyms
from logtui.diagnosis.report.case_file.writing import write_case
from logtui.diagnosis.report.json_report import dumps
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.report.saved_report import citations, drifted
from logtui.diagnosis.report.secrets import mask
from logtui.diagnosis.session.opening import Analysis, Options, analyse_whole
from logtui.parsers.files.zstd import ZstdFile

SECRETS = {
    "aws-key": "AKIA" + "QWERTY7890ABCDEF",
    "hugging-face": "hf_" + "AbCdEfGhIjKlMnOpQrStUv",
    "github": "ghp_" + "0123456789abcdefghijABCDEFGHIJ",
    "gitlab": "glpat-" + "AbCd-0123456789_xyz",
    "openai": "sk-" + "proj0123456789abcdef",
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiI0ODIxIn0" + "." + "c2lnbmF0dXJlLW9mLW91cnM",
}


@pytest.mark.parametrize("kind", SECRETS)
def test_shapes(kind: str) -> None:
    text, found = mask(f"login with {SECRETS[kind]} failed")
    assert (text, dict(found)) == (f"login with <{kind}> failed", {kind: 1})


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        ("Authorization: Bearer abc-DEF_123.xyz", "abc-DEF_123", "authorization"),
        ("authorization=Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "authorization"),
        ("wandb login 0123456789abcdef0123456789abcdef01234567", "0123456789abcdef", "wandb"),
        ("WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567", "0123456789abcdef", "wandb"),
        ("proxy http://jdoe:hunter22@proxy:3128", "hunter22", "password"),
    ],
)
def test_words_before(text: str, secret: str, kind: str) -> None:
    shown, found = mask(text)
    assert secret not in shown
    assert dict(found) == {kind: 1}


@pytest.mark.parametrize(
    "text",
    [
        "commit 0123456789abcdef0123456789abcdef01234567",
        "http://node007:29500/rank",
        "step 57 of task-0123456789abcdef loss 2.31",
        "the authorization failed",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    assert mask(text) == (text, {})


@pytest.fixture
def analysis(tmp_path: Path) -> Analysis:
    """A job whose only exception prints a token."""
    logs = write_tiny_job(tmp_path / "logs")
    text = f"[rank5]: Traceback (most recent call last):\n[rank5]: RuntimeError: token {SECRETS['hugging-face']} is refused\n"
    (logs / "error-4821-0.out").write_text(text + (logs / "error-4821-0.out").read_text())
    return analyse_whole([logs], Options(no_cache=True, jobs=1))


def test_reports_mask_them_and_say_so(analysis: Analysis, tmp_path: Path) -> None:
    token = SECRETS["hugging-face"]
    assert token in (analysis.report.verdict.title + str(analysis.report))
    written = dumps(analysis.report)
    assert token not in written
    assert json.loads(written)["masked"]["hugging-face"] >= 1
    page = render(analysis.report)
    assert token not in page
    assert "Masked in this report: " in page
    saved = tmp_path / "report.json"
    saved.write_text(written)
    assert drifted(analysis.case, citations(saved)) == []


@pytest.mark.parametrize("pseudonymise", [False, True])
def test_no_case_file_holds_them(analysis: Analysis, tmp_path: Path, pseudonymise: bool) -> None:
    path = write_case(tmp_path / "a.case", analysis.case, analysis.report, pseudonymise=pseudonymise)
    with ZstdFile(path) as raw:
        held = raw.read()
    assert b"RuntimeError" in held
    assert SECRETS["hugging-face"].encode() not in held


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the job of jdoe7 started", "jdoe7"),
        ("slurm: submitted by johndoe at noon", "johndoe"),
        ("uid=1007(jdoe) gid=1007(research)", "jdoe"),
        ("copied to jdoe7@login2:/tmp", "jdoe7"),
        ("mail jane.doe@example.org when it ends", "jane.doe"),
    ],
)
def test_users_named_in_prose(text: str, name: str) -> None:
    found = Pseudonyms()
    found.learn([text])
    assert name not in found.replace(text)


def test_words_that_are_no_users() -> None:
    found, text = Pseudonyms(), "process of training started by torchrun, killed by signal 9; run of 57 steps"
    found.learn([text])
    assert found.replace(text) == text


def test_a_long_word_takes_no_long_time() -> None:
    found = Pseudonyms()
    text = "a." * 50_000 + "b-" * 50_000 + "token" * 20_000
    found.learn([text])
    assert len(found.replace(text)) == len(text)
