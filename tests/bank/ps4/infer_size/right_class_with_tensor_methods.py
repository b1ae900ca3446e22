import math


class Flat:

    def __init__(self, numel, size):
        self.numel, self.size = (numel, size)

    def view(self):
        return self.flatten()

    def to(self, n):
        return tuple((n if each == -1 else each for each in self.size))

    def flatten(self):
        if sorted(self.size)[:1] and sorted(self.size)[0] < -1 or self.size.count(-1) > 1:
            raise ValueError
        k = math.prod((n for n in self.size if n + 1))
        if -1 in self.size:
            if k == 0 or self.numel % k:
                raise ValueError
            return self.to(self.numel // k)
        if k - self.numel:
            raise ValueError
        return self.size


def infer_size(numel, size):
    return Flat(numel, size).view()
