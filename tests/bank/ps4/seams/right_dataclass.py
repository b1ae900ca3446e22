from dataclasses import dataclass


@dataclass(frozen=True)
class Dim:
    number: int
    size: int
    stride: int

    def follows_on(self, right):
        return self.stride == right.size * right.stride


def seams(size, stride):
    dims = [Dim(*each) for each in zip(range(len(size)), size, stride)]
    dims = list(filter(lambda dim: dim.size > 1, dims))
    return [a.number for a, b in zip(dims, dims[1:]) if not a.follows_on(b)]
