#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which lines and branches of the reference, and of what reads untrusted bytes, tests and fuzzers'
inputs reach: coverage.py TREE.

TREE is a build folder of the preset `coverage`. Only programs that end by themselves are counted:
what runs in a worker of the suite ends by _exit, and is counted by nobody. A table goes to stdout,
TREE/coverage/ gets the pages that show each line. Exit status: 0, 1 if a test failed or a share is
below what is asked for, 77 there is no gcovr.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SKIPPED = 77

# The folders of the table, and what counts of them.
GROUPS = {
    "reference": "reference/src/",
    "inspect": "conformance/inspect/",
    "signatures": "conformance/plan/(signature_(file|metadata|words|write)|json_place)",
    "waivers": "conformance/judge/waivers",
    "reports": "conformance/report/(report_read|report_shape|inspect_baseline)",
}
# Where fewer branches are reached so far than anywhere else: percent (COVERAGE.md says which).
FEWER_BRANCHES = {"inspect": 88.0}
# What is built another time for tests of its own, or is C++'s.
LEFT_OUT = [r".*object_2025_09\.h"]
TARGETS = [
    "reference_tests",
    "test_archive",
    "test_frozen",
    "test_inspect",
    "test_inspect_baseline",
    "test_inspect_files",
    "test_inspect_hostile",
    "test_inspect_subject",
    "test_judge",
    "test_kernels",
    "test_library_bin",
    "test_memory",
    "test_plan",
    "test_report",
    "test_signature_file",
    "test_signature_metadata",
    "test_signature_words",
    "test_signature_write",
    "test_waivers",
    "tvm_ffi_shared",
    "tvmffi-conform",
]
TESTS = (
    r"^(reference\.[a-z_]+|conformance\.(archive|plan|inspect|inspect\.(baseline|files|subject|"
    r"findings|reports)|signature\..*|waivers|judge|memory\..*|report|library_bin|frozen)|"
    r"kernels\.program|fuzz\.replay\..*|"
    r"reference\.compiled-.*)$"
)
NOT_TESTS = r"^reference\.(asan|tsan|install|exports|examples|header_cxx)$"


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
    return subprocess.run([str(word) for word in command], check=False, text=True, **more)


def replays() -> list[str]:
    return [f"replay_{path.stem[len('fuzz_') :]}" for path in sorted(HERE.glob("fuzz_*.c"))]


def measure(tree: Path, jobs: int) -> bool:
    """Builds and runs all that counts; whether every test passed."""
    for old in tree.rglob("*.gcda"):
        old.unlink()
    built = run(
        ["cmake", "--build", tree, "--parallel", jobs, "--target", *TARGETS, *replays()],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if built.returncode:
        sys.exit(built.stdout[-8000:])
    command = ["ctest", "--test-dir", tree, "--parallel", jobs, "--output-on-failure", "--timeout"]
    done = run(
        [*command, 600, "-R", TESTS, "-E", NOT_TESTS],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        print(done.stdout[-8000:])
    # Without its changes at random, which take minutes where nothing is optimised.
    absurd = run(
        [tree / "conformance" / "tests" / "test_inspect_hostile"],
        env={**os.environ, "CK_RUN_CASE": "absurd"},
    )
    return done.returncode == 0 and absurd.returncode == 0


def gcovr(tree: Path) -> Path:
    """Writes the pages and the counts; returns the file of the counts."""
    pages, counts = tree / "coverage", tree / "coverage.json"
    pages.mkdir(exist_ok=True)
    # A source that is built twice has the same lines and not always the same functions.
    command = [sys.executable, "-m", "gcovr", "--root", ROOT, "--merge-mode-functions=separate"]
    command += ["--gcov-ignore-errors=all", "--gcov-ignore-parse-errors=negative_hits.warn"]
    command += [word for pattern in GROUPS.values() for word in ("--filter", f"{ROOT}/{pattern}")]
    command += [word for pattern in LEFT_OUT for word in ("--exclude", pattern)]
    command += ["--json", counts, "--html-details", pages / "index.html", tree]
    done = run(command, capture_output=True, cwd=tree)
    if done.returncode:
        sys.exit(done.stderr[-4000:])
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


def table(counts: Path, all_files: bool) -> dict[str, Share]:
    """Prints the shares, and returns those of the groups."""
    groups = {name: Share() for name in GROUPS}
    files: list[tuple[str, Share]] = []
    for entry in json.loads(counts.read_text())["files"]:
        share = share_of(entry)
        files.append((entry["file"], share))
        name = next(
            name
            for name, pattern in GROUPS.items()
            if entry["file"].startswith(pattern.split("(")[0])
        )
        groups[name].add(share)
    print(f"{'':44} {'lines':>24} {'branches':>24}")
    if all_files:
        for name, share in sorted(files):
            print(f"{name:44} {share.cells()}")
    for name, share in groups.items():
        print(f"{name:44} {share.cells()}")
    return groups


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--lines", type=float, default=97, help="percent that each folder needs")
    parser.add_argument("--branches", type=float, default=90, help="the same for branches")
    parser.add_argument("--files", action="store_true", help="show every file")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    if run([sys.executable, "-m", "gcovr", "--version"], capture_output=True).returncode:
        print("SKIPPED: gcovr is not there; `make python` installs it into .venv")
        return SKIPPED
    passed = measure(tree, arguments.jobs)
    groups = table(gcovr(tree), arguments.files)
    print(f"every line: {tree / 'coverage' / 'index.html'}")
    short = [
        f"{name}: {what} are below {least} %"
        for name, share in groups.items()
        for what, (hit, all_), least in (
            ("lines", share.lines, arguments.lines),
            ("branches", share.branches, min(arguments.branches, FEWER_BRANCHES.get(name, 100))),
        )
        if 100 * hit < least * all_
    ]
    print("\n".join(short))
    return 0 if passed and not short else 1


if __name__ == "__main__":
    sys.exit(main())
