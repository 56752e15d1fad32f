# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: RUF001 - ranges of releases are written with an en dash
"""What clauses give as their source: each has a form of spec/README.md, and "measured on releases"
is what the reports on these releases show."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
import report_sample  # noqa: F401 - skips these tests where a package is missing
from tvmffi_conform.document import parse
from tvmffi_conform.fetch_runtimes import VERSION, natural_key
from tvmffi_conform.gather import stem

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
OFFICIAL = ROOT / ".cache" / "official"
HEADERS = ("tvm/ffi/c_api.h", "tvm/ffi/extra/c_env_api.h", "dlpack/dlpack.h")
CLAUSE = re.compile(
    r"^### (?P<id>[A-Z]+-\d+) · .*\n(?P<line>[A-Z]+ · .*)\n(?P<rest>(?:(?!#).*\n)*)", re.M
)
RELEASE = re.compile(
    r'ABI_RELEASE\("(?P<name>[^"]+)", ABI_VERSION\([^)]*\), (?P<candidate>true|false), \w+,'
    r'\s*(?P<bad>NULL|"[^"]*"(?:\s*"[^"]*")*)\)'
)
LACKS = re.compile(r'ABI_RELEASE_EXCEPTION\("([^"]+)", false, ')
MEASURED = re.compile(r"measured on releases ([\w.]+)–([\w.]+)")
NAMED = re.compile(r'([^":]+?)( of 2025-09)?, "([^"]+)"')
SAID_BY_USERS = ("signature file", "option")
BROKEN = ("fail", "inconclusive", "xfail", "xpass")


@dataclass(frozen=True)
class Clause:
    id: str
    level: str
    scopes: tuple[str, ...]
    source: str  # "" if it names none
    why: bool


@dataclass(frozen=True)
class Release:
    """What a release shows: clauses that a case of its report judged, and those that one broke."""

    name: str
    judged: frozenset[str]
    broken: frozenset[str]


def read_clauses(chapter: str) -> list[Clause]:
    found = []
    for match in CLAUSE.finditer(chapter):
        level, *parts = match["line"].split(" · ")
        scopes = next((p for p in parts if not p.startswith("since ")), "").split(", ")
        source = parts[-1] if len(parts) == (3 if level != "UNSPECIFIED" else 2) else ""
        why = "\n> Why: " in f"\n{match['rest']}"
        found.append(Clause(match["id"], level, tuple(scopes), source, why))
    return found


@cache
def clauses() -> tuple[Clause, ...]:
    chapters = [p for p in sorted(SPEC.glob("*.md")) if p.name != "README.md"]
    return tuple(c for p in chapters for c in read_clauses(p.read_text(encoding="utf-8")))


@cache
def documents() -> frozenset[str]:
    """Those of the table in spec/README.md, the headers, and what a user says."""
    rules = (SPEC / "README.md").read_text(encoding="utf-8")
    table = rules.split("\n| document | of the official project |\n|---|---|\n")[1].split("\n\n")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines()]
    one = "Function, Exception and Module"
    return frozenset(
        name for row in rows for name in ([row] if row == one else row.split(", "))
    ) | {"C header", "DLPack", *SAID_BY_USERS}


def fault_of(clause: Clause) -> str:
    """What is wrong with the source of a clause as such; "" if nothing is."""
    source, level = clause.source, clause.level
    if not source:
        return "" if level == "UNSPECIFIED" else "there is none"
    if source.startswith("interoperation: "):
        parties = source[len("interoperation: ") :].split(", ")
        if len(set(parties)) != 2 or not all(parties):
            return "interoperation is of two components"
        if level != "MUST":
            return "interoperation is for a MUST"
        return "" if clause.why else "interoperation needs a Why"
    if source == "robustness":
        return "" if level == "HARDENING" else "robustness is for HARDENING"
    if source == "measured on modules":
        fits = level == "SHOULD" and clause.scopes == ("module",)
        return "" if fits else "measured on modules is for a SHOULD about modules"
    if source.startswith("measured"):
        return fault_of_range(source, level)
    named = NAMED.fullmatch(source)
    if not named:
        return "it has none of the forms in spec/README.md"
    if named[1] in SAID_BY_USERS and (level, clause.scopes) != ("MUST", ("module",)):
        return f"{named[1]} is for a MUST about modules"
    return "" if named[1] in documents() else f"no document is called {named[1]!r}"


def fault_of_range(source: str, level: str) -> str:
    bounds = MEASURED.fullmatch(source)
    if not bounds or not all(VERSION.fullmatch(bound) for bound in bounds.groups()):
        return "write: measured on releases A–B"
    if natural_key(bounds[1]) > natural_key(bounds[2]):
        return "its range is empty"
    return "a MUST needs more than what was measured" if level == "MUST" else ""


def within(name: str, first: str, last: str) -> bool:
    """Whether a release is one of those from `first` to `last` and the last's post-releases."""
    key = natural_key(name)
    return natural_key(first) <= key and (
        key <= natural_key(last) or name.startswith(f"{last}.post")
    )


def not_shown(clause: Clause, releases: list[Release]) -> list[str]:
    """The releases of a measured source that do not show what it says, and how."""
    bounds = MEASURED.fullmatch(clause.source)
    if not bounds:
        return []
    listed = [one for one in releases if within(one.name, *bounds.groups())]
    left = [one for one in listed if clause.id in one.broken or clause.id not in one.judged]
    told = [f"{one.name}: {'broken' if clause.id in one.broken else 'not judged'}" for one in left]
    return told if listed else ["no release is in its range"]


def sound_names() -> list[str]:
    """The releases that can show something: no candidates, none that the table has as bad, and
    none that lacks what the version that it reports has."""
    table = (ROOT / "conformance" / "abi" / "releases.def").read_text(encoding="utf-8")
    rows = RELEASE.findall(table)
    assert len(rows) == table.count('\nABI_RELEASE("')
    lacking = set(LACKS.findall(table))
    return [
        name
        for name, candidate, bad in rows
        if (candidate, bad) == ("false", "NULL") and name not in lacking
    ]


@cache
def sound_releases() -> tuple[Release, ...]:
    kept = {stem(path): path for path in (ROOT / "reports" / "official").glob("*.json.gz")}
    return tuple(release_of(name, parse(kept[name])["cases"]) for name in sound_names())


def release_of(name: str, cases: list[dict]) -> Release:
    broken = {c for case in cases if case["verdict"] in BROKEN for c in case["clauses"]}
    passed = {c for case in cases if case["verdict"] == "pass" for c in case["clauses"]}
    return Release(name, frozenset(broken | passed), frozenset(broken))


def one(identity: str) -> Clause:
    (found,) = [clause for clause in clauses() if clause.id == identity]
    return found


def test_all_clauses_are_read() -> None:
    headings = [
        line
        for path in SPEC.glob("*.md")
        if path.name != "README.md"
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"### [A-Z]+-[0-9]+ ", line)
    ]
    assert len(headings) == len(clauses()) > 700
    assert {c.level for c in clauses()} == {"MUST", "SHOULD", "HARDENING", "UNSPECIFIED"}


def test_sources_have_a_form() -> None:
    assert {c.id: fault for c in clauses() if (fault := fault_of(c))} == {}


def test_the_documents_of_the_table_are_cited() -> None:
    cited = {named[1] for c in clauses() if (named := NAMED.fullmatch(c.source))}
    assert cited == documents()


def test_names_of_headers_are_there() -> None:
    """In the newest release that was fetched."""
    folders = [p for p in OFFICIAL.glob("*/tvm_ffi/include") if (p / HEADERS[0]).is_file()]
    if not folders:
        pytest.skip("no official release was fetched")
    newest = max(folders, key=lambda p: natural_key(p.parents[1].name))
    text = " ".join((newest / header).read_text(encoding="utf-8") for header in HEADERS)
    text += " ".join(HEADERS)
    named = [(c.id, found) for c in clauses() if (found := NAMED.fullmatch(c.source))]
    headers = [(i, n[3]) for i, n in named if n[1] in ("C header", "DLPack") and not n[2]]
    assert len(headers) > 100
    assert [(i, name) for i, name in headers if name not in text] == []


def test_measured_sources_are_true() -> None:
    releases = list(sound_releases())
    assert len(releases) > 15
    measured = [c for c in clauses() if MEASURED.fullmatch(c.source)]
    assert len(measured) > 100
    assert {c.id: left for c in measured if (left := not_shown(c, releases))} == {}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("MUST · since 0.1.0 · core · measured on releases 0.1.0–0.1.15", "a MUST needs more than"),
        ("SHOULD · since 0.1.0 · core · measured on releases 0.1.15–0.1.0", "its range is empty"),
        ("SHOULD · since 0.1.0 · core · measured on releases 0.1.0-0.1.15", "write: measured on"),
        ("SHOULD · since 0.1.0 · core · measured on official releases", "write: measured on"),
        ("SHOULD · since 0.1.0 · core · measured on modules", "is for a SHOULD about modules"),
        ("MUST · since 0.1.0 · module · measured on modules", "is for a SHOULD about modules"),
        ("SHOULD · since 0.1.0 · core · robustness", "robustness is for HARDENING"),
        ("HARDENING · since 0.1.0 · core · robustness of callers", "none of the forms"),
        ("MUST · since 0.1.0 · core · ABI overview", "none of the forms"),
        (
            'MUST · since 0.1.0 · core · ABI oversight, "Any"',
            "no document is called 'ABI oversight'",
        ),
        ("SHOULD · since 0.1.0 · core · interoperation: a, b", "interoperation is for a MUST"),
        ("MUST · since 0.1.0 · core · interoperation: a", "is of two components"),
        ("MUST · since 0.1.0 · core · interoperation: a, a", "is of two components"),
        ("MUST · since 0.1.0 · core · interoperation: a, b", "interoperation needs a Why"),
        ("MUST · since 0.1.0 · core", "there is none"),
        ("UNSPECIFIED · core · somewhere", "none of the forms"),
    ],
)
def test_other_sources_are_refused(line: str, fault: str) -> None:
    (clause,) = read_clauses(f"### ANY-1 · A title\n{line}\n\nText.\n")
    assert fault in fault_of(clause)


def test_a_range_that_is_too_wide_shows() -> None:
    """ONCE-7 is of a function of 0.1.5, and releases break DTYPE-44 from 0.1.8 on."""
    releases = list(sound_releases())
    wider = replace(one("ONCE-7"), source="measured on releases 0.1.3–0.1.15")
    assert not_shown(wider, releases) == ["0.1.3: not judged", "0.1.4: not judged"]
    wrong = replace(one("DTYPE-44"), source="measured on releases 0.1.8.post2–0.1.9")
    assert not_shown(wrong, releases) == ["0.1.8.post2: broken", "0.1.9: broken"]
    future = replace(wrong, source="measured on releases 0.2.0–0.2.1")
    assert not_shown(future, releases) == ["no release is in its range"]


def test_one_case_that_fails_shows() -> None:
    cases = [
        {"id": "a", "verdict": "pass", "clauses": ["ANY-17"]},
        {"id": "b", "verdict": "xfail", "clauses": ["ANY-17"]},
    ]
    clause = one("ANY-17")
    assert not_shown(clause, [release_of("0.1.9", cases[:1])]) == []
    assert not_shown(clause, [release_of("0.1.9", cases)]) == ["0.1.9: broken"]
    skipped = [{"id": "a", "verdict": "skip", "clauses": ["ANY-17"]}]
    assert not_shown(clause, [release_of("0.1.9", skipped)]) == ["0.1.9: not judged"]


def test_post_releases_belong_to_the_last() -> None:
    assert within("0.1.15.post2", "0.1.0", "0.1.15")
    assert not within("0.1.13.post1", "0.1.0", "0.1.13.post0")
    assert not within("0.1.1", "0.1.10", "0.1.15")
    assert not within("0.1.15.post2", "0.1.0", "0.1.1")


def test_bad_releases_show_nothing() -> None:
    sound = sound_names()
    assert {"0.1.8", "0.1.8.post1", "0.1.9rc0", "0.1.15"} & set(sound) == set()
    assert {"0.1.0", "0.1.8.post2", "0.1.14.post1", "0.1.15.post2"} <= set(sound)
