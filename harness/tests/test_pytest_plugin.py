# SPDX-License-Identifier: Apache-2.0
"""Cases as tests of pytest: what becomes of each verdict, and how they are chosen and named."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from fake_tool import install, runs
from report_sample import case, clause, decided, evidence, report

pytest_plugins = ("pytester",)
NAME = "tvmffi_conform.pytest_plugin"


class Folder:
    """A folder with libraries, and pytest run in it."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester, self.root = pytester, pytester.path
        self.program = install(self.root / "bin")

    def library(self, cases: list[dict], name: str = "k.so", **changes: object) -> Path:
        """A library of which the program reports these cases."""
        clauses = [clause("ANY-1"), clause("ANY-2", level="SHOULD")]
        document = report(cases, **{"clauses": clauses, **changes})
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"told {json.dumps(document)}")
        return path

    def run(self, *words: str, libraries: tuple[str, ...] = ("k.so",)) -> pytest.RunResult:
        told = [word for name in libraries for word in ("--tvmffi-conform", name)]
        options = ["-p", NAME, "-p", "no:cacheprovider", "--tvmffi-conform-tool", str(self.program)]
        return self.pytester.runpytest(*options, *told, *words)


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Folder:
    return Folder(pytester)


SHOULD = {"level": "SHOULD", "clauses": ["ANY-2"]}
EVERY = [
    case("any.passes"),
    case("any.fails", "fail"),
    case("any.open", "inconclusive"),
    case("any.advice", "fail", **SHOULD),
    case("any.later", "skip", reason="came with 0.1.12"),
    case("any.known", "xfail"),
    case("any.mended", "xpass"),
]


def test_each_verdict_has_its_outcome(folder: Folder) -> None:
    folder.library(EVERY)
    done = folder.run("-rA")
    done.assert_outcomes(passed=1, failed=3, skipped=2, xfailed=1, warnings=1)
    assert done.ret == 1
    done.stdout.fnmatch_lines_random(
        [
            "PASSED k.so::any.passes",
            "FAILED k.so::any.fails*",
            "FAILED k.so::any.open*",
            "SKIPPED * warning: the value: expected None (0), actual Int (1)",
            "SKIPPED * came with 0.1.12",
            "XFAIL k.so::any.known - known",
            "FAILED k.so::any.mended*",
            "[[]XPASS(strict)[]] known",
            "*: ConformWarning: warning: the value: expected None (0), actual Int (1)",
        ]
    )


def test_a_failure_says_what_was_asked_and_seen(folder: Folder) -> None:
    path = folder.library([case("any.fails", "fail"), case("any.open", "inconclusive")])
    folder.run("--tvmffi-conform-runtime", "r.so").stdout.fnmatch_lines(
        [
            "MUST ANY-1: title of ANY-1.",
            "the value: expected None (0), actual Int (1)",
            f"reproduce: tvmffi-conform repro --runtime=r.so any.fails {path}",
            "MUST ANY-1: title of ANY-1.",
            "a reason",
        ]
    )


def test_strictness_turns_the_warning_into_a_failure(folder: Folder) -> None:
    document = report([])["selection"]
    folder.library([case("any.advice", "fail", **SHOULD)], selection={**document, "strict": True})
    folder.run("--tvmffi-conform-strict").assert_outcomes(failed=1)


HARDENING = {"level": "HARDENING", "clauses": ["ANY-3"]}
THREE = [clause("ANY-1"), clause("ANY-2", level="SHOULD"), clause("ANY-3", level="HARDENING")]


def test_a_gate_says_what_fails(folder: Folder) -> None:
    cases = [case(), case("any.advice", "fail", **SHOULD), case("any.rough", "fail", **HARDENING)]
    document = decided(report(cases, THREE), "does_not_conform")
    gates = {"must": 0, "should": 1, "hardening": 2}
    for name, failed in gates.items():
        gate = {"name": name, "level": name.upper(), "reason": None, "rules": 0}
        standing = "does_not_conform" if failed else "conforms"
        made = decided(document, standing, gate=gate)
        (folder.root / "k.so").write_text(f"told {json.dumps(made)}")
        done = folder.run(f"--tvmffi-conform-gate={name}")
        done.assert_outcomes(passed=1, failed=failed, skipped=2 - failed, warnings=2 - failed)
    folder.run("--strict-markers", "-m", "tvmffi_hardening").assert_outcomes(failed=1, deselected=2)


def test_a_library_that_is_inconclusive_fails(folder: Folder) -> None:
    (folder.root / "k.so").write_text(f"told {json.dumps(decided(report(), 'inconclusive'))}")
    done = folder.run()
    done.assert_outcomes(passed=1, failed=1)
    assert done.ret == 1
    done.stdout.fnmatch_lines(["inconclusive: * applicable MUST clauses could be judged, *"])
    done.stdout.fnmatch_lines(["FAILED k.so::verdict*"])


def test_a_library_that_could_not_be_judged_fails(folder: Folder) -> None:
    (folder.root / "k.so").write_text("unjudged")
    done = folder.run()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["not judged: its constructor crashed"])


def test_all_is_well(folder: Folder) -> None:
    folder.library([case(), case("any.two")])
    done = folder.run()
    done.assert_outcomes(passed=2)
    assert done.ret == 0


def test_cases_are_chosen_by_marker_keyword_and_id(folder: Folder) -> None:
    folder.library([case(), case("any.two"), case("object.three", **SHOULD)])
    folder.run("--strict-markers", "-m", "tvmffi_must").assert_outcomes(passed=2, deselected=1)
    folder.run("-m", "tvmffi_should").assert_outcomes(passed=1, deselected=2)
    folder.run("-k", "ANY-2").assert_outcomes(passed=1, deselected=2)
    folder.run("-k", "object").assert_outcomes(passed=1, deselected=2)
    folder.run("k.so::any.two").assert_outcomes(passed=1)
    listed = folder.run("--collect-only", "-q").stdout.lines
    assert listed[:3] == ["k.so::any.one", "k.so::any.two", "k.so::object.three"]


def test_it_stands_beside_other_tests_and_each_case_is_there_once(folder: Folder) -> None:
    folder.library([case()])
    folder.library([case("any.two")], "build/far.so")
    folder.library([case("any.two")], "unasked.so")
    folder.pytester.makepyfile(test_own="def test_own(): pass")
    done = folder.run("-v", libraries=("k.so", "build/far.so", "k.so"))
    done.assert_outcomes(passed=3)
    assert "collected 3 items" in done.stdout.str()
    done.stdout.fnmatch_lines_random(["build/far.so::any.two PASSED*", "k.so::any.one PASSED*"])
    assert sorted(runs(folder.program)) == ["far.so", "k.so"]


def test_without_the_option_nothing_happens(folder: Folder) -> None:
    folder.library([case("any.fails", "fail")])
    folder.pytester.makepyfile(test_own="def test_own(): pass")
    folder.run(libraries=()).assert_outcomes(passed=1)
    assert not runs(folder.program)


def test_a_waiver_that_meets_nothing_fails(folder: Folder) -> None:
    folder.library([case()], unmatched_waivers=["any.gone"])
    done = folder.run()
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*any.gone* meets no case that was run; take it out*"])


def test_options_reach_the_program(folder: Folder) -> None:
    (folder.root / "k.so").write_text("good 0.1.9")
    paths = [
        f"--tvmffi-conform-{name}=x/{name}"
        for name in ("runtime", "signatures", "same-as", "waivers")
    ]
    globs = ["--tvmffi-conform-filter=a*", "--tvmffi-conform-exclude=b*"]
    (folder.root / "gate.json").write_text("{}")
    words = {"gate": "gate.json", "scope": "core", "min-judged": "0"}
    more = [f"--tvmffi-conform-{name}={word}" for name, word in words.items()]
    folder.run(*paths, *globs, *more, "--tvmffi-conform-strict").assert_outcomes(passed=2)
    told = (folder.program.parent / "arguments").read_text().split()
    expected = [
        word
        for name in ("runtime", "signatures", "same-as", "waivers")
        for word in (f"--{name}", name)
    ]
    assert [Path(word).name for word in told] == [
        "--strict",
        *("--gate", "gate.json", "--scope", "core", "--min-judged", "0"),
        *expected,
        *("--filter", "a*", "--exclude", "b*"),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (None, "*k.so: no such file"),
        ("unloadable", "*k.so: it cannot be loaded: no such symbol"),
        ("cut", "*truncated*"),
        ("crash", "*k.so: boom"),
    ],
)
def test_a_library_that_cannot_be_judged(folder: Folder, words: str | None, said: str) -> None:
    if words:
        (folder.root / "k.so").write_text(words)
    done = folder.run()
    assert done.ret not in (0, 5)
    assert not done.parseoutcomes().get("passed")
    done.stdout.fnmatch_lines([said])
    folder.pytester.makepyfile(test_own="def test_own(): pass")
    assert folder.run("test_own.py").ret not in (0, 5)


def test_what_a_library_says_stays_text(folder: Folder) -> None:
    hostile = evidence(what="\x1b[2J\u202e", seen="a\nb")
    folder.library([case("any.fails", "fail", evidence=[hostile])])
    text = folder.run().stdout.str()
    assert "\\x1b[2J\\u202e: expected None (0), actual a\\nb" in text
    assert "\x1b[2J" not in text


def test_level_and_clauses_are_in_the_junit_file(folder: Folder) -> None:
    folder.library([case()])
    folder.run("--junitxml=j.xml")
    found = xml.parse(folder.root / "j.xml").getroot().iter("property")
    assert [(p.get("name"), p.get("value")) for p in found] == [
        ("clauses", "ANY-1"),
        ("level", "MUST"),
    ]
