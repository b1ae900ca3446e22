import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    total = math.prod(size)

    def place(k, size, stride):
        out = 0
        for n, s in zip(size[::-1], stride[::-1]):
            k, i = divmod(k, n)
            out += i * s
        return out
    guess = tuple((place(math.prod(new_size[d + 1:]), size, stride) if n > 1 else 0 for d, n in enumerate(new_size)))

    def same(k):
        return k == total or (place(k, size, stride) == place(k, new_size, guess) and same(k + 1))
    return same(0)
