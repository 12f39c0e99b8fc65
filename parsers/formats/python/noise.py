"""Warnings that healthy jobs print too: counted, folded, never a root cause by themselves."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="noise",
    title="harmless warnings",
    reference="CPython warnings; tokenizers; TensorFlow; Lmod; PyTorch advisories",
    patterns=(
        Pattern(
            name="noise.python_warning",
            anchors=(
                "FutureWarning: ",
                "DeprecationWarning: ",
                "UserWarning: ",
                "RuntimeWarning: ",
                "ResourceWarning: ",
            ),
            regex=r"(?P<kind>Future|Deprecation|PendingDeprecation|User|Runtime|Resource)Warning: ",
            samples=(
                Sample(
                    "/opt/venv/lib/python3.12/site-packages/a.py:57: FutureWarning: use b instead", {"kind": "Future"}
                ),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
        Pattern(
            name="noise.shared_cuda",
            anchors=("Producer process has been terminated before all shared CUDA tensors released",),
            regex=r"Producer process has been terminated before all shared CUDA tensors released",
            samples=(
                Sample(
                    "[W0102 03:04:05.600700800 CudaIPCTypes.cpp:16] Producer process has been terminated before all shared "
                    "CUDA tensors released. See Note [Sharing CUDA tensors]"
                ),
            ),
            role=Role.NOISE,
            title="a process that shared CUDA tensors ended before those who read them",
            note="torch/csrc/CudaIPCTypes.cpp warns so at many an orderly exit.",
        ),
        Pattern(
            name="noise.no_repository",
            anchors=("fatal: not a git repository",),
            regex=r"^\W{0,3}fatal: not a git repository \(or any ",
            samples=(Sample("fatal: not a git repository (or any of the parent directories): .git"),),
            role=Role.NOISE,
            title="a program asks git for its revision, and there is none",
        ),
        Pattern(
            name="noise.generator_finalized",
            anchors=("Error occurred when finalizing GeneratorDataset iterator",),
            regex=r"\bError occurred when finalizing GeneratorDataset iterator",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: W tensorflow/core/kernels/data/generator_dataset_op.cc:57] Error occurred "
                    "when finalizing GeneratorDataset iterator: FAILED_PRECONDITION: Python interpreter state is not "
                    "initialized."
                ),
            ),
            role=Role.NOISE,
            title="TensorFlow takes down a data set after Python has ended",
        ),
        Pattern(
            name="noise.wandb_flush",
            anchors=("flush error",),
            regex=r"processOutgoingData: flush error(?=.{0,200}use of closed network connection)",
            samples=(
                Sample(
                    "ERROR processOutgoingData: flush error: write tcp 127.0.0.1:5757->127.0.0.1:5758: use of closed "
                    "network connection"
                ),
            ),
            role=Role.NOISE,
            title="wandb's server writes to a client that has left",
        ),
        Pattern(
            name="noise.conda_plugin",
            anchors=("Error while loading conda entry point: ",),
            regex=r"^Error while loading conda entry point: [\w-]{1,80} \(",
            samples=(
                Sample(
                    "Error while loading conda entry point: conda-libmamba-solver (libarchive.so.57: cannot open shared "
                    "object file: No such file or directory)"
                ),
            ),
            role=Role.NOISE,
            title="conda goes on without a plug-in that does not load",
        ),
        Pattern(
            name="noise.drawn_rule",
            anchors=("=: command not found", "-: command not found", "#: command not found", "*: command not found"),
            regex=r": line \d{1,6}: [=#*-]{3,200}: command not found\s*$",
            samples=(Sample("run.sh: line 7: ==========: command not found"),),
            role=Role.NOISE,
            title="a script draws a rule as if it were a command",
        ),
        Pattern(
            name="noise.nltk",
            anchors=("[nltk_data] ",),
            regex=r"^\[nltk_data\] (?:Error loading \w{1,40}: | {3,20}\S)",
            samples=(
                Sample("[nltk_data] Error loading corpus57: <urlopen error [Errno 110] Connection"),
                Sample("[nltk_data]     timed out>"),
            ),
            role=Role.NOISE,
            title="NLTK could not load data, and goes on",
            note="nltk.download returns False; what then lacks the data raises a LookupError of its own.",
        ),
        Pattern(
            name="noise.matplotlib_folder",
            anchors=("mkdir -p failed for path ", "Matplotlib created a temporary "),
            regex=r"^mkdir -p failed for path \S{1,300}matplotlib\S{0,60}: |^Matplotlib created a temporary (?:cache|config)",
            samples=(
                Sample(
                    "mkdir -p failed for path /scratch57/.config/matplotlib: [Errno 13] Permission denied: '/scratch57'"
                ),
                Sample(
                    "Matplotlib created a temporary cache directory at /tmp/matplotlib-57 because the default path is not writable"
                ),
            ),
            role=Role.NOISE,
            title="Matplotlib takes another folder for its settings",
        ),
        Pattern(
            name="noise.site",
            anchors=("Error processing line ", "Remainder of file ignored"),
            regex=r"^Error processing line \d{1,5} of \S{1,400}\.pth:|^Remainder of file ignored\s*$",
            samples=(
                Sample("Error processing line 1 of /opt/venv/lib/python3.11/site-packages/a57-nspkg.pth:"),
                Sample("Remainder of file ignored"),
            ),
            role=Role.NOISE,
            title="Python passes over a line of a .pth file as it starts",
        ),
        Pattern(
            name="noise.special_token",
            anchors=("_token, but it is not set yet.",),
            regex=r"\bUsing \w{2,24}_token, but it is not set yet\.",
            samples=(
                Sample("01/02/2026 03:04:05 - ERROR - tokenization_utils - Using sep_token, but it is not set yet."),
            ),
            role=Role.NOISE,
            title="a tokenizer without a special token says so at the level of errors",
        ),
        Pattern(
            name="noise.gcov",
            anchors=("profiling:",),
            regex=r"^profiling: ?\S{1,400}\.gcda:",
            samples=(Sample("profiling:/opt/src/Modules/a57.gcda:Cannot open"),),
            role=Role.NOISE,
            title="a program built to be profiled cannot write its counts",
        ),
        Pattern(
            name="noise.datasets_remote_code",
            anchors=("`trust_remote_code` is not supported anymore.",),
            regex=r"`trust_remote_code` is not supported anymore\.",
            samples=(
                Sample("2026-01-02 03:04:05,678 [ERROR] datasets.load: `trust_remote_code` is not supported anymore."),
            ),
            role=Role.NOISE,
            title="datasets 4 says, at the level of errors, that it leaves an argument out",
        ),
        Pattern(
            name="noise.bitsandbytes",
            anchors=("CUDA Setup failed despite", "Could not load bitsandbytes native library"),
            regex=r"CUDA Setup failed despite (?:CUDA|GPU) being available|Could not load bitsandbytes native library",
            samples=(
                Sample("Could not load bitsandbytes native library: 'NoneType' object has no attribute 'split'"),
                Sample("CUDA Setup failed despite CUDA being available. Please run the following command"),
            ),
            role=Role.NOISE,
            title="bitsandbytes found no library of its own, and goes on without it",
        ),
        Pattern(
            name="noise.vllm_triton_kernels",
            anchors=("Failed to import Triton kernels",),
            regex=r"Failed to import Triton kernels\.",
            samples=(
                Sample("ERROR 01-02 03:04:05 [config.py:57] Failed to import Triton kernels. Please make sure of it"),
            ),
            role=Role.NOISE,
            title="vLLM says, at the level of errors, that it goes without Triton's kernels",
        ),
        Pattern(
            name="noise.headless",
            anchors=("headless operation mode active",),
            regex=r"cannot open display - headless operation mode active",
            samples=(Sample("GKS: cannot open display - headless operation mode active"),),
            role=Role.NOISE,
            title="GR draws without a display",
        ),
        Pattern(
            name="noise.tokenizers",
            anchors=("The current process just got forked, after parallelism",),
            regex=r"The current process just got forked, after parallelism has already been used",
            samples=(
                Sample(
                    "huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks..."
                ),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
        Pattern(
            name="noise.leaked_semaphore",
            anchors=("leaked semaphore objects to clean up", "leaked shared_memory objects to clean up"),
            regex=r"There appear to be (?P<count>\d+) leaked (?:semaphore|shared_memory) objects to clean up",
            samples=(
                Sample(
                    "resource_tracker: There appear to be 57 leaked semaphore objects to clean up at shutdown",
                    {"count": "57"},
                ),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
        Pattern(
            name="noise.deepspeed_ops",
            anchors=(
                "async_io requires the dev libaio",
                "sparse_attn requires a torch version",
                "sparse_attn is not compatible",
            ),
            regex=r"async_io requires the dev libaio|sparse_attn (?:requires a torch version|is not compatible)",
            samples=(
                Sample(" [WARNING]  async_io requires the dev libaio .so object and headers but these were not found."),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
        Pattern(
            name="noise.model_advice",
            anchors=(
                "`use_cache=True` is incompatible with",
                "Special tokens have been added",
                "You should probably TRAIN this model",
                "does not match the stream of the node that produced",
                "torch._dynamo hit config.",
            ),
            regex=r"`use_cache=True` is incompatible with|Special tokens have been added|You should probably TRAIN this model|AccumulateGrad node's stream does not match|torch\._dynamo hit config\.(?P<limit>\w+)",
            samples=(
                Sample("`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`.", {}),
                Sample(
                    "W0102 03:04:05.678901 4242 torch/_dynamo/convert_frame.py:57] [5/8] torch._dynamo hit config.recompile_limit (8)",
                    {"limit": "recompile_limit"},
                ),
            ),
            role=Role.NOISE,
            bulk=True,
            note="Recompilation explains periodic slow steps.",
        ),
        Pattern(
            name="noise.tensorflow",
            anchors=(
                "Unable to register cuFFT factory",
                "Unable to register cuDNN factory",
                "Unable to register cuBLAS factory",
                "TF-TRT Warning",
                "Could not find TensorRT",
            ),
            regex=r"Unable to register cu\w+ factory|TF-TRT Warning|Could not find TensorRT",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E external/xla/stream_executor/cuda/cuda_fft.cc:477] Unable to register cuFFT factory"
                ),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
        Pattern(
            name="noise.vllm_worker",
            anchors=(" died, exit code: -15",),
            regex=r"Worker (?P<worker>\w{1,60}) pid (?P<pid>\d{1,9}) died, exit code: -15\s*$",
            samples=(
                Sample(
                    "ERROR 01-02 03:04:05 multiproc_worker_utils.py:116] Worker VllmWorkerProcess pid 4242 died, exit code: -15",
                    {"worker": "VllmWorkerProcess", "pid": "4242"},
                ),
            ),
            role=Role.NOISE,
            title="vLLM saw its worker end as it was told to",
            note="The engine itself sends SIGTERM when it is released.",
        ),
        Pattern(
            name="noise.fits",
            anchors=(" fits failed out of a total of ", " fits failed with the following error"),
            regex=r"^(?P<fits>\d{1,9}) fits failed (?:out of a total of \d|with the following error)",
            samples=(
                Sample("57 fits failed out of a total of 570.", {"fits": "57"}),
                Sample("5 fits failed with the following error:", {"fits": "5"}),
            ),
            role=Role.NOISE,
            title="scikit-learn scores these parameters with nan",
        ),
        Pattern(
            name="noise.modules",
            anchors=("Lmod is automatically replacing ", "module-loading: ", "Lmod has detected the following"),
            regex=r"Lmod is automatically replacing |module-loading: |Lmod has detected the following(?!.*are unknown)",
            samples=(Sample('Lmod is automatically replacing "gcc/12.3" with "gcc/13.2".'),),
            role=Role.NOISE,
            bulk=True,
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("noise",), traits=(Trait.NO_SIGN_OF_LIFE,)),),
)
