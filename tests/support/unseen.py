"""Ends of tracebacks of libraries that no kind declares, written by us from their sources: what the fallback must know.

Each names the classes that an engineer would accept. A frame is `path function | line of code`; a path without a leading
slash is an installed package's. `job` stands for the program's own file.
"""

from __future__ import annotations

from dataclasses import dataclass

SITE = "/opt/venv/lib/python3.12/site-packages/"
STANDARD = "/usr/lib/python3.12/"


@dataclass(frozen=True, slots=True)
class Unseen:
    """One traceback and the classes it may be given."""

    name: str
    accepted: str
    said: str
    frames: str
    """One frame per line."""

    def lines(self) -> list[str]:
        """The traceback as Python prints it."""
        shown = ["Traceback (most recent call last):"]
        for frame in self.frames.strip().splitlines():
            head, _, source = frame.partition(" | ")
            path, _, function = head.strip().partition(" ")
            path = path if path[0] in "/<" else STANDARD + path[4:] if path.startswith("std/") else SITE + path
            shown += [f'  File "{path}", line 57, in {function}', *([f"    {source}"] if source else [])]
        return [*shown, *self.said.split("\n")]


def _case(name: str, accepted: str, said: str, frames: str) -> Unseen:
    return Unseen(name, accepted, said, frames)


UNSEEN = (
    # readers of data
    _case(
        "zarr-missing-chunk",
        "data",
        "zarr.errors.ArrayNotFoundError: array not found at path '/tokens57'",
        "/opt/job/train.py main\nzarr/core.py __init__\nzarr/storage.py _load",
    ),
    _case(
        "zarr-codec",
        "data",
        "RuntimeError: error during blosc decompression: -1",
        "/opt/job/train.py main\nzarr/core.py _decode_chunk\nnumcodecs/blosc.pyx numcodecs.blosc.decompress",
    ),
    _case(
        "polars-schema",
        "data",
        "polars.exceptions.SchemaError: invalid series dtype: expected `String`, got `i64`",
        "/opt/job/prepare.py main\npolars/lazyframe/frame.py collect",
    ),
    _case(
        "polars-column",
        "data|config|software",
        "polars.exceptions.ColumnNotFoundError: text57",
        "/opt/job/prepare.py main\npolars/lazyframe/frame.py collect",
    ),
    _case(
        "streaming-hash",
        "data",
        "ValueError: Checksum failure: /mnt/shards/57.mds: expected 57ab, got ab57",
        "/opt/job/train.py main | for batch in loader:\nstreaming/base/dataset.py __getitem__\nstreaming/base/stream.py _prepare_shard_part",
    ),
    _case(
        "litdata-index",
        "data|config",
        "ValueError: The provided dataset `/mnt/opt57` doesn't contain any index.json file. HINT: Did you successfully optimize a dataset to the provided `input_dir`?",
        "/opt/job/train.py main\nlitdata/streaming/dataset.py __init__\nlitdata/streaming/cache.py _try_load_config",
    ),
    _case(
        "tfrecord-crc",
        "data",
        "RuntimeError: Failed to read the record: invalid crc 57",
        "/opt/job/reader.py __iter__\ntfrecord/reader.py tfrecord_iterator",
    ),
    _case(
        "av-invalid",
        "data",
        "av.error.InvalidDataError: [Errno 1094995529] Invalid data found when processing input: '/mnt/v/57.mp4'",
        "/opt/job/video.py frames | container = av.open(path)",
    ),
    _case(
        "cv2-empty",
        "data",
        "cv2.error: OpenCV(4.10.0) /io/opencv/modules/imgproc/src/color.cpp:57: error: (-215:Assertion failed) !_src.empty() in function 'cvtColor'",
        "/opt/job/vision.py load_image | image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)",
    ),
    _case(
        "torchaudio-open",
        "data",
        'RuntimeError: Failed to open the input "/mnt/a/57.flac" (Invalid data found when processing input).',
        "/opt/job/audio.py load\ntorchaudio/_backend/ffmpeg.py load\ntorio/io/_streaming_media_decoder.py __init__",
    ),
    _case(
        "nibabel",
        "data",
        'nibabel.filebasedimages.ImageFileError: Cannot work out file type of "/mnt/scan57.nii"',
        "/opt/job/volumes.py __getitem__\nnibabel/loadsave.py load",
    ),
    _case(
        "pydicom",
        "data",
        "pydicom.errors.InvalidDicomError: File is missing DICOM File Meta Information header or the 'DICM' prefix is missing from the header.",
        "/opt/job/volumes.py read\npydicom/filereader.py dcmread",
    ),
    _case(
        "tokenizer-json",
        "config|data",
        "Exception: data did not match any variant of untagged enum ModelWrapper at line 57 column 3",
        "/opt/job/train.py main\ntransformers/tokenization_utils_fast.py __init__ | fast_tokenizer = TokenizerFast.from_file(fast_tokenizer_file)",
    ),
    _case(
        "sentencepiece-model",
        "config|data|storage-io",
        "RuntimeError: Internal: could not parse ModelProto from /models/57/tokenizer.model",
        "/opt/job/train.py main\nsentencepiece/__init__.py LoadFromFile",
    ),
    _case(
        "hdf5-read",
        "data|storage-io",
        "OSError: Can't synchronously read data (wrong fletcher32 checksum)",
        "/opt/job/reader.py features\nh5py/_hl/dataset.py __getitem__",
    ),
    _case(
        "csv-null", "data", "_csv.Error: line contains NUL", "/opt/job/manifest.py rows | for row in csv.reader(file):"
    ),
    _case(
        "strptime",
        "data|software",
        "ValueError: time data '57-13-01' does not match format '%Y-%m-%d'",
        "/opt/job/reader.py parse_record | when = datetime.strptime(record['day'], '%Y-%m-%d')\nstd/_strptime.py _strptime",
    ),
    _case(
        "orjson",
        "data",
        "orjson.JSONDecodeError: unexpected end of data: line 1 column 57 (char 56)",
        "/opt/job/shards.py rows | yield orjson.loads(line)",
    ),
    _case(
        "own-key",
        "data",
        "KeyError: 'transcript'",
        "/opt/job/train.py main\n/opt/job/corpus/reader.py fields | text = record['transcript']",
    ),
    _case(
        "lhotse-manifest",
        "data",
        "AssertionError: Cut cut-57 has no supervisions",
        "/opt/job/train.py main\nlhotse/dataset/sampling/dynamic_bucketing.py __next__\nlhotse/cut/data.py validate",
    ),
    _case(
        "indexed-dataset",
        "data",
        "AssertionError: Index file doesn't match expected format. Make sure that --dataset-impl is configured properly.",
        "/opt/job/pretrain.py main\nmegatron/core/datasets/indexed_dataset.py __init__",
    ),
    _case(
        "parquet-column",
        "data",
        "KeyError: 'Field \"text57\" does not exist in schema'",
        "/opt/job/prepare.py main\npyarrow/table.pxi pyarrow.lib.Schema.field",
    ),
    # object stores
    _case(
        "gcs-denied",
        "config|storage-io",
        "gcsfs.retry.HttpError: job57@x.iam does not have storage.objects.get access to the Google Cloud Storage object. Permission 'storage.objects.get' denied, 403",
        "/opt/job/train.py main\nfsspec/asyn.py sync\ngcsfs/core.py _call\ngcsfs/retry.py validate_response",
    ),
    _case(
        "azure-not-found",
        "data|storage-io|config",
        "azure.core.exceptions.ResourceNotFoundError: The specified blob does not exist.\nRequestId:57\nErrorCode:BlobNotFound",
        "/opt/job/reader.py fetch\nazure/storage/blob/_download.py _initial_request\nazure/storage/blob/_shared/response_handlers.py process_storage_error",
    ),
    _case(
        "azure-busy",
        "storage-io|network",
        "azure.core.exceptions.HttpResponseError: The server is busy.\nErrorCode:ServerBusy",
        "/opt/job/reader.py fetch\nazure/core/pipeline/policies/_retry.py send\nazure/storage/blob/_shared/response_handlers.py process_storage_error",
    ),
    _case(
        "minio-nosuchbucket",
        "config|data|storage-io",
        "minio.error.S3Error: S3 operation failed; code: NoSuchBucket, message: The specified bucket does not exist",
        "/opt/job/upload.py push\nminio/api.py _execute",
    ),
    _case(
        "s3-expired",
        "config|storage-io",
        "OSError: AWS Error ACCESS_DENIED during GetObject operation: The provided token has expired. ExpiredToken",
        "/opt/job/reader.py fetch\ns3fs/core.py _call_s3",
    ),
    _case(
        "s3fs-perm",
        "config|storage-io",
        "PermissionError: Access Denied",
        "/opt/job/reader.py fetch\nfsspec/asyn.py sync\ns3fs/core.py _call_s3\ns3fs/errors.py translate_boto_error",
    ),
    _case(
        "s3-clock",
        "storage-io|network|config",
        "botocore.exceptions.ResponseStreamingError: An error occurred while reading from response stream: ('Connection broken: IncompleteRead(57 bytes read)')",
        "/opt/job/reader.py fetch | body.read()\nbotocore/response.py read",
    ),
    _case(
        "oss-timeout",
        "storage-io|network",
        "oss2.exceptions.RequestError: {'status': -2, 'details': \"RequestError: HTTPConnectionPool: Read timed out.\"}",
        "/opt/job/reader.py fetch\noss2/api.py _do\noss2/http.py do_request",
    ),
    _case(
        "hdfs-safe",
        "storage-io",
        "hdfs.util.HdfsError: Cannot create file /ckpt/57. Name node is in safe mode.",
        "/opt/job/ckpt.py save\nhdfs/client.py write\nhdfs/client.py _on_error",
    ),
    _case(
        "s3-torch",
        "storage-io|network",
        "s3torchconnectorclient._mountpoint_s3_client.S3Exception: Client error: Unknown CRT error: CRT error 1048: aws-c-io: AWS_IO_SOCKET_TIMEOUT, socket operation timed out.",
        "/opt/job/reader.py __iter__\ns3torchconnector/s3reader/sequential.py read",
    ),
    _case(
        "gsutil",
        "storage-io|network",
        "subprocess.CalledProcessError: Command '['gsutil', '-m', 'cp', 'gs://b57/a', '/tmp']' returned non-zero exit status 1.",
        "/opt/job/fetch.py pull\nstd/subprocess.py check_call",
    ),
    # network
    _case(
        "grpc",
        "network|storage-io",
        'grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE\n\tdetails = "failed to connect to all addresses"\n>',
        "/opt/job/serve.py embed\ngrpc/_channel.py __call__\ngrpc/_channel.py _end_unary_response_blocking",
    ),
    _case(
        "redis",
        "network",
        "redis.exceptions.ConnectionError: Error 111 connecting to cache57:6379. Connection refused.",
        "/opt/job/cache.py get\nredis/client.py execute_command\nredis/connection.py connect",
    ),
    _case(
        "redis-auth",
        "config",
        "redis.exceptions.AuthenticationError: invalid username-password pair or user is disabled.",
        "/opt/job/cache.py get\nredis/connection.py on_connect",
    ),
    _case(
        "mongo",
        "network",
        "pymongo.errors.ServerSelectionTimeoutError: db57:27017: timed out (configured timeouts: socketTimeoutMS: 20000.0ms)",
        "/opt/job/meta.py load\npymongo/mongo_client.py _select_server\npymongo/topology.py select_servers",
    ),
    _case(
        "postgres",
        "network|config",
        'psycopg2.OperationalError: connection to server at "db57" (10.0.0.7), port 5432 failed: Connection timed out',
        "/opt/job/meta.py load | psycopg2.connect(dsn)\npsycopg2/__init__.py connect",
    ),
    _case(
        "ssl",
        "network|config|storage-io",
        "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate",
        "/opt/job/fetch.py pull\nstd/http/client.py connect\nstd/ssl.py do_handshake",
    ),
    _case(
        "websocket",
        "network",
        "websockets.exceptions.ConnectionClosedError: no close frame received or sent",
        "/opt/job/actor.py loop\nwebsockets/legacy/protocol.py recv",
    ),
    _case(
        "asyncio-refused",
        "network|storage-io",
        "ConnectionRefusedError: [Errno 111] Connect call failed ('10.0.0.7', 5757)",
        "/opt/job/actor.py loop\nstd/asyncio/streams.py open_connection\nstd/asyncio/base_events.py create_connection\nstd/asyncio/selector_events.py _sock_connect_cb",
    ),
    _case(
        "hub-504",
        "network|storage-io|software",
        "huggingface_hub.errors.HfHubHTTPError: 504 Server Error: Gateway Time-out for url: https://hub.example/api/57",
        "/opt/job/train.py main\nhuggingface_hub/_snapshot_download.py snapshot_download\nhuggingface_hub/utils/_http.py hf_raise_for_status",
    ),
    _case(
        "hub-entry",
        "config|data",
        "huggingface_hub.errors.EntryNotFoundError: 404 Client Error. Entry Not Found for url: https://hub.example/57/config.json.",
        "/opt/job/train.py main\nhuggingface_hub/file_download.py hf_hub_download",
    ),
    _case(
        "wandb-key",
        "config",
        "wandb.errors.errors.UsageError: api_key not configured (no-tty). call wandb.login(key=[your_api_key])",
        "/opt/job/train.py main | wandb.init(project='p57')\nwandb/sdk/wandb_init.py init",
    ),
    _case(
        "wandb-comm",
        "network|software|infrastructure",
        "wandb.errors.errors.CommError: Run initialization has timed out after 90.0 sec. Please try increasing the timeout",
        "/opt/job/train.py main | wandb.init(project='p57')\nwandb/sdk/wandb_init.py init",
    ),
    _case(
        "wget",
        "network|storage-io",
        "subprocess.CalledProcessError: Command 'wget -q http://10.0.0.7/57.tar' returned non-zero exit status 4.",
        "/opt/job/fetch.py pull\nstd/subprocess.py run",
    ),
    # settings
    _case(
        "jsonargparse",
        "config",
        "jsonargparse._util.ArgumentError: Parser key \"model.hidden57\": Expected a <class 'int'>. Got value: wide",
        "/opt/job/train.py main\nlightning/pytorch/cli.py parse_arguments\njsonargparse/_core.py parse_args",
    ),
    _case(
        "absl-flag",
        "config",
        "absl.flags._exceptions.IllegalFlagValueError: flag --steps57=x: invalid literal for int()",
        "/opt/job/train.py main\nabsl/flags/_flagvalues.py __call__",
    ),
    _case(
        "gin",
        "config",
        "ValueError: No configurable matching 'model57'.",
        "/opt/job/train.py main\ngin/config.py parse_config",
    ),
    _case(
        "typer",
        "config",
        "click.exceptions.BadParameter: Invalid value for '--precision': 'fp57' is not one of 'bf16', 'fp16'.",
        "/opt/job/train.py main\ntyper/main.py __call__\nclick/core.py main",
    ),
    _case(
        "deepspeed-json",
        "config",
        "AssertionError: DeepSpeedConfig: train_batch_size: 0 has to be greater than 0",
        "/opt/job/train.py main\ndeepspeed/__init__.py initialize\ndeepspeed/runtime/config.py _batch_assertion",
    ),
    _case(
        "accelerate",
        "config",
        "ValueError: --tpu_cluster can only be used with num_processes 8",
        "accelerate/commands/accelerate_cli.py main\naccelerate/commands/launch.py _validate_launch_command",
    ),
    _case(
        "lightning-strategy",
        "config",
        "ValueError: You selected an invalid strategy name: `strategy='ddp57'`.",
        "/opt/job/train.py main\nlightning/pytorch/trainer/trainer.py __init__\nlightning/pytorch/trainer/connectors/accelerator_connector.py _check_config_and_set_final_flags",
    ),
    _case(
        "toml",
        "config",
        "tomlkit.exceptions.UnexpectedCharError: Unexpected character: '=' at line 57 col 3",
        "/opt/job/train.py main\ntomlkit/api.py parse\ntomlkit/parser.py _parse_item",
    ),
    _case(
        "ini",
        "config",
        "configparser.NoSectionError: No section: 'optimizer57'",
        "/opt/job/train.py main\nstd/configparser.py get",
    ),
    _case(
        "own-assert-args",
        "config",
        "AssertionError: sequence parallel needs tensor parallel",
        "/opt/job/train.py main\n/opt/job/layout.py check | assert args.tensor_parallel > 1, 'sequence parallel needs tensor parallel'",
    ),
    _case(
        "own-choice",
        "config",
        "ValueError: unknown optimizer lion57",
        "/opt/job/train.py main\n/opt/job/optim.py build | raise ValueError(f'unknown optimizer {cfg.optimizer}')",
    ),
    _case(
        "own-int",
        "config",
        "ValueError: invalid literal for int() with base 10: 'auto'",
        "/opt/job/launch.py main\n/opt/job/launch.py nodes | return int(os.environ['SLURM_NNODES'])",
    ),
    _case(
        "pydantic-settings",
        "config",
        'pydantic_settings.sources.SettingsError: error parsing value for field "hosts57" from source "EnvSettingsSource"',
        "/opt/job/train.py main\npydantic_settings/main.py __init__",
    ),
    _case(
        "state-dict",
        "config|software",
        'RuntimeError: Error(s) in loading state_dict for Net57:\n\tMissing key(s) in state_dict: "head.weight".',
        "/opt/job/train.py resume\ntorch/nn/modules/module.py load_state_dict",
    ),
    _case(
        "peft-target",
        "config",
        "ValueError: Target modules {'q57'} not found in the base model. Please check the target modules and try again.",
        "/opt/job/train.py main\npeft/tuners/tuners_utils.py inject_adapter",
    ),
    _case(
        "flash-missing",
        "config|software",
        "ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: the package flash_attn seems to be not installed.",
        "/opt/job/train.py main\ntransformers/modeling_utils.py _check_and_enable_flash_attn_2",
    ),
    # checkpoints
    _case(
        "dcp-write",
        "storage-io",
        "OSError: [Errno 122] Disk quota exceeded",
        "/opt/job/train.py save_checkpoint\ntorch/distributed/checkpoint/state_dict_saver.py save\ntorch/distributed/checkpoint/filesystem.py _write_item",
    ),
    _case(
        "dcp-metadata",
        "storage-io|config|data",
        "RuntimeError: Missing key in checkpoint state_dict: optim57.",
        "/opt/job/train.py resume\ntorch/distributed/checkpoint/state_dict_loader.py load\ntorch/distributed/checkpoint/default_planner.py create_default_local_load_plan",
    ),
    _case(
        "safetensors-header",
        "storage-io|data|config",
        "safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge",
        "/opt/job/train.py resume | safe_open(path, framework='pt')",
    ),
    _case(
        "torch-load-eof",
        "storage-io|data",
        "RuntimeError: PytorchStreamReader failed locating file data/57: file not found",
        "/opt/job/train.py resume\ntorch/serialization.py load\ntorch/serialization.py _load",
    ),
    _case(
        "tensorstore",
        "storage-io",
        'ValueError: DATA_LOSS: Error reading local file "/ckpt/57": Expected 57 bytes but received 7 bytes',
        "/opt/job/train.py resume\norbax/checkpoint/type_handlers.py deserialize\ntensorstore/__init__.py read",
    ),
    _case(
        "h5-write",
        "storage-io",
        "OSError: [Errno 28] Can't synchronously write data (file write failed)",
        "/opt/job/export.py dump\nh5py/_hl/dataset.py __setitem__",
    ),
    # memory
    _case(
        "bad-alloc",
        "host-oom",
        "MemoryError: std::bad_alloc",
        "/opt/job/prepare.py main\npyarrow/table.pxi pyarrow.lib.Table.combine_chunks",
    ),
    _case(
        "arrow-malloc",
        "host-oom",
        "pyarrow.lib.ArrowMemoryError: malloc of size 57 failed",
        "/opt/job/prepare.py main\npyarrow/array.pxi pyarrow.lib.array",
    ),
    _case(
        "thread",
        "host-oom|config|infrastructure|software",
        "RuntimeError: can't start new thread",
        "/opt/job/train.py main\nstd/threading.py start",
    ),
    # kernels, compilers, devices
    _case(
        "triton-smem",
        "cuda-software|config|software",
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 57344, Hardware limit: 49152. Reducing block sizes or `num_stages` may help.",
        "/opt/job/model.py forward\ntriton/runtime/jit.py run\ntriton/compiler/compiler.py _init_handles",
    ),
    _case(
        "fa-arch",
        "cuda-software|config|software",
        "RuntimeError: FlashAttention only supports Ampere GPUs or newer.",
        "/opt/job/model.py forward\nflash_attn/flash_attn_interface.py _flash_attn_forward",
    ),
    _case(
        "te-unsupported",
        "cuda-software|config|software",
        "AssertionError: Device compute capability 8.9 or higher required for FP8 execution.",
        "/opt/job/model.py forward\ntransformer_engine/pytorch/fp8.py fp8_autocast_enter",
    ),
    _case(
        "no-kernel",
        "cuda-software|software|config",
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "/opt/job/train.py main\ntorch/nn/modules/linear.py forward",
    ),
    _case(
        "nvml-mismatch",
        "gpu-hardware|infrastructure|config|software",
        "pynvml.NVMLError_LibRmVersionMismatch: Driver/library version mismatch",
        "/opt/job/monitor.py start\npynvml.py nvmlInit",
    ),
    _case(
        "dynamo",
        "software|cuda-software",
        "torch._dynamo.exc.Unsupported: call_function BuiltinVariable(setattr)",
        "/opt/job/model.py forward\ntorch/_dynamo/symbolic_convert.py step",
    ),
    # start of the group
    _case(
        "store-wait",
        "init-rendezvous",
        "torch.distributed.DistStoreError: Timed out after 61 seconds waiting for clients. 3/4 clients joined.",
        "/opt/job/train.py main\ntorch/distributed/rendezvous.py _create_c10d_store",
    ),
    _case(
        "ray-pg",
        "config|infrastructure|init-rendezvous",
        "ValueError: Total available GPUs 8 is less than total desired GPUs 16",
        "/opt/job/main_ppo.py run\nverl/trainer/ppo/ray_trainer.py _check_resource_available",
    ),
    _case(
        "jax-init",
        "init-rendezvous|network",
        "jaxlib.xla_extension.XlaRuntimeError: DEADLINE_EXCEEDED: Barrier timed out. Barrier_id: PjRT_Client_Connect",
        "/opt/job/train.py main\njax/_src/distributed.py initialize",
    ),
    # software
    _case(
        "attr",
        "software",
        "AttributeError: module 'numpy' has no attribute 'float57'",
        "/opt/job/data/reader.py load_sample | x = np.float57(y)",
    ),
    _case("name", "software", "NameError: name 'cfg57' is not defined", "/opt/job/config.py load | return cfg57"),
    _case(
        "kwarg",
        "software",
        "TypeError: Trainer.__init__() got an unexpected keyword argument 'tokenizer57'",
        "/opt/job/train.py main | trainer = Trainer(model, args=args)",
    ),
    _case(
        "device",
        "software",
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
        "/opt/job/train.py train_step\n/opt/job/model.py forward\ntorch/nn/functional.py linear",
    ),
    _case(
        "einsum",
        "software|config",
        "RuntimeError: einsum(): subscript j has size 57 for operand 1 which does not broadcast with previously seen size 7",
        "/opt/job/train.py train_step\ntorch/functional.py einsum",
    ),
    _case(
        "grad-none",
        "software",
        "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn",
        "/opt/job/train.py train_step\ntorch/autograd/graph.py _engine_run_backward",
    ),
    _case(
        "unused-params",
        "software|config|collective-mismatch",
        "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one.",
        "/opt/job/train.py train_step\ntorch/nn/parallel/distributed.py forward",
    ),
    _case(
        "pickle-lambda",
        "software",
        "AttributeError: Can't pickle local object 'main.<locals>.<lambda>'",
        "/opt/job/train.py main\nstd/multiprocessing/reduction.py dump",
    ),
    _case(
        "jinja",
        "software|config",
        "jinja2.exceptions.TemplateError: Conversation roles must alternate user/assistant/user/assistant/...",
        "/opt/job/chat.py render\ntransformers/tokenization_utils_base.py apply_chat_template\njinja2/environment.py render",
    ),
    _case(
        "own-runtime",
        "software",
        "RuntimeError: planner found no schedule at step 57",
        "/opt/job/train.py main\n/opt/job/planner.py solve | raise RuntimeError(message)",
    ),
    _case(
        "list-index",
        "software",
        "IndexError: list index out of range",
        "/opt/job/train.py main\n/opt/job/schedule.py pick | return stages[i]",
    ),
    # extensions, labels, locks, builds, processes
    _case(
        "netcdf-hdf",
        "data|storage-io",
        "RuntimeError: NetCDF: HDF error",
        "/opt/job/train.py main\nsrc/netCDF4/_netCDF4.pyx netCDF4._netCDF4.Variable.__getitem__",
    ),
    _case(
        "label-range",
        "data|config",
        "IndexError: Target 57 is out of bounds.",
        "/opt/job/model.py step\ntorch/nn/functional.py cross_entropy",
    ),
    _case(
        "label-nan",
        "data",
        "xgboost.core.XGBoostError: [03:04:05] src/data/data.cc:57: Check failed: valid: Label contains NaN, infinity or a value too large.",
        "/opt/job/train.py main\nxgboost/core.py _check_call",
    ),
    _case(
        "empty-sample",
        "data",
        "ValueError: sample 57 of part-7 has no tokens",
        "/opt/job/train.py step",
    ),
    _case(
        "sqlite-locked",
        "storage-io|software|infrastructure",
        "sqlite3.OperationalError: database is locked",
        "/opt/job/tracking.py log | db.execute(INSERT, row)",
    ),
    _case(
        "built-without",
        "config|gpu-hardware|cuda-software",
        "AssertionError: Torch not compiled with CUDA enabled",
        "/opt/job/train.py main\ntorch/nn/modules/module.py to\ntorch/cuda/__init__.py _lazy_init",
    ),
    _case(
        "dask-killed",
        "host-oom|infrastructure",
        "distributed.scheduler.KilledWorker: Attempted to run task 'pack-57' on 4 different workers, but all those workers died while running it.",
        "/opt/job/prepare.py main\ndistributed/client.py result",
    ),
    _case(
        "scatter-sizes",
        "software|config|collective-mismatch",
        "RuntimeError: ProcessGroupGloo::scatter: Incorrect input list size 7. Input list size should be 8, same as size of the process group.",
        "/opt/job/train.py main\ntorch/distributed/distributed_c10d.py scatter",
    ),
    _case(
        "las-signature",
        "data",
        "laspy.errors.LaspyException: Invalid file signature \"b'57'\"",
        "/opt/job/train.py main\nlaspy/header.py read_from",
    ),
    _case(
        "stack-shapes",
        "software|data",
        "ValueError: all input arrays must have the same shape",
        "/opt/job/train.py step\nnumpy/_core/shape_base.py stack",
    ),
    _case(
        "cat-sizes",
        "software|data",
        "RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 5 but got size 7 for tensor number 1 in the list.",
        "/opt/job/model.py forward",
    ),
    _case(
        "weights-absent",
        "config|storage-io|data",
        "OSError: Error no file named pytorch_model.bin or model.safetensors found in directory /mnt/models/57.",
        "/opt/job/train.py main\ntransformers/modeling_utils.py from_pretrained",
    ),
    _case(
        "ftp-busy",
        "network|storage-io",
        "ftplib.error_temp: 421 Too many connections",
        "/opt/job/remote.py main\nstd/ftplib.py getresp",
    ),
    _case(
        "grpc-quota",
        "network|storage-io|config",
        'grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.RESOURCE_EXHAUSTED\n\tdetails = "57 streams are too many"\n>',
        "/opt/job/remote.py fetch | stub.Next(request)\ngrpc/_channel.py _end_unary_response_blocking",
    ),
    _case(
        "httpx-read",
        "network|storage-io",
        "httpx.ReadError: [Errno 104] Connection reset by peer",
        "/opt/job/remote.py fetch57\nhttpx/_transports/default.py map_httpcore_exceptions",
    ),
    _case(
        "stream-short",
        "network|storage-io|data",
        "asyncio.exceptions.IncompleteReadError: 57 bytes read on a total of 570 expected bytes",
        "/opt/job/remote.py fetch\nstd/asyncio/streams.py readexactly",
    ),
    _case(
        "record-without-field",
        "data",
        "KeyError: 'caption57'",
        "/opt/job/train.py main\n/opt/job/train.py encode | text = row['caption57']",
    ),
    _case(
        "choice-of-settings",
        "config",
        "KeyError: 'cosine57'",
        "/opt/job/train.py main | schedule = SCHEDULES[args.schedule]",
    ),
    _case(
        "line-taken-apart",
        "data",
        "ValueError: not enough values to unpack (expected 57, got 1)",
        "/opt/job/train.py main | name, text = line.split(maxsplit=56)",
    ),
    _case(
        "results-of-a-model",
        "software",
        "ValueError: not enough values to unpack (expected 57, got 1)",
        "/opt/job/train.py main | loss, logits = model(batch57)",
    ),
    _case(
        "extension-of-text",
        "software",
        "ImportError: /opt/venv/lib/python3.12/site-packages/spm57/_spm57.so: undefined symbol: _ZN6google8protobuf57",
        "/opt/job/train.py <module> | import spm57\nspm57/__init__.py <module>",
    ),
    _case(
        "rate-of-a-clip",
        "data",
        "ValueError: expected 16000 Hz, got 8000 Hz in clip-57.flac",
        "/opt/job/reader.py next_clips | raise ValueError(f'expected {want} Hz, got {rate} Hz in {name}')",
    ),
    _case(
        "upload-unfinished",
        "storage-io|network",
        "TimeoutError: upload of step_57 did not finish in 1800 s",
        "/opt/job/checkpoint.py commit | raise TimeoutError(f'upload of {name} did not finish in {limit} s')",
    ),
    _case(
        "more-ranks-than-given",
        "config",
        "ValueError: --tp 8 x --pp 4 needs 32 GPUs, 16 given",
        "/opt/job/plan.py lay_out | raise ValueError(text57)",
    ),
    _case(
        "url-without-scheme",
        "config|software",
        "requests.exceptions.InvalidSchema: No connection adapters were found for 'server57:8080/manifest.json'",
        "/opt/job/remote.py fetch\nrequests/sessions.py get_adapter",
    ),
    _case(
        "region-unknown",
        "config",
        "botocore.exceptions.NoRegionError: You must specify a region57.",
        "/opt/job/remote.py connect\nbotocore/regions.py construct_endpoint",
    ),
    # what a program refuses on purpose, in words of its own
    _case(
        "shard-of-unequal-parts",
        "data",
        "corpus.shards.ShardError: part-57.idx: 12 offsets but 11 documents",
        "/opt/job/train.py main\n/opt/job/corpus/shards.py open_part | raise ShardError(f'{name}: {a} offsets but {b} documents')",
    ),
    _case(
        "number-of-a-column",
        "data",
        "ValueError: could not convert string to float: 'n/a57'",
        "/opt/job/train.py main\n/opt/job/features/stats.py read_column | return [float(v) for v in values]",
    ),
    _case(
        "page-without-text",
        "data",
        "ValueError: page 57 of a book has no text layer",
        "/opt/job/train.py read_page | raise ValueError(f'page {n} of {name} has no text layer')",
    ),
    _case(
        "nothing-staged",
        "data|config|storage-io",
        "RuntimeError: no *.tar under /mnt/run57, was it staged?",
        "/opt/job/data/stream.py list_all | raise RuntimeError(f'no *.tar under {root}, was it staged?')",
    ),
    _case(
        "checkpoint-in-parts",
        "storage-io|data|config",
        "ckpt.reader.CheckpointError: step_57 is incomplete: 3 of 4 parts found",
        "/opt/job/train.py main\n/opt/job/ckpt/reader.py restore | raise CheckpointError(text)",
    ),
    _case(
        "corpus-not-registered",
        "config",
        "LookupError: unknown corpus 'c57'; registered: a, b",
        "/opt/job/corpora/registry.py get | raise LookupError(f'unknown corpus {name!r}; registered: {known}')",
    ),
    _case(
        "rank-beyond-hosts",
        "config|init-rendezvous",
        "RuntimeError: NODE_RANK is 57 but the hostfile lists 2 hosts",
        "/opt/job/launch/preflight.py check | raise RuntimeError(text)",
    ),
    _case(
        "argument-not-given",
        "config|software",
        "IndexError: list index out of range",
        "/opt/job/train_args.py parse | return sys.argv[57]",
    ),
    _case(
        "moved-away",
        "storage-io|software",
        "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/run57/step_4.tmp' -> '/mnt/run57/step_4'",
        "/opt/job/train.py main\n/opt/job/publish.py publish | os.rename(made, final)",
    ),
    _case(
        "server-of-rewards",
        "network|storage-io|infrastructure",
        "RuntimeError: reward server answered 502 Bad Gateway for batch 57",
        "/opt/job/rl/reward.py score | raise RuntimeError(f'reward server answered {status} for batch {n}')",
    ),
    _case(
        "loader-not-made",
        "config|software",
        "ValueError: persistent_workers option needs num_workers > 0",
        "/opt/job/data/loader.py make | return DataLoader(rows, persistent_workers=True)\ntorch/utils/data/dataloader.py __init__",
    ),
    _case(
        "transformer-is-no-transform",
        "software|unknown",
        "AssertionError",
        "/opt/job/models/transformer.py forward | assert len(hidden) == total57",
    ),
    # what programs' own checks say, in their own words
    _case(
        "own-memory-limit",
        "host-oom",
        "HeadroomError: rss 57.3 GiB is beyond the 50 GiB this node may use",
        "/opt/job/train.py main\n/opt/job/guard.py tick | raise HeadroomError(text)",
    ),
    _case(
        "own-word-of-a-killed-loader",
        "host-oom",
        "RuntimeError: loader process 57 is gone (exit code -9)",
        "/opt/job/feed.py pull | raise RuntimeError(text)",
    ),
    _case(
        "shm-too-small",
        "host-oom|config",
        "RingError: need 57 GB in /dev/shm, it has 1 GB",
        "/opt/job/ring.py allot | raise RingError(text)",
    ),
    _case(
        "own-plan-of-gpu-memory",
        "gpu-oom|config",
        "PlanError: the cache takes 57.5 GiB, the GPU has 39.4 GiB",
        "/opt/job/plan.py fit | raise PlanError(text)",
    ),
    _case(
        "own-look-at-the-disk",
        "storage-io",
        "RuntimeError: only 0.7 GiB free on /scratch57, step files need 20 GiB",
        "/opt/job/keep.py room | raise RuntimeError(text)",
    ),
    _case(
        "a-type-of-room",
        "storage-io",
        "DiskQuotaError: run57",
        "/opt/job/keep.py room | raise DiskQuotaError(run)",
    ),
    _case(
        "own-clock-on-reads",
        "storage-io|data-loading-stall",
        "RuntimeError: read of /lustre/part57.bin took 412 s",
        "/opt/job/clock.py stop | raise RuntimeError(text)",
    ),
    _case(
        "own-look-at-mounts",
        "storage-io|config|infrastructure",
        "RuntimeError: /mnt/set57 is not mounted here",
        "/opt/job/look.py mounts | raise RuntimeError(text)",
    ),
    _case(
        "own-lock",
        "storage-io|infrastructure",
        "RuntimeError: waited 57 s to acquire build.lock, is its owner dead?",
        "/opt/job/once.py hold | raise RuntimeError(text)",
    ),
    _case(
        "own-roll-call",
        "init-rendezvous",
        "TimeoutError: 57 of 64 hosts reported within 120 s",
        "/opt/job/meet.py call | raise TimeoutError(text)",
    ),
    _case(
        "own-measure-of-links",
        "network",
        "SlowLink: all-gather probe saw 0.9 GB/s on ens57, wanted 20",
        "/opt/job/probe.py links | raise SlowLink(text)",
    ),
    _case(
        "own-compare-of-calls",
        "collective-mismatch",
        "RuntimeError: ranks enter different collectives at 57: all_reduce, barrier",
        "/opt/job/agree.py compare | raise RuntimeError(text)",
    ),
    _case(
        "own-count-of-batches",
        "data",
        "RuntimeError: rank 57 has fewer batches than rank 0",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "own-limit-of-bad-samples",
        "data",
        "RuntimeError: too many broken samples (57 in a row)",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "own-inventory",
        "data",
        "RuntimeError: manifest lists 57 parts, 55 are there",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "own-width-of-features",
        "data",
        "ValueError: /feats/57.npy has shape (57, 40), wanted (*, 64)",
        "/opt/job/train.py main | raise ValueError(text)",
    ),
    _case(
        "own-count-of-gpus",
        "gpu-hardware|infrastructure",
        "RuntimeError: 7 of 8 GPUs respond on this node",
        "/opt/job/look.py gpus | raise RuntimeError(text)",
    ),
    _case(
        "own-look-at-ecc",
        "gpu-hardware",
        "RuntimeError: card 5 counts 57 uncorrectable ECC errors",
        "/opt/job/look.py cards | raise RuntimeError(text)",
    ),
    _case(
        "own-login",
        "config",
        "RuntimeError: no api key, run `track57 login` on this machine",
        "/opt/job/track.py begin | raise RuntimeError(text)",
    ),
    _case(
        "throttled-bucket",
        "storage-io",
        "FetchError: GET bucket57/part.tar answered 503 Slow Down",
        "/opt/job/fetch.py get | raise FetchError(text)",
    ),
    _case(
        "launcher-refuses-number",
        "config",
        "ValueError: invalid literal for int() with base 10: 'eight57'",
        "/opt/venv/bin/torchrun <module>\ntorch/distributed/run.py determine_local_world_size",
    ),
    _case(
        "own-look-at-ram",
        "host-oom",
        "LowMemory: 1.2 GB of memory left on node57",
        "/opt/job/watch.py tick | raise LowMemory(text)",
    ),
    _case(
        "own-word-of-the-cgroup",
        "host-oom",
        "RuntimeError: buffers of 57 GB, the cgroup allows 48",
        "/opt/job/pool.py grow | raise RuntimeError(text)",
    ),
    _case(
        "states-that-do-not-fit",
        "gpu-oom|config",
        "TooLarge: optimizer states take 57 GB on each GPU",
        "/opt/job/plan.py fit | raise TooLarge(text)",
    ),
    _case(
        "a-call-that-hangs",
        "storage-io",
        "RuntimeError: rename did not return within 57 s",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "half-a-file-in-the-cache",
        "storage-io|data",
        "CacheMiss57: 10 of 57 bytes were copied",
        "/opt/job/train.py main | raise CacheMiss57(text)",
    ),
    _case(
        "a-server-that-is-silent",
        "network|infrastructure",
        "RuntimeError: scorer57:9000 did not respond",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "own-quorum",
        "init-rendezvous",
        "RuntimeError: no quorum: 3 of 57",
        "/opt/job/meet.py wait | raise RuntimeError(text)",
    ),
    _case(
        "a-batch-that-does-not-come",
        "data-loading-stall",
        "RuntimeError: waited 57 s for the next batch",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "recorded-otherwise",
        "data",
        "ValueError: u57 has a sampling rate of 8000, not 16000",
        "/opt/job/train.py main | raise ValueError(text)",
    ),
    _case(
        "a-document-is-named",
        "data",
        "LookupError: doc 57-3 has no language",
        "/opt/job/train.py main | raise LookupError(text)",
    ),
    _case(
        "no-such-recipe",
        "config",
        "RuntimeError: no recipe is called 'fast57'",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "saved-by-others",
        "config",
        "RuntimeError: states were saved by 57 ranks, this run has 8",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "warmup-too-long",
        "config",
        "RuntimeError: warmup of 57 steps is longer than the schedule",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "no-hosts",
        "config",
        "RuntimeError: the host list of run57 is empty",
        "/opt/job/train.py main | raise RuntimeError(text)",
    ),
    _case(
        "a-vocabulary-that-is-short",
        "software|data|config|unknown",
        "IndexError: index 57 is out of bounds: vocabulary has 50 entries",
        "/opt/job/model.py lookup | row = self.table[key]",
    ),
    _case(
        "stopped-upload",
        "storage-io",
        "SendError: multipart of a57.pt ended, 5 of 57 parts",
        "/opt/job/train.py main | raise SendError(text)",
    ),
    _case(
        "no-inodes",
        "storage-io",
        "OSError: 0 inodes left for run57",
        "/opt/job/train.py main | raise OSError(text)",
    ),
    _case(
        "a-share-that-went",
        "storage-io",
        "ViewError: share /fsx/57 disappeared",
        "/opt/job/train.py main | raise ViewError(text)",
    ),
    _case(
        "a-call-without-answer",
        "network",
        "PushFailed: request to store57 timed out",
        "/opt/job/train.py main | raise PushFailed(text)",
    ),
    _case(
        "a-port-that-went-down",
        "network",
        "PortError: ib57 went down",
        "/opt/job/train.py main | raise PortError(text)",
    ),
    _case(
        "nobody-leads",
        "init-rendezvous",
        "MeetError: leader election failed 57 times",
        "/opt/job/train.py main | raise MeetError(text)",
    ),
    _case(
        "a-full-heap",
        "host-oom",
        "HeapError: heap stands at 57 of 64 GB",
        "/opt/job/train.py main | raise HeapError(text)",
    ),
    _case(
        "a-hot-gpu",
        "gpu-hardware",
        "Sick: GPU 5 is at 57 MHz, throttled",
        "/opt/job/train.py main | raise Sick(text)",
    ),
    _case(
        "a-dry-queue",
        "data-loading-stall",
        "Starved: input queue empty for 57 s",
        "/opt/job/train.py main | raise Starved(text)",
    ),
    _case(
        "a-node-that-leaves",
        "infrastructure",
        "Leaving: this node was cordoned, 57 s left",
        "/opt/job/train.py main | raise Leaving(text)",
    ),
    _case(
        "a-role-without-rights",
        "config",
        "SecretError: role57 may not read the key",
        "/opt/job/train.py main | raise SecretError(text)",
    ),
    _case(
        "neither-was-given",
        "config",
        "StartError: neither --plan57 nor PLAN is set",
        "/opt/job/train.py main | raise StartError(text)",
    ),
    _case(
        "no-sense",
        "config",
        "PlanError: momentum 57 makes no sense",
        "/opt/job/train.py main | raise PlanError(text)",
    ),
)
