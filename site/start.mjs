// Stands before Pyodide in JupyterLite's worker: tells its page what has come of what is fetched,
// unpacks the runtime, and lets Python fetch later what it does not need to start.
import { loadPyodide as load } from "./theirs.mjs";

// What a start fetches, in bytes, by the names of files: `site/lite.py` knows.
const SIZES = {};
const PACKED = ".packed";
const fetchAsEver = globalThis.fetch;

let came = 0;
function tell(said) {
  const of = Object.values(SIZES).reduce((sum, size) => sum + size, 0);
  postMessage({ stridekit: { came, of, ...said } });
}

function here(name) {
  return new URL(name, import.meta.url);
}

// A file, counted as it comes. One that lies here packed is unpacked: not every server does that.
async function counted(asked, options) {
  const name = String(asked.url ?? asked).split("/").pop();
  if (name + PACKED in SIZES) return unpacked(await counted(here(name + PACKED)), name);
  const answer = await fetchAsEver(asked, options);
  if (!answer.ok || !(name in SIZES)) return answer;
  const counting = new TransformStream({
    transform(part, out) {
      came += part.byteLength;
      tell();
      out.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(counting), answer);
}

function unpacked(answer, name) {
  if (!answer.ok) return answer;
  const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
  const body = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": type } });
}

// Python does not go on before it has a module, so this waits. Only a worker may.
function fetchedAtOnce(name) {
  const request = new XMLHttpRequest();
  request.open("GET", here(name), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name}: ${request.status}`);
  return new Uint8Array(request.response);
}

export async function loadPyodide(options) {
  tell();
  globalThis.fetch = counted;
  try {
    const code = await (await counted(here("pyodide.asm.mjs"))).blob();
    const url = URL.createObjectURL(code);
    const { default: createPyodideModule } = await import(url);
    URL.revokeObjectURL(url);
    const python = await load({ ...options, createPyodideModule });
    python.pyimport("later").begin(fetchedAtOnce);
    tell({ starts: true });
    // JupyterLite's last step is to import its kernel.
    const run = python.runPythonAsync;
    python.runPythonAsync = async (...given) => {
      const result = await run.apply(python, given);
      if (python.globals.has("pyodide_kernel")) tell({ ready: true });
      return result;
    };
    return python;
  } catch (error) {
    tell({ failed: true });
    throw error;
  } finally {
    globalThis.fetch = fetchAsEver;
  }
}
