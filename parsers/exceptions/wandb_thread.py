"""What the threads of wandb raise once its own process is gone: an echo of the end of the program, or of wandb alone."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.wandb_thread",
    writer="wandb 0.10 to 0.23, sdk/interface, sdk/internal and sdk/lib/service",
    types=(r"^Exception$", r"EOFError", r"BrokenPipeError", r"ConnectionResetError", r"ClosedError$"),
    frames=(
        r"wandb/sdk/(?:interface|internal)/",
        r"wandb/sdk/lib/(?:sock_client|service/service_client|asyncio_manager)\.py",
    ),
    title="a thread of wandb lost its process",
    samples=(
        Raised("Exception: The wandb backend process has shutdown", ("wandb/sdk/interface/interface.py _communicate",)),
        Raised("EOFError", ("wandb/sdk/internal/internal_util.py _run",)),
        Raised("BrokenPipeError: [Errno 32] Broken pipe", ("wandb/sdk/lib/sock_client.py _sendall_with_error_handle",)),
        Raised("wandb.sdk.interface.router.MessageRouterClosedError", ("wandb/sdk/interface/router.py message_loop",)),
        Raised("ConnectionResetError: [Errno 104] Connection reset by peer", ("wandb/sdk/lib/sock_client.py _read",)),
        Raised("ConnectionResetError: Connection lost", ("wandb/sdk/lib/service/service_client.py publish",)),
    ),
)
