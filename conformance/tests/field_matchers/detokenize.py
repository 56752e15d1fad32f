# SPDX-License-Identifier: Apache-2.0
import re
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.int32, np.int64)

# 0, 1 and 2 are special; 5 to 12 are bytes; 13 begins with two spaces
VOCAB = ["<unk>", "<s>", "</s>", "\u2581Hello", "\u2581world", "<0xE2>", "<0x82>", "<0xac>"]
VOCAB += ["<0xC3>", "<0xED>", "<0xA0>", "<0xF0>", "<0x41>", "\u2581\u2581x", "\u00e9", "", "<0xg1>"]


def call(ids, special=(0, 1, 2), skip=True, errors="replace", dtype=np.int32, vocab=None, **more):
    arguments = {
        "ids": np.array(ids, dtype),
        "vocab": VOCAB if vocab is None else vocab,
        "special": None if special is None else list(special),
        "skip_special": skip,
        "errors": errors,
    }
    return {"arguments": arguments, **more}


def no_text(ids):
    return call(ids, errors="strict", refused={"kind": "ValueError", "message": "UTF-8"})


def outside(ids, dtype=np.int32):
    return call(ids, dtype=dtype, refused={"kind": "IndexError", "message": "ids"})


def step(ids, errors, **outcome):
    arguments = {
        "ids": {"elements": ids, "dtype": "int32"},
        "vocab": VOCAB,
        "special": None,
        "skip_special": False,
        "errors": errors,
    }
    return {"call": "detokenize", "arguments": arguments, **outcome}


@kernel(
    sizes={"n": [4, 0]},
    parameters={
        "ids": {"layout": "contiguous"},
        "vocab": {"value": VOCAB},
        "special": {"value": [0, 1, 2]},
    },
    where=["ids < len(vocab)"],
    promises=["repeatable"],
    calls=[
        call([1, 3, 4, 2]),
        call([1, 3, 4, 2], skip=False),
        call([1, 3, 4, 2], special=None),
        call([1, 3, 4, 2], special=[2], dtype=np.int64),
        call([3, 5, 6, 7, 14], errors="strict"),
        call([5, 6, 7, 12, 15, 16], errors="strict", dtype=np.int64),
        call([3, 5, 6]),
        call([3, 5, 6], errors="ignore"),
        call([5, 6, 4, 8, 3, 7]),
        call([9, 10, 6, 12]),
        call([9, 10, 6, 12], errors="ignore"),
        call([11, 6, 6]),
        call([13, 13]),
        call([], errors="strict"),
        call([], vocab=[], special=None),
        no_text([3, 5, 6]),
        no_text([8]),
        no_text([9, 10, 6]),
        no_text([7, 3]),
        outside([3, len(VOCAB)]),
        outside([3, -1]),
        outside([0, 2**32 + 3], np.int64),
        outside([-(2**32)], np.int64),
        call([3], special=[17], refused={"kind": "ValueError", "message": "special"}),
        call([3], special=[-1], refused={"kind": "ValueError", "message": "special"}),
    ],
    sequences=[
        {
            "text": "a refused call leaves nothing behind",
            "repeatable": True,
            "steps": [
                step([3, 4], "strict", expected={"result": '"Hello world"'}),
                step([3, 5], "strict", refused={"kind": "ValueError", "message": "UTF-8"}),
                step([4], "strict", expected={"result": '"world"'}),
                step([3, 99], "strict", refused={"kind": "IndexError", "message": "ids"}),
                step([4], "replace", expected={"result": '"world"'}),
            ],
        }
    ],
)
def detokenize(
    ids: Annotated[Tensor[T, "n"], Range(0, "len(vocab) - 1")],
    vocab: list[str],
    special: Optional[list[Annotated[int, Range(0, "len(vocab) - 1")]]],
    skip_special: bool,
    errors: Literal["strict", "replace", "ignore"],
) -> str:
    skipped = set(special or ()) if skip_special else set()
    if any(not 0 <= s < len(vocab) for s in special or ()):
        raise ValueError("special")
    data = b""
    for i in ids.tolist():
        if not 0 <= i < len(vocab):
            raise IndexError("ids")
        if i in skipped:
            continue
        piece = vocab[i]
        if re.fullmatch("<0x[0-9A-Fa-f]{2}>", piece):
            data += bytes([int(piece[3:5], 16)])
        else:
            data += piece.replace("\u2581", " ").encode()
    if data.startswith(b" "):
        data = data[1:]
    if errors == "strict":
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise ValueError("no UTF-8") from None
    return data.decode(errors=errors)
