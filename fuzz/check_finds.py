#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has fuzz.py run targets with planted flaws: it has to find each, say which, and keep the input.

Exit status: 0 all of that is so, 1 something is amiss, 77 there is no libFuzzer.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fuzz import HERE, SKIPPED, can_fuzz

SECONDS, EXECUTIONS, PATIENCE = 2, 5000, 60
TRIGGER = b"X"
# A target of planted/CMakeLists.txt, and what has to be said of it.
NAMED = {
    "promise": r"planted\.c:\d+: broken: size == 0",
    "address": r"ERROR: AddressSanitizer: heap-buffer-overflow",
    "undefined": r"runtime error: signed integer overflow",
    "leak": r"ERROR: LeakSanitizer: detected memory leaks",
}
ROW = r"^{name} +([\d,]+) +([\d,]+) +(\d+) +(\d+)  (.*)$"
REDRAWN = "\x1b[A\x1b[K"


def command(tree: Path, names: list[str]) -> list[str]:
    seeds = tree / "seeds"
    for name in names:
        (seeds / name).mkdir(parents=True, exist_ok=True)
        (seeds / name / "seed").write_bytes(b"abc")
    told = [sys.executable, str(HERE / "fuzz.py"), "--seconds", str(SECONDS), "--jobs", "2"]
    return [*told, str(tree), str(seeds), *names]


def on_terminal(told: list[str]) -> tuple[int, str]:
    """Runs it on a terminal; its exit status and all that it wrote there."""
    ours, its = pty.openpty()
    with subprocess.Popen(told, stdout=its, stderr=its) as process:
        os.close(its)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # what the end of a terminal looks like
                break
            if not part:
                break
            parts.append(part)
    os.close(ours)
    return process.returncode, b"".join(parts).decode().replace("\r\n", "\n")


def faults_of_table(text: str) -> Iterator[str]:
    """The table is drawn anew while they run, and its numbers are those of the target that runs."""
    frames = re.split(r"(?:\x1b\[A\x1b\[K)+", text)
    if len(frames) < 3:
        yield f"the table was drawn {len(frames)} times"
    rows = [re.search(ROW.format(name="none"), frame, re.M) for frame in frames]
    counts = [int(row[1].replace(",", "")) for row in rows if row]
    if counts != sorted(counts) or len(set(counts)) < 2 or counts[-1] < EXECUTIONS:
        yield f"its executions do not grow as they should: {counts}"
    last = rows[-1]
    if not last:
        yield "its last drawing lacks a target"
        return
    executions, rate, coverage, corpus = (int(last[i].replace(",", "")) for i in range(1, 5))
    if not executions // PATIENCE <= rate <= executions or not coverage or not corpus:
        yield f"it has odd numbers: {last[0]}"
    if last[5] != "nothing found":
        yield f"of a sound target it says: {last[5]}"


def faults_of_finding(tree: Path, text: str, name: str) -> Iterator[str]:
    """What was found is named, and the input that shows it lies where it is said to lie."""
    where = re.search(rf"^{name}: .*{NAMED[name]}.*\n  see (\S+) and (\S+)$", text, re.M)
    if not where:
        yield f"does not name {name}"
        return
    log, folder = map(Path, where.groups())
    if not re.search(NAMED[name], log.read_text(errors="replace")):
        yield f"has another log of {name}"
    inputs = list(folder.iterdir())
    if len(inputs) != 1 or not inputs[0].read_bytes().startswith(TRIGGER):
        yield f"keeps no input of {name} in {folder}"
        return
    again = [str(tree / "fuzz" / f"fuzz_{name}"), str(inputs[0])]
    told = {**os.environ, "UBSAN_OPTIONS": "halt_on_error=1"}
    if subprocess.run(again, capture_output=True, check=False, env=told).returncode == 0:
        yield f"keeps an input of {name} that shows nothing"


def faults(tree: Path) -> Iterator[str]:
    status, text = on_terminal(command(tree, ["none", *NAMED]))
    if status != 1:
        yield f"ends with {status} where there are findings"
    yield from faults_of_table(text)
    for name in NAMED:
        yield from faults_of_finding(tree, text, name)
    quiet = subprocess.run(command(tree, ["none"]), capture_output=True, text=True, check=False)
    if quiet.returncode != 0 or REDRAWN in quiet.stdout or "see " in quiet.stdout:
        yield f"ends with {quiet.returncode} where there is nothing to find: {quiet.stdout}"
    told = {**os.environ, "CLANG": "false"}
    none = subprocess.run(command(tree, ["none"]), capture_output=True, check=False, env=told)
    if none.returncode != SKIPPED:
        yield f"ends with {none.returncode} where there is no libFuzzer"


def main() -> int:
    clang = os.environ.get("CLANG", "clang")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        if not can_fuzz(clang, tree, "address,undefined"):
            print(f"SKIPPED: {clang} cannot build a fuzzer; Debian has it in libclang-rt-14-dev")
            return SKIPPED
        configure = ["cmake", "-S", str(HERE / "planted"), "-B", folder, "-G", "Ninja"]
        configure += [f"-DCMAKE_C_COMPILER={clang}", "-DCMAKE_C_COMPILER_WORKS=1"]
        subprocess.run(configure, stdout=subprocess.DEVNULL, check=True)
        found = list(faults(tree))
    print("\n".join(f"fuzz.py {fault}" for fault in found) or "fuzz.py finds and tells")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
