"""Exceptions of models and files that are not there, and of samples that cannot be read."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised, Vocabulary
from logtui.parsers.exceptions.vocabulary import DATA_CODE, DATA_FILE, DATA_PATH, DECODERS, SAMPLE_CODE
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import BAD_FILE, EVEN_INPUTS, MISSING_FILE

_MISSING = (r"FileNotFoundError", r"NotADirectoryError")
_UNREADABLE = "Caught {name} in DataLoader worker process 3."


def _not_there(paths: Vocabulary) -> tuple[str, str]:
    """Words that say of a path that it is not there, before it or behind it."""
    return (
        r"(?:No such file|Could not open|Unable to open|does not exist|not found).{0,300}(?:" + paths.any + ")",
        "(?:" + paths.any + r").{0,300}(?:No such file|does not exist|not found)",
    )


FILES = (
    ExceptionKind(
        name="exception.program_missing",
        writer="CPython's subprocess, every version",
        types=_MISSING,
        frames=(r"subprocess\.py _execute_child$",),
        cls=FailureClass.CONFIG,
        weight=66,
        title="a program that is to be called is not there",
        advice=(Advice("training", "install it in the environment that the job runs in, or give its path"),),
        samples=(
            Raised(
                "FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg57'",
                ("/opt/job/data/audio.py load", "/usr/lib/python3.12/subprocess.py _execute_child"),
            ),
            Raised(
                "NotADirectoryError: [Errno 20] Not a directory: '/opt/job/train57.py/run'",
                ("/usr/lib/python3.12/subprocess.py _execute_child",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.hub_model",
        writer="Hugging Face transformers 4, huggingface_hub 0 and 1, over requests",
        says=(
            r"gated repo",
            r"not a local folder and is not a valid model identifier",
            r"Can't load (?:tokenizer|the (?:configuration|model)|feature extractor|image processor|processor)",
            r"does not appear to have (?:a file|any file)",
            r"Repository Not Found",
            r"401 Client Error",
            r"403 Client Error",
        ),
        cls=FailureClass.CONFIG,
        weight=60,
        title="a model or tokenizer cannot be had under that name",
        advice=(
            Advice(
                "training",
                "check the model's name, log in with a token that may read it, or give the path of a local copy",
            ),
        ),
        samples=(
            Raised("OSError: You are trying to access a gated repo.\nMake sure to have access to it."),
            Raised(
                "OSError: some/model57 is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'"
            ),
            Raised("OSError: Can't load tokenizer for 'some/model57'."),
            Raised("OSError: /mnt/models/57 does not appear to have a file named config.json."),
            Raised(
                "huggingface_hub.errors.RepositoryNotFoundError: 404 Client Error. (Request ID: Root=1-57)\n\n"
                "  Repository Not Found for url: https://huggingface.co/api/models/some/model57."
            ),
            Raised("huggingface_hub.errors.HfHubHTTPError: 401 Client Error: Unauthorized for url: https://example/57"),
            Raised("huggingface_hub.errors.HfHubHTTPError: 403 Client Error: Forbidden for url: https://example/57"),
        ),
    ),
    ExceptionKind(
        name="exception.folder_to_write_missing",
        writer="PyTorch's file writer; pandas (check_parent_directory); HDF5 (H5Fcreate); Pillow, CPython's open under savers",
        types=(r"FileNotFoundError", r"OSError", r"RuntimeError"),
        says=(
            r"Parent directory .{1,300} does not exist",
            r"into a non-existent directory",
            r"Unable to (?:synchronously )?create file .{0,300}errno = 2\b",
            r"No such file or directory: b?'[^']{0,300}(?:/(?:logs?|lightning_logs|tensorboard)/|events\.out\.tfevents)",
        ),
        cls=FailureClass.CONFIG,
        weight=66,
        title="the folder to write to is missing",
        advice=(Advice("training", "create the folder before the job starts, on every node, or correct its path"),),
        samples=(
            Raised("RuntimeError: Parent directory /mnt/run7/checkpoints does not exist."),
            Raised("OSError: Cannot save file into a non-existent directory: 'results57'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: b'/mnt/run7/logs/a.57'"),
            Raised(
                "FileNotFoundError: [Errno 2] Unable to synchronously create file (unable to open file: name = 'run7/a.h5', "
                "errno = 2, error message = 'No such file or directory', flags = 13, o_flags = 242)"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.sample_file_missing",
        writer="CPython's open; Pillow, OpenCV, soundfile and others under readers of data",
        types=(r"FileNotFoundError", r"RuntimeError", r"OSError"),
        says=_not_there(DATA_FILE),
        cls=FailureClass.DATA,
        weight=64,
        title="a data file is missing",
        note="The file's own name says more than the folders above it, which may be called `checkpoints` or `config`.",
        advice=MISSING_FILE,
        samples=(
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/ckpt_data/config/00057.jpg'"),
            Raised("RuntimeError: /mnt/checkpoints/57.wav does not exist"),
            Raised("OSError: /mnt/configs/57.flac not found"),
        ),
    ),
    ExceptionKind(
        name="exception.checkpoint_missing",
        writer="CPython's open, under loaders of checkpoints and tokenizers",
        types=_MISSING,
        says=(
            r"checkpoint|ckpt",
            r"\.pth?\b",
            r"safetensors",
            r"pytorch_model",
            r"state_dict",
            r"tokenizer",
            r"\bvocab\.(?:json|txt|bpe|model)\b",
            r"\bmerges\.txt\b",
            r"global_step\d",
            r"snapshot[-_]\d",
            r"/models?/",
            r"\.joblib\b",
            r"\bweights\w{0,40}/",
        ),
        cls=FailureClass.CONFIG,
        weight=58,
        title="a checkpoint or model file is missing",
        advice=(
            Advice(
                "training",
                "check the checkpoint's path, and that every node sees it; where ranks save and load at once, "
                "put a barrier between",
            ),
        ),
        samples=(
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/checkpoints/latest'"),
            Raised("NotADirectoryError: [Errno 20] Not a directory: '/mnt/ckpt/57'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/model57.pt'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/model-00007.safetensors'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/pytorch_model.bin'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/state_dict_57'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/tokenizer.model'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/data/gpt57-vocab.json'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/data/gpt57-merges.txt'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/global_step57'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/network-snapshot-000057.pkl'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/models/57'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a/scaler57.joblib'"),
            Raised("FileNotFoundError: [Errno 2] No such file or directory: 'weights_57/net.pkl'"),
        ),
    ),
    ExceptionKind(
        name="exception.config_missing",
        writer="CPython's open, under readers of configuration",
        types=_MISSING,
        says=(r"\.ya?ml", r"config"),
        cls=FailureClass.CONFIG,
        weight=58,
        title="a configuration file is missing",
        advice=(Advice("training", "check the configuration's path, from the job's working directory"),),
        samples=(
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/opt/job/run57.yaml'"),
            Raised("NotADirectoryError: [Errno 20] Not a directory: '/opt/job/config/57'"),
        ),
    ),
    ExceptionKind(
        name="exception.data_missing",
        writer="CPython's open; HDF5 (Unable to open); DALI (Could not open); readers of indexed data of their own",
        types=(*_MISSING, r"IsADirectoryError", r"RuntimeError", r"OSError"),
        says=_not_there(DATA_PATH),
        cls=FailureClass.DATA,
        weight=64,
        title="a data file is missing",
        advice=MISSING_FILE,
        samples=(
            Raised(
                "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/run7/shard-00012.tar'",
                ("/opt/job/dataset.py __init__",),
            ),
            Raised("NotADirectoryError: /mnt/corpus7/part-7 does not exist"),
            Raised("IsADirectoryError: Could not open /mnt/corpus7: Is a directory"),
            Raised(
                'RuntimeError: [/opt/dali/dali/util/std_file.cc:57] Assert on "fp_ != nullptr" failed: Could not open file '
                "/mnt/run7/part-7.rec: No such file or directory"
            ),
            Raised(
                "OSError: Unable to open file (unable to open file: name = '/mnt/run7/part-7.h5', errno = 2, error message = "
                "'No such file or directory', flags = 0, o_flags = 0)"
            ),
        ),
    ),
)

SAMPLES = (
    ExceptionKind(
        name="exception.settings_unreadable",
        writer="CPython's json, under whatever in a program reads its settings",
        types=(r"JSONDecodeError",),
        frames=(
            r"\bload_(?:\w{1,30}_)?(?:args|settings)\b",
            r"conf(?:ig)?s?\b",
            r"/configuration_\w{1,40}\.py",
            r"conf(?:ig)?_\w{1,40}$",
            r"hparams",
        ),
        cls=FailureClass.CONFIG,
        weight=64,
        title="a file of settings cannot be read",
        samples=(
            Raised(
                "json.decoder.JSONDecodeError: Expecting value: line 57 column 7 (char 570)",
                (
                    "transformers/configuration_utils.py _dict_from_json_file",
                    "/usr/lib/python3.12/json/decoder.py raw_decode",
                ),
            ),
            Raised(
                "json.decoder.JSONDecodeError: Extra data: line 57 column 7 (char 57)",
                ("/opt/job/run.py load_args", "/usr/lib/python3.12/json/__init__.py loads"),
            ),
            Raised(
                "json.decoder.JSONDecodeError: Extra data: line 57 column 7 (char 57)",
                ("/opt/job/run.py load_ds_config", "/usr/lib/python3.12/json/__init__.py loads"),
            ),
            Raised(
                "json.decoder.JSONDecodeError: Extra data: line 57 column 7 (char 57)", ("/opt/job/run.py config_of",)
            ),
            Raised(
                "json.decoder.JSONDecodeError: Extra data: line 57 column 7 (char 57)", ("/opt/job/hparams.py load",)
            ),
        ),
    ),
    ExceptionKind(
        name="exception.token_out_of_range",
        writer="torch.nn.functional.embedding on the CPU, 1.0 and later: an id that the table of embeddings does not have",
        types=(r"IndexError",),
        says=(r"index out of range in self",),
        cls=FailureClass.DATA,
        weight=58,
        title="a token is not in the vocabulary",
        samples=(Raised("IndexError: index out of range in self", ("torch/nn/functional.py embedding",)),),
    ),
    ExceptionKind(
        name="exception.corrupt_type",
        writer="CPython's pickle, json, zipfile, tarfile, gzip, zlib and struct; Pillow; pyarrow; Hugging Face datasets; jobs' own readers",
        types=(
            r"UnpicklingError",
            r"JSONDecodeError",
            r"BadZipFile",
            r"(?:^|tarfile\.)ReadError$",
            r"UnidentifiedImageError",
            r"ArrowInvalid",
            r"DataCorrupt",
            r"struct\.error",
            r"zlib\.error",
            r"BadGzipFile",
            r"InvalidHeaderError",
            r"DatasetGenerationError",
            r"DatasetGenerationCastError",
        ),
        cls=FailureClass.DATA,
        weight=66,
        title="a sample is corrupt",
        advice=BAD_FILE,
        samples=(
            Raised("_pickle.UnpicklingError: invalid load key, '\\x57'."),
            Raised("json.decoder.JSONDecodeError: Expecting value: line 57 column 7 (char 5757)"),
            Raised("zipfile.BadZipFile: File is not a zip file"),
            Raised("tarfile.ReadError: unexpected end of data"),
            Raised("PIL.UnidentifiedImageError: cannot identify image file <_io.BytesIO object at 0x7f57>"),
            Raised(
                "pyarrow.lib.ArrowInvalid: Could not open Parquet input source '<Buffer>': Parquet magic bytes not found in footer. "
                "Either the file is corrupted or this is not a parquet file.",
                ("pyarrow/parquet/core.py read_table",),
            ),
            Raised("jobkit.DataCorruptError: part-7"),
            Raised("struct.error: unpack requires a buffer of 57 bytes"),
            Raised("zlib.error: Error -3 while decompressing data: incorrect header check"),
            Raised("gzip.BadGzipFile: Not a gzipped file (b'57')"),
            Raised("tarfile.InvalidHeaderError: bad checksum"),
            Raised("datasets.exceptions.DatasetGenerationError: An error occurred while generating the dataset"),
            Raised("datasets.exceptions.DatasetGenerationCastError: An error occurred while generating the dataset"),
        ),
    ),
    ExceptionKind(
        name="exception.corrupt",
        writer="HDF5 through h5py; Pillow; CPython's zipfile; torch's zip reader; TensorFlow; jobs' own readers",
        says=(
            r"corrupt",
            r"truncated (?:file|image)",
            r"Unable to open object",
            r"bad magic",
            r"invalid (?:shard|sample|record)",
            r"Error decoding",
        ),
        cls=FailureClass.DATA,
        weight=64,
        title="a sample is corrupt",
        advice=BAD_FILE,
        samples=(
            Raised(
                "RuntimeError: PytorchStreamReader failed reading zip archive: not a ZIP archive, or it is corrupted"
            ),
            Raised(
                "OSError: Unable to synchronously open file (truncated file: eof = 57, sblock->base_addr = 0, stored_eof = 5757)"
            ),
            Raised(
                "KeyError: \"Unable to open object (object 'tokens' doesn't exist)\"",
                ("h5py/_hl/group.py __getitem__",),
            ),
            Raised(
                "tensorflow.python.framework.errors_impl.DataLossError: Unable to open table file /mnt/a57: DATA_LOSS: not an sstable (bad magic number)"
            ),
            Raised("ValueError: invalid sample 57 of part-7"),
            Raised("ValueError: Error decoding part-7: frame 57"),
        ),
    ),
    ExceptionKind(
        name="exception.empty_file",
        writer="CPython's pickle, and torch.load over it",
        types=(r"EOFError",),
        says=(r"Ran out of input",),
        cls=FailureClass.DATA,
        weight=58,
        title="a file is empty or cut",
        advice=BAD_FILE,
        samples=(Raised("EOFError: Ran out of input"),),
    ),
    ExceptionKind(
        name="exception.out_of_data",
        writer="torch.utils.data, and iterators of trainers over it, where ranks hold unlike numbers of batches",
        types=(r"StopIteration",),
        frames=(r"iterator", r"data"),
        cls=FailureClass.DATA,
        weight=62,
        title="this rank ran out of data",
        advice=EVEN_INPUTS,
        samples=(
            Raised("StopIteration", ("torch/utils/data/dataloader.py _next_data",)),
            Raised("StopIteration", ("/opt/job/batch_iterator.py __next__",)),
        ),
    ),
    ExceptionKind(
        name="exception.unknown_model",
        writer="Hugging Face transformers 4, models/auto",
        types=(r"KeyError", r"ValueError"),
        frames=(r"transformers/models/auto/\w+\.py \S+$",),
        cls=FailureClass.CONFIG,
        weight=58,
        title="a kind of model that the library does not know",
        advice=(
            Advice(
                "training",
                "upgrade transformers to a release that knows that architecture, or allow the model's own code "
                "(trust_remote_code=True)",
            ),
        ),
        samples=(
            Raised("KeyError: 'model57'", ("transformers/models/auto/configuration_auto.py __getitem__",)),
            Raised(
                "ValueError: The checkpoint you are trying to load has model type `model57` but Transformers does not recognize this architecture.",
                ("transformers/models/auto/configuration_auto.py from_pretrained",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.unreadable_sample",
        writer="datasets, collate functions and parsers of samples, in a torch.utils.data worker or by their names",
        types=(
            r"KeyError",
            r"IndexError",
            r"ValueError",
            r"UnicodeDecodeError",
            r"RuntimeError",
            r"TypeError",
            r"EOFError",
            r"AssertionError",
            r"ZeroDivisionError",
        ),
        frames=(
            SAMPLE_CODE.any,
            r"in DataLoader worker",
            r"(?:load|read|fetch|next|make)_(?:sample|record|example|utterance|clip)$",
            r"^(?![^\n]{0,200}tokeniz)[^\n]{0,200}\bdecode(?:_(?:line|text|sample|record|example|item|image|audio|video|row|fn|\w?peg))?$",
            r"parse(?:_(?:sample|record|example|line|row|item|annotation|label)\w{0,100})?$",
        ),
        cls=FailureClass.DATA,
        weight=62,
        by_place=True,
        title="reading a sample failed",
        advice=(
            Advice(
                "training",
                "repair or skip that sample; num_workers=0 shows it, and a try in the data set's __getitem__ "
                "that names the file finds it",
            ),
        ),
        samples=(
            Raised(
                "KeyError: 'transcript57'", ("torch/utils/data/_utils/fetch.py fetch", "/opt/job/reader.py __getitem__")
            ),
            Raised("IndexError: list index out of range", ("torch/utils/data/_utils/worker.py _worker_loop",)),
            Raised("ValueError: " + _UNREADABLE.format(name="ValueError")),
            Raised(
                "UnicodeDecodeError: 'utf-8' codec can't decode byte 0x57 in position 7",
                ("/opt/job/text.py decode_line",),
            ),
            Raised(
                "RuntimeError: stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at entry 1",
                ("torch/utils/data/_utils/collate.py collate_tensor_fn",),
            ),
            Raised("TypeError: expected str, got None", ("/opt/job/reader.py load_sample",)),
            Raised("EOFError", ("/opt/job/reader.py parse_record",)),
            Raised("AssertionError: 57 words", ("/opt/job/reader.py parse",)),
            Raised("ZeroDivisionError: division by zero", ("/opt/job/reader.py get_item",)),
        ),
    ),
    ExceptionKind(
        name="exception.undecodable",
        writer="MoviePy, decord 0.6, PyAV, librosa with audioread, and other decoders by their frames",
        types=(
            r"OSError",
            r"RuntimeError",
            r"ValueError",
            r"DECORDError",
            r"AVError",
            r"InvalidDataError",
            r"NoBackendError",
        ),
        frames=(*DECODERS,),
        cls=FailureClass.DATA,
        weight=60,
        by_place=True,
        title="a sample cannot be decoded",
        advice=(Advice("training", "convert or skip that file, or install a decoder that reads it"),),
        samples=(
            Raised(
                "OSError: Error in file /mnt/v/57.mp4, Accessing time t=5.70-5.70 seconds",
                ("moviepy/video/io/ffmpeg_reader.py read_frame",),
            ),
            Raised("RuntimeError: Failed to open the input", ("torchaudio/io/stream_reader.py __init__",)),
            Raised("ValueError: Could not open image file", ("imageio/core/imopen.py imopen",)),
            Raised("decord._ffi.base.DECORDError: cannot find video stream", ("decord/_ffi/base.py check_call",)),
            Raised("av.AVError: [Errno 1094995529] Invalid data found", ("av/error.pyx av.error.err_check",)),
            Raised(
                "av.error.InvalidDataError: [Errno 1094995529] Invalid data found", ("av/error.pyx av.error.err_check",)
            ),
            Raised("audioread.exceptions.NoBackendError", ("librosa/core/audio.py __audioread_load",)),
        ),
    ),
    ExceptionKind(
        name="exception.data_file_missing",
        writer="CPython's open, under readers of data",
        types=(r"FileNotFoundError",),
        frames=(*DATA_CODE,),
        cls=FailureClass.DATA,
        weight=62,
        title="a data file is missing",
        advice=MISSING_FILE,
        samples=(
            Raised(
                "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/run7/00012'",
                ("/opt/job/dataset.py read",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.data_lacking",
        writer="CPython's mappings and sequences, under readers of data",
        types=(r"KeyError", r"IndexError"),
        frames=(*DATA_CODE,),
        cls=FailureClass.DATA,
        weight=56,
        vague=True,
        title="the data do not have what the code expects",
        samples=(
            Raised(
                "KeyError: \"Unable to synchronously open object (object 'features' doesn't exist)\"",
                ("h5py/_hl/group.py __call__",),
            ),
            Raised("IndexError: list index out of range", ("megatron/core/datasets/indexed_dataset.py get",)),
        ),
    ),
)
