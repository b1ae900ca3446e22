// Compiles what lies in zips to bytecode, in the Python that will read it: Pyodide's own, in node.
//
//   node site/compile.mjs RUNTIME < LIST
//
// RUNTIME is the folder with pyodide.mjs. LIST is JSON, for each zip: where it is, where the
// compiled one goes, the folder that it will be in, and whether sources stay.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const COMPILED = `
import importlib.util
import warnings
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc as as_file

# Of others' code.
warnings.simplefilter("ignore")

def compiled(root, with_sources):
    with zipfile.ZipFile("/in") as old, zipfile.ZipFile("/out", "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            body = old.read(name)
            made = None
            if name.endswith(".py"):
                try:
                    code = compile(body, root + name, "exec", dont_inherit=True)
                except SyntaxError:
                    pass  # A template, or a test of what cannot be read.
                else:
                    made = as_file(code, importlib.util.source_hash(body), False)
            if made is None or with_sources:
                new.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
            if made is not None:
                place = importlib.util.cache_from_source(name) if with_sources else name + "c"
                new.writestr(zipfile.ZipInfo(place), bytes(made), zipfile.ZIP_DEFLATED)

compiled
`;

const runtime = resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime });
const compiled = python.runPython(COMPILED);
for (const { from, to, root, withSources } of JSON.parse(readFileSync(0, "utf-8"))) {
  python.FS.writeFile("/in", new Uint8Array(readFileSync(from)));
  compiled(root, withSources);
  writeFileSync(to, python.FS.readFile("/out"));
}
