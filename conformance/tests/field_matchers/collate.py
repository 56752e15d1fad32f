# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, NotRequired, Optional, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Tensor, kernel

T = TypeVar("T", np.int32, np.int64)


class Options(TypedDict):
    pad_id: NotRequired[Annotated[int, Examples(0, -100, 7)]]
    side: NotRequired[Literal["left", "right"]]
    truncate: NotRequired[bool]


def ragged(dtype, *lengths):
    return [np.arange(n, dtype=dtype) * 3 + 11 * i + 1 for i, n in enumerate(lengths)]


def out(rows, length, dtype):
    return np.zeros((rows, length), dtype)


def call(rows, length, options, dtype=np.int32, mask=True, **more):
    arguments = {"rows": rows, "options": options, "ids": out(len(rows), length, dtype)}
    arguments["mask"] = {"shape": [len(rows), length]} if mask else None
    return {"arguments": arguments, **more}


@kernel(
    sizes={"b": [3, 1, 0], "L": [9, 1, 0]},
    promises=["atomic", "repeatable", "fresh"],
    parameters={
        "rows": {"length": "b"},
        "options": {"other_keys": "refused"},
        "ids": {"layout": "contiguous"},
        "mask": {"layout": "contiguous"},
    },
    refuses=[
        {"with": {"options": {"side": "both"}}, "kind": "ValueError", "message": "side"},
        {"with": {"options": {"pad_token": 1}}, "kind": "ValueError", "message": "pad_token"},
    ],
    calls=[
        call(ragged(np.int32, 2, 0, 5), 5, {"pad_id": -100, "side": "left"}),
        call(ragged(np.int32, 2, 4, 1), 4, {"pad_id": 9}),
        call(ragged(np.int32, 2, 4, 1), 4, {}, mask=False),
        call(ragged(np.int64, 2, 4, 1), 4, {"pad_id": -(2**40) - 5}, np.int64),
        call(ragged(np.int64, 6, 4, 1), 4, {"truncate": True, "side": "left"}, np.int64),
        call(ragged(np.int32, 6, 4, 9), 3, {"truncate": True, "side": "right", "pad_id": -1}),
        call([], 4, {}),
        call(
            ragged(np.int32, 2, 6),
            4,
            {"truncate": False},
            refused={"kind": "ValueError", "message": "truncate"},
        ),
        call(ragged(np.int32, 1, 5), 4, {}, refused={"kind": "ValueError", "message": "rows[1]"}),
        call(
            ragged(np.int32, 1, 2),
            4,
            {"pad_id": 2**31},
            refused={"kind": "ValueError", "message": "pad_id"},
        ),
    ],
)
def collate(
    rows: list[Tensor[T, "_", {"layout": "strided"}]],
    options: Options,
    ids: Out[Tensor[T, "b L"]],
    mask: Optional[Out[Tensor[np.bool_, "b L"]]],
) -> list[int]:
    pad = options.get("pad_id", 0)
    left = options.get("side", "right") == "left"
    width = ids.shape[1]
    if ids.dtype == np.int32 and not -(2**31) <= pad < 2**31:
        raise ValueError("pad_id must fit into int32")
    if not options.get("truncate", False) and any(len(r) > width for r in rows):
        raise ValueError("truncate is not set")
    ids[...] = pad
    if mask is not None:
        mask[...] = False
    lengths = []
    for i, row in enumerate(rows):
        n = min(len(row), width)
        at = width - n if left else 0
        ids[i, at : at + n] = row[:n]
        if mask is not None:
            mask[i, at : at + n] = True
        lengths.append(n)
    return lengths
