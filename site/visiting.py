"""How the finished site is visited: served from this machine, in a Chromium that reaches no other.

Whatever Chromium would fetch from elsewhere, from a page, a worker or by itself, it asks of a proxy
that is here, writes the request down, and refuses it.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "build" / "site" / "html"
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import browser as chromium  # noqa: E402

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


# What Chromium and Chrome ask for by themselves, whichever page they show.
OWN_AFFAIRS = frozenset(
    f"{name}.googleapis.com"
    for name in ("update", "content-autofill", "optimizationguide-pa", "safebrowsing")
) | {"accounts.google.com", "www.google.com", "clients2.google.com", "redirector.gvt1.com"}


class _Files(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_args: object) -> None:
        """Nothing."""


class _Refusing(BaseHTTPRequestHandler):
    """A proxy that lets nothing through."""

    def __init__(self, asked: list[str], *args: object) -> None:
        self._asked = asked
        super().__init__(*args)  # type: ignore[arg-type]

    def _refuse(self) -> None:
        # An address, or for `https` no more than a machine and its door.
        if (urlsplit(self.path).hostname or self.path.partition(":")[0]) not in OWN_AFFAIRS:
            self._asked.append(self.path)
        self.send_error(403)

    do_CONNECT = do_GET = do_POST = do_HEAD = _refuse  # noqa: N815 - their names

    def log_message(self, *_args: object) -> None:
        """Nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *request: object) -> None:
        """Nothing of a page that is left before all of it has come."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*request)  # type: ignore[arg-type]


@contextmanager
def _serving(handler: object) -> Iterator[str]:
    server = _Server(("127.0.0.1", 0), handler)  # type: ignore[arg-type]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _prove(browser: Browser, asked: list[str]) -> None:
    """That the proxy is asked: one that hears nothing says nothing of a site."""
    page = browser.new_page()
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => {})")
    page.close()
    if asked != ["http://elsewhere.invalid/"]:
        raise SystemExit(f"The proxy does not see what is asked of other machines: {asked}")
    asked.clear()


@contextmanager
def visited(folder: Path = HTML) -> Iterator[tuple[Browser, str, list[str]]]:
    """A browser, the address of a folder, and what was asked of other machines so far."""
    if not (folder / "index.html").is_file():
        raise SystemExit(f"There is no site in {folder}. Make it first: make site")
    # Asks Playwright, so not from within it.
    path = chromium.find()
    if path is None:
        raise SystemExit(f"There is no Chromium here. Get one: {chromium.command_to_type()}")
    asked: list[str] = []
    with (
        _serving(partial(_Files, directory=str(folder))) as address,
        _serving(partial(_Refusing, asked)) as proxy,
        sync_playwright() as playwright,
    ):
        # What is on this machine is never asked of a proxy.
        flags = (*FLAGS, f"--proxy-server={proxy}")
        opened = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            _prove(opened, asked)
            yield opened, address, asked
        finally:
            opened.close()
