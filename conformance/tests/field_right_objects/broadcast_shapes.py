# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

from tvmffi_conform.kernels import Range, Shape, kernel


@kernel(
    promises=["repeatable", "fresh"],
    calls=[
        {"arguments": {"shapes": [[2, 1, 3], [4, 1]]}, "expected": {"result": "(2, 4, 3)"}},
        {"arguments": {"shapes": [[0], [5, 1], [1, 1, 1]]}, "expected": {"result": "(1, 5, 0)"}},
        {"arguments": {"shapes": []}, "expected": {"result": "()"}},
        {"arguments": {"shapes": [[7]]}},
        {
            "arguments": {"shapes": [[2, 3], [2]]},
            "refused": {"kind": "ValueError", "message": "broadcast"},
        },
        {"arguments": {"shapes": [[-1]]}, "refused": {"kind": "ValueError"}},
    ],
)
def broadcast_shapes(*shapes: Annotated[Shape, Range(0)]) -> Shape:
    result = [1] * max((len(s) for s in shapes), default=0)
    for s in shapes:
        for i, extent in enumerate(s, len(result) - len(s)):
            if extent == 1:
                continue
            if result[i] not in (1, extent):
                raise ValueError("shapes don't fit")
            result[i] = extent
    return tuple(result)
