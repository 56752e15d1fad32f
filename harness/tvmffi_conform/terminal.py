# SPDX-License-Identifier: Apache-2.0
"""What commands show on the terminal: tables, changes, totals, bars of progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from .cells import Outcome
from .compare import Change, Comparison
from .document import Report
from .load import Loads, reasons, spans
from .printable import printable
from .scan import NAMED, Totals
from .summary import BAD, GOOD, KNOWN, OPEN, line_of, plural, verdict_of, version_key


class Unread(Exception):
    """Nobody reads the output any more. (No OSError: those of this kind typer ends with code 1.)"""


class Terminal(Console):
    """A console that leaves it to main() what comes of a reader that is gone."""

    def on_broken_pipe(self) -> None:
        raise Unread


out, err = Terminal(), Terminal(stderr=True)
NARROW = 100  # columns: with less there is no table of a matrix
COLOURS = {GOOD: "green", KNOWN: "magenta", BAD: "red", OPEN: "yellow"}


def progress_bar() -> Progress:
    """For work whose length is known, on stderr; nothing is drawn off a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        disable=not err.is_terminal,
    )


def verdict(outcome: Outcome) -> tuple[str, str]:
    """What a table says of a cell, and its colour."""
    if outcome.report is None:
        return f"no result: {outcome.trouble}", "red"
    text, tone, remark = verdict_of(outcome.report)
    return f"{text}, {remark}" if remark else text, COLOURS[tone]


def matrix_row(outcome: Outcome) -> tuple[str, str, list[str]]:
    """The label, the version, and what of each scope holds."""
    if outcome.report is None:
        return outcome.cell.label, "-", []
    line = line_of(outcome.cell.label, outcome.report)
    return line.label, line.version, line.clauses


def print_matrix(outcomes: list[Outcome], missing: dict[str, str]) -> None:
    """A row for each cell; on a terminal that is too narrow for a table, a few short lines."""
    rows = [(matrix_row(outcome), *verdict(outcome)) for outcome in outcomes]
    rows += [((name, "-", []), why.splitlines()[0], "red") for name, why in missing.items()]
    names = ("implementation", "reports", "clauses that hold", "verdict")
    table = Table(*names, box=None, pad_edge=False)
    for (label, version, clauses), text, colour in rows:
        held = "\n".join(clauses) or "-"
        table.add_row(Text(label), Text(version), Text(held), Text(text, style=colour))
        if out.width < NARROW:
            out.print(Text(f"{label}: ").append(text, style=colour))
            for number, line in enumerate(clauses):
                out.print(Text(f"  {line}" if number else f"  {version}, {line}"))
    if out.width >= NARROW:
        out.print(table)


def print_changes(title: str, changes: list[Change], style: str) -> None:
    if not changes:
        return
    out.print(Text(f"{title} ({len(changes)})", style=style))
    label = None
    for entry in changes:
        if entry.implementation != label:
            label = entry.implementation
            out.print(Text(f"  {label}"))
        out.print(Text(f"    {entry.line()}"), soft_wrap=True)


def print_comparison(result: Comparison, count: int) -> None:
    print_changes("regressions", result.regressions, "bold red")
    print_changes("fixes", result.fixes, "green")
    print_changes("new", result.new, "cyan")
    print_changes("gone", result.gone, "yellow")
    print_changes("in cases that race, which do not count", result.racing, "cyan")
    for title, names in (("only in NEW", result.added), ("only in OLD", result.removed)):
        if names:
            out.print(Text(f"{title}: {', '.join(names)}", style="yellow"))
    words = [
        (result.regressions, "regressions"),
        (result.fixes, "fixes"),
        (result.new, "new"),
        (result.gone, "gone"),
    ]
    if result.racing:
        words.append((result.racing, "in cases that race"))
    summary = ", ".join(f"{len(changes)} {word}" for changes, word in words)
    out.print(Text(f"{count} implementation{'s' if count != 1 else ''}: {summary}"))


def print_verdicts(before: dict[str, Report], after: dict[str, Report]) -> None:
    """The verdict on each implementation, and the one before where it was another."""
    for label, report in after.items():
        text, tone, remark = verdict_of(report)
        said = f"{text}, {remark}" if remark else text
        line = Text(f"{label}: ")
        if label in before and before[label].standing != report.standing:
            line.append(f"{verdict_of(before[label])[0]} -> ")
        out.print(line.append(said, style=COLOURS[tone]), soft_wrap=True)


def bars(title: str, counts: Counter, order: Callable[[str], object]) -> Table:
    """Counts as a table with a bar beside each."""
    table = Table(title, "", "", box=None, pad_edge=False)
    most = max(counts.values(), default=1)
    for name in sorted(counts, key=order):
        bar = "█" * max(1, round(40 * counts[name] / most))
        table.add_row(Text(name), Text(f"{counts[name]:,}", justify="right"), Text(bar))
    return table


def print_unreadable(troubles: Iterable[tuple[str, str]], more: str) -> None:
    """Which inputs could not be read, and why; of many the first, and where the rest stands."""
    for number, (path, why) in enumerate(troubles):
        if number == NAMED:
            err.print(Text(more), soft_wrap=True)
            return
        err.print(Text(f"{printable(path)}: {printable(why)}"), soft_wrap=True)


def print_totals(totals: Totals, output: Path) -> None:
    print_unreadable(totals.unreadable, f"... and more, in lines of {output} with `unreadable`")
    if totals.profiles:
        out.print(bars("profile", totals.profiles, lambda name: -totals.profiles[name]))
    if totals.floors:
        out.print(bars("ABI floor", totals.floors, version_key))
    if totals.findings:
        out.print(bars("finding", totals.findings, lambda name: -totals.findings[name]))
    libraries = plural(sum(totals.profiles.values()), "ELF file")
    troubles = f", {totals.troubles:,} unreadable" if totals.troubles else ""
    out.print(Text(f"{plural(totals.inputs, 'input')}, {libraries} in them{troubles}"))


def print_loads(table: Loads, to: Console) -> None:
    """A row for releases that do the same, a column for each module; reasons below."""
    names = [printable(module["name"]) for module in table.modules]
    if to.width >= NARROW and len(names) < 5:
        drawn = Table("release", *(Text(name) for name in names), box=None, pad_edge=False)
        for span, words in spans(table):
            drawn.add_row(Text(printable(span)), *(load_text(word) for word in words))
        to.print(drawn)
    else:
        for number, name in enumerate(names):
            to.print(Text(name, style="bold"), soft_wrap=True)
            for span, words in spans(table, number):
                line = Text(f"  {printable(span)}: ").append(load_text(words[0]))
                to.print(line, soft_wrap=True)
    told = reasons(table)
    if told:
        to.print()
    for module, word, text in told:
        to.print(Text(f"{printable(module)}: {word}"), soft_wrap=True)
        to.print(Text(f"  {text}"), soft_wrap=True)
    loads = table.loads.values()
    count = f"{sum(load.loads() for load in loads)} of {len(loads)} load"
    of = f"{plural(len(names), 'module')} in {plural(len(table.releases), 'release')}"
    to.print(Text(f"{of}: {count}"))


def load_text(word: str) -> Text:
    good, half = word == "loads", word.startswith("loads")
    return Text(word, style="green" if good else "yellow" if half else "red")
