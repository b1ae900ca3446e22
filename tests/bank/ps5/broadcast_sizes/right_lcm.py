from math import lcm


def broadcast_sizes(*sizes):
    rank = max(map(len, sizes))

    def at(dim):
        here = [size[dim] for size in sizes if len(size) + dim >= 0]
        # The least common multiple is 0 as soon as one of them is.
        common = lcm(*here)
        if any(n not in (1, common) for n in here):
            raise ValueError(here)
        return common

    return tuple(at(dim) for dim in range(-rank, 0))
