// A line on JupyterLite's pages, from the first moment on: what is fetched, how much of it has come.
// JupyterLab's own files are counted as the browser tells of them, Python's by `start.mjs`.
(() => {
  const MB = 1e6;
  // What is dark when it has come, is dark before.
  if (/ Dark$/.test(new URLSearchParams(location.search).get("theme") ?? "")) {
    document.documentElement.style.background = "#111";
  }
  const place = document.createElement("div");
  const bar = document.createElement("progress");
  const stage = document.createElement("span");
  const much = document.createElement("span");
  bar.setAttribute("aria-label", "Loading Python");
  stage.setAttribute("role", "status");
  place.append(bar, stage, much);
  // In a frame the lower edge may be out of sight; on a page of its own the menus are above.
  const edge = window === window.parent ? "bottom" : "top";
  place.style.cssText = `position: fixed; ${edge}: 0; left: 0; right: 0; z-index: 2000;
    display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 8px 12px;
    font: 15px system-ui, sans-serif; color: #fff; background: #1f2933;`;

  const size = (bytes) => (bytes / MB).toFixed(1);
  function tell(what, howMuch, value) {
    if (stage.textContent !== what) stage.textContent = what;
    much.textContent = howMuch;
    if (value === undefined) bar.removeAttribute("value");
    else bar.value = value;
  }

  let fetched = 0;
  const watch = new PerformanceObserver((list) => {
    list.getEntries().forEach((each) => { fetched += each.encodedBodySize; });
    tell("1 of 3: the page (JupyterLab)", `${size(fetched)} MB so far`);
  });
  watch.observe({ type: "resource", buffered: true });
  tell("1 of 3: the page (JupyterLab)", "");

  function python({ came, of, starts, ready, failed }) {
    watch.disconnect();
    place.style.display = "flex";
    if (failed) {
      bar.remove();
      tell("Python could not be loaded. Are you online? Reload the page to try again.", "");
    } else if (ready) done();
    else if (starts) tell("3 of 3: Python starts", "");
    else tell("2 of 3: Python", `${size(came)} of ${size(of)} MB`, Math.min(1, came / of));
  }

  // A console runs what its address asks for, such as an explorer: that is waited for, too.
  function done() {
    const runs = () => new URLSearchParams(location.search).has("code")
      && [...document.querySelectorAll(".jp-InputPrompt")].some((each) => /\*/.test(each.textContent));
    const seen = new MutationObserver(hide);
    function hide() {
      if (runs()) return;
      seen.disconnect();
      place.style.display = "none";
    }
    seen.observe(document.body, { childList: true, subtree: true, characterData: true });
    hide();
  }

  // Each start of a kernel is a worker, and the line comes back with it.
  window.Worker = class extends window.Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => data?.stridekit && python(data.stridekit));
    }
  };
  addEventListener("DOMContentLoaded", () => document.body.append(place));
})();
