"""The client side of AIStore in worker logs: the Python SDK's retries and resumes, Lhotse's batch loader."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_STORAGE = FailureClass.STORAGE_IO
_RESUME = (
    r"(?:Error while reading '(?P<path>[^']+)', retrying|Resuming '(?P<object>[^']+)' after .{0,400}? \("
    r"|Chunked encoding error \(.{0,400}?\), retrying) ?"
)

SDK = (
    Pattern(
        name="ais.resume",
        anchors=("Error while reading '", "Resuming '", "Chunked encoding error ("),
        regex=_RESUME + r"(?P<attempt>\d+)/(?!(?P=attempt)\b)(?P<of>\d+)",
        samples=(
            Sample(
                "Error while reading 'shards/shard-00012.tar', retrying 1/5",
                {"path": "shards/shard-00012.tar", "attempt": "1", "of": "5"},
            ),
            Sample(
                "Resuming 'shards/shard-00012.tar' after ('Connection broken: IncompleteRead(1024 bytes read)',) (2/5)",
                {"object": "shards/shard-00012.tar", "attempt": "2", "of": "5"},
            ),
            Sample("Chunked encoding error (Response ended prematurely), retrying 1/5", {"attempt": "1", "of": "5"}),
        ),
        role=Role.NOISE,
        bulk=True,
        title="the reader resumes a broken object stream",
        note="SDK of AIStore 3.29-4.4, 4.5+, 3.28. The servers close idle connections after 30 s (from 3.30 on).",
    ),
    Pattern(
        name="ais.resume_last",
        anchors=("Error while reading '", "Resuming '", "Chunked encoding error ("),
        regex=_RESUME + r"(?P<attempt>\d+)/(?P<of>(?P=attempt)\b)",
        samples=(Sample("Error while reading 'shards/shard-00012.tar', retrying 5/5", {"attempt": "5", "of": "5"}),),
        role=Role.CAUSE,
        cls=_STORAGE,
        weight=55,
        title="the reader's last try to resume an object stream",
    ),
    Pattern(
        name="ais.resume_exhausted",
        anchors=("exceeded max number of stream resumptions",),
        regex=r"exceeded max number of stream resumptions: (?P<resumes>\d+)",
        samples=(Sample("ObjectFileReader exceeded max number of stream resumptions: 6", {"resumes": "6"}),),
        role=Role.CAUSE,
        cls=_STORAGE,
        weight=85,
        title="object stream given up: every resume failed",
    ),
    Pattern(
        name="ais.stream_short",
        anchors=("Object stream ended early at byte ",),
        regex=r"Object stream ended early at byte (?P<got>\d+); expected byte (?P<expected>\d+)",
        samples=(
            Sample("Object stream ended early at byte 1024; expected byte 4096", {"got": "1024", "expected": "4096"}),
        ),
        role=Role.SYMPTOM,
        cls=_STORAGE,
        title="an object ended early on a cleanly closed connection",
    ),
    Pattern(
        name="ais.read_failed",
        anchors=("Error while reading object at '",),
        regex=r"Error while reading object at '(?P<path>[^']+)': (?P<error>.{0,400}?)\. Closing file\.",
        samples=(
            Sample(
                "Error while reading object at 'shards/shard-00012.tar': Read timed out. Closing file.",
                {"path": "shards/shard-00012.tar", "error": "Read timed out"},
            ),
        ),
        role=Role.CAUSE,
        cls=_STORAGE,
        weight=80,
        follow=4,
        title="reading an object failed for good",
    ),
    Pattern(
        name="ais.request_retry",
        anchors=("Retrying aistore.",),
        regex=r"Retrying (?P<function>aistore\.[\w.<>]+) in (?P<wait_s>[\d.]+) seconds as it raised (?P<error>\w+): (?P<text>.{0,600})",
        samples=(
            Sample(
                "2026-01-02 03:04:05,678 WARNING root: Retrying aistore.sdk.request_client.RequestClient.request.<locals>.request_op "
                "in 1.5 seconds as it raised ConnectionError: ('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer')).",
                {"wait_s": "1.5", "error": "ConnectionError"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="the SDK repeats a request",
        note="Up to 7 attempts, 1 to 30 s apart; no count is printed. Noise unless they exhaust.",
    ),
    Pattern(
        name="ais.request_exhausted",
        anchors=("All retries exhausted; request failed",),
        regex=r"All retries exhausted; request failed",
        samples=(Sample("2026-01-02 03:04:05,678 ERROR root: All retries exhausted; request failed"),),
        role=Role.CAUSE,
        cls=_STORAGE,
        weight=85,
        title="request to AIStore given up after all retries",
        note="SDK of AIStore 4.5+; a traceback follows.",
    ),
    Pattern(
        name="ais.lock_wait",
        anchors=("Delaying retry by polling for object write-lock release after: ",),
        regex=r"Delaying retry by polling for object write-lock release after: '(?P<error>[^']*)'",
        samples=(
            Sample(
                "Delaying retry by polling for object write-lock release after: 'ReadTimeout'", {"error": "ReadTimeout"}
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="waits while the target fetches the object from the cloud",
    ),
    Pattern(
        name="ais.http_error",
        anchors=(", REQ_URL:",),
        regex=r"STATUS:(?P<status>\d+), MESSAGE:(?P<message>.{0,1000}?), REQ_URL:(?P<url>[^\s'\"]+)",
        samples=(
            Sample(
                'aistore.sdk.errors.AISError: STATUS:409, MESSAGE:x-moss: xid "Pf3kTw" not active, '
                "REQ_URL:http://ais-target-3:51081/v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2",
                {"status": "409", "url": "http://ais-target-3:51081/v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2"},
            ),
        ),
        role=Role.CAUSE,
        cls=_STORAGE,
        weight=60,
        title="AIStore answered with an error",
    ),
    Pattern(
        name="ais.batch_damaged",
        anchors=("Failed to read tar archive",),
        regex=r"Failed to read tar archive(?:: (?P<error>.{0,300})| stream)",
        samples=(Sample("Failed to read tar archive: unexpected end of data", {"error": "unexpected end of data"}),),
        role=Role.CAUSE,
        cls=_STORAGE,
        weight=70,
        title="a batch archive was cut within a member",
    ),
    Pattern(
        name="ais.member_skipped",
        anchors=("Continuing due to cont_on_err=True",),
        regex=r"Failed to extract (?P<name>.{1,300}?): (?P<error>.{0,300}?)\. Continuing due to cont_on_err=True",
        samples=(
            Sample(
                "Failed to extract a/b.flac: bad checksum. Continuing due to cont_on_err=True",
                {"name": "a/b.flac", "error": "bad checksum"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=_STORAGE,
        bulk=True,
        title="a damaged batch member was skipped",
    ),
)

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
        cls=_STORAGE,
        weight=85,
        title="a batch held fewer objects than asked for",
        note="Lhotse of 2026-02-20 to 2026-04-14. Released 1.32 raises a bare StopIteration instead, 1.33 falls back.",
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
        cls=_STORAGE,
        title="a batch was cut short; the loader fetches the rest one by one",
        note="Lhotse 1.33+: no crash by itself.",
    ),
    Pattern(
        name="lhotse.batch_failed",
        anchors=("AIStore batch.get() failed: ",),
        regex=r"AIStore batch\.get\(\) failed: (?P<error>.{0,600}?)\. Falling back to sequential GET requests",
        samples=(
            Sample(
                "AIStore batch.get() failed: Read timed out. Falling back to sequential GET requests.",
                {"error": "Read timed out"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=_STORAGE,
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
        cls=_STORAGE,
        weight=70,
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
    ),
)

CLOCK = (
    Pattern(
        name="nemo.save_epoch",
        anchors=("Checkpoint save for step ", "Async checkpoint save for step "),
        regex=r"(?:Checkpoint save for step (?P<step>\d+) started at|Async checkpoint save for step (?P<async_step>\d+) \(.{0,400}?\) finalized successfully at) "
        r"(?P<epoch>\d{9,11}(?:\.\d+)?)",
        samples=(
            Sample(
                "[NeMo I 2026-01-02 03:04:05 nemo_model_checkpoint:226] Checkpoint save for step 400 started at 1767323045.27.",
                {"step": "400", "epoch": "1767323045.27"},
            ),
        ),
        role=Role.INFO,
        title="checkpoint saved",
        note="The epoch is UTC: next to the local time before it, it gives the worker's zone.",
    ),
)

FORMAT = LineFormat(
    name="aistore_client",
    title="AIStore Python SDK and Lhotse's AIStore batch loader",
    reference="NVIDIA/aistore python/aistore/sdk 3.28 to 5.0; lhotse-speech/lhotse lhotse/ais 1.32 to 1.33; NVIDIA/NeMo 2.5",
    patterns=SDK + LHOTSE + CLOCK,
)
