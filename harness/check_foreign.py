#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `inspect` says of libraries of macOS and Windows with LIEF and pefile.

check_foreign.py TOOL FILE...: libraries and wheels. Symbol by symbol: imports with the library that
each comes from, exports of the ABI, the names of libraries, folders, minimum systems, forwarders.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import elf_truth
import foreign_truth
from check_inspect import inspected, is_abi
from foreign_truth import ForeignFacts

SKIPPED = 77


def libraries(path: Path, folder: Path) -> Iterator[Path]:
    """The file, or each library in a wheel as a file of its own in `folder`."""
    if not zipfile.is_zipfile(path):
        yield path
        return
    with zipfile.ZipFile(path) as archive:
        for number, member in enumerate(archive.infolist()):
            with archive.open(member) as source:
                if not foreign_truth.is_foreign(source.read(4)) or ".dSYM/" in member.filename:
                    continue
            target = folder / f"{path.stem}-{number}-{Path(member.filename).name}"
            target.write_bytes(archive.read(member))
            yield target


def value(report: dict[str, Any], path: str) -> object:
    for part in path.split("."):
        report = report[part]
    return report


def contradictions(said: dict[str, Any], truth: ForeignFacts) -> Iterator[str]:
    """Where inspect and the witness differ, one line each."""
    pairs: list[tuple[str, object, object]] = [
        ("name", said["soname"] or "", truth.name),
        ("needed", tuple(said["needed"]), truth.needed),
        (
            "imports",
            frozenset((one["name"], one["library"] or "") for one in said["imports"]),
            truth.imports,
        ),
        (
            "exports of the ABI",
            frozenset(said["exports"]),
            frozenset(filter(is_abi, truth.exports)),
        ),
    ]
    if said["format"] == "Mach-O" or said["pe"]["exports_by_number"] == 0:
        pairs.append(("export count", said["export_count"], len(truth.exports)))
    pairs += [(name, value(said, name), wanted) for name, wanted in truth.more.items()]
    for what, mine, theirs in pairs:
        yield from elf_truth.difference(what, mine, theirs)


def check(tool: str, path: Path) -> tuple[int, list[str]]:
    """How many symbols were compared, and what differs."""
    said = inspected(tool, [path])
    symbols, complaints = 0, []
    for part, truth in foreign_truth.parts(path.read_bytes()):
        one = said.get(f"{path}{part}")
        symbols += len(truth.imports) + len(truth.exports)
        if one is None:
            complaints.append(f"inspect cannot read it{part}")
        else:
            complaints += [f"{part} {line}" for line in contradictions(one, truth)]
    return symbols, complaints


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="Exit status: 0 they agree, 1 they do not, 2 usage, 77 too few libraries.",
    )
    parser.add_argument("tool", metavar="TOOL", help="tvmffi-conform")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="libraries and wheels")
    parser.add_argument("--least", type=int, default=1, metavar="N", help="libraries to be checked")
    options = parser.parse_args(arguments)
    count = symbols = bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for file in options.files:
            for path in libraries(file, Path(scratch)):
                compared, complaints = check(options.tool, path)
                count, symbols, bad = count + 1, symbols + compared, bad + bool(complaints)
                if complaints:
                    print(path, *complaints, sep="\n  ")
                path.unlink(missing_ok=True) if path.parent == Path(scratch) else None
    print(f"{count} libraries with {symbols} symbols: {bad} read otherwise")
    if bad:
        return 1
    return 0 if count >= options.least else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
