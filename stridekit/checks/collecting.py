"""A check without full garbage collections: with torch loaded, each takes a tenth of a second."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_full_collections() -> Iterator[None]:
    """Python collects nothing by itself while this is entered; see `collect_young`."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def collect_young() -> None:
    """Free what was made lately and is held by nothing but itself."""
    if not gc.isenabled():
        gc.collect(1)
