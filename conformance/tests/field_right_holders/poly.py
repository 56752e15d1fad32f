# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Literal, Optional, Union

import numpy as np
from tvmffi_conform.kernels import Device, DType, Examples, Range, Shape, Tensor, kernel


@kernel(
    sizes={"n": [5, 1, 0]},
    parameters={"f": {"does": "2*x + 1"}},
    promises=["fresh", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([1, 2, 3], np.float64),
                "k": 2,
                "pair": [2, None],
                "weights": {"a": 0.5},
                "tag": "abc",
                "negate": False,
                "more": [np.array([1, 1, 1], np.float64)],
            },
            "expected": {"result": "[11.5, 15.5]"},
        },
        {"arguments": {"k": "some"}, "refused": {"kind": "ValueError", "message": "or all"}},
    ],
)
def poly(
    x: Tensor[np.float64, "n"],
    f: Callable[[float], float],
    k: Union[Annotated[int, Range(0, "n")], Literal["all"]],
    pair: tuple[
        Annotated[int, Examples(1, 3), Range(-100, 100)], Optional[Annotated[float, Range(-10, 10)]]
    ],
    weights: dict[str, Annotated[float, Range(-10, 10)]],
    tag: Annotated[bytes, Examples(b"", b"abc")],
    negate: bool,
    *more: Tensor[np.float64, "n"],
) -> Tensor[np.float64, "_"]:
    y = 2 * x + 1
    for m in more:
        y = y + m
    y = y * pair[0] + (pair[1] or 0) + sum(weights.values()) + len(tag)
    y = y if k == "all" else y[:k]
    return -y if negate else y.copy()


@kernel(
    sizes={"n": [3, 0, 100]},
    refuses=[{"with": {"step": 0}, "kind": "ValueError", "message": "not be 0"}],
    where=["step != 0"],
)
def grid(
    s: Shape["n 2"],
    dtype: DType[np.float32, np.int32],
    device: Device["cpu"],
    step: Annotated[int, Range(-50, 50), Examples(1, 7)],
) -> Tensor["dtype", "n 2"]:
    return (np.arange(s[0] * 2).reshape(s) * step).astype(dtype)
