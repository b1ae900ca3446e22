from functools import reduce


def reading_order(size, stride, storage_offset):
    hops = ([i * s for i in range(n)] for n, s in zip(size, stride))
    return reduce(
        lambda rows, storage: [a + b for a in rows for b in storage], hops, [storage_offset]
    )
