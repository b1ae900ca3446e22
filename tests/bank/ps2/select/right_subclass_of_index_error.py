class NoSuchDim(IndexError):
    pass


class Header:
    def __init__(self, *parts):
        self.parts = parts

    def contiguous(self):
        return self

    def to(self, d, i):
        size, stride, offset = self.parts
        return (
            tuple(n for k, n in enumerate(size) if k != d),
            tuple(s for k, s in enumerate(stride) if k != d),
            offset + i * stride[d],
        )


def select(size, stride, storage_offset, dim, index):
    if dim + len(size) not in range(2 * len(size)):
        raise NoSuchDim(dim)
    d = dim % len(size)
    if index + size[d] not in range(2 * size[d]):
        raise NoSuchDim(index)
    return Header(size, stride, storage_offset).contiguous().to(d, index % size[d])
