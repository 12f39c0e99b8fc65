"""A limit of a service that answers for money: requests in a minute, or what was paid for."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.api_limit",
    writer="openai 1, anthropic, google-api-core, cohere, mistralai",
    types=(
        r"RateLimitError",
        r"ResourceExhausted",
        r"(?:^|openai\.)APIError",
        r"ClientError",
        r"SDKError",
    ),
    says=(
        r"insufficient_quota|exceeded your current quota|(?:credit|balance) (?:balance )?is too low|[Ii]nsufficient (?:balance|credits)",
        r"\b429\b[^\n]{0,80}(?:[Rr]ate.?[Ll]imit|Too Many Requests|RESOURCE_EXHAUSTED|[Qq]uota)|[Rr]ate limit (?:reached|exceeded)|rate_limit",
    ),
    cls=FailureClass.INFRASTRUCTURE,
    weight=58,
    title="a service's limit is used up",
    advice=(Advice("training", "ask more slowly and again after a pause, or raise the account's limit: {raised}"),),
    samples=(
        Raised(
            "openai.RateLimitError: Error code: 429 - {'error': {'message': 'You exceeded your current quota 57', 'type': 'insufficient_quota'}}"
        ),
        Raised(
            "openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached for model57', 'type': 'requests'}}"
        ),
        Raised("google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded for metric57"),
        Raised("google.genai.errors.ClientError: 429 RESOURCE_EXHAUSTED. {'error': {'code': 57}}"),
        Raised("mistralai.models.sdkerror.SDKError: API error occurred: Status 429 rate_limit 57"),
        Raised("openai.APIError: insufficient_quota 57"),
    ),
)
