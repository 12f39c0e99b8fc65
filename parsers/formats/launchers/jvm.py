"""Java's machine, Spark and HDFS: memory, exceptions, blocks without a copy, and the end of Spark's context."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="jvm",
    title="Java, Spark on YARN",
    reference="openjdk/jdk src/hotspot/share/utilities/debug.cpp; apache/spark YarnAllocator.scala, 2.0 to 4.0",
    patterns=(
        Pattern(
            name="jvm.memory",
            anchors=("java.lang.OutOfMemoryError: ",),
            regex=r"java\.lang\.OutOfMemoryError: (?P<what>\w[\w ]{1,60})",
            samples=(
                Sample(
                    'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
                    {"what": "Java heap space"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=66,
            title="Java has no more memory: {what}",
        ),
        Pattern(
            name="jvm.crashed",
            anchors=(
                "#  SIGSEGV",
                "#  SIGBUS",
                "#  SIGFPE",
                "#  SIGILL",
                "#  SIGABRT",
                "#  EXCEPTION_ACCESS_VIOLATION",
                "#  Internal Error (",
            ),
            regex=r"^#  (?P<signal>SIG[A-Z]{2,6}|EXCEPTION_ACCESS_VIOLATION|Internal Error) \((?:0x[0-9a-f]+|[\w.]{1,60}:\d+)\)"
            r"(?:,| at) pc?",
            samples=(
                Sample("#  SIGSEGV (0xb) at pc=0x0000ffff91e11db4, pid=57, tid=58", {"signal": "SIGSEGV"}),
                Sample("#  Internal Error (os_linux.cpp:57), pid=57, tid=58", {"signal": "Internal Error"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=66,
            title="Java's machine crashed ({signal})",
            note="The frame in which it did stands some lines below, under `Problematic frame`.",
        ),
        Pattern(
            name="jvm.no_memory",
            anchors=("# There is insufficient memory for the Java Runtime",),
            regex=r"^# There is insufficient memory for the Java Runtime Environment to continue",
            samples=(Sample("# There is insufficient memory for the Java Runtime Environment to continue."),),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=74,
            title="Java's machine got no memory from the system",
        ),
        Pattern(
            name="spark.lost_executor",
            anchors=(": Lost executor ",),
            regex=r": Lost executor (?P<executor>\w{1,40}) on (?P<host>[\w.-]{1,100}): (?!.{0,200}memory)",
            samples=(
                Sample(
                    "26/01/02 03:04:05 ERROR YarnScheduler: Lost executor 5 on node007: Container preempted by the scheduler",
                    {"executor": "5", "host": "node007"},
                ),
            ),
            role=Role.STATE,
            title="Spark lost an executor, and tries its tasks again",
            note="Its stage fails only after four attempts of one task.",
        ),
        Pattern(
            name="jvm.yarn_memory",
            anchors=(" by YARN for exceeding ",),
            regex=r"ontainer killed by YARN for exceeding (?:\w{1,12} ){0,2}memory limits\. ?(?P<used>[\d.]+ \w?B of [\d.]+ \w?B)?",
            samples=(
                Sample(
                    "Lost executor 5 on node007: Container killed by YARN for exceeding memory limits. 5.7 GB of 5 GB "
                    "physical memory used.",
                    {"used": "5.7 GB of 5 GB"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=80,
            title="YARN killed a container for its memory",
        ),
        Pattern(
            name="jvm.uncaught",
            anchors=('Exception in thread "',),
            regex=r'^Exception in thread "(?P<thread>[^"\n]{1,80})" (?!java\.lang\.OutOfMemoryError)'
            r"(?P<msg>(?:[a-z]\w{0,60}\.){1,10}[A-Z][\w$]{1,80}[^\n]{0,600})",
            samples=(
                Sample(
                    'Exception in thread "main" java.lang.IllegalArgumentException: no column c57',
                    {"thread": "main", "msg": "java.lang.IllegalArgumentException: no column c57"},
                ),
                Sample('Exception in thread "main" java.lang.NullPointerException'),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            title="a Java program stopped at an exception",
        ),
        Pattern(
            name="hdfs.block_missing",
            anchors=("BlockMissingException", "o live nodes contain ", "ould not obtain block: "),
            regex=r"(?:No live nodes contain (?:current )?block |Could not obtain block: |\bBlockMissingException\b)",
            samples=(
                Sample(
                    "WARN DFSClient: No live nodes contain block BP-5-10.0.0.7-57:blk_57_7 after checking nodes = []"
                ),
                Sample(
                    "Lost task 5.0 in stage 7.0: org.apache.hadoop.hdfs.BlockMissingException: Could not obtain block: "
                    "BP-5-10.0.0.7-57:blk_57_7 file=/data/part-00057.parquet",
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=62,
            title="HDFS has no copy of a block",
            note="Its client asks again and again; the task fails after that.",
        ),
        Pattern(
            name="spark.stopped",
            anchors=("Successfully stopped SparkContext",),
            regex=r"Successfully stopped SparkContext",
            samples=(Sample("26/01/02 03:04:05 INFO SparkContext: Successfully stopped SparkContext"),),
            role=Role.END,
            marks=(Mark.UNSURE_END, Mark.ANY_END),
            title="Spark's context was stopped",
            note="A hook stops it when the program fails as well.",
        ),
    ),
)
