"""The path of a module, as `named_modules()` of the user's model gives it."""

import gc
import weakref

from torch import nn


class ModuleNames:
    """Paths of modules by their addresses, as far as they live.

    The profiler gives a module's address. A path begins at the outermost module that holds it:
    `encoder.layers.3.attn` where the model itself, whose path is empty, has an `encoder`.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[nn.Module], str]] = {}
        # Whether all modules were looked through since the last slice of a recording.
        self.is_fresh = False

    def path(self, address: int, kind: str) -> str:
        """The path of a module; the name of its class where it has none, or lives no more."""
        if not (self._is_known(address, kind) or self.is_fresh):
            self._look()
        return self._known[address][1] or kind if self._is_known(address, kind) else kind

    def _is_known(self, address: int, kind: str) -> bool:
        ref, _ = self._known.get(address, (None, ""))
        return ref is not None and type(ref()).__name__ == kind

    def _look(self) -> None:
        """Look through all living modules."""
        self.is_fresh = True
        # Objects that pretend to be of another class are not asked.
        modules = [x for x in gc.get_objects() if issubclass(type(x), nn.Module)]
        above: dict[int, tuple[nn.Module, str]] = {}
        for module in modules:
            for name, child in module.__dict__.get("_modules", {}).items():
                above.setdefault(id(child), (module, name))
        self._known = {}
        for module in modules:
            names: list[str] = []
            at = module
            while id(at) in above and len(names) < len(modules):
                at, name = above[id(at)]
                names.append(name)
            path = ".".join(name for name in reversed(names) if name != "_orig_mod")
            self._known[id(module)] = (weakref.ref(module), path)
