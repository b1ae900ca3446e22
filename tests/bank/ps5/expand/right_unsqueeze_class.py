class Tensor:
    def __init__(self, size, stride):
        self.size, self.stride = size, stride

    def unsqueeze(self):
        return Tensor((1, *self.size), (self.size[0] * self.stride[0], *self.stride))

    def repeat(self, dim, n):
        if n in (-1, self.size[dim]):
            return self
        if self.size[dim] != 1 or n < 0:
            raise ValueError(f"{self.size[dim]} cannot become {n}")
        return Tensor(
            (*self.size[:dim], n, *self.size[dim + 1 :]),
            (*self.stride[:dim], 0, *self.stride[dim + 1 :]),
        )


def expand(size, stride, new_size):
    new_dims = len(new_size) - len(size)
    if new_dims < 0 or min(new_size[:new_dims], default=0) < 0:
        raise ValueError(new_size)
    tensor = Tensor(size, stride)
    for dim, n in enumerate(new_size[new_dims:]):
        tensor = tensor.repeat(dim, n)
    for n in reversed(new_size[:new_dims]):
        tensor = tensor.unsqueeze().repeat(0, n)
    return tensor.stride
