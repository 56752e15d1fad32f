# SPDX-License-Identifier: Apache-2.0
"""What reports/ says: every release is there, every failure was looked into, and every deviation
that is listed is one of a clause and a case that exist, and was seen where the list says."""

from __future__ import annotations

import fnmatch
import gzip
import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import report_sample  # noqa: F401 - skips these tests where a package is missing
from bench_report import summary
from tvmffi_conform.document import parse
from tvmffi_conform.gather import stem
from tvmffi_conform.plan import read_plan
from tvmffi_conform.tool import CANNOT_LOAD
from tvmffi_conform.trophies import RUN, Trophy, read_trophies, trophies_markdown

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "reports"
RELEASES = ROOT / "conformance" / "abi" / "releases.def"
TROPHIES = REPORTS / "trophies.toml"
LOCK = ROOT / "conformance" / "cases" / "cases.lock"
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
STRICTEST_FIRST = ("MUST", "SHOULD", "HARDENING")
BROKEN = ("fail", "inconclusive", "xfail", "xpass")
ROW = re.compile(r'ABI_RELEASE\("([^"]+)", ABI_VERSION\([^)]*\), (true|false), (true|false),')
CLAUSE = re.compile(r"[A-Z]+-[0-9]+")

# Of somebody's machine; what is in the cache is named from the project on.
PRIVATE = re.compile(r"/(?:home|root|tmp|Users)/[\w.-]+|/[\w./-]*/\.cache/")

needs_tool = pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")


def rows() -> list[tuple[str, bool, bool]]:
    """Of each release that the table knows: its name, whether a candidate, whether withdrawn."""
    found = ROW.findall(RELEASES.read_text(encoding="utf-8"))
    return [(name, candidate == "true", yanked == "true") for name, candidate, yanked in found]


@cache
def broken_in(path: Path) -> dict[str, list[str]]:
    """The cases that a kept report has as broken, with their clauses."""
    cases = parse(path)["cases"]
    return {c["id"]: c["clauses"] for c in cases if c["verdict"] in BROKEN}


@cache
def releases() -> dict[str, dict[str, list[str]]]:
    return {stem(p): broken_in(p) for p in sorted((REPORTS / "official").glob("*.json.gz"))}


def listed() -> list[Trophy]:
    return read_trophies(TROPHIES)


def each(of: str) -> list:
    chosen = [one for one in listed() if (of == "release") == bool(one.releases)]
    return [pytest.param(one, id=one.id) for one in chosen]


@cache
def told(*arguments: str) -> list[list[str]]:
    done = subprocess.run([TOOL, "list", *arguments], capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def test_every_release_was_judged() -> None:
    known = {name for name, candidate, _ in rows() if not candidate}
    assert len(known) >= 28
    assert set(releases()) == known


def test_the_reference_breaks_nothing() -> None:
    assert parse(REPORTS / "reference.json.gz")["conforms"]
    assert broken_in(REPORTS / "reference.json.gz") == {}


def test_the_matrix_names_what_was_withdrawn() -> None:
    (official,) = read_plan(REPORTS / "official.toml").runtimes
    assert list(official.withdrawn) == [name for name, _, yanked in rows() if yanked]


@needs_tool
@pytest.mark.parametrize("one", [*each("release"), *each("module")])
def test_clauses_and_cases_exist(one: Trophy) -> None:
    levels = {row[0]: row[1] for row in told("--clauses")}
    assert [clause for clause in one.clauses if clause not in levels] == []
    assert one.level == min((levels[c] for c in one.clauses), key=STRICTEST_FIRST.index)
    cases = {row[0]: [w for w in row if CLAUSE.fullmatch(w)] for row in told() if len(row) > 4}
    for pattern in one.cases:
        plain = pattern.split("@")[0]
        assert fnmatch.filter(cases, plain), plain
    if one.cases:
        assert set(cases[one.case.split("@")[0]]) & set(one.clauses)


@pytest.mark.parametrize("one", each("release"))
def test_releases_have_it_or_not_as_the_list_says(one: Trophy) -> None:
    for pattern in one.cases:
        seen = {name for name, broken in releases().items() if fnmatch.filter(broken, pattern)}
        due = {name for name in releases() if one.concerns(name)}
        same = [o for o in listed() if o.id != one.id and set(o.cases) & {pattern}]
        elsewhere = {name for name in releases() if any(o.concerns(name) for o in same)}
        assert seen & due
        assert seen <= due | elsewhere
        assert one.timing or seen >= due
    if one.cases:
        broken = {case: c for name in releases() for case, c in releases()[name].items()}
        own = {case for pattern in one.cases for case in fnmatch.filter(broken, pattern)}
        assert set(one.clauses) <= {clause for case in own for clause in broken[case]}


@pytest.mark.parametrize("one", each("module"))
def test_modules_have_it(one: Trophy) -> None:
    name = "-".join(Path(one.module).with_suffix("").parts)
    kept = [REPORTS / "modules" / f"{name}{where}.json.gz" for where in ("", "-in-reference")]
    broken = {case: clauses for path in kept for case, clauses in broken_in(path).items()}
    for pattern in one.cases:
        assert fnmatch.filter(broken, pattern)
    assert set(one.clauses) <= {clause for clauses in broken.values() for clause in clauses}
    signatures = ROOT / "harness" / "real_modules" / "signatures" / one.signatures
    assert signatures.is_file()


def test_every_failure_of_a_release_was_looked_into() -> None:
    """But for cases that were removed since the report was kept."""
    now = {line.split()[0] for line in LOCK.read_text(encoding="utf-8").splitlines()}
    for name, broken in releases().items():
        patterns = [p for one in listed() if one.concerns(name) for p in one.cases]
        left = [c for c in broken if c in now]
        assert [c for c in left if not any(fnmatch.fnmatch(c, p) for p in patterns)] == [], name


def test_findings_of_the_fuzzer_are_there() -> None:
    for one in listed():
        for name in one.fuzz:
            folder = REPORTS / "fuzz" / name
            finding = json.loads((folder / "finding.json").read_text(encoding="utf-8"))
            assert (folder / "input.bin").is_file()
            assert finding["clause"] in one.clauses or one.cases


@pytest.mark.parametrize("one", [pytest.param(o, id=o.id) for o in listed() if o.program])
def test_programs_show_it(one: Trophy) -> None:
    (command,) = [c for c in one.commands() if c.startswith(RUN)]
    done = subprocess.run(
        command.split(), cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode == CANNOT_LOAD:
        pytest.skip(done.stderr)
    assert done.returncode == 1, done.stderr


def for_upstream() -> list[list[str]]:
    """The commands of reports/upstream.md, as words: the script, program, headers and release."""
    lines = (REPORTS / "upstream.md").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line.startswith(RUN)]


def run_program(command: list[str]) -> int:
    """Its exit code; skips the test where it could not be run."""
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode == CANNOT_LOAD:
        if "is not there" not in done.stderr and "there is no" not in done.stderr:
            pytest.fail(done.stderr)
        pytest.skip(done.stderr)
    return done.returncode


@needs_tool
@pytest.mark.parametrize("command", [pytest.param(c, id=c[1]) for c in for_upstream()])
def test_reports_for_upstream_show_it(command: list[str]) -> None:
    """In the release that they name, and not in the reference."""
    assert run_program(command) != 0
    assert run_program([*command[:-1], str(Path(TOOL).parents[1] / "lib" / "libtvm_ffi.so")]) == 0


def test_every_program_is_in_a_report_for_upstream() -> None:
    programs = {path.name for path in (REPORTS / "programs").iterdir() if path.suffix != ".sh"}
    assert sorted(command[1] for command in for_upstream()) == sorted(programs)


def test_the_page_is_that_of_the_list() -> None:
    made = trophies_markdown(listed(), TROPHIES.name)
    assert (REPORTS / "trophies.md").read_text(encoding="utf-8") == made


def test_the_bench_page_is_that_of_its_reports() -> None:
    """It says of them what bench_report.py does, and has the medians of each row of the first."""
    paths = sorted((REPORTS / "bench").iterdir())
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    schema = json.loads((REPORTS / "bench.schema.json").read_text())
    page = (REPORTS / "bench.md").read_text(encoding="utf-8")
    for report in reports:
        jsonschema.validate(report, schema)
        assert report["complete"]
    for row in reports[0]["operations"]:
        times = [f"{sample['median']:.1f}" for sample in row["samples"]]
        pattern = rf"^{re.escape(row['title'])} +{times[0]} +\S+ +{times[1]} "
        assert re.search(pattern, page, re.MULTILINE), pattern
    assert f"{len(reports)} runs on " in page
    assert summary(reports) in page


def published() -> list[Path]:
    packed = [*REPORTS.glob("*.json.gz"), *REPORTS.glob("*/*.json.gz")]
    return [*packed, REPORTS / "index.html", *REPORTS.glob("*.md"), *REPORTS.glob("fuzz/*/*.*")]


@pytest.mark.parametrize("path", published(), ids=lambda path: str(path.relative_to(REPORTS)))
def test_nobodys_folders_are_published(path: Path) -> None:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode(errors="replace")
    assert PRIVATE.findall(text) == []
