# SPDX-License-Identifier: Apache-2.0
"""An SVG badge: which ABI, which profile, which verdict. Never a bare number."""

from __future__ import annotations

from html import escape

from .document import Report
from .summary import BAD, GOOD, KNOWN, OPEN, headline, profile_of, spread, verdict_of

COLOURS = {GOOD: "#1a7f37", KNOWN: "#5a45a8", BAD: "#b42318", OPEN: "#6b6f76"}
HEIGHT, PAD, SIZE = 20, 7, 11
# Widths of Verdana's characters in 11 px, by group; textLength makes up for what is left.
WIDTHS = {"iIjl.,:;!|'": 4.2, "ftr()[]-/ ": 5.0, "mwMW": 10.3}


def width_of(text: str) -> int:
    """Pixels that a text takes, about."""
    known = {character: width for group, width in WIDTHS.items() for character in group}
    return round(sum(known.get(character, 7.0) for character in text))


def texts(reports: dict[str, Report]) -> tuple[str, str, str]:
    """What the badge says on its two sides, and the tone."""
    judged = list(reports.values())
    profiles = " and ".join(sorted({profile_of(report) for report in judged} - {""}))
    subject = f"TVM FFI ABI {spread(report.version for report in judged)} {profiles}".strip()
    if len(judged) == 1:
        verdict, tone, _ = verdict_of(judged[0])
        must, notes = judged[0].verdict["must"], []
        if tone == KNOWN:
            notes.append(f"{judged[0].raw['totals']['xfail']} waived")
        if not judged[0].settled:
            notes.append("interrupted")
        elif tone == OPEN:
            notes.append(f"{must['judged']} of {must['applicable']} MUST judged")
        if judged[0].part and tone in (GOOD, KNOWN):
            notes.append("in part")
        return subject, ", ".join([verdict, *notes]), tone
    tones = [verdict_of(report)[1] for report in judged]
    tone = next((tone for tone in (BAD, OPEN, KNOWN) if tone in tones), GOOD)
    return subject, headline(judged), tone


def badge(reports: dict[str, Report]) -> str:
    """The badge for one report, or for several taken together."""
    left, right, tone = texts(reports)
    first, second = width_of(left) + 2 * PAD, width_of(right) + 2 * PAD
    whole = escape(f"{left}: {right}")

    def text(content: str, start: int, width: int) -> str:
        place = f'x="{start + PAD}" y="14" textLength="{width - 2 * PAD}"'
        return f"<text {place}>{escape(content)}</text>"

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="{HEIGHT}" '
        f'role="img" aria-label="{whole}"><title>{whole}</title>'
        f'<clipPath id="r"><rect width="{first + second}" height="{HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{first}" height="{HEIGHT}" fill="#3b3f45"/>'
        f'<rect x="{first}" width="{second}" height="{HEIGHT}" fill="{COLOURS[tone]}"/></g>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="{SIZE}">'
        f"{text(left, 0, first)}{text(right, first, second)}</g></svg>\n"
    )
