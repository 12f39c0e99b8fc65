"""Exceptions that report what happened elsewhere: children, actors, peers and stores that are gone."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

CUT = ExceptionKind(
    name="exception.cut",
    writer="any log that ends, or is torn, within a traceback",
    types=(r"^$",),
    cls=FailureClass.SOFTWARE,
    weight=30,
    title="a traceback that is cut before it names its exception",
    samples=(Raised("", ("/opt/job/train.py main",)),),
)

CHILDREN = (
    ExceptionKind(
        name="exception.conda_uninitialised",
        writer="conda 4.4 and later, cli/main.py, of a shell that was never set up for it",
        types=(r"^CondaError$",),
        says=(r"Run 'conda init' before",),
        cls=FailureClass.CONFIG,
        weight=50,
        title="conda was not set up in this shell",
        samples=(Raised("CondaError: Run 'conda init' before 'conda activate'"),),
    ),
    ExceptionKind(
        name="exception.child_killed",
        writer="CPython subprocess.py, check_call and run(check=True), 3.5 and later",
        types=(r"CalledProcessError",),
        says=(r"died with <Signals\.SIGKILL",),
        cls=FailureClass.HOST_OOM,
        weight=52,
        title="a child process was killed with SIGKILL",
        samples=(
            Raised(
                "subprocess.CalledProcessError: Command '['python', 'train.py', '--local_rank=7']' died with <Signals.SIGKILL: 9>."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.child_crashed",
        writer="CPython subprocess.py, check_call and run(check=True), 3.5 and later",
        types=(r"CalledProcessError",),
        says=(r"died with <Signals\.SIG(?:SEGV|BUS|ILL|FPE)",),
        cls=FailureClass.SOFTWARE,
        weight=52,
        title="a child process crashed",
        samples=(
            Raised(
                "subprocess.CalledProcessError: Command '['python', 'train.py', '--local_rank=7']' died with <Signals.SIGSEGV: 11>."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.store_program_failed",
        writer="gsutil, aws, s5cmd, rclone, azcopy, HDFS, through subprocess, check_call and run(check=True)",
        types=(r"CalledProcessError",),
        says=(
            r"Command '?\[?'?(?:\S{0,200}/)?(?:gsutil|gcloud|aws|s5cmd|s3cmd|rclone|azcopy|ais|hadoop|hdfs|mount)(?=[' ])",
        ),
        cls=FailureClass.STORAGE_IO,
        weight=57,
        title="a program that moves files to or from a store failed",
        samples=(
            Raised(
                "subprocess.CalledProcessError: Command '['gsutil', '-m', 'cp', 'gs://b57/a', '/tmp']' returned non-zero exit status 1."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.network_program_failed",
        writer="curl, wget, ssh, rsync, through subprocess, check_call and run(check=True)",
        types=(r"CalledProcessError",),
        says=(r"Command '?\[?'?(?:\S{0,200}/)?(?:curl|wget|ssh|scp|rsync|sftp|aria2c)(?=[' ])",),
        cls=FailureClass.NETWORK,
        weight=57,
        title="a program that fetches over the network failed",
        samples=(
            Raised(
                "subprocess.CalledProcessError: Command 'wget -q http://10.0.0.7/57.tar' returned non-zero exit status 1."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.unpacking_failed",
        writer="tar, unzip, zstd, ffmpeg, sox, through subprocess, check_call and run(check=True)",
        types=(r"CalledProcessError",),
        says=(r"Command '?\[?'?(?:\S{0,200}/)?(?:tar|unzip|gunzip|zstd|pigz|ffmpeg|ffprobe|sox)(?=[' ])",),
        cls=FailureClass.DATA,
        weight=57,
        title="a program that unpacks or decodes data failed",
        samples=(
            Raised(
                "subprocess.CalledProcessError: Command '['/usr/bin/tar', 'xf', '/mnt/shard-57.tar']' returned non-zero exit status 1."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.compiler_failed",
        writer="Triton 2 and 3 (gcc), torch.utils.cpp_extension 1.8 and later (ninja, nvcc), through subprocess",
        types=(r"CalledProcessError",),
        says=(r"Command '\[?'?(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang\S*|nvcc|hipcc|ninja|ptxas\S*|ld|make|cmake)\b",),
        cls=FailureClass.SOFTWARE,
        weight=64,
        title="a compiler failed",
        samples=(
            Raised(
                "subprocess.CalledProcessError: Command '['/usr/bin/gcc', '/tmp/tmp7/main.c', '-O3', '-shared']' returned non-zero exit status 1.",
                ("triton/runtime/build.py _build",),
            ),
            Raised(
                "subprocess.CalledProcessError: Command '['ninja', '-v', '-j', '7']' returned non-zero exit status 1.",
                ("torch/utils/cpp_extension.py _run_ninja_build",),
            ),
        ),
    ),
)

WRAPPERS = (
    ExceptionKind(
        name="exception.launcher",
        writer="torch.distributed.elastic 1.9 and later; torch.multiprocessing.spawn; torch.distributed.launch",
        types=(
            r"ChildFailedError",
            r"SignalException",
            r"ProcessRaisedException",
            r"ProcessExitedException",
            r"CalledProcessError",
        ),
        title="a launcher reports a dead child",
        samples=(
            Raised("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "),
            Raised("torch.distributed.elastic.multiprocessing.api.SignalException: Process 4242 got signal: 15"),
            Raised(
                "torch.multiprocessing.spawn.ProcessRaisedException: \n\n-- Process 3 terminated with the following error:"
            ),
            Raised("torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with signal SIGKILL"),
            Raised(
                "subprocess.CalledProcessError: Command '['python', 'train.py', '--local_rank=7']' returned non-zero exit status 1."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.spawned_child",
        writer="torch.multiprocessing.spawn up to 1.5",
        types=(r"^Exception$",),
        says=(r"^process \d{1,5} terminated with (?:signal SIG|exit code \d)",),
        title="a launcher reports a dead child",
        samples=(Raised("Exception: process 3 terminated with signal SIGKILL"),),
    ),
    ExceptionKind(
        name="exception.joblib",
        writer="joblib up to 0.13, also inside scikit-learn: the text of a worker's traceback is its message",
        types=(r"^(?:\w+\.)*Joblib\w+$",),
        title="joblib reports an exception of a worker",
        samples=(Raised("sklearn.externals.joblib.my_exceptions.JoblibInternalError: JoblibInternalError"),),
    ),
    ExceptionKind(
        name="exception.ray_actor",
        writer="Ray 2, python/ray/exceptions.py",
        types=(
            r"RayTaskError",
            r"RayActorError",
            r"ActorDiedError",
            r"ActorUnavailableError",
            r"WorkerCrashedError",
        ),
        title="Ray reports a dead actor",
        samples=(
            Raised("ray.exceptions.RayTaskError: ray::train() (pid=4242, ip=10.0.0.7)"),
            Raised("ray.exceptions.RayActorError: The actor died unexpectedly before finishing this task."),
            Raised("ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task."),
            Raised(
                "ray.exceptions.ActorUnavailableError: The actor 57ab57 is unavailable: The actor is temporarily unavailable"
            ),
            Raised("ray.exceptions.WorkerCrashedError: The worker died unexpectedly while executing this task."),
        ),
    ),
)

PEERS = (
    ExceptionKind(
        name="exception.garbage_received",
        writer="torch c10/core, at the use of what an aborted receive left in a size",
        says=(r"Storage size calculation overflowed",),
        title="garbage after an aborted collective",
        samples=(Raised("RuntimeError: Storage size calculation overflowed with sizes=[4, 5757575757575757575]"),),
    ),
    ExceptionKind(
        name="exception.nccl_aborted",
        writer="torch ProcessGroupNCCL 1.10 and later; NCCL 2.13 and later (ncclRemoteError)",
        says=(r"NCCL communicator was aborted", r"ncclRemoteError", r"remote process exited"),
        title="the communicator was aborted",
        samples=(
            Raised("RuntimeError: NCCL communicator was aborted on rank 3."),
            Raised(
                "RuntimeError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:57, "
                "remote process exited or there was a network error, NCCL version 2.14.3"
            ),
            Raised(
                "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
                bare=True,
            ),
            Raised(
                "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:57, "
                "remote process exited or there was a network error, NCCL version 2.21.5\n"
                "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\n"
                "Last error:\nsocketProgress: Connection closed by remote peer node007<5757>"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.collective_timeout",
        writer="torch ProcessGroupNCCL with blocking wait: Caught … 2.1 and later, … blocking wait 1.8 and later",
        says=(r"Watchdog caught collective operation timeout", r"timed out in blocking wait"),
        title="the collective timed out here",
        samples=(
            Raised(
                "torch.distributed.DistBackendError: [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=57, "
                "OpType=ALLREDUCE, NumelIn=7, NumelOut=7, Timeout(ms)=600000) ran for 600057 milliseconds before timing out."
            ),
            Raised(
                "torch.distributed.DistBackendError: Work WorkNCCL(SeqNum=57, OpType=ALLREDUCE, NumelIn=7, NumelOut=7, "
                "Timeout(ms)=60000) timed out in blocking wait."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.gloo_peer_gone",
        writer="Gloo transport/tcp pair.cc and unbound_buffer.cc, of torch 1.8 and later",
        says=(
            r"Connection closed by peer",
            r"Read error \[",
            r"Timed out waiting \d+ms for (?:recv|send)",
            r"Application timeout caused pair closure",
        ),
        title="a peer is gone",
        samples=(
            Raised(
                "RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:57] Connection closed by peer [10.0.0.7]:5757"
            ),
            Raised(
                "RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:57] Read error [10.0.0.7]:5757: Connection reset by peer"
            ),
            Raised(
                "RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:57] Timed out waiting 1800000ms for recv operation to complete"
            ),
            Raised("RuntimeError: Application timeout caused pair closure"),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_peer_gone",
        writer="NCCL misc/socket.cc 2.4 to 2.27, quoted by torch as the last error",
        says=(
            r"Connection closed by remote peer",
            r"Call to (?:recv|send)(?: (?:from|to) \S+)? failed ?: (?:Connection reset|Broken pipe)",
        ),
        title="a peer is gone",
        samples=(
            Raised(
                "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
                "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.18.6\n"
                "Last error:\nsocketProgress: Connection closed by remote peer node007<5757>"
            ),
            Raised(
                "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
                "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.18.6\n"
                "Last error:\nsocketProgressOpt: Call to recv from 10.0.0.7<5757> failed : Connection reset by peer"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.rendezvous_left",
        writer="torch.distributed.elastic: …Closed… 1.9 and later, …GracefulExit… 2.4 and later",
        types=(r"RendezvousClosedError", r"RendezvousGracefulExitError"),
        title="the other nodes have left the rendezvous",
        samples=(
            Raised("torch.distributed.elastic.rendezvous.api.RendezvousClosedError"),
            Raised("torch.distributed.elastic.rendezvous.api.RendezvousGracefulExitError"),
        ),
    ),
    ExceptionKind(
        name="exception.remote_rank_failed",
        writer="NCCL's result code where no torch frames it; Horovod 0.19 and later on TensorFlow",
        types=(r"ncclRemoteError", r"UnknownError"),
        says=(r"remote process", r"Horovod has been shut down"),
        title="another rank failed",
        samples=(
            Raised(
                "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely."
            ),
            Raised(
                "tensorflow.python.framework.errors_impl.UnknownError: Horovod has been shut down. This was caused by an exception "
                "on one of the ranks or an attempt to allreduce, allgather or broadcast a tensor after one of the ranks finished."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.store_gone",
        writer="torch TCPStore client, 2.1 and later; torch.distributed.elastic c10d rendezvous back end, 1.9 and later",
        types=(r"Dist(?:Network|Store)Error", r"RendezvousConnectionError"),
        says=(r"Broken pipe", r"reset by peer", r"failed to recv", r"c10d store"),
        title="the store is gone",
        samples=(
            Raised("torch.distributed.DistNetworkError: Broken pipe"),
            Raised("torch.distributed.DistNetworkError: Connection reset by peer"),
            Raised(
                "torch.distributed.DistNetworkError: failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?"
            ),
            Raised(
                "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. "
                "See inner exception for details."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.old_store_gone",
        writer="torch TCPStore client, before 2.1",
        types=(r"RuntimeError",),
        says=(r"^Broken pipe$",),
        title="the store is gone",
        samples=(Raised("RuntimeError: Broken pipe"),),
    ),
    ExceptionKind(
        name="exception.other_end_gone",
        writer="CPython multiprocessing and its fork multiprocess; torch.distributed rendezvous",
        types=(r"BrokenPipeError", r"ConnectionResetError", r"EOFError", r"ConnectionRefusedError"),
        frames=(r"multiprocessing", r"resource_sharer", r"queues\.py", r"rendezvous"),
        title="the other end is gone",
        samples=(
            Raised("BrokenPipeError: [Errno 32] Broken pipe", ("multiprocess/queues.py _feed",)),
            Raised(
                "ConnectionResetError: [Errno 104] Connection reset by peer",
                ("/usr/lib/python3.12/multiprocessing/connection.py _recv",),
            ),
            Raised("EOFError", ("multiprocess/resource_sharer.py get_connection",)),
            Raised(
                "ConnectionRefusedError: [Errno 111] Connection refused",
                ("torch/distributed/elastic/rendezvous/etcd_rendezvous.py create_path_if_not_exists",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.sharer_gone",
        writer="CPython multiprocessing/connection.py: the socket of a process that shares what it loaded, by its path",
        types=(r"FileNotFoundError",),
        says=(r"^\[Errno 2\] No such file or directory$",),
        frames=(r"multiprocess(?:ing)?/(?:resource_sharer|connection|managers)\.py",),
        title="the other end is gone",
        samples=(
            Raised(
                "FileNotFoundError: [Errno 2] No such file or directory",
                ("/usr/lib/python3.12/multiprocessing/resource_sharer.py detach",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.handle_closed",
        writer="CPython multiprocessing/connection.py, in a thread that still reads when its process ends",
        types=(r"OSError",),
        says=(r"^handle is closed$",),
        title="a thread read from a pipe that its own process had closed",
        samples=(Raised("OSError: handle is closed"),),
    ),
    ExceptionKind(
        name="exception.hccl_failed",
        writer="torch_npu 2.1 and later with CANN 7 and 8; HCCL's codes EI0002 and EI0006",
        says=(
            r"Hccl\w*, error code is",
            r"HCCL (?:function )?error",
            r"hccl api failed",
            r"ACL stream synchronize failed",
            r"AclrtSynchronize\w*WithTimeout, error code is 507048",
            r"EI000[26]\)?: ",
        ),
        title="a collective of NPUs failed here",
        samples=(
            Raised(
                "RuntimeError: InnerRunOpApi:torch_npu/csrc/framework/OpParamMaker.cpp:57 OPS function error: HcclAllreduce, error code is 6"
            ),
            Raised(
                "RuntimeError: The Inner error is reported as above.\n"
                "EI0006: [PID: 4242] 2026-01-02-03:04:05.678.901 Getting socket times out."
            ),
            Raised(
                "RuntimeError: createHCCLComm:torch_npu/csrc/distributed/ProcessGroupHCCL.cpp:57 HCCL function error: "
                "HcclGetRootInfo(&hcclID), error code is 7"
            ),
            Raised(
                "RuntimeError: [ERROR] 2026-01-02-03:04:05 (PID:4242, Device:3, RankID:3) ERR02200 DIST call hccl api failed."
            ),
            Raised("RuntimeError: ACL stream synchronize failed, error code:507057"),
            Raised(
                "RuntimeError: copy_between_host_and_device_opapi:torch_npu/csrc/aten/ops/op_api/CopyKernelOpApi.cpp:57 "
                "NPU function error: c10_npu::acl::AclrtSynchronizeStreamWithTimeout, error code is 507048"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.tracker_ended",
        writer="wandb 0.19 and later, sdk/mailbox",
        types=(r"MailboxClosedError",),
        frames=(r"wandb",),
        title="the tracker's service has ended",
        samples=(Raised("wandb.sdk.mailbox.mailbox.MailboxClosedError", ("wandb/sdk/mailbox/mailbox.py deliver",)),),
    ),
    ExceptionKind(
        name="exception.terminal_closed",
        writer="torch.utils.data, every version: a worker got SIGHUP",
        says=(r"DataLoader worker .* killed by signal: Hangup",),
        cls=FailureClass.INFRASTRUCTURE,
        weight=50,
        title="the terminal was closed",
        samples=(Raised("RuntimeError: DataLoader worker (pid 4242) is killed by signal: Hangup. "),),
    ),
    ExceptionKind(
        name="exception.spawn_parent_gone",
        writer="CPython multiprocessing, spawn and forkserver",
        types=(r"UnpicklingError",),
        says=(r"pickle data was truncated",),
        frames=(r"multiprocessing.spawn", r"popen_", r"spawn_main"),
        title="the parent of a spawned worker is gone",
        samples=(
            Raised(
                "_pickle.UnpicklingError: pickle data was truncated",
                ("/usr/lib/python3.12/multiprocessing/spawn.py _main",),
            ),
            Raised("_pickle.UnpicklingError: pickle data was truncated", ("multiprocess/spawn.py spawn_main",)),
            Raised("_pickle.UnpicklingError: pickle data was truncated", ("multiprocess/popen_forkserver.py _launch",)),
        ),
    ),
    ExceptionKind(
        name="exception.told_to_stop",
        writer="Lightning 1.6 and later, loops/training_epoch_loop.py",
        types=(r"SIGTERMException$",),
        title="the training loop was told to stop by SIGTERM",
        note="Raised between two batches; what else the process then raises comes of its end.",
        samples=(Raised("lightning.pytorch.utilities.exceptions.SIGTERMException"),),
    ),
    ExceptionKind(
        name="exception.workers_ended",
        writer="torch.utils.data, every version: its workers got SIGTERM",
        says=(r"DataLoader worker \(pid\(?s?\)? [\d, ]+\) is killed by signal: Terminated",),
        title="workers end with their parent",
        samples=(Raised("RuntimeError: DataLoader worker (pid 4242) is killed by signal: Terminated. "),),
    ),
    ExceptionKind(
        name="exception.paddle_workers_ended",
        writer="Paddle 2, its handler of SIGCHLD: its workers got SIGTERM",
        says=(r"DataLoader process \(pid +\d+\) exited is killed by signal: Terminated",),
        title="workers end with their parent",
        samples=(Raised("SystemError: (Fatal) DataLoader process (pid 4242) exited is killed by signal: Terminated."),),
    ),
)

COLLECTIVES = (
    ExceptionKind(
        name="exception.collective_mismatch",
        writer="torch ProcessGroupWrapper 1.9 and later, TORCH_DISTRIBUTED_DEBUG=DETAIL",
        says=(r"Detected mismatch between collectives on ranks",),
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=92,
        title="ranks called different collectives",
        samples=(
            Raised(
                "RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is running collective: "
                "CollectiveFingerPrint(SequenceNumber=57, OpType=ALLREDUCE, TensorShape=[7]), but Rank 1 is running collective: "
                "CollectiveFingerPrint(SequenceNumber=57, OpType=BROADCAST, TensorShape=[7])."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.tensors_differ",
        writer="torch ProcessGroupGloo and its kin, checks before a collective, 1.9 to 2.15",
        says=(r"ProcessGroup\w{1,20}::\w{1,30}: (?:invalid|inconsistent) tensor (?:size|type|shape)",),
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=64,
        title="tensors of a collective do not fit each other",
        samples=(
            Raised(
                "RuntimeError: ProcessGroupGloo::allgather: invalid tensor size at index 0 (expected (57), got (7))",
                ("torch/distributed/distributed_c10d.py all_gather_into_tensor",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.monitored_barrier",
        writer="torch ProcessGroupGloo::monitoredBarrier, 1.9 and later",
        says=(r"failed to pass monitoredBarrier",),
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=85,
        title="a rank failed to reach the barrier",
        samples=(Raised("RuntimeError: [Rank 0]: Ranks 3, 7 failed to pass monitoredBarrier in 1800000 ms"),),
    ),
)
