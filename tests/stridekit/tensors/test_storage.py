"""Storages: flat memory, shared for real."""

import array

import pytest

import stridekit as sk
from stridekit.errors import StorageError
from stridekit.layouts.layout import Layout
from stridekit.tensors.storage import Storage


def test_wrapped_memory_is_shared_both_ways():
    """Nothing is copied."""
    memory = bytearray(16)
    storage = Storage.wrap(memory)
    memory[8] = 5
    assert storage.values(Layout.of((2,)), sk.int64) == [0, 5]
    storage.scatter(Layout.of((1,)), 8, b"\xff" * 8)
    assert memory[:8] == b"\xff" * 8


def test_anything_with_the_buffer_protocol_can_be_wrapped():
    """The standard library's arrays, for instance."""
    numbers = array.array("d", (0.5, 1.5))
    storage = Storage.wrap(numbers)
    assert storage.nbytes() == 16
    assert storage.values(Layout.of((2,)), sk.float64) == [0.5, 1.5]
    assert storage.data_ptr() == numbers.buffer_info()[0]


def test_read_only_memory_stays_so():
    """With a sentence, and nothing written."""
    storage = Storage.wrap(bytes(8))
    assert storage.readonly
    for write in (
        lambda: storage.scatter(Layout.of((1,)), 8, bytes([1] * 8)),
        lambda: storage.scatter_at([0], 8, bytes([1] * 8)),
    ):
        with pytest.raises(StorageError, match="read-only, so nothing was written"):
            write()
    assert storage.values(Layout.of((1,)), sk.int64) == [0]
    assert storage.data_ptr() != 0


def test_scattered_memory_is_refused():
    """A storage is one run."""
    with pytest.raises(StorageError, match="not one contiguous run"):
        Storage.wrap(memoryview(bytearray(8))[::2])


def test_an_empty_storage_has_no_address():
    """As in torch."""
    assert Storage(0).data_ptr() == 0
    assert Storage.wrap(b"").nbytes() == 0
    assert repr(Storage(3)) == "Storage(nbytes=3)"
