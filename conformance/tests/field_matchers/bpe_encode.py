# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

# h e -> 256, l l -> 257, he ll -> 258, a a -> 259, aa aa -> 260, bytes of "é" -> 261
MERGES = np.array([[104, 101], [108, 108], [256, 257], [97, 97], [259, 259], [195, 169]], np.int32)
TWICE = np.array([[97, 98], [97, 98], [256, 97], [97, 256]], np.int32)
OTHER = np.array([[101, 108], [104, 256], [257, 108], [108, 111], [98, 97], [111, 111]], np.int32)
NO_MERGES = np.zeros((0, 2), np.int32)


def call(text, merges=MERGES, max_tokens=None, truncate="head", **more):
    arguments = {"text": text, "merges": merges, "max_tokens": max_tokens, "truncate": truncate}
    return {"arguments": arguments, **more}


def step(text, merges, expected):
    arguments = {
        "text": text,
        "merges": {"elements": merges.tolist()},
        "max_tokens": None,
        "truncate": "head",
    }
    return {"call": "bpe_encode", "arguments": arguments, "expected": {"result": expected}}


def refused(text, merges=MERGES, max_tokens=None, truncate="head", message="merges"):
    return call(
        text, merges, max_tokens, truncate, refused={"kind": "ValueError", "message": message}
    )


@kernel(
    sizes={"m": [3, 0, 20]},
    where=["merges < 256 + arange(m)[:, None]"],
    promises=["repeatable", "fresh"],
    parameters={"merges": {"layout": "contiguous"}},
    calls=[
        call("hello"),
        call(""),
        call("hello hell he"),
        call("aaaaaaa"),
        call("caf\u00e9 \u00e9\u00e8 \u65e5\u672c"),
        call("he\u0000ll"),
        call("hello", NO_MERGES),
        call("abab aab", TWICE),
        call("hello baoo", OTHER),
        call("hello hell", max_tokens=0),
        call("hello hell", max_tokens=0, truncate="tail"),
        call("hello hell", max_tokens=2),
        call("hello hell", max_tokens=2, truncate="tail"),
        call("hello hell", max_tokens=4, truncate="error"),
        call("hello hell", max_tokens=9, truncate="tail"),
        refused("hello hell", max_tokens=3, truncate="error", message="max_tokens"),
        refused("h", max_tokens=0, truncate="error", message="max_tokens"),
        refused("hello", np.array([[104, 101], [257, 108]], np.int32)),
        refused("hello", np.array([[104, 257], [108, 108]], np.int32)),
        refused("hello", np.array([[-1, 101]], np.int32)),
    ],
    sequences=[
        {
            "text": "merges may be others in each call",
            "repeatable": True,
            "steps": [
                step("hello", MERGES, "[258, 111]"),
                step("hello", OTHER, "[258, 111]"),
                step("aaaa", MERGES, "[260]"),
                step("aaba", OTHER, "[97, 97, 260]"),
                step("aaaa", MERGES, "[260]"),
            ],
        }
    ],
)
def bpe_encode(
    text: Annotated[bytes, Examples(b"hello", b"", b"hell aaaa hello")],
    merges: Annotated[Tensor[np.int32, "m 2"], Range(0)],
    max_tokens: Optional[Annotated[int, Range(0), Examples(3, 1, 100)]],
    truncate: Literal["head", "tail", "error"],
) -> Tensor[np.int32, "_"]:
    ranks = {}
    for i, (a, b) in enumerate(merges.tolist()):
        if min(a, b) < 0 or max(a, b) >= 256 + i:
            raise ValueError("merges")
        ranks.setdefault((a, b), i)
    ids = list(text)
    while True:
        best = min((ranks[p] for p in zip(ids, ids[1:]) if p in ranks), default=None)
        if best is None:
            break
        joined, i = [], 0
        while i < len(ids):
            if i + 1 < len(ids) and ranks.get((ids[i], ids[i + 1])) == best:
                joined.append(256 + best)
                i += 2
            else:
                joined.append(ids[i])
                i += 1
        ids = joined
    if max_tokens is not None and len(ids) > max_tokens:
        if truncate == "error":
            raise ValueError("text has more tokens than max_tokens")
        ids = ids[:max_tokens] if truncate == "head" else ids[len(ids) - max_tokens :]
    return np.array(ids, np.int32)
