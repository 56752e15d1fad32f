# SPDX-License-Identifier: Apache-2.0
"""Python files of others as modules; also once more, in the state in which they are loaded."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import HarnessError

# The names of the modules that were there before the first file was loaded.
before_loading: list[frozenset[str]] = []


def load_module(path: Path, prefix: str = "tvmffi_kernels_") -> Any:
    """A Python file as a module. HarnessError: it raises an error."""
    spec = importlib.util.spec_from_file_location(f"{prefix}{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise HarnessError(f"{path}: no such Python file")
    module = importlib.util.module_from_spec(spec)
    if not before_loading:
        before_loading.append(frozenset(sys.modules))
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


def modules_of(path: Path) -> dict[str, Any]:
    """The author's modules that were loaded for Python files, and all from this one's folder."""
    folder = path.resolve().parent
    before = before_loading[0] if before_loading else frozenset(sys.modules)
    found = {}
    for name, module in list(sys.modules.items()):
        place = place_of(module)
        if name == "__main__" or place is None:
            continue
        if folder in place.parents:
            own = is_own(place, folder)
        else:  # what is compiled may be loaded once only
            own = name not in before and is_own(place) and place.suffix in ("", ".py")
        if own:
            found[name] = module
    return found


@contextlib.contextmanager
def loaded_again(path: Path) -> Iterator[Any]:
    """A Python file as a new module, with new ones of those that it uses, while this lasts.

    HarnessError: it raises an error.
    """
    before = modules_of(path)
    for name in before:
        del sys.modules[name]
    try:
        yield load_module(path, "tvmffi_kernels_again_")
    finally:
        for name in modules_of(path):
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
