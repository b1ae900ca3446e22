"""What stands in the runtime's lock: which packages the browser's Python has, and where they lie.

What is loaded lies beside the runtime. The rest leads to its public place.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Packages = dict[str, dict[str, Any]]

# In these versions the widgets fit to the page's side, which is installed here.
OURS = {
    "anywidget": ("ipywidgets", "psygnal", "typing-extensions"),
    "comm": (),
    # What else it asks for is the page's side, which is there already.
    "ipywidgets": ("comm", "ipython", "traitlets"),
    "psygnal": (),
}
# The kernel's own; what they depend on stands in the lock.
KERNEL = ("micropip", "ipython", "jedi", "typing-extensions")
# JupyterLite's own, which it would else install one by one, asking for each whether it is there.
LITE = {
    "ipykernel": (),
    "piplite": ("micropip",),
    "pyodide-kernel": ("comm", "ipykernel", "ipython"),
}
# The library, and the course, which comes once a cell imports it.
STRIDEKIT = {"stridekit": ("anywidget",), "stridekit-course": ("stridekit",)}
# What is there before the first cell. JupyterLite looks for each of its own by name.
LOADED = ("stridekit", *OURS, *KERNEL, *LITE)
_DEPENDS: Mapping[str, tuple[str, ...]] = {**OURS, **LITE, **STRIDEKIT}


def needed(roots: Iterable[str], packages: Packages) -> set[str]:
    """These, and all that they depend on.

    >>> sorted(needed(["a"], {"a": {"depends": ["B_c"]}, "b-c": {"depends": ["a"]}}))
    ['a', 'b-c']
    """
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in found:
            found.add(name)
            waiting += packages[name]["depends"]
    return found


def led(packages: Packages, near: Mapping[str, Path], elsewhere: str) -> None:
    """Let each package lead to its wheel beside the runtime, or to an address of others."""
    for name, entry in packages.items():
        if name not in near:
            entry["file_name"] = f"{elsewhere}/{entry['file_name']}"
    for name, wheel in near.items():
        if name in _DEPENDS:
            packages[name] = _entry(name, wheel, _DEPENDS[name])
        packages[name]["file_name"] = wheel.name
    sealed(packages, near)


def sealed(packages: Packages, near: Mapping[str, Path]) -> None:
    """Write down what the wheels beside the runtime hold: nothing else is loaded."""
    for name, wheel in near.items():
        packages[name]["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()


def _entry(name: str, wheel: Path, depends: Iterable[str]) -> dict[str, Any]:
    """What the lock says of a wheel, but for where it is."""
    return {
        "name": name, "version": wheel.name.split("-")[1], "install_dir": "site",
        "package_type": "package", "depends": list(depends),
        "imports": [name.replace("-", "_")],
        "unvendored_tests": False,
    }  # fmt: skip
