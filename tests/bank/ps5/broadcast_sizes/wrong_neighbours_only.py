# draws: hint: this is what you get if each size is only compared with the next one. With a 1 between them, two others may differ.
# draws: returned (2,); expected a ValueError, because aligned at the right, dim -1 is 2 in one size and 3 in another.
def two(a, b):
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(n != m and 1 not in (n, m) for n, m in zip(a, b)):
        raise ValueError("no fit")
    return tuple(m if n == 1 else n for n, m in zip(a, b))


def broadcast_sizes(*sizes):
    result = sizes[-1]
    for left, right in zip(sizes, sizes[1:]):
        two(left, right)
    for size in sizes[::-1]:
        rank = max(len(size), len(result))
        padded = [(1,) * (rank - len(each)) + each for each in (size, result)]
        result = tuple(m if n == 1 else n for n, m in zip(*padded))
    return result
