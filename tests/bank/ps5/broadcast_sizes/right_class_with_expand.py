class Misfit(ValueError):
    pass


class Size:
    def __init__(self, numbers):
        self.numbers = list(numbers)

    def to(self, rank):
        return Size([1] * (rank - len(self.numbers)) + self.numbers)

    def expand(self, other):
        rank = max(len(self.numbers), len(other.numbers))
        pairs = zip(self.to(rank).numbers, other.to(rank).numbers, strict=True)
        return Size([self.join(*pair) for pair in pairs])

    def join(self, one, other):
        match one, other:
            case 1, n:
                return n
            case n, 1:
                return n
            case n, m if n == m:
                return n
        raise Misfit(one, other)

    def contiguous(self):
        return tuple(self.numbers)


def broadcast_sizes(*sizes):
    torch = Size(())
    for check in sizes:
        torch = torch.expand(Size(check))
    return torch.contiguous()
