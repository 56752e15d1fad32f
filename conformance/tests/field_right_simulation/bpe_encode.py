# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

from tvmffi_conform.kernels import Examples, Object, kernel

MERGES = [("t", "h"), ("th", "e"), ("a", "a"), ("aa", "a"), (" ", "the")]

First = Annotated[str, Examples("a", "b", " ")]
Second = Annotated[str, Examples("b", "a")]


class Bpe:
    def __init__(self, merges: list[tuple[str, str]]) -> None:
        known = {bytes([c]): c for c in range(256)}
        self.merges: dict[tuple[int, int], int] = {}
        self.cached: set[bytes] = set()
        self.found = 0
        for i, (left, right) in enumerate(merges):
            a, b = left.encode(), right.encode()
            if a not in known or b not in known:
                raise ValueError("no merge has made it")
            self.merges.setdefault((known[a], known[b]), 256 + i)
            known.setdefault(a + b, 256 + i)

    def hits(self) -> int:
        return self.found

    def word(self, word: bytes) -> list[int]:
        self.found += word in self.cached
        self.cached.add(word)
        ids = list(word)
        while True:
            ranks = [self.merges[p] for p in zip(ids, ids[1:]) if p in self.merges]
            if not ranks:
                return ids
            made, out, i = min(ranks), [], 0
            while i < len(ids):
                if i + 1 < len(ids) and self.merges.get((ids[i], ids[i + 1])) == made:
                    out.append(made)
                    i += 2
                else:
                    out.append(ids[i])
                    i += 1
            ids = out


@kernel(
    calls=[
        {"arguments": {"merges": [["a", "b"], ["ab", "a"], ["aba", "ab"]]}},
        {
            "arguments": {"merges": [["a", "b"], ["abc", "a"]]},
            "refused": {"kind": "ValueError", "message": "merge 1"},
        },
        {"arguments": {"merges": [["é", "a"]]}, "refused": {"kind": "ValueError"}},
    ],
    sequences=[
        {
            "text": "words that were seen are found in the cache, of this object alone",
            "repeatable": True,
            "steps": [
                {"call": "bpe_load", "arguments": {"merges": MERGES}, "keep": "one"},
                {"call": "bpe_load", "arguments": {"merges": []}, "keep": "two"},
                {"call": "bpe_encode", "arguments": {"bpe": {"kept": "one"}, "text": "the the"}},
                {"call": "one.hits", "arguments": [], "expected": {"result": "0"}},
                {"call": "bpe_encode", "arguments": {"bpe": {"kept": "one"}, "text": "of the"}},
                {"call": "one.hits", "arguments": []},
                {"call": "bpe_encode", "arguments": {"bpe": {"kept": "two"}, "text": "the é"}},
                {"call": "two.hits", "arguments": [], "expected": {"result": "0"}},
            ],
        }
    ],
)
def bpe_load(
    merges: list[tuple[First, Second]],
) -> Object["blind2.Bpe"]:
    return Bpe(merges)


@kernel(
    needs=[{"call": "bpe_load", "arguments": {"merges": MERGES}, "keep": "bpe"}],
    promises=["repeatable", "shared", "fresh"],
    calls=[{"arguments": {"text": "aaaa the"}, "expected": {"result": "(258, 258, 260)"}}],
)
def bpe_encode(
    bpe: Object["blind2.Bpe"],
    text: Annotated[str, Examples("the other aaaaa", "", " ", "théâtre", "  the")],
) -> list[int]:
    out: list[int] = []
    word = b""
    for c in text.encode():
        if c == 32 and word:
            out += bpe.word(word)
            word = b""
        word += bytes([c])
    return out + (bpe.word(word) if word else [])
