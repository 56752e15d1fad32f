#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds a function of a future release and a verb to a copy of the sources, by as few edits as are
claimed.

    try_additions.py --older LIBTVM_FFI.SO FOLDER [-- CMAKE-OPTION...]

The function, TVMFFIConformExampleNext, takes seven: rows in functions.def and ownership.def, a
prototype and a version in the header, a body in the reference, a clause, a case, a mutant. Then

- the reference and the observer export the function, and the tool lists its clause and case;
- the case passes on the reference and is skipped on the older release (a reference without it);
- the mutant is killed;
- conformance/cases/update changes cases.lock, and the target appendix_page the appendix of the
  specification, the two generated files.

The verb, example, takes a row in verbs.def and a file. Then it runs, and help, man page,
completions and OPTIONS.md have it.
"""

from __future__ import annotations

import argparse
import ctypes
import filecmp
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Not part of the sources, or nothing that the build reads.
SKIPPED = shutil.ignore_patterns("build", ".*", "__pycache__")
PATCH = 999  # version 0.1.999 is later than every release
FUNCTION = "TVMFFIConformExampleNext"
CASE = "version.example-counts-up"
LOCK = "conformance/cases/cases.lock"
APPENDIX = "spec/appendix.md"

ROW = """
ABI_FUNCTION(version, ABI_VERSION(0, 1, 999), int, ConformExampleNext,
             (int64_t value, int64_t *out))

#undef ABI_FUNCTION"""
OWNER = """
ABI_OWNERSHIP(ConformExampleNext, out, ABI_WRITTEN, "")

#undef ABI_OWNERSHIP"""
PROTOTYPE = """
/*!
 * Writes the integer after `value`. Since 0.1.999.
 * @return 0.
 */
TVM_FFI_DLL int TVMFFIConformExampleNext(int64_t value, int64_t *out);
"""
BODY = """
#ifndef TVM_FFI_GENERATION_2025_09
int TVMFFIConformExampleNext(int64_t value, int64_t *out)
{
  *out = value + 1;
  return 0;
}
#endif
"""
CLAUSE = """
### VER-{number} · The integer after another is greater by one
MUST · since 0.1.999 · core · C header, "TVMFFIConformExampleNext"

`TVMFFIConformExampleNext` writes the integer after its argument.
"""
CASE_BODY = """
CASE(example_counts_up, .clauses = {{VER_{number}}}, .title = "the integer after 41 is 42")
{{
  int64_t next = 0;
  expect_ok(iut, iut->ConformExampleNext(41, &next));
  expect_int("the next integer", next, 42);
}}
"""
MUTANT = """
MUTANT(VER_{number}, example_counts_down, ConformExampleNext, "the integer before is written")
{{
  *out = value - 1;
  return 0;
}}
"""
VERB_ROW = """
VERB(example, "example", "[WORD]", 0, 1,
     "print a word",
     "WORD is printed as it is.")

#undef VERB"""
VERB_FILE = """
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "cli/options.h"

int verb_example(const Options *options)
{
  puts(options->operand_count ? options->operands[0] : "no word");
  return EXIT_CONFORMS;
}
"""


class Failed(Exception):
    """Something that has to hold does not; the message says what."""


def sh(*command: object) -> str:
    """Runs a command; its output."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def require(holds: bool, what: str) -> None:
    if not holds:
        raise Failed(what)
    print(f"ok  {what}")


class Tree:
    """A copy of the sources."""

    def __init__(self, folder: Path) -> None:
        self.root, self.build = folder / "source", folder / "build"
        self.edited: set[str] = set()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT, self.root, ignore=SKIPPED)

    def edit(self, path: str, change: Callable[[str], str]) -> None:
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        file.write_text(change(text), encoding="utf-8")
        self.edited.add(path)

    def append(self, path: str, text: str) -> None:
        self.edit(path, lambda old: old.rstrip("\n") + "\n" + text)

    def changed(self) -> set[str]:
        """The files that are not as they were."""
        return set(differences(filecmp.dircmp(ROOT, self.root, ignore=["build", "__pycache__"])))

    @property
    def tool(self) -> Path:
        return self.build / "bin" / "tvmffi-conform"

    @property
    def library(self) -> Path:
        return self.build / "lib" / "libtvm_ffi.so"


def differences(both: filecmp.dircmp, folder: str = "") -> Iterator[str]:
    for name in both.diff_files + both.right_only:
        yield folder + name
    for name, one in both.subdirs.items():
        if not name.startswith("."):
            yield from differences(one, f"{folder}{name}/")


def next_clause() -> int:
    numbers = re.findall(r"^### VER-(\d+) ", (ROOT / "spec" / "version.md").read_text(), re.M)
    return max(map(int, numbers)) + 1


def declare(header: str) -> str:
    header = re.sub(r"(#define TVM_FFI_VERSION_PATCH) \d+", rf"\1 {PATCH}", header)
    return re.sub(r"(\nTVM_FFI_DLL void TVMFFIGetVersion\(.*\n)", rf"\1{PROTOTYPE}", header)


def add_function(tree: Tree, number: int) -> None:
    """The seven edits."""
    tree.edit("conformance/abi/functions.def", lambda s: s.replace("\n#undef ABI_FUNCTION", ROW))
    tree.edit("conformance/abi/ownership.def", lambda s: s.replace("\n#undef ABI_OWNERSHIP", OWNER))
    tree.edit("reference/include/tvm/ffi/c_api.h", declare)
    tree.append(next(tree_path(tree, "reference/src/**/version.c")), BODY)
    tree.append("spec/version.md", CLAUSE.format(number=number))
    tree.append("conformance/cases/runtime/version.c", CASE_BODY.format(number=number))
    tree.append("conformance/mutants/version.c", MUTANT.format(number=number))


def add_verb(tree: Tree) -> None:
    """The two edits."""
    tree.edit("conformance/cli/verbs.def", lambda s: s.replace("\n#undef VERB", VERB_ROW))
    new = "conformance/cli/example_verb.c"
    (tree.root / new).write_text(VERB_FILE.lstrip(), encoding="utf-8")
    tree.edited.add(new)


def tree_path(tree: Tree, pattern: str) -> Iterator[str]:
    for path in tree.root.glob(pattern):
        yield str(path.relative_to(tree.root))


def build(tree: Tree, options: list[str]) -> None:
    """What matters here, and not optimised, for time."""
    sh(
        *("cmake", "-G", "Ninja", "-S", tree.root, "-B", tree.build, "-D", "TVMFFI_TESTS=OFF"),
        *("-D", "CMAKE_BUILD_TYPE=Debug", "-D", "CMAKE_C_FLAGS_DEBUG=-O0", *options),
    )
    targets = ("tvmffi-conform", "tvmffi-conform-worker", "tvm_ffi_shared", "mutants_version")
    sh("cmake", "--build", tree.build, "--target", *targets)


def verdict(tree: Tree, library: Path) -> tuple[dict, dict]:
    """The report's record of the example's case, and its count of functions."""
    report = tree.build / "report.json"
    sh(tree.tool, "run", library, "--filter", "version.*", "--report", f"json:{report}")
    read = json.loads(report.read_text(encoding="utf-8"))
    return next(one for one in read["cases"] if one["id"] == CASE), read["library"]["functions"]


def check_verb(tree: Tree) -> None:
    require(sh(tree.tool, "example", "hello") == "hello\n", "the verb runs")
    require("print a word" in sh(tree.tool, "example", "--help"), "the verb has a help text")
    for place in ("--help", "--man", "--options", "--completion=bash", "--completion=zsh"):
        require("example" in sh(tree.tool, place), f"{place} has the verb")


def check_function(tree: Tree, older: Path, number: int) -> None:
    observer = tree.build / "lib" / "observer" / "libtvm_ffi.so"
    for library in (tree.library, observer):
        require(
            hasattr(ctypes.CDLL(str(library)), FUNCTION),
            f"{library.parent.name}/{library.name} exports it",
        )
    require(f"VER-{number}" in sh(tree.tool, "list", "--filter", CASE), "list has the case")
    require(CASE in sh(tree.tool, "explain", f"VER-{number}"), "explain names it with the clause")
    case, functions = verdict(tree, tree.library)
    require(case["verdict"] == "pass", "the case passes on the reference")
    require(functions["present"] == functions["known"], "the reference has every function")
    case, before = verdict(tree, older)
    require(case["verdict"] == "skip", f"the case is skipped on an older release: {case['reason']}")
    require(before["known"] + 1 == functions["known"], "an older release has a function fewer")
    killed = sh(tree.tool, "self-test", f"ver_{number}_example_counts_down")
    require("mutants: 1 of 1 killed" in killed, "the mutant is killed")
    sh(tree.root / "conformance" / "cases" / "update", tree.tool)
    sh("cmake", "--build", tree.build, "--target", "appendix_page")
    require(FUNCTION in (tree.root / APPENDIX).read_text(encoding="utf-8"), "the appendix has it")
    generated = tree.changed() - tree.edited
    wanted = {LOCK, APPENDIX}
    require(generated == wanted, f"two generated files changed: {', '.join(sorted(generated))}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--older", type=Path, required=True, metavar="LIBTVM_FFI.SO")
    parser.add_argument("folder", type=Path, help="replaced")
    parser.add_argument("cmake", nargs="*", metavar="CMAKE-OPTION", help="behind --")
    asked = parser.parse_args()
    tree, number = Tree(asked.folder), next_clause()
    try:
        add_function(tree, number)
        add_verb(tree)
        build(tree, asked.cmake)
        check_function(tree, asked.older, number)
        check_verb(tree)
    except Failed as failure:
        print(f"try_additions: {failure}", file=sys.stderr)
        return 1
    print("edited by hand:", *sorted(tree.edited), sep="\n  ")
    shutil.rmtree(asked.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
