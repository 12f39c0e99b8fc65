"""What messages, types and names in the program's own code hint at, whichever library speaks: each row with its example."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass
from logtui.parsers.structure.checks import CHECKS
from logtui.parsers.structure.hint import Hint, Within

_DATA, _CONFIG, _STORAGE = FailureClass.DATA, FailureClass.CONFIG, FailureClass.STORAGE_IO
_SOFTWARE, _HOST, _CUDA = FailureClass.SOFTWARE, FailureClass.HOST_OOM, FailureClass.CUDA_SOFTWARE
_GPU, _INIT = FailureClass.GPU_HARDWARE, FailureClass.INIT_RENDEZVOUS
_READS = r"(?i:data|reader|load(?:er|_)|sampl|shard|batch|manifest|token|collat|augment|transform(?!er)|decode|parse_|record|corpus|jsonl|tsv|csv|feature|column|(?<![a-z])read_|iter_)"

SETS = Hint(
    "in the program's code for its settings",
    _CONFIG,
    1.2,
    Within.NAMES,
    r"(?i:conf(?:ig)?|cfg|arg(?:ument)?s?\b|parse_arg|option|setup|settings|hparams|\bcli\b|\benv\b|environ|validate_\w{0,30}(?:arg|conf))",
    "/opt/job/config.py load",
)
READS = Hint("in the program's code that reads", _DATA, 1.4, Within.NAMES, _READS, "/opt/job/reader.py read_shard")
SAVES = Hint(
    "in the program's code of checkpoints",
    _STORAGE,
    0.3,
    Within.NAMES,
    r"(?i:ckpt|checkpoint|\bsave|_save|export|upload|dump)",
    "/opt/job/run.py save_checkpoint",
)
MESSAGES = (
    Hint(
        "what was read is not as it should be",
        _DATA,
        2.5,
        Within.MESSAGE,
        r"(?i:truncat|corrupt|magic|unexpected end|premature end|bad (?:block|record|sample|zip|header|crc|chunk)|checksum|\bcrc\b|malformed"
        r"|cannot (?:decode|identify|cast|parse)|can't decode|(?:could ?n[o']t|failed to|unable to|error(?: while)?) (?:cast|decod\w+|pars\w+|tokeniz\w+|deserializ\w+)"
        r"|(?:bad|invalid) (?:file )?signature|not an? (?:valid )?\w{1,20} (?:file|image|archive|stream|document)|invalid (?:sample|record|base64|shard|load key|data|utf|start byte|continuation|character|escape|frame|header|literal|json|xml|header)"
        r"|unrecogni[sz]ed (?:data|file|image) |incorrect padding|unsupported (?:image|audio|codec|compression|format)|shorter than|greater than file size|"
        r"not enough (?:data|bytes|values(?! to unpack))|empty (?:file|sequence|data)|no columns to parse|mixed types|column(?:s| names) (?:do(?:es)? n[o']t|mismatch|expected)|"
        r"expected \d+ (?:fields|columns|bytes|values)|buffer (?:is )?(?:too small|size)|incorrect (?:header|data|length) check|\bat line \d{1,9},? col(?:umn)? \d)",
        "ParserError: Expected 3 fields in line 57, saw 5",
    ),
    Hint(
        "the schema differs",
        _DATA,
        2.0,
        Within.MESSAGE,
        r"(?i:schema|field \S{1,80} (?:not found|missing|does not exist)|column \S{1,80} (?:not found|missing|does not exist)|not in index|no such column)",
        "Schema at index 57 was different",
    ),
    Hint(
        "a label or a value that a model cannot take",
        _DATA,
        3.0,
        Within.MESSAGE,
        r"(?i:\b(?:labels?|targets?|inputs?|features?|columns?|y) (?:\w{1,20} ){0,2}(?:contains? (?:nan|inf|missing|null|previously unseen)|(?:is |are )?out of (?:bounds|range)))",
        "Target 57 is out of bounds.",
    ),
    Hint(
        "a sample is named",
        _DATA,
        2.2,
        Within.MESSAGE,
        r"(?i:\b(?:sample|record|utterance|utt|clip|image|img|document|doc|prompt|conversation|dialog(?:ue)?|example|row|shard|transcript|caption|page|video|episode|cut|recording|supervision)s?(?: id)?[ #:=]{1,3}['\"]?[\w./-]{0,80}\d)",
        "sample 57 has 0 tokens",
    ),
    Hint(
        "a text that should have been a number",
        _DATA,
        1.0,
        Within.MESSAGE,
        r"could not convert string to float",
        "could not convert string to float: 'n/a57'",
    ),
    Hint(
        "parts of it are missing",
        _DATA,
        1.2,
        Within.OWN,
        r"(?i:\bis incomplete\b|\b(?:only )?\d{1,6} of \d{1,6} (?:files|parts|shards|pieces|chunks|rows|samples|records)\b|\bno \*?\.\w{2,8} (?:files? )?(?:under|in|at|below|found)\b)",
        "run57 is incomplete: 3 of 4 parts found",
    ),
    Hint(
        "a line of a file of data is named",
        _DATA,
        3.0,
        Within.MESSAGE,
        r"(?i:\.(?:jsonl|csv|tsv|txt|manifest|scp|list)\b[^\n]{0,3}[ :,](?:(?:at|in|on) )?(?:line|row|record) ?#?\d|\.(?:jsonl|csv|tsv|scp):\d{1,9}\b|\b(?:line|row|record) #?\d{1,9} (?:of|in) [^\s]{1,200}\.(?:jsonl|csv|tsv|txt|manifest|scp|list)\b)",
        "clips-57.jsonl line 118: no duration",
    ),
    Hint(
        "a file of data is named",
        _DATA,
        1.0,
        Within.OWN,
        r"(?i:\w\.(?:flac|wav|mp[34]|opus|ogg|jpe?g|png|tiff?|webp|npy|npz|parquet|jsonl|csv|tsv|tar|arrow|h5|hdf5|tfrecords?|lmdb|zarr)\b)",
        "got 8000 Hz in clip-57.flac",
    ),
    Hint(
        "somebody else holds it, or it may only be read",
        _STORAGE,
        5.5,
        Within.MESSAGE,
        r"(?i:database is locked|unable to lock file|readonly database|disk I/O error)",
        "database is locked",
    ),
    Hint(
        "it could not be written",
        _STORAGE,
        3.6,
        Within.MESSAGE,
        r"(?i:(?:failed|unable|could ?n[o']t|can ?n[o']t|error|failure)(?: (?:to|in|while|when|during))? (?:\w+ )?(?:writ|flush|sav|upload|commit|fsync)\w*"
        r"|write (?:failed|error)|\bwrote (?:only )?\d+ (?:of \d+ )?bytes|(?:upload|write|commit) (?:of \S{1,200} )?(?:did not|was not|never) (?:finish|complete)|short write|disk (?:is )?full|no space|\bdatabase or disk is full|quota|iostream error|file too large|read-only)",
        "failed to write shard 57",
    ),
    Hint(
        "what it was to move is gone",
        _STORAGE,
        4.5,
        Within.MESSAGE,
        r"No such file or directory: b?'[^'\n]{1,400}' -> ",
        "No such file or directory: '/mnt/run57/a.tmp' -> '/mnt/run57/a'",
    ),
    Hint(
        "two settings do not agree",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r"(?i:(?:do(?:es)?n.?t|d(?:o|oes|id) not) (?:match|fit|agree|divide)|mismatch|divisible|\bmust (?:be|have|match|equal|specify|provide|set)\b|\bshould be\b"
        r"|inconsistent|incompatible|\bnot (?:set|specified|provided|configured)\b|\bunset\b|mutually exclusive|exclude each other|\bonly (?:\w{1,12} )?one of\b|\b(?:exactly|at most) one of\b|\bno section\b|\boption (?:needs|requires)\b|cannot (?:both )?be (?:used|set|combined)"
        r"|(?:please|you (?:must|need to|have to)) (?:set|specify|provide|pass|install|enable|disable|choose)"
        r"|(?:missing|unknown|unexpected|invalid|unrecogni[sz]ed|unsupported|unresolved|illegal) (?:\w+ ){0,2}(?:option|setting|config\w*|argument|flag|parameter|choice|mode|backend|optimizer|scheduler|precision|strategy|encoding|architecture|activation|schedule|task|dataset)|(?:unknown|unexpected|unrecogni[sz]ed|missing required) (?:\w+ ){0,2}(?:key|field|name|value)|\bmultiple of\b|\bconflicts?\b|(?:not|does not) (?:equal|compatible|recogni[sz]ed?)|not supported (?:with|for|when|by)|(?:is|are) required\b|is not a valid\b)",
        "ValueError: tensor parallel size must be at least 7",
    ),
    Hint(
        "an option is advised",
        _CONFIG,
        2.6,
        Within.MESSAGE,
        r"(?i:\b(?:us(?:e|ing)|pass(?:ing)?|set(?:ting)?|specify(?:ing)?|add(?:ing)?|try|giv(?:e|ing)|provid(?:e|ing)|via|without|with)\W{1,3}(?:the )?\W?--[a-z][\w-]{2,60})",
        "the folder is not empty; use --overwrite57 to go on",
    ),
    Hint(
        "the choices are told",
        _CONFIG,
        2.0,
        Within.MESSAGE,
        r"(?i:(?:should|must|has to) be one of|choose from|(?:valid|available|supported|allowed|possible) (?:options|choices|values|names|keys|splits) (?:are|is)\b)",
        "Unknown split train57. Should be one of train, test",
    ),
    Hint(
        "the names that are known are told",
        _CONFIG,
        2.0,
        Within.OWN,
        r"(?i:\b(?:unknown|no such|unregistered) .{1,120}\b(?:registered|known|available|have|choices)\b ?(?:\w{1,20} )?(?:are|is)?[:=(])",
        "unknown corpus 'c57'; registered: a, b",
    ),
    Hint(
        "a number that a setting cannot be",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r"\b[Ii]nvalid (?:\w{1,30} ){0,2}\w{1,30}: -?\d",
        "Invalid learning rate: -57",
    ),
    Hint(
        "a file of a database cannot be opened",
        _CONFIG,
        3.6,
        Within.MESSAGE,
        r"unable to open database file",
        "unable to open database file",
    ),
    Hint(
        "a bound that a setting does not keep",
        _CONFIG,
        2.0,
        Within.MESSAGE,
        r"(?i:(?:is|are|be|was) (?:less|greater|larger|smaller|more|fewer|higher|lower) than|\btoo (?:few|many) (?:\w{1,20} ){0,2}for \d|\b(?:at least|at most|no more than) \d|\bexceeds?\b|out of range for)",
        "57 GPUs are less than 64",
    ),
    Hint(
        "more was asked for than there is",
        _CONFIG,
        3.2,
        Within.MESSAGE,
        r"(?i:(?:requires?|needs?|requested|expected|asked for|wants?) (?:at least )?\d{1,6} (?:gpus?|devices?|nodes?|ranks|processes|workers|accelerators)\b.{0,40}\b(?:only|but|found|available|got|given|present)\b)",
        "require 57 GPUs, but only 5 are available",
    ),
    Hint(
        "an environment variable",
        _CONFIG,
        2.5,
        Within.MESSAGE,
        r"(?i:env(?:ironment)?[ _]var(?:iable)?|os\.environ)",
        "environment variable LOGIN57 was empty",
    ),
    Hint(
        "a variable that launchers set",
        _CONFIG,
        2.2,
        Within.OWN,
        r"\b(?:(?:NODE|LOCAL|GROUP)_RANK|(?:LOCAL_)?WORLD_SIZE|MASTER_(?:ADDR|PORT)|(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES|SLURM_[A-Z]\w{1,40})\b",
        "NODE_RANK is 57 but the hostfile lists 2 hosts",
    ),
    Hint(
        "the environment to run in is missing",
        _CONFIG,
        2.5,
        Within.MESSAGE,
        r"(?i:\bno (?:python|conda|virtual) ?(?:env|environment)\b|\b(?:conda|virtual|python) ?env(?:ironment)? .{0,80}\b(?:not found|missing|does not exist)\b|command not found\b)",
        "No Python environment found",
    ),
    Hint(
        "it was built without what is asked of it",
        _CONFIG,
        4.0,
        Within.MESSAGE,
        r"(?i:not (?:compiled|built|linked) with\b|\b(?:compiled|built) without\b|doesn't have \w{1,20} built in)",
        "Torch not compiled with CUDA57 enabled",
    ),
    Hint(
        "a checkpoint of another model",
        _CONFIG,
        2.6,
        Within.MESSAGE,
        r"(?:in loading state_dict|[Mm]issing key(?:\(s\)|s)? in|[Uu]nexpected key\(s\)|size mismatch for |parameter group|(?i:checkpoint) (?:\w+ ){1,4}(?:do(?:es)? not|mismatch))",
        "loaded state dict contains a parameter group of size 57",
    ),
    Hint(
        "GPU memory ran out",
        FailureClass.GPU_OOM,
        6.5,
        Within.MESSAGE,
        r"(?i:\b(?:cuda|hip|npu|xpu|hpu|mps|gpu|hbm|vram|cublas|cudnn)\w{0,20}\b[^\n]{0,160}(?:out of memory|\boom\b|alloc|not enough memory|exhausted)|(?:out of memory|\boom\b|exhausted|no available memory)[^\n]{0,200}(?:\bgpu|cuda|\bhbm\b|\bvram\b|device:gpu|kv cache|cache blocks))",
        "Ran out of memory in memory space hbm. Used 57G of 16G hbm.",
    ),
    Hint(
        "the GPU's hardware",
        _GPU,
        4.5,
        Within.MESSAGE,
        r"(?i:(?:cuda(?! extension)|hip|gpu|nccl|device)[^\n]{0,80}(?:\becc\b|nvlink|hardware|busy or unavailable|unknown error|no \w+-capable|not (?:yet )?initialized|is lost)|\b(?:devices?|gpus?)(?: \S{1,12})? (?:was |were |is |are )?not found\b|[Nn]o CUDA GPUs)",
        "HIP error: no ROCm-capable device is detected",
    ),
    Hint(
        "a GPU that is not there was asked for",
        _CONFIG,
        4.5,
        Within.MESSAGE,
        r"(?i:invalid device (?:ordinal|context|id|index)|device (?:index|id|ordinal) out of range)",
        "HIP error: invalid device ordinal",
    ),
    Hint(
        "a process that it needs was killed",
        _HOST,
        2.2,
        Within.MESSAGE,
        r"(?i:killed by signal: (?:Killed|Bus)|(?:terminated|died|ended|exited) (?:abruptly|unexpectedly)|(?:abruptly|unexpectedly) (?:terminated|died|ended|exited)|process pool (?:is|was) broken|\b(?:workers?|process(?:es)?) (?:died|(?:was|were) killed))",
        "a worker has died unexpectedly",
    ),
    Hint(
        "a library of CUDA's",
        _CUDA,
        3.6,
        Within.MESSAGE,
        r"(?:lib(?:cu|nccl|nv)\w{1,30}\.so|CUDA_HOME|(?:flash_attn|cuda|nccl|apex|transformer_engine|c10)[^\n]{0,200}undefined symbol|undefined symbol[^\n]{0,80}(?:c10|cuda|nccl))",
        "libcudnn57.so.9: cannot open shared object file",
    ),
    Hint(
        "memory ran out",
        _HOST,
        4.0,
        Within.MESSAGE,
        r"(?i:\bbad_alloc|out of (?:host |system |cpu )?memory|(?:can ?not|unable to|failed to|could ?n[o']t) (?:m?alloc|allocate|mmap|realloc)\w*(?! an empty file)|not enough (?:host )?memory"
        r"|memory (?:limit|quota) (?:was )?exceeded|insufficient (?:host )?memory|oom-?kill)",
        "std::bad_alloc",
    ),
    Hint(
        "the GPU or its driver",
        _GPU,
        3.5,
        Within.MESSAGE,
        r"(?:NVML|[Nn]o (?:CUDA|NVIDIA|HIP|GPU)s? ?\w{0,20} (?:available|found|detected|visible|devices?)|driver (?:is )?not loaded|GPU(?:s)? (?:is|are) lost|fallen off the bus|nvidia-smi)",
        "NVML: Unknown Error",
    ),
    Hint(
        "a driver that does not fit the library",
        _CUDA,
        6.0,
        Within.MESSAGE,
        r"driver (?:version )?(?:on your system )?(?:is )?(?:too old|insufficient)|[Dd]river/library version mismatch|forward compatibility was attempted",
        "The NVIDIA driver on your system is too old (found version 11057)",
    ),
    Hint(
        "the GPU's kernels",
        _CUDA,
        3.0,
        Within.MESSAGE,
        r"(?:CUDA (?:error|driver error|kernel|version)|cuda[A-Z]\w+Error|hipError|no kernel image|sm_\d\d|compute capability|out of resource: shared memory|PTX|cubin|Triton Error)",
        "no kernel image is available for execution",
    ),
    Hint(
        "shapes, types or gradients of the program's own tensors",
        _SOFTWARE,
        2.5,
        Within.MESSAGE,
        r"(?i:size-incompatible|incompatible shapes|shapes? (?:cannot|can't|of|mismatch|must|are|do(?:es)? not)|same (?:shape|number of dim)|mat1 and mat2|sizes? of tensors?|to be on the same device|\bdtypes?\b|requires? grad|leaf variable|in-?place operation"
        r"|backward through the graph|does not have a grad_fn|exceeds dimension|Input type \(.{1,60}\) and weight type|unsupported data ?type|broadcast|dimension(?:s)? (?:of|out|must|mismatch)|\b\d-?D (?:or \d-?D )?(?:tensor|array|matrix|input)s?\b|contiguous|not callable|cannot be converted to Scalar|not iterable|not subscriptable|can't pickle|cannot pickle)",
        "mat1 and mat2 shapes cannot be multiplied (57x7 and 5x7)",
    ),
    Hint(
        "the group did not form",
        _INIT,
        3.0,
        Within.MESSAGE,
        r"(?i:rendezvous|store based barrier|init_process_group|(?<!of the )process group|TCPStore|c10d|(?<!/)\bgloo\b(?!/)|(?:client|server) socket has|address already in use|waiting for (?:all )?(?:workers|clients|nodes|ranks))",
        "rendezvous was not completed by 57 nodes",
    ),
)
TYPES = (
    Hint(
        "a mistake of the program",
        _SOFTWARE,
        3.0,
        Within.TYPE,
        r"^(?:AttributeError|NameError|UnboundLocalError|SyntaxError|IndentationError|TabError|NotImplementedError|RecursionError|ImportError|ModuleNotFoundError)$",
        "UnboundLocalError",
    ),
    Hint(
        "a mistake of the program",
        _SOFTWARE,
        2.3,
        Within.TYPE,
        r"^(?:TypeError|ZeroDivisionError|StopAsyncIteration)$",
        "TypeError",
    ),
    Hint(
        "a type of settings",
        _CONFIG,
        3.0,
        Within.TYPE,
        r"(?:Config|Setting|(?<!Invalid)Argument|Option|Usage|Flag|Override|Interpolation|Param(?:eter)?|Validation|Schema)\w{0,30}(?:Error|Exception|Missing|Invalid)$|^(?:Missing|Invalid|Unsupported)(?:Schema|URL|ProxyURL|Protocol)$|^(?:InvalidConfig|BadParameter|UsageError|MissingParameter)",
        "ConfigKeyMissingError",
    ),
    Hint(
        "a type of reading",
        _DATA,
        2.5,
        Within.TYPE,
        r"(?:Decode|Parse|Parser|Corrupt|Truncated|Invalid(?:File|Data|Header|Image)|Format|Unpickling|Deserializ|Tokenizer?|Dataset|(?<!Invalid)(?<!Missing)Schema|Integrity|Checksum|BadZip|Unidentified|LibsndfileError|Codec|DataLoss)\w{0,24}(?:Error|Exception|File)?$",
        "RecordParseError",
    ),
    Hint("a type of GPU memory", FailureClass.GPU_OOM, 4.5, Within.TYPE, r"^OutOfMemoryError$", "OutOfMemoryError"),
    Hint("a type of memory", _HOST, 4.0, Within.TYPE, r"(?<!OutOf)MemoryError$", "ArrayMemoryError"),
    Hint(
        "a type of room on disks",
        _STORAGE,
        2.6,
        Within.TYPE,
        r"(?:No(?:t(?:Enough|Sufficient)?)?(?:Free)?Space|Disk(?:Full|Space|Quota)|Insufficient(?:Disk)?Space|OutOfSpace|Quota(?:Exceeded)?)(?:Error|Exception|Exceeded)?$",
        "NotEnoughSpaceError",
    ),
    Hint(
        "a type of processes that died",
        _HOST,
        3.0,
        Within.TYPE,
        r"^(?:KilledWorker|BrokenProcessPool|WorkerCrashedError|TerminatedWorkerError|WorkerLostError)$",
        "KilledWorker",
    ),
    Hint("the data ended", _DATA, 2.0, Within.TYPE, r"^(?:StopIteration|EOFError)$", "EOFError"),
    Hint(
        "a type of the group's start",
        _INIT,
        3.0,
        Within.TYPE,
        r"^(?:Dist(?:Network|Store)Error|Rendezvous\w{0,30}Error)$",
        "DistNetworkError",
    ),
    Hint(
        "a type of a compiler",
        _SOFTWARE,
        2.5,
        Within.TYPE,
        r"^(?:CompilationError|CompileError|LinkError|BackendCompilerFailed|Unsupported|\w*LoweringException|InductorError|TorchRuntimeError)$",
        "CompilationError",
    ),
)
PROGRAMS = (
    SETS,
    READS,
    SAVES,
    Hint("an environment variable", _CONFIG, 3.2, Within.SOURCE, r"os\.environ|getenv\(|environ\[", 'rank = int(os.environ["RANK57"])'),
    Hint("the command line", _CONFIG, 3.4, Within.SOURCE, r"\bsys\.argv\b", "path = sys.argv[57]"),
    Hint("a setting of the program", _CONFIG, 1.8, Within.SOURCE, r"\b(?:args|cfg|config|conf|hparams|opt|options|flags|FLAGS|self\.(?:args|cfg|config))\.[a-z]\w*|\b(?:cfg|config|conf|hparams)\[", "assert args.layers % args.stages == 0"),
    Hint("what a setting chooses", _CONFIG, 2.2, Within.SOURCE, r"\[(?:self\.)?(?:args|cfg|config|conf|hparams|opts?|options|flags|FLAGS)\.[a-z]\w{0,60}\]", "build = SCHEDULES[args.schedule57]"),
    Hint("a key of the settings", _CONFIG, 2.6, Within.SOURCE, r"\b(?:cfg|config|conf|hparams|settings|opts?)\[['\"]", 'width = conf["model57"]["width"]'),
    Hint("a line is taken apart", _DATA, 2.2, Within.SOURCE, r"\.(?:r?split|r?partition|splitlines)\(|[=(] ?(?:line|row|record)\b", 'name, text = line.split("57")'),
    Hint(
        "a check of a setting",
        _CONFIG,
        0.8,
        Within.SOURCE,
        r"^(?:assert|raise) .{0,300}\b(?:args|cfg|config|conf|hparams|opts?|options|flags|FLAGS)\b",
        "assert args.layers % args.stages == 0",
    ),
    Hint("a record of the data", _DATA, 2.0, Within.SOURCE, r"\b(?:sample|record|rec|row|example|line|entry|ann|meta)\[|json\.loads\(", 'text = sample["text57"]'),
    Hint("a batch of the data", _DATA, 1.8, Within.SOURCE, r"\b(?:item|batch|features?)\[", 'ids = batch["ids57"]'),  # the model may ask for what was never there
)  # fmt: skip
PATHS = (
    Hint("a path of settings", _CONFIG, 2.0, Within.PATH, r"(?i:\.ya?ml|\.toml|\.ini|\.cfg|\.conf|config|ds_\w+\.json|hostfile|args)", "/opt/job/run57.yaml"),
    Hint("a path of a model", _CONFIG, 2.0, Within.PATH, r"(?i:ckpt|checkpoint|\.pth?\b|\.keras\b|safetensors|pytorch_model|state_dict|global_step|tokenizer|/models?/|vocab|merges)", "/mnt/models/57"),
    Hint("a path of data", _DATA, 2.4, Within.PATH, r"(?i:data|shard|corpus|train|valid|\.npy|\.npz|\.bin|\.idx|\.parquet|\.jsonl|\.tar|\.h(?:df)?5|\.arrow|\.rec\b|\.csv|\.tsv|\.wav|\.flac|\.mp[34]|\.jpe?g|\.png|\.lmdb|\.zarr|manifest)", "/mnt/shard-57.tar"),
)  # fmt: skip
HINTS = (*MESSAGES, *CHECKS, *TYPES, *PROGRAMS, *PATHS)
