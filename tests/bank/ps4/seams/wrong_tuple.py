# draws: a tuple. Return a list of ints
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return tuple(a for a, b in zip(kept, kept[1:]) if stride[a] != size[b] * stride[b])
