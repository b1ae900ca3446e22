// Starts Python as the browser does, shows what one begins with, and prints the files it took.
//
//   node site/trial.mjs RUNTIME PACKAGES < site/later.py
//
// RUNTIME is the folder with pyodide.mjs, PACKAGES a list in JSON: what is loaded before a cell.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const BEGIN = `
import sys
took = set()
sys.addaudithook(lambda event, told: took.add(str(told[0])) if event == "open" else None)
`;

// What a kernel does before the first cell, and in some that one begins with: a picture, the
// explorers, a key in one, errors, checks of right and of wrong work, and what stands in a tooltip.
const BEGUN = `
import json, piplite.piplite, pyodide_kernel

CELLS = """
import stridekit as sk
x = sk.arange(12).view(3, 4)
sk.draw({"x": x, "x.t()": x.t()})
---
import stridekit.explorers as explorers
shown = [vars(explorers)[name]() for name in explorers.EXPLORERS]
---
from stridekit.explorers import strides
explorer = strides()
explorer
---
explorer.set(size="2, 3")
---
x.t().view(12)
---
from stridekit_course import check
def position(index, stride, storage_offset):
    return storage_offset + sum(i * step for i, step in zip(index, stride))
check.position(position)
---
def position(index, stride, storage_offset):
    return sum(i * step for i, step in zip(index, stride))
check.position(position)
""".split("---")

async def begun():
    kernel = pyodide_kernel.kernel_instance
    kernel._parent_header = {"header": {}}
    shell, publisher = kernel.interpreter, kernel.interpreter.display_pub
    def nothing(*_given):
        pass
    pyodide_kernel.stdout_stream.publish_stream_callback = nothing
    pyodide_kernel.stderr_stream.publish_stream_callback = nothing
    publisher.clear_output_callback = publisher.display_data_callback = nothing
    publisher.update_display_data_callback = nothing
    shell.displayhook.publish_execution_result = shell.send_comm = nothing
    went = [(await kernel.run(cell))["status"] for cell in CELLS]
    assert went == ["ok", "ok", "ok", "ok", "error", "ok", "error"], went
    assert kernel.inspect("x.view", 5, 0)["found"]
    took.update(str(getattr(each, "__file__", "")) for each in list(sys.modules.values()))
    return json.dumps(sorted(took))

await begun()
`;

const runtime = resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime, stdout: () => {} });
await python.loadPackage(JSON.parse(process.argv[3]), { messageCallback() {} });
python.runPython(BEGIN);
python.FS.writeFile("/lib/later.py", readFileSync(0, "utf-8"));
python.runPython("import sys; sys.path.insert(0, '/lib'); import later; later.begin(None)");
process.stdout.write(await python.runPythonAsync(BEGUN));
