"""Python in the browser: stridekit on Pyodide, with nothing that has to be fetched from elsewhere.

JupyterLite brings the page, npm's package `pyodide` the runtime. What the kernel loads (IPython,
widgets, stridekit, and what JupyterLite itself brings) lies beside it as wheels, all of them pure
Python, compiled, and stands in the runtime's lock: so an import is enough, and nothing has to be
installed before the first cell. NumPy is not among them. The lock leads to its public place, from
which a page that is online can have it; torch has no build for the browser.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from email.parser import Parser
from pathlib import Path
from typing import Any

import bytecode
import nbformat
from jupyter_core.paths import jupyter_path
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "site" / "lite"
FETCHED = ROOT / "build" / "site" / "fetched"
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
# What is there before the first cell. JupyterLite looks for each of its own by name.
LOADED = (
    "stridekit", "anywidget", "ipywidgets", "micropip", "piplite", "ipykernel", "comm",
    "pyodide-kernel", "jedi", "ipython",
)  # fmt: skip
# What works without torch, from the first cell to the last.
ASSIGNMENTS = ("ps1/storage-and-order", "ps2/headers", "ps5/broadcast-and-overlap")
# The pages' side of these; what else JupyterLab has would ask a server that is not there.
EXTENSIONS = (
    "@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget",
)  # fmt: skip
SERVER_ONLY = ("cli", "grading", "own_code")


def made(html: Path) -> None:
    """Put it into the site's folder `lite`."""
    shutil.rmtree(BUILD, ignore_errors=True)
    runtime = BUILD / "static" / "pyodide"
    _runtime(runtime)
    _lock(runtime)
    _notebooks(BUILD / "files")
    settings = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "stridekit",
            "litePluginSettings": {
                "@jupyterlite/pyodide-kernel-extension:kernel": {
                    "disablePyPIFallback": True,
                    "loadPyodideOptions": {
                        "lockFileURL": "./static/pyodide/pyodide-lock.json",
                        "packages": LOADED,
                    },
                },
            },
        },
    }
    chosen = BUILD / "labextensions"
    for name in EXTENSIONS:
        shutil.copytree(_extension(name), chosen / name)
    configured = {
        "LiteBuildConfig": {"ignore_sys_prefix": ["federated_extensions"]},
        "FederatedExtensionAddon": {"extra_labextensions_path": [str(chosen)]},
    }
    (BUILD / "jupyter_lite_config.json").write_text(json.dumps(configured), "utf-8")
    (BUILD / "jupyter-lite.json").write_text(json.dumps(settings, indent=1), "utf-8")
    built = subprocess.run(
        [
            sys.executable, "-m", "jupyterlite_core", "build",
            "--lite-dir", str(BUILD), "--contents", str(BUILD / "files"),
            "--output-dir", str(html.resolve() / "lite"),
            "--apps", "repl", "--apps", "lab", "--apps", "notebooks", "--no-sourcemaps",
        ],
        cwd=BUILD, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if built.returncode:
        # It says a lot where all is well.
        raise SystemExit(f"JupyterLite stopped:\n{built.stdout}\n{built.stderr}")


def _extension(name: str) -> Path:
    """Where JupyterLab has the page's side of a widget."""
    places = [Path(each, "labextensions", name) for each in jupyter_path()]
    return next(place for place in places if (place / "package.json").exists())


def _runtime(folder: Path) -> None:
    """The runtime as npm has it: an interpreter, the standard library, and a lock."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    packed = FETCHED / f"pyodide-{PYODIDE_VERSION}.tgz"
    if not packed.exists():
        wanted = f"pyodide@{PYODIDE_VERSION}"
        subprocess.run(["npm", "pack", "--silent", wanted], cwd=FETCHED, check=True)
    folder.mkdir(parents=True)
    wanted_files = {
        "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs", "pyodide-lock.json",
        "python_stdlib.zip",
    }  # fmt: skip
    with tarfile.open(packed) as archive:
        for member in archive:
            name = Path(member.name).name
            content = archive.extractfile(member)
            if content is not None and name in wanted_files:
                (folder / name).write_bytes(content.read())


def _lock(folder: Path) -> None:
    """Name what lies beside the runtime; the rest of the lock leads to its public place."""
    path = folder / "pyodide-lock.json"
    lock = json.loads(path.read_text("utf-8"))
    packages: dict[str, dict[str, Any]] = lock["packages"]
    near = _needed(KERNEL, packages)
    pins = _pins()
    theirs = {packages[name]["name"]: packages[name]["version"] for name in near}
    wheels = _wheels(theirs | {name: pins[name] for name in OURS})
    for name, entry in packages.items():
        if name in near:
            entry["file_name"] = wheels[entry["name"]].name
        else:
            entry["file_name"] = f"{PYODIDE_CDN_URL}/{entry['file_name']}"
    for name, depends in OURS.items():
        packages[name] = _entry(wheels[name], name, depends)
    for name, depends in LITE.items():
        wheels[name] = _lite_wheel(name)
        packages[name] = _entry(wheels[name], name, depends)
    for wheel in wheels.values():
        shutil.copy(wheel, folder)
    own = own_wheel(folder)
    packages["stridekit"] = _entry(own, "stridekit", ("anywidget",))
    zips = [*folder.glob("*.whl"), folder / bytecode.STDLIB]
    bytecode.put(zips, folder, FETCHED / "compiled", frozenset({"stridekit"}))
    for name in {*near, *OURS, *LITE, "stridekit"}:
        packages[name]["sha256"] = _digest(folder / packages[name]["file_name"])
    path.write_text(json.dumps(lock), "utf-8")


def _needed(roots: Iterable[str], packages: dict[str, dict[str, Any]]) -> set[str]:
    """These, and all that they depend on."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in found:
            found.add(name)
            waiting += packages[name]["depends"]
    return found


def _entry(wheel: Path, name: str, depends: Iterable[str]) -> dict[str, Any]:
    """What the lock says of a wheel, but for its digest."""
    return {
        "name": name, "version": wheel.name.split("-")[1], "file_name": wheel.name,
        "install_dir": "site", "package_type": "package", "imports": [name.replace("-", "_")],
        "depends": list(depends), "unvendored_tests": False,
    }  # fmt: skip


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def _lite_wheel(name: str) -> Path:
    """A wheel that comes with JupyterLite's kernel."""
    folder = _extension("@jupyterlite/pyodide-kernel-extension") / "static" / "pypi"
    return next(folder.glob(f"{name.replace('-', '_')}-*none-any.whl"))


def _wheels(versions: dict[str, str]) -> dict[str, Path]:
    """Wheels of pure Python by name, each fetched once, and those that are missing together."""
    patterns = {
        name: f"{name.lower().replace('-', '_')}-{version}-*none-any.whl"
        for name, version in versions.items()
    }
    missing = [name for name, pattern in patterns.items() if not list(FETCHED.glob(pattern))]
    if missing:
        subprocess.run(
            [
                sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                "--only-binary=:all:", "--platform", "any", "--python-version", "3.14",
                "--dest", str(FETCHED), *(f"{name}=={versions[name]}" for name in missing),
            ],
            check=True,
        )  # fmt: skip
    return {name: next(FETCHED.glob(pattern)) for name, pattern in patterns.items()}


def own_wheel(folder: Path) -> Path:
    """Stridekit as a wheel for the browser: without torch, and without what grades a class."""
    import stridekit

    version = stridekit.__version__
    wheel = folder / f"stridekit-{version}-py3-none-any.whl"
    info = f"stridekit-{version}.dist-info"
    about = Parser().parsestr(f"Metadata-Version: 2.1\nName: stridekit\nVersion: {version}\n")
    about["Requires-Dist"] = "anywidget"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((ROOT / "stridekit").rglob("*")):
            inside = path.relative_to(ROOT)
            if path.is_file() and not {"__pycache__", *SERVER_ONLY} & set(inside.parts):
                archive.writestr(zipfile.ZipInfo(inside.as_posix()), path.read_bytes())
        archive.writestr(f"{info}/METADATA", about.as_string())
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def _notebooks(folder: Path) -> None:
    """The explorers and the assignments, with stridekit's tensors in place of torch's."""
    folder.mkdir(parents=True)
    sources = [ROOT / "course" / "explorers.ipynb"]
    sources += [ROOT / "release" / f"{name}.ipynb" for name in ASSIGNMENTS]
    for path in sources:
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.kernelspec = {"name": "python", "display_name": "Python (Pyodide)"}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.source = without_torch(cell.source)
        name = path.name if path.parent.name == "course" else f"{path.parent.name}-{path.name}"
        nbformat.write(notebook, folder / name)


def without_torch(source: str) -> str:
    """Code of the course as it runs where torch is not: stridekit has torch's words.

    >>> without_torch("import torch")
    'import stridekit as torch'
    """
    return "\n".join(
        "import stridekit as torch" if line == "import torch" else line
        for line in source.split("\n")
    )
