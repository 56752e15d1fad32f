# SPDX-License-Identifier: Apache-2.0
from typing import NotRequired, TypedDict

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

BIG = 1 << 60


class Options(TypedDict):
    closed: NotRequired[bool]


def steps() -> list[dict]:
    """The same starts with other ends, and back: what was kept must not be mixed up."""
    made = []
    for ends in ([4, 9], [2, 9], [4, 9]):
        arguments = {
            "starts": np.array([1, 3], np.int64),
            "ends": np.array(ends, np.int64),
            "points": np.array([0, 3, 4, 9], np.int64),
            "options": {},
        }
        made.append({"call": "stab_count", "arguments": arguments})
    return made


@kernel(
    sizes={"n": [5, 0, 1, 60], "m": [4, 0, 1, 33]},
    where=["starts <= ends"],
    parameters={"options": {"other_keys": "refused"}},
    promises=["atomic", "repeatable", "fresh"],
    refuses=[{"when": "any(starts > ends)", "kind": "ValueError", "message": "ends before"}],
    calls=[
        {
            "arguments": {
                "starts": np.array([-BIG, 5, 7], np.int64),
                "ends": np.array([BIG, 5, 9], np.int64),
                "points": np.array([BIG, 5, -BIG, 8], np.int64),
                "options": {"closed": True},
            },
            "expected": {"result": "[1, 2, 1, 2]"},
        },
        {
            "arguments": {
                "starts": np.array([-BIG, 5, 7], np.int64),
                "ends": np.array([BIG, 5, 9], np.int64),
                "points": np.array([BIG, 5, -BIG, 8], np.int64),
                "options": {"closed": False},
            },
            "expected": {"result": "[0, 1, 1, 2]"},
            "text": "an interval without its end, so that of 5 to 5 is empty",
        },
    ],
    sequences=[{"text": "intervals that differ a little", "steps": steps()}],
)
def stab_count(
    starts: Tensor[np.int64, "n"],
    ends: Tensor[np.int64, "n"],
    points: Tensor[np.int64, "m"],
    options: Options,
) -> Tensor[np.int64, "m"]:
    inside = (starts[None] <= points[:, None]) & (points[:, None] < ends[None])
    if options.get("closed", False):
        inside |= points[:, None] == ends[None]
    return inside.sum(axis=1).astype(np.int64)
