# SPDX-License-Identifier: Apache-2.0
"""Objects that other calls of a module make: {"kept": NAME} in a signature file.

A function that takes one says with `needs` which calls make it, and each of these steps may `keep`
its result under a name (conformance/SIGNATURES.md, "Calls after each other").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import HarnessError


@dataclass(frozen=True)
class Kept:
    """Stands for what a step keeps under this name."""

    name: str


class Unstated:
    """Stands for an object in a result: no formula states it."""


UNSTATED = Unstated()


def kept_name(value: Any) -> str | None:
    """NAME of {"kept": NAME}; None for any other value."""
    if isinstance(value, Mapping) and set(value) == {"kept"} and isinstance(value["kept"], str):
        return value["kept"]
    return None


def names_kept(value: Any) -> Iterator[str]:
    """The names of all that is kept in the arguments of a step."""
    name = kept_name(value)
    if name is not None:
        yield name
    elif isinstance(value, Mapping):
        yield from names_kept(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for some in value:
            yield from names_kept(some)


def in_place(value: Any, kept: Mapping[str, Any]) -> Any:
    """A value with what was kept in the place of each Kept."""
    if isinstance(value, Kept):
        return kept[value.name]
    if isinstance(value, list):
        return [in_place(some, kept) for some in value]
    if isinstance(value, tuple):
        return tuple(in_place(some, kept) for some in value)
    if isinstance(value, dict):
        return {key: in_place(some, kept) for key, some in value.items()}
    return value


# --- Types ----------------------------------------------------------------------------------------


def types_within(told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The types of what a value of this type holds, and the alternatives of a variant."""
    inner = [*told.get("elements", []), *told.get("any_of", []), *told.get("entries", {}).values()]
    return [*inner, *([told["element"]] if "element" in told else [])]


def has_object(told: Mapping[str, Any]) -> bool:
    return told.get("kind") == "object" or any(map(has_object, types_within(told)))


def objects_among(parameters: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the parameters for an object."""
    return [told["name"] for told in parameters if told.get("kind") == "object"]


def takes_object(signature: Mapping[str, Any]) -> bool:
    """Whether a function has a parameter for an object."""
    return any(told.get("kind") == "object" for told in signature.get("parameters", []))


def is_untyped(told: Mapping[str, Any]) -> bool:
    return told.get("kind", "any") == "any"


def may_have_object(told: Mapping[str, Any]) -> bool:
    inner = types_within(told)
    return is_untyped(told) or told["kind"] == "object" or any(map(may_have_object, inner))


def without_objects(told: Mapping[str, Any], value: Any) -> Any:
    """A result of this type with UNSTATED in the place of each object."""
    kind = told.get("kind")
    if kind == "object":
        return None if value is None and told.get("optional") else UNSTATED
    if not may_have_object(told):
        return value
    if kind in ("array", "tuple") and isinstance(value, (list, tuple)):
        types = told.get("elements") or [told.get("element", {})] * len(value)
        return [without_objects(of, some) for of, some in zip(types, value)]
    if kind == "map" and isinstance(value, dict):
        entries, other = told.get("entries", {}), told.get("element", {})
        return {key: without_objects(entries.get(key, other), some) for key, some in value.items()}
    return plain_parts(value)


def plain_parts(value: Any) -> Any:
    """A value of an unknown type with UNSTATED in the place of each object."""
    import numpy as np

    if isinstance(value, (list, tuple)):
        return [plain_parts(some) for some in value]
    if isinstance(value, dict):
        return {key: plain_parts(some) for key, some in value.items()}
    plain = (bool, int, float, str, bytes, np.ndarray, np.generic, np.dtype)
    return value if value is None or isinstance(value, plain) else UNSTATED


# --- What a function needs ------------------------------------------------------------------------


def are_steps(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(step, Mapping)
        and isinstance(step.get("call"), str)
        and isinstance(step.get("keep", ""), str)
        for step in value
    )


def needs_of(name: str, signature: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps of `needs`. HarnessError: there are other things in it."""
    steps = signature.get("needs", [])
    if not are_steps(steps):
        raise HarnessError(f'{name}: needs: expected a list of steps, such as {{"call": NAME}}')
    return list(steps)


def check_needs(name: str, signature: Mapping[str, Any], functions: Collection[str]) -> None:
    """HarnessError: a step calls neither one of the functions nor what an earlier one keeps."""
    kept = set()
    for number, step in enumerate(needs_of(name, signature)):
        called = step["call"].partition(".")[0]
        if step["call"] not in functions and called not in kept:
            raise HarnessError(
                f'{name}: needs[{number}].call: "{step["call"]}" is neither a function of this '
                "file nor kept by an earlier step"
            )
        kept.add(step.get("keep"))


def with_kept(name: str, signature: Mapping[str, Any]) -> dict[str, Any]:
    """The signature with a `value` for each parameter that takes an object.

    That is what a step of `needs` keeps under the parameter's name, or, of the only such parameter,
    the only thing that one keeps. HarnessError: no step keeps it, or nothing says which it is.
    """
    kept = [step["keep"] for step in needs_of(name, signature) if "keep" in step]
    objects = objects_among(signature["parameters"])
    parameters = []
    for told in signature["parameters"]:
        place = f"{name}: {told['name']}"
        if told.get("kind") == "object":
            told = with_value(place, told, kept, len(objects) == 1)
        elif any(map(has_object, types_within(told))):
            raise HarnessError(
                f"{place}: an object is a parameter of its own, not within another value"
            )
        parameters.append(told)
    if has_object(signature.get("rest") or {}):
        raise HarnessError(f"{name}: an object is a parameter, not one of any number of them")
    for number, call in enumerate(signature.get("calls", [])):
        for parameter in set(objects).intersection(call.get("arguments", {})):
            value = call["arguments"][parameter]
            if value is not None:
                check_kept(f"{name}: calls[{number}]: {parameter}", value, kept)
    return {**signature, "parameters": parameters}


def with_value(
    place: str, told: Mapping[str, Any], kept: Sequence[str], is_only: bool
) -> Mapping[str, Any]:
    """The type of a parameter with what it is in the example.

    is_only: no other parameter is an object.
    """
    if "value" in told:
        check_kept(place, told["value"], kept)
        return told
    if told["name"] in kept or (is_only and len(kept) == 1):
        only = told["name"] if told["name"] in kept else kept[0]
        return {**told, "value": {"kept": only}}
    if kept:
        which = f"which of {', '.join(kept)}" if len(kept) > 1 else "which object"
        raise HarnessError(f'{place}: say {which} it is: "value": {{"kept": "{kept[0]}"}}')
    if told.get("optional"):
        return told
    raise HarnessError(
        f"{place}: say which call makes the object: "
        '"needs": [{"call": ..., "arguments": ..., "keep": ...}]'
    )


def check_kept(place: str, value: Any, kept: Collection[str]) -> None:
    """HarnessError: the value of an object is not what a step of `needs` keeps."""
    name = kept_name(value)
    if name is None:
        raise HarnessError(f'{place}: an object is {{"kept": NAME}}')
    if name not in kept:
        raise HarnessError(f'{place}: no step of "needs" has "keep": "{name}"')
