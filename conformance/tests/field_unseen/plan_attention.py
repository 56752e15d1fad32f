# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypedDict

from tvmffi_conform.kernels import Range, kernel


class Given(TypedDict):
    heads: Annotated[int, Range(1, 1024)]
    head_dim: Annotated[int, Range(1, 1024)]


class Attributes(Given, total=False):
    block: Annotated[int, Range(1, 1 << 20)]
    scale: float


class Plan(TypedDict):
    blocks: int
    workspace_bytes: int
    scale: float


@kernel(
    calls=[
        {"arguments": {"attrs": {"head_dim": 64}}, "refused": {"kind": "KeyError"}},
        {"arguments": {"attrs": {"heads": 8}}, "refused": {"kind": "KeyError"}},
    ]
)
def plan_attention(tokens: Annotated[int, Range(0, 1 << 30)], attrs: Attributes) -> Plan:
    block = attrs.get("block", 64)
    blocks = -(-tokens // block) * attrs["heads"]
    return {
        "blocks": blocks,
        "workspace_bytes": blocks * block * attrs["head_dim"] * 4,
        "scale": attrs.get("scale", attrs["head_dim"] ** -0.5),
    }
