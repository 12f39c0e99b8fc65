"""Words that formats and kinds of exceptions share: whose code a frame is, what a path holds, which types are HTTP's, what
libraries put before CUDA's texts.
"""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import Vocabulary

DATA_CODE = Vocabulary(
    "frames of code that reads training data",
    {
        r"dataset": "datasets/arrow_dataset.py __getitem__",
        r"data_?loader": "torch/utils/data/dataloader.py _next_data",
        r"datamodule": "/opt/job/datamodule.py setup",
        r"datapipe": "torchdata/datapipes/iter/util.py __iter__",
        r"lhotse": "lhotse/cut/set.py __iter__",
        r"webdataset": "webdataset/tariterators.py tar_file_expander",
        r"\bwds\b": "/opt/job/wds/reader.py read",
        r"tokeniz": "tokenizers/implementations/base_tokenizer.py encode",
        r"indexed_": "megatron/core/datasets/indexed_dataset.py __init__",
        r"h5py": "h5py/_hl/files.py make_fid",
        r"hdf5": "/opt/job/hdf5_reader.py read",
        r"\bdali\b": "nvidia/dali/pipeline.py run",
        r"PIL/": "PIL/Image.py open",
        r"tarfile": "/usr/lib/python3.12/tarfile.py next",
        r"zipfile": "/usr/lib/python3.12/zipfile/__init__.py open",
        r"pyarrow": "pyarrow/ipc.py open_stream",
        r"parquet": "pyarrow/parquet/core.py read_table",
        r"/data/": "/opt/job/data/sampler.py __iter__",
        r"_utils/(?:fetch|worker)": "torch/utils/data/_utils/fetch.py fetch",
        r"collate": "/opt/job/train.py collate",
    },
)
SAMPLE_CODE = Vocabulary(
    "frames in which one sample is read, or several are put together",
    {
        r"_utils/worker": "torch/utils/data/_utils/worker.py _worker_loop",
        r"get_?items?(?:__)?$": "/opt/job/reader.py __getitem__",
        r"collate(?:_\w+)?$": "/opt/job/reader.py collate_fn",
    },
)
DECODERS = Vocabulary(
    "frames of libraries that decode pictures, sound, video and volumes",
    {
        r"/moviepy/": "moviepy/video/io/ffmpeg_reader.py read_frame",
        r"/decord/": "decord/video_reader.py __init__",
        r"/torchvision/io/": "torchvision/io/image.py decode_jpeg",
        r"/av/": "av/error.pyx av.error.err_check",
        r"/librosa/": "librosa/core/audio.py load",
        r"/soundfile/": "/opt/venv/lib/python3.12/site-packages/soundfile/soundfile.py _open",
        r"/torchaudio/": "torchaudio/backend/common.py load",
        r"/imageio/": "imageio/core/imopen.py imopen",
        r"/ffmpeg/": "ffmpeg/_run.py run",
        r"/pydub/": "pydub/audio_segment.py from_file",
        r"/nibabel/": "nibabel/loadsave.py load",
        r"/rasterio/": "rasterio/__init__.py open",
        r"/SimpleITK/": "SimpleITK/extra.py ReadImage",
    },
)
DATA_PATH = Vocabulary(
    "paths of training data",
    {
        r"data": "/mnt/data_v7",
        r"index": "/mnt/run7/index-cache",
        r"shard": "/mnt/run7/shard-00012",
        r"corpus": "/mnt/corpus7",
        r"train": "/mnt/run7/train",
        r"valid": "/mnt/run7/valid",
        r"\.npy": "/mnt/run7/ids.npy",
        r"\.bin": "/mnt/run7/text.bin",
        r"\.idx": "/mnt/run7/text.idx",
        r"\.parquet": "/mnt/run7/part-7.parquet",
        r"\.jsonl": "/mnt/run7/part-7.jsonl",
        r"\.tar": "/mnt/run7/part-7.tar",
        r"\.h(?:df)?5": "/mnt/run7/part-7.hdf5",
        r"\.rec\b": "/mnt/run7/part-7.rec",
        r"img_info": "/mnt/run7/img_info.json",
        r"\.arrow": "/mnt/run7/part-7.arrow",
    },
)
DATA_FILE = Vocabulary(
    "names of files that hold samples: what they end in",
    {
        r"\.jpe?g\b": "/mnt/run7/00057.jpeg",
        r"\.tiff?\b": "/mnt/run7/00057.tif",
        r"\.dcm\b": "/mnt/run7/00057.dcm",
        r"\.nii(?:\.gz)?\b": "/mnt/run7/00057.nii.gz",
        r"\.wav\b": "/mnt/run7/00057.wav",
        r"\.flac\b": "/mnt/run7/00057.flac",
        r"\.mp[34]\b": "/mnt/run7/00057.mp4",
        r"\.tfrecords?\b": "/mnt/run7/part-7.tfrecord",
        r"\.parquet\b": "/mnt/run7/part-7.parquet",
        r"\.arrow\b": "/mnt/run7/part-7.arrow",
        r"\.jsonl\b": "/mnt/run7/part-7.jsonl",
        r"\.[ct]sv\b": "/mnt/run7/part-7.csv",
        r"\.idx\b": "/mnt/run7/text.idx",
    },
)
HTTP_ERRORS = Vocabulary(
    "types by which clients of HTTP say that no answer came, or none of use",
    {
        r"ConnectionError": "requests.exceptions.ConnectionError",
        r"ConnectTimeout": "botocore.exceptions.ConnectTimeoutError",
        r"ReadTimeout": "requests.exceptions.ReadTimeout",
        r"MaxRetryError": "urllib3.exceptions.MaxRetryError",
        r"NewConnectionError": "urllib3.exceptions.NewConnectionError",
        r"IncompleteRead": "http.client.IncompleteRead",
        r"ChunkedEncodingError": "requests.exceptions.ChunkedEncodingError",
        r"ProtocolError": "urllib3.exceptions.ProtocolError",
        r"ClientError": "botocore.exceptions.ClientError",
        r"EndpointConnectionError": "botocore.exceptions.EndpointConnectionError",
        r"HTTPError": "requests.exceptions.HTTPError",
        r"ConnectionResetError": "ConnectionResetError",
        r"ConnectionRefusedError": "ConnectionRefusedError",
    },
)
STORE_CLIENTS = Vocabulary(
    "frames of clients of object stores",
    {
        r"aistore": "aistore/sdk/request_client.py request",
        r"boto": "botocore/httpsession.py send",
        r"s3": "s3fs/core.py _call_s3",
        r"fsspec": "fsspec/asyn.py sync",
        r"gcsfs": "gcsfs/core.py _request",
    },
)
HTTP_CLIENTS = Vocabulary(
    "frames of clients of HTTP",
    {
        r"urllib3": "urllib3/connectionpool.py urlopen",
        r"requests": "requests/adapters.py send",
        r"aiohttp": "aiohttp/client.py _request",
        r"http": "httpcore/_sync/http11.py _receive_event",
    },
)
OBJECT_STORES = Vocabulary(
    "frames of clients of clouds' object stores",
    {
        r"google": "google/api_core/retry/retry_unary.py retry_target",
        r"cloud": "/opt/job/cloud_reader.py read",
        r"storage": "google/cloud/storage/client.py download_blob_to_file",
        r"gcs": "gcsfs/core.py _request",
        r"azure": "azure/core/pipeline/policies/_retry.py send",
        r"blob": "adlfs/blob.py read",
    },
)
VOCABULARIES = (DATA_CODE, DECODERS, DATA_PATH, DATA_FILE, HTTP_ERRORS, STORE_CLIENTS, HTTP_CLIENTS, OBJECT_STORES)


# -- CUDA's and HIP's texts, for the formats that declare what they say

_CUDA_LEAD = r"(?:(?<![\"'(])(?:CUDA|HIP|cuda|Cuda) [Ee]rror: |Triton Error \[\w+\]: |\b(?:cuda|hip)Error\w+: )"
"""What libraries put before them; inside quotes they belong to source code."""


def cuda_text(*texts: str) -> str:
    """One of CUDA's error texts, raised by a library."""
    return _CUDA_LEAD + r"(?P<error>" + "|".join(texts) + ")"
