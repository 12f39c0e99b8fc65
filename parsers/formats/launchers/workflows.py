"""Workflow engines and the tools that their rules call: Snakemake's failed rules, archives that are cut, files that are not there."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="workflows",
    title="Snakemake, archives, htslib and bwa",
    reference="snakemake/logging.py; gzip.c, GNU tar, Info-ZIP unzip, xz, zstd: messages at a damaged file; "
    "samtools/htslib hts.c; lh3/bwa fastmap.c, bwa.c",
    patterns=(
        Pattern(
            name="archive.damaged",
            anchors=(
                ": unexpected end of file",
                ": not in gzip format",
                ": invalid compressed data",
                "Unexpected EOF in archive",
                "Compressed data is corrupt",
                "End-of-central-directory signature not found",
            ),
            regex=LINE_START + r"(?:gzip|gunzip|zcat|pigz|xz|zstd|bzip2|tar|unzip)(?:: (?P<file>[^\n:]{1,300}))?: "
            r"(?:unexpected end of file|not in gzip format|invalid compressed data\b[^\n]{0,60}|Unexpected EOF in archive"
            r"|Compressed data is corrupt)"
            r"|^\s{0,8}End-of-central-directory signature not found",
            samples=(
                Sample("gzip: raw/S57_2.fastq.gz: unexpected end of file", {"file": "raw/S57_2.fastq.gz"}),
                Sample("tar: Unexpected EOF in archive"),
                Sample("  End-of-central-directory signature not found.  Either this file is not"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.DATA,
            weight=62,
            marks=(Mark.COMMAND,),
            title="an archive is damaged, or cut",
            advice=(Advice("training", "fetch[ {file}] again, and compare its size and sum with the source's"),),
        ),
        Pattern(
            name="htslib.no_file",
            anchors=(
                "] fail to open file ",
                "] failed to open file ",
                "] Failed to open file ",
                "] fail to locate the index",
            ),
            regex=r"^\[E::\w{1,40}\] [Ff]ail(?:ed)? to (?:open file [`'\"]?(?P<file>[^`'\" ]{1,300})|locate the index)",
            samples=(
                Sample("[E::main_mem] fail to open file `raw/S57_R2.fq'.", {"file": "raw/S57_R2.fq"}),
                Sample(
                    '[E::hts_open_format] Failed to open file "S57.bam" : No such file or directory',
                    {"file": "S57.bam"},
                ),
                Sample("[E::bwa_idx_load_from_disk] fail to locate the index files"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=62,
            title="a sequencing tool does not find a file that it was given",
        ),
        Pattern(
            name="snakemake.rule",
            anchors=("Error in rule ",),
            regex=r"^Error in (?:group |check)?rule (?P<rule>[\w.-]{1,120}):\s*$",
            samples=(Sample("Error in rule fastp57:", {"rule": "fastp57"}),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            marks=(Mark.STEP_FAILED,),
            title="Snakemake's rule {rule} failed",
            note="What its command said stands above, or in the log file that the rule names.",
        ),
    ),
)
