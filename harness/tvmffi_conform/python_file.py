# SPDX-License-Identifier: Apache-2.0
"""Python files of others as modules; also once more, in the state in which they are loaded."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from . import HarnessError

FIRST = "tvmffi_kernels_"


def load_module(path: Path, prefix: str = FIRST) -> Any:
    """A Python file as a module. HarnessError: it raises an error."""
    spec = importlib.util.spec_from_file_location(f"{prefix}{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise HarnessError(f"{path}: no such Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except HarnessError:
        raise
    except Exception as error:
        raise HarnessError(f"{path}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
    return module


def place_of(module: Any) -> Path | None:
    """The file of a module, or the folder of a package without one."""
    members = getattr(module, "__dict__", {})
    place = members.get("__file__")
    if place is None:
        with contextlib.suppress(KeyError, TypeError, AttributeError, StopIteration):
            place = next(iter(members["__path__"]))
    return Path(place).resolve() if isinstance(place, str) else None


def is_own(place: Path, below: Path | None = None) -> bool:
    """Whether a file is the author's: not of Python, nor of this package, nor installed."""
    others = {Path(sysconfig.get_path("stdlib")).resolve(), Path(__file__).resolve().parent}
    parts = place.relative_to(below).parts if below else place.parts
    installed = {"site-packages", "dist-packages"}.intersection(parts)
    return not installed and not others.intersection((place, *place.parents))


def reached_from(module: Any) -> list[Any]:
    """A module, and those that it has anything of, and so on: of what no import hides."""
    reached = [module]
    seen = {id(module)}
    for one in reached:
        for value in list(vars(one).values()):
            owner = getattr(value, "__module__", None)
            other = value if isinstance(value, ModuleType) else sys.modules.get(str(owner))
            place = place_of(other)
            if id(other) in seen or place is None or not is_own(place):
                continue
            if place.suffix != ".py" and not place.is_dir():
                continue
            seen.add(id(other))
            reached.append(other)
    return reached


def modules_of(path: Path, module: Any) -> dict[str, Any]:
    """The modules that were loaded for a Python file, but for installed ones.

    Those that `module`, made of it, has anything of, and all from its folder.
    """
    folder = path.resolve().parent
    reached = {id(one) for one in reached_from(module)} if module else set()
    found = {}
    for name, one in list(sys.modules.items()):
        place = place_of(one)
        if name == "__main__" or place is None:
            continue
        if id(one) in reached or (folder in place.parents and is_own(place, folder)):
            found[name] = one
    return found


@contextlib.contextmanager
def loaded_again(path: Path) -> Iterator[Any]:
    """A Python file as a new module, with new ones of those that it uses, while this lasts.

    HarnessError: it raises an error.
    """
    before = modules_of(path, sys.modules.get(FIRST + path.stem))
    for name in before:
        del sys.modules[name]
    module = None
    try:
        module = load_module(path, "tvmffi_kernels_again_")
        yield module
    finally:
        for name in modules_of(path, module):
            del sys.modules[name]
        sys.modules.update(before)


@contextlib.contextmanager
def functions_again(
    path: Path, read: Callable[[Any], Mapping[str, Any]], names: Iterable[str]
) -> Iterator[Mapping[str, Any]]:
    """What `read` finds in the module, as `loaded_again`. HarnessError: one of the names lacks."""
    with loaded_again(path) as module:
        found = read(module)
        if lacking := set(names).difference(found):
            raise HarnessError(f"{path}: it does not define {min(lacking)} each time")
        yield found
