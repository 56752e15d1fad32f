# SPDX-License-Identifier: Apache-2.0
"""What `inspect` writes: text, JSON, SARIF, policies; and what it says of what it can't read.

Usage: check_reports.py --tool TOOL [--python OTHER] --schemas FOLDER FILE...

Where jsonschema is missing, --python names another interpreter that may have it; without it there,
too, the exit code is 77, which CTest takes as skipped. The rules of SARIF 2.1.0 that matter for
readers are written down here: the standard's own schema is not part of this project.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

SKIPPED = 77
Json = dict[str, Any]


def run(tool: str, *arguments: str, where: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool, "inspect", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=where,
        errors="surrogateescape",
    )


# --- SARIF ---------------------------------------------------------------------------------------


def sarif_message(message: Json) -> bool:
    return isinstance(message.get("text"), str) and message["text"] != ""


def sarif_location(location: Json) -> bool:
    artifact = location["physicalLocation"]["artifactLocation"]
    region = location["physicalLocation"].get("region", {"byteOffset": 0, "byteLength": 0})
    uri = artifact["uri"]
    return (
        re.fullmatch(r"[!#$&-;=?-Z_a-z~%@]+", uri) is not None  # a URI reference, escaped
        and urlparse(uri).scheme in ("", "file")
        and region["byteOffset"] >= 0
        and region["byteLength"] >= 0
        and all(part.get("fullyQualifiedName") for part in location.get("logicalLocations", []))
    )


def sarif_rule(rule: Json) -> bool:
    return (
        bool(rule["id"])
        and sarif_message(rule["shortDescription"])
        and sarif_message(rule["fullDescription"])
        and sarif_message(rule["help"])
        and rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    )


def sarif_result(result: Json, rules: list[Json]) -> bool:
    return (
        rules[result["ruleIndex"]]["id"] == result["ruleId"]
        and result["level"] in ("none", "note", "warning", "error")
        and sarif_message(result["message"])
        and len(result["locations"]) == 1
        and sarif_location(result["locations"][0])
        and all(
            re.fullmatch("[0-9a-f]{32}", text) for text in result["partialFingerprints"].values()
        )
    )


def sarif_mistakes(log: Json) -> Iterator[str]:
    if log["version"] != "2.1.0" or set(log) != {"$schema", "version", "runs"}:
        yield "the log's properties"
    for part in log["runs"]:
        rules = part["tool"]["driver"]["rules"]
        if not part["tool"]["driver"]["name"] or len({rule["id"] for rule in rules}) != len(rules):
            yield "the driver has no name, or a rule twice"
        yield from (f"rule {rule['id']}" for rule in rules if not sarif_rule(rule))
        yield from (
            f"result {result['ruleId']}"
            for result in part["results"]
            if not sarif_result(result, rules)
        )
        for artifact in part["artifacts"]:
            if not re.fullmatch("[0-9a-f]{64}", artifact["hashes"]["sha-256"]):
                yield "the hash of an artifact"
        (invocation,) = part["invocations"]
        notes = invocation["toolExecutionNotifications"]
        if invocation["executionSuccessful"] != (not notes) or "exitCode" not in invocation:
            yield "the invocation"
        yield from (
            "a notification"
            for note in notes
            if not (sarif_message(note["message"]) and sarif_location(note["locations"][0]))
        )


# --- The files that are inspected -----------------------------------------------------------------


def hostile_names(folder: Path, library: Path) -> list[Path]:
    """A library under names that try to write on the terminal, and one that is cut short."""
    content = library.read_bytes()
    names = [
        "plain.so",
        "with space & ü.so",
        "\033[31mred\033[0m.so",
        "line\nbreak.so",
        "bidi\u202e.so",
    ]
    paths = [folder / name for name in names]
    for path in paths:
        path.write_bytes(content)
    (folder / "cut.so").write_bytes(content[: len(content) // 2])
    (folder / "text.so").write_text("no library")
    return [*paths, folder / "cut.so", folder / "text.so"]


def check_text(tool: str, files: list[Path]) -> Iterator[str]:
    for more in ([], ["-v"], ["-q"]):
        done = run(tool, "--color=never", *more, *map(str, files))
        if re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", done.stdout + done.stderr):
            yield f"a control character in the text with {more}"
        if done.returncode != 3:
            yield f"exit code {done.returncode} where two files can't be read"
        if len(re.findall("(cut|text).so: is .+", done.stderr)) != 2:
            yield f"what can't be read is not named: {done.stderr}"
        if "5 files inspected" not in done.stdout:
            yield "the other files were not inspected"


def check_unreadable(tool: str, folder: Path) -> Iterator[str]:
    (folder / "empty").mkdir()
    causes = {
        folder / "empty": "has no library or wheel in it",
        folder / "missing": "No such file or directory",
        Path("/dev/null"): "is a character device",
    }
    for path, cause in causes.items():
        done = run(tool, str(path))
        if done.returncode != 3 or f"{path}: {cause}" not in done.stderr:
            yield f"{path}: exit code {done.returncode}, {done.stderr!r}"


# --- JSON and its schema -------------------------------------------------------------------------


def spoilt(report: Json) -> Iterator[tuple[str, Json]]:
    """Copies of a good report with one thing wrong each: a schema that takes them is no good."""
    copied = copy.deepcopy(report)
    copied["sandbox"]["promises"]["files"] = "kept"
    yield "with a wrong promise", copied
    for key in report:
        if key == "sandbox":  # older reports have none
            continue
        copied = copy.deepcopy(report)
        del copied[key]
        yield f"without {key}", copied
    for key in report["files"][0]:
        copied = copy.deepcopy(report)
        del copied["files"][0][key]
        yield f"without {key} in a file", copied
        copied = copy.deepcopy(report)
        copied["files"][0][key] = object
        yield f"with a wrong {key} in a file", copied
    copied = copy.deepcopy(report)
    copied["files"][0]["unheard_of"] = 1
    yield "with a surplus member", copied


def check_schema(validator: Any, report: Json, what: str) -> Iterator[str]:
    for error in validator.iter_errors(report):
        yield f"{what}: {error.json_path}: {error.message[:200]}"


def check_reports(tool: str, files: list[Path], where: Path, validators: Json) -> Iterator[str]:
    paths = [str(path) for path in files]
    run(tool, "--report=json:a.json", "--report=sarif:a.sarif", *paths, where=where)
    run(tool, "--report=json:b.json", "--report=sarif:b.sarif", *paths, where=where)
    for kind in ("json", "sarif"):
        if (where / f"a.{kind}").read_bytes() != (where / f"b.{kind}").read_bytes():
            yield f"two {kind} reports on the same files differ"
    report = json.loads((where / "a.json").read_text())
    yield from check_schema(validators["inspect"], report, "report")
    for what, copied in spoilt(report):
        if validators["inspect"].is_valid(copied):
            yield f"the schema accepts a report {what}"
    if len(report["files"]) + len(report["unreadable"]) != len(files):
        yield "the report lacks files"
    sarif = json.loads((where / "a.sarif").read_text())
    yield from (f"SARIF: {mistake}" for mistake in sarif_mistakes(sarif))
    if len(sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]) != 2:
        yield "SARIF does not tell of the files that can't be read"


# --- Policies ------------------------------------------------------------------------------------

FORMAT = '{\n "format": "tvmffi-conform-policy/1",\n'
BAD_POLICIES = [
    ("{", ":1:1: the file is truncated"),
    ("[]", ":1: must be an object"),
    ('{"format": "x"}', ":1: format: must be"),
    ("{}", 'lacks "format"'),
    (FORMAT + ' "abi_flor": "0.1.0"\n}', ':3: abi_flor: unknown key "abi_flor"'),
    (FORMAT + ' "glibc": "2.1",\n "glibc": "2.2"\n}', ":4:8: not JSON: dup"),
    (FORMAT + ' "abi_floor": "newest"\n}', ':3: abi_floor: is not a version: "newest"'),
    (FORMAT + ' "abi_floor": 1\n}', ":3: abi_floor: must be a string"),
    (FORMAT + ' "exports": {\n  "allowed": ["a",\n   7]}\n}', ":5: exports.allowed[1]: must be"),
    (FORMAT + ' "imports": {"required": []}\n}', ":3: imports.required: unknown key"),
    (FORMAT + ' "findings": [\n  {"id": "x.y", "level": "none", "reason": "r"}]\n}',
     ':4: findings[0].id: unknown finding: "x.y"'),
    (FORMAT + ' "findings": [\n  {"id": "symbols.hidden",\n   "level": "low", "reason": "r"}]\n}',
     ':5: findings[0].level: unknown level: "low"'),
    (FORMAT + ' "findings": [\n  {"id": "symbols.hidden", "level": "none"}]\n}',
     ':4: findings[0]: lacks "reason"'),
    (FORMAT + ' "findings": [\n  {"id": "symbols.hidden", "level": "none", "reason": " "}]\n}',
     ":4: findings[0].reason: is empty"),
    ('{"format": 1}', ":1: format: must be"),
    (FORMAT + ' "exports": {"allowed": "a"}\n}', ":3: exports.allowed: must be a list of globs"),
    (FORMAT + ' "exports": []\n}', ":3: exports: must be an object"),
    (FORMAT + ' "findings": {}\n}', ":3: findings: must be a list of objects"),
    (FORMAT + ' "findings": [1]\n}', ":3: findings[0]: must be an object"),
    (FORMAT + ' "findings": [{"id": 1}]\n}', ":3: findings[0].id: must be a string"),
    (FORMAT + ' "findings": [{"level": 1}]\n}', ":3: findings[0].level: must be a string"),
    (FORMAT + ' "findings": [{"reason": 1}]\n}', ":3: findings[0].reason: must be a string"),
    (FORMAT + ' "files": []\n}', ":3: files: must be an object: globs and rules"),
    (FORMAT + ' "files": {\n  "*.so": {"format": "x"}}\n}', ":4: files.*.so.format: unknown key"),
]  # fmt: skip


def check_bad_policies(tool: str, library: Path, where: Path) -> Iterator[str]:
    for text, words in BAD_POLICIES:
        (where / "bad.json").write_text(text)
        done = run(tool, "--policy=bad.json", str(library), where=where)
        if done.returncode != 2 or words not in done.stderr or "bad.json" not in done.stderr:
            yield f"policy {text!r}: exit code {done.returncode}, {done.stderr!r}"
    for option in ("--policy", "--baseline"):
        done = run(tool, f"{option}=missing.json", str(library), where=where)
        if done.returncode != 2 or "missing.json: No such file" not in done.stderr:
            yield f"{option}: exit code {done.returncode}, {done.stderr!r}"


def check_written_policy(
    tool: str, files: list[Path], where: Path, validators: Json
) -> Iterator[str]:
    for chosen in (files[:1], files):
        paths = [str(path) for path in chosen]
        run(tool, "--write-policy=today.json", *paths, where=where)
        policy = json.loads((where / "today.json").read_text())
        yield from check_schema(validators["policy"], policy, "policy")
        done = run(tool, "--strict", "--policy=today.json", *paths, where=where)
        if done.returncode != 0:
            yield f"the policy for {len(chosen)} files is not satisfied: {done.stdout[-600:]}"
        yield from check_tightened(tool, paths, where, policy)


def check_tightened(tool: str, paths: list[str], where: Path, policy: Json) -> Iterator[str]:
    """A written policy is tight: without its first export it no longer holds."""
    for rules in [policy, *policy.get("files", {}).values()]:
        allowed = rules.get("exports", {}).get("allowed")
        if not allowed:
            continue
        removed = allowed.pop(0)
        (where / "tight.json").write_text(json.dumps(policy))
        allowed.insert(0, removed)
        if run(tool, "--policy=tight.json", *paths, where=where).returncode != 1:
            yield f"the policy allows {removed} though it does not list it"


def check_baseline(tool: str, library: Path, other: Path, where: Path) -> Iterator[str]:
    old = ["--report=json:old.json", str(library)]
    run(tool, *old, str(other), where=where)
    for paths, code in (([library, other], 0), ([library], 1)):
        done = run(tool, "--baseline=old.json", *map(str, paths), where=where)
        worst = run(tool, *map(str, paths), where=where).returncode
        if done.returncode != max(code, worst):
            yield f"baseline: exit code {done.returncode} for {len(paths)} files of 2"
    (where / "odd.json").write_text('{"format": "tvmffi-conform-inspect/1", "files": [{}]}')
    done = run(tool, "--baseline=odd.json", str(library), where=where)
    if done.returncode != 2 or "odd.json: files[0]: lacks" not in done.stderr:
        yield f"baseline: exit code {done.returncode}, {done.stderr!r}"


def validators_of(folder: Path, validator: Callable[[Json], Any]) -> Json:
    schemas = {
        name: json.loads((folder / f"{name}.schema.json").read_text())
        for name in ("inspect", "policy")
    }
    return {name: validator(schema) for name, schema in schemas.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--python", type=Path)
    parser.add_argument("--schemas", type=Path, required=True)
    parser.add_argument("files", type=Path, nargs="+", help="two or more sound libraries")
    options = parser.parse_args()
    try:
        import jsonschema
    except ImportError:
        if options.python and options.python.exists() and Path(sys.executable) != options.python:
            os.execv(options.python, [str(options.python), *sys.argv])
        print("skipped: no jsonschema here; `make test` installs it")
        return SKIPPED
    validators = validators_of(options.schemas, jsonschema.Draft202012Validator)
    for validator in validators.values():
        jsonschema.Draft202012Validator.check_schema(validator.schema)
    tool, first, second = options.tool, options.files[0], options.files[1]
    with tempfile.TemporaryDirectory() as name:
        where = Path(name)
        files = hostile_names(where, first)
        mistakes = [
            *check_text(tool, files),
            *check_unreadable(tool, where),
            *check_reports(tool, [*files, *options.files], where, validators),
            *check_bad_policies(tool, first, where),
            *check_written_policy(tool, options.files, where, validators),
            *check_baseline(tool, first, second, where),
        ]
    print(*mistakes, f"{len(mistakes)} mistakes", sep="\n")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
