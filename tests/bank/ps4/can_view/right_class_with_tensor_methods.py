import itertools


class Tensor:

    def __init__(self, size, stride):
        self.size, self.stride = (size, stride)

    def contiguous(self):
        return [(n, s) for n, s in zip(self.size, self.stride) if n != 1]

    def flatten(self):
        np = self.contiguous()
        out = []
        for n, s in np:
            if out and out[-1][1] == n * s:
                out[-1] = (out[-1][0] * n, s)
            else:
                out.append((n, s))
        return out

    def view(self, new):
        runs = list(itertools.accumulate((n for n, _ in self.flatten()), int.__mul__))
        return set(runs) <= {*itertools.accumulate(new, int.__mul__)}


def can_view(size, stride, new_size):
    return 0 in size or Tensor(size, stride).view(new_size)
