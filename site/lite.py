"""Python in the browser: stridekit on Pyodide, with nothing that has to be fetched from elsewhere.

JupyterLite brings the page, npm's package `pyodide` the runtime. What the kernel loads (IPython,
widgets, stridekit, and what JupyterLite itself brings) lies beside it as wheels, all of them pure
Python, compiled, and stands in the runtime's lock: so an import is enough, and nothing has to be
installed before the first cell. NumPy is not among them. The lock leads to its public place, from
which a page that is online can have it; torch has no build for the browser.
"""

import gzip
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import bytecode
import carried
import division
import lock
import nbformat
from jupyter_core.paths import jupyter_path
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
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
    _start(runtime, _lock(runtime))
    files = BUILD / "files"
    files.mkdir()
    for name, notebook in carried.notebooks().items():
        nbformat.write(notebook, files / name)
    settings = {
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
    }
    chosen = BUILD / "labextensions"
    for name in EXTENSIONS:
        shutil.copytree(_extension(name), chosen / name)
    configured = {
        "LiteBuildConfig": {"ignore_sys_prefix": ["federated_extensions"]},
        "FederatedExtensionAddon": {"extra_labextensions_path": [str(chosen)]},
    }
    (BUILD / "jupyter_lite_config.json").write_text(json.dumps(configured), "utf-8")
    # A console shows explorers, which have no formulas. MathJax is a tenth of JupyterLab.
    console = {"disabledExtensions": ["@jupyterlab/mathjax-extension:plugin"]}
    _write_settings(BUILD, settings)
    _write_settings(BUILD / "repl", console)
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
    shutil.copy(HERE / "loading.js", html / "lite")
    for page in (html / "lite").glob("*/index.html"):
        text = page.read_text("utf-8")
        script = '<head>\n    <script src="../loading.js"></script>'
        page.write_text(text.replace("<head>", script, 1), "utf-8")


def _write_settings(folder: Path, settings: Mapping[str, object]) -> None:
    folder.mkdir(exist_ok=True)
    told = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (folder / "jupyter-lite.json").write_text(json.dumps(told, indent=1), "utf-8")


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


def _lock(folder: Path) -> list[Path]:
    """Put packages beside the runtime, compiled, and lead the lock to them; what a start loads."""
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
    stdlib = folder / bytecode.STDLIB
    foreign = [*there.values(), stdlib]
    ours = {name: carried.wheel(folder, name.replace("-", "_")) for name in lock.STRIDEKIT}
    with_sources = frozenset(name.replace("-", "_") for name in lock.STRIDEKIT)
    bytecode.put([*foreign, *ours.values()], folder, FETCHED / "compiled", with_sources)
    lock.led(packages, there | ours, PYODIDE_CDN_URL)
    path.write_text(json.dumps(read), "utf-8")
    division.divided(foreign, folder, lock.LOADED)
    lock.sealed(packages, there)
    path.write_text(json.dumps(read), "utf-8")
    return [path, stdlib, *(folder / packages[name]["file_name"]
                            for name in lock.needed(lock.LOADED, packages))]  # fmt: skip


def _start(folder: Path, fetched: list[Path]) -> None:
    """Pack the runtime, and put before it what tells how much of all this has come."""
    packed = []
    for path in (folder / "pyodide.asm.mjs", folder / "pyodide.asm.wasm"):
        packed.append(path.with_name(f"{path.name}.packed"))
        packed[-1].write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        path.unlink()
    sizes = {path.name: path.stat().st_size for path in [*packed, *fetched]}
    # JupyterLite begins with a file of this name.
    begun = folder / "pyodide.mjs"
    begun.rename(folder / "theirs.mjs")
    script = (HERE / "start.mjs").read_text("utf-8")
    begun.write_text(script.replace("SIZES = {}", f"SIZES = {json.dumps(sizes)}"), "utf-8")


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
