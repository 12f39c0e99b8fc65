"""The client side of AIStore in worker logs: the Python SDK's retries and resumes."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

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
        marks=(Mark.REQUEST_RETRIED,),
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
        marks=(Mark.REQUEST_FAILED,),
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
        marks=(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP),
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
        marks=(Mark.REQUEST_FAILED,),
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
        marks=(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP),
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
        marks=(Mark.REQUEST_RETRIED,),
        bulk=True,
        title="the SDK repeats a request",
        continues=", REQ_URL:",
        note="Up to 7 attempts, 1 to 30 s apart; no count is printed. Noise unless they exhaust. «Max retries exceeded» "
        "within it is urllib3's own count, of none: the SDK repeats by itself.",
    ),
    Pattern(
        name="ais.request_exhausted",
        anchors=("All retries exhausted; request failed",),
        regex=r"All retries exhausted; request failed",
        samples=(Sample("2026-01-02 03:04:05,678 ERROR root: All retries exhausted; request failed"),),
        role=Role.CAUSE,
        marks=(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP),
        cls=_STORAGE,
        weight=85,
        title="request to AIStore given up after all retries",
        note="SDK of AIStore 4.5+; a traceback follows.",
        advice=(
            Advice(
                "storage",
                "look at the target's log of that minute, and at ais show performance; then raise the SDK's "
                "retries and timeout",
            ),
        ),
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
        marks=(Mark.REQUEST_RETRIED,),
        bulk=True,
        title="waits while the target fetches the object from the cloud",
    ),
    Pattern(
        name="ais.http_error",
        anchors=(", MESSAGE:",),
        regex=r"^(?!.*(?:Failed to fetch object|Retrying aistore)).*?STATUS:(?P<status>\d{3}), MESSAGE:(?P<message>(?:(?!, REQ_URL:).){0,1000}+)(?:, REQ_URL:(?P<url>[^\s'\"]+))?",
        samples=(
            Sample(
                'aistore.sdk.errors.AISError: STATUS:409, MESSAGE:x-moss: xid "Pf3kTw" not active, '
                "REQ_URL:http://ais-target-3:51081/v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2",
                {"status": "409", "url": "http://ais-target-3:51081/v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2"},
            ),
            Sample(
                'aistore.sdk.errors.AISError: STATUS:507, MESSAGE:{"tcode":"ErrCapExceeded","message":"out of space: used 96% of '
                'total capacity","method":"PUT","url_path":"/v1/objects/ckpt/step-57.pt","node":"t[AbCdEfGh]","status":507}',
                {"status": "507"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.REQUEST_FAILED,),
        cls=_STORAGE,
        weight=60,
        continues=", REQ_URL:",
        title="AIStore answered with an error",
        note="The answer is JSON with a newline at its end, which the SDK quotes as it is. Where a loader "
        "or the SDK goes on from it, their own lines say so.",
    ),
    Pattern(
        name="ais.batch_damaged",
        anchors=("Failed to read tar archive",),
        regex=r"Failed to read tar archive(?:: (?P<error>.{0,300})| stream)",
        samples=(Sample("Failed to read tar archive: unexpected end of data", {"error": "unexpected end of data"}),),
        role=Role.CAUSE,
        marks=(Mark.REQUEST_FAILED,),
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
        marks=(Mark.LENGTHENS_STEP, Mark.SAVED),
        title="checkpoint saved",
        note="The epoch is UTC: next to the local time before it, it gives the worker's zone.",
    ),
)

FORMAT = LineFormat(
    name="aistore_client",
    title="AIStore Python SDK",
    reference="NVIDIA/aistore python/aistore/sdk 3.28 to 5.0; NVIDIA/NeMo 2.5",
    patterns=SDK + CLOCK,
)
