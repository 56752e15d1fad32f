# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)


@kernel(
    sizes={"n": [4, 1]},
    parameters={"vocab": {"length": 5}, "special": {"length": [0, 1]}},
    calls=[
        {
            "arguments": {
                "ids": [0],
                "vocab": ["a\x00b", "c"],
                "special": {},
                "skip_special": False,
                "separator": "-",
            },
            "expected": {"result": "vocab[0]"},
            "text": "tokens hold NULs",
        },
        {
            "arguments": {"ids": [0, 5], "special": {}},
            "refused": {"kind": "IndexError"},
            "text": "an id beyond the vocabulary",
        },
    ],
)
def detokenize(
    ids: Union[
        Annotated[Tensor[I, "n"], Range(0, 4)],
        list[Annotated[int, Range(0, 4)]],
    ],
    vocab: list[bytes],
    special: dict[int, str],
    skip_special: bool,
    separator: str,
) -> bytes:
    parts = []
    for i in ids:
        if int(i) in special:
            if not skip_special:
                parts.append(special[int(i)].encode())
        else:
            parts.append(vocab[int(i)])
    return separator.encode().join(parts)
