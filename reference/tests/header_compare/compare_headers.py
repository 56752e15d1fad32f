#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the project's C headers with those of an official runtime, fact by fact.

Every size, offset, field type, enumerator, function signature and macro is compared, as C and, with
--cxx, as C++. A difference is a failure unless it is written down in known_differences.txt with its
reason; one that is written down and no longer there is a failure, too.

Exit status: 0 they agree, 1 they differ, 2 usage or a tool failed, 77 that runtime is not there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from header_facts import Compiler, Facts, HeaderError, header_facts

HEADERS = ("tvm/ffi/c_api.h", "tvm/ffi/extra/c_env_api.h")
KNOWN = Path(__file__).with_name("known_differences.txt")
SKIPPED = 77


@dataclass(frozen=True)
class Difference:
    """One subject on which two headers disagree; None stands for "does not have it"."""

    subject: str
    ours: str | None
    official: str | None

    def __str__(self) -> str:
        if self.ours is None:
            return f"missing  {self.subject}\n           official  {self.official}"
        if self.official is None:
            return f"extra    {self.subject}\n           ours      {self.ours}"
        return (
            f"differs  {self.subject}\n           official  {self.official}"
            f"\n           ours      {self.ours}"
        )


@dataclass(frozen=True)
class Known:
    """A difference that is meant: whether the official headers have the subject, and our fact."""

    subject: str
    official_has_it: bool
    ours: str
    reason: str

    def covers(self, found: Difference) -> bool:
        has_it = found.official is not None
        return (self.subject, self.ours, self.official_has_it) == (
            found.subject,
            found.ours,
            has_it,
        )


def differences(ours: Facts, official: Facts) -> list[Difference]:
    subjects = sorted(ours.keys() | official.keys())
    pairs = (Difference(subject, ours.get(subject), official.get(subject)) for subject in subjects)
    return [pair for pair in pairs if pair.ours != pair.official]


def read_known(path: Path) -> Iterator[Known]:
    """The lines `extra | subject | our fact | reason` and `differs | ...`; `#` starts a comment."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = [word.strip() for word in line.split("|")]
        if len(words) != 4 or words[0] not in ("extra", "differs") or not all(words):
            raise HeaderError(
                f"{path.name}:{number}: expected `extra|differs | subject | fact | reason`"
            )
        yield Known(words[1], words[0] == "differs", words[2], words[3])


def judge(ours: Facts, official: Facts, known: Sequence[Known]) -> list[str]:
    """What is wrong, one text each: differences that nobody wrote down, and notes gone stale."""
    found = differences(ours, official)
    wrong = [str(pair) for pair in found if not any(note.covers(pair) for note in known)]
    stale = [note for note in known if not any(note.covers(pair) for pair in found)]
    return wrong + [f"stale    {note.subject}\n           {KNOWN.name} names it" for note in stale]


def languages(options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    yield options.cc, "c", "c11"
    if options.cxx:
        yield options.cxx, "c++", "c++17"


def compare(options: argparse.Namespace, official: Path) -> bool:
    known = list(read_known(KNOWN))
    agree = True
    for command, language, standard in languages(options):
        theirs = (official,)
        ours = (options.ours, official)  # the official folder is there for DLPack's header alone
        facts = [
            header_facts(Compiler(command, language, standard, include, options.readelf), HEADERS)
            for include in (ours, theirs)
        ]
        wrong = judge(facts[0], facts[1], known)
        print(
            f"{language}: {len(facts[1])} facts of the official headers {options.against}, "
            f"{len(known)} differences are meant, {len(wrong)} are not"
        )
        for text in wrong:
            print(f"  {text}")
        agree = agree and not wrong
    return agree


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cc", required=True, help="C compiler: gcc or clang")
    parser.add_argument("--cxx", help="C++ compiler, to compare as C++ too")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument(
        "--ours", required=True, type=Path, help="folder that holds tvm/ffi/c_api.h"
    )
    parser.add_argument("--cache", required=True, type=Path, help="folder of official runtimes")
    parser.add_argument(
        "--against", required=True, metavar="VERSION", help="the one to compare with"
    )
    options = parser.parse_args(arguments)
    official = options.cache / options.against / "tvm_ffi" / "include"
    if not all((official / header).is_file() for header in HEADERS):
        print(
            f"SKIPPED: the official headers {options.against} are not in {options.cache}; "
            "`make deps` fetches them where the package index can be reached"
        )
        return SKIPPED
    try:
        return 0 if compare(options, official) else 1
    except HeaderError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
