from math import prod


def reading_order(size, stride, storage_offset):
    def place(flat):
        at = storage_offset
        for n, s in zip(reversed(size), reversed(stride)):
            at, flat = at + flat % n * s, flat // n
        return at

    def walk(flat):
        if flat == prod(size):
            return []
        return [place(flat)] + walk(flat + 1)

    return walk(0)
