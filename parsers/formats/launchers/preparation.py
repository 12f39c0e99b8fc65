"""What a job's script prepares before it trains, and how that fails: environments, modules, containers, mounts, copies."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START


def _failed(
    name: str,
    cls: FailureClass,
    weight: int,
    title: str,
    anchors: tuple[str, ...],
    regex: str,
    samples: tuple[Sample, ...],
    advice: Advice,
) -> Pattern:
    """A step of a script that failed; the script may go on without it."""
    return Pattern(
        name=name,
        anchors=anchors,
        regex=regex,
        samples=samples,
        role=Role.CAUSE,
        cls=cls,
        weight=weight,
        marks=(Mark.COMMAND,),
        title=title,
        advice=(advice,),
    )


_NO_ANSWER = (
    r"i/o timeout|TLS handshake timeout|no such host|[Cc]onnection (?:refused|reset)|toomanyrequests"
    r"|context deadline exceeded|status(?: code)?:? 5\d\d"
)
"""How Go's network libraries say that a server gave no answer, or none of use."""
ENVIRONMENTS = (
    _failed(
        "prepare.no_environment",
        FailureClass.CONFIG,
        64,
        "conda knows no such environment",
        ("EnvironmentNameNotFound: ", "EnvironmentLocationNotFound: "),
        r"\b(?:EnvironmentNameNotFound: Could not find conda environment: (?P<environment>\S{1,200})"
        r"|EnvironmentLocationNotFound: Not a conda environment: (?P<folder>\S{1,300}))",
        (
            Sample("EnvironmentNameNotFound: Could not find conda environment: llm57", {"environment": "llm57"}),
            Sample("EnvironmentLocationNotFound: Not a conda environment: /opt/envs/llm57", {"folder": "/opt/envs/llm57"}),
        ),
        Advice("training", "make the environment[ {environment}][ {folder}], or name one that `conda info --envs` lists"),
    ),
    _failed(
        "prepare.no_module",
        FailureClass.CONFIG,
        60,
        "a module that the script loads does not exist",
        ("The following module(s) are unknown", "Unable to locate a modulefile for ", "These module(s) or extension(s)"),
        r"The following module\(s\) are unknown|Unable to locate a modulefile for '(?P<module>[^'\n]{1,200})'"
        r"|These module\(s\) or extension\(s\) exist but cannot be loaded as requested",
        (
            Sample("Lmod has detected the following error:  The following module(s) are unknown: \"cuda/57\""),
            Sample("ERROR: Unable to locate a modulefile for 'cuda/57'", {"module": "cuda/57"}),
            Sample("These module(s) or extension(s) exist but cannot be loaded as requested: \"nccl/57\""),
        ),
        Advice("training", "name a module that `module avail` lists[, instead of {module}]"),
    ),
    _failed(
        "prepare.no_package",
        FailureClass.CONFIG,
        56,
        "pip finds no such release of a package",
        ("Could not find a version that satisfies the requirement ", "No matching distribution found for "),
        r"ERROR: (?:Could not find a version that satisfies the requirement|No matching distribution found for) (?P<package>[^\s(]{1,200})",
        (
            Sample("ERROR: Could not find a version that satisfies the requirement kernels==57 (from versions: 1.0)", {"package": "kernels==57"}),
            Sample("ERROR: No matching distribution found for kernels==57", {"package": "kernels==57"}),
        ),
        Advice("training", "require a release of {package} that the index has, for this Python and this platform"),
    ),
)  # fmt: skip
CONTAINERS = (
    _failed(
        "prepare.apptainer",
        FailureClass.CONFIG,
        62,
        "the container was not started",
        ("FATAL:  ",),
        LINE_START + r"FATAL: {2,3}(?!.*(?:[Nn]o space|I/O error|superblock|" + _NO_ANSWER + r"))(?P<said>\S.{0,300})",
        (
            Sample(
                "FATAL:   could not open image /images/run57.sif: no such file or directory",
                {"said": "could not open image /images/run57.sif: no such file or directory"},
            ),
            Sample(
                "3: FATAL:   container creation failed: mount /data57->/data error",
                {"said": "container creation failed: mount /data57->/data error"},
            ),
        ),
        Advice("training", "correct the image and what is bound into it: {said}"),
    ),
    _failed(
        "prepare.image_pull",
        FailureClass.NETWORK,
        64,
        "the container's image was not fetched",
        ("FATAL:  ",),
        r"FATAL: {2,3}(?P<said>[^\n]{0,600}?(?:" + _NO_ANSWER + r"))",
        (
            Sample(
                "FATAL:   While making image from oci registry: error fetching image: dial tcp 10.0.5.7:443: i/o timeout",
                {
                    "said": "While making image from oci registry: error fetching image: dial tcp 10.0.5.7:443: i/o timeout"
                },
            ),
        ),
        Advice(
            "infrastructure", "see whether that node reaches the registry, or fetch the image before the job starts"
        ),
    ),
    _failed(
        "prepare.image_unread",
        FailureClass.INFRASTRUCTURE,
        62,
        "the node cannot mount the container's image",
        ("bad superblock",),
        r"kernel reported a bad superblock for (?P<what>\w{1,20}) image",
        (
            Sample(
                "FATAL:   container creation failed: mount /proc/self/fd/5->/rootfs error: can't mount image: kernel reported a "
                "bad superblock for squashfs image partition",
                {"what": "squashfs"},
            ),
        ),
        Advice(
            "infrastructure", "compare the node's kernel with the one that the image was made for, and copy it anew"
        ),
    ),
    _failed(
        "prepare.docker_daemon",
        FailureClass.INFRASTRUCTURE,
        62,
        "the daemon that starts containers does not answer",
        ("Cannot connect to the Docker daemon", "Cannot connect to Podman"),
        r"Cannot connect to (?:the Docker daemon|Podman)",
        (
            Sample("docker: Cannot connect to the Docker daemon at unix:///run/docker57.sock. Is it running?"),
            Sample("Cannot connect to Podman. Please verify your connection to the Linux system"),
        ),
        Advice("infrastructure", "start the daemon of that node, or give the user a right to its socket"),
    ),
    _failed(
        "prepare.docker_gpu",
        FailureClass.INFRASTRUCTURE,
        64,
        "the container got no GPU",
        ("could not select device driver ", "nvidia-container-cli: "),
        r"could not select device driver|nvidia-container-cli: (?P<said>[a-z ]{1,40} error: .{1,200})",
        (
            Sample('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'),
            Sample(
                "nvidia-container-cli: initialization error: nvml error: driver not loaded",
                {"said": "initialization error: nvml error: driver not loaded"},
            ),
        ),
        Advice("infrastructure", "look at the driver and the container toolkit of that node"),
    ),
    _failed(
        "prepare.docker_refused",
        FailureClass.CONFIG,
        60,
        "the container was refused",
        ("Error response from daemon: ",),
        r"docker: Error response from daemon: (?!could not select|.*(?:no space|nvidia-container-cli|i/o timeout))(?P<said>\S.{0,300})",
        (
            Sample(
                "docker: Error response from daemon: pull access denied for llm57, repository does not exist",
                {"said": "pull access denied for llm57, repository does not exist"},
            ),
        ),
        Advice("training", "correct the image and the options of docker: {said}"),
    ),
)
STORES = (
    _failed(
        "prepare.mount",
        FailureClass.STORAGE_IO,
        64,
        "a file system was not mounted",
        ("mount.nfs", "mount.lustre: ", "mount.cifs", "mount.ceph: ", "mount.beegfs: ", "mount error("),
        r"(?:^|[\s\]])mount(?:\.(?:nfs4?|lustre|cifs|ceph|beegfs): | error\(\d{1,3}\): )(?!.*(?i:warning|note:))(?P<said>\S.{0,300})",
        (
            Sample(
                "mount.nfs: Connection timed out for store57:/data on /data",
                {"said": "Connection timed out for store57:/data on /data"},
            ),
            Sample("mount error(115): Operation now in progress", {"said": "Operation now in progress"}),
            Sample(
                "mount.lustre: mount 10.0.0.57@o2ib:/work at /work failed: No such file or directory",
                {"said": "mount 10.0.0.57@o2ib:/work at /work failed: No such file or directory"},
            ),
        ),
        Advice("storage", "look why the server did not let it be mounted: {said}"),
    ),
    _failed(
        "prepare.rsync_absent",
        FailureClass.CONFIG,
        58,
        "rsync was told to copy what is not there",
        ("link_stat ", "change_dir "),
        r'rsync: (?:\[\w{1,12}\] )?(?:link_stat|change_dir#?\d?) "(?P<path>[^"\n]{1,300})"[^\n]{0,40} failed: No such file',
        (
            Sample(
                'rsync: [sender] link_stat "/data/run57" failed: No such file or directory (2)',
                {"path": "/data/run57"},
            ),
        ),
        Advice("training", "correct the path {path}"),
    ),
    _failed(
        "prepare.rsync_lost",
        FailureClass.NETWORK,
        58,
        "rsync lost the other side",
        ("rsync error: ",),
        r"rsync error: (?P<said>[^\n]{1,200}) \(code (?:10|12|30|35|255)\) at ",
        (
            Sample(
                "rsync error: error in rsync protocol data stream (code 12) at io.c(57) [sender=3.2.7]",
                {"said": "error in rsync protocol data stream"},
            ),
        ),
        Advice("infrastructure", "look at the host that rsync copied from or to"),
    ),
    _failed(
        "prepare.no_host",
        FailureClass.NETWORK,
        60,
        "a host was not found, or not reached, from which the script fetches",
        ("unable to resolve host address", "Could not resolve host", "fatal: unable to access '"),
        r"(?:wget: unable to resolve host address\W{1,4}|curl: \(\d{1,2}\) Could not resolve host: )(?P<host>[\w.-]{1,200})|fatal: unable to access '(?P<url>[^'\n]{1,300})': (?:Failed to connect|Could not resolve|Operation timed out|Connection)",
        (
            Sample("wget: unable to resolve host address 'data57.example.org'", {"host": "data57.example.org"}),
            Sample("curl: (6) Could not resolve host: data57.example.org", {"host": "data57.example.org"}),
            Sample(
                "fatal: unable to access 'https://git57.example.org/job.git/': Failed to connect to git57.example.org port 443",
                {"url": "https://git57.example.org/job.git/"},
            ),
        ),
        Advice(
            "infrastructure",
            "look whether that node may reach [{host}][{url}], and by which proxy; compute nodes often may not",
        ),
    ),
    _failed(
        "prepare.s3_store",
        FailureClass.STORAGE_IO,
        62,
        "a copy of the object store failed",
        ("load failed: s3://", " to s3://", "fatal error: An error occurred ("),
        r"(?:(?:download|upload|copy|move) failed: [^\n]{1,400}|^fatal error: )An error occurred \((?P<code>SlowDown|InternalError|ServiceUnavailable|RequestTimeout|50[0-4])\)",
        (
            Sample(
                "download failed: s3://corpus57/a.tar to ./a.tar An error occurred (SlowDown) when calling the GetObject operation",
                {"code": "SlowDown"},
            ),
            Sample(
                "upload failed: ./a57.pt to s3://runs/a57.pt An error occurred (503) when calling the PutObject operation",
                {"code": "503"},
            ),
            Sample(
                "fatal error: An error occurred (InternalError) when calling the ListObjectsV2 operation",
                {"code": "InternalError"},
            ),
        ),
        Advice("storage", "copy with fewer requests at once, and look at the store's own log ({code})"),
    ),
    _failed(
        "prepare.s3_refused",
        FailureClass.CONFIG,
        62,
        "the object store refused a copy",
        ("load failed: s3://", " to s3://", "fatal error: "),
        r"(?:(?:download|upload|copy|move) failed: [^\n]{1,400}|^fatal error: )(?:An error occurred \((?P<code>AccessDenied|40[134]|NoSuchBucket|NoSuchKey|ExpiredToken|InvalidAccessKeyId|SignatureDoesNotMatch)\)|Unable to locate credentials)",
        (
            Sample("fatal error: Unable to locate credentials"),
            Sample(
                "download failed: s3://corpus57/a.tar to ./a.tar An error occurred (AccessDenied) when calling the GetObject operation",
                {"code": "AccessDenied"},
            ),
            Sample(
                "upload failed: ./a57.pt to s3://runs/a57.pt An error occurred (NoSuchBucket) when calling the PutObject operation",
                {"code": "NoSuchBucket"},
            ),
        ),
        Advice("training", "correct the bucket, the key or the credentials[: {code}]"),
    ),
    _failed(
        "prepare.pip_requirements",
        FailureClass.CONFIG,
        70,
        "pip does not find the list of what it is to install",
        ("Could not open requirements file",),
        r"Could not open requirements file: \[Errno \d{1,3}\] [^:\n]{1,60}: '(?P<file>[^'\n]{1,300})'",
        (
            Sample(
                "ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'job57/requirements.txt'",
                {"file": "job57/requirements.txt"},
            ),
        ),
        Advice("training", "correct the path of {file}, or the folder in which the script runs"),
    ),
    _failed(
        "prepare.cloud_refused",
        FailureClass.CONFIG,
        60,
        "a service of the cloud refused {operation}",
        ("An error occurred (",),
        r"^An error occurred \((?P<code>AccessDenied\w{0,20}|Auth\w{2,40}|Unauthori[sz]ed\w{0,30}|ExpiredToken\w{0,20}|InvalidClientTokenId"
        r"|UnrecognizedClientException|Validation\w{2,30}|InvalidParameter\w{0,30}|\w{0,30}NotFound\w{0,20})\) when calling the (?P<operation>\w{2,60}) operation",
        (
            Sample(
                "An error occurred (AuthorizationError) when calling the Publish operation: User: job57 is not authorized",
                {"code": "AuthorizationError", "operation": "Publish"},
            ),
        ),
        Advice("training", "give the job's role what {operation} needs[ ({code})]"),
    ),
)
FORMAT = LineFormat(
    name="preparation",
    title="what a job's script prepares",
    reference="conda exceptions.py; Lmod messageDir/en.lua; Environment Modules; pip; apptainer sylog; docker cli; "
    "mount.nfs(8), mount.lustre(8), mount.cifs(8); rsync(1); aws s3 cp",
    patterns=ENVIRONMENTS + CONTAINERS + STORES,
)
