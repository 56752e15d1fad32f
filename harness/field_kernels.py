#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges kernels as vendors write them: field_kernels.py TOOL OFFICIAL

The kernels are in the folders field, field_* of conformance/tests: C++ against the headers of
official wheels, which are in the folder OFFICIAL, compiled with -DBUG=0 (correct) or -DBUG=n. Each
is judged with its signature file, or what typed Python functions say, and without; the tables go to
the file that --report names. The exit status is 0 whatever the verdicts are, 1 if a kernel did not
compile.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tvmffi_conform import HarnessError
from tvmffi_conform.kernels import write_described
from tvmffi_conform.plan import read_toml

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "conformance" / "tests"
SETS = {
    "field": "The kernels of the suite",
    "field_unseen": "A set that was not used while the suite was made",
    "field_third": "A third set, written before the suite was run on it",
    "field_serving": "A fourth set, by three authors who had not seen the suite: serving",
    "field_arrays": "Of the fourth set: arrays, images, signals, training",
    "field_host": "Of the fourth set: functions of hosts and bindings",
    "field_planning": "A fifth set, by two authors who had not seen the suite: planning",
    "field_science": "Of the fifth set: science, images, host functions",
    "field_inference": "A sixth set, by two authors who had not seen the suite: inference",
    "field_data": "Of the sixth set: graphs, audio, columns of texts, training",
    "field_models": "A seventh set, by two authors who had not seen the suite: models",
    "field_records": "Of the seventh set: simulation, tables, texts, sequences",
    "field_signals": "An eighth set, by two authors who had not seen the suite: signals",
    "field_bindings": "Of the eighth set: host functions, objects, graphs, training",
    "field_media": "A ninth set, by two authors who had not seen the suite: media",
    "field_solvers": "Of the ninth set: solvers, tables, graphs, texts",
    "field_scenes": "A tenth set, by two authors who had not seen the suite: scenes",
    "field_tasks": "Of the tenth set: training, tables, texts, schedules",
    "field_decoding": "An eleventh set, by three authors who had not seen the suite: decoding",
    "field_numerics": "Of the eleventh set: arrays, training, numerics",
    "field_services": "Of the eleventh set: host functions",
    "field_engines": "A twelfth set, by three authors who had not seen the suite: engines",
    "field_operators": "Of the twelfth set: operators, training",
    "field_matchers": "Of the twelfth set: host functions",
    "field_layers": "A thirteenth set, by three authors who had not seen the suite: layers",
    "field_tokens": "Of the thirteenth set: host functions",
    "field_geometry": "Of the thirteenth set: numbers, graphs, geometry",
    "field_audio": "A fourteenth set, by two authors who had not seen the suite: audio, ranking",
    "field_shards": "Of the fourteenth set: low precision, shards, decoding",
    "field_right_files": "Right kernels alone, with much in their files",
    "field_right_python": "Right kernels alone, with Python functions",
    "field_right_holders": "Right kernels alone: containers, callbacks, objects, state",
    "field_right_tensors": "Right kernels alone: tensors of each kind",
    "field_right_values": "Right kernels alone: values of each kind",
    "field_right_styles": "Right kernels alone: in many styles",
    "field_right_arrays": "Right kernels alone: arrays and what they are given with",
    "field_right_objects": "Right kernels alone: objects, callbacks, texts, containers",
    "field_right_training": "Right kernels alone: lists of tensors, training",
    "field_right_host": "Right kernels alone: host functions",
    "field_right_images": "Right kernels alone: images, graphs, tables",
    "field_right_simulation": "Of these: texts, time series, simulation, callbacks",
    "field_right_text": "Right kernels alone: texts and records",
    "field_right_algebra": "Of these: linear algebra, geometry, quantised inference",
}
RELEASES = ("0.1.15.post2", "0.1.9", "0.1.0")
FLAGS = ["-std=c++17", "-O2", "-fPIC", "-pthread"]
VERDICTS = {0: "conforms", 1: "exit 1", 2: "refused", 3: "not loaded", 5: "inconclusive"}
WAYS = ("with", "without")


@dataclass(frozen=True)
class Bug:
    """A variant of a kernel; number 0 is the correct one."""

    kernel: str
    number: int
    text: str
    kind: str


@dataclass(frozen=True)
class Outcome:
    """How the tool ended on a variant, and the cases that failed and warned."""

    status: int | None
    failed: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        if self.status is None:
            return "timeout"
        return VERDICTS.get(self.status, f"exit {self.status}")


def numbers_in(source: str) -> set[int]:
    """The bugs that a source can be compiled with."""
    return {int(number) for number in re.findall(r"\bBUG (?:==|!=) (\d+)", source)}


def read_bugs(table: Path) -> tuple[list[Bug], dict[str, str]]:
    """All variants, the correct one of each kernel first, and what a signature file can't state."""
    bugs, unsaid = [], {}
    for kernel, entry in read_toml(table).items():
        bugs.append(Bug(kernel, 0, entry["does"], "correct"))
        unsaid[kernel] = entry.get("unsaid", "")
        for bug in entry["bugs"]:
            bugs.append(Bug(kernel, bug["bug"], bug["text"], bug["class"]))
    return bugs, unsaid


def digest(*parts: bytes | str) -> str:
    """A name for what is made of these parts."""
    total = hashlib.sha256()
    for part in parts:
        total.update(part.encode() if isinstance(part, str) else part)
        total.update(b"\0")
    return total.hexdigest()[:16]


def compile_once(command: list[str], out: Path) -> str:
    """Compiles what is not there yet; the compiler's output if it failed, else nothing."""
    if out.exists():
        return ""
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_suffix(".partial")
    done = subprocess.run(
        ["nice", *command, "-o", str(partial)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        return done.stderr or f"the compiler ended with {done.returncode}"
    partial.rename(out)
    return ""


def build(
    bug: Bug, kernels: Path, include: Path, folder: Path, more: Iterable[str] = ()
) -> tuple[Path, str]:
    """The module of a variant of a set, made with more flags, and why it did not compile."""
    (header,) = kernels.glob("*.h")
    source = kernels / f"{bug.kernel}.cc"
    compiler = ["g++", *FLAGS, *more, "-isystem", str(include)]
    common = digest(header.read_bytes(), *compiler)
    precompiled = folder / common / f"{header.name}.gch"
    error = compile_once([*compiler, "-x", "c++-header", str(header)], precompiled)
    if error:
        return precompiled, error
    (precompiled.parent / header.name).write_bytes(header.read_bytes())
    code = source.read_bytes()
    module = folder / common / f"{bug.kernel}-{bug.number}-{digest(code)}" / f"{bug.kernel}.so"
    flags = [f"-DBUG={bug.number}", "-include", str(precompiled.parent / header.name)]
    return module, compile_once([*compiler, *flags, "-shared", str(source)], module)


def signature_file(kernel: str, kernels: Path, folder: Path) -> Path:
    """NAME.json of a kernel, or what its NAME.py says, which stays in the folder."""
    written = kernels / f"{kernel}.json"
    if written.exists():
        return written
    described = written.with_suffix(".py")
    made = folder / f"{kernel}-signatures-{digest(described.read_bytes())}"
    made.mkdir(parents=True, exist_ok=True)
    try:
        return write_described(described, made)
    except HarnessError as error:
        print(f"{described.name}: {error}", file=sys.stderr)
        return made / "none"


def no_report(module: Path, signatures: Path | None, status: int, errors: str) -> str:
    """Which variant lacks its report, how the tool ended, and the last line that it wrote."""
    last = next(
        (line for line in reversed(errors.splitlines()) if line.strip()), "it wrote nothing"
    )
    way = f"with {signatures.name}" if signatures else "without a signature file"
    ended = f"signal {-status}" if status < 0 else f"exit code {status}"
    variant = module.parent.name.rpartition("-")[0]
    return f"{variant}, {way}: {ended} and no report: {last.strip()}"


def judge(tool: str, module: Path, signatures: Path | None, limit: float) -> Outcome:
    """Runs the tool on a module."""
    report = module.with_suffix(".with.json" if signatures else ".without.json")
    report.unlink(missing_ok=True)
    command = ["nice", tool, "run", str(module), "--quiet", "--jobs", "1"]
    command += ["--report", f"json:{report}"]
    if signatures:
        command += ["--signatures", str(signatures)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Outcome(None)
    if not report.exists():
        print(no_report(module, signatures, done.returncode, done.stderr), file=sys.stderr)
        return Outcome(done.returncode)
    return outcome(done.returncode, json.loads(report.read_text())["cases"])


def outcome(status: int, cases: Iterable[dict]) -> Outcome:
    """What a report holds of a run: cases that failed the gate, and those that only warned."""
    failed, warned = [], []
    for case in cases:
        if case["verdict"] == "fail":
            (failed if case["level"] == "MUST" else warned).append(case["id"])
    return Outcome(status, tuple(failed), tuple(warned))


def new_to(correct: Outcome, bug: Outcome) -> str:
    """The first case that the correct kernel passes and this one does not, without its function."""
    fails = [case for case in bug.failed if case not in correct.failed]
    warns = [case for case in bug.warned if case not in correct.warned]
    for cases, mark in ((fails, ""), (warns, " (warned)")):
        if cases:
            return f"`{cases[0].split('@')[0]}`{mark}"
    return ""


Results = dict[tuple[str, int, str], Outcome]


def counts(bugs: list[Bug], results: Results, way: str) -> dict[str, int]:
    """How many correct kernels failed, and how the bugs ended."""
    done = [bug for bug in bugs if (bug.kernel, bug.number, way) in results]

    def of(bug: Bug) -> Outcome:
        return results[bug.kernel, bug.number, way]

    wrong = [bug for bug in done if bug.number != 0]
    correct = {bug.kernel: of(bug) for bug in done if bug.number == 0}
    caught = [bug for bug in wrong if of(bug).status == 1]
    return {
        "correct kernels": len(correct),
        "of these failed (exit 1)": sum(found.status == 1 for found in correct.values()),
        "of these inconclusive (exit 5)": sum(found.status == 5 for found in correct.values()),
        "bugs": len(wrong),
        "bugs with exit 1": len(caught),
        "of these by a case that the correct kernel passes": sum(
            bool(set(of(bug).failed) - set(correct[bug.kernel].failed)) for bug in caught
        ),
        "bugs only warned of": sum(
            of(bug).status != 1 and bool(set(of(bug).warned) - set(correct[bug.kernel].warned))
            for bug in wrong
        ),
        "timeouts": sum(of(bug).status is None for bug in done),
    }


def tables(release: str, bugs: list[Bug], results: Results) -> list[str]:
    """The section of a release: counts, then each variant."""
    per_way = {way: counts(bugs, results, way) for way in WAYS}
    lines = [f"### Headers of {release}", "", "| | with signatures | without |", "|---|---:|---:|"]
    for label, number in per_way["with"].items():
        lines.append(f"| {label} | {number} | {per_way['without'][label]} |")
    lines += ["", "| kernel | bug | class | with signatures | by | without | by |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for bug in bugs:
        if any((bug.kernel, bug.number, way) not in results for way in WAYS):
            continue
        cells = [f"`{bug.kernel}`", bug.text if bug.number else "(correct)", bug.kind]
        for way in WAYS:
            found = results[bug.kernel, bug.number, way]
            base = results[bug.kernel, 0, way] if bug.number else Outcome(0)
            ours = Outcome(0, found.failed) if bug.number == 0 else found
            cells += [found.verdict, new_to(base, ours)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


HEAD = """# Kernels as vendors write them

Written by `make field` (`harness/field_kernels.py`) from the kernels in the folders `field` and
`field_*` of `conformance/tests`: C++ against the official headers, in a correct version and with
realistic bugs, one at a time. Each is judged inside the reference, with its signature file, or one
made from typed Python functions, and without. "By" is the first case that fails, or warns, on the
bug and passes on the correct kernel; for a correct kernel, the first that fails.
"""


def examine(
    bugs: list[Bug], kernels: Path, include: Path, options: argparse.Namespace
) -> tuple[Results, int]:
    """Builds and judges the variants of a set; how many did not compile is the second."""
    results: Results = {}
    files = {
        bug.kernel: signature_file(bug.kernel, kernels, options.build)
        for bug in bugs
        if bug.number == 0
    }

    def one(bug: Bug) -> bool:
        module, error = build(bug, kernels, include, options.build)
        if error:
            print(f"{bug.kernel} BUG={bug.number} does not compile:\n{error}", file=sys.stderr)
            return False
        for way, file in zip(WAYS, (files[bug.kernel], None)):
            results[bug.kernel, bug.number, way] = judge(
                options.tool, module, file, options.timeout
            )
        return True

    # The first one alone: it precompiles the header.
    first, *rest = bugs
    with ThreadPoolExecutor(options.jobs) as pool:
        return results, [one(first), *pool.map(one, rest)].count(False)


def parser_of(page: str | None, seconds: float) -> argparse.ArgumentParser:
    """What all programs take that judge these kernels; `seconds` for one run if nobody says."""
    parser = argparse.ArgumentParser(description=(page or "").splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("official", type=Path, help="the folder of the official wheels")
    parser.add_argument("--report", type=Path, help="the file to write (default: stdout)")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "field")
    parser.add_argument("--set", action="append", choices=tuple(SETS), help="only this one")
    parser.add_argument("--kernel", action="append", help="only this one (repeatable)")
    parser.add_argument("--timeout", type=float, default=seconds, help="seconds for one run")
    parser.add_argument("--jobs", type=int, default=1)
    return parser


def write_page(text: str, report: Path | None) -> None:
    """Into the file, or on stdout."""
    if report:
        report.write_text(text)
    else:
        print(text, end="")


def main(arguments: list[str] | None = None) -> int:
    parser = parser_of(__doc__, seconds=60)
    parser.add_argument("--headers", default=RELEASES[0], help="a release (default: the newest)")
    parser.add_argument("--all-headers", action="store_true", help=", ".join(RELEASES))
    options = parser.parse_args(arguments)

    page, broken = [HEAD], 0
    for name in options.set or SETS:
        kernels = TESTS / name
        bugs, unsaid = read_bugs(kernels / "kernels.toml")
        if options.kernel:
            bugs = [bug for bug in bugs if bug.kernel in options.kernel]
            unsaid = {bug.kernel: unsaid[bug.kernel] for bug in bugs}
        if not bugs:
            continue
        page += [f"## {SETS[name]}", ""]
        if (kernels / "first.md").exists():
            page.append((kernels / "first.md").read_text(encoding="utf-8"))
        for release in RELEASES if options.all_headers else (options.headers,):
            include = options.official / release / "tvm_ffi" / "include"
            if not include.is_dir():
                sys.exit(f"field_kernels.py: no headers of {release} in {options.official}")
            results, failed = examine(bugs, kernels, include, options)
            broken += failed
            page += [*tables(release, bugs, results), ""]
        told = [f"- `{kernel}`: {text}" for kernel, text in unsaid.items() if text]
        if told:
            page += ["### What the signature files can't state", "", *told, ""]
    text = "\n".join(page).rstrip() + "\n"
    write_page(text, options.report)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
