"""Retries and lost connections: attempt n of N, which recovers until it does not."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_OTHERS = r"^(?!.*(?:Error while reading '|Chunked encoding error|NCCL INFO ))"
"""`aistore_client` reads the AIStore SDK's own retries, the formats of NCCL those of its sockets."""
_OF_APPLICATION = (
    r"/(?:(?:v\d/)?(?:chat|completions?|embeddings|models|responses|rerank|score|tokenize|generate\w*|predict\w*|infer\w*|invoke"
    r"|health\w*|api/\w+|act(?:ion)?|step|reset|query|search|retrieve|reward\w*|rpc)(?=[/?\s]|$)|\s)"
)
"""Paths of what serves models and rewards, not objects: `/v1/chat/completions`, `/generate`."""
_NO_WAY = (
    r"\[Errno 1(?:01|13)\]|Network is unreachable|No route to host"
    r"|host='(?:huggingface\.co|hf-mirror\.com|[\w.]{0,40}\bgithub(?:usercontent)?\.com|download\.pytorch\.org)'"
)
"""What tells that it is the way that is missing; public hosts are up, as a rule."""
_COUNT = r".*?(?:[Rr]etry(?:ing)?(?: attempt)?|[Aa]ttempt)[ :#]+\(?"
_AGAIN = r"(?:[Rr]etrying|[Ww]ill (?:retry|try again)|[Tt]rying again|[Rr]etry in) "
"""A caller's own words that it asks once more, behind what its client gave up on."""
_GAVE_UP = (
    r"^(?!.*(?:Retrying aistore\.|\(Caused by NameResolutionError|' thrown while requesting |"
    + _NO_WAY
    + r"))(?!.*\)[^()\n]{0,40}"
    + _AGAIN
    + r").*?(?:host='(?P<host>[^']+)', port=(?P<port>\d+)\): )?Max retries exceeded with url: "
)
"""What a client says where it gives up, and its caller does not ask once more; the address follows."""
_REQUEST = (
    r"(?=.*(?:[Rr]etr|[Ff]ail|[Ee]rror|[Rr]efused|[Rr]eset|[Ll]ost|[Uu]navailable|[Cc]onnect|[Tt]ime(?:d[ -]?|-)?out"
    r"|[Rr]equest|[Dd]ownload|[Ff]etch))"
)
"""Some word of what is tried: `Attempt 3/3` alone counts whatever a program does three times."""

RETRIES = (
    Pattern(
        name="retry.counted",
        anchors=("retrying ", "Retrying ", "etry attempt ", "retry attempt: ", " attempt #", "Attempt "),
        regex=_OTHERS + _COUNT + r"(?P<attempt>\d+) ?(?:/|of) ?(?!(?P=attempt)\b)(?P<of>\d+)\b",
        samples=(
            Sample("WARNING: connection reset by server, retrying 1/5", {"attempt": "1", "of": "5"}),
            Sample("Attempt 2 of 7 failed", {"attempt": "2", "of": "7"}),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a request is retried",
        note="Always 1 of N: recovering, noise.",
    ),
    Pattern(
        name="retry.last",
        anchors=("retrying ", "Retrying ", "etry attempt ", "retry attempt: ", " attempt #", "Attempt "),
        regex=r"(?!Retrying in [\d.]{1,9}s \[Retry )"
        + _OTHERS
        + _REQUEST
        + _COUNT
        + r"(?P<attempt>\d+) ?(?:/|of) ?(?P<of>(?P=attempt))\b(?![^\n]{0,40}\b[Rr]etrying\b)",
        samples=(Sample("WARNING: connection reset by server, retrying 5/5", {"attempt": "5", "of": "5"}),),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=56,
        bulk=True,
        title="the last retry",
        note="Retries are exhausted unless this one succeeds.",
    ),
    Pattern(
        name="retry.tenacity",
        anchors=(" as it raised ",),
        regex=r"Retrying (?P<function>(?!aistore\.)[\w.<>]+) in (?P<seconds>[\d.]+) seconds as it raised (?P<exc>\w+): (?P<msg>.*)",
        samples=(
            Sample(
                "2026-01-02 03:04:05,678 WARNING root: Retrying client.request in 2 seconds as it raised ReadTimeout: pool 10.0.0.7:51080 timed out.",
                {"function": "client.request", "seconds": "2", "exc": "ReadTimeout"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a request is retried",
        note="tenacity.",
    ),
    Pattern(
        name="retry.urllib3",
        anchors=("Retrying (Retry(total=",),
        regex=r"Retrying \(Retry\(total=(?P<left>[1-9]\d*).*?after connection broken by '(?P<error>.+?)': (?P<path>\S+)",
        samples=(
            Sample(
                "WARNING urllib3.connectionpool: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after "
                "connection broken by 'RemoteDisconnected('Remote end closed connection')': /v1/objects/a",
                {"left": "4", "path": "/v1/objects/a"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="a request is retried",
    ),
    Pattern(
        name="retry.urllib3_last",
        anchors=("Retrying (Retry(total=0",),
        regex=r"Retrying \(Retry\(total=0\b.*?after connection broken by '(?P<error>.+?)': (?P<path>\S+)",
        samples=(
            Sample(
                "Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
                "'NewConnectionError('refused')': /v1/objects/a",
                {"path": "/v1/objects/a"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="the last retry of a request",
    ),
    Pattern(
        name="retry.hub",
        anchors=("' thrown while requesting ",),
        regex=r"' thrown while requesting (?P<method>[A-Z]{3,7}) (?P<url>\S+)",
        samples=(
            Sample(
                "WARNING:huggingface_hub.utils._http:'(MaxRetryError(\"HTTPSConnectionPool(host='hub57.example', port=443): Max retries "
                "exceeded with url: /a57 (Caused by NewConnectionError('refused'))\"), '(Request ID: 5757)')' thrown while requesting "
                "HEAD https://hub57.example/a57",
                {"method": "HEAD", "url": "https://hub57.example/a57"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="a request to the model hub is tried again",
        note="It waits and tries five times; what it raises in the end is an exception.",
    ),
    Pattern(
        name="retry.of_caller",
        anchors=("Max retries exceeded with url: ",),
        regex=r"Max retries exceeded with url: (?P<url>\S++).{0,2000}?\)[^()\n]{0,40}" + _AGAIN,
        samples=(
            Sample(
                "WARNING: HTTPConnectionPool(host='10.0.0.7', port=51080): Max retries exceeded with url: /v1/a57 (Caused by "
                "NewConnectionError('refused')). Retrying in 57s",
                {"url": "/v1/a57"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a request is retried",
        note="Its client gave up, who called it did not.",
    ),
    Pattern(
        name="retry.exhausted",
        anchors=("Max retries exceeded with url: ",),
        regex=_GAVE_UP
        + r"(?P<url>(?!\S*(?:wandb|pypi))(?!"
        + _OF_APPLICATION
        + r")\S+)(?: \(Caused by (?P<error>\w+))?",
        samples=(
            Sample(
                "requests.exceptions.ConnectionError: HTTPConnectionPool(host='10.0.0.7', port=51080): Max retries exceeded with url: "
                "/v1/objects/corpus/shard-00012.tar?provider=ais (Caused by NewConnectionError('refused'))",
                {"host": "10.0.0.7", "port": "51080", "error": "NewConnectionError"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=62,
        bulk=True,
        title="a request failed after all its retries",
        advice=(
            Advice("storage", "look at {host}:{port} for that minute: is it up, overloaded, restarted?"),
            Advice("client", "raise retries and their backoff, so that a restart of the server is survived"),
        ),
    ),
    Pattern(
        name="retry.service_gone",
        anchors=("Max retries exceeded with url: ",),
        regex=_GAVE_UP + r"(?P<url>" + _OF_APPLICATION + r"\S*)(?: \(Caused by (?P<error>\w+))?",
        samples=(
            Sample(
                "Error processing request: HTTPConnectionPool(host='10.0.0.7', port=8057): Max retries exceeded with url: "
                "/generate (Caused by NewConnectionError('refused'))",
                {"host": "10.0.0.7", "port": "8057", "error": "NewConnectionError"},
            ),
            Sample(
                "HTTPConnectionPool(host='10.0.0.7', port=8057): Max retries exceeded with url: /v1/chat/completions (Caused by "
                "NewConnectionError('refused'))",
                {"url": "/v1/chat/completions"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=62,
        bulk=True,
        title="a service did not answer after all retries of a request",
        advice=(Advice("infrastructure", "look at {host}:{port} for that minute: is it up, or did it die?"),),
    ),
    Pattern(
        name="retry.no_way",
        anchors=("Max retries exceeded with url: ",),
        regex=r"^(?!.*(?:Retrying aistore\.|\(Caused by NameResolutionError|' thrown while requesting ))(?=.*(?:"
        + _NO_WAY
        + r"))(?!.*\)[^()\n]{0,40}"
        + _AGAIN
        + r").*?(?:host='(?P<host>[^']{1,255})', port=(?P<port>\d+)\): )?Max retries exceeded with url: (?!\S*(?:wandb|pypi))\S+",
        samples=(
            Sample(
                "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='store57.example', port=443): Max retries exceeded with "
                "url: /a57 (Caused by NewConnectionError('Failed to establish a new connection: [Errno 101] Network is unreachable'))",
                {"host": "store57.example", "port": "443"},
            ),
            Sample(
                "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with "
                "url: /gpt57/resolve/main/config.json (Caused by NewConnectionError(57))",
                {"host": "huggingface.co"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=62,
        bulk=True,
        title="there is no way to a server that was asked again and again",
        advice=(
            Advice(
                "infrastructure", "check from a node whether {host} can be reached: compute nodes often have no way out"
            ),
        ),
    ),
    Pattern(
        name="retry.name_unknown",
        anchors=("(Caused by NameResolutionError(",),
        regex=r"(?:host='(?P<host>[^']{1,255})', port=(?P<port>\d+)\): )?Max retries exceeded with url: \S{1,1000} \(Caused by NameResolutionError",
        samples=(
            Sample(
                "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='store57.example', port=443): Max retries exceeded with "
                "url: /a57 (Caused by NameResolutionError(\"HTTPSConnection(host='store57.example', port=443): Failed to resolve\"))",
                {"host": "store57.example", "port": "443"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=63,
        bulk=True,
        title="the name of a host could not be resolved",
        advice=(Advice("infrastructure", "check the name[ {host}], and that the node's resolver answers"),),
    ),
    Pattern(
        name="retry.pool_full",
        anchors=("Connection pool is full, discarding connection",),
        regex=r"Connection pool is full, discarding connection: (?P<host>[\w.-]+\w)",
        samples=(
            Sample(
                "Connection pool is full, discarding connection: 10.0.0.7. Connection pool size: 10",
                {"host": "10.0.0.7"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
    ),
)

_NOT_OF_PEERS = r"^(?!.*(?:SocketImpl|gloo|NCCL|TCPStore|c10d|socket\.cpp|ssh: ))"
"""What c10d, Gloo, NCCL and ssh say of their connections has patterns of its own."""

CONNECTIONS = (
    Pattern(
        name="connection.reset",
        anchors=("onnection reset", "ConnectionResetError(104"),
        regex=_NOT_OF_PEERS + r".*?(?:[Cc]onnection reset\b(?! by (?!peer))|ConnectionResetError\(104)",
        samples=(
            Sample(
                "urllib3.exceptions.ProtocolError: ('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer'))"
            ),
            Sample("ConnectionResetError: [Errno 104] Connection reset by peer"),
            Sample("curl: (56) Recv failure: Connection reset"),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a connection was reset",
        note="Idle connections that a server closes: noise while the first retry succeeds. Those of c10d, Gloo and NCCL "
        "have patterns of their own.",
    ),
    Pattern(
        name="connection.broken",
        anchors=(
            "onnection broken",
            "Remote end closed connection without response",
            "IncompleteRead(",
            "roken pipe",
            "BrokenPipeError",
        ),
        regex=_NOT_OF_PEERS
        + r".*?(?:[Cc]onnection broken(?:: (?P<error>\w+))?|Remote end closed connection without response|IncompleteRead\(|"
        + r"\b[Bb]roken pipe\b|BrokenPipeError)",
        samples=(
            Sample(
                "urllib3.exceptions.ProtocolError: ('Connection broken: InvalidChunkLength(got length b'', 0 bytes read)'",
                {"error": "InvalidChunkLength"},
            ),
            Sample("write tcp 10.0.0.57:40112->10.0.0.7:51080: write: broken pipe"),
            Sample("BrokenPipeError: [Errno 32] Broken pipe"),
            Sample("WARNING: Connection broken, the rest of the object is read again"),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a connection broke amid a response",
    ),
    Pattern(
        name="connection.refused",
        anchors=("onnection refused", "ConnectionRefusedError("),
        regex=_NOT_OF_PEERS + r".*?(?:[Cc]onnection refused\b|ConnectionRefusedError\()",
        samples=(
            Sample("ConnectionRefusedError: [Errno 111] Connection refused"),
            Sample("dial tcp 10.0.0.7:51080: connect: connection refused"),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a connection was refused",
        note="The server process is not there.",
    ),
    Pattern(
        name="connection.timeout",
        anchors=(
            "Read timed out.",
            "ReadTimeoutError(",
            "ConnectTimeoutError(",
            "[Errno 110] Connection timed out",
            "context deadline exceeded",
            "onnection timed out",
            "equest timed out",
            "peration timed out",
        ),
        regex=_NOT_OF_PEERS
        + r".*?(?:Read timed out\.|ReadTimeoutError\(|ConnectTimeoutError\(|context deadline exceeded|"
        + r"\b(?:[Cc]onnection|[Rr]equest|[Oo]peration) timed out\b)",
        samples=(
            Sample(
                "requests.exceptions.ReadTimeout: HTTPConnectionPool(host='10.0.0.7', port=51080): Read timed out. (read timeout=30)"
            ),
            Sample("curl: (28) Operation timed out after 57000 milliseconds with 0 bytes received"),
            Sample("client: request timed out"),
        ),
        role=Role.STATE,
        marks=(Mark.PASSING,),
        bulk=True,
        title="a request timed out",
    ),
    Pattern(
        name="connection.no_name",
        anchors=("Temporary failure in name resolution", "Name or service not known", "nodename nor servname provided"),
        regex=r"(?P<what>Temporary failure in name resolution|Name or service not known|nodename nor servname provided)",
        samples=(
            Sample(
                "socket.gaierror: [Errno -3] Temporary failure in name resolution",
                {"what": "Temporary failure in name resolution"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="a host name cannot be resolved",
        note="DNS of that host or container.",
    ),
)

FORMAT = LineFormat(
    name="retries",
    title="retries and lost connections",
    reference="urllib3 util/retry.py; requests adapters.py; jd/tenacity; glibc strerror texts",
    patterns=RETRIES + CONNECTIONS,
)
