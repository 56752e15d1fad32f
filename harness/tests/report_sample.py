# SPDX-License-Identifier: Apache-2.0
"""Reports made up for tests: sound by the schema, and as good or bad as a test wants them."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

# Tests are skipped where a package is missing; the program for tests, started often, needs none.
if "pytest" in sys.modules:
    for module in ("fastjsonschema", "jinja2", "jsonschema", "typer"):
        sys.modules["pytest"].importorskip(module)

KINDS = {"fail": "expectation", "xfail": "expectation"}


def clause(identity: str = "ANY-1", **changes: object) -> dict:
    made = {
        "id": identity,
        "level": "MUST",
        "standing": "holds",
        "chapter": identity.split("-")[0].lower(),
        "title": f"title of {identity}",
        "text": f"text of {identity} with `code`\n\nand a second paragraph",
        "source": "a document",
        "since": "0.1.0",
        "until": None,
    }
    return {**made, **changes}


def evidence(**changes: object) -> dict:
    made = {
        "what": "the value",
        "expected": "None (0)",
        "seen": "Int (1)",
        "note": "",
        "source": "any.c:12",
        "expected_bytes": None,
        "seen_bytes": None,
    }
    return {**made, **changes}


def case(identity: str = "any.one", verdict: str = "pass", **changes: object) -> dict:
    bad = verdict in ("fail", "xfail")
    made = {
        "id": identity,
        "title": f"title of {identity}",
        "clauses": ["ANY-1"],
        "level": "MUST",
        "verdict": verdict,
        "fail_kind": KINDS.get(verdict),
        "reason": "" if bad or verdict == "pass" else "a reason",
        "duration_us": 10,
        "expectations": {"held": 1, "failed": int(bad)},
        "evidence": [evidence()] if bad else [],
        "crash": None,
        "output": None,
        "waiver": {"reason": "known", "url": None, "expires": None}
        if verdict in ("xfail", "xpass")
        else None,
    }
    return {**made, **changes}


def standings(clauses: list[dict], level: str) -> dict:
    found = [c["standing"] for c in clauses if c["level"] == level]
    return {"holds": found.count("holds"), "judged": found.count("holds") + found.count("broken")}


def settle(clauses: list[dict], cases: list[dict]) -> None:
    """Gives each clause the standing that the cases which cite it add up to."""
    for entry in clauses:
        verdicts = {c["verdict"] for c in cases if entry["id"] in c["clauses"]}
        entry["standing"] = (
            "broken"
            if verdicts & {"fail", "xfail"}
            else "holds"
            if verdicts & {"pass", "xpass"}
            else "not_judged"
        )


def report(
    cases: list[dict] | None = None,
    clauses: list[dict] | None = None,
    version: str = "0.1.9",
    name: str = "libtvm_ffi.so",
    **changes: object,
) -> dict:
    cases = [case()] if cases is None else cases
    if clauses is None:
        cited = dict.fromkeys(c for entry in cases for c in entry["clauses"])
        clauses = [clause(identity) for identity in cited]
    settle(clauses, cases)
    count = Counter(c["verdict"] for c in cases)
    warnings = sum(
        c["level"] == "SHOULD" and c["verdict"] in ("fail", "inconclusive") for c in cases
    )
    counted = count["fail"] + count["inconclusive"] + count["xpass"] - warnings
    made = {
        "format": "tvmffi-conform-report/1",
        "suite": {
            "name": "tvmffi-conform",
            "version": "0.1.0",
            "clauses_digest": "0123456789abcdef",
            "battery_digest": "0123456789abcdef",
        },
        "library": {
            "name": name,
            "sha256": hashlib.sha256(version.encode()).hexdigest(),
            "build_id": None,
            "soname": None,
            "machine": "x86-64",
            "reported_version": version,
            "profile": "runtime",
            "generation": "0.1",
            "functions": {"present": 50, "known": 50, "missing": []},
            "sanitizers": [],
        },
        "environment": {
            "os": "Linux",
            "kernel": "6.1",
            "machine": "x86_64",
            "libc": "glibc 2.36",
            "cpus": 2,
        },
        "selection": {
            "filters": [],
            "excludes": [],
            "level": "SHOULD",
            "strict": False,
            "shard": None,
            "shuffle": None,
            "repeat": 1,
        },
        "isolation": "fork",
        "jobs": 2,
        "started_at": "2026-01-02T03:04:05Z",
        "duration_us": 1_234_567,
        "complete": True,
        "conforms": counted == 0,
        "exit_code": int(counted != 0),
        "totals": {
            "cases": len(cases),
            "run": len(cases) - count["skip"],
            "not_run": 0,
            **{
                verdict: count[verdict]
                for verdict in ("pass", "fail", "skip", "inconclusive", "xfail", "xpass")
            },
            "crashed": 0,
            "exited": 0,
            "timed_out": 0,
            "warnings": warnings,
            "skip_reasons": int(count["skip"] > 0),
            "must_clauses": standings(clauses, "MUST"),
            "should_clauses": standings(clauses, "SHOULD"),
        },
        "unmatched_waivers": [],
        "clauses": clauses,
        "cases": cases,
    }
    return {**made, **changes}


def interrupted(**changes: object) -> dict:
    made = report([case(), case("any.two", "inconclusive", reason="its turn did not come")])
    made["totals"]["not_run"] = 1
    return {**made, "complete": False, "conforms": False, "exit_code": 130, **changes}


def write(path: Path, document: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="ascii")
    return path


def inspected_file(**changes: object) -> dict:
    made = {
        "name": "kernel.so",
        "path": "wheels/kernel.so",
        "size": 4096,
        "sha256": "0" * 64,
        "build_id": None,
        "kind": "shared library",
        "machine": "x86-64",
        "bits": 64,
        "byte_order": "little",
        "profile": "module",
        "functions": [{"name": "main", "metadata": False, "doc": False}],
        "library_ctx": True,
        "cubins": 0,
        "device_code": 0,
        "api": {
            "floor": "0.1.9",
            "oldest_release": "0.1.9",
            "linking": "direct imports",
            "libtvm_ffi_needed": True,
            "needs": [],
            "releases_lacking": {},
            "export_count": 0,
            "covers_release": None,
            "missing": [],
        },
        "soname": None,
        "needed": [],
        "rpath": None,
        "runpath": None,
        "glibc": None,
        "glibcxx": None,
        "cxxabi": None,
        "headers_since": None,
        "headers_until": None,
        "key_functions_since": None,
        "import_count": 0,
        "imports": [],
        "export_count": 0,
        "exports": [],
        "library_bin": None,
        "metadata_texts": [],
        "findings": [],
        "findings_not_listed": {},
    }
    return {**made, **changes}


def embedded(modules: list[dict], **changes: object) -> dict:
    made = {
        "state": "sound",
        "symbol": "__tvm_ffi__library_bin",
        "file_offset": 64,
        "symbol_size": 52,
        "nbytes": 44,
        "module_count": len(modules),
        "modules": modules,
        "problem": None,
    }
    return {**made, **changes}


def inspection(files: list[dict], **changes: object) -> dict:
    totals = {"files": len(files), "unreadable": 0, "unknown": 0}
    made = {
        "format": "tvmffi-conform-inspect/1",
        "suite": {"name": "tvmffi-conform", "version": "0.1.0"},
        "exit_code": 0,
        "totals": {**totals, "errors": 0, "warnings": 0, "notes": 0},
        "files": files,
        "unreadable": [],
    }
    return {**made, **changes}
