class Strider:
    def __init__(self, size):
        self.size = size

    def flatten(self):
        out, step = [], 1
        for n in reversed(self.size):
            out.append(step)
            step *= max(1, n)
        self.out = out
        return self

    def contiguous(self):
        self.out = self.out[::-1]
        return self

    def to(self, kind):
        return kind(self.out)


def c_strides(size):
    return Strider(size).flatten().contiguous().to(tuple)
