"""Storages: flat memory, shared for real."""

import array

import pytest

import stridekit as sk
from stridekit.errors import StorageError
from stridekit.tensors.storage import Storage


def test_wrapped_memory_is_shared_both_ways():
    """Nothing is copied."""
    memory = bytearray(16)
    storage = Storage.wrap(memory)
    memory[8] = 5
    assert storage.read(sk.int64, 1) == 5
    storage.write(sk.int64, 0, -1)
    assert memory[:8] == b"\xff" * 8


def test_anything_with_the_buffer_protocol_can_be_wrapped():
    """The standard library's arrays, for instance."""
    numbers = array.array("d", (0.5, 1.5))
    storage = Storage.wrap(numbers)
    assert storage.nbytes() == 16
    assert storage.read(sk.float64, 1) == 1.5
    assert storage.data_ptr() == numbers.buffer_info()[0]


def test_read_only_memory_stays_so():
    """With a sentence, and nothing written."""
    storage = Storage.wrap(bytes(8))
    assert storage.readonly
    with pytest.raises(StorageError, match="read-only, so nothing was written"):
        storage.write(sk.int64, 0, 1)
    assert storage.read(sk.int64, 0) == 0
    assert storage.data_ptr() != 0


@pytest.mark.parametrize("position", [-1, 2, 10**20])
def test_no_position_outside_is_read_or_written(position):
    """Not even from the end, as struct would allow."""
    storage = Storage(16)
    with pytest.raises(StorageError, match="outside this storage of 2 elements of int64"):
        storage.read(sk.int64, position)
    with pytest.raises(StorageError, match="outside this storage"):
        storage.write(sk.int64, position, 1)


def test_scattered_memory_is_refused():
    """A storage is one run."""
    with pytest.raises(StorageError, match="not one contiguous run"):
        Storage.wrap(memoryview(bytearray(8))[::2])


def test_an_empty_storage_has_no_address():
    """As in torch."""
    assert Storage(0).data_ptr() == 0
    assert Storage.wrap(b"").nbytes() == 0
    assert repr(Storage(3)) == "Storage(nbytes=3)"
