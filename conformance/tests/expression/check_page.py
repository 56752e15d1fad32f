# SPDX-License-Identifier: Apache-2.0
"""What EXPRESSIONS.md says expressions come to: check_page.py PROGRAM PAGE

PROGRAM is expression_lines. Exit status: 0 all examples are right, and all functions are named.
"""

import re
import subprocess
import sys
from pathlib import Path

NAMES = "let n int 0 4\nlet m int 0 6\nlet x float 2 2 3 1 2 3 4 5 6\n"


def block(page: str, name: str) -> str:
    found = re.search(rf"<!-- test: {name} -->\n```text\n(.*?)```", page, re.DOTALL)
    if not found:
        raise SystemExit(f"the page has no examples named {name}")
    return found[1]


def answers(program: str, texts: list[str]) -> list[str]:
    given = NAMES + "\n".join(texts) + "\n"
    ran = subprocess.run([program], input=given, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def main(program: str, path: str) -> int:
    page = Path(path).read_text(encoding="utf-8")
    rows = [line.split("->") for line in block(page, "expressions").splitlines()]
    texts = [text.strip().replace("x.dtype", '"float32"') for text, _ in rows]
    wanted = [f"({text}) == ({due.strip()})" for text, (_, due) in zip(texts, rows)]
    wrong = [
        f"{text}: {answer}"
        for text, answer in zip(wanted, answers(program, [f"all({one})" for one in wanted]))
        if answer != "bool 0 1"
    ]
    shapes = zip(
        answers(program, texts),
        answers(program, [f"array({due})" for _, due in rows]),
        texts,
    )
    wrong += [
        f"{text}: {seen} has another shape than {due}"
        for seen, due, text in shapes
        if seen.split()[1] != due.split()[1]
    ]
    (known,) = answers(program, ["relu(x)"])
    named = " ".join(block(page, "functions").split())
    if not known.endswith(f"known: {named}"):
        wrong.append(f"the functions are others: {known}")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
