"""Lhotse's AIStore batch loader in worker logs: truncated batches, fallbacks, suppressed errors."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_STORAGE = FailureClass.STORAGE_IO

LHOTSE = (
    Pattern(
        name="lhotse.batch_exhausted",
        anchors=("Batch result iterator exhausted prematurely",),
        regex=r"Batch result iterator exhausted prematurely",
        samples=(
            Sample(
                "AISBatchLoaderError: Batch result iterator exhausted prematurely. Expected more objects for manifests with URLs."
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP),
        cls=_STORAGE,
        weight=85,
        title="a batch held fewer objects than asked for",
        note="Lhotse of 2026-02-20 to 2026-04-14. Released 1.32 raises a bare StopIteration instead, 1.33 falls back.",
        advice=(
            Advice(
                "storage",
                "look into the targets' logs for why objects were missing from the batch (GetBatch limits, "
                "pressure, absent objects)",
            ),
            Advice(
                "client",
                "let the loader go on without them: continue_on_error, or Lhotse 1.33, which fetches the rest "
                "one by one",
            ),
        ),
    ),
    Pattern(
        name="lhotse.batch_truncated",
        anchors=("Batch stream truncated at index ",),
        regex=r"Batch stream truncated at index (?P<index>\d+)/(?P<count>\d+)",
        samples=(
            Sample(
                "Batch stream truncated at index 37/64. Falling back to direct AIStore API calls for remaining objects.",
                {"index": "37", "count": "64"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.REQUEST_FAILED,),
        cls=_STORAGE,
        title="a batch was cut short; the loader fetches the rest one by one",
        note="Lhotse 1.33+: no crash by itself.",
    ),
    Pattern(
        name="lhotse.batch_failed",
        anchors=("AIStore batch.get() failed: ",),
        regex=r"AIStore batch\.get\(\) failed: (?P<error>(?:(?!\. Falling back to seq).){0,600}+)",
        samples=(
            Sample(
                "AIStore batch.get() failed: Read timed out. Falling back to sequential GET requests.",
                {"error": "Read timed out"},
            ),
            Sample(
                'AIStore batch.get() failed: STATUS:400, MESSAGE:{"tcode":"Error","message":"context deadline exceeded",'
                '"node":"p[AbCdEfGh]","status":400}'
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.REQUEST_FAILED,),
        cls=_STORAGE,
        continues=", REQ_URL:",
        title="a batch request failed; the loader fetches one by one",
    ),
    Pattern(
        name="lhotse.batch_timeout",
        anchors=("Timeout while fetching batch result at index ",),
        regex=r"Timeout while fetching batch result at index (?P<index>\d+): (?P<error>.{0,400}?)\. Falling back",
        samples=(
            Sample(
                "Timeout while fetching batch result at index 12: Read timed out. (read timeout=20). Falling back to direct AIStore API call.",
                {"index": "12"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.REQUEST_FAILED,),
        cls=_STORAGE,
        title="a batch stalled; the loader fetches directly",
    ),
    Pattern(
        name="lhotse.empty_object",
        anchors=("returned empty content. Retrying with direct AIStore API call",),
        regex=r"Object (?P<object>\S+) from bucket (?P<bucket>\S+) returned empty content",
        samples=(
            Sample(
                "Object a.flac/shard-00012.tar from bucket ais://corpus returned empty content. Retrying with direct AIStore API call.",
                {"object": "a.flac/shard-00012.tar", "bucket": "ais://corpus"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.REQUEST_FAILED,),
        cls=_STORAGE,
        bulk=True,
        title="an object came back empty, as missing ones do",
    ),
    Pattern(
        name="lhotse.fetch_failed",
        anchors=("Failed to fetch object ",),
        regex=r"Failed to fetch object (?P<object>\S+) from bucket (?P<bucket>\S+): (?P<error>.{0,600})",
        samples=(
            Sample(
                "Failed to fetch object shard-00012.tar from bucket ais://corpus: Read timed out.",
                {"object": "shard-00012.tar", "bucket": "ais://corpus"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.REQUEST_FAILED,),
        cls=_STORAGE,
        weight=70,
        continues=", REQ_URL:",
        title="an object could not be fetched",
    ),
    Pattern(
        name="lhotse.fallback_failed",
        anchors=(
            "Direct API fallback failed for ",
            "Sequential GET fallback failed for ",
            "Byte-range fallback failed for ",
        ),
        regex=r"(?P<how>Direct API|Sequential GET|Byte-range) fallback failed for (?P<object>\S+)",
        samples=(
            Sample(
                "lhotse.ais.AISBatchLoaderError: Direct API fallback failed for shard-00012.tar",
                {"how": "Direct API", "object": "shard-00012.tar"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP),
        cls=_STORAGE,
        weight=85,
        title="the loader's last way to an object failed",
    ),
    Pattern(
        name="lhotse.cuts_dropped",
        anchors=("AISBatchLoader dropping ",),
        regex=r"AISBatchLoader dropping (?P<dropped>\d+)/(?P<cuts>\d+) cuts",
        samples=(
            Sample(
                "AISBatchLoader dropping 3/64 cuts due to per-object fetch failures (skip_failed_fetches=True).",
                {"dropped": "3", "cuts": "64"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.DROPS_SAMPLES,),
        cls=_STORAGE,
        bulk=True,
        title="samples were left out of a batch",
    ),
    Pattern(
        name="lhotse.bad_url",
        anchors=("Unsupported storage type '", "Invalid object URL: '"),
        regex=r"Unsupported storage type '(?P<type>[^']*)'|Invalid object URL: '(?P<url>[^']*)'",
        samples=(Sample("AISBatchLoaderError: Invalid object URL: 'corpus/a.flac'", {"url": "corpus/a.flac"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=75,
        title="the manifest names storage the loader cannot use",
        advice=(Advice("training", "use URLs that the loader knows (ais://, s3://, gs://): {url}"),),
    ),
    Pattern(
        name="lhotse.suppressed",
        anchors=("[Suppressed ",),
        regex=r"\[Suppressed (?P<error>\w+)\] Error message: (?P<message>.{0,400})",
        samples=(
            Sample(
                "[Suppressed ConnectionResetError] Error message: [Errno 104] Connection reset by peer",
                {"error": "ConnectionResetError"},
            ),
        ),
        role=Role.NOISE,
        marks=(Mark.DROPS_SAMPLES,),
        bulk=True,
        title="an error was suppressed (fault_tolerant)",
    ),
    Pattern(
        name="lhotse.audio_failed",
        anchors=("Reading audio from '",),
        regex=r"Reading audio from '(?P<path>[^']{0,600})' failed\. Details:",
        samples=(Sample("Reading audio from '/data/a.flac' failed. Details:", {"path": "/data/a.flac"}),),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=55,
        follow=6,
        title="no backend could decode a file",
        advice=(
            Advice(
                "training",
                "convert {path}, or install a decoder for its container: .m4a and the like in a BytesIO need "
                "ffmpeg or torchaudio with it, libsndfile cannot",
            ),
        ),
    ),
    Pattern(
        name="lhotse.audio_short",
        anchors=("Requested more audio (",),
        regex=r"Requested more audio \((?P<wanted_s>[\d.]+)s\) than available \((?P<there_s>[\d.]+)s\)",
        samples=(
            Sample("Requested more audio (12.5s) than available (11.2s)", {"wanted_s": "12.5", "there_s": "11.2"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=50,
        title="the manifest claims more audio than the file holds",
        advice=(
            Advice(
                "training",
                "rebuild the manifest: it claims {wanted_s} s, the file holds {there_s} s; fault_tolerant=True "
                "drops such cuts",
            ),
        ),
    ),
)

FORMAT = LineFormat(
    name="lhotse",
    title="Lhotse's AIStore batch loader",
    reference="lhotse-speech/lhotse lhotse/ais 1.32 to 1.33",
    patterns=LHOTSE,
)
