# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, Values, kernel


@kernel(
    promises=["repeatable"],
    calls=[
        {"arguments": {"sep": "", "parts": []}, "expected": {"result": '""'}},
        {
            "arguments": {
                "sep": " · ",
                "parts": ["größe", "", "a much longer text than seven bytes"],
            }
        },
    ],
)
def join(sep: Annotated[str, Examples(", ", "", "-")], *parts: str) -> str:
    return sep.join(parts)


@kernel(
    refuses=[
        {
            "when": "seed is not None and (seed < 0 or seed > 0xffffffff)",
            "kind": "ValueError",
            "message": "32 bits",
        }
    ],
    calls=[
        {"arguments": {"data": "é", "seed": None}},
        {"arguments": {"data": b"", "seed": 7}, "expected": {"result": "7"}},
    ],
)
def fnv(
    data: Annotated[bytes, Examples(b"", b"abc", b"a longer text of bytes")],
    seed: Optional[Annotated[int, Examples(1), Range(0, 4294967295)]],
) -> int:
    h = 2166136261 if seed is None else seed
    for b in data:
        h = (h ^ b) * 16777619 % 2**32
    return h


@kernel(
    calls=[
        {
            "arguments": {
                "vocab": ["to", "be", " or not "],
                "ids": np.array([0, 1, 2, 0, 1], np.int64),
            },
            "expected": {"result": '"tobe or not tobe"'},
        },
        {"arguments": {"vocab": [], "ids": np.zeros(0, np.int32)}},
    ],
)
def decode(
    vocab: list[str],
    ids: Annotated[Tensor[(np.int32, np.int64), "n"], Range(least=0, most="len(vocab) - 1")],
) -> str:
    return "".join(vocab[i] for i in ids)


@kernel(promises=["repeatable"])
def upper(data: Annotated[bytes, Examples("größe".encode(), b"", b"MiXed")]) -> bytes:
    return bytes(b - 32 if 97 <= b <= 122 else b for b in data)


@kernel(
    calls=[
        {
            "arguments": {"text": "a,b c,,", "sep": ","},
            "expected": {"result[1]": '"b c"', "result[3]": '""'},
        }
    ],
    refuses=[{"with": {"sep": ""}, "kind": "ValueError", "message": "sep must"}],
)
def words(
    text: Annotated[str, Examples("", "one two", "a|b, c")],
    sep: Annotated[str, Values(" ", ",", "|")],
) -> list[str]:
    return text.split(sep)
