# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of named tensors as bytes, in a tensor of uint8."""

import struct
import zlib
from typing import Annotated

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

STRIDED = {"layout": "strided", "device": "cpu"}
COMPACT = {"layout": "contiguous", "device": "cpu"}

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
CODES = {
    (0, 8): np.dtype(np.int8),
    (0, 32): np.dtype(np.int32),
    (0, 64): np.dtype(np.int64),
    (1, 8): np.dtype(np.uint8),
    (2, 16): np.dtype(np.float16),
    (2, 32): np.dtype(np.float32),
    (2, 64): np.dtype(np.float64),
    (4, 16): BFLOAT16,
}
STORED = (
    np.float32,
    np.float16,
    "bfloat16",
    np.float64,
    np.int8,
    np.int32,
    np.int64,
    np.uint8,
)


def seal(body: bytes) -> np.ndarray:
    return np.frombuffer(body + struct.pack("<I", zlib.crc32(body)), np.uint8).copy()


def save(tensors: dict, align: int) -> np.ndarray:
    body = b"TCK1" + struct.pack("<II", len(tensors), align)
    for name in sorted(tensors, key=lambda n: n.encode()):
        array = tensors[name]
        code, bits = next(c for c, t in CODES.items() if t == array.dtype)
        text = name.encode()
        body += struct.pack("<I", len(text)) + text + struct.pack("<BBH", code, bits, array.ndim)
        body += struct.pack(f"<{array.ndim}q", *array.shape) + struct.pack("<Q", array.nbytes)
        body += bytes(-len(body) % align) + array.tobytes()
    return seal(body)


def parse(blob: np.ndarray) -> dict:
    data = blob.tobytes()
    if len(data) < 16 or data[:4] != b"TCK1":
        raise ValueError("no checkpoint")
    if zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
        raise ValueError("checksum")
    data = data[:-4]
    try:
        count, align = struct.unpack_from("<II", data, 4)
        if not 1 <= align <= 4096 or align & (align - 1):
            raise ValueError("alignment")
        at, found = 12, {}
        for _ in range(count):
            (length,) = struct.unpack_from("<I", data, at)
            if not 1 <= length <= 255 or at + 4 + length > len(data):
                raise ValueError("name")
            name = data[at + 4 : at + 4 + length].decode()
            if found and name <= list(found)[-1]:
                raise ValueError("order")
            at += 4 + length
            code, bits, rank = struct.unpack_from("<BBH", data, at)
            if (code, bits) not in CODES or rank > 8:
                raise ValueError("type")
            dtype = CODES[code, bits]
            shape = struct.unpack_from(f"<{rank}q", data, at + 4)
            (size,) = struct.unpack_from("<Q", data, at + 4 + 8 * rank)
            at += 12 + 8 * rank
            at += -at % align
            expected = dtype.itemsize
            for extent in shape:
                expected *= extent
            if min(shape, default=0) < 0 or size != expected or at + size > len(data):
                raise ValueError("data")
            found[name] = np.frombuffer(data[at : at + size], dtype).reshape(shape)
            at += size
        if at != len(data):
            raise ValueError("more")
    except struct.error:
        raise ValueError("ends early") from None
    return found


WEIGHTS = {
    "b": np.array([1, -2, 3], np.float32),
    "layer.w": np.arange(6, dtype=np.int64).reshape(2, 3),
    "step": np.array(7, np.int32),
}
BLOB = save(WEIGHTS, 64)
DAMAGED = BLOB.copy()
DAMAGED[65] ^= 1  # in the data of b
HEAD = b"TCK1" + struct.pack("<II", 1, 1) + struct.pack("<I", 1) + b"b"
PROMISES = seal(HEAD + struct.pack("<BBH", 2, 32, 1) + struct.pack("<qQ", 3, 12) + bytes(4))
MALFORMED = {
    "no bytes": np.zeros(0, np.uint8),
    "another magic": np.concatenate([np.frombuffer(b"TCK0", np.uint8), BLOB[4:]]),
    "cut short": BLOB[: len(BLOB) // 2].copy(),
    "one bit is wrong": DAMAGED,
    "a long name": seal(b"TCK1" + struct.pack("<III", 1, 1, 200) + b"abc"),
    "more data promised than there is": PROMISES,
    "bytes behind the end": seal(BLOB[:-4].tobytes() + b"more"),
}


@kernel(
    parameters={"tensors": {"length": [2, 1, 0]}},
    where=["(align & (align - 1)) == 0"],
    refuses=[
        {"with": {"align": 24}, "kind": "ValueError", "message": "align must be a power of two"}
    ],
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {
            "text": "tensors of several types and ranks",
            "arguments": {"tensors": WEIGHTS, "align": 64},
        },
        {
            "text": "a name that is empty",
            "arguments": {"tensors": {"": np.zeros(2, np.float32)}, "align": 1},
            "refused": {"kind": "ValueError"},
        },
        {
            "text": "a name that is too long",
            "arguments": {"tensors": {"n" * 256: np.zeros(2, np.float32)}, "align": 1},
            "refused": {"kind": "ValueError"},
        },
    ],
    sequences=[
        {
            "text": "what is saved is read",
            "steps": [
                {
                    "call": "checkpoint_save",
                    "arguments": {"tensors": WEIGHTS, "align": 16},
                    "keep": "blob",
                },
                {"call": "checkpoint_names", "arguments": {"blob": {"kept": "blob"}}},
                {
                    "call": "checkpoint_read",
                    "arguments": {
                        "blob": {"kept": "blob"},
                        "name": "layer.w",
                        "out": {"shape": [2, 3], "dtype": "int64"},
                    },
                    "expected": {"out": "[[0, 1, 2], [3, 4, 5]]"},
                },
                {
                    "call": "checkpoint_read",
                    "arguments": {
                        "blob": {"kept": "blob"},
                        "name": "missing",
                        "out": {"shape": [2, 3], "dtype": "int64"},
                    },
                    "refused": {"kind": "KeyError"},
                },
            ],
        }
    ],
)
def checkpoint_save(
    tensors: dict[str, Tensor[STORED, "...", STRIDED]],
    align: Annotated[int, Examples(64, 1, 16), Range(1, 4096)],
) -> Tensor[np.uint8, "_", {"device": "cpu"}]:
    return save(tensors, align)


@kernel(
    promises=["atomic", "repeatable"],
    calls=[{"arguments": {"blob": BLOB}}, {"arguments": {"blob": save({}, 1)}}]
    + [
        {"text": text, "arguments": {"blob": blob}, "refused": {"kind": "ValueError"}}
        for text, blob in MALFORMED.items()
    ],
)
def checkpoint_names(blob: Tensor[np.uint8, "n", COMPACT]) -> list[str]:
    return list(parse(blob))


@kernel(
    promises=["atomic", "repeatable"],
    calls=[
        {"arguments": {"blob": BLOB, "name": "b", "out": {"shape": [3], "dtype": "float32"}}},
        {
            "arguments": {
                "blob": BLOB,
                "name": "layer.w",
                "out": {"shape": [2, 3], "dtype": "int64"},
            }
        },
        {"arguments": {"blob": BLOB, "name": "step", "out": {"shape": [], "dtype": "int32"}}},
        {
            "text": "no such name",
            "arguments": {"blob": BLOB, "name": "c", "out": {"shape": [3], "dtype": "float32"}},
            "refused": {"kind": "KeyError"},
        },
        {
            "text": "another type of the same size",
            "arguments": {"blob": BLOB, "name": "b", "out": {"shape": [3], "dtype": "int32"}},
            "refused": {"kind": "TypeError", "message": "out must be of float32"},
        },
        {
            "text": "another shape of the same size",
            "arguments": {
                "blob": BLOB,
                "name": "layer.w",
                "out": {"shape": [3, 2], "dtype": "int64"},
            },
            "refused": {"kind": "ValueError", "message": "out"},
        },
    ]
    + [
        {
            "text": text,
            "arguments": {"blob": blob, "name": "b", "out": {"shape": [3], "dtype": "float32"}},
            "refused": {"kind": "ValueError", "message": "blob"},
        }
        for text, blob in MALFORMED.items()
    ],
)
def checkpoint_read(
    blob: Tensor[np.uint8, "n", COMPACT],
    name: str,
    out: Out[Tensor[STORED, "...", COMPACT]],
) -> None:
    found = parse(blob)
    if name not in found:
        raise KeyError(name)
    if found[name].dtype != out.dtype:
        raise TypeError("out has another type")
    if found[name].shape != out.shape:
        raise ValueError("out has another shape")
    out[...] = found[name]
