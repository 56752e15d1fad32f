# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
I = TypeVar("I", np.int64, np.int32)

X = np.arange(24, dtype=np.float32).reshape(6, 4)
F2 = 100 + np.arange(8, dtype=np.float32).reshape(2, 4)
F1 = 200 + np.arange(4, dtype=np.float32).reshape(1, 4)
IDS = np.array([7, 9, 9, 1, 9, 2], np.int64)
TWO = np.array([7, 900, 30, 1, 900, 2], np.int64)
FAR = np.array([7, 9, 9, 4294967305, 9, 2], np.int64)


def call(ids, features, placeholder, embeds=X, **more):
    return {
        "arguments": {
            "input_ids": ids,
            "embeds": embeds,
            "features": features,
            "placeholder": placeholder,
        },
        **more,
    }


@kernel(
    parameters={"features": {"length": [2, 1, 0]}},
    sizes={"n": [6, 1, 0], "d": [4, 1]},
    tolerance=0,
    promises=["atomic", "repeatable"],
    calls=[
        call(IDS, [F2, F1], 9),
        call(IDS.astype(np.int32), [F1, F2], 9),
        call(
            IDS.astype(np.int32),
            [F1.astype(np.float16), F2.astype(np.float16)],
            9,
            X.astype(np.float16),
        ),
        call(TWO, [F2, F1], [900, 30]),
        call(TWO, [F1, F2], [30, 55, 900]),
        call(TWO, [F2], [900]),
        call(FAR, [F2, F1], 9),
        call(IDS, [], 5),
        call(IDS, [F2[:0], F1], 7),
        call(IDS, [F2], 9, refused={"kind": "ValueError"}, text="too few features"),
        call(IDS, [F2, F2], 9, refused={"kind": "ValueError"}, text="too many features"),
        call(IDS, [F1], 8, refused={"kind": "ValueError"}, text="no placeholder"),
        call(
            IDS,
            [F2, F1[:, :3]],
            9,
            refused={"kind": "ValueError"},
            text="features of another size",
        ),
        call(IDS, [], [], refused={"kind": "ValueError"}),
        call(IDS, [], -1, refused={"kind": "ValueError"}),
    ],
)
def merge_embeddings(
    input_ids: Tensor[I, "n"],
    embeds: InOut[Tensor[T, "n d", {"layout": "rows"}]],
    features: list[Tensor[T, "_ d"]],
    placeholder: Union[Annotated[int, Range(0)], list[Annotated[int, Range(0)]]],
) -> int:
    tokens = placeholder if isinstance(placeholder, (list, tuple)) else [placeholder]
    if len(tokens) == 0 or min(tokens) < 0:
        raise ValueError("placeholder: no token")
    places = np.flatnonzero(np.isin(input_ids, tokens))
    rows = sum(len(f) for f in features)
    if len(places) != rows:
        raise ValueError("features: another number of rows than of placeholders")
    if rows:
        embeds[places] = np.concatenate(list(features))
    return rows
