"""Storages: flat memory, shared for real."""

import array
import copy
import pickle

import numpy as np
import pytest

import stridekit as sk
from stridekit.errors import ArgumentError, StorageError
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


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: Storage.wrap(memoryview(bytearray(8))[::2]), StorageError, "not one contiguous"),
        (lambda: Storage.wrap("abc"), ArgumentError, "a str offers no memory as a buffer"),
        (lambda: Storage.wrap(np.zeros(2, "M8[s]")), ArgumentError, "offers no memory as a buffer"),
        (lambda: Storage.wrap(3), ArgumentError, "an int offers no memory as a buffer"),
        (lambda: Storage(-1), StorageError, r"Storage\(-1\): it counts bytes"),
        (lambda: Storage(2.5), ArgumentError, "a number of bytes is an int, and 2.5 is a float"),
        (lambda: Storage(b"abc"), ArgumentError, "a number of bytes is an int"),
        (lambda: Storage.wrap(b"abc", resizable=True).grow(9), StorageError, "cannot grow to 9"),
    ],
)
def test_what_is_no_storage_is_refused_with_a_sentence(call, error, sentence):
    """A storage is one run, of so many bytes; only a bytearray grows."""
    with pytest.raises(error, match=sentence):
        call()


def test_what_is_new_is_not_written_until_it_is():
    """Byte for byte, however it is written, and after a copy too."""
    storage = Storage(2)
    storage.grow(6)
    storage.scatter(Layout((2,), (2,), 3), 1, b"ab")
    storage.scatter_at([2], 1, b"c")
    for each in (storage, copy.deepcopy(storage), pickle.loads(pickle.dumps(storage))):
        assert [each.is_written(i, 1) for i in range(6)] == [True, True, True, True, False, True]
        assert each.is_written(0, 4)
        assert not each.is_written(2, 4)


def test_an_empty_storage_has_no_address():
    """As in torch."""
    assert Storage(0).data_ptr() == 0
    assert Storage.wrap(b"").nbytes() == 0
    assert repr(Storage(3)) == "Storage(nbytes=3)"
