# SPDX-License-Identifier: Apache-2.0
"""Runs the console examples of a Markdown page and compares what they print.

A block after `<!-- test: run -->` has lines `$ tvmffi-conform ...`, each followed by its output;
`$ echo $?` prints the exit code of the command before. Numbers may differ (cases are added, times
vary), anything else may not. --write updates the page instead.

Usage: check_transcripts.py [--write] --tool TVMFFI-CONFORM [--file NAME=PATH]... PAGE...
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"(?<=<!-- test: run -->\n```console\n).*?(?=\n```)", re.DOTALL)


def normalised(text: str) -> list[str]:
    """The lines of a text, numbers and runs of blanks made alike.

    What confines a library is no part of them: it differs from machine to machine.
    """
    lines = (line for line in text.strip().splitlines() if not line.startswith("sandbox: "))
    lines = (re.sub(r"0x[0-9a-f]+|[0-9]+(\.[0-9]+)?", "N", line) for line in lines)
    lines = (re.sub(r"\bN (job|reason)\b", r"N \1s", line) for line in lines)
    lines = (DURATION.sub("N s", line) for line in lines)
    return [re.sub(r" +", " ", line).rstrip() for line in lines]


def examples(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what the page says it prints."""
    parts = re.split(r"^\$ (.*)$", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


# On a busy machine a run may take minutes.
DURATION = re.compile(r"N (?:ms|min N s)(?=:)")


class Runner:
    """Runs the tool in a folder that holds the files of the examples."""

    def __init__(self, tool: Path, folder: Path) -> None:
        self.tool = tool.resolve()
        self.folder = folder
        self.exit_code = 0

    def run(self, command: str) -> str:
        """What a command prints; the tool itself, or `echo $?`."""
        if command == "echo $?":
            return str(self.exit_code)
        words = shlex.split(command)
        if words[0] != "tvmffi-conform":
            raise ValueError(f"only tvmffi-conform can be an example, not: {command}")
        environment = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [str(self.tool), *words[1:]],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        self.exit_code = done.returncode
        return done.stdout


def is_same(command: str, printed: str, expected: str) -> bool:
    """Exit codes must be equal."""
    if command == "echo $?":
        return printed.strip() == expected.strip()
    return normalised(printed) == normalised(expected)


def check_page(page: Path, runner: Runner) -> tuple[int, int]:
    """Numbers of examples that were run, and of those that print something else."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    count = wrong = 0
    for command, expected in (example for block in blocks for example in examples(block)):
        count += 1
        printed = runner.run(command)
        if not is_same(command, printed, expected):
            wrong += 1
            print(f"{page}: `{command}`: the output differs:\n{printed}")
    return count, wrong


def write_page(page: Path, runner: Runner) -> None:
    """Runs the examples of a page and writes down what they print now."""

    def renew(match: re.Match[str]) -> str:
        runs = ((command, runner.run(command)) for command, _ in examples(match[0]))
        return "\n".join(f"$ {command}\n{printed.rstrip()}" for command, printed in runs)

    page.write_text(BLOCK.sub(renew, page.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tool", type=Path, required=True)
    parser.add_argument("--file", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("pages", type=Path, nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for entry in options.file:
            name, _, path = entry.partition("=")
            shutil.copy(path, Path(folder) / name)
        runner = Runner(options.tool, Path(folder))
        if options.write:
            for page in options.pages:
                write_page(page, runner)
            return 0
        results = [check_page(page, runner) for page in options.pages]
    count = sum(result[0] for result in results)
    wrong = sum(result[1] for result in results)
    print(f"{count} examples run, {wrong} differ")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
