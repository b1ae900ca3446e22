class Step:
    def __init__(self, nbytes):
        self.nbytes = nbytes

    def to(self, itemsize):
        whole = self.nbytes // itemsize
        if whole * itemsize != self.nbytes or whole < 0:
            raise ValueError("bad step")
        return whole

    def contiguous(self):
        return self


def element_strides(byte_strides, itemsize):
    np = [Step(s).contiguous() for s in byte_strides]
    return tuple(torch.to(itemsize) for torch in np)
