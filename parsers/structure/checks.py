"""How programs word what their own checks found, of memory, disks, links, ranks and samples: each row with its example.

Nobody's template: a row is a way to say it, of which every program writes another.
"""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass
from logtui.parsers.structure.hint import Hint, Within

_DATA, _CONFIG, _STORAGE = FailureClass.DATA, FailureClass.CONFIG, FailureClass.STORAGE_IO
_HOST, _GPU, _INIT = FailureClass.HOST_OOM, FailureClass.GPU_HARDWARE, FailureClass.INIT_RENDEZVOUS
_SIZE = r"\d[\d.,]{0,12} ?[KMGTP]i?B\b"
_BEINGS = r"(?:ranks?|workers?|nodes?|hosts?|process(?:es)?|peers?|clients?|members?|agents?)"
_ITEMS = r"(?:samples?|records?|rows?|lines?|images?|clips?|videos?|utterances?|documents?|examples?|files?|shards?|batch(?:es)?)"

IN_TEXT = Hint(
    "a mistake in the program's text",
    FailureClass.SOFTWARE,
    6.0,
    Within.TYPE,
    r"^(?:NameError|UnboundLocalError|SyntaxError|IndentationError|TabError)$",
    "UnboundLocalError",
)
"""Of no other kind, whatever the line with the mistake was to do."""
CHECKS = (
    Hint(
        "what it was to make is there already",
        _CONFIG,
        3.0,
        Within.MESSAGE,
        r"(?i:\balready exists\b[^\n]{0,160}(?:\b(?:use|pass|set|add|specify)\b|\boverwrit|--?force\b| -f\b)|\brun with the name\b[^\n]{0,300}\balready exists)",
        "output folder run57 already exists, use --force to overwrite it",
    ),
    Hint(
        "the system did not find a file",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r": No such file or directory(?: \(\S{1,80}\))?\s*$",
        "cannot open potential file in/CH57.rebo: No such file or directory",
    ),
    Hint(
        "a place that is not there",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r"(?i:\b(?:path|director(?:y|ies)|folder)s?\b[^\n]{0,200}\b(?:does(?: not|n't)|do(?: not|n't)) exist\b)",
        "Input path does not exist: hdfs://store57/in",
    ),
    Hint(
        "a font that is not there",
        _CONFIG,
        5.0,
        Within.MESSAGE,
        r"(?i:\bcannot open resource\b)",
        "cannot open resource",
    ),
    Hint(
        "a script or a case that is not there",
        _CONFIG,
        2.6,
        Within.MESSAGE,
        r"(?i:\bmissing file for\b|\bcan(?:not|'t) (?:find|open) (?:the )?(?:script|main|case|config\w*|project|input) (?:file|directory|folder)\b"
        r"|\bnot a valid (?:project|script|case|config\w*)(?: name| file)?\b)",
        "Cannot find script file: step57.nf",
    ),
    Hint(
        "it has more memory than it may",
        _HOST,
        3.6,
        Within.MESSAGE,
        r"(?i:\b(?:resident|rss|host memory|working set|\bram\b)[^\n]{0,80}(?:over|above|exceed|beyond|limit|budget|left|free)|\boom[- ]killer\b|"
        + _SIZE
        + r" (?:of )?(?:host |cpu |system )?(?:ram|memory) (?:is |are )?(?:left|remain(?:s|ing)?|free|available)\b|\bcgroup\b[^\n]{0,40}\b(?:allows?|limit|memory|grants)\b)",
        "resident memory is 57.2 GiB, over the limit of 57 GiB",
    ),
    Hint(
        "a worker that was killed",
        _HOST,
        3.0,
        Within.MESSAGE,
        r"(?i:\b(?:worker|process|child|loader)\b[^\n]{0,80}\b(?:exit ?code|status|signal|code)[ =:]{1,3}(?:-9|137|SIGKILL)\b)",
        "loader 57 ended with exit code -9",
    ),
    Hint(
        "more shared memory than there is",
        _HOST,
        4.5,
        Within.MESSAGE,
        r"(?i:/dev/shm\b|--shm-size\b|shared memory (?:segments?|blocks?|mount)\b)",
        "/dev/shm holds 57 MB, the ring needs 7 GB",
    ),
    Hint(
        "more memory than a device has",
        FailureClass.GPU_OOM,
        4.0,
        Within.OWN,
        r"(?i:(?:needs?|requires?|wants?|takes?|asks? for|requested)\b[^\n]{0,40}"
        + _SIZE
        + r"[^\n]{0,60}\b(?:devices?|gpus?|cuda|hbm|vram|cards?)\b|\b(?:device|gpu|cuda|hbm|vram|card)\b[^\n]{0,60}(?:only |has |have |with )"
        + _SIZE
        + r"[^\n]{0,40}(?:free|left|available|but|while)|"
        + _SIZE
        + r" (?:per|on (?:each|one|a|every)|of (?:each|one|a)|for (?:each|one|a)) (?:gpu|device|card|accelerator)\b)",
        "the cache needs 57 GiB, but the GPU has 16 GiB",
    ),
    Hint(
        "room that is left on a disk",
        _STORAGE,
        3.2,
        Within.MESSAGE,
        r"(?i:(?:only )?"
        + _SIZE
        + r" (?:is |are |were )?(?:left|free|available|remain(?:s|ing)?)(?: space)? (?:on|in|at|under|below) (?:/(?!dev/)|disk|the (?:disk|scratch|volume))|\b(?:disk|scratch|volume|file ?system) (?:\S{1,80} )?(?:has|with) (?:only )?"
        + _SIZE
        + r"|not enough (?:free )?(?:disk )?(?:space|room)|out of (?:disk )?space|insufficient (?:disk )?space)",
        "only 57 GiB free on /scratch",
    ),
    Hint(
        "a file that was slow to come",
        _STORAGE,
        3.2,
        Within.MESSAGE,
        r"(?i:\b(?:reading|writing|read(?:ing)? of|write of|opening|stat(?:ting)?|listing|fsync(?:ing)?(?: of)?)\b[^\n]{0,120}/[^\n]{1,160}\b(?:took|takes|hung|blocked|stalled|for more than|did not return|no answer)\b|\b(?:fsync|flush|rename|unlink|write|close|stat|listdir|open)(?:\(\))? (?:did not|does not|has not|never) (?:come back|return|finish|complete)|\bfile ?system\b[^\n]{0,30}\b(?:sick|slow|stalled|hangs?|hung|unresponsive|does not answer))",
        "reading /data/run57/a.bin took 157 s",
    ),
    Hint(
        "a file system that is not mounted",
        _STORAGE,
        3.6,
        Within.MESSAGE,
        r"(?i:\bnot (?:a )?mount(?:ed|[ -]?point)\b|\bis(?: no|n't a) mount[ -]?point|\bmount (?:of \S{1,120} )?(?:is (?:missing|gone|stale)|failed)|\bstale mount\b|\b(?:un|no longer )mounted\b)",
        "/mnt/run57 is not mounted on this node",
    ),
    Hint(
        "a lock that somebody else holds",
        _STORAGE,
        2.4,
        Within.MESSAGE,
        r"(?i:(?:take|acquir\w{1,8}|get|obtain|grab|wait\w* (?:on|for))\b[^\n]{0,60}(?:\block\b|\.lock\b|\block ?file)|\block ?(?:file)?\b[^\n]{0,60}(?:held|owned|stale|busy|taken))",
        "could not take run57.lock within 60 s",
    ),
    Hint(
        "fewer came than were waited for",
        _INIT,
        3.0,
        Within.MESSAGE,
        r"(?i:\b\d{1,6} ?(?:of|/|out of) ?(?:the )?\d{1,6} "
        + _BEINGS
        + r" (?:have |had |has )?(?:only )?(?:show(?:ed|n)? up|joined|came|arrived|reported|check(?:ed)?[ -]in|registered|connected|answered|responded|said hello)|\bquorum\b|\b"
        + _BEINGS
        + r" (?:\S{1,40} )?(?:never|did not|didn't|have not|has not) (?:show(?:ed)? up|join(?:ed)?|c[ao]me|arrived?|report(?:ed)?|check(?:ed)?[ -]in|register(?:ed)?))",
        "only 57 of 64 workers joined within 60 s",
    ),
    Hint(
        "a link that carries too little",
        FailureClass.NETWORK,
        3.0,
        Within.MESSAGE,
        r"(?i:\b(?:all-?(?:reduce|gather)|bandwidth|throughput|bus ?bw|preflight|network|link|ping)\b[^\n]{0,80}\d ?(?:[KMG]i?B|[KMG]b(?:it)?)(?:/s|ps)\b|\bwrong (?:network )?(?:interface|nic)\b|\b(?:eth|ib|bond|ens|enp|mlx5_|hsn)\d\w{0,8}\b[^\n]{0,60}(?:\bdown\b|no link|not up|[KMG]i?B/s|[KMG]bps))",
        "all-reduce check: 57 MB/s over eth0",
    ),
    Hint(
        "ranks that call different things",
        FailureClass.COLLECTIVE_MISMATCH,
        4.0,
        Within.MESSAGE,
        r"(?i:\branks?\b[^\n]{0,60}\bdifferent (?:collectives?|operations?|ops\b|calls|(?:tensor )?shapes|order)|\bcollectives?\b[^\n]{0,30}(?:differ|mismatch|out of (?:order|step|sync)|diverge)|\b(?:mismatch\w*|diverg\w+|different) (?:\w{1,20} )?collectives?\b)",
        "ranks are in different collectives: 57 all_gather, 58 broadcast",
    ),
    Hint(
        "ranks that read more or less than others",
        _DATA,
        3.2,
        Within.MESSAGE,
        r"(?i:\brun(?:s|ning)? out of (?:batches|samples|data|shards|records)\b|\bun(?:even|equal|balanced) (?:\w{1,20} )?(?:shards?|batches|inputs|splits?|data|samples|lengths)"
        r"|\branks?\b[^\n]{0,60}\b(?:fewe(?:r|st)|(?:more|most|different|same)(?: \w{1,12}){0,2}|only \d{1,9}) (?:batches|samples|shards|records|steps per epoch)\b)",
        "rank 57 has fewer batches than the others",
    ),
    Hint(
        "samples that could not be used",
        _DATA,
        2.6,
        Within.MESSAGE,
        r"(?i:\b"
        + _ITEMS
        + r" (?:\S{1,40} ){0,2}(?:could ?n[o']t be|cannot be|can't be|were|was|are|is|had to be) (?:\w{1,20} )?(?:decoded|read\b|parsed|un(?:readable|decodable|usable)|broken|damaged|bad\b|skipped|dropped|empty|rejected)|\b(?:too many|\d{1,9}(?: of (?:the last )?\d{1,9})?) (?:bad|broken|unreadable|corrupted|invalid|skipped|failed) "
        + _ITEMS
        + r"\b)",
        "57 of the last 100 samples could not be decoded",
    ),
    Hint(
        "a list that does not fit what is there",
        _DATA,
        2.4,
        Within.MESSAGE,
        r"(?i:\b(?:manifest|catalog(?:ue)?|listing|inventory|metadata|index(?! \d| out| is))(?:\.\w{2,8})?(?: \S{1,60})? (?:lists?|says|has|promises|counts?|claims|expects)\b|\b(?:listed|promised|counted|named) (?:in|by) (?:the )?[\w./-]{0,80}(?:index|manifest|catalog(?:ue)?|metadata)\b)",
        "the manifest lists 57 shards, found 50",
    ),
    Hint(
        "the shape of a file of data",
        _DATA,
        3.0,
        Within.OWN,
        r"(?i:\.(?:npy|npz|h5|hdf5|zarr|parquet|arrow|wav|flac|jpe?g|png|bin)\b[^\n]{0,20}\b(?:has|have|had|is of|of|with)\b[^\n]{0,12}\b(?:shape|length|rate|dim(?:ension)?s?|channels|columns|size)\b)",
        "features-57.npy has shape (57, 40), not (57, 80)",
    ),
    Hint(
        "some of the GPUs of a node",
        _GPU,
        3.0,
        Within.MESSAGE,
        r"(?i:\b[1-9]\d? (?:of|/|out of) (?:the )?\d{1,3} (?:gpus?|accelerators|cuda devices)\b[^\n]{0,30}\b(?:visible|found|present|seen|alive|respond|answer|healthy|usable|left|up\b)|\b(?:node|host)\b[^\n]{0,40}\b(?:shows?|sees?|has|lost|reports?|only)\b[^\n]{0,12}\b[1-9]\d? gpus?\b)",
        "only 57 of 64 GPUs are visible on this node",
    ),
    Hint(
        "errors that a GPU counts",
        _GPU,
        4.0,
        Within.MESSAGE,
        r"(?i:\b(?:un)?correct(?:able|ed) (?:\w{1,12} )?(?:ecc|memory) errors?|\becc errors?\b|\bxid \d|\brow remap)",
        "GPU 5: 57 uncorrectable ECC errors",
    ),
    Hint(
        "it was told to log in",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r"(?i:\b(?:no|missing|invalid|expired|set an?|export) (?:\w{1,20} ){0,2}(?:api[ _-]?key|access (?:key|token)|token|credentials?|password|login)\b|\b\w{2,20} (?:auth )?login\b[^\n]{0,40}\bfirst\b|\brun `?\w{2,20} (?:auth )?login\b|\b(?:export|source) (?!code\b|files?\b|data\b)[A-Za-z]\w{2,40}\b)",
        "no API key: run `track login` on node 57",
    ),
    Hint(
        "an option that was given does not fit",
        _CONFIG,
        2.4,
        Within.MESSAGE,
        r"(?i:(?<![\w-])--[a-z][\w-]{1,60}\b['\"`]? (?:was |is |were |has )?(?:given|passed|asked|specified|needs?|requires?|expects?|wants?|cannot|only|and --)|\bnothing to (?:resume|restore|load|continue)\b)",
        "--resume57 was given, but no run of that name is there",
    ),
    Hint(
        "fewer bytes came than were sent",
        _STORAGE,
        2.4,
        Within.MESSAGE,
        r"(?i:\b\d{1,15} (?:of \d{1,15} )?bytes (?:have |were |has )?(?:only )?(?:arrived|came|copied|transferred|downloaded|staged)\b|\b(?:partial|short|incomplete) (?:copy|transfer|download|upload)\b)",
        "57 of 100 bytes arrived in the cache",
    ),
    Hint(
        "a batch that did not come",
        FailureClass.DATA_LOADING_STALL,
        3.2,
        Within.MESSAGE,
        r"(?i:\b(?:waited|waiting|no batch|nothing came|starv\w+)\b[^\n]{0,40}\b\d{1,6} ?(?:s|sec|seconds|m|min|minutes)\b[^\n]{0,20}\bfor (?:the |a |any )?(?:next |new |first )?(?:batch(?:es)?|samples?|data|shards?)\b|\b(?:waited|waiting) for (?:the |a )?(?:next )?(?:batch|sample|data)\b[^\n]{0,40}\b\d{1,6} ?(?:s|sec|seconds|m|min|minutes)\b)",
        "waited 57 s for the next batch",
    ),
    Hint(
        "a recording of another make",
        _DATA,
        2.2,
        Within.OWN,
        r"(?i:\b(?:sampl(?:e|ing)|frame|bit) ?rate\b[^\n]{0,8}\d[^\n]{0,40}\b(?:wants?|expect\w*|needs?|instead|not|but)\b|\b\d{1,7} ?(?:hz|khz|fps)\b[^\n]{0,40}\b(?:wants?|expect\w*|needs?|instead|not|but|where)\b)",
        "sampling rate 57000, the model wants 16000",
    ),
    Hint(
        "a name that is not among those there are",
        _CONFIG,
        2.4,
        Within.OWN,
        r"(?i:\bno (?:\w{1,20} )?(?:split|subset|optimizer|scheduler|model|backend|preset|task|config\w*|profile|recipe|dataset|corpus|loss|metric|strategy|mode) (?:is )?(?:called|named|registered|of (?:that|this) name)\b)",
        "no split is called 'dev57'",
    ),
    Hint(
        "a checkpoint of another number of ranks",
        _CONFIG,
        2.6,
        Within.MESSAGE,
        r"(?i:\b(?:saved|written|sharded|stored|split|made) (?:by|with|for|on|over|under|across) (?:\w{1,20} ){0,2}\d{1,6} (?:ranks|gpus|processes|shards|devices|nodes|workers)\b)",
        "shards were saved by 57 ranks",
    ),
    Hint(
        "a span of the run that does not fit",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r"(?i:\b(?:warm-?up|interval|period|decay|schedule|budget|epochs?|steps?)\b[^\n]{0,40}\b(?:longer|shorter) than\b)",
        "warmup (57 steps) is longer than the run",
    ),
    Hint(
        "a list of hosts",
        _CONFIG,
        2.2,
        Within.MESSAGE,
        r"(?i:\b(?:host|machine|node) ?(?:file|list)\b[^\n]{0,40}\b(?:empty|missing|not|no|cannot|unreadable|wrong)\b|\b(?:empty or missing|missing or empty)\b)",
        "the hostfile of run57 is empty",
    ),
    Hint(
        "an upload that stopped half-way",
        _STORAGE,
        2.6,
        Within.MESSAGE,
        r"(?i:\b(?:PUT|GET|upload|download|multipart|copy)\b[^\n]{0,120}\b\d{1,9} of \d{1,9} (?:parts|chunks|pieces|blocks)\b)",
        "PUT run57/a.pt ended after 3 of 12 parts",
    ),
    Hint(
        "a disk that is full, in other words",
        _STORAGE,
        2.8,
        Within.MESSAGE,
        r"(?i:\binodes?\b|\b(?:disk|scratch|volume|file ?system|mount)\b (?:\S{1,80} )?(?:is |at )(?:at )?(?:9\d|100) ?%)",
        "no inodes are free on /scratch57",
    ),
    Hint(
        "what was there is gone",
        _STORAGE,
        2.4,
        Within.MESSAGE,
        r"(?i:\b(?:directory|folder|file|mount|share)\b (?:\S{1,200} )?(?:has )?(?:vanished|disappeared|went away|is gone)\b)",
        "directory /mnt/run57 vanished",
    ),
    Hint(
        "a call to another process that timed out",
        FailureClass.NETWORK,
        2.4,
        Within.MESSAGE,
        r"(?i:\b(?:call|rpc|request|message|query|ping)\b[^\n]{0,80} (?:to|from|of) [^\s]{1,80} (?:has )?(?:timed out|was lost)\b)",
        "call push to server57 timed out after 30 s",
    ),
    Hint(
        "a link that went down",
        FailureClass.NETWORK,
        3.0,
        Within.MESSAGE,
        r"(?i:\b(?:eth|ib|bond|ens|enp|mlx5_|hsn|nic ?)\d\w{0,8} (?:is|went|goes|has gone|was) (?:down|away|dark)\b)",
        "mlx5_57 went down",
    ),
    Hint(
        "nobody leads the group",
        _INIT,
        2.6,
        Within.MESSAGE,
        r"(?i:\b(?:no leader|leader election|elect(?:ion|ed)\b|claimed (?:to be )?rank \d|no master (?:was |has )?(?:found|elected|answered)))",
        "no master was found after 57 s",
    ),
    Hint(
        "how full a host is",
        _HOST,
        2.6,
        Within.MESSAGE,
        r"(?i:\b(?:heap|page cache|swap|cpu memory)\b[^\n]{0,60}\d ?(?:[KMGT]i?B|%))",
        "the heap holds 57 of 60 GB",
    ),
    Hint(
        "how unwell a GPU is",
        _GPU,
        3.2,
        Within.MESSAGE,
        r"(?i:\bgpu\b[^\n]{0,60}(?:\b(?:thermal|throttl\w{1,5}|overheat\w{0,3}|retired pages?|power brake|\d{2,4} ?mhz|replay(?:s| errors?)|crc errors?)\b|°c)|\b(?:nv)?links? \d{1,2} (?:of|on) gpu\b)",
        "GPU 5 runs at 57 MHz",
    ),
    Hint(
        "a queue that ran dry",
        FailureClass.DATA_LOADING_STALL,
        3.0,
        Within.MESSAGE,
        r"(?i:\b(?:queue|prefetch\w{0,6}|loader|input)\b[^\n]{0,30}\b(?:dry|empty|starved|idle)\b[^\n]{0,20}\d ?(?:s|sec|seconds|m|min|minutes)\b)",
        "the queue was empty for 57 s",
    ),
    Hint(
        "a machine that is taken away",
        FailureClass.INFRASTRUCTURE,
        3.2,
        Within.MESSAGE,
        r"(?i:\b(?:node|host|instance|machine|vm|pod)\b[^\n]{0,40}\b(?:drain(?:ed|ing)|cordoned|evicted|reclaimed|preempted|rebooted|decommissioned)\b|\bmaintenance (?:window|event)\b)",
        "the node is being drained, 57 s left",
    ),
    Hint(
        "it may not",
        _CONFIG,
        2.4,
        Within.MESSAGE,
        r"(?i:\b(?:no|without) (?:rights?|permissions?|access) (?:to|for|on)\b|\bnot (?:allowed|permitted|authori[sz]ed) to (?:read|write|access|use|pull|list)\b|\bmay not (?:read|write|access|list)\b)",
        "role57 has no right to read it",
    ),
    Hint(
        "none of the settings was given",
        _CONFIG,
        2.4,
        Within.MESSAGE,
        r"(?i:\bneither (?:the )?(?:--|\$|options?\b|flags?\b|arguments?\b|variables?\b|settings?\b)[^\n]{1,80}\bnor\b)",
        "neither --plan57 nor PLAN is there",
    ),
    Hint(
        "a number that a setting should not have",
        _CONFIG,
        2.2,
        Within.OWN,
        r"(?i:\bmakes no sense\b|\bis nonsense\b|\b(?:leaves?|with) a remainder\b|\bdo(?:es)? not go into\b)",
        "momentum 57 makes no sense",
    ),
)
