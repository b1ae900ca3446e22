# draws: returned (0, 3, 1, 1, 1); expected (1, 1, 1, 1, 1)
def unravel(flat, size):
    out = [0] * len(size)
    for _ in range(flat):
        out[-1] += 1
        for d in range(len(size) - 1, max(0, len(size) - 4), -1):
            if out[d] == size[d]:
                out[d] = 0
                out[d - 1] += 1
    return tuple(out)
