# SPDX-License-Identifier: Apache-2.0
"""Calls after each other, made with the Python functions of a file: `needs` and `sequences`.

A Python value stands for each object: what the function that makes it returns. Methods of it are
the methods of the object.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import HarnessError
from .answers import (
    Answer,
    CallFiles,
    Needed,
    Say,
    add_calls,
    ask,
    outputs_after,
    refuted,
    stated_result,
)
from .examples import rest_name
from .kept import (
    are_steps,
    check_needs,
    is_untyped,
    names_kept,
    needs_of,
    takes_object,
    without_objects,
)
from .listed import LeftOut, read_arguments

UNTYPED = {"kind": "any"}

Functions = Mapping[str, Callable[..., Any]]
# The functions, loaded again, while it lasts. HarnessError: that fails.
Again = Callable[[], contextlib.AbstractContextManager[Functions]]


@dataclass(frozen=True)
class Callee:
    """A Python function with the signature of what it stands for."""

    function: Callable[..., Any]
    signature: Mapping[str, Any]

    def arguments(self, stated: Any) -> Mapping[str, Any]:
        """The arguments of a step by name; an array has them in the order of the parameters."""
        if isinstance(stated, Mapping):
            return stated
        if not isinstance(stated, (list, tuple)):
            raise LeftOut("its arguments cannot be read")
        names = [told.get("name") for told in self.signature["parameters"]]
        given = dict(zip(names, stated))
        if rest := self.signature.get("rest"):
            given[rest_name(rest)] = list(stated)[len(names) :]
        return given

    def knows_its_state(self) -> bool:
        """Whether all that earlier steps brought about reaches the Python function."""
        return not self.signature.get("needs") or takes_object(self.signature)


def method_of(function: Callable[..., Any], count: int) -> Callee:
    """A method, or a function that was returned: nothing is stated of its types."""
    parameters = [{"name": f"argument {i}", **UNTYPED} for i in range(count)]
    return Callee(function, {"parameters": parameters, "result": UNTYPED})


class Steps:
    """Calls after each other, and what they keep."""

    def __init__(self, name: str, functions: Mapping[str, Callee], folder: Path) -> None:
        self.name, self.functions, self.folder = name, functions, folder
        self.kept: dict[str, Any] = {}

    def callee(self, place: str, step: Mapping[str, Any]) -> Callee:
        """What a step calls. LeftOut: no function in Python is meant."""
        called = step["call"]
        if called in self.functions:
            return self.functions[called]
        base, _, method = called.partition(".")
        if base not in self.kept:
            raise LeftOut(f"no Python function says what {called} does")
        value = self.kept[base]
        function = getattr(value, method, None) if method else value
        if not callable(function):
            lacks = f"has no method {method}" if method else "cannot be called"
            raise LeftOut(f'"{base}" ({type(value).__name__} in Python) {lacks}')
        stated = step.get("arguments", [])
        if not isinstance(stated, (list, tuple)):
            told = "a method" if method else f'what is kept, as "{base}",'
            raise HarnessError(
                f"{self.name}: {place}.arguments: {told} takes an array of arguments, such as [1]"
            )
        return method_of(function, len(stated))

    def make(self, place: str, step: Mapping[str, Any]) -> tuple[Callee, Answer]:
        """Makes the call of a step. LeftOut: it can't be made. HarnessError: it is refused."""
        callee = self.callee(place, step)
        for name in names_kept(step.get("arguments", [])):
            if name not in self.kept:
                raise HarnessError(f'{self.name}: {place}: no earlier step has "keep": "{name}"')
        named = {"arguments": callee.arguments(step.get("arguments", []))}
        given = read_arguments(callee.signature, named, self.folder, of_step=True)
        where = f"{self.name}: {place}"
        answer = ask(where, callee.function, callee.signature, given, self.kept)
        if answer.error:
            raise refuted(self.name, place, "step", answer.error)
        if "keep" in step:
            self.kept[step["keep"]] = answer.result
        return callee, answer


class Sequence(Steps):
    """A sequence, with what comes of its steps where their author says nothing.

    The program makes each sequence in a process without calls before. Functions that were loaded
    for this sequence are in the same state; all steps are made with them. `stale`: why they could
    not be loaded. Then only steps that use what earlier ones keep are made, up to the first other.
    """

    def __init__(
        self,
        name: str,
        functions: Mapping[str, Callee],
        files: CallFiles,
        say: Say,
        stale: str = "",
    ) -> None:
        super().__init__(name, functions, files.folder.parent)
        self.files, self.say, self.stale = files, say, stale

    def worked_out(self, number: int, sequence: Mapping[str, Any]) -> dict[str, Any]:
        """The sequence, which is as its author wrote it behind a step that can't be made."""
        steps = list(sequence["steps"])
        for i, step in enumerate(steps):
            place = f"sequences[{number}].steps[{i}]"
            try:
                steps[i] = self.step(place, step)
            except LeftOut as reason:
                if any("expected" not in one and "refused" not in one for one in steps[i:]):
                    told = f"{self.name}: {place} is not worked out ({reason})"
                    self.say(f"{told}, nor is what follows; only what is stated there is judged")
                break
        return {**sequence, "steps": steps}

    def step(self, place: str, step: Mapping[str, Any]) -> Mapping[str, Any]:
        """A step with what comes of it. LeftOut: later ones can't be worked out, either."""
        if "refused" in step:  # it changes nothing
            return step
        self.check_known(step)
        callee, answer = self.make(place, step)
        told = callee.signature.get("result", {})
        if answer.result is None and told.get("kind") == "object" and not told.get("optional"):
            raise LeftOut("its Python function returns None for an object")
        if "keep" in step and answer.result is None:  # its author has no value for it
            del self.kept[step["keep"]]
        return step if "expected" in step else self.stated(place, step, callee, answer)

    def check_known(self, step: Mapping[str, Any]) -> None:
        """LeftOut: it depends on what is not known in Python."""
        callee = self.functions.get(step["call"])
        uses = set(names_kept(step.get("arguments", [])))
        if callee is None:
            uses.add(step["call"].partition(".")[0])
        if unknown := uses.difference(self.kept):
            raise LeftOut(f'"{min(unknown)}" is not known in Python')
        if callee is None:
            return
        if not callee.knows_its_state():
            raise LeftOut("it depends on calls before that keep nothing")
        makes_object = callee.signature.get("result", {}).get("kind") == "object"
        if self.stale and not uses and not makes_object:
            raise LeftOut(f"it uses no object, and {self.stale}")

    def stated(
        self, place: str, step: Mapping[str, Any], callee: Callee, answer: Answer
    ) -> Mapping[str, Any]:
        """A step with what its call came to, where a formula can state that."""
        told, where = callee.signature.get("result", {}), f"{self.name}: {place}"
        try:
            written = outputs_after(where, callee.signature, answer)
            expected = {output: self.files.array(array) for output, array in written}
            result = without_objects(told, answer.result)
            if is_untyped(told) and "keep" in step:  # it may be an object
                result = None
            if result is not None:
                expected.update(stated_result(where, self.files, result))
        except LeftOut as reason:
            self.say(f"{where} is not worked out ({reason}); only whether it is served is judged")
            return step
        return {**step, "expected": expected} if expected else step


class Bodies:
    """The Python functions that say what comes of the kernels of a signature file."""

    def __init__(
        self,
        signatures: Mapping[str, Mapping[str, Any]],
        functions: Functions,
        folder: Path,
        again: Again | None = None,
    ) -> None:
        self.signatures, self.functions, self.again = signatures, functions, again
        self.folder = folder  # of arrays
        self.callees = self.callees_of(functions)

    def callees_of(self, functions: Functions) -> dict[str, Callee]:
        return {
            name: Callee(functions[name], self.signatures[name])
            for name in self.functions
            if "parameters" in self.signatures[name]
        }

    def needed(self, name: str, signature: Mapping[str, Any]) -> Needed:
        """What makes the objects that a call of a function needs."""

        def make() -> Mapping[str, Any]:
            steps = Steps(name, self.callees, self.folder.parent)
            for number, step in enumerate(needs_of(name, signature)):
                if "refused" in step:  # it changes nothing
                    continue
                try:
                    steps.make(f"needs[{number}]", step)
                except LeftOut as reason:
                    raise LeftOut(f"needs[{number}]: {reason}") from reason
            return steps.kept

        return make

    def add_calls(self, name: str, say: Say) -> dict[str, Any]:
        """The signature of a function with calls, and with what comes of its sequences."""
        files = CallFiles(self.folder, name)
        signature = with_arrays_in_files(files, self.signatures[name])
        check_needs(name, signature, self.signatures)
        needed = self.needed(name, signature)
        made = add_calls(name, signature, self.functions[name], self.folder, say, needed)
        sequences = signature.get("sequences")
        if isinstance(sequences, list):
            made["sequences"] = [
                self.worked_out(files, say, number, sequence)
                for number, sequence in enumerate(sequences)
            ]
        return made

    def worked_out(self, files: CallFiles, say: Say, number: int, sequence: Any) -> Any:
        """A sequence with what comes of its steps; as it is if they are none."""
        if not isinstance(sequence, Mapping) or not are_steps(sequence.get("steps")):
            return sequence
        with self.loaded_again() as (callees, stale):
            made = Sequence(files.function, callees, files, say, stale)
            return made.worked_out(number, sequence)

    @contextlib.contextmanager
    def loaded_again(self) -> Iterator[tuple[Mapping[str, Callee], str]]:
        """The functions as they are before any call, or as they are now and why."""
        with contextlib.ExitStack() as stack:
            callees = self.callees
            stale = "an imported module is not loaded again for each sequence"
            if self.again:
                try:
                    callees, stale = self.callees_of(stack.enter_context(self.again())), ""
                except HarnessError as error:
                    stale = f"its Python file cannot be loaded again: {error}"
            yield callees, stale


def with_arrays_in_files(files: CallFiles, signature: Mapping[str, Any]) -> dict[str, Any]:
    """A signature whose steps name files for arrays of NumPy, and have numbers for its scalars."""
    members = {
        member: arrays_in_files(files, signature[member])
        for member in ("needs", "sequences")
        if member in signature
    }
    return {**signature, **members}


def arrays_in_files(files: CallFiles, value: Any) -> Any:
    import numpy as np

    if isinstance(value, np.ndarray):
        return files.array(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {key: arrays_in_files(files, some) for key, some in value.items()}
    if isinstance(value, (list, tuple)):
        return [arrays_in_files(files, some) for some in value]
    return value
