"""The command line: opens the app, or prints the same diagnosis for scripts.

Exit status as `grep` has it: 0 a report that looks healthy, 1 a report that names a failure, 2 nothing could be
read, the arguments are wrong, or logtui itself failed.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from logtui.tui.arguments import VERIFY, parse
from logtui.tui.standard_streams import fill_gaps, flush_output, why_lost
from logtui.tui.told_to_end import INTERRUPTED, ending_in_order, status_told

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import MarkedLine
    from logtui.diagnosis.model.report import Report
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.session.opening import Analysis
    from logtui.parsers.scan.plan import Progress

HEALTHY, FAILED, UNREADABLE = 0, 1, 2
TRACEBACK = "LOGTUI_TRACEBACK"
"""Set in the environment, an error of our own is printed with where it was raised."""
PLEASE_REPORT = "a bug of logtui, please report it as SECURITY.md says"


def main(argv: Sequence[str] | None = None) -> int:
    """Run logtui; the return value is the exit status."""
    fill_gaps()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is, and a login node may still speak Latin-1
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no thread per core for algebra nobody does
    args = parse(sys.argv[1:] if argv is None else argv)
    try:
        with ending_in_order():
            status = _run(args)
        return _output_lost(why) if (why := flush_output()) else status
    except KeyboardInterrupt:
        return INTERRUPTED
    except _refusals() as error:
        _say(str(error))
        return UNREADABLE
    except BrokenPipeError:  # the reader of a pipe has gone
        sys.stderr.close()
        return UNREADABLE
    except Exception as error:  # the edge of the program: 1 would say that the report names a failure
        if (told := status_told(error)) is not None:
            return told
        why = why_lost(error) if isinstance(error, OSError) else None
        return _output_lost(why) if why else _own_fault(error)


def _output_lost(why: str) -> int:
    flush_output()
    _say(f"the output could not be written: {why}")
    return UNREADABLE


def _run(args: argparse.Namespace) -> int:
    if args.command == VERIFY:
        return _verify(args)
    if args.run is not None:  # a command with a module of its own
        return int(args.run(args))
    if args.version:
        return _print_version()
    if args.demo == "list":
        return _list_demos()
    if args.clear_cache and _clear_cache(args):
        return HEALTHY
    paths = [_demo(args.demo)] if args.demo else list(args.paths)
    if not paths and not args.ais:
        args.refuse("name the logs, as in `logtui logs/`; `logtui --demo` opens an example")
    if Path("-") in paths:
        return _from_pipe(paths, args)
    return _open(paths, args)


def _open(paths: list[Path], args: argparse.Namespace) -> int:
    return _headless(paths, args) if args.json or args.markdown or args.case else _open_app(paths, args)


def _from_pipe(paths: list[Path], args: argparse.Namespace) -> int:
    """Standard input stands where `-` is; the screen opens with what has come, and follows the rest."""
    from logtui.tui.standard_input import DASH, keys_from_terminal, spooled

    if sys.stdin.isatty():
        _say("`-` reads logs from a pipe, as in `kubectl logs POD | logtui -`")
        return UNREADABLE
    args.no_cache = True  # a pipe does not come again
    with spooled() as (folder, spool):
        if args.json or args.markdown or args.case:
            spool.wait_for_all()
        else:
            spool.wait_for_some()
            keys_from_terminal()
            args.follow |= spool.goes_on
        status = _open([folder if p == DASH else p for p in paths], args)
        if spool.trouble:
            _say(f"standard input: {spool.trouble}")
        return status


def _refusals() -> tuple[type[Exception], ...]:
    """What ends a run with one line and exit status 2; looked up only when something was raised."""
    from logtui.parsers.errors import LogtuiError

    return (LogtuiError,)


def _own_fault(error: Exception) -> int:
    from logtui.diagnosis.verdict.bare import failure_words

    if os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exception(error)
    _say(f"{PLEASE_REPORT}: {failure_words(error)}; {TRACEBACK}=1 prints more")
    return UNREADABLE


def _verify(args: argparse.Namespace) -> int:
    """0 every citation and every claim still stands, 1 something does not, 2 unreadable."""
    from logtui.diagnosis.report.claims import refuted
    from logtui.diagnosis.report.saved_report import citations, drifted
    from logtui.diagnosis.session.opening import analyse_whole, unread_case
    from logtui.parsers.errors import SourceError

    try:
        found = citations(args.report)
        bad = drifted(unread_case(args.paths), found)
        analysis = analyse_whole(args.paths)
        analysis.case.close()
        claims = refuted(args.report.read_text(encoding="utf-8", errors="replace"), analysis.report)
    except (OSError, ValueError, SourceError) as error:
        _say(f"{args.report}: {error}" if not isinstance(error, SourceError) else str(error))
        return UNREADABLE
    for evidence, why in bad:
        print(f"{evidence.place}: {why}")
    for claim in claims:
        print(claim)
    print(f"{len(found)} citations read again, {len(found) - len(bad)} still stand")
    print(f"{len(claims)} claims do not follow from the logs" if claims else "every claim follows from the logs")
    return FAILED if bad or claims else HEALTHY


def _print_version() -> int:
    from logtui.diagnosis.version import describe

    print(describe())
    return HEALTHY


def _clear_cache(args: argparse.Namespace) -> bool:
    """Remove the indexes; whether that was all that was asked for."""
    from logtui.parsers.scan import cache_files

    removed = cache_files.clear()
    _say(f"removed {removed} kept file{'s' if removed != 1 else ''}")
    return not args.paths and not args.ais and not args.demo


def _list_demos() -> int:
    from logtui.parsers.generator import DEMOS

    for name, spec in DEMOS.items():
        print(f"{name:12} {spec.world_size} ranks, {spec.fault}")
    return HEALTHY


def _demo(name: str) -> Path:
    from logtui.parsers.directories import cache_directory
    from logtui.parsers.generator import DEMOS, demo_directory

    if name not in DEMOS:
        _say(f"no demo is called {name!r}; there are: {', '.join(DEMOS)}")
        raise SystemExit(UNREADABLE)
    return demo_directory(name, cache_directory() / "demo")


def _headless(paths: list[Path], args: argparse.Namespace) -> int:
    from logtui.diagnosis.report.kept.lookahead import looking_ahead

    gc.disable()  # modules stay; the last of them come when workers scan
    with run_options(args) as options, looking_ahead(paths, options) as ahead:
        from logtui.diagnosis.session.opening import analyse_whole
        from logtui.tui.shared.wording import ProgressLine

        line = ProgressLine()

        def watch(progress: Progress) -> None:
            if not gc.isenabled():
                _spare_records()
            line.show(progress)

        try:
            analysis = analyse_whole(paths, options, watch, ahead)
        finally:
            line.clear()
    if line.trouble:
        _say(f"some parts were read in this process, as a worker failed: {line.trouble}")
    report, marks = analysis.report, analysis.marks
    try:
        if args.case:
            written = _write_case(analysis, args)
        else:
            written = _write(_text(report, marks, paths, as_json=args.json), args.output)
    finally:
        analysis.case.close()
    if analysis.failed:
        _say(f"{PLEASE_REPORT}: the report holds what was read, and no diagnosis: {analysis.failed}")
    if not written or analysis.failed:
        return UNREADABLE
    return status_of(report)


def status_of(report: Report) -> int:
    """The exit status that a script branches on."""
    return HEALTHY if report.verdict.cls == "healthy" else FAILED


def _text(report: Report, marks: Sequence[MarkedLine], paths: Sequence[Path], *, as_json: bool) -> str:
    """A report as it is printed; only what writes it is imported, and not before workers scan."""
    if as_json:
        from logtui.diagnosis.report import json_report

        return json_report.dumps(report, marks) + "\n"
    from logtui.diagnosis.report.markdown import render
    from logtui.diagnosis.report.ticket import origin_of

    return render(report, marks, origin_of(paths))


def _spare_records() -> None:
    """A hundred thousand records live to the end: looking through them again and again is a fifth of all time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def _write_case(analysis: Analysis, args: argparse.Namespace) -> bool:
    """Write a case file; False, with a message, where it cannot be written or would lie over a log."""
    from logtui.diagnosis.report.case_file.beside import Beside
    from logtui.diagnosis.report.case_file.writing import write_case

    path: Path = args.case
    if any(path.exists() and path.samefile(file.path) for file in analysis.case.files if file.path.exists()):
        _say(f"{path}: is one of the logs")
        return False
    try:
        odd = analysis.compare() if analysis.compare else analysis.report.odd_lines
        beside = Beside(odd, analysis.daemons, analysis.dumps)
        hidden = args.pseudonymise
        write_case(path, analysis.case, analysis.report, analysis.marks, beside=beside, pseudonymise=hidden)
    except OSError as error:
        _say(f"{path}: {error.strerror}")
        return False
    return True


def _write(text: str, output: Path | None) -> bool:
    """Write a report to a file or to stdout; False, with a message, where the file cannot be written."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return True
    try:
        _write_whole(output, text)
    except OSError as error:
        _say(f"{output}: {error.strerror}")
        return False
    return True


def _write_whole(path: Path, text: str) -> None:
    """Raises OSError; of a file that was not there before, nothing stays then."""
    there = path.exists()
    try:
        path.write_text(text, encoding="utf-8")
    except OSError:
        if not there:
            with suppress(OSError):
                path.unlink()
        raise


def _open_app(paths: list[Path], args: argparse.Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _say("the screen needs a terminal for input and output; without one use --json or --markdown")
        return UNREADABLE
    for stream in (sys.__stdout__, sys.__stderr__):  # the screen is drawn on one of them, whatever the locale says
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    from logtui.diagnosis.report.kept.lookahead import looking_ahead

    gc.disable()  # until all modules are there, and are spared
    with run_options(args) as options, looking_ahead(paths, options) as ahead:
        from logtui.tui.app import run_app

        return run_app(paths, options, ahead=ahead, follow=args.follow)


@contextmanager
def run_options(args: argparse.Namespace) -> Iterator[Options]:
    """The options of a run; holds the connection to a cluster while it lasts.

    Raises:
        ClusterUnavailable: if a cluster was asked for and cannot be used.
    """
    from logtui.diagnosis.options import Options

    options = Options(
        engine=args.engine,
        ais=tuple(getattr(args, "ais", ())),
        jobs=args.jobs,
        polite=args.polite,
        since=getattr(args, "since", None) or "",
        until=getattr(args, "until", None) or "",
        offset_s=getattr(args, "offset", None),
        baseline=tuple(getattr(args, "baseline", ())),
        no_cache=args.no_cache or bool(getattr(args, "since", None) or getattr(args, "until", None)),
        closer=getattr(args, "case", None) is not None,
    )
    if not args.dask:
        yield options
        return
    from logtui.parsers.scan.cluster import dask_workers

    with dask_workers(args.dask) as cluster:
        yield replace(options, executor=cluster.executor, jobs=args.jobs or cluster.cores)


def _say(message: str) -> None:
    """One line to stderr, with nothing in it that a terminal would act on."""
    from logtui.parsers.clean import clean

    print(f"logtui: {clean(message.encode('utf-8', 'replace'))}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
