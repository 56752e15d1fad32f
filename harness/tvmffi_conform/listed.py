# SPDX-License-Identifier: Apache-2.0
"""Listed calls as they are in Python: the arguments that a signature file gives them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import HarnessError
from .examples import listed, never_written, numpy_type, rest_name
from .kept import Kept, kept_name, types_within


class LeftOut(Exception):
    """A call that is not listed, and why."""


# --- Types ----------------------------------------------------------------------------------------


def is_lacking(dtype: Any) -> bool:
    """Whether it is a type that NumPy itself has not, such as bfloat16."""
    return dtype.type.__module__ != "numpy"


def is_lacking_in(name: str, size: int) -> bool:
    """Whether it is the name of such a type, of so many bytes."""
    try:
        dtype = numpy_type(name)
    except (HarnessError, TypeError):
        return False
    return is_lacking(dtype) and dtype.itemsize == size


def names_of_types(signature: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    """The data types that a tensor may have."""
    names = told.get("dtype", [])
    return listed(
        signature.get("dtypes", {}).get(names, names) if isinstance(names, str) else names
    )


def item_of(told: Mapping[str, Any], index: int) -> Mapping[str, Any]:
    """The type of an element of an array or tuple."""
    if told.get("kind") == "tuple":
        return told["elements"][index]
    return told.get("element", {})


def entry_of(told: Mapping[str, Any], key: Any) -> Mapping[str, Any]:
    return told.get("entries", {}).get(key) or told.get("element", {})


# --- Values ---------------------------------------------------------------------------------------


def seeds_of(signature: Mapping[str, Any], folder: Path) -> Iterator[dict[str, Any]]:
    """The arguments of the calls that are listed and served, where all of them are stated."""
    for call in signature.get("calls", []):
        if "refused" in call:
            continue
        with contextlib.suppress(LeftOut, OSError, ValueError, TypeError, IndexError, KeyError):
            yield arguments_of(signature, call, folder)


def arguments_of(
    signature: Mapping[str, Any], call: Mapping[str, Any], folder: Path, of_step: bool = False
) -> dict[str, Any]:
    """The arguments of a listed call, from JSON. LeftOut: one is not stated, or can't be made.

    of_step: it is a step of `needs` or `sequences`, in which anything may be what was kept.
    """
    listed = Listed(signature, call.get("arguments", {}), folder, of_step)
    types = list(signature["parameters"])
    if rest := signature.get("rest"):
        types.append({"name": rest_name(rest), "kind": "array", "element": rest})
    return {told["name"]: listed.argument(told) for told in types}


def read_arguments(
    signature: Mapping[str, Any], call: Mapping[str, Any], folder: Path, of_step: bool = False
) -> dict[str, Any]:
    """The same of a call that its author wrote by hand. LeftOut: its arguments cannot be read."""
    try:
        return arguments_of(signature, call, folder, of_step)
    except (OSError, ValueError, TypeError, IndexError, KeyError) as error:
        raise LeftOut(f"its arguments cannot be read: {error}") from error


class Listed:
    """Reads the arguments of a listed call."""

    def __init__(
        self,
        signature: Mapping[str, Any],
        arguments: Mapping[str, Any],
        folder: Path,
        of_step: bool = False,
    ) -> None:
        self.signature, self.arguments, self.folder = signature, arguments, folder
        self.of_step = of_step

    def types(self) -> list[Mapping[str, Any]]:
        """Of the parameters, and of the arguments behind them."""
        rest = self.signature.get("rest")
        return [*self.signature["parameters"], *([{"element": rest}] if rest else [])]

    def argument(self, told: Mapping[str, Any]) -> Any:
        if told["name"] not in self.arguments:
            if told.get("kind") == "object" and "value" in told and not self.of_step:
                return self.value(told, told["value"])
            raise LeftOut(f"{told['name']} is not stated")
        return self.value(told, self.arguments[told["name"]])

    def value(self, told: Mapping[str, Any], value: Any) -> Any:
        """A value of this type, from JSON. LeftOut: of a kind that is not read."""
        kind = told.get("kind")
        name = kept_name(value) if kind == "object" or self.of_step else None
        if value is None or name is not None:
            return None if name is None else Kept(name)
        if kind == "any" and self.of_step:
            return self.untyped(value)
        if kind == "variant":
            return self.value(self.chosen(told, value), value)
        if kind == "tensor":
            return self.tensor(told, value)
        if kind == "array":
            return [self.value(told["element"], some) for some in value]
        if kind == "tuple":
            return tuple(self.value(item_of(told, i), some) for i, some in enumerate(value))
        if kind == "map":
            return {
                key_of(told, key): self.value(entry_of(told, key), some)
                for key, some in value.items()
            }
        if kind == "float":
            return float(value)
        if kind == "dtype":
            return numpy_type(value)
        if kind == "shape":
            return tuple(value)
        if kind == "bytes" and isinstance(value, str):
            return value.encode()
        if kind in ("int", "bool", "string", "device") and isinstance(value, (int, str)):
            return value
        raise LeftOut(f"a {kind}")

    def untyped(self, value: Any) -> Any:
        """A value of which no type is stated, such as an argument of a method."""
        if is_tensor(value):
            if "npy" not in value and "dtype" not in value:
                raise LeftOut("a tensor without a data type")
            return self.tensor({}, value)
        of = {"kind": "any"}
        if isinstance(value, (list, tuple)):
            return [self.value(of, some) for some in value]
        if isinstance(value, Mapping):
            return {key: self.value(of, some) for key, some in value.items()}
        return value

    @staticmethod
    def chosen(told: Mapping[str, Any], value: Any) -> Mapping[str, Any]:
        """The alternative of a variant that a value may be, if it is one only."""
        words = ("string", "float") if value in ("nan", "inf", "-inf") else ("string",)
        kinds = {
            bool: ("bool",),
            int: ("int", "float"),
            float: ("float",),
            str: (*words, "bytes", "dtype", "device"),
            list: ("array", "tuple", "shape"),
            dict: ("tensor",) if is_tensor(value) else ("map",),
        }[type(value)]
        of_kind = [
            one
            for one in told["any_of"]
            if one.get("kind") in kinds
            and (one["kind"] != "string" or value in one.get("values", [value]))
        ]
        if len(of_kind) > 1:  # a text, or a number, rather than bytes
            of_kind = [one for one in of_kind if one["kind"] != "bytes"]
        if isinstance(value, int) and len(of_kind) == 2:
            of_kind = [one for one in of_kind if one["kind"] == "int"]
        if len(of_kind) != 1:
            raise LeftOut("a variant")
        return of_kind[0]

    def tensor(self, told: Mapping[str, Any], value: Any) -> Any:
        import numpy as np

        if "npy" in value:
            array = np.load(self.folder / value["npy"], allow_pickle=False)
            return array if array.dtype.kind != "V" else self.lacking(told, array)
        dtype = numpy_type(value.get("dtype") or self.dtype(told))
        if "elements" in value:
            # (Integers of 64 bits have more digits than a float.)
            within = dtype if dtype.kind in "iub" else float
            return np.array(value["elements"], dtype=within).astype(dtype)
        if told.get("role") != "out" or "shape" not in value:
            raise LeftOut("a tensor that is not an output, without elements")
        return never_written(tuple(value["shape"]), dtype)

    def lacking(self, told: Mapping[str, Any], array: Any) -> Any:
        """An array of bytes as the one type that the tensor may have and NumPy lacks."""
        names = names_of_types(self.signature, told)
        alike = [name for name in names if is_lacking_in(name, array.dtype.itemsize)]
        if len(alike) != 1:
            raise LeftOut("an array of one of several types that NumPy lacks")
        return array.view(numpy_type(alike[0]))

    def dtype(self, told: Mapping[str, Any]) -> str:
        """The name of the data type: of a variable, that of another tensor in the call."""
        names = told.get("dtype", "float32")
        variables = self.signature.get("dtypes", {})
        if not isinstance(names, str):
            return names[0]
        if names not in variables:
            return names
        if any(names in dtypes_within(other) for other in self.types()):
            raise LeftOut(f"a tensor of {names}, which is within a container, too")
        for other in self.signature["parameters"]:
            given = self.arguments.get(other["name"])
            if other.get("dtype") == names and is_tensor(given):
                if "npy" in given:
                    return self.tensor(other, given).dtype.name
                if "dtype" in given:
                    return given["dtype"]
        return variables[names][0]


def key_of(told: Mapping[str, Any], key: str) -> Any:
    """A key of a map as it is in Python: JSON writes each as a text."""
    return int(key) if told.get("key", {}).get("kind") == "int" else key


def dtypes_within(told: Mapping[str, Any]) -> set[str]:
    """What stands for the data types of tensors in the values of a type."""
    inner = types_within(told)
    names = {one["dtype"] for one in inner if isinstance(one.get("dtype"), str)}
    return names.union(*map(dtypes_within, inner))


def is_tensor(value: Any) -> bool:
    return isinstance(value, Mapping) and any(key in value for key in ("npy", "elements", "shape"))
