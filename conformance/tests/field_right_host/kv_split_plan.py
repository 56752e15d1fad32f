# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


@kernel(
    sizes={"b": [3, 0, 1, 9]},
    where=["indptr[0] == 0", "indptr[1:] >= indptr[:-1]"],
    parameters={"indptr": {"layout": "contiguous"}},
    refuses=[{"when": "chunk < 1", "kind": "ValueError", "message": "at least 1"}],
    promises=["repeatable", "fresh", "atomic"],
    calls=[
        {"arguments": {"indptr": np.array([0, 5, 5, 12], np.int32), "chunk": 3}},
        {"arguments": {"indptr": np.array([0, 65536], np.int32), "chunk": 1}},
        {
            "arguments": {"indptr": np.array([0, 4, 3], np.int32), "chunk": 1},
            "refused": {"kind": "ValueError", "message": "falls at 2"},
        },
    ],
)
def kv_split_plan(
    indptr: Annotated[Tensor[np.int32, "b+1"], Range(0, 65536)],
    chunk: Annotated[int, Examples(4, 1), Range(1)],
) -> tuple[Tensor[np.int32, "_"], Tensor[np.int32, "_"], Tensor[np.int32, "b+1"]]:
    pages = np.diff(indptr.astype(np.int64))
    tiles = [max(1, -(-int(p) // chunk)) for p in pages]
    request = [i for i, n in enumerate(tiles) for _ in range(n)]
    tile = [k for n in tiles for k in range(n)]
    ends = np.cumsum([0, *tiles])
    return np.array(request, np.int32), np.array(tile, np.int32), ends.astype(np.int32)
