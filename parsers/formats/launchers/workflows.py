"""Workflow engines and the tools that their rules call: Snakemake's failed rules, archives that are cut."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="workflows",
    title="Snakemake, archives",
    reference="snakemake/logging.py; gzip.c, GNU tar, Info-ZIP unzip, xz, zstd: messages at a damaged file",
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
            name="snakemake.rule",
            anchors=("Error in rule ",),
            regex=r"^Error in (?:group |check)?rule (?P<rule>[\w.-]{1,120}):\s*$",
            samples=(Sample("Error in rule fastp57:", {"rule": "fastp57"}),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            title="Snakemake's rule {rule} failed",
            note="What its command said stands above, or in the log file that the rule names.",
        ),
    ),
)
