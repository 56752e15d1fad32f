#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of JSON reports: make_report.py FOLDER NAME."""

from __future__ import annotations

import json
import sys
from pathlib import Path

VERDICTS = ("pass", "fail", "skip", "inconclusive", "xfail", "xpass")
COUNTED = (
    "cases",
    "run",
    "not_run",
    *VERDICTS,
    "crashed",
    "exited",
    "timed_out",
    "warnings",
)


def evidence() -> dict:
    texts = {
        "what": "a count",
        "expected": "2",
        "seen": "1",
        "note": "before",
        "source": "a.c:1",
    }
    return {**texts, "expected_bytes": "0b" * 16, "seen_bytes": ".." * 8 + "**" * 8}


def case(name: str, verdict: str, **changes: object) -> dict:
    failed = verdict in ("fail", "xfail")
    waived = {"reason": "known", "url": None, "expires": "2027-01-31"}
    made = {
        "id": name,
        "title": "what must hold",
        "clauses": ["ANY-1"],
        "level": "MUST",
        "verdict": verdict,
        "fail_kind": "expectation" if failed else None,
        "reason": "" if failed or verdict == "pass" else "a reason",
        "duration_us": 10,
        "expectations": {"held": 1, "failed": int(failed)},
        "evidence": [evidence()] if failed else [],
        "crash": None,
        "output": None,
        "waiver": waived if verdict in ("xfail", "xpass") else None,
    }
    return {**made, **changes}


def clause(name: str) -> dict:
    texts = {
        "id": name,
        "level": "MUST",
        "standing": "holds",
        "chapter": "any",
        "title": "A title",
    }
    return {
        **texts,
        "text": "A text.",
        "source": "a page",
        "since": "0.1.0",
        "until": None,
    }


def report(*cases: dict, **changes: object) -> dict:
    suite = {"name": "tvmffi-conform", "version": "0.1.0"}
    digests = {
        "clauses_digest": "0123456789abcdef",
        "battery_digest": "0123456789abcdef",
    }
    library = {"name": "x.so", "sha256": "0" * 64, "build_id": "ab", "soname": "x.so"}
    library |= {"machine": "x86-64", "reported_version": "0.1.9", "profile": "runtime"}
    library |= {"generation": "0.1", "sanitizers": ["address"]}
    library["functions"] = {"present": 1, "known": 2, "missing": ["TVMFFIGetVersion"]}
    selection = {"filters": [], "excludes": ["a*"], "level": "SHOULD", "strict": False}
    selection |= {"shard": None, "shuffle": "7", "repeat": 2}
    pair = {"holds": 1, "judged": 1}
    return {
        "format": "tvmffi-conform-report/1",
        "suite": {**suite, **digests},
        "library": library,
        "environment": {
            "os": "L",
            "kernel": "6",
            "machine": "m",
            "libc": "g",
            "cpus": 2,
        },
        "selection": selection,
        "isolation": "fork",
        "jobs": 2,
        "started_at": "2026-11-21T02:30:00Z",
        "duration_us": 1,
        "complete": True,
        "conforms": True,
        "exit_code": 0,
        "totals": {
            **dict.fromkeys(COUNTED, 0),
            "skip_reasons": 0,
            "must_clauses": pair,
            "should_clauses": pair,
        },
        "unmatched_waivers": [],
        "clauses": [clause("ANY-1"), clause("ANY-2")],
        "cases": list(cases),
        **changes,
    }


def crashed() -> dict:
    crash = {"signal": "SIGSEGV", "address": "0x8", "where": "F+0x1", "fence": "args"}
    said = {"text": "out\n", "bytes": 4}
    return case("any.wild", "fail", fail_kind="crash", crash=crash, output=said, evidence=[])


def grouped(names: list | None, count: int) -> dict:
    """A report on a module with two functions."""
    group = {
        "id": "kernel.b",
        "title": "A title",
        "clauses": ["ANY-1"],
        "level": "MUST",
    }
    group |= {"verdict": "skip", "reason": "why", "of_headers": False, "duration_us": 1}
    group |= {"held": 0, "count": count, "functions": names}
    fact = {"of": "x", "what": "int", "from": "file"}
    tried = {"what": "x: 1", "promise": "explored", "end": "refused", "times": 2}
    unjudged = {"why": "why", "count": 1, "line": None}
    said = {"facts": [fact], "tried": [tried], "tried_more": 0, "unjudged": [unjudged]}
    functions = [{"name": name, "origin": "file", **said} for name in "fg"]
    return report(format="tvmffi-conform-report/2", groups=[group], functions=functions)


def judged(standing: str) -> dict:
    """What has a verdict, as reports have since there is one."""
    gate = {"name": "must", "level": "MUST", "reason": None, "rules": 0}
    must = {"judged": 1, "applicable": 1, "percent": 100, "min_percent": 50}
    said = {"standing": standing, "exit_code": 0, "text": "it is", "reasons": []}
    return {**said, "gate": gate, "must": must, "scopes": [], "scopes_why": "asked for"}


def chosen(**changes: object) -> dict:
    """A selection that leaves cases out."""
    return {**report()["selection"], "excludes": [], **changes}


def seeds() -> dict[str, list[dict]]:
    every = [case(f"any.{verdict}", verdict) for verdict in VERDICTS]
    passes = [case(f"any.{verdict}", "pass") for verdict in VERDICTS]
    both = case("any.both", "fail", clauses=["ANY-1", "ANY-2"], level="SHOULD")
    return {
        "empty": [report()],
        "alone": [report(case("any.one", "pass"))],
        "worse": [report(*passes), report(*every)],
        "better": [report(*every), report(*passes)],
        "crash": [report(), report(crashed(), both)],
        "repeated": [
            report(case("a.b", "pass")),
            report(case("a.b", "pass"), case("a.b", "fail")),
        ],
        "interrupted": [report(complete=False)],
        "later": [report(format="tvmffi-conform-report/9")],
        "grouped": [grouped(None, 2), grouped(["f"], 1), grouped(["f"], 2)],
        "inspect": [{"format": "tvmffi-conform-inspect/1"}],
        "twice": [report(case("a.b", "pass"), case("a.b", "pass"), case("a.b", "pass"))],
        "stranger": [report(case("a.b", "pass", clauses=["ANY-3"]))],
        "clauses": [report(clauses=[clause("ANY-1"), clause("ANY-1")])],
        "contradiction": [report(case("a.b", "pass", fail_kind="exit"))],
        "unwaived": [report(case("a.b", "xpass", waiver=None))],
        "uncrashed": [report(case("a.b", "fail", fail_kind="crash"))],
        "reasoned": [report(case("a.b", "pass", reason="why"))],
        "evident": [report(case("a.b", "pass", evidence=[evidence()]))],
        "grouped_stranger": [{**grouped(None, 2), "clauses": [clause("ANY-2")]}],
        "judged": [
            report(verdict=judged("conforms")),
            report(verdict=judged("broken_known")),
        ],
        "not_judged": [report(complete=False, verdict=judged("not_judged"))],
        "stopped": [report(complete=False, verdict=judged("conforms"))],
        "left_out": [
            report(selection=chosen(filters=["a*"])),
            report(selection=chosen()),
        ],
        "sharded": [
            report(selection=chosen(shard={"index": 1, "count": 2})),
            report(selection=chosen(level="MUST")),
        ],
    }


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, reports in seeds().items():
        # Spaces cost a fuzzer time, and so do words at a line's end.
        texts = [json.dumps(one, separators=(",", ":")) for one in reports]
        (folder / f"{name}.json").write_text("\n#\n".join(texts), encoding="utf-8")
    whole = (folder / "alone.json").read_bytes()
    (folder / "cut.json").write_bytes(whole[: len(whole) // 2])
    (folder / "packed.json").write_bytes(b"\x1f\x8b\x08")


if __name__ == "__main__":
    main()
