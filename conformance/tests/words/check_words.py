#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds phrases in printed text that have a standard term: check_words.py FILE-OR-FOLDER...

Read are the string literals of C and Python sources, docstrings and comments not included; what
shell scripts print; the strings of TOML files; the reasons of waivers; and the pages outside of
code blocks. Ends with 1 if a phrase is found.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# A phrase, as a regular expression between word boundaries, and what to write instead.
PHRASES = {
    r"(is|are|was|were|be) blamed": "is reported as the cause",
    r"(does|do|did|not) survive": "handles, crashes on",
    r"(of|from) strangers": "untrusted input",
    r"rubbish": "garbage",
    r"(an?|the|last|first) fences?\b|fences? (of|around)": "guard page",
    r"(?<![\w] )again: ": "reproduce",
    r"likewise": "also failing",
    r"made small(er)? by": "minimized",
    r"looked into": "investigated, read",
    r"mend(s|ing)?\b|mended (in|by|with)\b": "fix",
    r"well-formed twin": "positive control",
    r"that nobody describes": "without a signature",
    r"asked by calls": "probed",
    r"(the|this|our|whole) (house|battery)\b": "the code base, the test suite",
    r"(worker|idle|free|busy) lanes?\b|--lanes?\b": "worker slot",
    r"spoil(s|t|ed|ing)?\b": "invalidate",
    r"has not the size of": "is not the size of",
    r"ha(s|ve) to be\b": "must be",
    r"there is no (surface|verb|case|mutant|clause|kind|finding)\b": 'unknown surface "X"',
    r"there is no such member": "unknown member",
    r"can't be (read|written|made|loaded|judged|measured|started|opened|built|copied|moved|told)"
    r"|can't be (taken|registered|counted|watched|asked|had|fetched|configured|looked)": "cannot X",
    r"cannot be read: it is": "X: is an executable (build a shared library)",
    r"(?<!there )(is|are) no (worker|runtime|folder|version|date|JSON|module|parameter|pointer)"
    r"|(?<!there )(is|are) no (file|library|name|number|string|type|object|function|value|report)"
    r"|(?<!there )(is|are) no (clause|case|option|list|vector|data|integer|ASCII)": "is not a ...",
    r"the dynamic linker refuses": "dlopen failed",
    r"pass(es|ed)? over": "ignore, skip",
    r"(?<!-)anew\b(?!\\n)": "again; relink",
    r"for ever\b": "static lifetime, forever",
    r"and its kin|stands? in for": "interposes the allocator",
    r"fault of the suite": "internal error",
    r"counts like an? (MUST|error)": "is treated as an error",
    r"of the program itself tell": "global options",
    r"nobody says": "no expected result is given",
    r"to be had": "is available",
    r"(is|are|be) held against": "checked against, compared with",
    r"beside this program": "install it together with this program",
    r"of no known profile": "unknown profile",
}
PATTERN = re.compile("|".join(rf"(?:\b{phrase})" for phrase in PHRASES), re.IGNORECASE)
C_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|#include[^\n]*|\'(?:[^\'\\\n]|\\.)*\'|"((?:[^"\\\n]|\\.)*)"', re.DOTALL
)
SHELL_PRINTS = re.compile(r"^.*?\b(?:(?:echo|printf|say|note|fail)\b|reason=)(.*)$")

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


def shell_texts(source: str) -> Iterator[Text]:
    """What follows a command that prints."""
    for number, line in enumerate(source.splitlines(), start=1):
        found = None if line.lstrip().startswith("#") else SHELL_PRINTS.match(line)
        if found:
            yield number, found[1]


def toml_texts(source: str) -> Iterator[Text]:
    yield from page_texts(re.sub(r"^\s*#.*$", "", source, flags=re.MULTILINE))


def json_texts(source: str) -> Iterator[Text]:
    """The reasons; keys and ids are data."""
    for number, line in enumerate(source.splitlines(), start=1):
        if line.lstrip().startswith('"reason":'):
            yield number, line


READERS = {
    **dict.fromkeys((".c", ".h", ".def"), c_texts),
    ".json": json_texts,
    ".md": page_texts,
    ".py": python_texts,
    ".sh": shell_texts,
    ".toml": toml_texts,
}


def reader(file: Path) -> Callable[[str], Iterator[Text]] | None:
    """None for a file without printed text. A script may have no suffix."""
    if file.suffix or not file.is_file():
        return READERS.get(file.suffix)
    with file.open("rb") as opened:
        first = opened.readline()
    if not first.startswith(b"#!"):
        return None
    return python_texts if b"python" in first else shell_texts


def files(places: list[str]) -> Iterator[Path]:
    for place in map(Path, places):
        if not place.exists():
            sys.exit(f"check_words: {place}: No such file or directory")
        found = [place] if place.is_file() else sorted(place.rglob("*"))
        yield from (file for file in found if reader(file))


def mistakes(file: Path) -> Iterator[str]:
    read = reader(file)
    assert read is not None
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
