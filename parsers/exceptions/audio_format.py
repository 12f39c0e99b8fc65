"""Audio whose container no installed decoder reads."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.audio_format",
    writer="libsndfile through soundfile 0.10 and later; torchaudio's backends, 2.0 and later",
    title="no installed decoder reads that audio format",
    says=(
        r"Format not recogni[sz]ed",
        r"File contains data in an (?:unknown|unimplemented) format",
        r"(?:Couldn't|Could not) find appropriate backend to handle uri",
    ),
    cls=FailureClass.DATA,
    weight=63,
    note=".m4a and other containers that libsndfile lacks fall through every backend when they come as a BytesIO.",
    advice=(
        Advice(
            "training",
            "convert such files (.m4a and the like) to flac or wav, or install ffmpeg with torchaudio or torchcodec on every "
            "node: libsndfile does not read them, least of all from a BytesIO",
        ),
    ),
    samples=(
        Raised("soundfile.LibsndfileError: Error opening <_io.BytesIO object at 0x7f57>: Format not recognised."),
        Raised("soundfile.LibsndfileError: Error opening '/mnt/a57.m4a': File contains data in an unknown format."),
        Raised(
            "RuntimeError: Couldn't find appropriate backend to handle uri <_io.BytesIO object at 0x7f57> and format m4a."
        ),
    ),
)
