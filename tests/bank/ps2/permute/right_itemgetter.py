from collections import Counter
from operator import itemgetter


def permute(size, stride, dims):
    rank = len(size)
    dims = [*map(range(rank).__getitem__, dims)]
    if Counter(dims) != Counter(range(rank)):
        raise ValueError
    if not dims:
        return (), ()
    if rank == 1:
        return size, stride
    return itemgetter(*dims)(size), itemgetter(*dims)(stride)
