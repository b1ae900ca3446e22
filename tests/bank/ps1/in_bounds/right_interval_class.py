from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    low: int
    high: int

    def expand(self, way):
        return Span(self.low + min(way, 0), self.high + max(way, 0))

    def __contains__(self, other):
        return self.low <= other.low and other.high <= self.high


def in_bounds(size, stride, storage_offset, storage_length):
    if not all(size):
        return True
    storage = Span(storage_offset, storage_offset)
    for n, s in zip(size, stride):
        storage = storage.expand((n - 1) * s)
    return storage in Span(0, storage_length - 1)
