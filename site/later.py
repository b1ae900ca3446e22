"""What comes to the browser's Python later: the rest of packages, once something of it is imported.

A start needs a part of the standard library, and of IPython and what it is made of. That part is
where it always is. The rest of each lies in one more zip beside the runtime, and is fetched when a
module is imported that has not come: `site/division.py` divides them. This module is in the
runtime's standard library, and `start.mjs` calls `begin`.
"""

import importlib
import sys
import zipfile
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

# Which zips there are: where each is laid, and the modules in it. `division.py` knows.
TABLE: Mapping[str, tuple[str, list[str]]] = {}


def begin(fetched: Callable[[str], Any]) -> None:
    """Find what comes later, and let wait what is asked for before it is needed.

    `fetched` gives the content of a zip, as JavaScript has bytes.
    """
    sys.meta_path.append(Later(TABLE, fetched))  # type: ignore[arg-type]
    # IPython asks for its terminal's shell at once, and that for prompt_toolkit.
    terminal = Waiting("IPython.terminal.embed")
    terminal.embed = lambda *given, **named: terminal.real().embed(*given, **named)
    # It needs jedi once somebody presses Tab.
    jedi = Waiting("jedi", "jedi.api", "jedi.api.helpers", "jedi.api.classes")
    jedi.settings = SimpleNamespace()


class Later:
    """A finder that comes last: what no other finds may be in a zip that has not come."""

    def __init__(
        self, table: Mapping[str, tuple[str, list[str]]], fetched: Callable[[str], Any]
    ) -> None:
        self._zips = {name: each for each, (_, names) in table.items() for name in names}
        self._roots = {each: Path(root) for each, (root, _) in table.items()}
        self._fetched = fetched
        self._there: set[str] = set()

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """Where a module is, after its zip was fetched and laid beside what is there already."""
        if name not in self._zips:
            return None
        zipped = self._zips[name]
        root = self._roots[zipped]
        if zipped not in self._there:
            try:
                content = self._fetched(zipped).to_bytes()
            except Exception as error:
                raise ImportError(
                    f"import {name}: it comes from this site once it is imported, and the site "
                    "does not answer. Go online, and run the same again."
                ) from error
            zipfile.ZipFile(BytesIO(content)).extractall(root)
            self._there.add(zipped)
            importlib.invalidate_caches()
        return PathFinder.find_spec(name, [str(root.joinpath(*name.split(".")[:-1]))])


class Waiting(ModuleType):
    """Stands for a module until something in it is asked for that was not set here."""

    def __init__(self, *names: str) -> None:
        super().__init__(names[0])
        self._names = names
        sys.modules.update(dict.fromkeys(names, self))

    def __getattr__(self, name: str) -> Any:
        # Import itself asks for such names, and so do those who go through all modules.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.real(), name)

    def real(self) -> Any:
        """The module itself, with the settings that were made while it was waited for."""
        if sys.modules.get(self._names[0]) is self:
            for each in self._names:
                del sys.modules[each]
            settings = vars(self).get("settings", SimpleNamespace())
            module = importlib.import_module(self._names[0])
            for name, value in vars(settings).items():
                setattr(module.settings, name, value)
            vars(self).pop("settings", None)
        return importlib.import_module(self._names[0])
