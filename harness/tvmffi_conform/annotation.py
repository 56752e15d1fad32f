# SPDX-License-Identifier: Apache-2.0
"""Annotations of Python functions as the types of a signature file (conformance/SIGNATURES.md)."""

from __future__ import annotations

import collections.abc
import inspect
import json
import math
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, ForwardRef, Literal, TypeVar, Union

from . import HarnessError

NONE = type(None)
SCALARS = {int: "int", bool: "bool", float: "float", str: "string", bytes: "bytes"}


@dataclass(frozen=True)
class Tensor:
    """A tensor: `Tensor[np.float32, "n 2*d"]`.

    The first argument is a NumPy type, its name, a tuple of them, or a TypeVar constrained to some:
    parameters with the same TypeVar have the same type. The second is the shape, as jaxtyping has
    it. A third and further ones, `key="value"` pairs as in a signature file, go into one as a dict:
    `Tensor[np.float32, "n", {"layout": "strided"}]`.
    """

    dtype: Any
    shape: str
    more: str = "{}"  # as JSON, so that Union and Optional can tell tensors apart
    role: str = "in"

    def __class_getitem__(cls, item: Any) -> Tensor:
        parts = item if isinstance(item, tuple) else (item,)
        if len(parts) not in (2, 3) or not isinstance(parts[1], str):
            raise HarnessError('a tensor is written as Tensor[np.float32, "m n"]')
        dtype = tuple(parts[0]) if isinstance(parts[0], list) else parts[0]
        return cls(dtype, parts[1], json.dumps(parts[2] if len(parts) == 3 else {}))

    def __or__(self, other: Any) -> Any:
        return Union[self, other]

    # What typing asks of a type before it takes it into Optional[] or list[].
    def __call__(self) -> None:
        raise TypeError("an annotation is not called")


def with_role(annotation: Any, role: str) -> Tensor:
    """The tensor of an annotation, as an output."""
    tensor = as_tensor(annotation)
    if tensor is None:
        raise HarnessError(f"only tensors are outputs, not {annotation!r}")
    return replace(tensor, role=role)


@dataclass(frozen=True)
class Kind:
    """A value of a kind that Python has no type for, with its members as JSON."""

    kind: str
    more: str = "{}"

    def __or__(self, other: Any) -> Any:
        return Union[self, other]

    def __call__(self) -> None:
        raise TypeError("an annotation is not called")


class Shape:
    """A shape, as a tuple of ints; `Shape["n 2"]`: one with these extents."""

    def __class_getitem__(cls, item: Any) -> Kind:
        if not isinstance(item, str):
            raise HarnessError('a shape is written as Shape, or as Shape["n 2"]')
        return Kind("shape", json.dumps({"extents": item}))


class DType:
    """A data type, as a NumPy type; `DType[np.float32, "bfloat16"]`: one of these."""

    def __class_getitem__(cls, item: Any) -> Kind:
        items = item if isinstance(item, tuple) else (item,)
        return Kind("dtype", json.dumps({"values": [dtype_name(one) for one in items]}))


class Device:
    """A device, as a string; `Device["cpu", "cuda"]`: one of these."""

    def __class_getitem__(cls, item: Any) -> Kind:
        items = list(item) if isinstance(item, tuple) else [item]
        if not all(isinstance(one, str) for one in items):
            raise HarnessError('a device is written as Device, or as Device["cpu", "cuda"]')
        return Kind("device", json.dumps({"values": items}))


class Object:
    """An object that another function of the module makes; `Object["kernels.Tally"]`: of this type.

    The Python function gets the value that the Python function of the other one returns.
    """

    def __class_getitem__(cls, item: Any) -> Kind:
        if not isinstance(item, str):
            raise HarnessError('an object is written as Object, or as Object["kernels.Tally"]')
        return Kind("object", json.dumps({"type_key": item}))


KINDS = {Shape: "shape", DType: "dtype", Device: "device", Object: "object"}


class Retained:
    """A value that the kernel may keep after the call: `Retained[Tensor[np.float32, "n"]]`."""

    def __class_getitem__(cls, item: Any) -> Any:
        return Annotated[item, RETAINED]


@dataclass(frozen=True)
class Mark:
    """A member that is true."""

    member: str


RETAINED = Mark("retained")


class Out:
    """An output that the function fills: `Out[Tensor[np.float32, "n"]]`."""

    def __class_getitem__(cls, item: Any) -> Tensor:
        return with_role(item, "out")


class InOut:
    """A tensor that the function reads and changes: `InOut[Tensor[np.float32, "n"]]`."""

    def __class_getitem__(cls, item: Any) -> Tensor:
        return with_role(item, "inout")


@dataclass(frozen=True)
class Range:
    """Limits of a number, or of each element, both included: `Annotated[int, Range(1, "n")]`.

    None, or leaving it out: no limit on this side.
    """

    least: int | float | str | None = None
    most: int | float | str | None = None


@dataclass(frozen=True, init=False)
class Values:
    """The values that are taken, and no others: `Annotated[int, Values(1, 2, 4)]`."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, init=False)
class Examples:
    """Values that are taken, among others: `Annotated[float, Examples(1e-5, 1e-6)]`."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)


# Names as signature files have them, such as "bfloat16" and "float4_e2m1fnx2".
DTYPE = re.compile(r"(bool|(u?int|b?float|complex)\d+(_\w+)?)(x\d+)?")


def dtype_name(dtype: Any) -> str:
    """The name of a NumPy type, as signature files have it."""
    if isinstance(dtype, str):
        return dtype
    if isinstance(dtype, ForwardRef):  # TypeVar("T", "float32", "bfloat16")
        return dtype.__forward_arg__
    import numpy as np

    try:
        return np.dtype(dtype).name
    except TypeError as error:
        raise HarnessError(f"{dtype!r} is no NumPy type") from error


def as_tensor(annotation: Any) -> Tensor | None:
    """The tensor that an annotation stands for: ours, one of jaxtyping, or an annotated NDArray."""
    if isinstance(annotation, Tensor):
        return annotation
    if hasattr(annotation, "dim_str") and hasattr(annotation, "dtypes"):
        dtypes = annotation.dtypes
        names = tuple(dtypes) if isinstance(dtypes, (list, tuple, frozenset)) else (dtypes,)
        if not all(isinstance(name, str) and name.isidentifier() for name in names):
            raise HarnessError(f"{annotation!r}: which types are taken? Name each, as Float32 does")
        return Tensor(names if len(names) > 1 else names[0], annotation.dim_str)
    if typing.get_origin(annotation) is Annotated:
        array, *notes = typing.get_args(annotation)
        shapes = [note for note in notes if isinstance(note, str)]
        dtype = array_dtype(array)
        if dtype is not None and len(shapes) == 1:
            return Tensor(dtype, shapes[0])
    return None


def array_dtype(annotation: Any) -> Any:
    """The element type of NDArray[...]; None if it is something else."""
    import numpy as np

    if typing.get_origin(annotation) is not np.ndarray:
        return None
    inner = typing.get_args(typing.get_args(annotation)[1])
    return inner[0] if inner else None


class Annotations:
    """The annotations of one function, and the variables that they use."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.dtypes: dict[str, list[str]] = {}

    def refuse(self, where: str, told: str) -> HarnessError:
        return HarnessError(f"{self.function}: {where}: {told}")

    def dtype(self, where: str, dtype: Any) -> str | list[str]:
        """One name, several, or that of a variable."""
        if isinstance(dtype, TypeVar):
            if not dtype.__constraints__:
                raise self.refuse(where, f"{dtype} must be constrained to the types that are taken")
            names = [dtype_name(kind) for kind in dtype.__constraints__]
            self.dtypes[dtype.__name__] = names
            return dtype.__name__
        if typing.get_origin(dtype) is Union:
            dtype = typing.get_args(dtype)
        if isinstance(dtype, (tuple, list)):
            return [dtype_name(kind) for kind in dtype]
        return dtype_name(dtype)

    def tensor(self, where: str, tensor: Tensor, is_result: bool) -> dict[str, Any]:
        told = {"kind": "tensor", "dtype": self.dtype(where, tensor.dtype), "shape": tensor.shape}
        if not is_result:
            told["role"] = tensor.role
        return {**told, **json.loads(tensor.more)}

    def limited(self, where: str, annotation: Any, is_result: bool) -> dict[str, Any]:
        """A type with Range, Values or Examples."""
        inner, *notes = typing.get_args(annotation)
        told = self.type(where, inner, is_result)
        if told["kind"] == "variant" and any(note != RETAINED for note in notes):
            raise self.refuse(where, "put Range, Values and Examples into each type of the Union")
        for note in notes:
            told.update(self.note(where, note))
        return told

    def note(self, where: str, note: Any) -> dict[str, Any]:
        """The members that one of the notes of Annotated stands for."""
        if isinstance(note, Range):
            limits = {"min": note.least, "max": note.most}
            return {name: limit_of(limit) for name, limit in limits.items() if limit is not None}
        if isinstance(note, (Values, Examples)):
            if not note.values:
                raise self.refuse(where, f"{note!r} has no values")
            return {type(note).__name__.lower(): [plain_value(value) for value in note.values]}
        if isinstance(note, Mark):
            return {note.member: True}
        raise self.refuse(where, f"{note!r} is not Range, Values or Examples")

    def union(self, where: str, members: tuple[Any, ...], is_result: bool) -> dict[str, Any]:
        some = [member for member in members if member is not NONE]
        if len(some) == 1:
            told = self.type(where, some[0], is_result)
        else:
            told = {
                "kind": "variant",
                "any_of": [self.type(where, member, is_result) for member in some],
            }
        return {**told, "optional": True} if len(some) < len(members) else told

    def literal(self, where: str, values: tuple[Any, ...]) -> dict[str, Any]:
        if None in values:
            rest = tuple(value for value in values if value is not None)
            return {**self.literal(where, rest), "optional": True}
        kinds = {SCALARS.get(type(value)) for value in values}
        if len(kinds) != 1 or None in kinds:
            raise self.refuse(where, "the values of a Literal must be of one kind")
        return {"kind": kinds.pop(), "values": list(values)}

    def container(
        self, where: str, origin: Any, args: tuple[Any, ...], is_result: bool
    ) -> dict[str, Any] | None:
        if origin is collections.abc.Callable:
            return self.callback(where, args)
        if origin is tuple and args[-1:] != (Ellipsis,):
            members = [self.type(f"{where}[{i}]", one, is_result) for i, one in enumerate(args)]
            return {"kind": "tuple", "elements": members}
        if origin in (list, tuple, collections.abc.Sequence):
            return {"kind": "array", "element": self.type(f"{where}[]", args[0], is_result)}
        if origin in (dict, collections.abc.Mapping):
            key, element = (self.type(f"{where}[]", member, is_result) for member in args)
            return {"kind": "map", "key": key, "element": element}
        return None

    def callback(self, where: str, args: tuple[Any, ...]) -> dict[str, Any]:
        taken, result = args
        if taken is Ellipsis:
            raise self.refuse(where, "say what the callback is called with: Callable[[float], int]")
        names = ["x"] if len(taken) == 1 else [f"x{i}" for i in range(len(taken))]
        return {
            "kind": "function",
            "parameters": [
                {"name": name, **self.type(where, member, True)}
                for name, member in zip(names, taken)
            ],
            "result": self.type(where, result, True),
        }

    def type(self, where: str, annotation: Any, is_result: bool = False) -> dict[str, Any]:
        """The type of a signature file that an annotation stands for."""
        tensor = as_tensor(annotation)
        if tensor:
            return self.tensor(where, tensor, is_result)
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        told: dict[str, Any] | None = None
        if annotation is None or annotation is NONE:
            told = {"kind": "none"}
        elif annotation is Any:
            told = {"kind": "any"}
        elif isinstance(annotation, Kind):
            told = {"kind": annotation.kind, **json.loads(annotation.more)}
        elif is_known(annotation, KINDS):
            told = {"kind": KINDS[annotation]}
        elif is_known(annotation, SCALARS):
            told = {"kind": SCALARS[annotation]}
        elif origin is Annotated:
            told = self.limited(where, annotation, is_result)
        elif origin is Literal:
            told = self.literal(where, args)
        elif is_union(origin):
            told = self.union(where, args, is_result)
        elif hasattr(annotation, "__optional_keys__"):  # a TypedDict
            told = self.entries(where, annotation, is_result)
        elif origin is not None:
            told = self.container(where, origin, args, is_result)
        if told is None:
            raise self.refuse(where, f"what is {annotation!r}? {KNOWN}")
        return told

    def entries(self, where: str, annotation: Any, is_result: bool) -> dict[str, Any]:
        """Of a TypedDict."""
        hints = typing.get_type_hints(annotation, include_extras=True)
        entries = {}
        for name, hint in hints.items():
            optional = name in annotation.__optional_keys__
            while qualifier(hint):
                optional = {"NotRequired": True, "Required": False}.get(qualifier(hint), optional)
                (hint,) = typing.get_args(hint)
            entries[name] = self.type(f"{where}.{name}", hint, is_result)
            if optional:
                entries[name]["optional"] = True
        return {"kind": "map", "entries": entries}


KNOWN = (
    'Known are Tensor[np.float32, "m n"], Out and InOut of it, int, bool, float, str, bytes, None, '
    "Shape, DType, Device, Object, Literal, Optional, Union, list, tuple, dict, TypedDict, "
    "Callable, Retained, and Annotated with Range, Values or Examples."
)


def is_known(annotation: Any, table: collections.abc.Mapping[Any, Any]) -> bool:
    return isinstance(annotation, type) and annotation in table


def qualifier(hint: Any) -> str:
    """NotRequired, Required or ReadOnly of an entry of a TypedDict; "" if it has none.

    They are of typing, or of typing_extensions, which need not be installed.
    """
    origin = typing.get_origin(hint)
    name = getattr(origin, "_name", None) or getattr(origin, "__name__", "")
    return name if name in ("NotRequired", "Required", "ReadOnly") else ""


def plain_value(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, bytes):
        return text_of_bytes(value)
    return value.item() if hasattr(value, "item") else value


def text_of_bytes(value: bytes) -> str:
    """Bytes as a signature file has them: as the text that they are in UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise HarnessError(f"{value!r}: a signature file holds bytes that are UTF-8") from error


def limit_of(limit: Any) -> Any:
    """A limit as JSON has it; infinity is an expression."""
    limit = plain_value(limit)
    return str(limit) if isinstance(limit, float) and not math.isfinite(limit) else limit


def is_union(origin: Any) -> bool:
    """Union[...], or X | Y of Python 3.10."""
    import types

    return origin is Union or origin is getattr(types, "UnionType", Union)


def hints_of(notes: Annotations, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, AttributeError, TypeError, SyntaxError) as error:
        raise HarnessError(f"{notes.function}: its annotations: {error}") from error


def signature_of(function: Callable[..., Any], name: str) -> dict[str, Any]:
    """The signature that the annotations of a function state. HarnessError: one says nothing."""
    notes = Annotations(name)
    if not inspect.isfunction(function):
        raise HarnessError(f"{name}: @kernel marks functions, not {function!r}")
    hints = hints_of(notes, function)
    signature: dict[str, Any] = {"parameters": []}
    for parameter in inspect.signature(function).parameters.values():
        rest = parameter.kind is parameter.VAR_POSITIONAL
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
            raise notes.refuse(parameter.name, "a kernel takes no arguments by name")
        if parameter.name not in hints:
            told = f"*{parameter.name}" if rest else parameter.name
            raise notes.refuse(told, "the parameter has no annotation")
        told = {"name": parameter.name, **notes.type(parameter.name, hints[parameter.name])}
        if rest:
            signature["rest"] = told
        else:
            signature["parameters"].append(told)
    if "return" in hints:
        signature["result"] = notes.type("result", hints["return"], True)
    if notes.dtypes:
        signature["dtypes"] = notes.dtypes
    return signature
