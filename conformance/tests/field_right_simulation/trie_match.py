# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

from tvmffi_conform.kernels import Examples, Object, kernel

WORDS = ["a", "ab", "abcd", "é", "b", "ab"]
NEEDS = [{"call": "trie_build", "arguments": {"words": WORDS}, "keep": "trie"}]


class Trie:
    def __init__(self, words: list[str]) -> None:
        self.words = [w.encode() for w in words]

    def longest(self, text: bytes) -> tuple[int, int]:
        best = (-1, 0)
        for i, w in enumerate(self.words):
            if len(w) > best[1] and text.startswith(w):
                best = (i, len(w))
        return best


@kernel(
    sequences=[
        {
            "text": "two tries know different words, and the first of equal ones counts",
            "repeatable": True,
            "steps": [
                {"call": "trie_build", "arguments": {"words": ["x", "x", ""]}, "keep": "one"},
                {"call": "trie_build", "arguments": {"words": []}, "keep": "none"},
                {
                    "call": "trie_longest",
                    "arguments": {"trie": {"kept": "one"}, "text": "xx", "start": 1},
                    "expected": {"result": "(0, 1)"},
                },
                {
                    "call": "trie_split",
                    "arguments": {"trie": {"kept": "none"}, "text": "xy", "unknown": 7},
                    "expected": {"result": "(7, 7)"},
                },
                {
                    "call": "trie_longest",
                    "arguments": {"trie": {"kept": "none"}, "text": "x", "start": 2},
                    "refused": {"kind": "IndexError", "message": "start"},
                },
            ],
        }
    ],
)
def trie_build(
    words: list[Annotated[str, Examples("a", "of", "off", "é", "")]],
) -> Object["blind2.Trie"]:
    return Trie(words)


@kernel(needs=NEEDS, promises=["shared", "repeatable"])
def trie_longest(
    trie: Object["blind2.Trie"],
    text: Annotated[str, Examples("abcab", "éa", "zz", "")],
    start: Annotated[int, Examples(0, 1, 2)],
) -> tuple[int, int]:
    data = text.encode()
    if not 0 <= start <= len(data):
        raise IndexError("start")
    return trie.longest(data[start:])


@kernel(
    needs=NEEDS,
    promises=["shared", "repeatable", "fresh"],
    calls=[
        {
            "arguments": {"text": "abcéz", "unknown": -5},
            "expected": {"result": "(1, -5, 3, -5)"},
        },
        {"arguments": {"text": "zabcz", "unknown": None}, "expected": {"result[0]": "1"}},
    ],
)
def trie_split(
    trie: Object["blind2.Trie"],
    text: Annotated[str, Examples("abcdab", "éa", "zz", "")],
    unknown: Optional[int],
) -> list[int]:
    data = text.encode()
    out = []
    while data:
        word, length = trie.longest(data)
        if word >= 0:
            out.append(word)
        elif unknown is not None:
            out.append(unknown)
        data = data[max(length, 1) :]
    return out
