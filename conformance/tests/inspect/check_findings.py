# SPDX-License-Identifier: Apache-2.0
"""Every finding of `inspect`: a file that has it, a near miss, and a line in the README.

The files are built here with the C compiler, from findings_table.py; what no compiler makes is
patched into them.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import findings_formats
from elf_patch import Elf
from findings_table import (
    FIRST_RUNTIME,
    FULL_RUNTIME,
    Build,
    Row,
    definitions,
)
from findings_table import ROWS as FILES
from findings_wheels import WHEELS

ROWS = FILES + WHEELS


class Workshop:
    """Where files are built and looked at."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder, self.built = options, folder, 0
        version = subprocess.run([options.cc, "--version"], capture_output=True, text=True)
        # Clang's own assembler does not know all that the table asks for.
        self.compiler = [options.cc, *["-fno-integrated-as"] * ("clang" in version.stdout)]
        self.runtime = folder / "libtvm_ffi.so"
        source = Build(FULL_RUNTIME, ("-Wl,-soname,libtvm_ffi.so",))
        self.make(source, self.runtime)
        # A C library with a function of a version that no test could rely on otherwise.
        (folder / "libc").mkdir()
        self.libc = folder / "libc" / "libc.so.6"
        script = "GLIBC_2.38 { global: of_2_38; local: *; };"
        flags = ("-nostdlib", "-Wl,-soname,libc.so.6")
        source = Build("int of_2_38(void) { return 1; }", flags, version_script=script)
        self.make(source, self.libc)

    def text(self, source: str) -> str:
        functions = self.options.functions
        return source.replace(FULL_RUNTIME, definitions(functions, (9, 9, 9))).replace(
            FIRST_RUNTIME, definitions(functions, (0, 1, 0))
        )

    def make(self, build: Build, path: Path) -> None:
        if build.made:
            path.write_bytes(build.made)
            return
        modes = {"shared": ["-fPIC", "-shared"], "object": ["-c", "-fPIC"], "executable": []}
        made = {"@runtime@": str(self.runtime), "@libc@": str(getattr(self, "libc", ""))}
        flags = [made.get(flag, flag) for flag in build.flags]
        language = ["-xassembler"] if "-xassembler" in flags else ["-xc"]
        command = [*self.compiler, *modes[build.kind], "-w", "-O1", "-fno-stack-protector"]
        if build.version_script:
            script = path.with_suffix(".map")
            script.write_text(build.version_script)
            command.append(f"-Wl,--version-script={script}")
        command += [flag for flag in flags if flag.startswith(("-f", "-g", "-n"))]
        command += [*language, "-", "-xnone", "-o", str(path)]
        command += [flag for flag in flags if not flag.startswith(("-f", "-g", "-n", "-x"))]
        subprocess.run(command, input=self.text(build.source), text=True, check=True)
        if build.patch:
            elf = Elf(path.read_bytes())
            build.patch(elf)
            path.write_bytes(elf.data)

    def inspect(self, path: Path, *more: str) -> dict[str, Any]:
        done = subprocess.run(
            [self.options.tool, "inspect", "--report", "json:-", *more, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1, 3):
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def findings(self, build: Build, name: str) -> list[dict[str, Any]]:
        self.built += 1
        path = self.folder / f"{name}{self.built}.so"
        more: list[str] = []
        if build.policy is not None:
            (self.folder / "policy.json").write_text(json.dumps(build.policy))
            more += ["--policy", str(self.folder / "policy.json")]
        if build.baseline:
            self.make(replace(build, source=build.baseline), path)
            old = self.inspect(path)
            (self.folder / "old.json").write_text(json.dumps(old))
            more += ["--baseline", str(self.folder / "old.json")]
        self.make(build, path)
        inspected = self.pack(build, path) if build.wheel else path
        # What lies beside it in a wheel comes behind it.
        return self.inspect(inspected, *more)["files"][0]["findings"]

    def pack(self, build: Build, library: Path) -> Path:
        """The wheel of `build`, with the library in it."""
        distribution = "-".join(build.wheel.split("-")[:2])
        wheel = self.folder / build.wheel
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.write(library, "some/lib/libsome.so")
            if build.beside[0]:
                archive.writestr(*build.beside)
            text = f"Name: {distribution.split('-')[0]}\n{build.metadata}\nRequires-Dist: numpy\n"
            archive.writestr(f"{distribution}.dist-info/METADATA", text)
        return wheel


def names(finding: dict[str, Any], row: Row) -> bool:
    if finding["id"] != row.id:
        return False
    return row.symbol is None or finding["symbol"] == row.symbol


def judge(workshop: Workshop, row: Row) -> list[str]:
    bad = workshop.findings(row.bad, "bad")
    good = workshop.findings(row.good, "good")
    mistakes = []
    if not any(names(finding, row) for finding in bad):
        seen = ", ".join(finding["id"] for finding in bad)
        mistakes.append(f"{row.id}: not found in {row.bad.source[-200:]!r}; found: {seen}")
    if any(finding["id"] == row.id for finding in good):
        mistakes.append(f"{row.id}: found in the near miss {row.good.source[-200:]!r}")
    return mistakes


def all_rules(workshop: Workshop) -> list[dict[str, Any]]:
    """All findings there are: SARIF lists them as rules."""
    done = subprocess.run(
        [workshop.options.tool, "inspect", "--report", "sarif:-", str(workshop.runtime)],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout)["runs"][0]["tool"]["driver"]["rules"]


def check_clauses(tool: str, rules: list[dict[str, Any]]) -> list[str]:
    """The specification has every clause that a finding names."""
    clauses = {rule["properties"]["clause"] for rule in rules if "properties" in rule}
    return [
        f"there is no clause {clause}"
        for clause in sorted(clauses)
        if subprocess.run([tool, "explain", clause], capture_output=True, check=False).returncode
    ]


def check_page(page: Path, known: dict[str, str]) -> list[str]:
    rows = re.findall(r"^\| `([a-z-]+\.[a-z0-9-]+)` \| (\w+) \|", page.read_text("utf-8"), re.M)
    listed = dict(rows)
    mistakes = [f"{page.name} lacks {id}" for id in known if id not in listed]
    mistakes += [f"{page.name} has {id}, which is no finding" for id in listed if id not in known]
    mistakes += [
        f"{page.name} says {id} is {level}, it is {known[id]}"
        for id, level in rows
        if id in known and known[id] != level
    ]
    return mistakes + ([] if len(rows) == len(listed) else [f"{page.name} lists one twice"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--functions", type=Path, required=True, help="abi/functions.def")
    parser.add_argument("--page", type=Path, required=True, help="the page that lists the findings")
    options = parser.parse_args()
    if platform.machine() not in ("x86_64", "aarch64"):
        print("skipped: the files are changed as 64-bit little-endian ones")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(options, Path(folder))
        rules = all_rules(workshop)
        known = {rule["id"]: rule["defaultConfiguration"]["level"] for rule in rules}
        table = ROWS + findings_formats.ROWS
        rows = [row for row in table if row.bad.only_on in ("", platform.machine())]
        mistakes = [mistake for row in rows for mistake in judge(workshop, row)]
        mistakes += [f"{id}: has no row" for id in known if id not in {row.id for row in table}]
        mistakes += check_clauses(options.tool, rules)
        mistakes += check_page(options.page, known)
    print(*mistakes, f"{len(rows)} rows, {len(known)} findings, {len(mistakes)} mistakes", sep="\n")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
