# SPDX-License-Identifier: Apache-2.0
"""Reports as Markdown, for the summary page of a CI job."""

from __future__ import annotations

import re

from .document import Case, Report, worst
from .gather import Collected
from .summary import BAD, GOOD, KNOWN, OPEN, headline, lines, plural
from .traces import WAIVED, Fault, Trace, faults
from .traces import headline as traced

MARKS = {GOOD: "✅", KNOWN: "🟡", BAD: "❌", OPEN: "⚪"}
# Of one list, and of all that is listed: a job's summary may be as long as a megabyte.
MOST_CASES, MOST_CHARACTERS = 50, 600_000


# Characters that nothing comes out of: these anywhere but in front, an underscore within a word, a
# colon before a blank. (A hyphen in front begins a list, a colon before a word an address.)
HARMLESS = re.compile(
    r"(?<!^)[-.,()+=;%'\"?/{}!]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|:(?= )|[A-Za-z0-9 ]"
)


def plain(text: str) -> str:
    """Text that no Markdown, HTML or link can come out of: other punctuation becomes numbers."""
    one_line = " ".join(text.split())
    numbered = re.sub(
        rf"{HARMLESS.pattern}|[\x00-\x7f]",
        lambda found: found[0] if HARMLESS.match(one_line, found.start()) else number(found[0]),
        one_line,
    )
    return re.sub(r"(?i)(?<=www)\.", number("."), numbered)


def number(character: str) -> str:
    return f"&#{ord(character)};"


def code(text: str) -> str:
    return f"<code>{plain(text)}</code>"


def table(collected: Collected) -> list[str]:
    rows = [
        "| | implementation | ABI | verdict | clauses that hold | failed | warned | waived |",
        "|---|---|---|---|---|--:|--:|--:|",
    ]
    for line in lines(collected.reports):
        verdict = f"**{line.verdict}**" + (f": {plain(line.remark)}" if line.remark else "")
        rows.append(
            f"| {MARKS[line.tone]} | {code(line.label)} | {plain(line.version)} {line.profile} "
            f"| {verdict} | {'<br>'.join(line.clauses)} "
            f"| {line.failed} | {line.warned} | {line.waived} |"
        )
    for label, why in collected.missing.items():
        rows.append(f"| {MARKS[BAD]} | {code(label)} | | **no result**: {plain(why)} | | | | |")
    return rows


def seen(case: Case) -> str:
    """In one line: the reason, or the first expectation that failed."""
    if case.reason or not case.raw["evidence"]:
        return plain(case.reason)
    first = case.raw["evidence"][0]
    what = f"{plain(first['what'])}: " if first["what"] else ""
    return f"{what}expected {plain(first['expected'])}, actual {plain(first['seen'])}"


def listed(title: str, cases: list[Case]) -> list[str]:
    if not cases:
        return []
    rows = [f"<details><summary>{title}: {plural(len(cases), 'case')}</summary>", ""]
    for case in cases[:MOST_CASES]:
        rows.append(f"- {code(case.id)} ({', '.join(case.clauses)}): {seen(case)}")
    if len(cases) > MOST_CASES:
        rows.append(f"- and {len(cases) - MOST_CASES} more, in the report")
    return [*rows, "", "</details>", ""]


def failures(label: str, report: Report) -> list[str]:
    cases = list(worst(report.cases).values())
    counted = [case for case in cases if report.counts(case)]
    warned = [c for c in cases if c.verdict in ("fail", "inconclusive") and not report.counts(c)]
    waived = [case for case in cases if case.verdict == "xfail"]
    return [
        *listed(f"{code(label)}: failures that count", counted),
        *listed(f"{code(label)}: warnings", warned),
        *listed(f"{code(label)}: broken, known", waived),
    ]


def findings(inspection: dict) -> list[str]:
    """The errors and warnings of `inspect`, by file."""
    told = [
        f"- {code(file['path'])}: {finding['level']} {code(finding['id'])}"
        + (f" {plain(finding['symbol'])}" if finding["symbol"] else "")
        + (f": {plain(finding['detail'])}" if finding["detail"] else "")
        for file in inspection["files"]
        for finding in file["findings"]
        if finding["level"] in ("error", "warning")
    ]
    told += [f"- {code(f['path'])}: {plain(f['message'])}" for f in inspection["unreadable"]]
    if not told:
        return []
    more = [f"- and {len(told) - MOST_CASES} more, in the report"] * (len(told) > MOST_CASES)
    title = f"<details><summary>Findings: {plural(len(told), 'line')}</summary>"
    return [title, "", *told[:MOST_CASES], *more, "", "</details>", ""]


def reason(fault: Fault) -> str:
    """Why it is waived."""
    return f" waived: {fault.first['waived']}" if fault.kind == WAIVED else ""


def of_traces(traces: dict[str, Trace]) -> list[str]:
    """What was found while programs ran."""
    if not traces:
        return []
    rows = [
        f"Programs traced: {traced(traces)}.",
        "",
        "| | trace | verdict | errors | advice | crossings | the program ended with |",
        "|---|---|---|--:|--:|--:|---|",
    ]
    for label, trace in traces.items():
        words, tone = trace.verdict()
        whole = trace.whole
        rows.append(
            f"| {MARKS[tone]} | {code(label)} | **{words}** | {whole['errors']} "
            f"| {whole['advice']} | {whole['crossings']:,} | {trace.ending()} |"
        )
    told = [
        f"- {fault.kind}: {plain(fault.sentence)}: {plain(fault.first['text'])} "
        f"({plural(fault.count, 'time')}){plain(reason(fault))}"
        for fault in faults(traces)
    ]
    if told:
        more = [f"- and {len(told) - MOST_CASES} more, in the report"] * (len(told) > MOST_CASES)
        title = f"<details><summary>Found while they ran: {plural(len(told), 'line')}</summary>"
        rows += ["", title, "", *told[:MOST_CASES], *more, "", "</details>"]
    return [*rows, ""]


def markdown(collected: Collected) -> str:
    """The whole summary. Nothing that a library or a path says is taken for Markdown."""
    whole = len(collected.reports) + len(collected.missing)
    text = ["## TVM FFI ABI", ""]
    if whole:
        told = headline(collected.reports.values(), len(collected.missing))
        text += [f"{told}.", "", *table(collected), ""]
    for label, report in collected.reports.items():
        listing = failures(label, report)
        if sum(map(len, text)) + sum(map(len, listing)) > MOST_CHARACTERS:
            text += [f"The cases of {code(label)} and of those after it are in the report.", ""]
            break
        text += listing
    for inspection in collected.inspections:
        totals = inspection["totals"]
        text += [
            f"Files inspected: {totals['files']}, with {plural(totals['errors'], 'error')}, "
            f"{plural(totals['warnings'], 'warning')}, {plural(totals['notes'], 'note')}; "
            f"unreadable: {totals['unreadable']}.",
            "",
            *findings(inspection),
        ]
    text += of_traces(collected.traces)
    return "\n".join(text)
