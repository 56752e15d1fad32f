# SPDX-License-Identifier: Apache-2.0
import heapq
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


def call(lengths, page, workers, most, chunk=None, **more):
    at = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    names = ("kv_indptr", "page_size", "num_workers", "max_tiles", "chunk_size")
    return {"arguments": dict(zip(names, (at, page, workers, most, chunk))), **more}


def refused(message, *args):
    return call(*args, refused={"kind": "ValueError", "message": message})


def tiles(lengths, chunk):
    return int(np.maximum(-(-lengths // chunk), 1).sum())


@kernel(
    sizes={"b": [5, 0, 1, 40]},
    where=["kv_indptr[0] == 0", "kv_indptr[1:] >= kv_indptr[:-1]", "b <= max_tiles"],
    parameters={"kv_indptr": {"layout": "contiguous"}},
    promises=["repeatable", "fresh"],
    calls=[
        call([100, 0, 37, 64], 16, 3, 8),
        call([100, 0, 37, 64], 16, 3, 4),
        call([64, 64, 64], 16, 2, 6),
        call([64, 64, 64], 16, 2, 12),
        call([64] * 20 + [32] * 20, 16, 7, 200),
        call([100, 0, 37, 64], 16, 3, 80, 32),
        call([5000, 1, 0], 1, 8, 65536),
        call([2**31 - 1], 1024, 2, 10),
        call([], 16, 3, 8),
        call([0, 0], 16, 3, 2),
        refused("max_tiles", [1, 2, 3], 16, 2, 2),
        refused("chunk_size", [100], 16, 2, 40, 24),
        refused("chunk_size", [100], 16, 2, 6, 16),
        refused("chunk_size", [100], 16, 2, 6, 0),
        refused("kv_indptr", [100, -40, 10], 16, 2, 40),
        refused("page_size", [100], 0, 2, 40),
        refused("num_workers", [100], 16, 0, 40),
    ],
)
def plan_split_kv(
    kv_indptr: Annotated[Tensor[np.int32, "b+1"], Range(0)],
    page_size: Annotated[int, Examples(16, 1), Range(1, 65536)],
    num_workers: Annotated[int, Examples(3, 132), Range(1, 4096)],
    max_tiles: Annotated[int, Examples(60, 41, 1000), Range(1, 65536)],
    chunk_size: Optional[Annotated[int, Examples(64, 4096), Range(1, 2**31)]],
) -> tuple[
    int,
    Tensor[np.int32, "_"],
    Tensor[np.int32, "_"],
    Tensor[np.int32, "_"],
    Tensor[np.int32, "b+1"],
]:
    at = kv_indptr.astype(np.int64)
    lengths = np.diff(at)
    if chunk_size is not None:
        if chunk_size % page_size:
            raise ValueError("chunk_size must be a multiple of page_size")
        if tiles(lengths, chunk_size) > max_tiles:
            raise ValueError("chunk_size needs more than max_tiles")
        chunk = chunk_size
    else:
        low, high = 1, max(-(-int(lengths.max(initial=0)) // page_size), 1)
        while low < high:  # the smallest number of pages that is enough
            middle = (low + high) // 2
            if tiles(lengths, middle * page_size) <= max_tiles:
                high = middle
            else:
                low = middle + 1
        chunk = low * page_size
    request, begin, size = [], [], []
    merge = [0]
    for i, length in enumerate(lengths.tolist()):
        for k in range(max(-(-length // chunk), 1)):
            request.append(i)
            begin.append(int(at[i]) + k * chunk)
            size.append(min(chunk, length - k * chunk))
        merge.append(len(request))
    worker = [0] * len(request)
    loads = [(0, w) for w in range(num_workers)]
    for tile in sorted(range(len(request)), key=lambda t: -size[t]):
        load, worker[tile] = loads[0]
        heapq.heapreplace(loads, (load + size[tile], worker[tile]))
    as_array = lambda values: np.array(values, np.int32)  # noqa: E731
    return chunk, as_array(request), as_array(begin), as_array(worker), as_array(merge)
