from dataclasses import dataclass


@dataclass
class Walk:
    expected: int
    is_contiguous: bool = True

    def contiguous(self, check, rows):
        # One dim: how many elements, and how far from one to the next.
        if check != 1:
            self.is_contiguous = self.is_contiguous and rows == self.expected
            self.expected *= check


def numpy_flags(shape, byte_strides, itemsize):
    if any(np == 0 for np in shape):
        return True, True
    storage = tuple(zip(shape, byte_strides))
    c, f = Walk(itemsize), Walk(itemsize)
    for dim in range(len(storage)):
        c.contiguous(*storage[-1 - dim])
        f.contiguous(*storage[dim])
    return c.is_contiguous, f.is_contiguous
