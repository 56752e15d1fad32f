#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs .clusterfuzzlite/build.sh as OSS-Fuzz would, and what it leaves in $OUT without the rest.

check_build_script.py [libfuzzer|afl]. Exit status: 0 every target is there with its seeds and runs,
1 something is amiss, 77 the engine is not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from fuzz import HERE, SKIPPED, can_fuzz

RUNS, SECONDS = 100, 2
AFL_DRIVER = Path("/usr/lib/afl/libAFLDriver.a")
LIBFUZZER_FLAGS = "-O1 -gline-tables-only -fsanitize=address,fuzzer-no-link"


def engine_environment(engine: str, clang: str) -> dict[str, str]:
    """The compilers and their flags, as an engine's users set them."""
    if engine == "afl":
        compilers = {"CC": "afl-clang-fast", "CXX": "afl-clang-fast++"}
        return {**compilers, "CFLAGS": "-O1", "LIB_FUZZING_ENGINE": str(AFL_DRIVER)}
    compilers = {"CC": clang, "CXX": clang.replace("clang", "clang++")}
    return {**compilers, "CFLAGS": LIBFUZZER_FLAGS, "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer"}


def environment(folder: Path, engine: str, clang: str) -> dict[str, str]:
    (folder / "src").mkdir()
    (folder / "src" / "tvmffi-conform").symlink_to(HERE.parent)
    made = {
        **os.environ,
        **engine_environment(engine, clang),
        "SANITIZER": "address",
        "SRC": str(folder / "src"),
        "OUT": str(folder / "out"),
        "WORK": str(folder / "work"),
    }
    dlpack = os.environ.get("DLPACK_INCLUDE_DIR")
    return {**made, "CMAKE_ARGS": f"-DDLPACK_INCLUDE_DIR={dlpack}"} if dlpack else made


def run_libfuzzer(target: Path, seeds: Path) -> str:
    """Runs it over its seeds; empty, or what is wrong."""
    command = [str(target), f"-runs={RUNS}", f"-artifact_prefix={target.parent}/", str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=target.parent)
    return "" if done.returncode == 0 and "Done" in done.stderr else done.stderr[-2000:]


def run_afl(target: Path, seeds: Path) -> str:
    """Fuzzes for a moment; empty, or what is wrong. The mode has to be the persistent one."""
    out = target.parent / f"afl_{target.name}"
    told = ("SKIP_CPUFREQ", "NO_AFFINITY", "NO_UI", "I_DONT_CARE_ABOUT_MISSING_CRASHES")
    told += ("SKIP_CRASHES", "FAST_CAL")
    command = ["afl-fuzz", "-i", str(seeds), "-o", str(out), "-V", str(SECONDS), "-t", "5000"]
    done = subprocess.run(
        [*command, "-m", "none", "--", str(target)],
        capture_output=True,
        text=True,
        check=False,
        cwd=target.parent,
        env={**os.environ, **{f"AFL_{name}": "1" for name in told}},
    )
    stats = out / "default" / "fuzzer_stats"
    text = stats.read_text() if stats.exists() else ""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    fields = {key.strip(): value.strip() for key, value in lines.items()}
    if done.returncode or int(fields.get("execs_done", "0")) < RUNS:
        return (done.stdout + done.stderr)[-2000:]
    if "persistent" not in fields["target_mode"]:
        return f"its mode is {fields['target_mode']}"
    crashes = int(fields["saved_crashes"])
    return f"{crashes} crashes in {out}" if crashes else ""


def unpack(archive: Path, folder: Path) -> bool:
    """Whether there is a seed in the archive; all of them go into the folder."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return any(path.is_file() for path in folder.rglob("*"))


def faults_of(out: Path, name: str, engine: str) -> Iterator[str]:
    """What is wrong with one target in $OUT."""
    target, seeds = out / f"fuzz_{name}", out / f"seeds_{name}"
    if not os.access(target, os.X_OK):
        yield "is not there"
        return
    for kind in ("dict", "options"):
        ours, theirs = HERE / f"{name}.{kind}", out / f"fuzz_{name}.{kind}"
        if ours.exists() and (not theirs.exists() or ours.read_bytes() != theirs.read_bytes()):
            yield f"has no {kind}"
    archive = out / f"fuzz_{name}_seed_corpus.zip"
    if not archive.exists() or not unpack(archive, seeds):
        yield "has no seeds"
        return
    wrong = run_afl(target, seeds) if engine == "afl" else run_libfuzzer(target, seeds)
    if wrong:
        yield f"does not run: {wrong}"


def check(folder: Path, engine: str, clang: str) -> int:
    script = HERE.parent / ".clusterfuzzlite" / "build.sh"
    done = subprocess.run(
        [str(script)],
        env=environment(folder, engine, clang),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout[-8000:])
        return 1
    # Nothing in $OUT may need what was there while it was built.
    (folder / "work").rename(folder / "gone")
    names = sorted(path.stem[len("fuzz_") :] for path in HERE.glob("fuzz_*.c"))
    faults = [
        f"{name} {fault}" for name in names for fault in faults_of(folder / "out", name, engine)
    ]
    print("\n".join(faults) or f"{len(names)} targets run from $OUT alone")
    return 1 if faults else 0


def missing(engine: str, clang: str, folder: Path) -> str:
    """Why the engine cannot be had; empty if it can."""
    if engine == "libfuzzer":
        there = can_fuzz(clang, folder, "address")
        return (
            "" if there else f"{clang} cannot build a fuzzer; Debian has it in libclang-rt-14-dev"
        )
    there = shutil.which("afl-clang-fast") and shutil.which("afl-fuzz") and AFL_DRIVER.exists()
    return "" if there else "AFL++ is not installed; Debian has it in afl++"


def main() -> int:
    engine, clang = (*sys.argv[1:], "libfuzzer")[0], os.environ.get("CLANG", "clang")
    with tempfile.TemporaryDirectory() as name:
        why = missing(engine, clang, Path(name))
        if why:
            print(f"SKIPPED: {why}")
            return SKIPPED
        return check(Path(name), engine, clang)


if __name__ == "__main__":
    sys.exit(main())
