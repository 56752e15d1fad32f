# SPDX-License-Identifier: Apache-2.0
"""Two-dimensional convolution of images in NCHW."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Shape, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)

MOST = 2**31 - 1


def call(
    text,
    x,
    w,
    bias=None,
    stride=(1, 1),
    padding=(0, 0),
    dilation=(1, 1),
    groups=1,
    activation="none",
    refused=None,
):
    c = {
        "arguments": {
            "x": np.array(x),
            "w": np.array(w),
            "bias": None if bias is None else np.array(bias),
            "stride": list(stride),
            "padding": list(padding),
            "dilation": list(dilation),
            "groups": groups,
            "activation": activation,
        },
        "text": text,
    }
    if refused:
        c["refused"] = {"kind": "ValueError", "message": refused}
    return c


def numbers(*shape, dtype=np.float32):
    return (np.arange(np.prod(shape)).reshape(shape) * 7 % 11 - 5).astype(dtype)


@kernel(
    sizes={
        "n": [2, 1, 0],
        "ci": [1, 2],
        "co": [2, 1],
        "h": [6, 9],
        "v": [7, 5],
        "kh": [3, 1],
        "kw": [2, 1],
        "sh": [1, 2],
        "sv": [1, 3],
        "ph": [1, 0],
        "pv": [0, 1],
        "dh": [1, 2],
        "dv": [1, 2],
    },
    where=[
        "1 <= sh <= 2147483647",
        "1 <= sv <= 2147483647",
        "1 <= dh <= 2147483647",
        "1 <= dv <= 2147483647",
        "kh >= 1",
        "kw >= 1",
        "0 <= ph <= dh * (kh - 1)",
        "0 <= pv <= dv * (kw - 1)",
        "ph <= 2147483647",
        "pv <= 2147483647",
        "dh * (kh - 1) < h + 2 * ph",
        "dv * (kw - 1) < v + 2 * pv",
    ],
    refuses=[
        {"with": {"groups": 0}, "kind": "ValueError", "message": "groups must be"},
        {"with": {"activation": "tanh"}, "kind": "ValueError", "message": "activation must be"},
    ],
    calls=[
        call(
            "both axes have their own numbers",
            numbers(2, 2, 9, 8),
            numbers(3, 2, 3, 2),
            numbers(3),
            (2, 3),
            (2, 1),
            (2, 1),
        ),
        call(
            "the other way",
            numbers(1, 2, 8, 9, dtype=np.float64),
            numbers(3, 2, 2, 3, dtype=np.float64),
            None,
            (3, 1),
            (0, 2),
            (1, 3),
        ),
        call(
            "groups", numbers(2, 6, 5, 4), numbers(4, 3, 2, 2), numbers(4), padding=(1, 1), groups=2
        ),
        call(
            "depthwise",
            numbers(1, 3, 5, 5),
            numbers(3, 1, 3, 3),
            padding=(1, 1),
            groups=3,
            activation="relu",
        ),
        call("relu6", numbers(1, 1, 5, 5), numbers(2, 1, 3, 3), activation="relu6"),
        call("NaN stays", [[[[1, np.nan], [-1, 9]]]], [[[[1.0]]]], activation="relu"),
        call("NaN stays, relu6", [[[[1, np.nan], [-1, 9]]]], [[[[1.0]]]], activation="relu6"),
        call("the kernel fits once", numbers(1, 1, 3, 3), numbers(1, 1, 3, 3), stride=(MOST, MOST)),
        call("the kernel does not fit", numbers(1, 1, 3, 3), numbers(1, 1, 4, 3), refused="w with"),
        call(
            "dilated it does not fit",
            numbers(1, 1, 3, 3),
            numbers(1, 1, 2, 2),
            dilation=(1, 3),
            refused="w with",
        ),
        call(
            "a far too large dilation",
            numbers(1, 1, 3, 3),
            numbers(1, 1, 2, 2),
            dilation=(2**62, 1),
            refused="dilation must be",
        ),
        call(
            "stride 0",
            numbers(1, 1, 3, 3),
            numbers(1, 1, 2, 2),
            stride=(1, 0),
            refused="stride must be",
        ),
        call(
            "padding of a whole kernel",
            numbers(1, 1, 3, 3),
            numbers(1, 1, 2, 2),
            padding=(2, 0),
            refused="padding must be",
        ),
        call(
            "padding less than 0",
            numbers(1, 1, 3, 3),
            numbers(1, 1, 2, 2),
            padding=(0, -1),
            refused="padding must be",
        ),
        call(
            "too few channels",
            numbers(1, 4, 3, 3),
            numbers(2, 1, 2, 2),
            groups=2,
            refused="w must have the channels",
        ),
        call(
            "outputs by groups",
            numbers(1, 4, 3, 3),
            numbers(3, 2, 2, 2),
            groups=2,
            refused="w must have a multiple",
        ),
        call(
            "a short bias",
            numbers(1, 1, 3, 3),
            numbers(2, 1, 2, 2),
            numbers(1),
            refused="bias must",
        ),
    ],
    tolerance={"float32": 1e-6},
    promises=["atomic", "repeatable", "fresh"],
)
def conv2d(
    x: Tensor[T, "n groups*ci h v", {"layout": "contiguous"}],
    w: Tensor[T, "groups*co ci kh kw", {"layout": "contiguous"}],
    bias: Optional[Tensor[T, "groups*co", {"layout": "contiguous"}]],
    stride: Shape["sh sv"],
    padding: Shape["ph pv"],
    dilation: Shape["dh dv"],
    groups: Annotated[int, Examples(1, 2, 3), Range(1, 1024)],
    activation: Literal["none", "relu", "relu6"],
) -> Tensor[T, "n groups*co (h+2*ph-dh*(kh-1)-1)//sh+1 (v+2*pv-dv*(kw-1)-1)//sv+1"]:
    (ph, pv), (sh, sv), (dh, dv) = padding, stride, dilation
    image = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (ph, ph), (pv, pv)))
    co, ci, kh, kw = w.shape[0] // groups, *w.shape[1:]
    oh = (image.shape[2] - dh * (kh - 1) - 1) // sh + 1
    ov = (image.shape[3] - dv * (kw - 1) - 1) // sv + 1
    rows = np.arange(oh)[:, None] * sh + np.arange(kh) * dh
    cols = np.arange(ov)[:, None] * sv + np.arange(kw) * dv
    windows = image[:, :, rows[:, None, :, None], cols[None, :, None, :]]
    out = np.zeros((x.shape[0], w.shape[0], oh, ov))
    for g in range(groups):
        out[:, g * co : (g + 1) * co] = np.einsum(
            "ncyxij,ocij->noyx",
            windows[:, g * ci : (g + 1) * ci],
            w[g * co : (g + 1) * co].astype(np.float64),
        )
    if bias is not None:
        out += bias[None, :, None, None]
    if activation != "none":
        out = np.clip(out, 0, 6 if activation == "relu6" else None)
    return out.astype(x.dtype)
