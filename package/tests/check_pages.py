# SPDX-License-Identifier: Apache-2.0
"""Checks the manual and the options page against the help: check_pages.py TOOL OPTIONS.md."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path


def run(*command: str, text: str | None = None) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr}")
    return done.stdout


def main() -> None:
    tool, page = sys.argv[1:]
    wrong = []
    if run(tool, "--options") != Path(page).read_text(encoding="utf-8"):
        wrong.append(f"{page} is not up to date: `{Path(tool).name} --options >{page}` writes it")

    verbs = re.findall(r"^  tvmffi-conform ([a-z-]+)", run(tool, "--help"), re.MULTILINE)
    manual = run(tool, "--man").replace("\\-", "-")
    if len(verbs) < 9 or "run" not in verbs:
        wrong.append(f"--help names these verbs: {verbs}")
    for verb in verbs:
        if f"\n.B {verb}" not in manual:
            wrong.append(f"the manual does not have the verb {verb}")
        options = re.findall(
            r"^ +(?:-[a-z], )?(--[a-z-]+)", run(tool, verb, "--help"), re.MULTILINE
        )
        for option in set(options) - {"--usage"}:
            # One row for each meaning that an option has, with the verbs that it has it for.
            rows = re.findall(rf"\n\.B .*{option}(?:=.*)?\n(.*)", manual)
            named = {word for row in rows for word in re.split("[(), .]+", row.rpartition("(")[2])}
            if not rows or (option != "--help" and verb not in named):
                wrong.append(f"the manual does not have {option} of {verb}")

    if shutil.which("groff"):
        drawn = run("groff", "-man", "-ww", "-Tascii", "-P-cbou", text=run(tool, "--man"))
        if "[VERB] [OPTION...]" not in drawn or "KIND:PATH" not in drawn:
            wrong.append(f"groff lost something:\n{drawn}")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(verbs)} verbs and their options are in the manual and on the page")


if __name__ == "__main__":
    main()
