"""Exceptions of disks, file systems, object stores and segments of shared memory."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.exceptions.vocabulary import DATA_CODE, HTTP_CLIENTS, HTTP_ERRORS, OBJECT_STORES, STORE_CLIENTS
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import CHECKPOINT_SPACE, OFFLINE_HUB

STORE_ADVICE = (
    Advice("storage", "check the endpoint that the error names, for that minute: is it up, overloaded, restarted?"),
    Advice("client", "raise retries and their backoff, so that a restart of the server is survived"),
)

_CHECKPOINT = r"(?:checkpoint|ckpt|\.pth?\b|\.safetensors)"
_CORRUPT_CHECKPOINT = (
    rf"{_CHECKPOINT}[^\n]{{0,200}}(?:corrupt|truncated)|(?:corrupt|truncated)[^\n]{{0,200}}{_CHECKPOINT}"
)

DISKS = (
    ExceptionKind(
        name="exception.disk_full",
        writer="Linux (ENOSPC, EDQUOT) through CPython, and through Rust in safetensors",
        says=(
            r"\[Errno 28\]|No space left on device",
            r"\[Errno 122\]|Disk quota exceeded",
            r"[Nn]ot enough (?:free )?disk space|[Ii]nsufficient disk space",
        ),
        cls=FailureClass.STORAGE_IO,
        weight=80,
        title="the disk is full",
        advice=(
            Advice(
                "storage",
                "free space where that is written[ on {host}], or raise the quota: fewer checkpoints, caches and "
                "TMPDIR elsewhere",
            ),
        ),
        samples=(
            Raised("OSError: [Errno 28] No space left on device: '/mnt/ckpt/step_57.pt'"),
            Raised("OSError: [Errno 122] Disk quota exceeded: '/mnt/ckpt/step_57.pt'"),
            Raised(
                "OSError: Not enough disk space. Needed: Unknown size (download: 57.3 MiB, generated: Unknown size)"
            ),
            Raised(
                "safetensors_rust.SafetensorError: Error while serializing: I/O error: No space left on device (os error 28)"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.checkpoint_unwritten",
        writer="torch caffe2/serialize/inline_container.cc, 1.5 and later; HDF5 through h5py",
        says=(r"PytorchStreamWriter failed writing", r"file write failed", r"unexpected pos \d+ vs"),
        cls=FailureClass.STORAGE_IO,
        weight=76,
        title="a checkpoint could not be written",
        advice=CHECKPOINT_SPACE,
        samples=(
            Raised(
                "RuntimeError: [enforce fail at inline_container.cc:57] . PytorchStreamWriter failed writing file data/7: file too large"
            ),
            Raised(
                "OSError: [Errno 27] Can't synchronously write data (file write failed: time = Fri Jan  2 03:04:05 2026, "
                "filename = '/mnt/ckpt/57.h5', file descriptor = 57, errno = 27, error message = 'File too large')"
            ),
            Raised("RuntimeError: [enforce fail at inline_container.cc:57] . unexpected pos 5757 vs 5707"),
        ),
    ),
    ExceptionKind(
        name="exception.checkpoint_unopened",
        writer="torch PyTorchFileWriter, 1.12 and later, from torch.save",
        types=(r"RuntimeError",),
        says=(r"^File .{1,300} cannot be opened",),
        frames=(r"serialization",),
        cls=FailureClass.STORAGE_IO,
        weight=58,
        title="a checkpoint could not be written",
        samples=(
            Raised("RuntimeError: File /mnt/ckpt/step_57.pt cannot be opened.", ("torch/serialization.py __init__",)),
        ),
    ),
    ExceptionKind(
        name="exception.checkpoint_corrupt",
        writer="programs' own checks of what they load",
        says=(_CORRUPT_CHECKPOINT,),
        cls=FailureClass.STORAGE_IO,
        weight=62,
        title="a checkpoint is corrupt",
        advice=(
            Advice("training", "go back to the checkpoint before, and compare its size and sum with its source's"),
        ),
        samples=(Raised("RuntimeError: checkpoint step_57 is corrupt: its sum differs"),),
    ),
    ExceptionKind(
        name="exception.file_system",
        writer="Linux (EIO, EROFS, EBADMSG, ESHUTDOWN, ESTALE, EREMOTEIO) through CPython and libraries",
        says=(
            r"\[Errno 5\]|Input/output error",
            r"\[Errno 30\]|Read-only file system",
            r"\[Errno 74\]",
            r"\[Errno 108\]|transport endpoint shutdown",
            r"\[Errno 116\]|Stale file handle",
            r"\[Errno 121\]|Remote I/O error",
        ),
        cls=FailureClass.STORAGE_IO,
        weight=78,
        title="the file system failed",
        advice=(
            Advice(
                "storage",
                "read the kernel log[ of {host}] of that minute: disk, mount or file server failed below the program",
            ),
        ),
        samples=(
            Raised("OSError: [Errno 5] Input/output error: '/mnt/ckpt/step_57.pt'"),
            Raised("OSError: [Errno 116] Stale file handle: '/mnt/ckpt/step_57.pt'"),
            Raised("OSError: [Errno 30] Read-only file system: '/mnt/ckpt/step_57.pt'"),
            Raised("OSError: [Errno 74] Bad message: '/opt/env/lib/python3.10/site-packages/net57/ops'"),
            Raised("OSError: [Errno 121] Remote I/O error: '/mnt/ckpt/step_57.pt'"),
            Raised("OSError: [Errno 108] Cannot send after transport endpoint shutdown: '/mnt/ckpt/step_57.pt'"),
        ),
    ),
)

OBJECTS = (
    ExceptionKind(
        name="exception.aistore",
        writer="Lhotse's AIS batch loader, early 2026; aistore Python SDK 1.4 and later",
        types=(r"AISBatchLoaderError", r"AISError"),
        cls=FailureClass.STORAGE_IO,
        weight=72,
        title="AIStore could not deliver",
        advice=(
            Advice(
                "storage", "look into the targets' logs of that minute for the object or batch that the error names"
            ),
        ),
        samples=(
            Raised("lhotse.ais.batch_loader.AISBatchLoaderError: Batch result iterator exhausted prematurely."),
            Raised(
                "aistore.sdk.errors.AISError: STATUS:500, MESSAGE:internal, REQ_URL:http://10.0.0.7:51080/v1/objects/a"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.arrow_s3",
        writer="pyarrow 7 and later, S3FileSystem",
        says=(r"AWS Error [A-Z_]+ during \w+ operation",),
        cls=FailureClass.STORAGE_IO,
        weight=68,
        title="the object store could not be reached",
        samples=(
            Raised(
                "OSError: When reading information for key 'a/57' in bucket 'b': AWS Error NETWORK_CONNECTION during HeadObject "
                "operation: curlCode: 28, Timeout was reached"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.no_credentials",
        writer="botocore 1 (NoCredentials…, Partial…, TokenRetrieval…); google-auth 1 and 2 (DefaultCredentials…)",
        types=(
            r"NoCredentialsError",
            r"PartialCredentialsError",
            r"TokenRetrievalError",
            r"DefaultCredentialsError",
        ),
        cls=FailureClass.CONFIG,
        weight=58,
        title="the object store was given no credentials",
        advice=(Advice("training", "give every rank the credentials: environment, mounted file, or role of the node"),),
        samples=(
            Raised("botocore.exceptions.NoCredentialsError: Unable to locate credentials"),
            Raised(
                "botocore.exceptions.PartialCredentialsError: Partial credentials found in env, missing: AWS_SECRET_ACCESS_KEY"
            ),
            Raised(
                "botocore.exceptions.TokenRetrievalError: Error when retrieving token from sso: Token has expired and refresh failed"
            ),
            Raised("google.auth.exceptions.DefaultCredentialsError: Your default credentials were not found."),
        ),
    ),
    ExceptionKind(
        name="exception.access_denied",
        writer="requests 2, httpx 0, aiohttp 3, urllib; botocore 1; google-api-core 1 and 2; azure-core 1, of statuses 401 and 403",
        types=(
            *HTTP_ERRORS,
            r"HTTPStatusError",
            r"ClientResponseError",
            r"HttpResponseError",
            r"Forbidden",
            r"Unauthori[sz]ed",
            r"AccessDenied",
        ),
        says=(
            r"\b40[13]\b",
            r"AccessDenied",
            r"InvalidAccessKeyId",
            r"SignatureDoesNotMatch",
            r"ExpiredToken",
            r"AuthenticationFailed",
        ),
        frames=(*STORE_CLIENTS, *HTTP_CLIENTS, *OBJECT_STORES),
        cls=FailureClass.CONFIG,
        weight=64,
        title="access was denied",
        samples=(
            Raised(
                "requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://s3.example/a57",
                ("requests/models.py raise_for_status",),
            ),
            Raised(
                "httpx.HTTPStatusError: Client error '401 Unauthorized' for url 'https://s3.example/a57'",
                ("httpx/_models.py raise_for_status",),
            ),
            Raised(
                "aiohttp.client_exceptions.ClientResponseError: 403, message='Forbidden', url=URL('https://s3.example/a57')",
                ("aiohttp/client_reqrep.py raise_for_status",),
            ),
            Raised(
                "azure.core.exceptions.HttpResponseError: Operation returned an invalid status. ErrorCode:AuthenticationFailed",
                ("azure/storage/blob/_shared/response_handlers.py process_storage_error",),
            ),
            Raised(
                "google.api_core.exceptions.Forbidden: 403 GET https://storage.googleapis.com/b/o: Forbidden",
                ("google/cloud/storage/_http.py api_request",),
            ),
            Raised(
                "google.api_core.exceptions.Unauthorized: 401 GET https://storage.googleapis.com/b/o: Invalid Credentials",
                ("google/cloud/storage/_http.py api_request",),
            ),
            Raised(
                "botocore.errorfactory.AccessDenied: An error occurred (AccessDenied) when calling the GetObject operation",
                ("botocore/client.py _make_api_call",),
            ),
            Raised(
                "botocore.exceptions.ClientError: An error occurred (InvalidAccessKeyId) when calling the GetObject operation",
                ("botocore/client.py _make_api_call",),
            ),
            Raised(
                "botocore.exceptions.ClientError: An error occurred (SignatureDoesNotMatch) when calling the GetObject operation",
                ("botocore/client.py _make_api_call",),
            ),
            Raised(
                "botocore.exceptions.ClientError: An error occurred (ExpiredToken) when calling the GetObject operation",
                ("botocore/client.py _make_api_call",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.object_absent",
        writer="botocore 1, ClientError of S3 and its kin",
        says=(r"\((?:404|410|NoSuchKey|NoSuchBucket|NoSuchVersion)\) when calling the \w+ operation",),
        cls=FailureClass.DATA,
        weight=58,
        title="an object that was asked for is not there",
        samples=(
            Raised("botocore.exceptions.ClientError: An error occurred (404) when calling the HeadObject operation"),
            Raised(
                "botocore.errorfactory.NoSuchKey: An error occurred (NoSuchKey) when calling the GetObject operation"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.cloud_storage",
        writer="google-api-core 1 and 2; tenacity's RetryError round clients of clouds",
        types=(r"ServiceUnavailable", r"TooManyRequests", r"GatewayTimeout", r"RetryError", r"InternalServerError"),
        frames=(*OBJECT_STORES,),
        cls=FailureClass.STORAGE_IO,
        weight=66,
        title="the object store could not be reached",
        samples=(
            Raised(
                "google.api_core.exceptions.ServiceUnavailable: 503 GET https://storage.googleapis.com/b/o: Service Unavailable",
                ("google/cloud/storage/_http.py api_request",),
            ),
            Raised(
                "google.api_core.exceptions.TooManyRequests: 429 GET https://storage.googleapis.com/b/o: rateLimitExceeded",
                ("google/cloud/storage/blob.py _do_download",),
            ),
            Raised(
                "google.api_core.exceptions.GatewayTimeout: 504 GET https://storage.googleapis.com/b/o: Gateway Timeout",
                ("google/cloud/storage/client.py list_blobs",),
            ),
            Raised(
                "tenacity.RetryError: RetryError[<Future at 0x7f57 state=finished raised HttpResponseError>]",
                ("tenacity/__init__.py __call__", "/opt/job/azure_reader.py read"),
            ),
            Raised(
                "google.api_core.exceptions.InternalServerError: 500 GET https://storage.googleapis.com/b/o: Backend Error",
                ("google/cloud/storage/_http.py api_request",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.read_connection_lost",
        writer="Linux (ETIMEDOUT, ECONNREFUSED, EHOSTUNREACH) through CPython's sockets, under readers of data",
        says=(r"\[Errno (?:110|111|113)\]",),
        frames=(*DATA_CODE, r"fsspec", r"urllib", r"\b(?:open|read)\w*$"),
        cls=FailureClass.STORAGE_IO,
        weight=58,
        by_place=True,
        title="a connection to read from was lost",
        samples=(
            Raised("TimeoutError: [Errno 110] Connection timed out", ("fsspec/implementations/local.py _fetch",)),
            Raised(
                "ConnectionRefusedError: [Errno 111] Connection refused",
                ("urllib3/util/connection.py create_connection",),
            ),
            Raised("OSError: [Errno 113] No route to host", ("/opt/job/remote.py read_part",)),
        ),
    ),
    ExceptionKind(
        name="exception.fsspec_timeout",
        writer="fsspec 0.9 and later, asyn.py",
        types=(r"FSTimeoutError",),
        cls=FailureClass.STORAGE_IO,
        weight=66,
        title="the object store could not be reached",
        samples=(Raised("fsspec.exceptions.FSTimeoutError", ("fsspec/asyn.py sync",)),),
    ),
    ExceptionKind(
        name="exception.hub",
        writer="huggingface_hub and wandb over requests and urllib3",
        types=(*HTTP_ERRORS,),
        says=(r"huggingface", r"hf\.co", r"wandb"),
        cls=FailureClass.NETWORK,
        weight=50,
        title="a hub could not be reached",
        advice=OFFLINE_HUB,
        samples=(
            Raised(
                "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /a/b"
            ),
            Raised(
                "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='cdn-lfs.hf.co', port=443): Read timed out. (read timeout=10)"
            ),
            Raised(
                "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://api.wandb.ai/graphql"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.object_store",
        writer="requests 2, urllib3 1 and 2, botocore 1, aiohttp 3, httpx 0, fsspec, gcsfs, aistore 1",
        types=(*HTTP_ERRORS, r"SSLError"),
        frames=(*STORE_CLIENTS,),
        cls=FailureClass.STORAGE_IO,
        weight=66,
        by_place=True,
        title="the object store could not be reached",
        advice=STORE_ADVICE,
        samples=(
            Raised(
                "botocore.exceptions.SSLError: SSL validation failed for https://a.example/a",
                ("botocore/httpsession.py send",),
            ),
            Raised(
                'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "https://s3.example/a"',
                ("botocore/httpsession.py send",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.object_store_by_url",
        writer="requests 2, urllib3 1 and 2, aiohttp 3, httpx 0, asked for what an object store keeps",
        types=(*HTTP_ERRORS, r"SSLError"),
        says=(
            r"/v1/(?:objects|buckets|daemon|ml)\b",
            r"\b5108\d\b",
            r"\bais(?:tore)?[-.]",
            r"\bs3[.-]",
            r"minio",
            r"bucket",
            r"blob\.core",
            r"storage\.\w+apis",
        ),
        frames=(*HTTP_CLIENTS,),
        cls=FailureClass.STORAGE_IO,
        weight=66,
        by_place=True,
        title="the object store could not be reached",
        advice=STORE_ADVICE,
        samples=(
            Raised(
                "requests.exceptions.HTTPError: 404 Client Error: Not Found for url: http://10.0.0.7:8080/v1/objects/a",
                ("requests/models.py raise_for_status",),
            ),
            Raised(
                "requests.exceptions.SSLError: HTTPSConnectionPool(host='s3.example', port=443): Max retries exceeded with url: /a",
                ("requests/adapters.py send",),
            ),
            Raised("requests.exceptions.ReadTimeout: http://minio:9000/a", ("requests/adapters.py send",)),
            Raised("requests.exceptions.ReadTimeout: http://10.0.0.7:51080/a", ("requests/adapters.py send",)),
            Raised("requests.exceptions.ReadTimeout: http://ais-proxy-0/a", ("requests/adapters.py send",)),
            Raised("requests.exceptions.ConnectionError: /bucket/a", ("requests/adapters.py send",)),
            Raised(
                "aiohttp.client_exceptions.ClientConnectionError: https://a.blob.core.example/a",
                ("aiohttp/client.py _request",),
            ),
            Raised(
                "requests.exceptions.ConnectionError: https://storage.exampleapis.com/a",
                ("requests/adapters.py send",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.http_client",
        writer="requests 2, urllib3 1 and 2, aiohttp 3, httpx 0, http.client",
        types=(*HTTP_ERRORS, r"SSLError"),
        frames=(*HTTP_CLIENTS,),
        cls=FailureClass.NETWORK,
        weight=66,
        by_place=True,
        title="a web server gave no answer, or none of use",
        advice=(
            Advice("client", "try the address that the error names from that host; raise retries and their backoff"),
        ),
        samples=(
            Raised(
                "requests.exceptions.SSLError: HTTPSConnectionPool(host='data.example', port=443): Max retries exceeded with url: /a",
                ("requests/adapters.py send",),
            ),
            Raised(
                "http.client.IncompleteRead: IncompleteRead(4821 bytes read, 5742 more expected)",
                ("urllib3/response.py _error_catcher",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.shared_segment_gone",
        writer="CPython multiprocessing.shared_memory 3.8 and later (psm, wnsm), its semaphores (sem), torch (torch)",
        types=(r"FileNotFoundError",),
        says=(r"'/(?:psm|wnsm|torch|sem)[_.-][\w-]+'",),
        cls=FailureClass.SOFTWARE,
        weight=58,
        title="a segment of shared memory is gone",
        advice=(
            Advice(
                "training",
                "keep the process that made the segment alive until all have closed it; look for what killed it",
            ),
        ),
        samples=(Raised("FileNotFoundError: [Errno 2] No such file or directory: '/psm_57ab57cd'"),),
    ),
)
