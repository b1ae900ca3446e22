from functools import reduce
from typing import NamedTuple


class Header(NamedTuple):
    size: tuple
    stride: tuple
    storage_offset: int
    storage_length: int

    def last_position(self):
        if 0 in self.size:
            return -1
        return self.storage_offset + sum((n - 1) * s for n, s in zip(self.size, self.stride))

    def grown(self):
        return self._replace(storage_length=max(self.storage_length, self.last_position() + 1))


def row_major(size):
    return reduce(lambda done, n: ((n or 1) * done[0],) + done, size[:0:-1], (1,)) if size else ()


def resize(size, stride, storage_offset, storage_length, new_size):
    old = Header(size, stride, storage_offset, storage_length)
    if old.size == new_size:
        return old
    return old._replace(size=new_size, stride=row_major(new_size)).grown()
