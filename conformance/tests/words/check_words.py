#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds phrases in printed text that have a standard term: check_words.py FILE-OR-FOLDER...

Read are the string literals of C and Python sources, docstrings and comments not included, and the
pages outside of code blocks. Ends with 1 if a phrase is found.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

# A phrase, as a regular expression between word boundaries, and what to write instead.
PHRASES = {
    r"(is|are|was) blamed": "is reported as the cause",
    r"does not survive": "crashes on",
    r"bytes of strangers": "untrusted input",
    r"looked into to the ground": "investigated",
    r"well-formed twin": "positive control",
    r"that nobody describes": "without a signature",
    r"is no pointer variable": "is not a pointer variable",
    r"has not the size of": "is not the size of",
    r"has to be a text": "must be a string",
    r"there is no (surface|verb|case|mutant|clause|kind|finding)\b": 'unknown surface "X"',
    r"there is no such member": "unknown member",
    r"can't be (read|written|made|loaded|judged|measured|started)": "cannot read X: cause",
    r"is no (worker|runtime|folder|version|date|JSON|module|parameter)": "is not a ...",
    r"the dynamic linker refuses": "dlopen failed",
    r"pass(es)? over": "ignore, skip",
    r"link it anew": "relink",
    r"lives? for ever": "static lifetime",
    r"and its kin": "interposes the allocator",
    r"fault of the suite": "internal error",
    r"counts like an? (MUST|error)": "is treated as an error",
    r"of the program itself tell": "global options",
    r"nobody says": "no expected result is given",
    r"is not to be had": "is not available",
    r"can't be had": "is not available",
    r"held against": "checked against, compared with",
    r"beside this program": "install it together with this program",
    r"of no known profile": "unknown profile",
}
PATTERN = re.compile("|".join(rf"(?:\b{phrase})" for phrase in PHRASES), re.IGNORECASE)
C_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|#include[^\n]*|\'(?:[^\'\\\n]|\\.)*\'|"((?:[^"\\\n]|\\.)*)"', re.DOTALL
)
SUFFIXES = {".c", ".h", ".def", ".py", ".md"}

Text = tuple[int, str]  # a line number, and a text that begins there


def c_texts(source: str) -> Iterator[Text]:
    """The string literals; adjacent ones are one."""
    line, text, end = 0, "", 0
    for token in C_TOKEN.finditer(source):
        if token.group(1) is None:
            continue
        if not text or source[end : token.start()].strip():
            if text:
                yield line, text
            line, text = source.count("\n", 0, token.start()) + 1, ""
        text += token.group(1)
        end = token.end()
    if text:
        yield line, text


def python_texts(source: str) -> Iterator[Text]:
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def page_texts(source: str) -> Iterator[Text]:
    """The paragraphs outside of code blocks."""
    in_code, paragraph, first = False, "", 1
    for number, line in enumerate(source.splitlines(), start=1):
        in_code ^= line.lstrip().startswith("```")
        if in_code or not line.strip():
            if paragraph:
                yield first, paragraph
            paragraph, first = "", number + 1
        else:
            paragraph += line + " "
    if paragraph:
        yield first, paragraph


def files(places: list[str]) -> Iterator[Path]:
    for place in map(Path, places):
        if not place.exists():
            sys.exit(f"check_words: {place}: No such file or directory")
        found = [place] if place.is_file() else sorted(place.rglob("*"))
        yield from (file for file in found if file.suffix in SUFFIXES)


def mistakes(file: Path) -> Iterator[str]:
    read = {".py": python_texts, ".md": page_texts}.get(file.suffix, c_texts)
    for line, text in read(file.read_text(encoding="utf-8")):
        for match in PATTERN.finditer(" ".join(text.split())):
            better = next(
                one for phrase, one in PHRASES.items() if re.match(phrase, match[0], re.IGNORECASE)
            )
            yield f'{file}:{line}: "{match[0]}": write: {better}'


def main(places: list[str]) -> int:
    if not places:
        sys.exit(__doc__.split("\n")[0])
    found = [one for file in files(places) for one in mistakes(file)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
