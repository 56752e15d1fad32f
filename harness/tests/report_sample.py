# SPDX-License-Identifier: Apache-2.0
"""Reports made up for tests: sound by the schema, and as good or bad as a test wants them."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

# Tests are skipped where a package is missing; the program for tests, started often, needs none.
if "pytest" in sys.modules:
    for module in ("fastjsonschema", "jinja2", "jsonschema", "typer"):
        sys.modules["pytest"].importorskip(module)

LEVELS = ("MUST", "SHOULD", "HARDENING")
EXIT_CODES = {
    "conforms": 0,
    "broken_known": 0,
    "does_not_conform": 1,
    "inconclusive": 5,
    "not_judged": 3,
}
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


def counts(clauses: list[dict], cases: list[dict], level: str) -> dict:
    applies = {c for entry in cases if entry["verdict"] != "skip" for c in entry["clauses"]}
    found = [c for c in clauses if c["level"] == level and c["id"] in applies]
    return {**standings(found, level), "applicable": len(found)}


def verdict(document: dict, standing: str | None = None, **changes: object) -> dict:
    """What the program would say of a report without rules in its gate; all clauses are core."""
    totals, chosen = document["totals"], document["selection"]
    clauses, cases = document["clauses"], document["cases"]
    levels = {level.lower(): counts(clauses, cases, level) for level in LEVELS}
    judged, applicable = levels["must"]["judged"], levels["must"]["applicable"]
    percent = judged * 100 // applicable if applicable else 100
    bad = totals["fail"] + totals["inconclusive"] - totals["not_run"] - totals["warnings"]
    reasons = [f"{bad + totals['xpass']} cases failed"] * bool(bad + totals["xpass"])
    reasons += ["1 waiver is unused"] * bool(document["unmatched_waivers"])
    if standing is None:
        standing = (
            "does_not_conform"
            if reasons
            else "inconclusive"
            if not document["complete"] or not totals["run"] or percent < 50
            else "broken_known"
            if totals["xfail"]
            else "conforms"
        )
    if standing == "inconclusive":
        reasons = [
            f"{judged} of {applicable} applicable MUST clauses could be judged, "
            "less than 50 % (--min-judged)"
            if document["complete"]
            else "the run was interrupted"
        ]
    if standing == "broken_known":
        reasons = [f"{totals['xfail']} cases failed as waivers expect"]
    if standing == "not_judged":
        reasons = ["its constructor crashed"]
    level = "SHOULD" if chosen["strict"] else "MUST"
    made = {
        "standing": standing,
        "exit_code": EXIT_CODES[standing] if document["complete"] else 130,
        "text": standing,
        "reasons": reasons,
        "gate": {"name": level.lower(), "level": level, "reason": None, "rules": 0},
        "must": {
            "judged": judged,
            "applicable": applicable,
            "percent": percent,
            "min_percent": 50,
        },
        "scopes_why": None,
        "scopes": [{"scope": "core", **levels}],
    }
    return {**made, **changes}


def decided(document: dict, standing: str | None = None, **changes: object) -> dict:
    """The report with a verdict, and with what stands beside it."""
    made = verdict(document, standing, **changes)
    counting = LEVELS[: LEVELS.index(made["gate"]["level"]) + 1]
    for entry in document["cases"]:
        bad = entry["verdict"] in ("fail", "inconclusive") and entry["level"] in counting
        if bad or entry["verdict"] == "xpass":
            entry.setdefault("counts", True)
    good = made["standing"] in ("conforms", "broken_known")
    return {**document, "verdict": made, "conforms": good, "exit_code": made["exit_code"]}


def older(document: dict) -> dict:
    """The report as one of before there were verdicts."""
    cases = [{k: v for k, v in entry.items() if k != "counts"} for entry in document["cases"]]
    kept = {key: value for key, value in document.items() if key != "verdict"}
    return {**kept, "cases": cases}


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
    strict = changes.get("selection", {}).get("strict", False)
    counting = LEVELS[:2] if strict else LEVELS[:1]
    warnings = sum(
        c["level"] not in counting and c["verdict"] in ("fail", "inconclusive") for c in cases
    )
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
            "level": "HARDENING",
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
        "conforms": True,
        "exit_code": 0,
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
    return decided({**made, **changes})


def group(identity: str = "kernel.b", **changes: object) -> dict:
    """Cases about functions that did not apply, for one reason."""
    functions = changes.get("functions", ["f"])
    return {
        "id": identity,
        "title": "a title",
        "clauses": ["ANY-1"],
        "level": "MUST",
        "verdict": "skip",
        "reason": "why",
        "of_headers": False,
        "duration_us": 0,
        "held": 0,
        "count": len(functions) if isinstance(functions, list) else 0,
        "functions": functions,
        **changes,
    }


def function(name: str, **changes: object) -> dict:
    """What a report says of a function about which nobody knew anything."""
    blank: dict = {"facts": [], "tried": [], "tried_more": 0, "unjudged": []}
    return {"name": name, "origin": "nobody", **blank, **changes}


def grouped(groups: list[dict]) -> dict:
    """A report on a module with the functions f, g and h."""
    functions = [function(name) for name in "fgh"]
    return report(format="tvmffi-conform-report/2", groups=groups, functions=functions)


def vague() -> list[dict]:
    """Nothing counts against the library, and one MUST clause of three could be judged."""
    kept = {"level": "SHOULD"}
    rest = [case(f"any.{n}", "inconclusive", clauses=[f"ANY-{n}"], **kept) for n in (2, 3)]
    return [case(), *rest]


def interrupted(**changes: object) -> dict:
    made = report([case(), case("any.two", "inconclusive", reason="its turn did not come")])
    made["totals"]["not_run"] = 1
    return decided({**made, "complete": False, **changes})


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
        "format": "ELF",
        "kind": "shared library",
        "machine": "x86-64",
        "bits": 64,
        "byte_order": "little",
        "profile": "module",
        "functions": [{"name": "main", "metadata": False, "doc": False}],
        "library_ctx": True,
        "cubins": 0,
        "device_code": 0,
        "device_targets": [],
        "macho": None,
        "pe": None,
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


def place(library: str | None = "/lib/binding.so", offset: int = 0x120, **more: object) -> dict:
    return {"library": library, "offset": offset, "symbol": None, "symbol_offset": 0, **more}


def finding(**more: object) -> dict:
    made = {
        "kind": "finding",
        "weight": "error",
        "clause": "CALL-1",
        "level": "MUST",
        "title": "The padding of a value is zero",
        "check": "argument-padding",
        "group": "values",
        "blame": "caller",
        "text": "argument 0: the bytes at offset 4 are 0x7, not 0",
        "function": "TVMFFIFunctionCall",
        "caller": place(),
        "callee": place("/lib/kernel.so", 0x40, symbol="add", symbol_offset=4),
        "count": 2,
        "pid": 7,
        "thread": 7,
    }
    return {**made, **more}


def process(**more: object) -> dict:
    counts = dict.fromkeys(("function_calls", "module_calls", "functions", "objects"), 1) | {
        "mechanism": "audit",
        "lost_runtimes": 0,
        "lost_module_functions": 0,
    }
    calls = {"TVMFFIFunctionCall": 9, "TVMFFIObjectDecRef": 2}
    made = {"kind": "process", "pid": 7, "parent": None, "program": "python", "calls": calls}
    return {**made, **counts, "mechanism": "audit", **more}


def trace(findings: Sequence[dict] = (), **more: object) -> list[dict]:
    """The lines of a report."""
    errors = sum(one["weight"] == "error" for one in findings)
    whole = {
        "kind": "trace",
        "errors": errors,
        "advice": len(findings) - errors,
        "waived": 0,
        "crossings": 13,
        "exit_code": 0,
        "signal": None,
        "lost_findings": 0,
        "lost_processes": 0,
        "unwatched": 0,
        "inside": [],
        "calls": 0,
    }
    return [*findings, process(), {**whole, **more}]


def put(path: Path, lines: Sequence[dict]) -> Path:
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path
