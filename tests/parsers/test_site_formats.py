"""A site's own formats: found in the configuration folder, checked like ours, left out with the reason when wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from logtui.diagnosis.version import describe
from logtui.parsers import site_formats
from logtui.parsers.directories import formats_directory
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.pattern_checks import complaints
from logtui.parsers.registry import registry
from logtui.parsers.scan.program import READERS, _site, program
from logtui.parsers.site_formats import read_folder, read_format

SOUND = r"""
name = "powerwatch"
title = "Power watch"
reference = "powerwatch 2.0"

[[pattern]]
name = "powerwatch.tripped"
anchors = ["powerwatch: breaker "]
regex = 'powerwatch: breaker (?P<breaker>\d+) of (?P<host>\S+) tripped'
role = "cause"
class = "infrastructure"
weight = 80

[[pattern.sample]]
text = "09:10:11 powerwatch: breaker 4 of node007 tripped"
fields = {breaker = "4", host = "node007"}
"""


def _changed(old: str, new: str) -> str:
    assert old in SOUND
    return SOUND.replace(old, new)


@pytest.fixture
def folder() -> Iterator[Path]:
    """The configuration folder, empty, and the registry made anew before and after."""
    folder = formats_directory()
    folder.mkdir(parents=True)
    registry.cache_clear()
    yield folder
    _site.cache_clear()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    registry.cache_clear()


def test_a_sound_file_is_the_same_declaration(tmp_path: Path) -> None:
    path = tmp_path / "powerwatch.toml"
    path.write_text(SOUND)
    declared = read_format(path)
    sample = Sample("09:10:11 powerwatch: breaker 4 of node007 tripped", {"breaker": "4", "host": "node007"})
    regex = r"powerwatch: breaker (?P<breaker>\d+) of (?P<host>\S+) tripped"
    pattern = Pattern(
        "powerwatch.tripped", ("powerwatch: breaker ",), regex, (sample,), Role.CAUSE, FailureClass.INFRASTRUCTURE, 80
    )
    assert declared == LineFormat("powerwatch", "Power watch", "powerwatch 2.0", (pattern,))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("name = [", "Invalid value", id="no TOML"),
        pytest.param(_changed('title = "Power watch"', ""), "required field `title`", id="a word is missing"),
        pytest.param(_changed('role = "cause"', 'role = "culprit"'), "Invalid enum value 'culprit'", id="unknown role"),
        pytest.param(_changed("weight = 80", "wieght = 80"), "unknown word 'wieght' of a Pattern", id="misspelt"),
        pytest.param(_changed("weight = 80", "weight = 800"), "weight 800 is not within", id="too heavy"),
        pytest.param(_changed('weight = 80', 'weight = "80"'), "Expected `int`", id="wrong type"),
        pytest.param(_changed("powerwatch: breaker \"]", "watch\"]"), "under 7 bytes", id="short anchor"),
        pytest.param(_changed("tripped'", "tripped('"), "does not compile", id="bad regex"),
        pytest.param(_changed("of node007 tripped\"", "of node007 held\""), "own sample is not matched", id="sample"),
        pytest.param(_changed('host = "node007"', 'host = "node008"'), "of its sample", id="field"),
        pytest.param(_changed(r"(?P<breaker>\d+)", r"(?P<breaker>(?:\d+)+)"), "a repeat inside a repeat", id="slow"),
        pytest.param(_changed('"powerwatch.tripped"', '"Tripped"'), "a name is `area.what`", id="name"),
        pytest.param("", "required field", id="empty"),
        pytest.param(_changed('name = "powerwatch"', 'name = "\\u202e"'), r"'\u202e' holds what a terminal", id="bidi"),
        pytest.param(_changed("weight = 80", 'note = "\\u001b[2J"'), "holds what a terminal acts on", id="escape"),
        pytest.param("a = " + "[" * 9000, "nested too deeply", id="deep tables"),
        pytest.param(_changed("breaker (", "(" * 9000 + "breaker ("), "nested too deeply", id="deep regex"),
        pytest.param(_changed(r"\d+)", r"\d{1," + "9" * 20 + "})"), "does not compile", id="repeat beyond all numbers"),
        pytest.param("pattern = 3\n" + SOUND.split("[[")[0], "Expected `array`", id="patterns are no tables"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_left_out_with_its_reason(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "site.toml").write_text(text)
    (tmp_path / "sound.toml").write_text(SOUND)
    found = read_folder(tmp_path)
    assert [f.name for f in found.formats] == ["powerwatch"]
    ((file, said),) = found.refused
    assert file == str(tmp_path / "site.toml")
    assert why in said


def test_anchors_have_numbers_of_sixteen_bits(tmp_path: Path) -> None:
    many = ", ".join(f'"breaker {n:05}"' for n in range(site_formats.MOST_ANCHORS))
    (tmp_path / "a.toml").write_text(_changed('"powerwatch: breaker "', f'"powerwatch: breaker ", {many}'))
    (tmp_path / "b.toml").write_text(SOUND)
    found = read_folder(tmp_path)
    assert found.refused == ((str(tmp_path / "a.toml"), "more than 20,000 anchors in all"),)
    assert [declared.name for declared in found.formats] == ["powerwatch"]
    assert site_formats.MOST_ANCHORS + len(registry().anchors) < 1 << 16


def test_samples_hold_what_logs_hold(tmp_path: Path) -> None:
    """Escapes too; and a note has as many lines as it likes."""
    text = _changed("09:10:11 powerwatch", "\\u001b[1m09:10:11 powerwatch").replace(
        "weight = 80", 'weight = 80\nnote = "a\\nb"'
    )
    (tmp_path / "site.toml").write_text(text)
    (declared,) = read_folder(tmp_path).formats
    assert (declared.patterns[0].note, declared.patterns[0].samples[0].text[:4]) == ("a\nb", "\x1b[1m")


def test_no_name_is_taken_twice(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(SOUND)
    (tmp_path / "two.toml").write_text(_changed('name = "powerwatch"', 'name = "otherwatch"'))
    found = read_folder(tmp_path, taken=["slurm.cancelled"])
    assert [f.name for f in found.formats] == ["powerwatch"]
    assert found.refused[0][1] == "the name powerwatch.tripped is taken"
    assert read_folder(tmp_path, taken=["powerwatch"]).refused[0][1] == "the name powerwatch is taken"


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_bytes(b"\xff\xfe\0")
    (tmp_path / "large.toml").write_bytes(b"#" * (2 << 20))
    assert [why for _, why in read_folder(tmp_path).refused] == [
        "over 1 MiB",
        "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    ]


def test_no_escape_sequence_of_a_file_is_passed_on(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31mb.toml").write_text(_changed('role = "cause"', 'role = "\\u001b[31mcause"'))
    ((file, why),) = read_folder(tmp_path).refused
    assert "Invalid enum value" in why
    assert "\x1b" not in file + why


def test_the_registry_and_the_version_know_them(folder: Path) -> None:
    before, key = registry(), program(READERS)
    registry.cache_clear()
    _site.cache_clear()
    (folder / "powerwatch.toml").write_text(SOUND)
    (folder / "broken.toml").write_text("name = 3")
    known = registry()
    assert known.pattern("powerwatch.tripped").weight == 80
    assert len(known.patterns) == len(before.patterns) + 1
    assert program(READERS) != key, "what was read without it is read again"
    assert known.patterns[: len(before.patterns)] == before.patterns
    first, second = describe().splitlines()
    assert first.endswith(", powerwatch of this site")
    assert second.startswith(f"left out: {folder / 'broken.toml'}: ")


def test_complaints_name_the_pattern() -> None:
    pattern = Pattern("area.what", ("seven bytes",), "other", (), Role.CAUSE)
    assert list(complaints(LineFormat("area", "Area", "none", (pattern,)))) == [
        "area.what: a pattern without a sample proves nothing",
        "area.what: a cause without a class says why in its note",
    ]
