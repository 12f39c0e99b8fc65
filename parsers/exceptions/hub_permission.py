"""What a hub of models or runs does not allow this account to do."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.hub_permission",
    writer="wandb sdk, huggingface_hub",
    types=(r"CommError", r"UsageError", r"HTTPError"),
    says=(
        r"do(?:es)? not have (?:the )?permissions? (?:to|for)",
        r"\bpermission denied\b[^\n]{0,80}(?:wandb|project|entity)",
        r"\b40[13](?: Client Error)?:? (?:Unauthorized|Forbidden)[^\n]{0,120}(?:huggingface|hf\.co|wandb)",
        r"entity \S{1,80} not found",
    ),
    cls=FailureClass.CONFIG,
    weight=60,
    title="this account may not do that",
    advice=(
        Advice("training", "log in with an account that may, or name an entity and a project of its own: {raised}"),
    ),
    samples=(
        Raised(
            "wandb.errors.CommError: It appears that you do not have permission to access the requested resource 57."
        ),
        Raised("wandb.errors.CommError: permission denied to write to project p57"),
        Raised(
            "huggingface_hub.errors.HfHubHTTPError: 403 Forbidden: you may not write to https://huggingface.co/api/m57"
        ),
        Raised("requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.wandb.ai/graphql57"),
        Raised("wandb.errors.UsageError: entity team57 not found during upsertBucket"),
    ),
)
