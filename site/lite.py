"""Python in the browser: stridekit on Pyodide, with nothing that has to be fetched from elsewhere.

JupyterLite brings the page, npm's package `pyodide` the runtime. What the kernel loads (IPython,
widgets, stridekit, and what JupyterLite itself brings) lies beside it as wheels, all of them pure
Python, compiled, and stands in the runtime's lock: so an import is enough, and nothing has to be
installed before the first cell. NumPy is not among them. The lock leads to its public place, from
which a page that is online can have it; torch has no build for the browser.
"""

import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import bytecode
import carried
import lock
import nbformat
from jupyter_core.paths import jupyter_path
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "site" / "lite"
FETCHED = ROOT / "build" / "site" / "fetched"
# The pages' side of these; what else JupyterLab has would ask a server that is not there.
EXTENSIONS = (
    "@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget",
)  # fmt: skip


def made(html: Path) -> None:
    """Put it into the site's folder `lite`."""
    shutil.rmtree(BUILD, ignore_errors=True)
    runtime = BUILD / "static" / "pyodide"
    _runtime(runtime)
    _lock(runtime)
    files = BUILD / "files"
    files.mkdir()
    for name, notebook in carried.notebooks().items():
        nbformat.write(notebook, files / name)
    settings = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "stridekit",
            "litePluginSettings": {
                "@jupyterlite/pyodide-kernel-extension:kernel": {
                    "disablePyPIFallback": True,
                    "loadPyodideOptions": {
                        "lockFileURL": "./static/pyodide/pyodide-lock.json",
                        "packages": lock.LOADED,
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
    """Put what is loaded beside the runtime, compiled, and lead the lock to it."""
    path = folder / "pyodide-lock.json"
    read = json.loads(path.read_text("utf-8"))
    packages: lock.Packages = read["packages"]
    near = {packages[name]["name"]: name for name in lock.needed(lock.KERNEL, packages)}
    pins = _pins()
    versions = {name: packages[near[name]]["version"] for name in near}
    wheels = _wheels(versions | {name: pins[name] for name in lock.OURS})
    # The lock's keys are not always a package's name.
    found = {near.get(name, name): wheel for name, wheel in wheels.items()}
    found |= {name: _lite_wheel(name) for name in lock.LITE}
    there = {name: Path(shutil.copy(wheel, folder)) for name, wheel in found.items()}
    there["stridekit"] = carried.wheel(folder)
    zips = [*there.values(), folder / bytecode.STDLIB]
    bytecode.put(zips, folder, FETCHED / "compiled", frozenset({"stridekit"}))
    lock.led(packages, there, PYODIDE_CDN_URL)
    path.write_text(json.dumps(read), "utf-8")


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def _lite_wheel(name: str) -> Path:
    """A wheel that comes with JupyterLite's kernel."""
    folder = _extension("@jupyterlite/pyodide-kernel-extension") / "static" / "pypi"
    return next(folder.glob(f"{name.replace('-', '_')}-*none-any.whl"))


def _wheels(versions: Mapping[str, str]) -> dict[str, Path]:
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
