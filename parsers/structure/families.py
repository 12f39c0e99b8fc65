"""Families of libraries: what a failure inside one of them is about, whichever release words it how.

Paths are those inside `site-packages`, without `.py`; those of Python's own library begin with `std/`. The deepest name
that is declared decides: `torch/serialization` is not `torch`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logtui.parsers.pattern import FailureClass


@dataclass(frozen=True, slots=True)
class Family:
    """Libraries that do one kind of work."""

    name: str
    """As it ends the sentence `raised in …`."""
    cls: FailureClass
    points: float
    """How much it says about the class where the deepest frame is one of its own."""
    members: tuple[str, ...]
    far: bool = False
    """It talks to another machine, which may refuse, be slow, or not hold what is asked for."""
    outer: bool = True
    """Whether it says something of what it called as well: readers do, parsers of arguments call `main`."""


READERS = Family(
    "a reader of data",
    FailureClass.DATA,
    3.0,
    tuple(
        (
            "datasets pyarrow pandas polars fastparquet duckdb webdataset wids lhotse streaming litdata torchdata ffcv deeplake "
            "squirrel nvidia/dali torch/utils/data torchvision/io torchvision/datasets torchaudio torchcodec PIL cv2 imageio "
            "tifffile rawpy decord av moviepy librosa soundfile audioread pydub kaldiio wfdb ffmpeg h5py tables zarr numcodecs lmdb "
            "leveldb plyvel nibabel pydicom SimpleITK rasterio netCDF4 xarray scipy/io tensorflow_datasets tfrecord msgpack ijson "
            "jsonlines fastavro avro openpyxl lxml bs4 Bio pysam rdkit ase trimesh zstandard lz4 snappy brotli "
            "blosc blosc2 numpy/lib/npyio numpy/lib/_npyio_impl numpy/lib/format numpy/lib/_format_impl numpy/core/memmap "
            "numpy/_core/memmap megatron/core/datasets nemo/collections/common/data fairseq/data detectron2/data mmengine/dataset "
            "torch_geometric/data transformers/data evaluate laspy open3d geopandas fiona pyogrio mne openslide monai/data torchio warcio "
            "pyreadstat pycocotools nuscenes xlrd odf pypdf "
            "std/tarfile std/zipfile std/gzip std/lzma std/bz2 std/zlib std/_compression std/csv std/wave std/sqlite3"
        ).split()
    ),
)
TEXTS = Family(
    "a parser of text",  # of samples, as a rule, and of settings where the program says so
    FailureClass.DATA,
    2.0,
    tuple(
        (
            "orjson simdjson ujson msgspec std/json std/codecs std/encodings std/struct std/xml std/html std/pickle std/binascii "
            "std/base64 std/plistlib std/datetime std/_strptime dateutil"
        ).split()
    ),
)
TOKENIZERS = Family(
    "a tokenizer", FailureClass.DATA, 1.5, tuple("tokenizers sentencepiece tiktoken sacremoses spacy nltk".split())
)
OBJECT_STORES = Family(
    "a client of object stores",
    FailureClass.STORAGE_IO,
    3.0,
    tuple(
        (
            "boto3 botocore s3transfer s3fs aiobotocore aioboto3 boto gcsfs adlfs ossfs oss2 tos azure google/cloud google/api_core "
            "google/resumable_media google/auth aistore lhotse/ais minio smart_open obstore s3torchconnector fsspec pyarrow/fs pyarrow/_fs "
            "pyarrow/_s3fs hdfs pyhdfs hdfs3 cloudpathlib libcloud swiftclient multistorageclient b2sdk qcloud_cos megfile "
            "petrel_client upath lakefs dvc tensorflow/python/lib/io"
        ).split()
    ),
    far=True,
)
HTTP_CLIENTS = Family(
    "a client of the network",
    FailureClass.NETWORK,
    3.0,
    tuple(
        (
            "httpx httpx2 httpcore httpcore2 h11 h2 requests urllib3 aiohttp anyio websockets websocket grpc zmq pynng tornado pycurl "
            "httplib2 distributed thrift fsspec/implementations/http fsspec/implementations/ftp fsspec/implementations/sftp dns "
            "std/http std/urllib std/socket std/ssl std/ftplib std/smtplib std/telnetlib std/socketserver std/xmlrpc std/imaplib "
            "std/asyncio/streams std/asyncio/selector_events std/asyncio/sslproto"
        ).split()
    ),
    far=True,
)
SERVERS = Family(
    "a client of a database or a queue",
    FailureClass.NETWORK,
    3.0,
    tuple(
        (
            "redis pymongo motor paramiko asyncssh etcd etcd3 kazoo pika aio_pika kombu kafka confluent_kafka psycopg psycopg2 asyncpg "
            "pymysql MySQLdb mysql nats elasticsearch elastic_transport opensearchpy clickhouse_connect clickhouse_driver cassandra "
            "qdrant_client pymilvus weaviate chromadb memcache pymemcache neo4j influxdb_client"
        ).split()
    ),
    far=True,
)
HUBS = Family(
    "a client of a model hub",
    FailureClass.CONFIG,
    1.5,
    tuple(
        "huggingface_hub transformers/utils/hub datasets/load modelscope torch/hub timm/models/_hub kagglehub".split()
    ),
    far=True,
)
TRACKERS = Family(
    "a client of an experiment tracker",
    FailureClass.SOFTWARE,
    1.0,
    tuple("wandb mlflow comet_ml neptune clearml swanlab aim trackio sentry_sdk optuna".split()),
    far=True,
)
CHECKPOINTS = Family(
    "a writer of checkpoints",
    FailureClass.STORAGE_IO,
    1.6,
    tuple(
        (
            "torch/serialization torch/distributed/checkpoint torch/distributed/_shard/checkpoint safetensors safetensors_rust tensorstore orbax "
            "torchsnapshot megatron/core/dist_checkpointing keras/src/saving deepspeed/runtime/checkpoint_engine flax/training/checkpoints"
        ).split()
    ),
)
SETTINGS = Family(
    "a reader of settings",
    FailureClass.CONFIG,
    3.5,
    tuple(
        (
            "omegaconf hydra pydantic_settings yaml ruamel jsonargparse absl tyro fire click typer "
            "tomli tomlkit toml dynaconf gin ml_collections environs decouple dotenv "
            "configargparse draccus simple_parsing docopt plac configobj confuse strictyaml antlr4 "
            "transformers/training_args transformers/hf_argparser transformers/configuration_utils "
            "accelerate/utils/dataclasses accelerate/commands deepspeed/runtime/config deepspeed/runtime/config_utils "
            "lightning/pytorch/cli pytorch_lightning/cli lightning/pytorch/trainer/connectors lightning/fabric/connector "
            "pytorch_lightning/trainer/connectors torchtitan/config torchtune/config megatron/training/arguments "
            "torch/distributed/run torch/distributed/launch torch/distributed/argparse_util deepspeed/launcher/runner "
            "std/argparse std/configparser std/tomllib std/getopt std/optparse"
        ).split()
    ),
    outer=False,
)
VALIDATORS = Family(
    "a validator",  # of settings, as a rule, and of samples where the program's names say so
    FailureClass.CONFIG,
    3.5,
    tuple("pydantic pydantic_core jsonschema dacite cattrs marshmallow voluptuous cerberus schema".split()),
    outer=False,
)
KERNELS = Family(
    "a library of GPU kernels",
    FailureClass.CUDA_SOFTWARE,
    2.0,
    tuple(
        (
            "triton flash_attn flash_attn_interface transformer_engine apex xformers bitsandbytes cupy pycuda numba/cuda tilelang "
            "cutlass deep_gemm mamba_ssm causal_conv1d flashinfer"
        ).split()
    ),
    outer=False,
)
AROUND_MODELS = Family(
    "a wrapper of the model",  # Python of a library of kernels
    FailureClass.SOFTWARE,
    2.0,
    ("apex/parallel", "apex/transformer", "transformer_engine/pytorch/distributed"),
    outer=False,
)
PLOTTERS = Family(
    "a library of figures", FailureClass.SOFTWARE, 3.5, ("matplotlib", "seaborn", "plotly", "bokeh"), outer=False
)
COMPILERS = Family(
    "a compiler",
    FailureClass.SOFTWARE,
    2.0,
    tuple(
        "torch/_inductor torch/_dynamo torch/utils/cpp_extension torch/fx tvm setuptools cffi Cython numba sympy".split()
    ),
    outer=False,
)
GROUPS = Family(
    "the start of the process group",
    FailureClass.INIT_RENDEZVOUS,
    2.5,
    tuple(
        (
            "torch/distributed/rendezvous torch/distributed/elastic/rendezvous torch/distributed/elastic/agent mpi4py "
            "deepspeed/comm horovod/runner jax/_src/distributed"
        ).split()
    ),
    far=True,
)
DEVICES = Family(
    "a query of the GPU's driver",
    FailureClass.GPU_HARDWARE,
    2.5,
    tuple("pynvml py3nvml gpustat cuda amdsmi jax/_src/xla_bridge".split()),
    outer=False,
)
LOCKS = Family(
    "a lock or a queue",
    FailureClass.SOFTWARE,
    3.0,
    tuple("filelock portalocker std/queue std/threading".split()),
    outer=False,
)
FAMILIES = (
    READERS,
    TEXTS,
    TOKENIZERS,
    OBJECT_STORES,
    HTTP_CLIENTS,
    SERVERS,
    HUBS,
    TRACKERS,
    CHECKPOINTS,
    SETTINGS,
    VALIDATORS,
    KERNELS,
    AROUND_MODELS,
    PLOTTERS,
    COMPILERS,
    GROUPS,
    DEVICES,
    LOCKS,
)
_BY_MEMBER = {member: family for family in FAMILIES for member in family.members}
_DEEPEST = 4
"""Parts of a path that the longest member has."""

_SITE = re.compile(r"(?:site|dist)-packages/")
_STANDARD = re.compile(
    r"(?:^|/)(?:lib/)?python3(?:\.\d+)?/|^[A-Za-z]:/(?:[^/]{1,80}/){0,9}(?:\w{0,20}conda\d?|envs/[^/]{1,80}|[Pp]ython\d{0,3})/[Ll]ib/"
)
_FROZEN = re.compile(r"<frozen ([\w.]+)>")
_SUFFIX = re.compile(r"\.(?:py|pyx|pxi|pyc|pxd)$")
_BUILT = re.compile(r"(?:(?:src|python|lib)/)?(?P<inside>\w[\w/]{0,200})\.(?:pyx|pxi)$")
"""Extensions name their sources from the root of their own tree: pandas/_libs/parsers.pyx, src/lxml/etree.pyx."""
PROGRAM = ""
"""The place of the program's own files."""


def place(path: str) -> str:
    """A frame's path inside its library, `std/…` for Python's own, `PROGRAM` for the program's files."""
    path = path.replace("\\", "/")
    if frozen := _FROZEN.match(path):
        return "std/" + frozen[1].replace(".", "/")
    *_, inside = _SITE.split(path)
    if inside != path:
        return _SUFFIX.sub("", inside)
    if standard := _STANDARD.search(path):
        return "std/" + _SUFFIX.sub("", path[standard.end() :])
    if built := _BUILT.match(path):
        return built["inside"]
    inside = _SUFFIX.sub("", path)
    return PROGRAM if path.startswith(("/", "<", ".")) or path[1:3] == ":/" or family_of(inside) is None else inside


def family_of(inside: str) -> Family | None:
    """The family of a library's file."""
    return next((_BY_MEMBER[head] for head in _heads(inside) if head in _BY_MEMBER), None)


def family_of_type(dotted: str) -> Family | None:
    """The family of the library that defines an exception: extensions written in C leave no frames."""
    module = dotted.rpartition(".")[0].replace(".", "/")
    return (family_of(module) or family_of("std/" + module)) if module else None


def _heads(inside: str) -> Iterator[str]:
    """A path's beginnings, the longest first."""
    parts = inside.split("/")
    for length in range(min(len(parts), _DEEPEST), 0, -1):
        yield "/".join(parts[:length])
