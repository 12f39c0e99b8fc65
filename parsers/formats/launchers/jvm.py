"""Java's machine and Spark: memory, the one thing for which they end a worker, and the context's end."""

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
