#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which lines and branches of the reference, and of what reads untrusted bytes, tests and fuzzers'
inputs reach: coverage.py TREE.

TREE is a build folder of the preset `coverage`; it is made if it is not there. Only programs that
end by themselves are counted: what runs in a worker of the suite ends by _exit, and is counted by
nobody. A table goes to stdout and to TREE/coverage.txt. Exit status: 0, 1 if a test failed or a
share is below what is asked for, 77 there is no gcovr, or no gcov of the compiler.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SKIPPED = 77

# The folders of the table, and what counts of them. Their targets are compiled to be counted, which
# the list in CMakeLists.txt says.
# A file counts in the first that it fits.
GROUPS = {
    "frontend of the reference": "reference/src/frontend/",
    "reference": "(reference/src|library_bin)/",
    "inspect, archives, JSON": "conformance/inspect/",
    "Mach-O, PE": "conformance/(binary|macho|pe)/",
    "signatures": "conformance/(plan/signature_(file|kinds|metadata|write)"
    "|signature/(type_name|signature_(read|words|write)))",
    "expressions, .npy": "conformance/expression/",
    "recordings": "conformance/record/",
    "waivers": "conformance/judge/waivers",
    "reports": "conformance/report/(report_read|report_shape|inspect_baseline)",
    "findings handed in": "conformance/fuzz/fuzz_folder_read",
    "what workers read and report": (
        "conformance/(run/(evidence|observation)|kernel/kernel_json).c"
    ),
}
# Lines and branches, in percent, that these folders have so far: they are younger than the others,
# and are to get to the same share. What is reached must not be lost.
SO_FAR = {
    "frontend of the reference": (87, 72),
    "signatures": (96, 85),
    "expressions, .npy": (97, 89),
    "recordings": (96, 78),
    "reports": (97, 88),
}
# What is built another time for tests of its own, or is C++'s.
LEFT_OUT = [r".*object_2025_09\.h"]
TARGETS = [
    "reference_core_tests",
    "reference_tests",
    "test_archive",
    "test_binaries",
    "test_engine",
    "test_expression",
    "test_frozen",
    "test_fuzz",
    "test_inspect",
    "test_inspect_baseline",
    "test_inspect_data",
    "test_inspect_files",
    "test_inspect_hostile",
    "test_inspect_objects",
    "test_inspect_rare",
    "test_inspect_shared",
    "test_inspect_subject",
    "test_inspect_tables",
    "test_inspect_wheel",
    "test_json_file",
    "test_judge",
    "test_kernel_json",
    "test_library_bin",
    "test_memory",
    "test_plan",
    "test_record",
    "test_report",
    "test_signature",
    "test_signature_contradiction",
    "test_signature_file",
    "test_signature_metadata",
    "test_signature_let",
    "test_signature_read",
    "test_signature_words",
    "test_signature_write",
    "test_type_name",
    "test_waivers",
    "tvm_ffi_shared",
    "tvmffi-conform",
]
HOSTED = "reference.compiled-module-class-is-hosted"
TESTS = (
    r"^(reference\.[a-z_]+|conformance\.(archive|engine|expression|frozen|inspect|json-file|judge|library_bin|"
    r"memory\..*|plan|record|signature\..*|waivers|"
    r"inspect\.(baseline|binaries|data|files|findings|formats|objects|rare|reports|sets|shared|tables|wheel))|"
    rf"fuzz\.replay\..*|kernels\.json|{re.escape(HOSTED)})$"
)
NOT_TESTS = r"^reference\.(asan|tsan|install|exports|examples|header_cxx)$"
# Of these programs one part: others make changes at random, for minutes where nothing is optimised,
# or are about what only writes.
PARTS = [
    ("test_report", "diff"),
    ("test_inspect_subject", "mapped"),
    ("test_inspect_hostile", "absurd"),
    ("test_report", "shape"),
    ("test_fuzz", "folders"),
]
# Nothing is optimised, and other tests may be under way: what takes long is not broken for that.
PATIENCE = {"CK_TIMEOUT_MULTIPLIER": "10"}
# What is not held to its share where a test that it needs was skipped.
NEEDS = {"reference": HOSTED}


@dataclass
class Share:
    """How many of how many, lines and branches."""

    lines: list[int] = field(default_factory=lambda: [0, 0])
    branches: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, other: Share) -> None:
        for mine, its in ((self.lines, other.lines), (self.branches, other.branches)):
            mine[0] += its[0]
            mine[1] += its[1]

    def cells(self) -> str:
        return " ".join(
            f"{hit:6} / {all_:6} {100 * hit / max(all_, 1):6.1f} %"
            for hit, all_ in (self.lines, self.branches)
        )


def run(command: Iterable[object], **more: object) -> subprocess.CompletedProcess[str]:
    """What it writes is kept; whoever wants it shows it."""
    return subprocess.run(
        [str(word) for word in command],
        check=False,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **more,
    )


def expect_good(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        sys.exit(done.stdout[-8000:])


def find_gcovr() -> list[str]:
    """The command, or nothing."""
    for python in (sys.executable, str(ROOT / ".venv" / "bin" / "python")):
        command = [python, "-m", "gcovr"]
        if shutil.which(python) and not run([*command, "--version"]).returncode:
            return command
    return []


def find_gcov(tree: Path) -> str | None:
    """That of the compiler: another one's does not understand what it counts."""
    cache = (tree / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_C_COMPILER:\w+=(.+)$", cache, re.M)
    if not compiler:
        return None
    return shutil.which(run([compiler[1], "-print-prog-name=gcov"]).stdout.strip())


def configure(tree: Path) -> None:
    if (tree / "build.ninja").exists():
        return
    command: list[object] = ["cmake", "--preset", "coverage", "-B", tree]
    if os.environ.get("DLPACK_INCLUDE_DIR"):
        command.append(f"-DDLPACK_INCLUDE_DIR={os.environ['DLPACK_INCLUDE_DIR']}")
    expect_good(run(command, cwd=ROOT))


def build(tree: Path, jobs: int) -> None:
    targets = TARGETS + [f"replay_{path.stem[len('fuzz_') :]}" for path in HERE.glob("fuzz_*.c")]
    expect_good(run(["cmake", "--build", tree, "--parallel", jobs, "--target", *targets]))


def run_part(tree: Path, program: str, part: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **PATIENCE, "CK_RUN_CASE": part}
    [path] = tree.glob(f"conformance/tests/*/{program}")
    done = run([path], env=environment)
    if "Checks: 0" in done.stdout.splitlines()[-1]:
        done.returncode = 1  # no test of this name
    return done


def measure(tree: Path, jobs: int) -> tuple[bool, set[str]]:
    """Runs all that counts; whether every test passed, and which were skipped."""
    for old in tree.rglob("*.gcda"):
        old.unlink()
    command = ["ctest", "--test-dir", tree, "--parallel", jobs, "--output-on-failure"]
    command += ["--timeout", 600, "--no-tests=error", "-R", TESTS, "-E", NOT_TESTS]
    tests = run(command, env={**os.environ, **PATIENCE})
    with ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(lambda part: run_part(tree, *part), PARTS))
    failed = [done for done in (tests, *parts) if done.returncode]
    for done in failed:
        print(done.stdout)
    return not failed, set(re.findall(r"(\S+) \.*\*\*\*Skipped", tests.stdout))


def count(tree: Path, gcovr: list[str], gcov: str, jobs: int, pages: bool) -> Path:
    """Writes the counts, and the pages if they are wanted; returns the file of the counts."""
    counts = tree / "coverage.json"
    # A source that is built twice has the same lines and not always the same functions.
    command = [*gcovr, "--root", ROOT, "--merge-mode-functions=separate", "-j", jobs]
    command += ["--gcov-executable", gcov, "--gcov-ignore-errors=all"]
    command += ["--gcov-ignore-parse-errors=negative_hits.warn"]
    command += [word for pattern in GROUPS.values() for word in ("--filter", f"{ROOT}/{pattern}")]
    command += [word for pattern in LEFT_OUT for word in ("--exclude", pattern)]
    command += ["--json", counts]
    if pages:
        (tree / "coverage").mkdir(exist_ok=True)
        command += ["--html-details", tree / "coverage" / "index.html"]
    expect_good(run([*command, tree], cwd=tree))
    return counts


def share_of(entry: dict) -> Share:
    """Of one file. A line of several functions or builds counts once."""
    lines: dict[int, int] = {}
    branches: dict[tuple[int, int], int] = {}
    for line in entry["lines"]:
        number = line["line_number"]
        lines[number] = lines.get(number, 0) + line["count"]
        for place, branch in enumerate(line["branches"]):
            key = (number, place)
            branches[key] = branches.get(key, 0) + branch["count"]
    hit = [sum(1 for count in counts.values() if count) for counts in (lines, branches)]
    return Share([hit[0], len(lines)], [hit[1], len(branches)])


def shares(counts: Path) -> tuple[dict[str, Share], dict[str, Share]]:
    """Those of the groups, and those of the files."""
    groups = {name: Share() for name in GROUPS}
    files = {entry["file"]: share_of(entry) for entry in json.loads(counts.read_text())["files"]}
    for file, share in files.items():
        name = next(name for name, pattern in GROUPS.items() if re.match(pattern, file))
        groups[name].add(share)
    return groups, files


def table(title: str, rows: dict[str, Share]) -> str:
    lines = [f"{title:44} {'lines':>24} {'branches':>24}"]
    return "\n".join(lines + [f"{name:44} {share.cells()}" for name, share in rows.items()])


def too_low(groups: dict[str, Share], lines: float, branches: float) -> list[str]:
    return [
        f"{name}: {what} are below {least} %"
        for name, share in groups.items()
        for what, (hit, all_), least in zip(
            ("lines", "branches"),
            (share.lines, share.branches),
            SO_FAR.get(name, (lines, branches)),
        )
        if all_ == 0 or 100 * hit < least * all_
    ]


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--lines", type=float, default=97, help="percent that each folder needs")
    parser.add_argument("--branches", type=float, default=90, help="the same for branches")
    parser.add_argument("--files", action="store_true", help="show every file")
    parser.add_argument("--pages", action="store_true", help="write TREE/coverage/index.html")
    return parser.parse_args()


def main() -> int:
    arguments = read_arguments()
    tree = arguments.tree.resolve()
    gcovr = find_gcovr()
    if not gcovr:
        print("SKIPPED: gcovr is not there; `make python` installs it into .venv")
        return SKIPPED
    configure(tree)
    gcov = find_gcov(tree)
    if not gcov:
        print("SKIPPED: there is no gcov of this compiler")
        return SKIPPED
    build(tree, arguments.jobs)
    passed, skipped = measure(tree, arguments.jobs)
    groups, files = shares(count(tree, gcovr, gcov, arguments.jobs, arguments.pages))
    if arguments.files:
        print(table("", dict(sorted(files.items()))))
    lines = [table("covered by tests and corpora (gcovr)", groups)]
    exempt = {name: test for name, test in NEEDS.items() if test in skipped}
    lines += [f"{name}: not held to its share, {test} was skipped" for name, test in exempt.items()]
    held = {name: share for name, share in groups.items() if name not in exempt}
    short = too_low(held, arguments.lines, arguments.branches)
    summary = "\n".join(lines + short)
    print(summary)
    (tree / "coverage.txt").write_text(summary + "\n")
    if arguments.pages:
        print(f"every line: {tree / 'coverage' / 'index.html'}")
    return 0 if passed and not short else 1


if __name__ == "__main__":
    sys.exit(main())
