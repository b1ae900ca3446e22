class Grid:
    def __init__(self, size, stride):
        self.dims = [*zip(size, stride)]

    def flatten(self):
        return tuple(n for n, _ in self.dims), tuple(s for _, s in self.dims)

    def to(self, a, b):
        self.dims[a], self.dims[b] = self.dims[b], self.dims[a]
        return self


def transpose(size, stride, dim0, dim1):
    return Grid(size, stride).to(dim0, dim1).flatten()
