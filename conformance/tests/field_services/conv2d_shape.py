# SPDX-License-Identifier: Apache-2.0
"""Shape of the result of a 2D convolution, as graph compilers infer it."""

from typing import Annotated, Literal, Union

from tvmffi_conform.kernels import Range, Shape, kernel

Extent = Range(1, 2**31 - 1)
Step = Range(1, 65536)
Pad = Range(0, 65536)


def arguments(x, weight, **others):
    base = {
        "x": x,
        "weight": weight,
        "stride": 1,
        "padding": "valid",
        "dilation": 1,
        "groups": 1,
        "layout": "NCHW",
    }
    return {"arguments": {**base, **others}}


def refused(message, *shapes, **others):
    error = {"kind": "ValueError", "message": message}
    return {**arguments(*shapes, **others), "refused": error}


IMAGE = [2, 6, 32, 40]
FILTERS = [8, 6, 3, 5]


@kernel(
    parameters={
        "x": {"value": IMAGE},
        "weight": {"value": FILTERS},
        "groups": {"value": 1},
    },
    promises=["repeatable", "fresh"],
    calls=[
        arguments(IMAGE, FILTERS),
        arguments(IMAGE, FILTERS, stride=2, padding=1, dilation=2),
        arguments(IMAGE, FILTERS, stride=[2, 3], padding=[1, 2], dilation=[3, 1]),
        arguments(IMAGE, FILTERS, stride=[2, 1], padding=[0, 1, 2, 3]),
        arguments(IMAGE, FILTERS, padding="same"),
        arguments(IMAGE, FILTERS, padding="same", stride=[3, 7]),
        arguments(IMAGE, [8, 3, 1, 1], groups=2),
        arguments([2, 32, 40, 6], FILTERS, layout="NHWC", padding=[1, 2]),
        arguments([1, 32, 40, 6], [6, 1, 3, 3], layout="NHWC", groups=6, padding="same", stride=2),
        arguments([1, 1, 3, 5], [1, 1, 3, 5]),
        arguments([1, 1, 1, 1], [1, 1, 3, 3], padding="same"),
        arguments([1, 1, 2**31 - 1, 7], [1, 1, 3, 3], padding=1),
        refused("weight reaches", [1, 6, 2, 9], [8, 6, 3, 5]),
        refused("weight reaches", IMAGE, FILTERS, dilation=[16, 1], stride=2),
        refused("weight must have", IMAGE, [8, 5, 3, 5]),
        refused("groups must divide", IMAGE, [9, 3, 3, 3], groups=2),
        refused("weight must have", IMAGE, FILTERS, groups=4),
        refused("x must have 4", [6, 32, 40], FILTERS),
        refused("stride must have 2", IMAGE, FILTERS, stride=[1, 2, 3]),
        refused("stride must be", IMAGE, FILTERS, stride=0),
        refused("padding must have", IMAGE, FILTERS, padding=[1, 1, 1]),
        refused("padding must be", IMAGE, FILTERS, padding="full"),
        refused("padding must be", IMAGE, FILTERS, padding=[0, -1]),
        refused("dilation must be", IMAGE, FILTERS, dilation=[1, 0]),
        refused("layout must be", IMAGE, FILTERS, layout="NCWH"),
    ],
)
def conv2d_shape(
    x: Annotated[Shape["_ _ _ _"], Extent],
    weight: Annotated[Shape["_ _ _ _"], Extent],
    stride: Union[Annotated[int, Step], Annotated[Shape["_ _"], Step]],
    padding: Union[
        Literal["valid", "same"],
        Annotated[int, Pad],
        Annotated[Shape["_ _"], Pad],
        Annotated[Shape["_ _ _ _"], Pad],
    ],
    dilation: Union[Annotated[int, Step], Annotated[Shape["_ _"], Step]],
    groups: Annotated[int, Extent],
    layout: Literal["NCHW", "NHWC"],
) -> Shape:
    n, *rest = x
    h, w, c = rest if layout == "NHWC" else (rest[1], rest[2], rest[0])
    filters, per_group, kh, kw = weight
    if per_group * groups != c:
        raise ValueError("weight must have the channels of x")
    if filters % groups != 0:
        raise ValueError("groups must divide the filters of weight")
    strides = (stride, stride) if isinstance(stride, int) else stride
    dilations = (dilation, dilation) if isinstance(dilation, int) else dilation
    if padding == "same":
        out = [-(-size // step) for size, step in zip((h, w), strides)]
    else:
        if padding == "valid":
            pads = (0, 0)
        elif isinstance(padding, int):
            pads = (2 * padding, 2 * padding)
        elif len(padding) == 2:
            pads = (2 * padding[0], 2 * padding[1])
        else:
            pads = (padding[0] + padding[2], padding[1] + padding[3])
        out = []
        for size, k, step, apart, pad in zip((h, w), (kh, kw), strides, dilations, pads):
            reach = (k - 1) * apart + 1
            if reach > size + pad:
                raise ValueError("weight reaches over more than x with its padding")
            out.append((size + pad - reach) // step + 1)
    if layout == "NHWC":
        return (n, *out, filters)
    return (n, filters, *out)
