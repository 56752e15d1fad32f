# SPDX-License-Identifier: Apache-2.0
"""The page: one HTML file that needs nothing beside it, from many reports."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from .condense import condense
from .deviations import Releases, releases_of, sentence
from .document import LEVELS, Report
from .functions import Function, functions_of
from .gather import Collected
from .load import LOADED, NOT_TRIED, Loads, reasons, spans
from .summary import BAD, GOOD, OLDER, Line, lines, plural, spread, verdict_of
from .summary import headline as tally
from .timeline import newest_first, series_of
from .traces import Trace, calls, faults
from .traces import headline as traced
from .trophies import NOT_KNOWN, TIMING, Trophy, by_implementation, lead

TITLE = "TVM FFI ABI conformance"
FOLDER = Path(__file__).resolve().parent / "page"
# In this order: what stands in one file is known in those after it.
SCRIPTS = (
    "base.js",
    "address.js",
    "filters.js",
    "tables.js",
    "evidence.js",
    "matrix.js",
    "cases.js",
    "files.js",
    "start.js",
)
FEW = 4
# What could end a script element, or a line of JavaScript, inside a JSON text.
ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def embedded_json(data: object) -> Markup:
    """Data as JSON that can stand in a script element, whatever texts are in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(ESCAPES))


def source(*names: str) -> str:
    return "".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def digest(text: str) -> str:
    """How a content security policy names a script or style: nothing else runs on the page."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def of_runtimes(series: Sequence[Releases]) -> Releases | None:
    """The series that the page is about first: the longest one of runtimes."""
    found = [one for one in series if one.profile == "runtime"]
    return max(found, key=lambda one: len(one.releases), default=None)


def load_sentence(tables: Sequence[Loads]) -> str:
    """How many modules load in every release that they were tried in."""
    modules = [(table, module["name"]) for table in tables for module in table.modules]
    whole = sum(
        all(load.loads() for (name, _), load in table.loads.items() if name == module)
        for table, module in modules
    )
    releases = max((len(table.releases) for table in tables), default=0)
    return (
        f"{whole} of {plural(len(modules), 'module')} load in all of {plural(releases, 'release')}"
    )


def headline(collected: Collected, series: Sequence[Releases] = ()) -> str:
    first = of_runtimes(series)
    if first:
        return sentence(first)
    count = len(collected.reports) + len(collected.missing)
    if not count and collected.loads and not collected.inspections:
        return load_sentence(collected.loads)
    if not count and collected.traces and not collected.inspections:
        return traced(collected.traces)
    if not count:
        return f"{plural(len(condense(collected)['files']), 'file')} inspected"
    if count == 1:
        only = [(label, *verdict_of(report)) for label, report in collected.reports.items()]
        if not only:
            return "no result"
        label, words, tone, _ = only[0]
        return f"{label} {words}" if tone in (GOOD, BAD) else f"{label}: {words}"
    return tally(collected.reports.values(), len(collected.missing))


def some(labels: list[str]) -> str:
    """The names of a few, and how many more there are."""
    more = f" and {len(labels) - FEW} more" if len(labels) > FEW else ""
    return ", ".join(labels[:FEW]) + more


def others(collected: Collected, series: Sequence[Releases]) -> list[str]:
    """What the headline leaves out: the newest release by name, other runtimes, modules."""
    first = of_runtimes(series)
    if not first:
        return []
    told = [f"Newest: {first.newest.version}."]
    counted = {release.label for release in first.releases}
    rest = {k: r for k, r in collected.reports.items() if k not in counted}
    modules = [report for report in rest.values() if report.library["profile"] == "module"]
    runtimes = [label for label, report in rest.items() if report not in modules]
    told += [f"{label}: {verdict_of(rest[label])[0]}." for label in runtimes[:FEW]]
    if runtimes[FEW:]:
        told.append(f"{plural(len(runtimes[FEW:]), 'more runtime')} below.")
    if modules:
        told.append(f"{tally(modules, noun=('run', ' of modules'))}.")
    return told


def notices(reports: dict[str, Report]) -> list[str]:
    """What readers of the page must know first: results that are missing."""
    told = []
    cut = [label for label, report in reports.items() if not report.settled]
    if cut:
        told.append(f"Interrupted, so results are missing: {', '.join(cut)}.")
    ended = [
        label
        for label, report in reports.items()
        if report.settled and not report.complete and report.standing != "not_judged"
    ]
    if ended:
        told.append(f"Not all cases were run: {', '.join(ended)}.")
    part = [f"{label} ({report.part})" for label, report in reports.items() if report.part]
    if part:
        told.append(f"Partial runs: {', '.join(part)}.")
    return told


def cut_traces(traces: dict[str, Trace]) -> list[str]:
    """What readers of the page must know first: traces that do not tell of all there was."""
    told = []
    for label, trace in traces.items():
        if trace.lost():
            told.append(
                f"{label}: there was no room for all that was seen ({', '.join(trace.lost())})."
            )
        if unwatched := trace.whole["unwatched"]:
            told.append(f"{label}: {plural(unwatched, 'program')} ran without the layer.")
    return told


def remarks(reports: dict[str, Report]) -> list[str]:
    """What reports of different versions have to be compared with care for."""
    told = []
    older = [label for label, report in reports.items() if report.older]
    if older:
        told.append(
            f"Marked as {OLDER}: written before reports had a verdict, which was computed here, "
            f"and without counts by scope: {some(older)}."
        )
    rules: dict[str, list[str]] = {}
    for label, report in reports.items():
        rules.setdefault(report.raw["suite"]["clauses_digest"], []).append(label)
    if len(rules) > 1:
        groups = "; ".join(f"{name}: {some(labels)}" for name, labels in rules.items())
        told.append(
            "These reports come from different versions of the specification. Clauses are shown "
            f"as in the latest run. By digest: {groups}."
        )
    return told


def facts(collected: Collected) -> list[tuple[str, str]]:
    """The small print: what ran, where, and when."""
    reports = list(collected.reports.values())
    if not reports:
        return []
    suites = sorted({report.raw["suite"]["version"] for report in reports})
    started = sorted(report.raw["started_at"] for report in reports)
    machines = {
        f"{e['os']} {e['kernel']}, {e['machine']}, {e['libc']}, {plural(e['cpus'], 'processor')}"
        for e in (report.raw["environment"] for report in reports)
    }
    when = started[0] if started[0] == started[-1] else f"{started[0]} to {started[-1]}"
    return [
        ("suite", f"tvmffi-conform {', '.join(suites)}"),
        ("ABI", spread(report.version for report in reports)),
        ("run", when),
        ("on", "; ".join(sorted(machines))),
    ]


def pieces(text: str) -> list[tuple[str, bool]]:
    """A text in its parts, and which of them backticks mark as code."""
    return [(part, number % 2 == 1) for number, part in enumerate(text.split("`"))]


def found(trophies: Sequence[Trophy]) -> dict[str, list[dict]]:
    """Deviations by implementation, as the template wants them."""
    return {
        name: [
            {
                "one": one,
                "title": pieces(one.title),
                "affects": pieces(one.affects),
                "evidence": pieces(f"{one.evidence} {TIMING}" if one.timing else one.evidence),
                "commands": "\n".join(one.commands()),
                "threads": one.threads(),
                "cases": [(case, case.replace(".*", "", 1)) for case in one.cases],
            }
            for one in group
        ]
        for name, group in by_implementation(list(trophies)).items()
    }


def tables(collected: Collected) -> list[tuple[str, str, list[Line]]]:
    """The summary: of each table its id, its heading, and a line for each implementation."""
    every = lines(collected.reports)
    modules = [line for line in every if line.profile == "module"]
    rest = [line for line in every if line.profile != "module"]
    if modules and rest:
        return [("summary", "Runtimes", rest), ("modules", "Modules", modules)]
    return [("summary", "Summary", every)] if every or collected.missing else []


def load_state(table: Loads, module: str, release: dict) -> str:
    """As in the table of releases: broken, in part, holds, not known."""
    load = table.get(module, release["name"])
    if load is None or load.lazy.outcome == NOT_TRIED:
        return "n"
    return "h" if load.loads() else "o" if load.lazy.outcome == LOADED else "b"


def load_row(table: Loads, number: int, texts: dict[tuple[str, str], str]) -> dict:
    """One module, newest release first: what it does there, and the line that says why."""
    module = table.modules[number]
    does = [(span, word) for span, (word,) in reversed(spans(table, number))]
    if len(does) == 1:
        does = [("every release", does[0][1])]
    return {
        "name": module["name"],
        "floor": module["floor"],
        "states": [load_state(table, module["name"], one) for one in reversed(table.releases)],
        "does": [(span, word, texts.get((module["name"], word), "")) for span, word in does],
    }


def loads(tables: Sequence[Loads]) -> list[dict]:
    """Modules by release, as the template wants them."""
    told = []
    for table in tables:
        texts = {(module, word): text for module, word, text in reasons(table)}
        told.append(
            {
                "releases": [release["name"] for release in reversed(table.releases)],
                "on": f"{table.machine}, {table.libc}",
                "rows": [load_row(table, number, texts) for number in range(len(table.modules))],
            }
        )
    return told


def functions(reports: dict[str, Report]) -> list[tuple[list[str], list[Function], int]]:
    """The functions of modules. Runs of which all the same is told stand together."""
    groups: list[tuple[list[str], list[Function], int]] = []
    for label, report in reports.items():
        if not report.raw.get("functions"):
            continue
        shown, more = functions_of(report)
        same = next((group for group in groups if group[1:] == (shown, more)), None)
        if same:
            same[0].append(label)
        else:
            groups.append(([label], shown, more))
    return groups


def page(collected: Collected, title: str = TITLE, trophies: Sequence[Trophy] = ()) -> str:
    """The whole file. Every text from a report is escaped, and no script but ours can run."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["pieces"] = pieces
    environment.filters["in_address"] = lambda text: quote(text, safe="@,", errors="replace")
    collected = replace(collected, reports=newest_first(collected.reports))
    reports = collected.reports
    series = [releases_of(one, reports, trophies) for one in series_of(reports)]
    series.sort(key=lambda one: one is not of_runtimes(series))
    style = source("report.css")
    script = '"use strict";\n(() => {\n' + source(*SCRIPTS) + "})();\n"
    data = condense(collected)
    data["found"] = [[one.id, one.title, one.cases] for one in trophies]
    return environment.get_template("report.html.j2").render(
        title=title,
        headline=headline(collected, series),
        others=others(collected, series),
        notices=[*notices(reports), *cut_traces(collected.traces)],
        remarks=remarks(reports),
        series=series,
        levels=LEVELS,
        tables=tables(collected),
        missing=collected.missing,
        facts=facts(collected),
        functions=functions(reports),
        loads=loads(collected.loads),
        traces=collected.traces,
        faults=faults(collected.traces),
        calls=calls(collected.traces.values()) if collected.traces else [],
        found=found(trophies),
        not_known=NOT_KNOWN,
        found_lead=pieces(lead(list(trophies))) if trophies else [],
        data=embedded_json(data),
        style=Markup(style),
        script=Markup(script),
        style_digest=digest(style),
        script_digest=digest(script),
    )
