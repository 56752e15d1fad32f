# SPDX-License-Identifier: Apache-2.0
"""Drives the completion for a shell as the shell does: check_completion.py bash|zsh|fish TOOL.

Exit code 77: the shell is not here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# What is typed, and all that is offered for the last word; a word that ends in * is among others.
TYPED = [
    (["se"], {"self-test"}),
    (["inspect", "--st"], {"--strict"}),
    (["--prof"], {"--profile"}),
    (["run", "--profile", ""], {"auto", "runtime", "module"}),
    (["run", "--level", "s"], {"should"}),
    (["run", "--report", "t"], {"tap:"}),
    (["inspect", "--report", ""], {"json:", "sarif:"}),
    (["list", "--policy"], set()),
    (["run", "--waivers", "known"], {"known-deviations.json"}),
    (["run", "--waivers", "off"], {"official"}),
    (["run", "--gate", "sh"], {"should"}),
    (["explain", "layout.value-is-sixteen-bytes.f"], {"layout.value-is-sixteen-bytes.float"}),
]


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def offered_by_bash(script: Path, words: list[str]) -> set[str]:
    line = " ".join(f"'{word}'" for word in ["tvmffi-conform", *words])
    code = (
        f"source {script}; COMP_WORDS=({line}) COMP_CWORD={len(words)}; _tvmffi_conform; "
        'for word in "${COMPREPLY[@]}"; do echo "$word"; done'
    )
    return set(run(["bash", "--norc", "-c", code], script.parent).split("\n")) - {""}


def offered_by_fish(script: Path, words: list[str]) -> set[str]:
    typed = " ".join(["tvmffi-conform", *words])
    code = f"source {script}; complete -C '{typed}'"
    lines = run(["fish", "--no-config", "-c", code], script.parent).splitlines()
    return {line.split("\t")[0] for line in lines}


ZSH_PLAY = """
compdef() { }
_files() { for file in ${words[CURRENT]}*(N); do print -r -- $file; done }
_describe() { print -rl -- ${${(M)verbs:#${words[CURRENT]}*}%%:*} }
_arguments() { print -rl -- "$@" }
"""


# One specification of zsh's _arguments: (exclusions)*--option=[text]:argument:action
SPECIFICATION = re.compile(
    r"(?:\([^)]*\))?\*?(?P<option>--?[a-z-]+)(?P<sign>[=+]?)"
    r"\[(?:[^\]\\]|\\.)*\](?::(?:[^:\\]|\\.)*:(?P<action>.*))?"
)


def zsh_offers(row: str, words: list[str], folder: Path) -> list[str]:
    """What zsh's _arguments would offer of one of its specifications."""
    if row.startswith("1:ID:"):
        code = f"print -rl -- {row[6:-1]}"
        return run(["zsh", "-f", "-c", code], folder).split() if len(words) == 3 else []
    parsed = SPECIFICATION.fullmatch(row)
    if not parsed:
        return []
    if parsed["sign"] and words[-2] == parsed["option"]:
        action = parsed["action"]
        files = [entry.name for entry in folder.iterdir()]
        if action == "_files":
            return files
        if action.startswith(" _tvmffi_conform_word_or_file "):
            return [*action.split()[1:], *files]
        if action.startswith("_values"):
            return [kind + ":" for kind in action.split(" kind ")[1].split()]
        return action.strip("() ").split()
    return [parsed["option"]] if words[-1].startswith("-") else []


def offered_by_zsh(script: Path, words: list[str]) -> set[str]:
    line = " ".join(f"'{word}'" for word in ["tvmffi-conform", *words])
    play = f"{ZSH_PLAY}\nwords=({line}); CURRENT={len(words) + 1}; source {script}"
    rows = run(["zsh", "-f", "-c", play], script.parent).splitlines()
    if not rows or not rows[0].startswith("--help"):
        return set(rows)
    offered = (zsh_offers(row, ["", *words], script.parent) for row in rows)
    return {word for words_of in offered for word in words_of if word.startswith(words[-1])}


OFFERED = {"bash": offered_by_bash, "zsh": offered_by_zsh, "fish": offered_by_fish}


def options_of(tool: str) -> dict[str, set[str]]:
    """Each verb's options, as its --help lists them."""
    page = subprocess.run([tool, "--options"], capture_output=True, text=True, check=True).stdout
    verbs = {}
    for section in page.split("\n## `tvmffi-conform ")[1:]:
        body = section.split("\n## ")[0]
        verbs[re.match(r"[a-z-]+", section)[0]] = set(re.findall(r"`(--[a-z-]+)", body))
    return verbs


def main() -> None:
    shell, tool = sys.argv[1:]
    if not shutil.which(shell):
        print(f"skipped: {shell} is not installed")
        sys.exit(77)
    os.environ["PATH"] = f"{Path(tool).parent}:{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "completion"
        script.write_text(run([tool, "--completion", shell], folder), encoding="utf-8")
        (folder / "known-deviations.json").touch()
        run([shell, "-n", str(script)], folder)
        wrong = []
        cases = list(TYPED)
        verbs = options_of(tool)
        assert len(verbs) > 8, verbs
        cases += [([verb, "--"], options) for verb, options in verbs.items()]
        for words, wanted in cases:
            offered = OFFERED[shell](script, words) - {"--version", "-j", "-q", "-v"}
            if offered != wanted:
                wrong.append(f"{words}: offered {sorted(offered)}, wanted {sorted(wanted)}")
        if wrong:
            sys.exit("\n".join(wrong))
        print(f"{len(cases)} lines were completed as they should")


if __name__ == "__main__":
    main()
