# SPDX-License-Identifier: Apache-2.0
"""The page: one HTML file that needs nothing beside it, from many reports."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import jinja2
from markupsafe import Markup

from .condense import condense
from .functions import functions_of
from .gather import Collected
from .summary import BAD, GOOD, OLDER, lines, plural, spread, verdict_of
from .summary import headline as tally
from .trophies import NOT_KNOWN, TIMING, Trophy, by_implementation, lead

TITLE = "TVM FFI ABI conformance"
FOLDER = Path(__file__).resolve().parent / "page"
# In this order: what stands in one file is known in those after it.
SCRIPTS = (
    "base.js",
    "filters.js",
    "evidence.js",
    "matrix.js",
    "cases.js",
    "timeline.js",
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


def headline(collected: Collected) -> str:
    count = len(collected.reports) + len(collected.missing)
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


def notices(collected: Collected) -> list[str]:
    """What has to be known before anything on the page is read."""
    told = []
    reports = collected.reports
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


def found(trophies: list[Trophy]) -> dict[str, list[dict]]:
    """Deviations by implementation, as the template wants them."""
    return {
        name: [
            {
                "one": one,
                "title": pieces(one.title),
                "evidence": pieces(f"{one.evidence} {TIMING}" if one.timing else one.evidence),
                "commands": "\n".join(one.commands()),
                "threads": one.threads(),
            }
            for one in group
        ]
        for name, group in by_implementation(trophies).items()
    }


def page(collected: Collected, title: str = TITLE, trophies: Sequence[Trophy] = ()) -> str:
    """The whole file. Every text from a report is escaped, and no script but ours can run."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = source("report.css")
    script = '"use strict";\n(() => {\n' + source(*SCRIPTS) + "})();\n"
    return environment.get_template("report.html.j2").render(
        title=title,
        headline=headline(collected),
        notices=notices(collected),
        lines=lines(collected.reports),
        missing=collected.missing,
        facts=facts(collected),
        functions={
            label: functions_of(report)
            for label, report in collected.reports.items()
            if report.raw.get("functions")
        },
        found=found(list(trophies)),
        not_known=NOT_KNOWN,
        found_lead=pieces(lead(list(trophies))) if trophies else [],
        data=embedded_json(condense(collected)),
        style=Markup(style),
        script=Markup(script),
        style_digest=digest(style),
        script_digest=digest(script),
    )
