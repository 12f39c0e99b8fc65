"""Hubs, downloads and experiment trackers: rate limits, offline mode, retries."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import OFFLINE_HUB

FORMAT = LineFormat(
    name="downloads",
    title="model hubs, downloads, experiment trackers",
    reference="huggingface/huggingface_hub file_download.py and utils/_http.py; transformers utils/hub.py; wandb sdk",
    patterns=(
        Pattern(
            name="hub.unreachable",
            anchors=("We couldn't connect to '", "Couldn't reach the Hugging Face Hub", "Couldn't reach http"),
            regex=r"We couldn't connect to '(?P<endpoint>[^']+)'|Couldn't reach (?:the Hugging Face Hub|(?P<url>http\S+))",
            samples=(
                Sample(
                    "OSError: We couldn't connect to 'https://hub.example' to load the files, and couldn't find them in the cached files.",
                    {"endpoint": "https://hub.example"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=66,
            title="a model hub cannot be reached",
            note="No network on the compute nodes: download beforehand.",
            advice=OFFLINE_HUB,
        ),
        Pattern(
            name="hub.offline",
            anchors=("ffline mode is enabled", "LocalEntryNotFoundError: "),
            regex=r"^(?!.*Using the latest cached version).*?[Oo]ffline mode is enabled|LocalEntryNotFoundError: (?P<msg>.+)",
            samples=(
                Sample(
                    "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find the requested files in the disk cache",
                    {"msg": "Cannot find the requested files in the disk cache"},
                ),
                Sample("OfflineModeIsEnabled: Offline mode is enabled. Tried to reach https://hub.example/metric.py"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=60,
            title="files are neither cached nor downloadable",
            advice=(
                Advice(
                    "training",
                    "fill the cache before the job (huggingface-cli download), and point HF_HOME to where all nodes "
                    "see it",
                ),
            ),
        ),
        Pattern(
            name="hub.rate_limit",
            anchors=("429 Client Error", "Too Many Requests for url"),
            regex=r"429 Client Error: Too Many Requests for url: (?P<url>\S+)",
            samples=(
                Sample(
                    "requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://hub.example/api/57",
                    {"url": "https://hub.example/api/57"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=58,
            bulk=True,
            title="a server limits the rate of requests",
            note="All ranks download at once.",
            advice=(
                Advice(
                    "training", "let one rank per node download and the others read the cache, or log in with a token"
                ),
            ),
        ),
        Pattern(
            name="hub.refused",
            anchors=("401 Client Error", "403 Client Error", "404 Client Error", "Access to model "),
            regex=r"(?P<status>401|403|404) Client Error: .*? for url: (?P<url>(?!\S*/v1/(?:objects|ml/moss|buckets)\b)\S+)|Access to model (?P<model>\S+) is restricted(?!.{0,400}silently ignoring)",
            samples=(
                Sample(
                    "requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://hub.example/a/57",
                    {"status": "403", "url": "https://hub.example/a/57"},
                ),
                Sample(
                    "Access to model acme/base-57b is restricted. You must have access to it and be authenticated to access it.",
                    {"model": "acme/base-57b"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=60,
            title="a server refused a request",
            advice=(Advice("training", "log in with a token that may read {model}, and accept its terms on the hub"),),
        ),
        Pattern(
            name="hub.retry",
            anchors=("s [Retry ", "Trying to resume download", "Error while downloading from "),
            regex=r"Retrying in (?P<seconds>[\d.]+)s \[Retry (?P<attempt>\d+)/(?P<of>\d+)\]|Trying to resume download|Error while downloading from (?P<url>\S+?): (?P<error>.+)",
            samples=(
                Sample("Retrying in 8s [Retry 3/5].", {"seconds": "8", "attempt": "3", "of": "5"}),
                Sample(
                    "Error while downloading from https://hub.example/a: HTTPSConnectionPool: Read timed out.",
                    {"url": "https://hub.example/a"},
                ),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
        Pattern(
            name="wandb.retry",
            anchors=(
                "wandb: Network error ",
                "wandb: WARNING A graphql request initiated",
                "wandb: ERROR Error while calling W&B API",
                "entering retry loop",
            ),
            regex=r"wandb: (?:Network error|WARNING A graphql request|ERROR Error while calling W&B API)|entering retry loop",
            samples=(Sample("wandb: Network error (ConnectTimeout), entering retry loop."),),
            role=Role.NOISE,
            bulk=True,
            note="Noise, even right before a crash; a hang at the exit can be its upload.",
        ),
        Pattern(
            name="wandb.login",
            anchors=("wandb: ERROR api_key not configured", "api_key not configured (no-tty)"),
            regex=r"api_key not configured",
            samples=(
                Sample(
                    "wandb.errors.errors.UsageError: api_key not configured (no-tty). call wandb.login(key=[your_api_key])"
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=64,
            title="the experiment tracker has no key",
            advice=(Advice("training", "set WANDB_API_KEY, or WANDB_MODE=offline"),),
        ),
    ),
)
