# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

VOCAB = ["a", "b", "ab", "abc", " ", "lo", "low", "er", "<unk>", "é"]
OTHER = ["b", "a", "ba", "bac", " ", "ol", "wol", "re", "<ukn>", "è"]


@kernel(
    parameters={"vocab": {"value": VOCAB}, "text": {"value": "abc low"}},
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "vocab": VOCAB,
                "text": "abcab loweré",
                "unk_id": None,
                "max_tokens": 100,
            },
            "expected": {
                "result[0]": "[3, 2, 4, 6, 7, 9]",
                "result[1]": "[[0, 3], [3, 5], [5, 6], [6, 9], [9, 11], [11, 13]]",
            },
        },
        {
            "arguments": {"vocab": VOCAB, "text": "abcab lower", "unk_id": None, "max_tokens": 2},
            "expected": {"result[0]": "[3, 2]", "result[1]": "[[0, 3], [3, 5]]"},
        },
        {
            "arguments": {"vocab": VOCAB, "text": "xaü", "unk_id": 8, "max_tokens": 100},
            "expected": {"result[0]": "[8, 0, 8]", "result[1]": "[[0, 1], [1, 2], [2, 4]]"},
        },
        {
            "arguments": {"vocab": OTHER, "text": "abac ol", "unk_id": None, "max_tokens": 100},
            "expected": {
                "result[0]": "[1, 3, 4, 5]",
                "result[1]": "[[0, 1], [1, 4], [4, 5], [5, 7]]",
            },
        },
        {
            "arguments": {"vocab": VOCAB, "text": "xyz", "unk_id": None, "max_tokens": 100},
            "refused": {"kind": "ValueError", "message": "no token for"},
        },
        {
            "arguments": {"vocab": ["a", ""], "text": "a", "unk_id": None, "max_tokens": 1},
            "refused": True,
        },
        {
            "arguments": {"vocab": ["a", "b", "a"], "text": "a", "unk_id": None, "max_tokens": 1},
            "refused": True,
        },
        {
            "arguments": {"vocab": VOCAB, "text": "a", "unk_id": 10, "max_tokens": 1},
            "refused": True,
        },
        {
            "arguments": {"vocab": VOCAB, "text": "a", "unk_id": -1, "max_tokens": 1},
            "refused": True,
        },
    ],
    sequences=[
        {
            "text": "two vocabularies in turn",
            "repeatable": True,
            "steps": [
                {
                    "call": "encode",
                    "arguments": {
                        "vocab": ["a", "b"],
                        "text": "ab",
                        "unk_id": None,
                        "max_tokens": 9,
                    },
                    "expected": {"result[0]": "[0, 1]"},
                },
                {
                    "call": "encode",
                    "arguments": {
                        "vocab": ["b", "a"],
                        "text": "ab",
                        "unk_id": None,
                        "max_tokens": 9,
                    },
                    "expected": {"result[0]": "[1, 0]"},
                },
            ],
        }
    ],
)
def encode(
    vocab: list[str],
    text: Annotated[str, Examples("abc low", "", "ab ab", "lower", "é", "xyz", "a\tb")],
    unk_id: Optional[Annotated[int, Range(0, "len(vocab) - 1")]],
    max_tokens: Annotated[int, Range(0, 2**31 - 1)],
) -> tuple[Tensor[np.int32, "_"], Tensor[np.int32, "_ 2"]]:
    table = {}
    for i, t in enumerate(vocab):
        if not t or t.encode() in table:
            raise ValueError("empty, or twice")
        table[t.encode()] = i
    data, at, out = text.encode(), 0, []
    while at < len(data):
        for n in range(len(data) - at, 0, -1):
            if data[at : at + n] in table:
                out.append((table[data[at : at + n]], at, at + n))
                break
        else:
            if unk_id is None:
                raise ValueError("no token for the text")
            n = 1
            while at + n < len(data) and data[at + n] & 0xC0 == 0x80:
                n += 1
            out.append((unk_id, at, at + n))
        at += n
    out = out[:max_tokens]
    ids = np.array([o[0] for o in out], np.int32)
    return ids, np.array([o[1:] for o in out], np.int32).reshape(-1, 2)


@kernel(
    parameters={"vocab": {"value": VOCAB}},
    calls=[
        {
            "arguments": {"vocab": VOCAB, "ids": {"elements": [3, 4, 6], "dtype": "int64"}},
            "expected": {"result": '"abc low"'},
        },
        {
            "arguments": {"vocab": VOCAB, "ids": {"elements": [10], "dtype": "int32"}},
            "refused": {"kind": "IndexError"},
        },
    ],
)
def decode(
    vocab: list[str],
    ids: Tensor[(np.int32, np.int64), "n", {"min": 0, "max": "len(vocab) - 1"}],
) -> str:
    return "".join(vocab[i] for i in ids)
