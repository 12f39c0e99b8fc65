"""A service that will not do what it is asked (400, 409, 422): the request is wrong, and the service at work."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.request_refused",
    writer="generated clients of services over HTTP: qdrant-client, pinecone, kubernetes",
    types=(r"UnexpectedResponse$", r"ApiException$", r"ResponseHandlingException$"),
    says=(r"^\(?(?:Unexpected Response: )?4(?:00|05|09|15|22)\b",),
    cls=FailureClass.SOFTWARE,
    weight=58,
    title="a service refused what it was asked",
    advice=(Advice("training", "compare the request with what the service holds and knows: {raised}"),),
    samples=(
        Raised("qdrant_client.http.exceptions.UnexpectedResponse: Unexpected Response: 400 (Bad Request)"),
        Raised("pinecone.openapi_support.exceptions.PineconeApiException: (400)"),
        Raised("client57.ResponseHandlingException: 422 Unprocessable Entity"),
    ),
)
