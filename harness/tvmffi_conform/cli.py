# SPDX-License-Identifier: Apache-2.0
"""The command line: `tvmffi-harness COMMAND`.

Annotations are no texts here: typer, where Python is 3.9, does not read options out of texts.
"""

import os
import signal
import sys
import tempfile
from enum import Enum
from pathlib import Path
from typing import Annotated, NoReturn, Optional

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from . import HarnessError, ci, kernels
from .badge import badge
from .cells import Outcome, Results, run_cells
from .cluster import Cluster
from .compare import compare
from .gather import collect, label_reports
from .junit import junit
from .load import (
    SECONDS,
    Load,
    confinement,
    load_all,
    modules_of,
    releases_of,
    runtime_of,
    text_of,
)
from .markdown import markdown
from .matrix import cells_of, gather, make_folder, write_results
from .page import TITLE as PAGE_TITLE
from .page import page
from .plan import read_plan
from .printable import printable
from .provide import Provider
from .scan import Threads, scan
from .summary import exit_code, plural
from .terminal import (
    Unread,
    err,
    out,
    print_comparison,
    print_loads,
    print_matrix,
    print_totals,
    print_unreadable,
    print_verdicts,
    progress_bar,
    verdict,
)
from .tool import Tool, find_tool
from .trophies import Trophy, read_trophies, run_again, trophies_markdown

app = typer.Typer(
    name="tvmffi-harness",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


ToolOption = Annotated[
    Optional[str], typer.Option("--tool", metavar="FILE", help="the C program tvmffi-conform")
]
JobsOption = Annotated[
    Optional[int], typer.Option("-j", "--jobs", min=1, max=256, help="runs at a time")
]


class SandboxMode(str, Enum):
    auto = "auto"
    on = "on"
    off = "off"


SandboxOption = Annotated[
    SandboxMode,
    typer.Option("--sandbox", help="confine as far as the kernel can, fully (or end), or not"),
]
CacheOption = Annotated[
    Optional[Path],
    typer.Option("--cache", metavar="DIR", help="cache of results and releases"),
]
OutputOption = Annotated[
    Optional[Path], typer.Option("-o", "--output", metavar="FILE.html", help="the page")
]
MarkdownOption = Annotated[
    Optional[Path],
    typer.Option("--markdown", metavar="FILE", help="Markdown, for the summary of a CI job"),
]
BadgeOption = Annotated[
    Optional[Path], typer.Option("--badge", metavar="FILE.svg", help="version, profile, verdict")
]
TrophiesOption = Annotated[
    Optional[Path],
    typer.Option("--trophies", metavar="FILE.toml", help="deviations that were investigated"),
]
JunitOption = Annotated[
    Optional[Path],
    typer.Option("--junit", metavar="FILE.xml", help="JUnit XML, for test dashboards"),
]


def tell_version(wanted: bool) -> None:
    if wanted:
        out.print(Text(f"tvmffi-harness, with {find_tool().version()}"), soft_wrap=True)
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=tell_version, is_eager=True, help="print the version and exit"
        ),
    ] = False,
) -> None:
    """Judge and compare many implementations of the TVM FFI ABI."""


def cache_folder() -> Path:
    """Where results and fetched releases are kept when nobody says otherwise."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tvmffi-conform"


@app.command()
def matrix(
    plan_file: Annotated[Path, typer.Argument(metavar="MATRIX.toml")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="where the reports go")
    ] = Path("conformance-reports"),
    jobs: JobsOption = None,
    tool: ToolOption = None,
    cache: CacheOption = None,
    offline: Annotated[bool, typer.Option(help="use the cache only; no package index")] = False,
    sandbox: Annotated[
        Optional[str], typer.Option(metavar="auto|on|off", help="as of the program")
    ] = None,
) -> None:
    """Judge every runtime, and every module in every runtime, that a TOML file names.

    Exit code: 0 all conform, 1 one does not, 3 one could not be fetched or judged, 5 one is
    inconclusive, 130 interrupted.
    """
    plan = read_plan(plan_file)
    program, kept = find_tool(tool), cache or cache_folder()
    make_folder(output)
    gathered = gather(plan, Provider(kept / "releases", offline))
    cells = cells_of(gathered, (f"--sandbox={sandbox}",) if sandbox else ())
    outcomes: list[Outcome] = []
    interrupted = False
    with progress_bar() as progress:
        task = progress.add_task("judging", total=len(cells))

        def done(outcome: Outcome) -> None:
            outcomes.append(outcome)
            progress.update(task, advance=1, description=outcome.cell.label)
            if not err.is_terminal:
                again = " (kept)" if outcome.cached else ""
                err.print(Text(f"{outcome.cell.label}: {verdict(outcome)[0]}{again}"))

        try:
            outcomes = run_cells(
                cells,
                program,
                Results(kept / "results", program),
                plan.seconds,
                jobs or plan.jobs or os.cpu_count() or 1,
                done,
            )
        except KeyboardInterrupt:
            interrupted = True
    index = write_results(output, outcomes, gathered.missing)
    print_matrix(outcomes, gathered.missing)
    out.print(Text(f"{len(outcomes)} of {len(cells)} cells, reports in {index.parent}"))
    judged = [outcome.report for outcome in outcomes]
    raise typer.Exit(
        130 if interrupted else exit_code([*judged, *(None for _ in gathered.missing)])
    )


@app.command("compare")
def compare_command(
    old: Annotated[Path, typer.Argument(help="a report, or a folder of them")],
    new: Annotated[Path, typer.Argument(help="the same, later")],
    partial: Annotated[bool, typer.Option(help="accept reports of interrupted runs")] = False,
    tool: ToolOption = None,
) -> None:
    """Show what changed: regressions, fixes, new and gone cases. Exit code 1 on a regression."""
    before, after = label_reports(old, partial), label_reports(new, partial)
    if len(before) == len(after) == 1:
        # Two single reports are compared, whatever their labels.
        before = dict(zip(after, before.values()))
    result = compare(before, after, find_tool(tool))
    print_comparison(result, len(after))
    print_verdicts(before, after)
    raise typer.Exit(1 if result.regressed else 0)


@app.command()
def report(
    reports: Annotated[
        list[Path], typer.Argument(metavar="REPORT|DIR...", help="JSON reports, or folders of them")
    ],
    output: OutputOption = None,
    markdown_file: MarkdownOption = None,
    badge_file: BadgeOption = None,
    junit_file: JunitOption = None,
    trophies_file: TrophiesOption = None,
    title: Annotated[str, typer.Option(help="title of the page")] = PAGE_TITLE,
    partial: Annotated[bool, typer.Option(help="accept reports of interrupted runs")] = False,
) -> None:
    """Draw reports of runs, `inspect` and `trace` as one HTML file, as Markdown, a badge, JUnit.

    If a report is invalid, nothing is written.
    """
    if not (output or markdown_file or badge_file or junit_file):
        raise HarnessError(
            "nothing to write "
            "(give -o FILE.html, --markdown FILE, --badge FILE.svg or --junit FILE)"
        )
    trophies = read_trophies(trophies_file) if trophies_file else []
    collected = collect(reports, partial)
    if badge_file and not collected.reports:
        raise HarnessError("a badge needs the report of a run, not of `inspect` or `trace`")
    made = [
        (output, lambda: page(collected, title, trophies)),
        (markdown_file, lambda: markdown(collected)),
        (badge_file, lambda: badge(collected.reports)),
        (junit_file, lambda: junit(collected)),
    ]
    # All are made before the first is written.
    for path, text in [(path, make()) for path, make in made if path]:
        write_text(path, text)


@app.command("trophies")
def trophies_command(
    source: Annotated[Path, typer.Argument(metavar="FILE.toml", help="what was found")],
    markdown_file: MarkdownOption = None,
    again: Annotated[
        bool, typer.Option(help="run each command; exit code 1 if one does not reproduce")
    ] = False,
    tool: ToolOption = None,
    seconds: Annotated[float, typer.Option(min=1, help="time limit of one command")] = 60,
) -> None:
    """Write a list of deviations as Markdown, or reproduce each of them.

    The commands run in the current folder, which must be a checkout.
    """
    trophies = read_trophies(source)
    if not (markdown_file or again):
        raise HarnessError("nothing to do (give --markdown FILE or --again)")
    if markdown_file:
        write_text(markdown_file, trophies_markdown(trophies, source.name))
    if again and not see_again(trophies, find_tool(tool), seconds):
        raise typer.Exit(1)


def see_again(trophies: list[Trophy], program: Tool, seconds: float) -> bool:
    """Runs every command, and says of each what came of it. Whether all show their deviation."""
    count = missed = 0
    for one in trophies:
        for command in one.commands():
            shows, outcome, why = run_again(command, program, seconds)
            count += 1
            missed += not (shows or one.timing)
            line = Text.assemble((f"{outcome:10}  ", "green" if shows else "red"), command)
            out.print(line, soft_wrap=True)
            if why:
                out.print(Text(f"{'':12}{why}"), soft_wrap=True)
    if missed:
        said = f"{missed} of {count} commands did not reproduce; "
        out.print(Text(f"{said}`make releases modules` fetches what is missing"), soft_wrap=True)
    return missed == 0


def write_text(path: Path, text: str) -> None:
    """Writes a file, whole or not at all. A half of a surrogate pair is written as its number.

    A link stays a link, and what is no regular file (a pipe, /dev/null) is written to: replacing it
    would take it from everybody else. "-" is the standard output.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if str(path) == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        part.write_bytes(data)
        os.replace(part, target)
    except BrokenPipeError as error:
        raise Unread from error
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written: {error.strerror}") from error


@app.command("scan")
def scan_command(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH|LIST...", help="folders, libraries, wheels, or lists of them"),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.jsonl",
            help="results; an earlier scan in it is continued",
        ),
    ] = Path("conformance-scan.jsonl"),
    jobs: JobsOption = None,
    tool: ToolOption = None,
    seconds: Annotated[float, typer.Option(min=1, help="of one run of the program")] = 120,
    scheduler: Annotated[
        Optional[str],
        typer.Option(metavar="tcp://HOST:PORT", help="use the workers of a Dask cluster"),
    ] = None,
    sandbox: SandboxOption = SandboxMode.auto,
) -> None:
    """Inspect every library and wheel below a folder or in a list, without running them.

    Files that did not change since an earlier scan are skipped.
    Exit code: 0 all could be read, 3 some could not, 130 interrupted.
    """
    program = find_tool(tool)
    program.confine_inspect(sandbox.value)
    for path in paths:
        if not path.exists():
            raise HarnessError(f"{path}: no such file or folder")
    crew = (
        Cluster(scheduler, program, seconds, tool, jobs)
        if scheduler
        else Threads(program, jobs or os.cpu_count() or 1, seconds)
    )
    with Progress(
        TextColumn("{task.completed:,} inspected"),
        TimeElapsedColumn(),
        console=err,
        disable=not err.is_terminal,
    ) as progress:
        task = progress.add_task("scan", total=None)
        try:
            totals = scan(paths, output, crew, lambda count: progress.advance(task, count))
        except KeyboardInterrupt:
            err.print(Text(f"interrupted; the same command continues {output}"))
            raise typer.Exit(130) from None
    print_totals(totals, output)
    raise typer.Exit(3 if totals.troubles else 0)


@app.command("load")
def load_command(
    operands: Annotated[
        list[Path],
        typer.Argument(metavar="LIB|WHEEL|FOLDER...", help="modules, or where they are"),
    ],
    releases: Annotated[
        Optional[list[str]],
        typer.Option(
            "--release", metavar="VERSION", help="a release, or `newest` (repeatable; default: all)"
        ),
    ] = None,
    runtimes: Annotated[
        Optional[list[Path]],
        typer.Option("--runtime", metavar="FILE.so", help="a runtime besides (repeatable)"),
    ] = None,
    output: Annotated[
        Optional[Path],
        typer.Option("-o", "--output", metavar="FILE.json", help="the table as JSON"),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="time limit of one loading")] = SECONDS,
    jobs: JobsOption = None,
    tool: ToolOption = None,
    cache: CacheOption = None,
    offline: Annotated[bool, typer.Option(help="use the cache only; no package index")] = False,
    sandbox: SandboxOption = SandboxMode.auto,
) -> None:
    """Load modules in many releases of the runtime, and show where that fails and why.

    Each loading has a process of its own, and is done twice: symbols bound lazily, and eagerly.
    Exit code: 0 all load in all, 1 one does not, 3 a release could not be had, 130 interrupted.
    """
    program, kept = find_tool(tool), cache or cache_folder()
    tried = [runtime_of(path) for path in runtimes or []]
    program.confine_inspect(sandbox.value)
    confined = confinement(program, sandbox.value)
    with tempfile.TemporaryDirectory(prefix="tvmffi-harness-") as scratch:
        modules = modules_of(operands, program, Path(scratch), confined)
        if releases or not tried:
            tried = releases_of(releases or [], Provider(kept / "releases", offline)) + tried
        tried = list({one.name: one for one in tried}.values())
        there = sum(one.library is not None for one in tried)
        with progress_bar() as progress:
            task = progress.add_task("loading", total=there * len(modules))

            def done(load: Load) -> None:
                said = printable(f"{load.module} in {load.release}")
                progress.update(task, advance=1, description=said)

            try:
                count = jobs or os.cpu_count() or 1
                table = load_all(tried, modules, seconds, count, done, confined)
            except KeyboardInterrupt:
                raise typer.Exit(130) from None
    if output:
        write_text(output, text_of(table))
    print_loads(table, Console(stderr=True) if str(output) == "-" else out)
    err.print(Text(f"sandbox: {printable(table.sandbox)}"), soft_wrap=True)
    failed = any(not load.loads() for load in table.loads.values())
    raise typer.Exit(3 if there < len(tried) else 1 if failed else 0)


def option_file(name: str, told: str) -> object:
    return typer.Option(f"--{name}", metavar="FILE", help=told)


@app.command("ci")
def ci_command(
    files: Annotated[
        Optional[list[str]], typer.Argument(metavar="[FILE|GLOB]...", help="libraries and wheels")
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="where everything goes")
    ] = Path("conformance"),
    policy: Annotated[
        Optional[Path], option_file("policy", "what files may need and must export (JSON)")
    ] = None,
    waivers: Annotated[
        Optional[Path], option_file("waivers", "known deviations and their reasons (JSON)")
    ] = None,
    signatures: Annotated[
        Optional[Path], option_file("signatures", "how functions are called (JSON)")
    ] = None,
    runtime: Annotated[
        Optional[list[str]],
        typer.Option(
            metavar="VERSION",
            help="judge the libraries too, modules in this runtime: a version, newest or reference",
        ),
    ] = None,
    gate: Annotated[
        Optional[str],
        typer.Option(metavar="LEVEL|FILE", help="what counts: must, should, hardening, or a file"),
    ] = None,
    scope: Annotated[
        Optional[str],
        typer.Option(metavar="SCOPE[,SCOPE]", help="judge runtimes by core, frontend or headers"),
    ] = None,
    min_judged: Annotated[
        Optional[int],
        typer.Option(min=0, max=100, metavar="PERCENT", help="inconclusive below this; 0: never"),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(help="treat warnings as errors; also --gate should if there is no --gate"),
    ] = False,
    trace: Annotated[
        str, typer.Option(metavar="COMMAND", help="run this (a command for sh) under `trace`")
    ] = "",
    trace_options: Annotated[
        str, typer.Option(metavar="OPTIONS", help="options of `trace`, as --preset=deep")
    ] = "",
    before: Annotated[
        Optional[Path],
        typer.Option(metavar="DIR", help="modules of the release before, to compare theirs with"),
    ] = None,
    jobs: JobsOption = None,
    tool: ToolOption = None,
    cache: CacheOption = None,
    offline: Annotated[bool, typer.Option(help="use the cache only; no package index")] = False,
    seconds: Annotated[float, typer.Option(min=1, help="of one run of the program")] = 600,
) -> None:
    """Inspect a project's libraries, judge them if a runtime is named, trace a program if one is
    named, and write all reports.

    In DIR: index.html, summary.md, junit.xml, inspect.sarif, trace.*, the reports, outputs.txt.
    Exit code: 0 all is well, 1 something is not, 2 usage, 3 something could not be read or judged,
    5 of something too little could be judged.
    """
    if not files and not trace:
        raise HarnessError("no files given (name libraries or wheels, or a program with --trace)")
    job = ci.Job(
        ci.matching(files or ()),
        output,
        policy,
        waivers,
        signatures,
        tuple(runtime or ()),
        gate,
        scope,
        min_judged,
        strict,
        trace,
        ci.trace_options(trace_options),
        before,
    )
    kept, count = cache or cache_folder(), jobs or os.cpu_count() or 1
    done = ci.run(job, find_tool(tool), kept, offline, count, seconds)
    collected = done.collected(trace)
    made = {
        "index.html": page(collected, PAGE_TITLE),
        "summary.md": markdown(collected),
        "junit.xml": junit(collected),
        "outputs.txt": ci.outputs(job, done),
    }
    for name, text in made.items():
        write_text(output / name, text)
    if done.outcomes or done.missing:
        print_matrix(done.outcomes, done.missing)
    if done.trace:
        whole = done.trace.whole
        said = f"{plural(whole['errors'], 'error')}, {whole['advice']} advice"
        told_of = f"{trace}: {said}, {done.trace.ending()}; see {output / ci.TRACE_TEXT}"
        out.print(Text(printable(told_of)), soft_wrap=True)
    if not files:
        raise typer.Exit(done.status)
    totals = done.inspection["totals"]
    told = [plural(totals[name], name[:-1]) for name in ("errors", "warnings")]
    unreadable = [(file["path"], file["message"]) for file in done.inspection["unreadable"]]
    print_unreadable(unreadable, f"... and more, in {output / ci.INSPECTION}")
    if unreadable:
        told.append(f"{len(unreadable):,} unreadable")
    out.print(Text(f"{plural(totals['files'], 'file')} inspected: {', '.join(told)}; see {output}"))
    raise typer.Exit(done.status)


@app.command("kernels")
def kernels_command(
    source: Annotated[
        Path, typer.Argument(metavar="FILE.py|FILE.json", help="typed functions, or signatures")
    ],
    library: Annotated[
        Optional[Path], typer.Argument(metavar="LIB.so", help="the module to judge")
    ] = None,
    oracle: Annotated[
        Optional[str],
        typer.Option(
            metavar="MODULE[:FUNCTION]",
            help="for FILE.json: the Python functions that say what comes out",
        ),
    ] = None,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o", "--output", metavar="DIR", help="keep signatures.json and its arrays here"
        ),
    ] = None,
    runtime: Annotated[
        Optional[str], typer.Option(metavar="FILE", help="the runtime to load the module into")
    ] = None,
    gate: Annotated[
        Optional[str],
        typer.Option(metavar="LEVEL|FILE", help="what counts: must, should, hardening, or a file"),
    ] = None,
    report_as: Annotated[
        Optional[list[str]],
        typer.Option("--report", metavar="FORMAT:FILE", help="as of the program (repeatable)"),
    ] = None,
    tool: ToolOption = None,
) -> None:
    """Judge a module of kernels by Python functions that say what comes out.

    FILE.py has functions marked with @kernel: annotations are the signature, the body the result.
    FILE.json is a signature file, with --oracle. Without LIB.so only signatures.json is written.
    The exit code is that of tvmffi-conform.
    """
    is_python = source.suffix == ".py"
    if is_python == bool(oracle):
        told = "takes no --oracle: its functions are the oracle" if is_python else "needs --oracle"
        raise HarnessError(f"{source}: {told}")
    if library is None and output is None:
        raise HarnessError("nothing to do: name the module to judge, or a folder with -o")
    with tempfile.TemporaryDirectory(prefix="tvmffi-kernels-") as scratch:
        folder = output or Path(scratch)
        written = (
            kernels.write_described(source, folder, tell)
            if is_python
            else kernels.write_judged_by(source, oracle or "", folder, tell)
        )
        if library is None:
            out.print(Text(f"written: {written}"))
            raise typer.Exit
        told = ["--runtime", runtime] if runtime else []
        told += ["--gate", gate] if gate else []
        told += [word for one in report_as or () for word in ("--report", one)]
        status = find_tool(tool).show("run", "--signatures", str(written), *told, str(library))
        raise typer.Exit(status)


def tell(text: str) -> None:
    """A note beside what is reported."""
    err.print(Text(f"tvmffi-harness: {text}"), soft_wrap=True)


def refusal(error: OSError) -> str:
    """What the system refused, and of which file."""
    named = error.filename2 or error.filename
    where = os.fsdecode(named) if isinstance(named, (str, bytes)) else "the output"
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"{where}: a folder is wanted, and a file is there; name another"
    return f"{where}: {error.strerror or error}"


def end_unread() -> NoReturn:
    """Ends the program by SIGPIPE, as programs end whose output nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGPIPE)
    raise SystemExit(128 + signal.SIGPIPE)


def main() -> None:
    """Entry of the installed command: a HarnessError is a message and exit code 2, no traceback.

    So is a full disk: exit code 1 would say that something does not conform. A reader that is gone
    ends it in silence.
    """
    try:
        app()
    except Unread:
        end_unread()
    except (HarnessError, OSError) as error:
        told = refusal(error) if isinstance(error, OSError) else error
        err.print(Text(f"tvmffi-harness: {told}"), soft_wrap=True)
        if isinstance(error, OSError):
            # What is left for a full stdout would be tried, and told of, once more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise SystemExit(2) from error


if __name__ == "__main__":
    main()
