#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what `tvmffi-conform inspect` says about shared libraries against readelf and pyelftools.

check_inspect.py TOOL [FILE...]: libraries and wheels. Symbol by symbol: dynamic imports and exports
with their versions, and NEEDED, SONAME, RPATH, RUNPATH and the highest versions of glibc,
GLIBCXX and CXXABI. --machine N adds the N smallest libraries of this machine that are large
enough to tell something.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import abi_tables
import elf_truth
from elf_truth import DynamicFacts

LIBRARY_FOLDERS = ("/usr/lib", "/lib", "/usr/lib64", "/usr/local/lib")
SMALLEST = 20_000
MAGIC = b"\x7fELF"
FILES_A_RUN = 50
SKIPPED = 77
TABLES = Path(__file__).resolve().parents[1] / "conformance" / "abi"


@dataclass(frozen=True)
class Outcome:
    """What came of one library: nothing wrong, or what was said differently and by whom."""

    path: str
    symbols: int
    complaints: tuple[str, ...]


def machine_libraries(count: int) -> list[Path]:
    """Distinct shared objects of this machine's library folders, the smallest first."""
    found: dict[Path, int] = {}
    for folder in LIBRARY_FOLDERS:
        for path in Path(folder).rglob("*.so*"):
            real = path.resolve()
            if real not in found and real.is_file() and is_shared(real):
                found[real] = real.stat().st_size
    large = sorted((size, path) for path, size in found.items() if size >= SMALLEST)
    return [path for _, path in large[:count]]


def is_shared(path: Path) -> bool:
    try:
        with open(path, "rb") as source:
            head = source.read(18)
    except OSError:
        return False
    order = "little" if head[5:6] == b"\1" else "big"
    return head[:4] == MAGIC and int.from_bytes(head[16:18], order) == 3


def unpacked(wheel: Path, folder: Path) -> Iterator[Path]:
    """The shared objects in the wheel, each as a file of its own in `folder`."""
    with zipfile.ZipFile(wheel) as archive:
        for number, member in enumerate(archive.infolist()):
            with archive.open(member) as source:
                if source.read(4) != MAGIC:
                    continue
            target = folder / f"{wheel.stem}-{number}-{Path(member.filename).name}"
            target.write_bytes(archive.read(member))
            if is_shared(target):
                yield target


def inspected(tool: str, paths: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """What inspect's JSON says, by path. A path that is not in it could not be read."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        command = [tool, "inspect", "--report", f"json:{report}", *map(str, paths)]
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        if not report.is_file():
            raise SystemExit(f"{' '.join(command[:4])}: no report: {done.stderr[-400:]}")
        said = json.loads(report.read_text(encoding="utf-8"))
    return {one["path"]: one for one in said["files"]}


def contradictions(said: dict[str, Any], truth: DynamicFacts) -> Iterator[str]:
    """Where inspect and the witness differ, one line each."""
    pairs: list[tuple[str, object, object]] = [
        (name, said[name] or "", getattr(truth, name)) for name in ("soname", "rpath", "runpath")
    ]
    pairs += [(name, said[name], getattr(truth, name)) for name in ("bits", "byte_order")]
    pairs.append(("needed", tuple(said["needed"]), truth.needed))
    pairs.append(("imports", frozenset(map(import_name, said["imports"])), truth.imports))
    pairs.append(("import count", said["import_count"], len(truth.imports)))
    pairs.append(("export count", said["export_count"], truth.export_count))
    abi = frozenset(name for name in map(without_version, truth.exports) if is_abi(name))
    pairs.append(("exports of the ABI", frozenset(said["exports"]), abi))
    api = frozenset(map(without_version, truth.imports)) & api_functions()
    needs = frozenset(one["name"] for one in said["api"]["needs"] if one["import"])
    pairs.append(("functions of the C API needed", needs, api))
    floors = truth.floors()
    for name, kind in (("glibc", "GLIBC"), ("glibcxx", "GLIBCXX"), ("cxxabi", "CXXABI")):
        pairs.append((name, numbers(said[name]), significant(floors.get(kind, ()))))
    for what, mine, theirs in pairs:
        yield from elf_truth.difference(what, mine, theirs)


def import_name(one: dict[str, Any]) -> str:
    return f"{one['name']}@{one['version']}" if one["version"] else one["name"]


def without_version(name: str) -> str:
    return name.partition("@")[0]


def is_abi(name: str) -> bool:
    return name.startswith(("TVMFFI", "__tvm_ffi_", "__TVMFFI", "__TVMBackend"))


@cache
def api_functions() -> frozenset[str]:
    return frozenset(abi_tables.read(TABLES, files=["functions.def"]).functions)


def numbers(version: str | None) -> tuple[int, ...]:
    return significant(tuple(int(part) for part in version.split("."))) if version else ()


def significant(version: tuple[int, ...]) -> tuple[int, ...]:
    """2.34.0 and 2.34 are one version."""
    while version and version[-1] == 0:
        version = version[:-1]
    return version


def check(path: Path, said: dict[str, Any] | None) -> Outcome:
    """One library: inspect against both witnesses."""
    try:
        witnesses = {
            "pyelftools": elf_truth.by_pyelftools(path.read_bytes()),
            "readelf": elf_truth.by_readelf(path),
        }
    except elf_truth.Unreadable as error:
        return Outcome(str(path), 0, (f"no witness: {error}",))
    truth = witnesses["pyelftools"]
    symbols = len(truth.imports) + truth.export_count
    if said is None:
        return Outcome(str(path), symbols, ("inspect cannot read it",))
    complaints = [
        f"inspect and {name}: {line}"
        for name, witness in witnesses.items()
        for line in contradictions(said, witness)
    ]
    return Outcome(str(path), symbols, tuple(complaints))


def check_many(tool: str, paths: Sequence[Path]) -> list[Outcome]:
    said = inspected(tool, paths)
    return [check(path, said.get(str(path))) for path in paths]


def gather(options: argparse.Namespace, folder: Path) -> list[Path]:
    libraries = machine_libraries(options.machine) if options.machine else []
    for path in options.files:
        if zipfile.is_zipfile(path):
            libraries += unpacked(path, folder)
        else:
            libraries.append(path)
    return libraries


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description="Compare the output of `inspect` with readelf and pyelftools.",
        epilog="Exit status: 0 they agree, 1 they do not, 2 usage, 77 too few libraries.",
    )
    made.add_argument("tool", metavar="TOOL", help="tvmffi-conform")
    made.add_argument("files", nargs="*", type=Path, metavar="FILE", help="libraries and wheels")
    made.add_argument("--machine", type=int, default=0, metavar="N")
    made.add_argument("--least", type=int, default=1, metavar="N", help="libraries to be checked")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_intermixed_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        paths = gather(options, Path(scratch))
        parts = [paths[i : i + FILES_A_RUN] for i in range(0, len(paths), FILES_A_RUN)]
        with ProcessPoolExecutor(options.jobs) as pool:
            done = pool.map(check_many, [options.tool] * len(parts), parts)
            outcomes = [one for part in done for one in part]
    bad = [one for one in outcomes if one.complaints]
    for one in bad:
        print(one.path, *one.complaints, sep="\n  ")
    symbols = sum(one.symbols for one in outcomes)
    print(f"{len(outcomes)} libraries with {symbols} symbols: {len(bad)} read otherwise")
    if bad:
        return 1
    return 0 if len(outcomes) >= options.least else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
