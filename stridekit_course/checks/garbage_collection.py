"""A check without full garbage collections: with torch loaded, each takes a tenth of a second."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_full_collections() -> Iterator[None]:
    """Python collects nothing by itself while this is entered; see `collect_young`.

    What was made meanwhile is looked at in the end, so that Python need not look at everything.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            collect_young()
            gc.enable()


def collect_young() -> None:
    """Free what was made lately and is held by nothing but itself."""
    if not gc.isenabled():
        gc.collect(1)
